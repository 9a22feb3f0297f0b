BEGIN; -- 0107_cross_checks.sql: a projection's total by more than one other estimator.
SELECT schema_register('0107_cross_checks', requires => '0106_event');
ALTER TABLE projection ADD COLUMN cross_checks json NOT NULL DEFAULT '[]';
UPDATE projection SET cross_checks = json_build_array(json_build_object('name', 'ratio', 'estimator',
        'combined ratio, with the profiled value of every launch as auxiliary variable',
        'value', cross_value, 'half_width', cross_half_width)) WHERE cross_value IS NOT NULL;
ALTER TABLE projection DROP COLUMN cross_value, DROP COLUMN cross_half_width;
COMMENT ON COLUMN projection.cross_checks IS 'the total by other estimators, in unit: name, estimator, value, half_width, df; where one lies far off value, look';
COMMIT;
