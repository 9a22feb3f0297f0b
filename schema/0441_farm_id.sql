BEGIN; -- 0441_farm_id.sql: which farm this is, for workers that keep results of several.
SELECT schema_register('0441_farm_id', requires => '0440_run_slices');
CREATE TABLE farm (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), id uuid NOT NULL);
INSERT INTO farm (id) VALUES (gen_random_uuid());
COMMENT ON TABLE farm IS 'one row; a restored backup is the same farm';
COMMIT;
