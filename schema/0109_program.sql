BEGIN; -- 0109_program.sql: launches that are made by running a program, instead of being recorded.
SELECT schema_register('0109_program', requires => '0108_features');
ALTER TABLE trace ADD COLUMN program_sha256 text REFERENCES blob;
COMMENT ON TABLE trace IS 'facts of a blob of that hash: read from the header and counted in the body, or, of a launch of a program, as it says';
COMMENT ON COLUMN trace.program_sha256 IS 'packed launch list that the simulator runs up to that launch; null: the blob holds the instructions itself';
COMMIT;
