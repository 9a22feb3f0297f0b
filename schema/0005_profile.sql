BEGIN; -- 0005_profile.sql: workloads, their profiles, and imports that make one of the other
SELECT schema_register('0005_profile', requires => '0004_blob');
CREATE TABLE workload (
    id uuid PRIMARY KEY,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL,
    UNIQUE (team_id, name));
CREATE INDEX workload_newest ON workload (team_id, created_at DESC, id DESC);

CREATE TABLE import (
    id uuid PRIMARY KEY,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    upload_id uuid REFERENCES upload ON DELETE SET NULL,
    name text NOT NULL,
    workload text NOT NULL,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'reading', 'ready', 'failed')),
    stage text NOT NULL DEFAULT 'recognising'
        CHECK (stage IN ('recognising', 'reading', 'checking', 'storing', 'done')),
    holder text NOT NULL,
    bytes bigint NOT NULL,
    bytes_read bigint NOT NULL DEFAULT 0,
    rows_read bigint NOT NULL DEFAULT 0,
    report json,
    problem json,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CONSTRAINT failed_imports_say_why CHECK ((state = 'failed') = (problem IS NOT NULL)));
COMMENT ON COLUMN import.holder IS 'the server that runs it; after a crash the same server begins it again';
COMMENT ON COLUMN import.name IS 'file name as the sender calls it: a label, never a path';
CREATE INDEX import_unfinished ON import (holder) WHERE state IN ('queued', 'reading');
CREATE INDEX import_by_upload ON import (upload_id);

CREATE TABLE profile (
    id uuid PRIMARY KEY,
    team_id bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    workload_id uuid REFERENCES workload ON DELETE CASCADE,
    import_id uuid UNIQUE REFERENCES import ON DELETE SET NULL,
    blob_sha256 text REFERENCES blob,
    ready boolean NOT NULL DEFAULT false,
    name text NOT NULL,
    format text NOT NULL,
    unit text NOT NULL CHECK (unit IN ('ns', 'warp_instructions')),
    gpu_name text NOT NULL,
    has_times boolean NOT NULL,
    invocations bigint NOT NULL CHECK (invocations > 0),
    zero_invocations bigint NOT NULL,
    kernels bigint NOT NULL,
    kernel_shapes bigint NOT NULL,
    devices bigint NOT NULL,
    streams bigint NOT NULL,
    total numeric(20) NOT NULL,
    makespan_ns numeric(20) NOT NULL,
    sha256 text NOT NULL,
    tables bytea NOT NULL,
    spark integer[] NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT ready_profiles_have_a_workload CHECK (NOT ready OR workload_id IS NOT NULL));
COMMENT ON COLUMN profile.ready IS 'false while its chunks are being stored: nobody sees it until then';
COMMENT ON COLUMN profile.kernels IS 'distinct names';
COMMENT ON COLUMN profile.kernel_shapes IS 'distinct (name, grid, block): rows of table kernel';
COMMENT ON COLUMN profile.sha256 IS 'of the canonical form (profile_hash), not of the file';
COMMENT ON COLUMN profile.tables IS 'contexts and streams, as server/import/profile_codec.h writes them';
COMMENT ON COLUMN profile.spark IS '40 bins of a logarithmic histogram of the planning variable, heights 0 .. 1000';
CREATE INDEX profile_by_workload ON profile (workload_id, created_at DESC);

CREATE TABLE kernel (
    profile_id uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    index bigint NOT NULL,
    name text NOT NULL,
    mangled_name text,
    grid bigint[] NOT NULL CHECK (cardinality(grid) = 3),
    block bigint[] NOT NULL CHECK (cardinality(block) = 3),
    registers bigint NOT NULL,
    shared_bytes bigint NOT NULL,
    name_id bigint NOT NULL,
    calls bigint NOT NULL,
    total numeric(20) NOT NULL,
    mean double precision NOT NULL,
    cov double precision NOT NULL,
    min numeric(20) NOT NULL,
    max numeric(20) NOT NULL,
    PRIMARY KEY (profile_id, index));
COMMENT ON TABLE kernel IS 'one row per distinct (name, grid, block); statistics are of the planning variable';
CREATE INDEX kernel_by_total ON kernel (profile_id, total DESC, index);

CREATE TABLE profile_chunk (
    profile_id uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    chunk integer NOT NULL,
    rows integer NOT NULL CHECK (rows BETWEEN 1 AND 65536),
    columns bytea NOT NULL,
    PRIMARY KEY (profile_id, chunk));
ALTER TABLE profile_chunk ALTER COLUMN columns SET STORAGE EXTERNAL; -- compressed already
COMMENT ON COLUMN profile_chunk.columns IS 'kernel, value, start, stream; delta, varint, zstd (server/import/profile_codec.h)';

CREATE TABLE profile_feature (
    profile_id uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    piece integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (profile_id, piece));
ALTER TABLE profile_feature ALTER COLUMN bytes SET STORAGE EXTERNAL; -- compressed already
COMMENT ON TABLE profile_feature IS 'metrics, instruction counts, basic-block vectors in pieces; no rows: durations only';
COMMENT ON COLUMN profile_feature.bytes IS 'pieces of one text that server/import/feature_codec.h writes';
COMMIT;
