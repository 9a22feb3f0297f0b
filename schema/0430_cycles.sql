BEGIN; -- 0430_cycles.sql: profiles of cycles that a pilot estimated
SELECT schema_register('0430_cycles', requires => '0360_run_answer');
ALTER TABLE profile DROP CONSTRAINT profile_unit_check,
    ADD CONSTRAINT profile_unit_check CHECK (unit IN ('ns', 'warp_instructions', 'cycles'));
COMMENT ON COLUMN profile.unit IS 'of its values; cycles: estimated for the design that gpu_name names, never measured';
COMMIT;
