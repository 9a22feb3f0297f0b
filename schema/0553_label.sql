BEGIN; -- 0553_label.sql: names, tags and notes of runs and plans; runs and plans that lists leave out.
SELECT schema_register('0553_label', requires => '0552_cancel_later');

ALTER TABLE run ADD COLUMN name text NOT NULL DEFAULT '', ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
    ADD COLUMN remark text NOT NULL DEFAULT '', ADD COLUMN hidden_at timestamptz;
ALTER TABLE plan ADD COLUMN name text NOT NULL DEFAULT '', ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
    ADD COLUMN remark text NOT NULL DEFAULT '', ADD COLUMN hidden_at timestamptz;
COMMENT ON COLUMN run.name IS 'given by a user; empty: none';
COMMENT ON COLUMN run.remark IS 'the note of a user';
COMMENT ON COLUMN run.hidden_at IS 'a user archived it: lists leave it out; NULL: they show it';
COMMENT ON COLUMN plan.name IS 'given by a user; empty: none';
COMMENT ON COLUMN plan.remark IS 'the note of a user; plan.note is what planning said';
COMMENT ON COLUMN plan.hidden_at IS 'a user archived it: lists leave it out; NULL: they show it';
COMMIT;
