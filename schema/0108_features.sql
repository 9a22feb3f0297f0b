BEGIN; -- 0108_features.sql: features may come after the profile, and change its hash.
SELECT schema_register('0108_features', requires => '0107_cross_checks');
ALTER TABLE profile ADD COLUMN features text NOT NULL DEFAULT '';
COMMENT ON COLUMN profile.features IS 'which ones it has, for people; empty: durations only';
COMMENT ON COLUMN profile.sha256 IS 'of the canonical form with its features (profile_hash), not of the file; changes with them';
COMMENT ON TABLE sweep IS 'methods at several errors, evaluated by redraws; kept until the profile gets other features';
COMMENT ON COLUMN sweep.question IS 'version of the program, methods, confidence, errors';
COMMIT;
