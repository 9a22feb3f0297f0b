BEGIN; -- 0550_foreign_isa.sql: runs that simulate instructions which a design's GPU does not have; results of foreign and of partial traces.
SELECT schema_register('0550_foreign_isa', requires => '0012_operation');

ALTER TABLE run ADD COLUMN allow_foreign_isa boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN run.allow_foreign_isa IS 'instructions that the GPU of a design does not have are simulated; false: such a job fails';

ALTER TABLE result ADD COLUMN foreign_isa text, ADD COLUMN partial_trace text;
COMMENT ON COLUMN result.foreign_isa IS 'a sentence: the trace is of code for another architecture; NULL: it is not, or the trace does not state one';
COMMENT ON COLUMN result.partial_trace IS '"20 of 80": CTAs of the launch that the trace holds; NULL: all';

ALTER TABLE projection ADD COLUMN warnings json NOT NULL DEFAULT '[]';
COMMENT ON COLUMN projection.warnings IS 'sentences about the traces of its results';

-- A result with foreign instructions never has the key of a run that refuses them.
CREATE FUNCTION result_key_cycle(trace text, design text, simulator text, inside double precision, allow_foreign boolean) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('cycle|' || trace || '|' || design || '|' || simulator
        || CASE WHEN inside > 0 THEN '|inside ' || inside::text ELSE '' END
        || CASE WHEN allow_foreign THEN '|foreign' ELSE '' END)::bytea) $$;
COMMIT;
