BEGIN; -- 0360_run_answer.sql: the last complete answer of a run, which is shown until the next one is complete
SELECT schema_register('0360_run_answer', requires => '0340_empty_caches');
CREATE TABLE run_answer (
    run_id     uuid PRIMARY KEY REFERENCES run ON DELETE CASCADE,
    plan_id    uuid NOT NULL REFERENCES plan,
    at         timestamptz NOT NULL,
    jobs       integer NOT NULL,
    done       integer NOT NULL,
    final      boolean NOT NULL,
    confidence double precision NOT NULL CHECK (confidence > 0 AND confidence < 1),
    baseline   smallint NOT NULL
);
CREATE INDEX run_answer_by_plan ON run_answer (plan_id);
COMMENT ON TABLE run_answer IS 'what was known when all jobs of a run had ended and it ended or was looked at; its rows in projection and comparison are of this until the next one';
COMMENT ON COLUMN run_answer.at IS 'no earlier than its last result: later results are of the next answer';
COMMENT ON COLUMN run_answer.final IS 'the run ended with it; false: a look of its rule saw it, and the next look replaces it';
COMMENT ON COLUMN run_answer.baseline IS 'of the rule by which projection.difference_level was decided';

ALTER TABLE projection ADD COLUMN confidence double precision, ADD COLUMN looks smallint, ADD COLUMN level_note text,
    ADD COLUMN difference_level double precision, ADD COLUMN difference_looks smallint;
COMMENT ON COLUMN projection.confidence IS 'that looks share';
COMMENT ON COLUMN projection.looks IS 'that share it, at most; NULL: no look goes by this interval';
COMMENT ON COLUMN projection.level_note IS 'why the level is not the confidence, for people; NULL: it is';
COMMENT ON COLUMN projection.difference_level IS 'of its difference to the baseline of the run''s rule; NULL: no look goes by it';
ALTER TABLE comparison ADD COLUMN confidence double precision, ADD COLUMN intervals integer, ADD COLUMN looks smallint, ADD COLUMN level_note text;
COMMENT ON COLUMN comparison.intervals IS 'that share the confidence: one for each other design of the run';

UPDATE projection v SET confidence = coalesce(u.confidence, p.confidence), looks = CASE WHEN u.error > 0 THEN u.looks END,
       difference_level = m.level, difference_looks = CASE WHEN m.level IS NOT NULL THEN u.looks END
  FROM run r JOIN plan p ON p.id = r.plan_id LEFT JOIN run_rule u ON u.run_id = r.id, run_design d
  LEFT JOIN look_promise m ON m.run_id = d.run_id AND m.design = d.number AND m.difference
       AND m.number = (SELECT max(number) FROM look k WHERE k.run_id = d.run_id)
 WHERE r.id = v.run_id AND d.run_id = v.run_id AND d.number = v.design;
UPDATE comparison c SET confidence = coalesce(u.confidence, p.confidence), looks = CASE WHEN u.resolve > 0 AND u.baseline = 0 THEN u.looks END,
       intervals = (SELECT count(*) - 1 FROM run_design d WHERE d.run_id = c.run_id)
  FROM run r JOIN plan p ON p.id = r.plan_id LEFT JOIN run_rule u ON u.run_id = r.id WHERE r.id = c.run_id;
-- a real difference shows in both intervals (sampling/projection.h)
UPDATE comparison SET distinguishable = false WHERE distinguishable AND abs(ratio - 1) <= ratio_half_width;
INSERT INTO run_answer SELECT r.id, r.plan_id, coalesce(r.finished_at, r.created_at), r.jobs, r.done, true, coalesce(u.confidence, p.confidence), coalesce(u.baseline, 0)
  FROM run r JOIN plan p ON p.id = r.plan_id LEFT JOIN run_rule u ON u.run_id = r.id WHERE r.state = 'done' AND r.projected_version >= r.version;
-- differences to design 0 that a look went by from the other side are projected again, at its level
UPDATE run r SET version = r.version + 1 FROM run_rule u WHERE u.run_id = r.id AND u.resolve > 0 AND u.baseline <> 0 AND r.state = 'done' AND r.dropped_at IS NULL;
COMMIT;
