BEGIN; -- 0300_cache_window.sql: checks of the cache state look ever farther back, until more changes nothing.
SELECT schema_register('0300_cache_window', requires => '0270_caches');

ALTER TABLE cache_wish ADD COLUMN looks_back integer NOT NULL DEFAULT 16 CHECK (looks_back > 0),
                       ADD COLUMN still smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN cache_wish.looks_back IS 'launches before each that are replayed now; doubles from 16 on';
COMMENT ON COLUMN cache_wish.still IS 'doublings in a row that changed little';
COMMENT ON COLUMN cache_wish.chosen_at IS 'for looks_back; NULL: launches are yet to be cut out';

ALTER TABLE cache_check ADD COLUMN looks_back integer NOT NULL DEFAULT 16,
                        DROP CONSTRAINT cache_check_run_id_design_invocation_key,
                        ADD UNIQUE (run_id, design, invocation, looks_back);

ALTER TABLE cache_error ADD COLUMN looks_back integer NOT NULL DEFAULT 16,
                        ADD COLUMN wanted integer NOT NULL DEFAULT 0,
                        ADD COLUMN whole boolean NOT NULL DEFAULT false,
                        ADD COLUMN settled boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN cache_error.wanted IS 'launches within looks_back of all that were simulated both ways; `missing` of them have no trace';
COMMENT ON COLUMN cache_error.whole IS 'no launch has more before it';
COMMENT ON COLUMN cache_error.settled IS 'looking back farther changes nothing';
UPDATE cache_error x SET wanted = k.wanted, whole = k.whole, settled = k.whole AND x.missing = 0
  FROM (SELECT c.run_id, c.design, sum(c.before + c.missing) AS wanted, bool_and(s.launch_order <= 16) AS whole
          FROM cache_check c JOIN run r ON r.id = c.run_id
          JOIN sample s ON s.plan_id = r.plan_id AND s.invocation = c.invocation
         WHERE c.state = 'done' GROUP BY 1, 2) k
 WHERE k.run_id = x.run_id AND k.design = x.design;
COMMIT;
