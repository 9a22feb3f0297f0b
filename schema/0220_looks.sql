BEGIN; -- 0220_looks.sql: how well makespans and the time left are known
SELECT schema_register('0220_looks', requires => '0130_look');
ALTER TABLE projection ADD COLUMN makespan_half_width_s double precision;
COMMENT ON COLUMN projection.makespan_half_width_s IS 'at the level of the projection; NULL: not known';
ALTER TABLE run ADD COLUMN eta_error_s double precision;
COMMENT ON COLUMN run.eta_error_s IS 'standard error of eta_s, from how far simulations were off what the plan takes them to cost; NULL: not known';
COMMIT;
