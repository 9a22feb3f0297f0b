BEGIN; -- 0340_empty_caches.sql: launches that began with empty caches, since nobody knows what earlier ones left there.
SELECT schema_register('0340_empty_caches', requires => '0330_failed_keys');
ALTER TABLE result ADD COLUMN empty_caches boolean NOT NULL DEFAULT true; -- simulators before 0.6.0 emptied them
COMMENT ON COLUMN result.empty_caches IS 'simulated, and its trace does not hold what earlier launches left in the caches';
UPDATE result SET empty_caches = false WHERE engine <> 'cycle';
ALTER TABLE result ALTER COLUMN empty_caches SET DEFAULT false;
ALTER TABLE cache_wish ADD COLUMN is_default boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN cache_wish.is_default IS 'requested by default; deleted if no launch began with empty caches';
ALTER TABLE projection ADD COLUMN empty_caches integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN projection.empty_caches IS 'results that began with empty caches; above 0: no difference to another design is distinguishable';
UPDATE projection p SET empty_caches = p.done FROM run r WHERE r.id = p.run_id AND r.engine = 'cycle';
UPDATE comparison c SET distinguishable = false FROM run r WHERE r.id = c.run_id AND r.engine = 'cycle' AND c.distinguishable;
COMMIT;
