BEGIN; -- 0330_failed_keys.sql: jobs that were given up are found by their key when its result comes after all.
SELECT schema_register('0330_failed_keys', requires => '0320_uploaded_by');
CREATE INDEX job_failed_key ON job (key) WHERE state = 'failed';
COMMIT;
