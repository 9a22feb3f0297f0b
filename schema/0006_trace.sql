BEGIN; -- 0006_trace.sql: GPU designs and traces. A design is named by the hash of its canonical text; a name may have several versions.
SELECT schema_register('0006_trace', requires => '0005_plan');

CREATE TABLE design (
    sha256     text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    name       text NOT NULL,
    builtin    boolean NOT NULL,
    clock_hz   double precision NOT NULL CHECK (clock_hz > 0),
    sms        integer NOT NULL CHECK (sms > 0),
    gpu_names  text[] NOT NULL,
    json       text NOT NULL,
    seen_at    timestamptz NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX design_by_name ON design (name, seen_at);
COMMENT ON COLUMN design.clock_hz IS 'of the SMs: turns cycles into seconds';
COMMENT ON COLUMN design.gpu_names IS 'names under which profiles know this GPU';
COMMENT ON COLUMN design.seen_at IS 'last start of a server that carries it, or last upload; the latest one answers to the name';

CREATE TABLE design_owner (
    team_id    bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    sha256     text NOT NULL REFERENCES design ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    PRIMARY KEY (team_id, sha256)
);
COMMENT ON TABLE design_owner IS 'teams that have sent this design themselves; nobody else learns that it exists, or is given it by its name';
COMMENT ON COLUMN design_owner.seen_at IS 'last upload; a name means the team''s last upload, or the built-in design where that is newer';

CREATE TABLE trace (
    sha256            text PRIMARY KEY REFERENCES blob,
    name              text NOT NULL,
    grid              bigint[] NOT NULL CHECK (cardinality(grid) = 3),
    block             bigint[] NOT NULL CHECK (cardinality(block) = 3),
    warp_instructions bigint NOT NULL,
    ctas              bigint NOT NULL,
    warps             bigint NOT NULL,
    bytes             bigint NOT NULL,
    created_at        timestamptz NOT NULL,
    program_sha256    text REFERENCES blob
);
CREATE INDEX trace_by_program ON trace (program_sha256);
COMMENT ON TABLE trace IS 'facts of a blob of that hash: read from the header and counted in the body, or, of a launch of a program, as it says';
COMMENT ON COLUMN trace.program_sha256 IS 'packed launch list that the simulator runs up to that launch; NULL: the blob has the instructions';

CREATE TABLE trace_binding (
    profile_id   uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    invocation   bigint NOT NULL,
    trace_sha256 text NOT NULL REFERENCES trace,
    bound_at     timestamptz NOT NULL,
    PRIMARY KEY (profile_id, invocation)
);
CREATE INDEX trace_binding_by_trace ON trace_binding (trace_sha256);
COMMIT;
