BEGIN; -- 0102_trace.sql: recorded kernels that came back, and which launch of a profile each stands for.
SELECT schema_register('0102_trace', requires => '0101_design');
CREATE TABLE trace (
    sha256            text PRIMARY KEY REFERENCES blob,
    name              text NOT NULL,
    grid              bigint[] NOT NULL CHECK (cardinality(grid) = 3),
    block             bigint[] NOT NULL CHECK (cardinality(block) = 3),
    warp_instructions bigint NOT NULL,
    ctas              bigint NOT NULL,
    warps             bigint NOT NULL,
    bytes             bigint NOT NULL,
    created_at        timestamptz NOT NULL
);
COMMENT ON TABLE trace IS 'facts read from the header and counted in the body of a blob of that hash';

CREATE TABLE trace_binding (
    profile_id   uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    invocation   bigint NOT NULL,
    trace_sha256 text NOT NULL REFERENCES trace,
    bound_at     timestamptz NOT NULL,
    PRIMARY KEY (profile_id, invocation)
);
CREATE INDEX trace_binding_by_trace ON trace_binding (trace_sha256);
COMMIT;
