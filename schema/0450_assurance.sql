BEGIN; -- 0450_assurance.sql: plans sized to keep their error with a probability
SELECT schema_register('0450_assurance', requires => '0441_farm_id');
ALTER TABLE plan ADD COLUMN assurance double precision NOT NULL DEFAULT 0 CHECK (assurance >= 0 AND assurance < 1),
    ADD COLUMN assured double precision,
    ADD COLUMN assured_noise double precision,
    ADD CONSTRAINT only_plans_with_an_assurance_are_assured
        CHECK (assurance > 0 OR (assured IS NULL AND assured_noise IS NULL));
COMMENT ON COLUMN plan.assurance IS 'probability asked for that the half-width is within the error; 0: none was';
COMMENT ON COLUMN plan.assured IS 'the probability worked out; NULL where nothing can be said';
COMMENT ON COLUMN plan.assured_noise IS 'noise of each launch beyond the profile up to which it is what was asked for';
COMMIT;
