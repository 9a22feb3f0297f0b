BEGIN; -- 0350_warm_bound.sql: the other end of what the caches may have held: launches with empty caches, fully warm.
SELECT schema_register('0350_warm_bound', requires => '0340_empty_caches');
ALTER TABLE result ADD COLUMN cycles_warm_bound bigint;
COMMENT ON COLUMN result.cycles_warm_bound IS 'with empty_caches: cycles right after the same launch; NULL: not known (simulators before 0.7.0)';
COMMENT ON COLUMN projection.empty_caches IS 'results that began with empty caches; above 0: warm_bound is the other end';
ALTER TABLE projection ADD COLUMN warm_bound json;
COMMENT ON COLUMN projection.warm_bound IS 'the total if launches with empty caches were fully warm, and what both intervals cover; NULL: not known';
ALTER TABLE comparison ADD COLUMN cache_reversible boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN comparison.cache_reversible IS 'the interval does not hold zero, and what the caches held could reverse the difference';
UPDATE comparison SET cache_reversible = true WHERE NOT distinguishable AND abs(difference) > half_width; -- made so by 0340
COMMIT;
