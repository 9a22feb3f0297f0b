BEGIN; -- 0555_share_compare.sql: share links that show a comparison.
SELECT schema_register('0555_share_compare', requires => '0554_plan_part');

ALTER TABLE share DROP CONSTRAINT share_kind_check,
    ADD CONSTRAINT share_kind_check CHECK (kind IN ('run', 'plan', 'profile', 'compare')),
    ADD COLUMN question jsonb, ADD COLUMN runs uuid[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT share_question_check CHECK ((kind = 'compare') = (question IS NOT NULL)),
    ADD CONSTRAINT share_runs_check CHECK ((kind = 'compare') = (cardinality(runs) > 0));
COMMENT ON COLUMN share.question IS 'of a comparison: the designs that it compares, and what it shows of them';
COMMENT ON COLUMN share.runs IS 'of a comparison: its runs; the first is that of the baseline, as in object';
COMMIT;
