BEGIN; -- 0115_answers.sql: which server is answering a request that may be repeated
SELECT schema_register('0115_answers', requires => '0112_storage');
ALTER TABLE idempotent_request ADD COLUMN holder text NOT NULL, DROP COLUMN content_type;
CREATE INDEX idempotent_request_running ON idempotent_request (holder) WHERE running_until IS NOT NULL;
COMMENT ON COLUMN idempotent_request.holder IS 'when it starts again, what it was answering may be done again';
COMMIT;
