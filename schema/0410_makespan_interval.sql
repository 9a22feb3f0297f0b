BEGIN; -- 0410_makespan_interval.sql: why a makespan has no interval
SELECT schema_register('0410_makespan_interval', requires => '0360_run_answer');
ALTER TABLE projection ADD COLUMN makespan_interval_why_not text;
COMMENT ON COLUMN projection.makespan_interval_why_not IS 'a clause; NULL: there is an interval, or no makespan';
-- Intervals of before did not count that launches differ one by one, and held too seldom where streams overlap.
UPDATE projection SET makespan_half_width_s = NULL,
    makespan_interval_why_not = 'it was worked out by an earlier version, whose intervals held too seldom'
 WHERE makespan_half_width_s > 0;
COMMIT;
