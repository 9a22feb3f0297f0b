BEGIN; -- 0411_communication.sql: of a projection, what kernels take that wait for other GPUs
SELECT schema_register('0411_communication', requires => '0410_makespan_interval');
ALTER TABLE projection ADD COLUMN communication json;
COMMENT ON COLUMN projection.communication IS 'once the run has ended: such kernels and all others apart; NULL: the profile has none, or the plan has them in strata with others';
COMMIT;
