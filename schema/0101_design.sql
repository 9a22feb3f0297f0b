BEGIN; -- 0101_design.sql: GPU designs, named by the hash of their canonical text; a name may point at several versions.
SELECT schema_register('0101_design', requires => '0100_plan');
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
COMMIT;
