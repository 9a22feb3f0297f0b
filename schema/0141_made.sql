BEGIN; -- 0141_made.sql: what a request that may be repeated has made
SELECT schema_register('0141_made', requires => '0115_answers');
ALTER TABLE idempotent_request ADD COLUMN made uuid;
COMMENT ON COLUMN idempotent_request.made IS 'the run, plan or upload, noted when it was made: its answer may have been lost since';
COMMIT;
