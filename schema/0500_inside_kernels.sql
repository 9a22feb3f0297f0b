BEGIN; -- 0500_inside_kernels.sql: runs whose launches may be projected inside, once they run steadily.
SELECT schema_register('0500_inside_kernels', requires => '0481_jobs_by_state');
ALTER TABLE run ADD COLUMN inside_kernels double precision NOT NULL DEFAULT 0,
    ADD CONSTRAINT only_simulations_are_projected_inside
        CHECK (inside_kernels = 0 OR (engine = 'cycle' AND inside_kernels BETWEEN 0.01 AND 0.08));
COMMENT ON COLUMN run.inside_kernels IS 'largest half-width of the interval of a launch that is projected inside, a share of its cycles; 0: all are simulated whole';
ALTER TABLE result ADD COLUMN inside_kernels double precision NOT NULL DEFAULT 0,
    ADD COLUMN projected_error double precision CHECK (projected_error IS NULL OR (projected_error >= 0 AND inside_kernels > 0));
COMMENT ON COLUMN result.inside_kernels IS 'as in run: part of its key';
COMMENT ON COLUMN result.projected_error IS 'standard error of cycles, which are a projection; NULL: simulated whole';
ALTER TABLE projection ADD COLUMN projected_inside integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN projection.projected_inside IS 'of done: results that are projected inside their launches; their error is in the interval';

-- A result that may be projected never has the key of one that may not.
CREATE FUNCTION result_key_cycle(trace text, design text, simulator text, inside double precision) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(('cycle|' || trace || '|' || design || '|' || simulator
        || CASE WHEN inside > 0 THEN '|inside ' || inside::text ELSE '' END)::bytea) $$;
COMMIT;
