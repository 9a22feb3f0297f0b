BEGIN; -- 0004_profile.sql: workloads, their profiles, and imports that read them.
SELECT schema_register('0004_profile', requires => '0003_storage');

CREATE TABLE workload (
    id          uuid PRIMARY KEY,
    team_id     bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    created_at  timestamptz NOT NULL,
    archived_at timestamptz,
    UNIQUE (team_id, name)
);
CREATE INDEX workload_newest ON workload (team_id, created_at DESC, id DESC);
COMMENT ON COLUMN workload.archived_at IS 'put away: lists leave it out unless they are asked for it; nothing of it is deleted';

CREATE TABLE import (
    id              uuid PRIMARY KEY,
    team_id         bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    upload_id       uuid REFERENCES upload ON DELETE SET NULL,
    name            text NOT NULL,
    workload        text NOT NULL,
    state           text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'reading', 'ready', 'failed')),
    stage           text NOT NULL DEFAULT 'recognising' CHECK (stage IN ('recognising', 'reading', 'checking', 'storing', 'done')),
    holder          text NOT NULL,
    bytes           bigint NOT NULL,
    bytes_read      bigint NOT NULL DEFAULT 0,
    rows_read       bigint NOT NULL DEFAULT 0,
    report          json,
    problem         json,
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    traces_sha256   text,
    traces_launches bigint,
    uploaded_by     text,
    CONSTRAINT failed_imports_say_why CHECK ((state = 'failed') = (problem IS NOT NULL))
);
CREATE INDEX import_unfinished ON import (holder) WHERE state IN ('queued', 'reading');
CREATE INDEX import_by_upload ON import (upload_id);
COMMENT ON COLUMN import.name IS 'file name as the sender calls it: a label, never a path';
COMMENT ON COLUMN import.holder IS 'the server that runs it; after a crash the same server begins it again';
COMMENT ON COLUMN import.traces_sha256 IS 'becomes that of the profile; of examples, which come with their traces';
COMMENT ON COLUMN import.uploaded_by IS 'name of the account or token, as run.created_by; NULL: from before this was kept';

CREATE TABLE profile (
    id               uuid PRIMARY KEY,
    team_id          bigint NOT NULL REFERENCES team ON DELETE CASCADE,
    workload_id      uuid REFERENCES workload ON DELETE CASCADE,
    import_id        uuid UNIQUE REFERENCES import ON DELETE SET NULL,
    blob_sha256      text REFERENCES blob,
    ready            boolean NOT NULL DEFAULT false,
    name             text NOT NULL,
    format           text NOT NULL,
    unit             text NOT NULL,
    gpu_name         text NOT NULL,
    has_times        boolean NOT NULL,
    invocations      bigint NOT NULL CHECK (invocations > 0),
    zero_invocations bigint NOT NULL,
    kernels          bigint NOT NULL,
    kernel_shapes    bigint NOT NULL,
    devices          bigint NOT NULL,
    streams          bigint NOT NULL,
    total            numeric(20) NOT NULL,
    makespan_ns      numeric(20) NOT NULL,
    sha256           text NOT NULL,
    tables           bytea NOT NULL,
    spark            integer[] NOT NULL,
    created_at       timestamptz NOT NULL,
    features         text NOT NULL DEFAULT '',
    traces_sha256    text REFERENCES blob,
    traces_launches  bigint CHECK (traces_launches >= 0),
    CONSTRAINT ready_profiles_have_a_workload CHECK (NOT ready OR workload_id IS NOT NULL),
    CONSTRAINT profile_unit_check CHECK (unit IN ('ns', 'warp_instructions', 'cycles'))
);
CREATE INDEX profile_by_workload ON profile (workload_id, created_at DESC);
CREATE INDEX profile_by_blob ON profile (blob_sha256);
CREATE INDEX profile_by_traces ON profile (traces_sha256) WHERE traces_sha256 IS NOT NULL;
COMMENT ON COLUMN profile.ready IS 'false while its chunks are being stored: nobody sees it until then';
COMMENT ON COLUMN profile.unit IS 'of its values; cycles: estimated for the design that gpu_name names, never measured';
COMMENT ON COLUMN profile.kernels IS 'distinct names';
COMMENT ON COLUMN profile.kernel_shapes IS 'distinct (name, grid, block): rows of table kernel';
COMMENT ON COLUMN profile.sha256 IS 'of the canonical form with its features (profile_hash), not of the file; changes with them';
COMMENT ON COLUMN profile.tables IS 'contexts and streams, as profile_codec.h writes them';
COMMENT ON COLUMN profile.spark IS '40 bins of a logarithmic histogram of the planning variable, heights 0 .. 1000';
COMMENT ON COLUMN profile.features IS 'which ones it has, for people; empty: durations only';
COMMENT ON COLUMN profile.traces_sha256 IS 'a .vtrace of its launches, in launch order: whatever a plan draws is cut out of it and bound';
COMMENT ON COLUMN profile.traces_launches IS 'in the file traces_sha256; NULL: no file, or one from before this was kept and not opened since';

CREATE TABLE kernel (
    profile_id   uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    index        bigint NOT NULL,
    name         text NOT NULL,
    mangled_name text,
    grid         bigint[] NOT NULL CHECK (cardinality(grid) = 3),
    block        bigint[] NOT NULL CHECK (cardinality(block) = 3),
    registers    bigint NOT NULL,
    shared_bytes bigint NOT NULL,
    name_id      bigint NOT NULL,
    calls        bigint NOT NULL,
    total        numeric(20) NOT NULL,
    mean         double precision NOT NULL,
    cov          double precision NOT NULL,
    min          numeric(20) NOT NULL,
    max          numeric(20) NOT NULL,
    PRIMARY KEY (profile_id, index)
);
CREATE INDEX kernel_by_total ON kernel (profile_id, total DESC, index);
COMMENT ON TABLE kernel IS 'one row per distinct (name, grid, block); statistics are of the planning variable';

CREATE TABLE profile_chunk (
    profile_id uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    chunk      integer NOT NULL,
    rows       integer NOT NULL CHECK (rows BETWEEN 1 AND 65536),
    columns    bytea NOT NULL,
    PRIMARY KEY (profile_id, chunk)
);
ALTER TABLE profile_chunk ALTER COLUMN columns SET STORAGE EXTERNAL; -- compressed already
COMMENT ON COLUMN profile_chunk.columns IS 'kernel, value, start, stream; delta, varint, zstd (profile_codec.h)';

CREATE TABLE profile_feature (
    profile_id uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    piece      integer NOT NULL,
    bytes      bytea NOT NULL,
    PRIMARY KEY (profile_id, piece)
);
ALTER TABLE profile_feature ALTER COLUMN bytes SET STORAGE EXTERNAL; -- compressed already
COMMENT ON TABLE profile_feature IS 'metrics, instruction counts, basic-block vectors in pieces; no rows: durations only';
COMMENT ON COLUMN profile_feature.bytes IS 'pieces of one text that feature_codec.h writes';

CREATE TABLE sweep (
    profile_id uuid NOT NULL REFERENCES profile ON DELETE CASCADE,
    question   text NOT NULL,
    answer     text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (profile_id, question)
);
COMMENT ON TABLE sweep IS 'methods at several errors, evaluated by redraws; kept until the profile gets other features';
COMMENT ON COLUMN sweep.question IS 'version of the program, methods, confidence, errors';
COMMIT;
