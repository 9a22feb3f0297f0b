BEGIN; -- 0551_discard_answer.sql: the answers of runs before results of theirs were discarded.
SELECT schema_register('0551_discard_answer', requires => '0550_foreign_isa');

CREATE TABLE discard_answer (
    discard_id uuid NOT NULL REFERENCES result_discard ON DELETE CASCADE,
    run_id     uuid NOT NULL REFERENCES run ON DELETE CASCADE,
    design     smallint NOT NULL,
    value      double precision NOT NULL,
    half_width double precision,
    PRIMARY KEY (discard_id, run_id, design)
);
CREATE INDEX discard_answer_by_run ON discard_answer (run_id);
COMMENT ON TABLE discard_answer IS 'projections that were deleted because they rested on the results; rows before 0551 are missing';
COMMIT;
