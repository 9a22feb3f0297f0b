BEGIN; -- 0200_trace_pack.sql: one file with many launches of a profile, out of which the drawn ones are cut.
SELECT schema_register('0200_trace_pack', requires => '0141_made');
ALTER TABLE profile ADD COLUMN traces_sha256 text REFERENCES blob;
COMMENT ON COLUMN profile.traces_sha256 IS 'a .vtrace of its launches, in launch order: whatever a plan draws is cut out of it and bound';
CREATE INDEX profile_by_traces ON profile (traces_sha256) WHERE traces_sha256 IS NOT NULL;
ALTER TABLE import ADD COLUMN traces_sha256 text;
COMMENT ON COLUMN import.traces_sha256 IS 'becomes that of the profile; of examples, which come with their traces';
COMMIT;
