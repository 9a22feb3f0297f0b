-- A farm at schema 0541_task, the last before the baseline, as pg_dump 15 wrote it, without comments. A server of commit 5fbba45b
-- filled it. Rows of activity_minute, blob_pending, cache_check, cache_error and launcher were inserted by hand.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE TYPE public.engine AS ENUM (
    'cycle',
    'replay'
);
CREATE TYPE public.job_state AS ENUM (
    'blocked',
    'ready',
    'leased',
    'done',
    'failed',
    'cancelled'
);
CREATE TYPE public.run_state AS ENUM (
    'running',
    'paused',
    'done',
    'failed',
    'cancelled'
);
CREATE TYPE public.session_state AS ENUM (
    'alive',
    'dead'
);
CREATE TYPE public.task_kind AS ENUM (
    'recording',
    'cache_check',
    'recheck'
);
CREATE TYPE public.task_state AS ENUM (
    'ready',
    'leased',
    'done',
    'failed'
);
CREATE FUNCTION public.api_number(x double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN x IN ('NaN', 'Infinity', '-Infinity') THEN NULL ELSE x END $$;
CREATE FUNCTION public.api_time(at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;
CREATE FUNCTION public.attempt_archive_follow_job() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM attempt_archive WHERE job_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE FUNCTION public.attempt_follow_job() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM attempt WHERE job_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE FUNCTION public.audit_keep() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.at < statement_timestamp() - interval '365 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'rows of the audit log are never changed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE FUNCTION public.blob_owner_count() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM team_storage_add(NEW.team_id, NEW.bytes, 0, 0);
    ELSE
        PERFORM team_storage_add(OLD.team_id, -OLD.bytes, 0, 0);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.job_follow_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM job WHERE run_id IN (SELECT id FROM gone);
    RETURN NULL;
END $$;
CREATE FUNCTION public.job_may_become(public.job_state, public.job_state) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$
    SELECT CASE $1 WHEN 'blocked' THEN $2 IN ('ready', 'done', 'cancelled')
                   WHEN 'ready' THEN $2 IN ('blocked', 'leased', 'done', 'failed', 'cancelled')
                   WHEN 'leased' THEN $2 IN ('blocked', 'ready', 'done', 'failed', 'cancelled')
                   WHEN 'done' THEN $2 IN ('blocked', 'failed', 'cancelled')
                   WHEN 'failed' THEN $2 IN ('blocked', 'done')
                   ELSE false END $_$;
CREATE FUNCTION public.job_tally_add() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO job_tally SELECT run_id, count(*) FILTER (WHERE state = 'blocked'), count(*) FILTER (WHERE state = 'ready'),
           count(*) FILTER (WHERE state = 'leased'), count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),
           count(*) FILTER (WHERE state = 'cancelled') FROM made GROUP BY run_id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.job_tally_move() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO job_tally SELECT * FROM (SELECT run_id, coalesce(sum(n) FILTER (WHERE state = 'blocked'), 0) AS blocked,
           coalesce(sum(n) FILTER (WHERE state = 'ready'), 0) AS ready, coalesce(sum(n) FILTER (WHERE state = 'leased'), 0) AS leased,
           coalesce(sum(n) FILTER (WHERE state = 'done'), 0) AS done, coalesce(sum(n) FILTER (WHERE state = 'failed'), 0) AS failed,
           coalesce(sum(n) FILTER (WHERE state = 'cancelled'), 0) AS cancelled
      FROM (SELECT run_id, state, 1 AS n FROM made UNION ALL SELECT run_id, state, -1 FROM gone) x GROUP BY run_id) t
     WHERE (blocked, ready, leased, done, failed, cancelled) <> (0, 0, 0, 0, 0, 0);
    RETURN NULL;
END $$;
CREATE FUNCTION public.job_tally_take() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO job_tally SELECT run_id, -count(*) FILTER (WHERE state = 'blocked'), -count(*) FILTER (WHERE state = 'ready'),
           -count(*) FILTER (WHERE state = 'leased'), -count(*) FILTER (WHERE state = 'done'), -count(*) FILTER (WHERE state = 'failed'),
           -count(*) FILTER (WHERE state = 'cancelled') FROM gone GROUP BY run_id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.result_key_cycle(trace text, design text, simulator text) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT sha256(('cycle|' || trace || '|' || design || '|' || simulator)::bytea) $$;
CREATE FUNCTION public.result_key_cycle(trace text, design text, simulator text, inside double precision) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT sha256(('cycle|' || trace || '|' || design || '|' || simulator
        || CASE WHEN inside > 0 THEN '|inside ' || inside::text ELSE '' END)::bytea) $$;
CREATE FUNCTION public.result_key_replay(profile_sha256 text, invocation bigint) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT sha256(('replay|' || profile_sha256 || '|' || invocation::text)::bytea) $$;
CREATE FUNCTION public.run_may_become(public.run_state, public.run_state) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$
    SELECT CASE $1 WHEN 'running' THEN $2 IN ('paused', 'done', 'failed', 'cancelled')
                   WHEN 'paused' THEN $2 IN ('running', 'done', 'failed', 'cancelled')
                   WHEN 'done' THEN $2 = 'running'
                   WHEN 'failed' THEN $2 = 'running'
                   ELSE false END $_$;
CREATE FUNCTION public.schema_register(name text, requires text) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO schema_patch (name, requires, checksum)
    VALUES (name, requires, coalesce(current_setting('vivace.migration_checksum', true), ''))
$$;
CREATE FUNCTION public.state_move_refused() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION '% % cannot become % from %', TG_TABLE_NAME, NEW.id, NEW.state, OLD.state USING ERRCODE = 'check_violation';
END $$;
CREATE FUNCTION public.task_may_become(public.task_state, public.task_state) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$
    SELECT CASE $1 WHEN 'ready' THEN $2 IN ('leased', 'failed')
                   WHEN 'leased' THEN $2 IN ('ready', 'done', 'failed')
                   WHEN 'failed' THEN $2 = 'ready'
                   ELSE false END $_$;
CREATE FUNCTION public.team_storage_add(team bigint, stored bigint, reserved bigint, opened bigint) RETURNS void
    LANGUAGE sql
    AS $$
    UPDATE team_storage SET stored_bytes = stored_bytes + stored, reserved_bytes = reserved_bytes + reserved,
           open_uploads = open_uploads + opened WHERE team_id = team
$$;
CREATE FUNCTION public.team_storage_make() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO team_storage (team_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION public.upload_count() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM team_storage_add(OLD.team_id, 0, -OLD.reserved_bytes, -(OLD.state = 'open')::int);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM team_storage_add(NEW.team_id, 0, NEW.reserved_bytes, (NEW.state = 'open')::int);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.upload_pieces_go() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO upload_gone VALUES (OLD.id, (OLD.bytes + 8388607) / 8388608) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION public.uuid_at(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
               PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
               52, 1), 53, 1), 'hex')::uuid
$$;
CREATE FUNCTION public.workload_state(wanted uuid) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(
        (SELECT CASE r.state WHEN 'paused' THEN 'running' WHEN 'cancelled' THEN 'failed' ELSE r.state::text END
           FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id
          WHERE f.workload_id = wanted ORDER BY r.id DESC LIMIT 1),
        CASE WHEN EXISTS (SELECT FROM plan p JOIN profile f ON f.id = p.profile_id
                           WHERE f.workload_id = wanted AND p.parent_id IS NULL)
             THEN 'not_run' ELSE 'not_planned' END)
$$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.account (
    id bigint NOT NULL,
    login text NOT NULL,
    password text,
    site_admin boolean DEFAULT false NOT NULL,
    disabled boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT account_login_check CHECK ((login ~ '^[a-z0-9][a-z0-9._-]{0,62}$'::text)),
    CONSTRAINT account_password_check CHECK ((password ~~ '$argon2id$%'::text))
);
COMMENT ON COLUMN public.account.password IS 'as crypto_pwhash_str() of libsodium writes it: parameters, salt, hash';
COMMENT ON COLUMN public.account.site_admin IS 'manages accounts, teams and workers; reads no team''s data without being its member';
ALTER TABLE public.account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.activity_minute (
    minute timestamp with time zone NOT NULL,
    run_id uuid NOT NULL,
    worker text NOT NULL,
    island integer NOT NULL,
    began_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    attempts integer NOT NULL,
    ok integer NOT NULL,
    lost integer NOT NULL,
    retries integer NOT NULL,
    cycles double precision NOT NULL,
    slowest double precision,
    CONSTRAINT activity_minute_attempts_check CHECK ((attempts > 0))
);
COMMENT ON TABLE public.activity_minute IS 'attempts that ended in a minute, by run and worker; those with at most 250 ms between them are one row';
COMMENT ON COLUMN public.activity_minute.lost IS 'of them: outcome lost or overdue';
COMMENT ON COLUMN public.activity_minute.retries IS 'of them: not the first of their job';
COMMENT ON COLUMN public.activity_minute.cycles IS 'simulated by those that are ok';
COMMENT ON COLUMN public.activity_minute.slowest IS 'host seconds of the slowest that is ok; NULL: none says';
CREATE TABLE public.activity_rolled (
    only_one boolean DEFAULT true NOT NULL,
    upto timestamp with time zone NOT NULL,
    CONSTRAINT activity_rolled_only_one_check CHECK (only_one)
);
COMMENT ON TABLE public.activity_rolled IS 'one row: what ended before upto is in activity_minute, what ended later is not; locked by the one who moves it';
CREATE TABLE public.attempt (
    job_id uuid NOT NULL,
    number integer NOT NULL,
    worker text NOT NULL,
    session_id uuid NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    message text NOT NULL,
    last_lines text NOT NULL,
    host_seconds double precision,
    cpu_seconds double precision,
    peak_bytes bigint
);
COMMENT ON TABLE public.attempt IS 'one row a lease, written when it ends; the running one is in job';
CREATE TABLE public.attempt_archive (
    job_id uuid NOT NULL,
    number integer NOT NULL,
    worker text NOT NULL,
    session_id uuid NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    message text NOT NULL,
    last_lines text NOT NULL,
    host_seconds double precision,
    cpu_seconds double precision,
    peak_bytes bigint
);
CREATE TABLE public.audit (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    team_id bigint,
    actor text NOT NULL,
    credential text NOT NULL,
    address text NOT NULL,
    action text NOT NULL,
    object text NOT NULL,
    outcome smallint NOT NULL,
    request_id text NOT NULL
);
COMMENT ON TABLE public.audit IS 'who did what to whom may do what; rows are added, never changed, and go after a year';
COMMENT ON COLUMN public.audit.team_id IS 'no reference: the row outlives the team';
COMMENT ON COLUMN public.audit.credential IS 'token:ID, session:ID, share:ID or none; never a secret';
COMMENT ON COLUMN public.audit.outcome IS 'status of the answer';
ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.blob (
    sha256 text NOT NULL,
    bytes bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    touched_at timestamp with time zone NOT NULL,
    scrubbed_at timestamp with time zone,
    quarantined_at timestamp with time zone,
    CONSTRAINT blob_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT blob_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
COMMENT ON TABLE public.blob IS 'a row is written after the file is durable, so a row without a file cannot happen';
COMMENT ON COLUMN public.blob.touched_at IS 'sent, or asked for by a team, at this time: what nothing refers to is kept for a while after it';
COMMENT ON COLUMN public.blob.quarantined_at IS 'the bytes were found damaged and are set aside; sending them again mends it';
CREATE TABLE public.blob_owner (
    sha256 text NOT NULL,
    team_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    bytes bigint NOT NULL
);
COMMENT ON TABLE public.blob_owner IS 'teams that have sent these bytes themselves; nobody else learns that they exist';
CREATE TABLE public.blob_pending (
    sha256 text NOT NULL,
    going boolean NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT blob_pending_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
COMMENT ON COLUMN public.blob_pending.going IS 'true: the row in blob is gone, the bytes are to be removed; false: bytes are on their way';
CREATE TABLE public.cache_check (
    task_id uuid NOT NULL,
    run_id uuid NOT NULL,
    design smallint NOT NULL,
    launch bigint NOT NULL,
    looks_back integer NOT NULL,
    stratum integer NOT NULL,
    empty_cycles double precision NOT NULL,
    warmed_cycles double precision,
    before smallint NOT NULL,
    missing smallint NOT NULL
);
COMMENT ON COLUMN public.cache_check.run_id IS 'its task''s';
COMMENT ON COLUMN public.cache_check.empty_cycles IS 'what the run''s own job took';
COMMENT ON COLUMN public.cache_check.before IS 'launches before it that are in its trace';
COMMENT ON COLUMN public.cache_check.missing IS 'launches that should have been, and are not on the farm';
CREATE TABLE public.task (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind public.task_kind NOT NULL,
    result_id uuid,
    run_id uuid,
    trace_sha256 text,
    design_sha256 text NOT NULL,
    simulator text NOT NULL,
    inside_kernels double precision DEFAULT 0 NOT NULL,
    expected_s double precision DEFAULT 0 NOT NULL,
    not_worker text,
    state public.task_state DEFAULT 'ready'::public.task_state NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    session_id uuid,
    made_at timestamp with time zone NOT NULL,
    deadline_at timestamp with time zone,
    finished_at timestamp with time zone,
    why text,
    CONSTRAINT checks_are_of_runs CHECK ((((kind = 'cache_check'::public.task_kind) = (run_id IS NOT NULL)) AND ((run_id IS NULL) = (result_id IS NOT NULL)))),
    CONSTRAINT ended_tasks_know_when CHECK (((state = ANY (ARRAY['done'::public.task_state, 'failed'::public.task_state])) = (finished_at IS NOT NULL))),
    CONSTRAINT failed_tasks_say_why CHECK (((state = 'failed'::public.task_state) = (why IS NOT NULL))),
    CONSTRAINT leased_tasks_have_a_deadline CHECK (((state = 'leased'::public.task_state) = (deadline_at IS NOT NULL))),
    CONSTRAINT live_tasks_have_a_trace CHECK (((trace_sha256 IS NOT NULL) OR (state = 'failed'::public.task_state)))
);
COMMENT ON TABLE public.task IS 'simulations beside the jobs of runs: no run waits for one and no projection counts it';
COMMENT ON COLUMN public.task.result_id IS 'the result that is recorded or simulated again';
COMMENT ON COLUMN public.task.run_id IS 'the run whose launch is simulated once more behind the launches before it';
COMMENT ON COLUMN public.task.trace_sha256 IS 'NULL: there is none, so the task has failed';
COMMENT ON COLUMN public.task.expected_s IS 'how long it will probably take, by what its job took; limits and the demand for workers follow from it';
COMMENT ON COLUMN public.task.not_worker IS 'the worker of this name may not take it';
COMMENT ON COLUMN public.task.attempt IS 'leases given out so far; the fence, as in job';
CREATE VIEW public.cache_check_task AS
 SELECT k.task_id,
    k.run_id,
    k.design,
    k.launch,
    k.looks_back,
    k.stratum,
    k.empty_cycles,
    k.warmed_cycles,
    k.before,
    k.missing,
    t.state,
    t.why,
    t.trace_sha256,
    t.design_sha256,
    t.simulator,
    t.attempt
   FROM (public.cache_check k
     JOIN public.task t ON ((t.id = k.task_id)));
CREATE TABLE public.cache_error (
    run_id uuid NOT NULL,
    design smallint NOT NULL,
    launches integer NOT NULL,
    missing integer NOT NULL,
    share double precision NOT NULL,
    relative double precision NOT NULL,
    version bigint NOT NULL,
    counted_at timestamp with time zone NOT NULL,
    looks_back integer DEFAULT 16 NOT NULL,
    wanted integer DEFAULT 0 NOT NULL,
    whole boolean DEFAULT false NOT NULL,
    settled boolean DEFAULT false NOT NULL
);
COMMENT ON TABLE public.cache_error IS 'what the finished checks of a design come to (sampling/cache_error.h)';
COMMENT ON COLUMN public.cache_error.version IS 'of the projection whose strata it weighs by';
COMMENT ON COLUMN public.cache_error.wanted IS 'launches within looks_back of all that were simulated both ways; `missing` of them have no trace';
COMMENT ON COLUMN public.cache_error.whole IS 'no launch has more before it';
COMMENT ON COLUMN public.cache_error.settled IS 'looking back farther changes nothing';
CREATE TABLE public.cache_wish (
    run_id uuid NOT NULL,
    launches smallint NOT NULL,
    asked_by text NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    chosen_at timestamp with time zone,
    why_not text,
    looks_back integer DEFAULT 16 NOT NULL,
    still smallint DEFAULT 0 NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    CONSTRAINT cache_wish_launches_check CHECK (((launches >= 1) AND (launches <= 100))),
    CONSTRAINT cache_wish_looks_back_check CHECK ((looks_back > 0))
);
COMMENT ON TABLE public.cache_wish IS 'so many launches of a run are to be simulated once more, with warmed caches; chosen when the run is over';
COMMENT ON COLUMN public.cache_wish.chosen_at IS 'for looks_back; NULL: launches are yet to be cut out';
COMMENT ON COLUMN public.cache_wish.why_not IS 'why nothing could be chosen';
COMMENT ON COLUMN public.cache_wish.looks_back IS 'launches before each that are replayed now; doubles from 16 on';
COMMENT ON COLUMN public.cache_wish.still IS 'doublings in a row that changed little';
COMMENT ON COLUMN public.cache_wish.is_default IS 'requested by default; deleted if no launch began with empty caches';
CREATE TABLE public.comparison (
    run_id uuid NOT NULL,
    design smallint NOT NULL,
    difference double precision,
    half_width double precision,
    difference_s double precision,
    half_width_s double precision,
    ratio double precision,
    ratio_half_width double precision,
    df double precision,
    level double precision NOT NULL,
    paired_on bigint NOT NULL,
    distinguishable boolean NOT NULL,
    cache_reversible boolean DEFAULT false NOT NULL,
    confidence double precision,
    intervals integer,
    looks smallint,
    level_note text,
    CONSTRAINT comparison_design_check CHECK ((design > 0))
);
COMMENT ON TABLE public.comparison IS 'design against design 0 of the same run, over the same samples (matched pairs)';
COMMENT ON COLUMN public.comparison.cache_reversible IS 'the interval does not hold zero, and what the caches held could reverse the difference';
COMMENT ON COLUMN public.comparison.intervals IS 'that share the confidence: one for each other design of the run';
CREATE TABLE public.design (
    sha256 text NOT NULL,
    name text NOT NULL,
    builtin boolean NOT NULL,
    clock_hz double precision NOT NULL,
    sms integer NOT NULL,
    gpu_names text[] NOT NULL,
    json text NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT design_clock_hz_check CHECK ((clock_hz > (0)::double precision)),
    CONSTRAINT design_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT design_sms_check CHECK ((sms > 0))
);
COMMENT ON COLUMN public.design.clock_hz IS 'of the SMs: turns cycles into seconds';
COMMENT ON COLUMN public.design.gpu_names IS 'names under which profiles know this GPU';
COMMENT ON COLUMN public.design.seen_at IS 'last start of a server that carries it, or last upload; the latest one answers to the name';
CREATE TABLE public.design_owner (
    team_id bigint NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.design_owner IS 'teams that have sent this design themselves; nobody else learns that it exists, or is given it by its name';
COMMENT ON COLUMN public.design_owner.seen_at IS 'last upload; of a name, a team is answered with what it sent last, or with the built-in one where that is newer';
CREATE TABLE public.discarded_use (
    result_id uuid NOT NULL,
    job_id uuid NOT NULL,
    run_id uuid NOT NULL
);
COMMENT ON TABLE public.discarded_use IS 'jobs that were done by a result before it was discarded';
CREATE SEQUENCE public.event_in_transaction
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.event (
    id bigint DEFAULT ((((pg_current_xact_id())::text)::bigint * 4096) + (nextval('public.event_in_transaction'::regclass) % (4096)::bigint)) NOT NULL,
    at timestamp with time zone NOT NULL,
    topic text NOT NULL,
    kind text NOT NULL,
    severity text,
    params json NOT NULL
);
COMMENT ON COLUMN public.event.topic IS '"run:ID", "import:ID" or "farm"';
COMMENT ON COLUMN public.event.kind IS 'with severity one of server/event/event_kinds.h; else the name in the stream';
COMMENT ON COLUMN public.event.severity IS 'NULL for events without text, which only move a bar';
COMMENT ON COLUMN public.event.params IS 'one line of JSON: what the text of the kind is made of; without severity what the stream sends';
CREATE TABLE public.farm (
    only_one boolean DEFAULT true NOT NULL,
    id uuid NOT NULL,
    CONSTRAINT farm_only_one_check CHECK (only_one)
);
COMMENT ON TABLE public.farm IS 'one row; a restored backup is the same farm';
CREATE TABLE public.farm_secret (
    name text NOT NULL,
    value bytea NOT NULL,
    CONSTRAINT farm_secret_value_check CHECK ((length(value) = 32))
);
CREATE TABLE public.idempotent_request (
    team_id bigint NOT NULL,
    key text NOT NULL,
    request bytea NOT NULL,
    running_until timestamp with time zone,
    status integer,
    location text,
    answer bytea,
    created_at timestamp with time zone NOT NULL,
    holder text NOT NULL,
    made uuid,
    CONSTRAINT ended_ones_have_an_answer CHECK (((running_until IS NULL) = (status IS NOT NULL))),
    CONSTRAINT idempotent_request_key_check CHECK (((length(key) >= 1) AND (length(key) <= 128))),
    CONSTRAINT idempotent_request_request_check CHECK ((length(request) = 32))
);
COMMENT ON COLUMN public.idempotent_request.request IS 'SHA-256 of method, path, query and body';
COMMENT ON COLUMN public.idempotent_request.running_until IS 'being answered; after this time its server is gone and it may be done again';
COMMENT ON COLUMN public.idempotent_request.holder IS 'when it starts again, what it was answering may be done again';
COMMENT ON COLUMN public.idempotent_request.made IS 'the run, plan or upload, noted when it was made: its answer may have been lost since';
CREATE TABLE public.import (
    id uuid NOT NULL,
    team_id bigint NOT NULL,
    upload_id uuid,
    name text NOT NULL,
    workload text NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    stage text DEFAULT 'recognising'::text NOT NULL,
    holder text NOT NULL,
    bytes bigint NOT NULL,
    bytes_read bigint DEFAULT 0 NOT NULL,
    rows_read bigint DEFAULT 0 NOT NULL,
    report json,
    problem json,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    traces_sha256 text,
    traces_launches bigint,
    uploaded_by text,
    CONSTRAINT failed_imports_say_why CHECK (((state = 'failed'::text) = (problem IS NOT NULL))),
    CONSTRAINT import_stage_check CHECK ((stage = ANY (ARRAY['recognising'::text, 'reading'::text, 'checking'::text, 'storing'::text, 'done'::text]))),
    CONSTRAINT import_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'reading'::text, 'ready'::text, 'failed'::text])))
);
COMMENT ON COLUMN public.import.name IS 'file name as the sender calls it: a label, never a path';
COMMENT ON COLUMN public.import.holder IS 'the server that runs it; after a crash the same server begins it again';
COMMENT ON COLUMN public.import.traces_sha256 IS 'becomes that of the profile; of examples, which come with their traces';
COMMENT ON COLUMN public.import.uploaded_by IS 'name of the account or token, as run.created_by; NULL: from before this was kept';
CREATE TABLE public.invitation (
    id bigint NOT NULL,
    team_id bigint NOT NULL,
    role smallint NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT invitation_role_check CHECK (((role >= 1) AND (role <= 3))),
    CONSTRAINT invitation_sha256_check CHECK ((length(sha256) = 32))
);
COMMENT ON TABLE public.invitation IS 'who shows the secret joins the team; the row goes when it is used';
ALTER TABLE public.invitation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.job (
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    seq integer NOT NULL,
    sample integer NOT NULL,
    design smallint NOT NULL,
    state public.job_state DEFAULT 'blocked'::public.job_state NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    troubles smallint DEFAULT 0 NOT NULL,
    losses smallint DEFAULT 0 NOT NULL,
    memory_class smallint DEFAULT 0 NOT NULL,
    time_class smallint DEFAULT 0 NOT NULL,
    ready_at timestamp with time zone,
    session_id uuid,
    leased_at timestamp with time zone,
    deadline_at timestamp with time zone,
    key bytea,
    trace_sha256 text,
    waits_on uuid,
    result_id uuid,
    cached boolean DEFAULT false NOT NULL,
    failure text,
    failure_text text,
    finished_at timestamp with time zone,
    CONSTRAINT done_jobs_have_a_result CHECK (((state = 'done'::public.job_state) = (result_id IS NOT NULL))),
    CONSTRAINT failed_jobs_say_why CHECK (((state = 'failed'::public.job_state) = (failure IS NOT NULL))),
    CONSTRAINT leased_jobs_have_a_lease CHECK ((((state = 'leased'::public.job_state) = (session_id IS NOT NULL)) AND ((state = 'leased'::public.job_state) = (leased_at IS NOT NULL)) AND ((state = 'leased'::public.job_state) = (deadline_at IS NOT NULL)))),
    CONSTRAINT live_jobs_have_a_key CHECK (((key IS NOT NULL) OR (state = ANY (ARRAY['blocked'::public.job_state, 'cancelled'::public.job_state])))),
    CONSTRAINT only_ready_jobs_wait CHECK (((waits_on IS NULL) OR (state = 'ready'::public.job_state))),
    CONSTRAINT ready_jobs_know_when CHECK (((state <> 'ready'::public.job_state) OR (ready_at IS NOT NULL)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0');
COMMENT ON COLUMN public.job.run_id IS 'a run; no foreign key, see 0440_run_slices.sql';
COMMENT ON COLUMN public.job.seq IS 'order in the run: the first sample of each stratum, then the second ones, designs of a sample together';
COMMENT ON COLUMN public.job.attempt IS 'leases given out so far; the fence: the current one''s number while leased';
COMMENT ON COLUMN public.job.failures IS 'attempts that crashed or hit a limit; budgets: server/queue/job_state.c';
COMMENT ON COLUMN public.job.troubles IS 'attempts that could not start: blob unreachable, disk full';
COMMENT ON COLUMN public.job.losses IS 'attempts whose worker vanished';
COMMENT ON COLUMN public.job.memory_class IS 'the memory limit is the default doubled so many times';
COMMENT ON COLUMN public.job.time_class IS 'the time limit is the default doubled so many times';
COMMENT ON COLUMN public.job.session_id IS 'a worker_session; no foreign key, see 0111_queue.sql';
COMMENT ON COLUMN public.job.waits_on IS 'a live job with the same key: its result completes this one too';
COMMENT ON COLUMN public.job.result_id IS 'a result; no foreign key, see 0111_queue.sql';
CREATE TABLE public.job_archive (
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    seq integer NOT NULL,
    sample integer NOT NULL,
    design smallint NOT NULL,
    state public.job_state DEFAULT 'blocked'::public.job_state NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    troubles smallint DEFAULT 0 NOT NULL,
    losses smallint DEFAULT 0 NOT NULL,
    memory_class smallint DEFAULT 0 NOT NULL,
    time_class smallint DEFAULT 0 NOT NULL,
    ready_at timestamp with time zone,
    session_id uuid,
    leased_at timestamp with time zone,
    deadline_at timestamp with time zone,
    key bytea,
    trace_sha256 text,
    waits_on uuid,
    result_id uuid,
    cached boolean DEFAULT false NOT NULL,
    failure text,
    failure_text text,
    finished_at timestamp with time zone,
    CONSTRAINT done_jobs_have_a_result CHECK (((state = 'done'::public.job_state) = (result_id IS NOT NULL))),
    CONSTRAINT failed_jobs_say_why CHECK (((state = 'failed'::public.job_state) = (failure IS NOT NULL))),
    CONSTRAINT leased_jobs_have_a_lease CHECK ((((state = 'leased'::public.job_state) = (session_id IS NOT NULL)) AND ((state = 'leased'::public.job_state) = (leased_at IS NOT NULL)) AND ((state = 'leased'::public.job_state) = (deadline_at IS NOT NULL)))),
    CONSTRAINT live_jobs_have_a_key CHECK (((key IS NOT NULL) OR (state = ANY (ARRAY['blocked'::public.job_state, 'cancelled'::public.job_state])))),
    CONSTRAINT only_ended_jobs CHECK ((state = ANY (ARRAY['done'::public.job_state, 'failed'::public.job_state, 'cancelled'::public.job_state]))),
    CONSTRAINT only_ready_jobs_wait CHECK (((waits_on IS NULL) OR (state = 'ready'::public.job_state))),
    CONSTRAINT ready_jobs_know_when CHECK (((state <> 'ready'::public.job_state) OR (ready_at IS NOT NULL)))
);
COMMENT ON TABLE public.job_archive IS 'jobs of runs that ended some time ago, so that the queue stays small';
CREATE TABLE public.job_tally (
    run_id uuid NOT NULL,
    blocked integer NOT NULL,
    ready integer NOT NULL,
    leased integer NOT NULL,
    done integer NOT NULL,
    failed integer NOT NULL,
    cancelled integer NOT NULL,
    folded boolean DEFAULT false NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');
COMMENT ON TABLE public.job_tally IS 'what statements changed: the sum of a run''s rows is its jobs by state in job and job_archive until it is archived (run.ended_counts); rows are only added, so that nobody waits for another, and the sweeper folds them into one';
COMMENT ON COLUMN public.job_tally.folded IS 'the sum of others, which are gone';
CREATE TABLE public.kernel (
    profile_id uuid NOT NULL,
    index bigint NOT NULL,
    name text NOT NULL,
    mangled_name text,
    grid bigint[] NOT NULL,
    block bigint[] NOT NULL,
    registers bigint NOT NULL,
    shared_bytes bigint NOT NULL,
    name_id bigint NOT NULL,
    calls bigint NOT NULL,
    total numeric(20,0) NOT NULL,
    mean double precision NOT NULL,
    cov double precision NOT NULL,
    min numeric(20,0) NOT NULL,
    max numeric(20,0) NOT NULL,
    CONSTRAINT kernel_block_check CHECK ((cardinality(block) = 3)),
    CONSTRAINT kernel_grid_check CHECK ((cardinality(grid) = 3))
);
COMMENT ON TABLE public.kernel IS 'one row per distinct (name, grid, block); statistics are of the planning variable';
CREATE TABLE public.launcher (
    name text NOT NULL,
    kind text NOT NULL,
    wanted integer NOT NULL,
    running integer NOT NULL,
    waiting integer NOT NULL,
    problem text DEFAULT ''::text NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.launcher IS 'what the launcher of the leading server sees; one row';
COMMENT ON COLUMN public.launcher.waiting IS 'submitted and not started yet';
COMMENT ON COLUMN public.launcher.problem IS 'why workers cannot be started, in the words of who was asked; empty: nothing is wrong';
CREATE TABLE public.leader (
    name text NOT NULL,
    holder text NOT NULL,
    term bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.leader IS 'who sweeps and projects; harmless if two do';
CREATE TABLE public.look (
    run_id uuid NOT NULL,
    number smallint NOT NULL,
    plan_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    jobs integer NOT NULL,
    spent_s double precision NOT NULL,
    unit text NOT NULL,
    decision text NOT NULL,
    reason json NOT NULL,
    next_plan_id uuid,
    extra_jobs integer DEFAULT 0 NOT NULL,
    extra_s double precision,
    changes json DEFAULT '[]'::json NOT NULL,
    answer text,
    answered_by text,
    answered_at timestamp with time zone,
    CONSTRAINT look_answer_check CHECK ((answer = ANY (ARRAY['auto'::text, 'waiting'::text, 'accepted'::text, 'undone'::text]))),
    CONSTRAINT look_decision_check CHECK ((decision = ANY (ARRAY['more'::text, 'kept'::text, 'whole'::text, 'budget'::text, 'last'::text]))),
    CONSTRAINT look_number_check CHECK ((number > 0)),
    CONSTRAINT more_names_a_plan CHECK ((((decision = 'more'::text) = (next_plan_id IS NOT NULL)) AND ((decision = 'more'::text) = (answer IS NOT NULL))))
);
COMMENT ON TABLE public.look IS 'one row each time that a run whose jobs had all ended was judged; the key makes a look one, whoever dies meanwhile';
COMMENT ON COLUMN public.look.spent_s IS 'seconds of simulation so far, of this run alone';
COMMENT ON COLUMN public.look.reason IS 'kind and params of the decision';
COMMENT ON COLUMN public.look.extra_s IS 'seconds that the extension is expected to take; NULL: not known';
COMMENT ON COLUMN public.look.changes IS 'one object a stratum that grows: stratum, kernel, from, to';
CREATE TABLE public.look_promise (
    run_id uuid NOT NULL,
    number smallint NOT NULL,
    ordinal smallint NOT NULL,
    design smallint NOT NULL,
    difference boolean NOT NULL,
    value double precision,
    half_width double precision,
    once double precision,
    wanted double precision,
    df double precision,
    level double precision,
    information double precision NOT NULL,
    bound double precision NOT NULL,
    spent double precision NOT NULL,
    trusted boolean NOT NULL,
    kept boolean NOT NULL
);
COMMENT ON TABLE public.look_promise IS 'what a look saw of each promise: the total of a design, or its difference to the baseline';
COMMENT ON COLUMN public.look_promise.half_width IS 'at the level of this look, by which it decided';
COMMENT ON COLUMN public.look_promise.once IS 'at the confidence of the rule, as if looked at once';
COMMENT ON COLUMN public.look_promise.information IS 'with bound and spent: what this look used up of the level (sampling/looks.h)';
CREATE TABLE public.member (
    team_id bigint NOT NULL,
    account_id bigint NOT NULL,
    role smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT member_role_check CHECK (((role >= 1) AND (role <= 3)))
);
COMMENT ON COLUMN public.member.role IS '1 viewer, 2 member, 3 owner';
CREATE TABLE public.pilot (
    id uuid NOT NULL,
    profile_id uuid NOT NULL,
    design_sha256 text NOT NULL,
    design_name text NOT NULL,
    wanted json NOT NULL,
    state text DEFAULT 'starting'::text NOT NULL,
    pilot_plan_id uuid,
    run_id uuid,
    cycles_id uuid,
    plan_id uuid,
    note text DEFAULT ''::text NOT NULL,
    problem text,
    hint text,
    tries integer DEFAULT 1 NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT failed_pilots_say_why CHECK (((state <> 'failed'::text) OR (problem IS NOT NULL))),
    CONSTRAINT pilot_state_check CHECK ((state = ANY (ARRAY['starting'::text, 'simulating'::text, 'planning'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT pilot_tries_check CHECK ((tries > 0)),
    CONSTRAINT pilots_end CHECK (((finished_at IS NOT NULL) = (state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text]))))
);
COMMENT ON COLUMN public.pilot.wanted IS 'the plan that is asked for, as POST /profiles/{profile}/plans takes it';
COMMENT ON COLUMN public.pilot.state IS 'starting: its run is to be made; simulating: it goes on; planning: cycles, then the plan, are to be made';
COMMENT ON COLUMN public.pilot.cycles_id IS 'the profile of estimated cycles';
COMMENT ON COLUMN public.pilot.note IS 'how much of the cycles rests on what';
COMMENT ON COLUMN public.pilot.problem IS 'why it failed or was cancelled; of an open one what keeps it, and it is tried again';
CREATE TABLE public.plan (
    id uuid NOT NULL,
    profile_id uuid NOT NULL,
    method text NOT NULL,
    error double precision NOT NULL,
    confidence double precision NOT NULL,
    seed bigint NOT NULL,
    share double precision DEFAULT 0 NOT NULL,
    noise_floor double precision NOT NULL,
    budget double precision NOT NULL,
    least_samples integer NOT NULL,
    cost_fixed double precision NOT NULL,
    cost_per_unit double precision NOT NULL,
    classifier text NOT NULL,
    with_replacement boolean NOT NULL,
    representative boolean NOT NULL,
    estimator text NOT NULL,
    variance text NOT NULL,
    caution text NOT NULL,
    note text NOT NULL,
    invocations bigint NOT NULL,
    zero_invocations bigint NOT NULL,
    total numeric(20,0) NOT NULL,
    promised_error double precision,
    promise_valid boolean NOT NULL,
    planned_df double precision,
    speedup double precision,
    actual_error double precision,
    strata integer NOT NULL,
    samples integer NOT NULL,
    file text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    parent_id uuid,
    version integer DEFAULT 1 NOT NULL,
    assurance double precision DEFAULT 0 NOT NULL,
    assured double precision,
    assured_noise double precision,
    CONSTRAINT only_plans_with_an_assurance_are_assured CHECK (((assurance > (0)::double precision) OR ((assured IS NULL) AND (assured_noise IS NULL)))),
    CONSTRAINT plan_assurance_check CHECK (((assurance >= (0)::double precision) AND (assurance < (1)::double precision))),
    CONSTRAINT plan_confidence_check CHECK (((confidence > (0)::double precision) AND (confidence < (1)::double precision))),
    CONSTRAINT plan_error_check CHECK (((error > (0)::double precision) AND (error < (1)::double precision))),
    CONSTRAINT plan_least_samples_check CHECK ((least_samples > 0)),
    CONSTRAINT plan_samples_check CHECK ((samples >= 0)),
    CONSTRAINT plan_seed_check CHECK ((seed >= 0)),
    CONSTRAINT plan_strata_check CHECK ((strata >= 0)),
    CONSTRAINT plan_version_check CHECK ((version > 0))
);
COMMENT ON COLUMN public.plan.cost_fixed IS 'seconds of simulation a launch, plus cost_per_unit times its value; both 0: no model';
COMMENT ON COLUMN public.plan.representative IS 'samples were chosen by a rule, not drawn: no interval';
COMMENT ON COLUMN public.plan.caution IS 'why the promise is not to be trusted; empty where nothing speaks against it';
COMMENT ON COLUMN public.plan.total IS 'sum of the planning variable over the profile, in the unit of the profile';
COMMENT ON COLUMN public.plan.promised_error IS 'planned relative half-width; NULL where the method promises none';
COMMENT ON COLUMN public.plan.planned_df IS 'degrees of freedom; NULL where every stratum is taken whole';
COMMENT ON COLUMN public.plan.actual_error IS 'relative error of this draw against the profile itself';
COMMENT ON COLUMN public.plan.file IS 'the canonical plan file, format vivace-plan';
COMMENT ON COLUMN public.plan.parent_id IS 'the plan that a run made this one from: same strata, other numbers of samples; NULL: planned by somebody';
COMMENT ON COLUMN public.plan.version IS 'rises from parent to child';
COMMENT ON COLUMN public.plan.assurance IS 'probability asked for that the half-width is within the error; 0: none was';
COMMENT ON COLUMN public.plan.assured IS 'the probability worked out; NULL where nothing can be said';
COMMENT ON COLUMN public.plan.assured_noise IS 'noise of each launch beyond the profile up to which it is what was asked for';
CREATE TABLE public.plan_context (
    plan_id uuid NOT NULL,
    number integer NOT NULL,
    device integer NOT NULL,
    process numeric(20,0) NOT NULL,
    context numeric(20,0) NOT NULL
);
COMMENT ON TABLE public.plan_context IS 'contexts of the profile from which launches were drawn; tracers count within them';
CREATE TABLE public.profile (
    id uuid NOT NULL,
    team_id bigint NOT NULL,
    workload_id uuid,
    import_id uuid,
    blob_sha256 text,
    ready boolean DEFAULT false NOT NULL,
    name text NOT NULL,
    format text NOT NULL,
    unit text NOT NULL,
    gpu_name text NOT NULL,
    has_times boolean NOT NULL,
    invocations bigint NOT NULL,
    zero_invocations bigint NOT NULL,
    kernels bigint NOT NULL,
    kernel_shapes bigint NOT NULL,
    devices bigint NOT NULL,
    streams bigint NOT NULL,
    total numeric(20,0) NOT NULL,
    makespan_ns numeric(20,0) NOT NULL,
    sha256 text NOT NULL,
    tables bytea NOT NULL,
    spark integer[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    features text DEFAULT ''::text NOT NULL,
    traces_sha256 text,
    traces_launches bigint,
    CONSTRAINT profile_invocations_check CHECK ((invocations > 0)),
    CONSTRAINT profile_traces_launches_check CHECK ((traces_launches >= 0)),
    CONSTRAINT profile_unit_check CHECK ((unit = ANY (ARRAY['ns'::text, 'warp_instructions'::text, 'cycles'::text]))),
    CONSTRAINT ready_profiles_have_a_workload CHECK (((NOT ready) OR (workload_id IS NOT NULL)))
);
COMMENT ON COLUMN public.profile.ready IS 'false while its chunks are being stored: nobody sees it until then';
COMMENT ON COLUMN public.profile.unit IS 'of its values; cycles: estimated for the design that gpu_name names, never measured';
COMMENT ON COLUMN public.profile.kernels IS 'distinct names';
COMMENT ON COLUMN public.profile.kernel_shapes IS 'distinct (name, grid, block): rows of table kernel';
COMMENT ON COLUMN public.profile.sha256 IS 'of the canonical form with its features (profile_hash), not of the file; changes with them';
COMMENT ON COLUMN public.profile.tables IS 'contexts and streams, as server/import/profile_codec.h writes them';
COMMENT ON COLUMN public.profile.spark IS '40 bins of a logarithmic histogram of the planning variable, heights 0 .. 1000';
COMMENT ON COLUMN public.profile.features IS 'which ones it has, for people; empty: durations only';
COMMENT ON COLUMN public.profile.traces_sha256 IS 'a .vtrace of its launches, in launch order: whatever a plan draws is cut out of it and bound';
COMMENT ON COLUMN public.profile.traces_launches IS 'in the file traces_sha256; NULL: no file, or one from before this was kept and not opened since';
CREATE TABLE public.profile_chunk (
    profile_id uuid NOT NULL,
    chunk integer NOT NULL,
    rows integer NOT NULL,
    columns bytea NOT NULL,
    CONSTRAINT profile_chunk_rows_check CHECK (((rows >= 1) AND (rows <= 65536)))
);
ALTER TABLE ONLY public.profile_chunk ALTER COLUMN columns SET STORAGE EXTERNAL;
COMMENT ON COLUMN public.profile_chunk.columns IS 'kernel, value, start, stream; delta, varint, zstd (server/import/profile_codec.h)';
CREATE TABLE public.profile_feature (
    profile_id uuid NOT NULL,
    piece integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.profile_feature ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON TABLE public.profile_feature IS 'metrics, instruction counts, basic-block vectors in pieces; no rows: durations only';
COMMENT ON COLUMN public.profile_feature.bytes IS 'pieces of one text that server/import/feature_codec.h writes';
CREATE TABLE public.projection (
    run_id uuid NOT NULL,
    design smallint NOT NULL,
    version bigint NOT NULL,
    done integer NOT NULL,
    planned integer NOT NULL,
    complete boolean NOT NULL,
    reweighted boolean NOT NULL,
    unit text NOT NULL,
    seconds_per_unit double precision,
    value double precision,
    half_width double precision,
    value_s double precision,
    half_width_s double precision,
    df double precision,
    level double precision NOT NULL,
    warning text,
    makespan_s double precision,
    measured_s double precision,
    strata json NOT NULL,
    variance_method text NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    cross_checks json DEFAULT '[]'::json NOT NULL,
    makespan_half_width_s double precision,
    empty_caches integer DEFAULT 0 NOT NULL,
    warm_bound json,
    confidence double precision,
    looks smallint,
    level_note text,
    difference_level double precision,
    difference_looks smallint,
    makespan_interval_why_not text,
    communication json,
    projected_inside integer DEFAULT 0 NOT NULL
);
COMMENT ON TABLE public.projection IS 'a function of the set of results alone; made again after results come in';
COMMENT ON COLUMN public.projection.seconds_per_unit IS 'NULL where the unit cannot be turned into time';
COMMENT ON COLUMN public.projection.value IS 'in unit (cycles, ns or warp_instructions); NULL until every stratum has a result';
COMMENT ON COLUMN public.projection.measured_s IS 'what the profile measured, where the design is the GPU of the profile';
COMMENT ON COLUMN public.projection.strata IS 'one object a stratum, in order: done, mean, sd, half_width, total, variance_share';
COMMENT ON COLUMN public.projection.cross_checks IS 'the total by other estimators, in unit: name, estimator, value, half_width, df; where one lies far off value, look';
COMMENT ON COLUMN public.projection.makespan_half_width_s IS 'at the level of the projection; NULL: not known';
COMMENT ON COLUMN public.projection.empty_caches IS 'results that began with empty caches; above 0: warm_bound is the other end';
COMMENT ON COLUMN public.projection.warm_bound IS 'the total if launches with empty caches were fully warm, and what both intervals cover; NULL: not known';
COMMENT ON COLUMN public.projection.confidence IS 'that looks share';
COMMENT ON COLUMN public.projection.looks IS 'that share it, at most; NULL: no look goes by this interval';
COMMENT ON COLUMN public.projection.level_note IS 'why the level is not the confidence, for people; NULL: it is';
COMMENT ON COLUMN public.projection.difference_level IS 'of its difference to the baseline of the run''s rule; NULL: no look goes by it';
COMMENT ON COLUMN public.projection.makespan_interval_why_not IS 'a clause; NULL: there is an interval, or no makespan';
COMMENT ON COLUMN public.projection.communication IS 'once the run has ended: such kernels and all others apart; NULL: the profile has none, or the plan has them in strata with others';
COMMENT ON COLUMN public.projection.projected_inside IS 'of done: results that are projected inside their launches; their error is in the interval';
CREATE TABLE public.projection_point (
    run_id uuid NOT NULL,
    design smallint NOT NULL,
    done integer NOT NULL,
    value double precision NOT NULL,
    half_width double precision,
    value_s double precision,
    half_width_s double precision,
    at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.projection_point IS 'how value and interval converged as results came in';
CREATE TABLE public.recheck (
    task_id uuid NOT NULL,
    second text,
    agrees boolean,
    acted boolean DEFAULT false NOT NULL,
    CONSTRAINT compared_by_somebody CHECK (((agrees IS NULL) = (second IS NULL)))
);
COMMENT ON COLUMN public.recheck.second IS 'the worker that simulated it again';
COMMENT ON COLUMN public.recheck.agrees IS 'both had the same bytes';
COMMENT ON COLUMN public.recheck.acted IS 'what follows of a difference was done';
CREATE TABLE public.recording (
    task_id uuid NOT NULL,
    asked_by text NOT NULL,
    bytes bytea
);
ALTER TABLE ONLY public.recording ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON COLUMN public.recording.bytes IS 'docs/formats/recording.md; its columns are compressed already';
CREATE TABLE public.result (
    id uuid NOT NULL,
    key bytea NOT NULL,
    engine public.engine NOT NULL,
    trace_sha256 text,
    design_sha256 text,
    simulator text NOT NULL,
    value double precision NOT NULL,
    unit text NOT NULL,
    digest text NOT NULL,
    disputed boolean DEFAULT false NOT NULL,
    cycles bigint,
    launch_cycles bigint,
    warp_instructions bigint,
    clock_hz double precision,
    host_seconds double precision,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    empty_caches boolean DEFAULT false NOT NULL,
    cycles_warm_bound bigint,
    worker text,
    discard_id uuid,
    discarded_key bytea,
    quarantined boolean DEFAULT false NOT NULL,
    inside_kernels double precision DEFAULT 0 NOT NULL,
    projected_error double precision,
    CONSTRAINT discarded_results_keep_their_key CHECK (((discard_id IS NULL) = (discarded_key IS NULL))),
    CONSTRAINT quarantined_results_do_not_count CHECK (((NOT quarantined) OR (discard_id IS NOT NULL))),
    CONSTRAINT result_check CHECK (((projected_error IS NULL) OR ((projected_error >= (0)::double precision) AND (inside_kernels > (0)::double precision)))),
    CONSTRAINT result_key_check CHECK ((octet_length(key) = 32))
);
COMMENT ON COLUMN public.result.key IS 'SHA-256 of what decides the value: trace, design and simulator version, or profile and launch';
COMMENT ON COLUMN public.result.value IS 'what the projection adds up: cycles, or the replayed value';
COMMENT ON COLUMN public.result.body IS 'the result as the simulator wrote it: JSON, format vivace-result';
COMMENT ON COLUMN public.result.empty_caches IS 'simulated, and its trace does not hold what earlier launches left in the caches';
COMMENT ON COLUMN public.result.cycles_warm_bound IS 'with empty_caches: cycles right after the same launch; NULL: not known (simulators before 0.7.0)';
COMMENT ON COLUMN public.result.worker IS 'name of the worker that simulated it; NULL: from before, and its attempts are gone';
COMMENT ON COLUMN public.result.discard_id IS 'NULL: it counts';
COMMENT ON COLUMN public.result.discarded_key IS 'the key that it had: nobody finds it by that any more, and another result may have it';
COMMENT ON COLUMN public.result.quarantined IS 'two workers differ: its jobs have failed until a site admin discards it';
COMMENT ON COLUMN public.result.inside_kernels IS 'as in run: part of its key';
COMMENT ON COLUMN public.result.projected_error IS 'standard error of cycles, which are a projection; NULL: simulated whole';
CREATE TABLE public.result_discard (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    by_name text NOT NULL,
    why text NOT NULL,
    chosen json NOT NULL,
    results integer NOT NULL,
    jobs integer NOT NULL,
    runs integer NOT NULL,
    CONSTRAINT result_discard_why_check CHECK ((why <> ''::text))
);
COMMENT ON TABLE public.result_discard IS 'one row each time that somebody took results back';
COMMENT ON COLUMN public.result_discard.chosen IS 'by what they were chosen, as it was asked';
CREATE TABLE public.result_dispute (
    result_id uuid NOT NULL,
    digest text NOT NULL,
    worker text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.result_dispute IS 'a second result under a known key with another digest: determinism is broken; the first one counts';
CREATE TABLE public.run (
    id uuid NOT NULL,
    plan_id uuid NOT NULL,
    engine public.engine NOT NULL,
    simulator text NOT NULL,
    state public.run_state DEFAULT 'running'::public.run_state NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    jobs integer NOT NULL,
    cached integer DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    eta_s double precision,
    version bigint DEFAULT 1 NOT NULL,
    projected_version bigint DEFAULT 0 NOT NULL,
    half_said boolean DEFAULT false NOT NULL,
    promise_said boolean DEFAULT false NOT NULL,
    strata_said integer DEFAULT 0 NOT NULL,
    archived_at timestamp with time zone,
    dropped_at timestamp with time zone,
    ended_counts json,
    eta_error_s double precision,
    unmade integer DEFAULT 0 NOT NULL,
    cancel_from integer,
    inside_kernels double precision DEFAULT 0 NOT NULL,
    CONSTRAINT final_runs_have_an_end CHECK (((state = ANY (ARRAY['done'::public.run_state, 'failed'::public.run_state, 'cancelled'::public.run_state])) = (finished_at IS NOT NULL))),
    CONSTRAINT only_cancelled_runs_cancel_jobs CHECK (((cancel_from IS NULL) OR (state = 'cancelled'::public.run_state))),
    CONSTRAINT only_simulations_are_projected_inside CHECK (((inside_kernels = (0)::double precision) OR ((engine = 'cycle'::public.engine) AND ((inside_kernels >= (0.01)::double precision) AND (inside_kernels <= (0.08)::double precision))))),
    CONSTRAINT run_jobs_check CHECK ((jobs >= 0)),
    CONSTRAINT run_simulator_check CHECK ((simulator !~ '[\\|]'::text)),
    CONSTRAINT run_unmade_check CHECK ((unmade >= 0)),
    CONSTRAINT runs_end_with_all_their_jobs CHECK (((unmade = 0) OR (state = ANY (ARRAY['running'::public.run_state, 'paused'::public.run_state]))))
);
COMMENT ON COLUMN public.run.simulator IS 'version whose results count; part of every key; "replay" for that engine';
COMMENT ON COLUMN public.run.cached IS 'jobs that were done by results which existed already';
COMMENT ON COLUMN public.run.version IS 'rises with every change of its jobs that a projection may show';
COMMENT ON COLUMN public.run.projected_version IS 'the version that the projection was made from';
COMMENT ON COLUMN public.run.half_said IS 'the sentence "half of the samples are done" was written';
COMMENT ON COLUMN public.run.archived_at IS 'all its jobs are in job_archive';
COMMENT ON COLUMN public.run.dropped_at IS 'they were deleted there, as the settings want it; projections and results stay';
COMMENT ON COLUMN public.run.ended_counts IS 'jobs by state as they were when the run was archived';
COMMENT ON COLUMN public.run.eta_error_s IS 'standard error of eta_s, from how far simulations were off what the plan takes them to cost; NULL: not known';
COMMENT ON COLUMN public.run.unmade IS 'number of its jobs that are not created yet: counted as blocked';
COMMENT ON COLUMN public.run.cancel_from IS 'its jobs from this seq on are still to be cancelled; NULL: none is';
COMMENT ON COLUMN public.run.inside_kernels IS 'largest half-width of the interval of a launch that is projected inside, a share of its cycles; 0: all are simulated whole';
CREATE TABLE public.run_answer (
    run_id uuid NOT NULL,
    plan_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    jobs integer NOT NULL,
    done integer NOT NULL,
    final boolean NOT NULL,
    confidence double precision NOT NULL,
    baseline smallint NOT NULL,
    CONSTRAINT run_answer_confidence_check CHECK (((confidence > (0)::double precision) AND (confidence < (1)::double precision)))
);
COMMENT ON TABLE public.run_answer IS 'what was known when all jobs of a run had ended and it ended or was looked at; its rows in projection and comparison are of this until the next one';
COMMENT ON COLUMN public.run_answer.at IS 'no earlier than its last result: later results are of the next answer';
COMMENT ON COLUMN public.run_answer.final IS 'the run ended with it; false: a look of its rule saw it, and the next look replaces it';
COMMENT ON COLUMN public.run_answer.baseline IS 'of the rule by which projection.difference_level was decided';
CREATE TABLE public.run_design (
    run_id uuid NOT NULL,
    number smallint NOT NULL,
    design_sha256 text,
    name text NOT NULL,
    clock_hz double precision
);
COMMENT ON TABLE public.run_design IS 'number 0 is the baseline; a replay needs no design and may have a row without one';
CREATE TABLE public.run_passed_over (
    run_id uuid NOT NULL,
    invocation bigint NOT NULL,
    stratum integer NOT NULL,
    design text NOT NULL,
    failure text NOT NULL,
    failure_text text,
    replaced boolean NOT NULL,
    at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.run_passed_over IS 'launches that could not be simulated: the next of their stratum stands in, or nothing does';
CREATE TABLE public.run_rule (
    run_id uuid NOT NULL,
    error double precision,
    confidence double precision NOT NULL,
    resolve double precision,
    baseline smallint DEFAULT 0 NOT NULL,
    budget double precision,
    budget_in text,
    price_per_s double precision,
    looks smallint NOT NULL,
    ask boolean NOT NULL,
    redraw boolean NOT NULL,
    settled boolean DEFAULT false NOT NULL,
    CONSTRAINT a_budget_has_a_unit CHECK ((((budget IS NULL) = (budget_in IS NULL)) AND ((price_per_s IS NULL) = (budget_in IS DISTINCT FROM 'money'::text)))),
    CONSTRAINT run_rule_budget_check CHECK ((budget > (0)::double precision)),
    CONSTRAINT run_rule_budget_in_check CHECK ((budget_in = ANY (ARRAY['seconds'::text, 'jobs'::text, 'money'::text]))),
    CONSTRAINT run_rule_confidence_check CHECK (((confidence > (0)::double precision) AND (confidence < (1)::double precision))),
    CONSTRAINT run_rule_error_check CHECK (((error > (0)::double precision) AND (error < (1)::double precision))),
    CONSTRAINT run_rule_looks_check CHECK (((looks >= 1) AND (looks <= 5))),
    CONSTRAINT run_rule_price_per_s_check CHECK ((price_per_s > (0)::double precision)),
    CONSTRAINT run_rule_resolve_check CHECK (((resolve > (0)::double precision) AND (resolve < (1)::double precision))),
    CONSTRAINT something_is_wanted CHECK (((error IS NOT NULL) OR (resolve IS NOT NULL)))
);
COMMENT ON TABLE public.run_rule IS 'when a run is over; a run without a row is over when its plan is simulated';
COMMENT ON COLUMN public.run_rule.error IS 'wanted half-width of each total, as a share of it';
COMMENT ON COLUMN public.run_rule.confidence IS 'that all looks share';
COMMENT ON COLUMN public.run_rule.resolve IS 'wanted half-width of each difference to the baseline, as a share of the baseline''s total';
COMMENT ON COLUMN public.run_rule.redraw IS 'a launch that cannot be simulated is replaced by the next of its stratum; false: dropped';
COMMENT ON COLUMN public.run_rule.settled IS 'the rule has spoken: no more looks unless somebody extends the run';
CREATE TABLE public.worker_session (
    id uuid NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    version text NOT NULL,
    simulator text NOT NULL,
    sandbox text NOT NULL,
    engines public.engine[] NOT NULL,
    slots integer NOT NULL,
    state public.session_state DEFAULT 'alive'::public.session_state NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    replaced_by uuid,
    token_id bigint,
    CONSTRAINT worker_session_simulator_check CHECK ((simulator !~ '[\\|]'::text)),
    CONSTRAINT worker_session_slots_check CHECK ((slots > 0))
)
WITH (fillfactor='70');
COMMENT ON COLUMN public.worker_session.seen_at IS 'last sign of life; no index may name it, beats would stop being cheap';
COMMENT ON COLUMN public.worker_session.token_id IS 'what it came with: such a token reads the blobs of the jobs that its sessions hold. NULL: a person''s session, or from before';
CREATE VIEW public.run_stranded AS
 SELECT r.id,
    r.engine,
    r.simulator
   FROM public.run r
  WHERE ((r.state = 'running'::public.run_state) AND (EXISTS ( SELECT
           FROM public.job j
          WHERE ((j.run_id = r.id) AND (j.state = 'ready'::public.job_state) AND (j.waits_on IS NULL)))) AND (NOT (EXISTS ( SELECT
           FROM public.worker_session w
          WHERE ((w.state = 'alive'::public.session_state) AND (r.engine = ANY (w.engines)) AND ((r.engine = 'replay'::public.engine) OR (w.simulator = r.simulator)))))));
COMMENT ON VIEW public.run_stranded IS 'results of versions never mix in a run: a job is given to workers of the simulator that its run was made for';
CREATE TABLE public.sample (
    plan_id uuid NOT NULL,
    number integer NOT NULL,
    invocation bigint NOT NULL,
    stratum integer NOT NULL,
    draws integer NOT NULL,
    weight double precision NOT NULL,
    value numeric(20,0) NOT NULL,
    kernel integer NOT NULL,
    context_number integer NOT NULL,
    launch_order bigint NOT NULL,
    CONSTRAINT sample_draws_check CHECK ((draws > 0))
);
COMMENT ON COLUMN public.sample.value IS 'what the profile measured for this launch';
COMMENT ON COLUMN public.sample.context_number IS 'which context of the profile, from 0';
COMMENT ON COLUMN public.sample.launch_order IS 'launches of the same context before this one';
CREATE VIEW public.scale_busy AS
 SELECT count(DISTINCT held.session_id) AS workers
   FROM ( SELECT job.session_id
           FROM public.job
          WHERE (job.state = 'leased'::public.job_state)
        UNION ALL
         SELECT task.session_id
           FROM public.task
          WHERE (task.state = 'leased'::public.task_state)) held;
CREATE VIEW public.scale_jobs AS
 WITH ready AS (
         SELECT o.id,
            o.engine,
            o.memory_class,
            count(*) AS jobs
           FROM ( SELECT r.id,
                    r.engine,
                    j.memory_class
                   FROM (public.run r
                     JOIN public.job j ON ((j.run_id = r.id)))
                  WHERE ((r.state = 'running'::public.run_state) AND (j.state = 'ready'::public.job_state) AND (j.waits_on IS NULL))
                 LIMIT 100000) o
          GROUP BY o.id, o.engine, o.memory_class
        )
 SELECT ((ready.engine)::text ||
        CASE
            WHEN (ready.memory_class > 0) THEN (' memory x'::text || ((1)::bigint << (ready.memory_class)::integer))
            ELSE ''::text
        END) AS class,
    (sum(ready.jobs))::bigint AS ready_jobs,
    sum(((ready.jobs)::double precision *
        CASE
            WHEN (ready.engine = 'replay'::public.engine) THEN (0.01)::double precision
            ELSE COALESCE(own.s, farm.s, (60)::double precision)
        END)) AS expected_s
   FROM ((ready
     LEFT JOIN LATERAL ( SELECT avg(x.host_seconds) AS s
           FROM ( SELECT q.host_seconds
                   FROM (public.job d
                     JOIN public.result q ON ((q.id = d.result_id)))
                  WHERE ((d.run_id = ready.id) AND (d.state = 'done'::public.job_state) AND (NOT d.cached))
                 LIMIT 200) x) own ON (true))
     LEFT JOIN LATERAL ( SELECT avg(y.host_seconds) AS s
           FROM ( SELECT q.host_seconds
                   FROM public.result q
                  WHERE (q.engine = ready.engine)
                  ORDER BY q.id DESC
                 LIMIT 200) y) farm ON (true))
  GROUP BY ((ready.engine)::text ||
        CASE
            WHEN (ready.memory_class > 0) THEN (' memory x'::text || ((1)::bigint << (ready.memory_class)::integer))
            ELSE ''::text
        END);
COMMENT ON VIEW public.scale_jobs IS 'jobs that a worker could take now, and the seconds of one slot they are expected to take';
CREATE VIEW public.scale_demand AS
 SELECT scale_jobs.class,
    scale_jobs.ready_jobs,
    scale_jobs.expected_s
   FROM public.scale_jobs
UNION ALL
 SELECT 'recording'::text AS class,
    count(*) AS ready_jobs,
    sum(task.expected_s) AS expected_s
   FROM public.task
  WHERE (task.state = 'ready'::public.task_state)
 HAVING (count(*) > 0);
CREATE TABLE public.schema_patch (
    name text NOT NULL,
    requires text,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
COMMENT ON TABLE public.schema_patch IS 'one row a file of schema/, in the order in which they were applied';
COMMENT ON COLUMN public.schema_patch.checksum IS 'SHA-256 of the file as it was applied; a file never changes once released';
CREATE TABLE public.session (
    id bigint NOT NULL,
    token_id bigint,
    sha256 bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    account_id bigint,
    team_id bigint,
    CONSTRAINT session_check CHECK (((token_id IS NULL) <> (account_id IS NULL))),
    CONSTRAINT session_sha256_check CHECK ((length(sha256) = 32))
);
COMMENT ON TABLE public.session IS 'a browser that showed a token; ends with the token, after 12 h of idling, or after 7 days';
COMMENT ON COLUMN public.session.team_id IS 'the team that a person works for at the moment; NULL: none, or the token''s';
ALTER TABLE public.session ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.session_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.share (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    team_id bigint NOT NULL,
    sha256 bytea NOT NULL,
    kind text NOT NULL,
    object uuid NOT NULL,
    name text NOT NULL,
    hide_names boolean NOT NULL,
    frozen_at timestamp with time zone,
    made_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    opened bigint DEFAULT 0 NOT NULL,
    opened_at timestamp with time zone,
    discarded_at timestamp with time zone,
    CONSTRAINT share_kind_check CHECK ((kind = ANY (ARRAY['run'::text, 'plan'::text, 'profile'::text]))),
    CONSTRAINT share_name_check CHECK ((length(name) <= 63)),
    CONSTRAINT share_sha256_check CHECK ((length(sha256) = 32))
);
COMMENT ON COLUMN public.share.object IS 'no reference: a link to what is gone shows nothing';
COMMENT ON COLUMN public.share.frozen_at IS 'NULL: shows the thing as it is now; else the documents of that moment';
COMMENT ON COLUMN public.share.discarded_at IS 'a frozen link whose documents rest on results that were discarded since';
CREATE TABLE public.share_document (
    share_id bigint NOT NULL,
    address text NOT NULL,
    body text NOT NULL
);
COMMENT ON COLUMN public.share_document.address IS 'path, and ?design=NAME where the answer depends on it';
ALTER TABLE public.share ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.share_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.stratum (
    plan_id uuid NOT NULL,
    number integer NOT NULL,
    kernel integer NOT NULL,
    kernel_name text NOT NULL,
    mixed_shapes boolean NOT NULL,
    grid bigint[] NOT NULL,
    block bigint[] NOT NULL,
    population bigint NOT NULL,
    samples bigint NOT NULL,
    mean double precision NOT NULL,
    sd double precision NOT NULL,
    total numeric(20,0) NOT NULL,
    certainty boolean NOT NULL,
    planned_sd double precision NOT NULL,
    cost double precision NOT NULL,
    planned_variance double precision NOT NULL,
    CONSTRAINT stratum_block_check CHECK ((cardinality(block) = 3)),
    CONSTRAINT stratum_grid_check CHECK ((cardinality(grid) = 3)),
    CONSTRAINT stratum_population_check CHECK ((population > 0)),
    CONSTRAINT stratum_samples_check CHECK ((samples >= 0))
);
COMMENT ON COLUMN public.stratum.kernel IS 'number of the kernel of the first launch in the profile';
COMMENT ON COLUMN public.stratum.samples IS 'draws; with replacement a launch may be drawn more than once';
COMMENT ON COLUMN public.stratum.planned_sd IS 'the spread it was sized with; 0 where the method sizes by other rules';
COMMENT ON COLUMN public.stratum.cost IS 'of one sample: seconds with a cost model, else in the unit of the profile';
COMMENT ON COLUMN public.stratum.planned_variance IS 'of its total, as planned (sampling/plan_doubt.h)';
CREATE TABLE public.sweep (
    profile_id uuid NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE public.sweep IS 'methods at several errors, evaluated by redraws; kept until the profile gets other features';
COMMENT ON COLUMN public.sweep.question IS 'version of the program, methods, confidence, errors';
CREATE TABLE public.team (
    id bigint NOT NULL,
    slug text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    share double precision DEFAULT 1 NOT NULL,
    CONSTRAINT team_share_check CHECK (((share > (0)::double precision) AND (share <= (1000)::double precision))),
    CONSTRAINT team_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);
COMMENT ON TABLE public.team IS 'every row of data belongs to one team; a farm starts with the team "default"';
COMMENT ON COLUMN public.team.share IS 'of the workers, against the other teams that have something to simulate';
ALTER TABLE public.team ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.team_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.team_storage (
    team_id bigint NOT NULL,
    stored_bytes bigint DEFAULT 0 NOT NULL,
    reserved_bytes bigint DEFAULT 0 NOT NULL,
    open_uploads bigint DEFAULT 0 NOT NULL,
    quota_bytes bigint,
    CONSTRAINT team_storage_quota_bytes_check CHECK ((quota_bytes >= 0))
);
COMMENT ON COLUMN public.team_storage.stored_bytes IS 'of all blobs that the team has sent';
COMMENT ON COLUMN public.team_storage.reserved_bytes IS 'of uploads that have not become a blob yet';
COMMENT ON COLUMN public.team_storage.quota_bytes IS 'null: the farm''s setting';
CREATE TABLE public.token (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    team_id bigint,
    name text NOT NULL,
    sha256 bytea NOT NULL,
    shown text NOT NULL,
    scopes integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    account_id bigint,
    CONSTRAINT token_check CHECK (((team_id IS NOT NULL) OR (account_id IS NOT NULL))),
    CONSTRAINT token_name_check CHECK (((length(name) >= 1) AND (length(name) <= 63))),
    CONSTRAINT token_sha256_check CHECK ((length(sha256) = 32))
);
COMMENT ON COLUMN public.token.sha256 IS 'of the whole token text; the text itself is shown once and not kept';
COMMENT ON COLUMN public.token.shown IS 'first 8 characters, to tell tokens apart in a list';
COMMENT ON COLUMN public.token.scopes IS 'bits: 1 << scope as in server/http/http.h';
COMMENT ON COLUMN public.token.last_used_at IS 'to the minute';
ALTER TABLE public.token ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.trace (
    sha256 text NOT NULL,
    name text NOT NULL,
    grid bigint[] NOT NULL,
    block bigint[] NOT NULL,
    warp_instructions bigint NOT NULL,
    ctas bigint NOT NULL,
    warps bigint NOT NULL,
    bytes bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    program_sha256 text,
    CONSTRAINT trace_block_check CHECK ((cardinality(block) = 3)),
    CONSTRAINT trace_grid_check CHECK ((cardinality(grid) = 3))
);
COMMENT ON TABLE public.trace IS 'facts of a blob of that hash: read from the header and counted in the body, or, of a launch of a program, as it says';
COMMENT ON COLUMN public.trace.program_sha256 IS 'packed launch list that the simulator runs up to that launch; null: the blob holds the instructions itself';
CREATE TABLE public.trace_binding (
    profile_id uuid NOT NULL,
    invocation bigint NOT NULL,
    trace_sha256 text NOT NULL,
    bound_at timestamp with time zone NOT NULL
);
CREATE TABLE public.upload (
    id uuid NOT NULL,
    team_id bigint NOT NULL,
    name text NOT NULL,
    workload text NOT NULL,
    bytes bigint NOT NULL,
    sha256 text,
    known boolean DEFAULT false NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    reserved_bytes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT upload_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT upload_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT upload_state_check CHECK ((state = ANY (ARRAY['open'::text, 'finished'::text])))
);
COMMENT ON COLUMN public.upload.name IS 'file name as the sender calls it: a label, never a path';
COMMENT ON COLUMN public.upload.sha256 IS 'promised by the sender; checked when the upload is finished';
COMMENT ON COLUMN public.upload.known IS 'the bytes were here already: no piece is missing';
CREATE TABLE public.upload_gone (
    upload_id uuid NOT NULL,
    pieces bigint NOT NULL,
    CONSTRAINT upload_gone_pieces_check CHECK ((pieces > 0))
);
COMMENT ON TABLE public.upload_gone IS 'uploads that are over; the collector removes their pieces, then the row';
CREATE TABLE public.upload_piece (
    upload_id uuid NOT NULL,
    piece integer NOT NULL,
    sha256 text NOT NULL,
    CONSTRAINT upload_piece_piece_check CHECK ((piece >= 0))
);
COMMENT ON TABLE public.upload_piece IS 'pieces whose bytes are on disk for good';
CREATE TABLE public.workload (
    id uuid NOT NULL,
    team_id bigint NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    archived_at timestamp with time zone,
    CONSTRAINT workload_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
COMMENT ON COLUMN public.workload.archived_at IS 'put away: lists leave it out unless they are asked for it; nothing of it is deleted';
COPY public.account (id, login, password, site_admin, disabled, created_at) FROM stdin;
1	ada	$argon2id$v=19$m=65536,t=2,p=1$3NSFpAzDqVXzRuv22MRYAw$s3nLELiUI555nmzFZ/+jXsmizSA+i94IPVKJ5f/k1mQ	f	f	2026-11-28 10:10:48.985129+00
\.
COPY public.activity_minute (minute, run_id, worker, island, began_at, ended_at, attempts, ok, lost, retries, cycles, slowest) FROM stdin;
2026-11-28 10:10:00+00	0193a000-0000-7000-8000-000000000001	first	0	2026-11-28 10:10:48.908261+00	2026-11-28 10:10:53.908261+00	3	2	1	1	2000	5
\.
COPY public.activity_rolled (only_one, upto) FROM stdin;
t	2026-11-28 10:09:00+00
\.
COPY public.attempt (job_id, number, worker, session_id, started_at, ended_at, outcome, message, last_lines, host_seconds, cpu_seconds, peak_bytes) FROM stdin;
01a221a2-e6ef-725f-beee-afececc7a9d2	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:53.880064+00	2026-11-28 10:10:53.908261+00	ok		last words	5	5	1000000
01a221a2-e6ef-782d-80e2-511b06b329e1	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:53.880064+00	2026-11-28 10:10:53.908261+00	ok		last words	5	5	1000000
01a221a2-e6ef-71a1-83f8-838bf806239f	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:53.880064+00	2026-11-28 10:10:53.908261+00	ok		last words	5	5	1000000
01a221a2-e6ef-72c2-8678-c7d6cb8f08a0	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:53.880064+00	2026-11-28 10:10:53.908261+00	ok		last words	5	5	1000000
01a221a2-e6ef-7ba0-a79d-ce0ba5631b16	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:53.880064+00	2026-11-28 10:10:53.908261+00	ok		last words	5	5	1000000
01a221a2-e6ef-7407-82ad-c43ea4a9f1f6	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:53.880064+00	2026-11-28 10:10:53.908261+00	ok		last words	5	5	1000000
01a221a2-e6ef-72af-bfc7-64ee6ac35069	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:53.880064+00	2026-11-28 10:10:53.908261+00	ok		last words	5	5	1000000
01a221a2-f3cb-7152-b62b-7591c7796f8e	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a2-f3cb-7399-bbfe-bf86df6fbd39	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a2-f3cb-785a-ae42-7dfc06efcea1	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a2-f3cb-71e0-9b6f-15b4017ae5ab	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a2-f3cb-7ee8-aaa7-8f7e98edf007	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a2-f3cb-7109-9224-35b98c2cb1c3	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a2-f3cb-733b-a07a-f4f607121f1e	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a2-f3cb-794e-b342-4a4ddfae5e77	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:11:00.059842+00	2026-11-28 10:11:00.086215+00	ok		last words	5	5	1000000
01a221a3-04c3-7a42-b9b8-366036e3a7c1	1	third	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.505809+00	2026-11-28 10:11:01.526797+00	ok		last words	5	5	1000000
01a221a3-04c3-7d05-9d21-3e36f50ad773	1	third	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.505809+00	2026-11-28 10:11:01.526797+00	ok		last words	5	5	1000000
01a221a3-04c3-7157-98ea-61baa88c614e	1	third	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.505809+00	2026-11-28 10:11:01.526797+00	ok		last words	5	5	1000000
01a221a3-04c3-77c6-93e3-988b67402ccc	1	third	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.505809+00	2026-11-28 10:11:01.526797+00	ok		last words	5	5	1000000
01a221a3-04c3-7855-93b8-797f72817ea1	1	third	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.505809+00	2026-11-28 10:11:01.526797+00	ok		last words	5	5	1000000
\.
COPY public.attempt_archive (job_id, number, worker, session_id, started_at, ended_at, outcome, message, last_lines, host_seconds, cpu_seconds, peak_bytes) FROM stdin;
01a221a2-d929-76ee-afb9-7f3371176859	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7b00-98ae-73ef7570bef9	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7c82-bba1-470515ba2654	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-794f-9025-9dbfdfbee0ed	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-707b-8afa-a2edd2c98f17	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-74d1-a942-6b4933e12440	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7d80-beda-0be65e093464	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7d0d-9f56-883d00552135	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7c4a-88c8-fa16e878f178	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-72de-aeff-b92d45c44a9c	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7f1b-8752-e5300f11f70b	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7636-baae-8be5669b2b6b	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7612-8a3b-a9449e921818	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-780b-9f0d-6725d7654600	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7bf2-9da4-d8370c64827a	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7270-b08f-23e6c3444075	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7efd-9d0d-e10c09099296	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7d64-97dc-469c4f945427	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-75bd-8a22-0b4032030f95	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-766d-9740-9ac91735bb53	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-75ca-9565-81fac87d82b4	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-797d-b521-f8c80157460e	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7720-9168-c8f0d4a6551e	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-798f-b34b-64182e02b452	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-78af-9dee-4b350a8a1efa	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7706-82a1-36c4a028bff1	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-725b-b1d6-dd4922f65d33	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7afd-9c8c-0db8e88b53b0	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7dc9-9556-97797ddb35dc	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-7cd1-a5e7-1d85f6271227	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-727a-b889-20904384700d	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-79f9-8287-4b85cdd5488e	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-72d8-bfe6-e5eb2b780958	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-790c-9c93-bbedd4894afe	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-79f2-af49-bb09959868f4	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-d929-728a-acfb-97cb408315d1	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:50.437087+00	2026-11-28 10:10:50.573909+00	ok		last words	5	5	1000000
01a221a2-dda1-7b8e-ab1d-6ef8c66dd429	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-740d-ae44-dddc1c2ef0bd	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-7c33-bdc8-926969765e93	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-7a53-b112-d64d0c769d96	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-70bf-9d91-b5deac1f1d3c	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-796f-90ed-fa22eda27b61	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-7be4-b14d-174d7677f572	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-72ad-af8b-9c30a7d74261	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-719d-b942-cd5d718a8206	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-7b13-8e03-60716dd61941	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-7e13-be57-159397a9b40d	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-762b-b0f5-d0a763ab356d	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-778b-8aae-371c3b35e0a2	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-7e86-b5aa-c45908ce1d35	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-78fd-8160-710502a2e1ec	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-77a4-83c2-c07d38b305ca	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-78bc-a34b-0e27efb81896	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-7a02-8f5f-ba49d736fedb	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-77c1-bc25-a56a78ec7dd9	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-76d8-bc4a-91397da09b8e	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-dda1-73cc-a23b-7fe771ef5e52	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.606894+00	2026-11-28 10:10:51.63863+00	ok		last words	5	5	1000000
01a221a2-deb4-761c-907d-dee7759dbf4d	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-deb4-7f16-9f14-9ce5963a09c5	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-deb4-7627-90f6-c4fa9e6b22b6	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-deb4-793d-a90e-3bc186d5bceb	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-deb4-760f-bd3e-1bae28f384d9	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-deb4-758c-b81f-1878ff4fe527	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-deb4-76ab-b13a-47ea0d084d42	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-deb4-7bdc-99f0-27163b43af7b	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:51.791926+00	2026-11-28 10:10:51.814938+00	ok		last words	5	5	1000000
01a221a2-e1f3-7e66-8c2e-e4457cc3d7fb	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.620755+00	2026-11-28 10:10:52.686843+00	ok		last words	5	5	1000000
01a221a2-e1f3-7b7b-8ec7-752f2a92d8d9	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.620755+00	2026-11-28 10:10:52.686843+00	ok		last words	5	5	1000000
01a221a2-e1f3-742d-ab98-789dc653ca33	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.620755+00	2026-11-28 10:10:52.686843+00	ok		last words	5	5	1000000
01a221a2-e1f3-74b7-876f-ea3e5bc7ad7c	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.620755+00	2026-11-28 10:10:52.686843+00	ok		last words	5	5	1000000
01a221a2-e1f3-7863-8d48-e0246cc0489c	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.620755+00	2026-11-28 10:10:52.686843+00	ok		last words	5	5	1000000
01a221a2-e1f3-7ed0-93e8-73650a60ca01	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.620755+00	2026-11-28 10:10:52.686843+00	ok		last words	5	5	1000000
01a221a2-e1f3-7030-be95-bb4ef6f3cca6	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.620755+00	2026-11-28 10:10:52.686843+00	ok		last words	5	5	1000000
01a221a2-e2e8-7709-b1e2-3d64e06735bc	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:52.916074+00	2026-11-28 10:10:52.967242+00	ok		last words	5	5	1000000
01a221a2-f204-7513-9aa3-3ede191bab90	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:56.919421+00	2026-11-28 10:10:56.932308+00	ok		last words	5	5	1000000
01a221a2-f204-7775-b31c-7eb0ef41737e	1	first	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:56.919421+00	2026-11-28 10:10:56.932308+00	ok		last words	5	5	1000000
\.
COPY public.audit (id, at, team_id, actor, credential, address, action, object, outcome, request_id) FROM stdin;
1	2026-11-28 10:10:47.611144+00	1	owner	token:1	127.0.0.1	team.make	red	201	01a221a2-cbc9-75eb-8a93-a8a542bd67e7
2	2026-11-28 10:10:48.987936+00	1	owner	token:1	127.0.0.1	member.make	default/ada owner	201	01a221a2-cecb-74d3-8ae3-f8f9adeff7a0
3	2026-11-28 10:10:49.019297+00	1	owner	token:1	127.0.0.1	invitation.make	default member	201	01a221a2-d433-7ff0-b32f-ab42b37806fc
4	2026-11-28 10:10:49.456078+00	1	ada	none	127.0.0.1	login	ada	200	01a221a2-d44a-7b25-b9d1-d44e278301c6
5	2026-11-28 10:10:55.152499+00	1	owner	token:1	127.0.0.1	share.make	01a221a2-ebb7-7b48-b707-93ba6ab28d12 run 01a221a2-d929-7370-bfad-93b52a33cedc	201	01a221a2-ebb5-76f4-92dd-9042a9feccd9
6	2026-11-28 10:11:00.716202+00	1	owner	token:1	127.0.0.1	result.discard	01a221a3-0192-7430-8975-b8e827b6fa2e	201	01a221a3-0192-7f14-9189-4c5f81759c20
\.
COPY public.blob (sha256, bytes, created_at, touched_at, scrubbed_at, quarantined_at) FROM stdin;
7a38bbca3d7cbe9815b0caae69c11939fa08f6eca081b2246449d17ae8d8b58d	13943	2026-11-28 10:10:49.999703+00	2026-11-28 10:10:49.999703+00	\N	\N
d746f10fc73f72ebd88583ee72bdc6371e1da23d093c7eaa6a3440daeab09cc9	13943	2026-11-28 10:10:51.137157+00	2026-11-28 10:10:51.137157+00	\N	\N
cb984be9b181a63a6cf0a77997233462847d099ecfdef7441dfbcba4399cbf9a	15552	2026-11-28 10:10:52.33407+00	2026-11-28 10:10:52.33407+00	\N	\N
00ff57b3ed72d533be186e7c05127aa4bb3753fbea01013c2f079b73c7893894	15552	2026-11-28 10:10:53.344778+00	2026-11-28 10:10:53.344778+00	\N	\N
2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	495	2026-11-28 10:10:53.598503+00	2026-11-28 10:10:53.598503+00	\N	\N
0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d	495	2026-11-28 10:10:53.642455+00	2026-11-28 10:10:53.642455+00	\N	\N
558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0	498	2026-11-28 10:10:53.651448+00	2026-11-28 10:10:53.651448+00	\N	\N
fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773	498	2026-11-28 10:10:53.667081+00	2026-11-28 10:10:53.667081+00	\N	\N
27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4	498	2026-11-28 10:10:53.675307+00	2026-11-28 10:10:53.675307+00	\N	\N
c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e	498	2026-11-28 10:10:53.680354+00	2026-11-28 10:10:53.680354+00	\N	\N
c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed	498	2026-11-28 10:10:53.686747+00	2026-11-28 10:10:53.686747+00	\N	\N
76459c0ae47ef0cb79989c7b176a89e35a38a3b81628623f8ef4ab6f11dbefe2	701	2026-11-28 10:10:56.50287+00	2026-11-28 10:10:56.50287+00	\N	\N
73348668c875bee733ff8347b982bb23d346e05740e0d0196cd6c7a06074a669	806219	2026-11-28 10:10:56.623276+00	2026-11-28 10:10:56.623276+00	\N	\N
1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	99845	2026-11-28 10:10:56.727478+00	2026-11-28 10:10:56.727478+00	\N	\N
c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	231118	2026-11-28 10:10:56.813938+00	2026-11-28 10:10:56.813938+00	\N	\N
f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	494	2026-11-28 10:10:59.871935+00	2026-11-28 10:10:59.871935+00	\N	\N
de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	1152	2026-11-28 10:10:59.873884+00	2026-11-28 10:10:59.873884+00	\N	\N
1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	838	2026-11-28 10:10:59.879043+00	2026-11-28 10:10:59.879043+00	\N	\N
6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	449	2026-11-28 10:10:59.884358+00	2026-11-28 10:10:59.884358+00	\N	\N
ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	343	2026-11-28 10:10:59.887532+00	2026-11-28 10:10:59.887532+00	\N	\N
18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	1292	2026-11-28 10:10:59.888335+00	2026-11-28 10:10:59.888335+00	\N	\N
7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	135396	2026-11-28 10:10:59.955434+00	2026-11-28 10:10:59.955434+00	\N	\N
46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	4651	2026-11-28 10:10:59.957214+00	2026-11-28 10:10:59.957214+00	\N	\N
93295c94d71125648cfcd0ca39aa11687a24d35f0dd33a7fb34f4cb946fc818b	13943	2026-11-28 10:11:01.323859+00	2026-11-28 10:11:01.323859+00	\N	\N
\.
COPY public.blob_owner (sha256, team_id, created_at, bytes) FROM stdin;
7a38bbca3d7cbe9815b0caae69c11939fa08f6eca081b2246449d17ae8d8b58d	1	2026-11-28 10:10:49.999703+00	13943
d746f10fc73f72ebd88583ee72bdc6371e1da23d093c7eaa6a3440daeab09cc9	1	2026-11-28 10:10:51.137157+00	13943
cb984be9b181a63a6cf0a77997233462847d099ecfdef7441dfbcba4399cbf9a	1	2026-11-28 10:10:52.33407+00	15552
00ff57b3ed72d533be186e7c05127aa4bb3753fbea01013c2f079b73c7893894	1	2026-11-28 10:10:53.344778+00	15552
2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	1	2026-11-28 10:10:53.598503+00	495
0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d	1	2026-11-28 10:10:53.642455+00	495
558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0	1	2026-11-28 10:10:53.651448+00	498
fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773	1	2026-11-28 10:10:53.667081+00	498
27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4	1	2026-11-28 10:10:53.675307+00	498
c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e	1	2026-11-28 10:10:53.680354+00	498
c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed	1	2026-11-28 10:10:53.686747+00	498
76459c0ae47ef0cb79989c7b176a89e35a38a3b81628623f8ef4ab6f11dbefe2	1	2026-11-28 10:10:56.50287+00	701
73348668c875bee733ff8347b982bb23d346e05740e0d0196cd6c7a06074a669	1	2026-11-28 10:10:56.623276+00	806219
1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	1	2026-11-28 10:10:56.727478+00	99845
c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	1	2026-11-28 10:10:56.813938+00	231118
f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	1	2026-11-28 10:10:59.871935+00	494
de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	1	2026-11-28 10:10:59.873884+00	1152
1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	1	2026-11-28 10:10:59.879043+00	838
6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	1	2026-11-28 10:10:59.884358+00	449
ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	1	2026-11-28 10:10:59.887532+00	343
18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	1	2026-11-28 10:10:59.888335+00	1292
7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	1	2026-11-28 10:10:59.955434+00	135396
46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	1	2026-11-28 10:10:59.957214+00	4651
93295c94d71125648cfcd0ca39aa11687a24d35f0dd33a7fb34f4cb946fc818b	1	2026-11-28 10:11:01.323859+00	13943
\.
COPY public.blob_pending (sha256, going, at) FROM stdin;
abababababababababababababababababababababababababababababababab	f	2026-11-28 10:11:03.400724+00
\.
COPY public.cache_check (task_id, run_id, design, launch, looks_back, stratum, empty_cycles, warmed_cycles, before, missing) FROM stdin;
bb5ed9c7-478d-44ff-8e73-ac4a38a488c6	01a221a2-f205-7885-9250-f688e7e51706	0	7	16	0	1000	900	3	1
\.
COPY public.cache_error (run_id, design, launches, missing, share, relative, version, counted_at, looks_back, wanted, whole, settled) FROM stdin;
01a221a2-f205-7885-9250-f688e7e51706	0	1	1	0.1	0.01	1	2026-11-28 10:11:03.430693+00	16	4	f	f
\.
COPY public.cache_wish (run_id, launches, asked_by, asked_at, chosen_at, why_not, looks_back, still, is_default) FROM stdin;
01a221a2-f205-7885-9250-f688e7e51706	2	owner	2026-11-28 10:10:56.643837+00	2026-11-28 10:10:57.030136+00	no launch of the run began with empty caches and was simulated on all of its designs	16	0	f
\.
COPY public.comparison (run_id, design, difference, half_width, difference_s, half_width_s, ratio, ratio_half_width, df, level, paired_on, distinguishable, cache_reversible, confidence, intervals, looks, level_note) FROM stdin;
01a221a2-dda5-7725-8b92-b2475331b733	1	0	0	0	0	1	0	\N	0.9500000018071152	29	f	f	0.95	1	5	at most 5 looks share 95 %, so this interval is wider
\.
COPY public.design (sha256, name, builtin, clock_hz, sms, gpu_names, json, seen_at, created_at) FROM stdin;
d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	t	1530000000	80	{"Tesla V100-SXM2-16GB","Tesla V100-SXM2-32GB","Tesla V100-SXM3-32GB","Tesla V100-DGXS-16GB","Tesla V100-DGXS-32GB","Tesla V100-FHHL-16GB","Tesla V100-PCIE-16GB","Tesla V100-PCIE-32GB"}	{\n  "format": "vivace-design",\n  "version": 1,\n  "name": "v100",\n  "title": "NVIDIA Tesla V100 SXM2",\n  "gpu_names": ["Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB", "Tesla V100-SXM3-32GB", "Tesla V100-DGXS-16GB", "Tesla V100-DGXS-32GB", "Tesla V100-FHHL-16GB", "Tesla V100-PCIE-16GB", "Tesla V100-PCIE-32GB"],\n  "sources": {\n    "ACC": "Accel-Sim (github accel-sim/gpgpu-sim_distribution), configuration of this GPU",\n    "AW": "measured board power of 12 kernels (AccelWattch, github accel-sim/accel-sim-framework, util/accelwattch), fitted linearly to their counters",\n    "CC": "NVIDIA CUDA C++ Programming Guide, tables of technical specifications and of arithmetic throughput per compute capability",\n    "E": "our estimate; the reason stands beside the number",\n    "GB": "te42kyfo/gpu-benches (github), measured data of gpu-latency, gpu-cache, gpu-l2-cache, gpu-stream and gpu-strides",\n    "HU": "Huerta et al., MICRO 2025, arXiv 2503.20481: measured structure of modern NVIDIA cores",\n    "JEDEC": "JEDEC standard of this memory (HBM2 JESD235, HBM3 JESD238, GDDR6 JESD250): structure and core timing",\n    "JIA": "Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, arXiv 1804.06826, and arXiv 1903.07486 (T4)",\n    "L": "a level of detail of the simulation, not a property of the GPU",\n    "MT": "caps-tum/mt4g (github), published result files",\n    "NOC": "Jin et al., Uncovering Real GPU NoC Characteristics, MICRO 2024",\n    "PPT": "PPT-GPU (github lanl/PPT), hardware configurations",\n    "V": "NVIDIA, architecture whitepaper or product sheet of this GPU"\n  },\n  "gpu": {\n    "compute_capability": {"value": 70, "unit": "tenths", "source": "V"},\n    "sms": {"value": 80, "unit": "count", "source": "V"},\n    "gpcs": {"value": 6, "unit": "count", "source": "V"}\n  },\n  "clock": {\n    "sm_mhz": {"value": 1530, "unit": "MHz", "source": "V"},\n    "l2_mhz": {"value": 1530, "unit": "MHz", "source": "E", "reason": "not published; taken to follow the SM clock"}\n  },\n  "launch": {\n    "kernel_cycles": {"value": 700, "unit": "cycles", "source": "PPT"},\n    "cta_interval_cycles": {"value": 1, "unit": "cycles", "source": "E", "reason": "one CTA a clock over the whole GPU; no measured limit is slower"},\n    "turnover_cycles": {"value": 299, "unit": "cycles", "source": "GB", "reason": "worked back from exactly this measurement: 369 clocks from slot to slot for CTAs of the init kernel, less the 70 that its own instructions take here; the published split into 270 and about 100 is a guess of the second part"},\n    "warp_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "start-up of a warp: its registers and special registers are set up one warp after the other"},\n    "submit_ns": {"value": 2200, "unit": "ns", "source": "E", "reason": "small kernels in a stream follow each other in 1.6 to 2.6 us on the cards measured beside the A100"}\n  },\n  "sm": {\n    "warps": {"value": 64, "unit": "count", "source": "CC"},\n    "ctas": {"value": 32, "unit": "count", "source": "CC"},\n    "registers": {"value": 65536, "unit": "count", "source": "CC"},\n    "register_unit": {"value": 256, "unit": "registers a warp", "source": "CC"},\n    "shared_kb": {"value": 96, "unit": "KB", "source": "CC"},\n    "shared_cta_kb": {"value": 96, "unit": "KB", "source": "CC"},\n    "shared_system_bytes": {"value": 0, "unit": "bytes a CTA", "source": "CC"},\n    "shared_unit_bytes": {"value": 256, "unit": "bytes", "source": "CC"},\n    "unified_kb": {"value": 128, "unit": "KB", "source": "V"},\n    "barrier_cycles": {"value": 20, "unit": "cycles", "source": "E", "reason": "a barrier whose last warp arrives releases the others after 20 to 30 clocks"},\n    "guard_cycles": {"value": 9, "unit": "cycles", "source": "E", "reason": "compilers leave 13 clocks between a compare and an instruction guarded by its result, 4 of them the compare itself"},\n    "scheduler": {"value": "cggty", "unit": "name", "source": "E", "reason": "measured on neighbouring architectures (Turing, Ampere, Blackwell) by Huerta et al."},\n    "carveouts_kb": {"value": [0, 8, 16, 32, 64, 96], "unit": "KB", "source": "CC"}\n  },\n  "units": {\n    "fp32": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 4, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "int": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 4, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "imad": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 5, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp16": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 6, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp64": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 8, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "sfu": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 18, "unit": "cycles", "source": "E", "reason": "between the 14 and 20 that are published"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "convert": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 14, "unit": "cycles", "source": "E", "reason": "same unit as the transcendental functions, a shorter pipe"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "bitcount": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 14, "unit": "cycles", "source": "E", "reason": "same unit as the conversions"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "shuffle": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 23, "unit": "cycles", "source": "E", "reason": "a shuffle goes through the crossbar of shared memory and takes about as long"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "vote": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 6, "unit": "cycles", "source": "E", "reason": "an integer operation with one more step across the lanes"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "special": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "E", "reason": "special registers are read one at a time, as shuffles"},\n      "latency": {"value": 20, "unit": "cycles", "source": "E", "reason": "compilers wait for special registers by scoreboard, as for a short load"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "uniform": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "E", "reason": "Volta has no uniform datapath; traces of later GPUs use it as if"},\n      "latency": {"value": 6, "unit": "cycles", "source": "E", "reason": "about two clocks more than an integer operation before a vector instruction can read the result"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "branch": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "E", "reason": "one a clock in every sub-core"},\n      "latency": {"value": 10, "unit": "cycles", "source": "E", "reason": "a taken branch restarts fetching"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp32_in_int": {"value": 0, "unit": "0 or 1", "source": "V"}\n  },\n  "tensor": {\n    "latency": {"value": 8, "unit": "cycles", "source": "E", "reason": "dependent steps of one HMMA sequence follow each other after about ten clocks"},\n    "fp16_rate": {"value": 512, "unit": "FMA a clock an SM", "source": "V"},\n    "fp16_fp32_rate": {"value": 512, "unit": "FMA a clock an SM", "source": "V"},\n    "tf32_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "fp8_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "int8_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "fp64_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "warp_group_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"}\n  },\n  "lsu": {\n    "interval_cycles": {"value": 1, "unit": "cycles", "source": "GB"},\n    "agu_cycles": {"value": 4, "unit": "cycles", "source": "HU"},\n    "queue": {"value": 5, "unit": "count", "source": "HU"},\n    "stores": {"value": 64, "unit": "lines", "source": "E", "reason": "enough for a full burst of the resident warps; only stores that run at DRAM speed notice"},\n    "tag_slope": {"value": 0.23, "unit": "cycles a line", "source": "E", "reason": "fit to strides measured on A100, A40 and H200"},\n    "tag_base": {"value": 0.75, "unit": "cycles", "source": "E", "reason": "fit to strides measured on A100, A40 and H200"}\n  },\n  "l1": {\n    "latency_cycles": {"value": 30, "unit": "cycles", "source": "GB"},\n    "detect_cycles": {"value": 22, "unit": "cycles", "source": "E", "reason": "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"},\n    "bytes": {"value": 128, "unit": "bytes a clock", "source": "GB"},\n    "caches_global": {"value": 1, "unit": "0 or 1", "source": "V"},\n    "unusable_kb": {"value": 10, "unit": "KB", "source": "GB"},\n    "sets": {"value": 64, "unit": "count", "source": "E", "reason": "hashed sets with as many ways as fit; the measured step of the latency curve is as sharp"}\n  },\n  "shared": {\n    "latency_cycles": {"value": 23, "unit": "cycles", "source": "MT"},\n    "atomic_cycles": {"value": 2, "unit": "cycles a lane", "source": "E", "reason": "lanes that meet in one word go one after the other; two clocks for read and write of a word"},\n    "bytes": {"value": 128, "unit": "bytes a clock", "source": "V"}\n  },\n  "cluster": {\n    "latency_cycles": {"value": 181, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"},\n    "bytes": {"value": 16, "unit": "bytes a clock", "source": "E", "reason": "as on H100; this GPU has none"},\n    "barrier_cycles": {"value": 190, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"}\n  },\n  "bulk": {\n    "latency_cycles": {"value": 170, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"},\n    "line_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"}\n  },\n  "constant": {\n    "latency_cycles": {"value": 27, "unit": "cycles", "source": "JIA"}\n  },\n  "texture": {\n    "latency_cycles": {"value": 90, "unit": "cycles", "source": "E", "reason": "L1 hit plus filtering; traces hold no texture addresses"}\n  },\n  "fetch": {\n    "l0_kb": {"value": 12, "unit": "KB", "source": "JIA"},\n    "l1_kb": {"value": 128, "unit": "KB", "source": "JIA"},\n    "l1_line_bytes": {"value": 256, "unit": "bytes", "source": "JIA"},\n    "l1_latency_cycles": {"value": 30, "unit": "cycles", "source": "E", "reason": "between the 20 and 40 that fit a short trip within the SM"},\n    "l1_interval_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "a line of 128 bytes by 64 bytes a clock"},\n    "stream_lines": {"value": 8, "unit": "lines", "source": "E", "reason": "as measured on Ampere by Huerta et al."}\n  },\n  "regfile": {\n    "banks": {"value": 2, "unit": "count", "source": "JIA"},\n    "window_cycles": {"value": 3, "unit": "cycles", "source": "E", "reason": "three cycles to read the sources, as measured on Ampere by Huerta et al."}\n  },\n  "control": {\n    "load_read_cycles": {"value": 11, "unit": "cycles", "source": "E", "reason": "as measured on Ampere by Huerta et al."},\n    "store_read_cycles": {"value": 14, "unit": "cycles", "source": "E", "reason": "as measured on Ampere by Huerta et al."},\n    "store_word_cycles": {"value": 2, "unit": "cycles a word", "source": "E", "reason": "as measured on Ampere by Huerta et al."}\n  },\n  "noc": {\n    "sm_request_bytes": {"value": 64, "unit": "bytes a clock", "source": "E", "reason": "as wide as the reply port, so that stores and loads of whole lines are alike"},\n    "sm_reply_bytes": {"value": 64, "unit": "bytes a clock", "source": "E", "reason": "two sectors a clock; above every measured L2 bandwidth of one SM"},\n    "gpc_request_bytes": {"value": 448, "unit": "bytes a clock", "source": "E", "reason": "32 bytes a clock for each SM of the GPC"},\n    "gpc_reply_bytes": {"value": 448, "unit": "bytes a clock", "source": "E", "reason": "32 bytes a clock for each SM of the GPC"},\n    "header_bytes": {"value": 8, "unit": "bytes", "source": "E", "reason": "address, kind and mask of a request of one line"},\n    "gpc_spread_cycles": {"value": 12, "unit": "cycles", "source": "NOC", "reason": "of the 175 to 248 clocks measured over pairs of an SM and a slice, the third that goes with the SM; the share is an estimate"},\n    "slice_spread_cycles": {"value": 24, "unit": "cycles", "source": "NOC", "reason": "of the 175 to 248 clocks measured over pairs of an SM and a slice, what goes with the slice"}\n  },\n  "l2": {\n    "kb": {"value": 6144, "unit": "KB", "source": "V"},\n    "slices": {"value": 64, "unit": "count", "source": "V"},\n    "ways": {"value": 24, "unit": "count", "source": "ACC"},\n    "dirty_share": {"value": 0.5, "unit": "factor", "source": "AW", "reason": "half: after mergeSort, which reads and writes 32 MB, 98 407 of the written sectors are not in DRAM, half of the 6 MB"},\n    "fetch_bytes": {"value": 32, "unit": "bytes", "source": "ACC", "reason": "L2 misses sector by sector in the configuration that was compared with counters of a V100"},\n    "latency_cycles": {"value": 215, "unit": "cycles", "source": "GB"},\n    "slice_bytes": {"value": 32, "unit": "bytes a clock", "source": "V"},\n    "partitions": {"value": 1, "unit": "count", "source": "V"},\n    "bridge_cycles": {"value": 0, "unit": "cycles", "source": "E", "reason": "one partition"},\n    "bridge_bytes": {"value": 0, "unit": "bytes a clock", "source": "E", "reason": "one partition"},\n    "atomic_lane_cycles": {"value": 1, "unit": "L2 cycles a lane", "source": "E", "reason": "32 lanes on one word take about 30 L2 clocks on every GPU measured"},\n    "atomic_sector_cycles": {"value": 1, "unit": "L2 cycles a sector", "source": "E", "reason": "one sector a clock through the slice's ALU"},\n    "atomic_latency_cycles": {"value": 30, "unit": "cycles", "source": "E", "reason": "measured returning atomics take about that much longer than loads that hit L2"}\n  },\n  "dram": {\n    "channels": {"value": 64, "unit": "count", "source": "JEDEC", "reason": "32 channels of 128 bit, each two pseudo channels"},\n    "gbs": {"value": 897, "unit": "GB/s", "source": "V"},\n    "latency_ns": {"value": 156.5, "unit": "ns", "source": "GB", "reason": "431 clocks at 1380 MHz less the 215 of an L2 hit"},\n    "chunk_bytes": {"value": 2048, "unit": "bytes", "source": "E", "reason": "measured bandwidth against occupancy shows that consecutive lines of a small CTA share a channel"},\n    "row_bytes": {"value": 1024, "unit": "bytes", "source": "JEDEC"},\n    "banks": {"value": 16, "unit": "count", "source": "JEDEC"},\n    "open_rows": {"value": 4, "unit": "count", "source": "E", "reason": "stands for the reordering of a controller's queue"},\n    "rcd_ns": {"value": 14, "unit": "ns", "source": "JEDEC"},\n    "rp_ns": {"value": 14, "unit": "ns", "source": "JEDEC"},\n    "rrd_ns": {"value": 4, "unit": "ns", "source": "JEDEC"},\n    "write_buffer": {"value": 64, "unit": "sectors", "source": "E", "reason": "depth of a controller's write queue; short bursts are absorbed"},\n    "read_factor": {"value": 1.04, "unit": "factor", "source": "GB", "reason": "worked back from the plateau bandwidths of gpu-stream"},\n    "write_factor": {"value": 1, "unit": "factor", "source": "GB", "reason": "worked back from the plateau bandwidths of gpu-stream"},\n    "mix_loss": {"value": 0.1, "unit": "factor", "source": "GB", "reason": "worked back from the plateau bandwidths of gpu-stream"},\n    "command_mhz": {"value": 1000, "unit": "MHz", "source": "E", "reason": "the unit in which the timing is given: 1 ns"},\n    "bank_groups": {"value": 4, "unit": "count", "source": "JEDEC"},\n    "burst_bytes": {"value": 32, "unit": "bytes", "source": "JEDEC", "reason": "a burst of 4 on 64 bit"},\n    "t_rcd": {"value": 14, "unit": "clocks", "source": "JEDEC"},\n    "t_rp": {"value": 14, "unit": "clocks", "source": "JEDEC"},\n    "t_ras": {"value": 34, "unit": "clocks", "source": "JEDEC"},\n    "t_rrd_s": {"value": 4, "unit": "clocks", "source": "JEDEC"},\n    "t_rrd_l": {"value": 6, "unit": "clocks", "source": "JEDEC"},\n    "t_ccd_s": {"value": 1, "unit": "clocks", "source": "JEDEC"},\n    "t_ccd_l": {"value": 2, "unit": "clocks", "source": "JEDEC"},\n    "t_faw": {"value": 30, "unit": "clocks", "source": "JEDEC"},\n    "t_wtr_s": {"value": 6, "unit": "clocks", "source": "JEDEC"},\n    "t_wtr_l": {"value": 8, "unit": "clocks", "source": "JEDEC"},\n    "t_wr": {"value": 12, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 10 clocks at 850 MHz"},\n    "t_rtp": {"value": 4, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 3 clocks at 850 MHz"},\n    "t_cl": {"value": 14, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 12 clocks at 850 MHz"},\n    "t_wl": {"value": 2, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 2 clocks at 850 MHz"},\n    "t_rfc": {"value": 260, "unit": "clocks", "source": "JEDEC"},\n    "t_refi": {"value": 3900, "unit": "clocks", "source": "JEDEC"},\n    "t_close": {"value": 200, "unit": "clocks", "source": "E", "reason": "long enough for the next CTA of a stream to find the row open, short enough to hide a precharge"}\n  },\n  "tlb": {\n    "page_mb": {"value": 2, "unit": "MB", "source": "V", "reason": "the large pages of the published page table format, which allocations of that size get"},\n    "sm_entries": {"value": 16, "unit": "count", "source": "JIA", "reason": "a reach of 32 MB"},\n    "gpc_entries": {"value": 64, "unit": "count", "source": "E", "reason": "between the 16 of an SM and the 256 entries of the GPU"},\n    "gpc_cycles": {"value": 4, "unit": "cycles", "source": "E", "reason": "asking GPC and GPU takes 10 clocks: chases on V100 rise by 8 to 12 where the reach of an SM ends"},\n    "gpu_sets": {"value": 128, "unit": "count", "source": "E", "reason": "as measured on Turing and Ampere"},\n    "gpu_ways": {"value": 2, "unit": "count", "source": "JIA", "reason": "a reach of 8 GB by entries of 32 MB"},\n    "gpu_entry_mb": {"value": 32, "unit": "MB", "source": "JIA"},\n    "gpu_cycles": {"value": 6, "unit": "cycles", "source": "E", "reason": "see gpc_cycles"},\n    "walks": {"value": 64, "unit": "count", "source": "E", "reason": "published studies of address translation in GPUs take between 8 and 64"},\n    "walk_entries": {"value": 16, "unit": "count", "source": "E", "reason": "directories for 8 GB, as much as the entries of the GPU reach"},\n    "directory_mb": {"value": 512, "unit": "MB", "source": "V", "reason": "an entry of the directory above the one with large pages, in the published page table format"},\n    "walk_ns": {"value": 290, "unit": "ns", "source": "E", "reason": "300 to 500 clocks of V100 beyond the reach of the GPU: two trips of a walker to memory"},\n    "directory_ns": {"value": 130, "unit": "ns", "source": "E", "reason": "a cold load takes about 1000 clocks in all on V100: 431 without translation, 400 for the walk, the rest"}\n  },\n  "link": {\n    "pcie_gbs": {"value": 13.55, "unit": "GB/s", "source": "GB", "reason": "12.3 GB/s of data reached by long copies from pinned memory, packet headers added"},\n    "pcie_payload_bytes": {"value": 256, "unit": "bytes", "source": "E", "reason": "the usual largest payload of servers"},\n    "pcie_header_bytes": {"value": 26, "unit": "bytes", "source": "E", "reason": "framing, sequence number, header with 64-bit address, checksum"},\n    "pcie_latency_ns": {"value": 1000, "unit": "ns", "source": "E", "reason": "about a microsecond through a root complex"},\n    "pcie_startup_ns": {"value": 27000, "unit": "ns", "source": "GB", "reason": "what a copy of 1 MB, at 9.25 GB/s, takes longer than its share of a copy of 64 MB"},\n    "nvlink_gbs": {"value": 150, "unit": "GB/s", "source": "V", "reason": "all links, one way"},\n    "nvlink_payload_bytes": {"value": 128, "unit": "bytes", "source": "E", "reason": "a line"},\n    "nvlink_header_bytes": {"value": 16, "unit": "bytes", "source": "E", "reason": "an efficiency of 0.89 for packets of a line"},\n    "nvlink_latency_ns": {"value": 700, "unit": "ns", "source": "E", "reason": "GPU to GPU takes no less than half a microsecond"},\n    "nvlink_startup_ns": {"value": 1000, "unit": "ns", "source": "E", "reason": "peer copies of 4 bytes take 1.3 us on a P100 and 2.6 to 2.8 us on an A100 in all"},\n    "copy_startup_ns": {"value": 1500, "unit": "ns", "source": "E", "reason": "about as long as a small kernel takes in a graph"}\n  },\n  "power": {\n    "constant_w": {"value": 75, "unit": "W", "source": "AW", "reason": "of seven coefficients fitted to board power of 12 kernels"},\n    "sm_active_w": {"value": 0.35, "unit": "W", "source": "AW"},\n    "sm_idle_w": {"value": 0, "unit": "W", "source": "AW", "reason": "the constant part holds it"},\n    "instruction_pj": {"value": 46, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: fetch, decode and issue: 35 integer adds of a lane"},\n    "int_pj": {"value": 4.2, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: an operation (1) and three register operands (0.75 each)"},\n    "fp32_pj": {"value": 5.2, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: a multiply-add (1.75) and its operands"},\n    "fp16_pj": {"value": 4.9, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: a packed multiply-add (1.5) and its operands"},\n    "fp64_pj": {"value": 14.3, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: a multiply-add (6.5) and its double operands"},\n    "sfu_pj": {"value": 7.8, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: an evaluation (4.5) and its operands"},\n    "tensor_cycle_pj": {"value": 49, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: 128 multiply-adds a sub-core and cycle, each a sixth of an FP32 one"},\n    "l1_sector_pj": {"value": 460, "unit": "pJ", "source": "AW"},\n    "shared_pass_pj": {"value": 350, "unit": "pJ", "source": "AW"},\n    "l2_sector_pj": {"value": 125, "unit": "pJ", "source": "E", "reason": "half of what the V100 fit gives a sector of L2 with its way"},\n    "noc_byte_pj": {"value": 3.5, "unit": "pJ", "source": "E", "reason": "the other half, over the 36 bytes of a sector with its share of the headers"},\n    "dram_sector_pj": {"value": 1070, "unit": "pJ", "source": "AW"}\n  },\n  "model": {\n    "dependence": {"value": "scoreboard", "unit": "level", "source": "L"},\n    "fetch": {"value": "cached", "unit": "level", "source": "L"},\n    "regfile": {"value": "ideal", "unit": "level", "source": "L"},\n    "memory": {"value": "reserve", "unit": "level", "source": "L"},\n    "noc": {"value": "delay", "unit": "level", "source": "L"},\n    "dram": {"value": "bucket", "unit": "level", "source": "L"},\n    "hash": {"value": "mix", "unit": "level", "source": "L"},\n    "tlb": {"value": "off", "unit": "level", "source": "L"}\n  }\n}\n	2026-11-28 10:10:42.649043+00	2026-11-28 10:10:42.649043+00
e5b6ce954383dd30dc1c3b3619719fd2b90bd0154fb689e41db7b91e7c1369a3	h100	t	1980000000	132	{"NVIDIA H100 80GB HBM3","NVIDIA H100 SXM5 80GB"}	{\n  "format": "vivace-design",\n  "version": 1,\n  "name": "h100",\n  "title": "NVIDIA H100 SXM5 80 GB",\n  "gpu_names": ["NVIDIA H100 80GB HBM3", "NVIDIA H100 SXM5 80GB"],\n  "sources": {\n    "CC": "NVIDIA CUDA C++ Programming Guide, tables of technical specifications and of arithmetic throughput per compute capability",\n    "E": "our estimate; the reason stands beside the number",\n    "GB": "te42kyfo/gpu-benches (github), measured data of gpu-latency, gpu-cache, gpu-l2-cache, gpu-stream and gpu-strides",\n    "HM": "Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture, arXiv 2402.13499 and 2501.12084, and github HPMLL/NVIDIA-Hopper-Benchmark",\n    "HU": "Huerta et al., MICRO 2025, arXiv 2503.20481: measured structure of modern NVIDIA cores",\n    "JEDEC": "JEDEC standard of this memory (HBM2 JESD235, HBM3 JESD238, GDDR6 JESD250): structure and core timing",\n    "L": "a level of detail of the simulation, not a property of the GPU",\n    "MT": "caps-tum/mt4g (github), published result files",\n    "V": "NVIDIA, architecture whitepaper or product sheet of this GPU"\n  },\n  "gpu": {\n    "compute_capability": {"value": 90, "unit": "tenths", "source": "V"},\n    "sms": {"value": 132, "unit": "count", "source": "V"},\n    "gpcs": {"value": 8, "unit": "count", "source": "V"}\n  },\n  "clock": {\n    "sm_mhz": {"value": 1980, "unit": "MHz", "source": "V"},\n    "l2_mhz": {"value": 1980, "unit": "MHz", "source": "E", "reason": "not published; taken to follow the SM clock"}\n  },\n  "launch": {\n    "kernel_cycles": {"value": 700, "unit": "cycles", "source": "E", "reason": "as on Volta"},\n    "cta_interval_cycles": {"value": 1, "unit": "cycles", "source": "E", "reason": "one CTA a clock over the whole GPU; no measured limit is slower"},\n    "turnover_cycles": {"value": 299, "unit": "cycles", "source": "E", "reason": "as measured on V100"},\n    "warp_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "start-up of a warp: its registers and special registers are set up one warp after the other"},\n    "submit_ns": {"value": 2200, "unit": "ns", "source": "E", "reason": "small kernels in a stream follow each other in 1.6 to 2.6 us on the cards measured beside the A100"}\n  },\n  "sm": {\n    "warps": {"value": 64, "unit": "count", "source": "CC"},\n    "ctas": {"value": 32, "unit": "count", "source": "CC"},\n    "registers": {"value": 65536, "unit": "count", "source": "CC"},\n    "register_unit": {"value": 256, "unit": "registers a warp", "source": "CC"},\n    "shared_kb": {"value": 228, "unit": "KB", "source": "CC"},\n    "shared_cta_kb": {"value": 227, "unit": "KB", "source": "CC"},\n    "shared_system_bytes": {"value": 1024, "unit": "bytes a CTA", "source": "CC"},\n    "shared_unit_bytes": {"value": 128, "unit": "bytes", "source": "CC"},\n    "unified_kb": {"value": 256, "unit": "KB", "source": "V"},\n    "barrier_cycles": {"value": 20, "unit": "cycles", "source": "E", "reason": "a barrier whose last warp arrives releases the others after 20 to 30 clocks"},\n    "guard_cycles": {"value": 9, "unit": "cycles", "source": "E", "reason": "compilers leave 13 clocks between a compare and an instruction guarded by its result, 4 of them the compare itself"},\n    "scheduler": {"value": "cggty", "unit": "name", "source": "E", "reason": "measured on neighbouring architectures (Turing, Ampere, Blackwell) by Huerta et al."},\n    "carveouts_kb": {"value": [0, 8, 16, 32, 64, 100, 132, 164, 196, 228], "unit": "KB", "source": "CC"}\n  },\n  "units": {\n    "fp32": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 4, "unit": "cycles", "source": "E", "reason": "as on its neighbours"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "int": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 4, "unit": "cycles", "source": "E", "reason": "as on its neighbours"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "imad": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 5, "unit": "cycles", "source": "E", "reason": "4 to 5 are published for neighbours"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp16": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 5, "unit": "cycles", "source": "E", "reason": "as on its neighbours"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp64": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 12, "unit": "cycles", "source": "E", "reason": "between the 8 and 16 that are plausible for the wider unit"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "sfu": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 16, "unit": "cycles", "source": "E", "reason": "as published for its neighbours, lower end"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "convert": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 14, "unit": "cycles", "source": "E", "reason": "same unit as the transcendental functions, a shorter pipe"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "bitcount": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 14, "unit": "cycles", "source": "E", "reason": "same unit as the conversions"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "shuffle": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 23, "unit": "cycles", "source": "E", "reason": "a shuffle goes through the crossbar of shared memory and takes about as long"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "vote": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 6, "unit": "cycles", "source": "E", "reason": "an integer operation with one more step across the lanes"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "special": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "E", "reason": "special registers are read one at a time, as shuffles"},\n      "latency": {"value": 20, "unit": "cycles", "source": "E", "reason": "compilers wait for special registers by scoreboard, as for a short load"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "uniform": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "HU"},\n      "latency": {"value": 6, "unit": "cycles", "source": "E", "reason": "about two clocks more than an integer operation before a vector instruction can read the result"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "branch": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "E", "reason": "one a clock in every sub-core"},\n      "latency": {"value": 10, "unit": "cycles", "source": "E", "reason": "a taken branch restarts fetching"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp32_in_int": {"value": 1, "unit": "0 or 1", "source": "V"}\n  },\n  "tensor": {\n    "latency": {"value": 18, "unit": "cycles", "source": "HM", "reason": "24.1 clocks of m16n8k16 less its interval of 6"},\n    "fp16_rate": {"value": 1290, "unit": "FMA a clock an SM", "source": "HM", "reason": "mma reaches 63 % of the peak of 2048"},\n    "fp16_fp32_rate": {"value": 1290, "unit": "FMA a clock an SM", "source": "HM", "reason": "mma reaches 63 % of the peak of 2048"},\n    "tf32_rate": {"value": 645, "unit": "FMA a clock an SM", "source": "HM", "reason": "half of the rate of 16-bit types"},\n    "fp8_rate": {"value": 2580, "unit": "FMA a clock an SM", "source": "HM", "reason": "twice the rate of 16-bit types"},\n    "int8_rate": {"value": 2580, "unit": "FMA a clock an SM", "source": "HM", "reason": "twice the rate of 16-bit types"},\n    "fp64_rate": {"value": 128, "unit": "FMA a clock an SM", "source": "V"},\n    "warp_group_rate": {"value": 2048, "unit": "FMA a clock an SM", "source": "V"}\n  },\n  "lsu": {\n    "interval_cycles": {"value": 1, "unit": "cycles", "source": "GB"},\n    "agu_cycles": {"value": 4, "unit": "cycles", "source": "HU"},\n    "queue": {"value": 5, "unit": "count", "source": "HU"},\n    "stores": {"value": 64, "unit": "lines", "source": "E", "reason": "enough for a full burst of the resident warps; only stores that run at DRAM speed notice"},\n    "tag_slope": {"value": 0.23, "unit": "cycles a line", "source": "GB", "reason": "fit to the measured strides of A100 and H200"},\n    "tag_base": {"value": 0.75, "unit": "cycles", "source": "GB", "reason": "fit to the measured strides of A100 and H200"}\n  },\n  "l1": {\n    "latency_cycles": {"value": 34, "unit": "cycles", "source": "GB"},\n    "detect_cycles": {"value": 26, "unit": "cycles", "source": "E", "reason": "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"},\n    "bytes": {"value": 128, "unit": "bytes a clock", "source": "GB"},\n    "caches_global": {"value": 1, "unit": "0 or 1", "source": "V"},\n    "unusable_kb": {"value": 18, "unit": "KB", "source": "MT"},\n    "sets": {"value": 64, "unit": "count", "source": "E", "reason": "hashed sets with as many ways as fit; the measured step of the latency curve is as sharp"}\n  },\n  "shared": {\n    "latency_cycles": {"value": 29, "unit": "cycles", "source": "HM"},\n    "atomic_cycles": {"value": 2, "unit": "cycles a lane", "source": "E", "reason": "lanes that meet in one word go one after the other; two clocks for read and write of a word"},\n    "bytes": {"value": 128, "unit": "bytes a clock", "source": "V"}\n  },\n  "cluster": {\n    "latency_cycles": {"value": 181, "unit": "cycles", "source": "HM", "reason": "a pair of SMs; 201 to 207 in larger clusters"},\n    "bytes": {"value": 16, "unit": "bytes a clock", "source": "E", "reason": "some 3 TB/s over all SMs in clusters of two: half a sector a clock"},\n    "barrier_cycles": {"value": 190, "unit": "cycles", "source": "E", "reason": "arrivals and release go through the same network as a load from another SM's shared memory, there and back"}\n  },\n  "bulk": {\n    "latency_cycles": {"value": 170, "unit": "cycles", "source": "E", "reason": "copies through a tensor map are known to take some hundreds of clocks longer than loads of the same lines; half of that before the first request: descriptor and addresses"},\n    "line_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "64 bytes a clock, what the SM's port of the network takes in"}\n  },\n  "constant": {\n    "latency_cycles": {"value": 21, "unit": "cycles", "source": "MT"}\n  },\n  "texture": {\n    "latency_cycles": {"value": 94, "unit": "cycles", "source": "E", "reason": "L1 hit plus filtering; traces hold no texture addresses"}\n  },\n  "fetch": {\n    "l0_kb": {"value": 32, "unit": "KB", "source": "E", "reason": "not published; twice that of Turing, the last one measured"},\n    "l1_kb": {"value": 128, "unit": "KB", "source": "E", "reason": "not published; as Volta, the last data-centre chip measured"},\n    "l1_line_bytes": {"value": 256, "unit": "bytes", "source": "E", "reason": "instructions share the 1.5 level with constants, whose lines have 256 bytes on Volta and Turing"},\n    "l1_latency_cycles": {"value": 30, "unit": "cycles", "source": "E", "reason": "between the 20 and 40 that fit a short trip within the SM"},\n    "l1_interval_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "a line of 128 bytes by 64 bytes a clock"},\n    "stream_lines": {"value": 8, "unit": "lines", "source": "E", "reason": "as measured on Ampere by Huerta et al."}\n  },\n  "regfile": {\n    "banks": {"value": 2, "unit": "count", "source": "E", "reason": "two banks on Volta, Turing and GA10x alike"},\n    "window_cycles": {"value": 3, "unit": "cycles", "source": "E", "reason": "three cycles to read the sources, as measured on Ampere by Huerta et al."}\n  },\n  "control": {\n    "load_read_cycles": {"value": 11, "unit": "cycles", "source": "E", "reason": "as measured on Ampere by Huerta et al."},\n    "store_read_cycles": {"value": 14, "unit": "cycles", "source": "E", "reason": "as measured on Ampere by Huerta et al."},\n    "store_word_cycles": {"value": 2, "unit": "cycles a word", "source": "E", "reason": "as measured on Ampere by Huerta et al."}\n  },\n  "noc": {\n    "sm_request_bytes": {"value": 64, "unit": "bytes a clock", "source": "E", "reason": "as wide as the reply port, so that stores and loads of whole lines are alike"},\n    "sm_reply_bytes": {"value": 64, "unit": "bytes a clock", "source": "E", "reason": "two sectors a clock; above every measured L2 bandwidth of one SM"},\n    "gpc_request_bytes": {"value": 576, "unit": "bytes a clock", "source": "E", "reason": "32 bytes a clock for each SM of the GPC"},\n    "gpc_reply_bytes": {"value": 576, "unit": "bytes a clock", "source": "E", "reason": "32 bytes a clock for each of up to 18 SMs of the GPC"},\n    "header_bytes": {"value": 8, "unit": "bytes", "source": "E", "reason": "address, kind and mask of a request of one line"},\n    "gpc_spread_cycles": {"value": 0, "unit": "cycles", "source": "E", "reason": "not published for this GPU"},\n    "slice_spread_cycles": {"value": 0, "unit": "cycles", "source": "E", "reason": "not published for this GPU"}\n  },\n  "l2": {\n    "kb": {"value": 51200, "unit": "KB", "source": "V"},\n    "slices": {"value": 160, "unit": "count", "source": "E", "reason": "one a pseudo channel; with 32 bytes a clock each they reach the 5120 of the design"},\n    "ways": {"value": 16, "unit": "count", "source": "E", "reason": "as on the chips whose count is known"},\n    "dirty_share": {"value": 1, "unit": "factor", "source": "E", "reason": "all: no limit has been measured on this GPU"},\n    "fetch_bytes": {"value": 64, "unit": "bytes", "source": "V", "reason": "the default of the CUDA limit cudaLimitMaxL2FetchGranularity, as NVIDIA's NeMo examples note it"},\n    "latency_cycles": {"value": 265, "unit": "cycles", "source": "GB", "reason": "near partition, PCIe board"},\n    "slice_bytes": {"value": 32, "unit": "bytes a clock", "source": "E", "reason": "see slices"},\n    "partitions": {"value": 2, "unit": "count", "source": "V"},\n    "bridge_cycles": {"value": 180, "unit": "cycles", "source": "HM", "reason": "414 to 500 clocks in the far partition against 264 to 291 in the near one"},\n    "bridge_bytes": {"value": 1280, "unit": "bytes a clock", "source": "E", "reason": "not published; a quarter of what the slices read, well above DRAM, whose data cross it every second time"},\n    "atomic_lane_cycles": {"value": 1, "unit": "L2 cycles a lane", "source": "E", "reason": "32 lanes on one word take about 30 L2 clocks on every GPU measured"},\n    "atomic_sector_cycles": {"value": 1, "unit": "L2 cycles a sector", "source": "E", "reason": "one sector a clock through the slice's ALU"},\n    "atomic_latency_cycles": {"value": 30, "unit": "cycles", "source": "E", "reason": "measured returning atomics take about that much longer than loads that hit L2"}\n  },\n  "dram": {\n    "channels": {"value": 160, "unit": "count", "source": "JEDEC", "reason": "80 channels of 64 bit, each two pseudo channels"},\n    "gbs": {"value": 3350, "unit": "GB/s", "source": "V"},\n    "latency_ns": {"value": 168.1, "unit": "ns", "source": "GB", "reason": "650 clocks at 1755 MHz on the PCIe board less the 265 of a hit nearby and less the bridge, which every second address crosses"},\n    "chunk_bytes": {"value": 2048, "unit": "bytes", "source": "E", "reason": "measured bandwidth against occupancy shows that consecutive lines of a small CTA share a channel"},\n    "row_bytes": {"value": 1024, "unit": "bytes", "source": "JEDEC"},\n    "banks": {"value": 16, "unit": "count", "source": "JEDEC"},\n    "open_rows": {"value": 4, "unit": "count", "source": "E", "reason": "stands for the reordering of a controller's queue"},\n    "rcd_ns": {"value": 14, "unit": "ns", "source": "JEDEC"},\n    "rp_ns": {"value": 14, "unit": "ns", "source": "JEDEC"},\n    "rrd_ns": {"value": 4, "unit": "ns", "source": "JEDEC"},\n    "write_buffer": {"value": 64, "unit": "sectors", "source": "E", "reason": "depth of a controller's write queue; short bursts are absorbed"},\n    "read_factor": {"value": 1.04, "unit": "factor", "source": "E", "reason": "as worked back from V100's and L40's plateau bandwidths; none is published for this GPU"},\n    "write_factor": {"value": 1.02, "unit": "factor", "source": "E", "reason": "as worked back from V100's and L40's plateau bandwidths; none is published for this GPU"},\n    "mix_loss": {"value": 0.1, "unit": "factor", "source": "E", "reason": "as worked back from V100's and L40's plateau bandwidths; none is published for this GPU"},\n    "command_mhz": {"value": 1000, "unit": "MHz", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "bank_groups": {"value": 4, "unit": "count", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "burst_bytes": {"value": 32, "unit": "bytes", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_rcd": {"value": 14, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_rp": {"value": 14, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_ras": {"value": 34, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_rrd_s": {"value": 4, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_rrd_l": {"value": 6, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_ccd_s": {"value": 1, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_ccd_l": {"value": 2, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_faw": {"value": 30, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_wtr_s": {"value": 6, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_wtr_l": {"value": 8, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_wr": {"value": 12, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_rtp": {"value": 4, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_cl": {"value": 14, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_wl": {"value": 2, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_rfc": {"value": 260, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_refi": {"value": 3900, "unit": "clocks", "source": "E", "reason": "structure of HBM3; timing taken to be HBM2's in nanoseconds"},\n    "t_close": {"value": 200, "unit": "clocks", "source": "E", "reason": "long enough for the next CTA of a stream to find the row open, short enough to hide a precharge"}\n  },\n  "tlb": {\n    "page_mb": {"value": 2, "unit": "MB", "source": "V", "reason": "the large pages of the published page table format, which allocations of that size get"},\n    "sm_entries": {"value": 16, "unit": "count", "source": "E", "reason": "as measured on Turing and Ampere"},\n    "gpc_entries": {"value": 64, "unit": "count", "source": "E", "reason": "between the 16 of an SM and the 256 entries of the GPU"},\n    "gpc_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "asking GPC and GPU takes 6 clocks: chases on A100, H100 and RTX 4090 rise by no more than 5 to 8 where the reach of an SM ends"},\n    "gpu_sets": {"value": 128, "unit": "count", "source": "E", "reason": "as measured on Turing and Ampere"},\n    "gpu_ways": {"value": 2, "unit": "count", "source": "E", "reason": "a reach of 8 GB, as measured on Volta"},\n    "gpu_entry_mb": {"value": 32, "unit": "MB", "source": "E", "reason": "as measured on Volta"},\n    "gpu_cycles": {"value": 4, "unit": "cycles", "source": "E", "reason": "see gpc_cycles"},\n    "walks": {"value": 64, "unit": "count", "source": "E", "reason": "published studies of address translation in GPUs take between 8 and 64"},\n    "walk_entries": {"value": 16, "unit": "count", "source": "E", "reason": "directories for 8 GB, as much as the entries of the GPU reach"},\n    "directory_mb": {"value": 512, "unit": "MB", "source": "V", "reason": "an entry of the directory above the one with large pages, in the published page table format"},\n    "walk_ns": {"value": 290, "unit": "ns", "source": "E", "reason": "300 to 500 clocks of V100 beyond the reach of the GPU: two trips of a walker to memory"},\n    "directory_ns": {"value": 130, "unit": "ns", "source": "E", "reason": "a cold load takes about 1000 clocks in all on V100: 431 without translation, 400 for the walk, the rest"}\n  },\n  "link": {\n    "pcie_gbs": {"value": 54.2, "unit": "GB/s", "source": "E", "reason": "86 % of the 63 GB/s of generation 5 x16: the share a V100 reaches of its link, flow control being the rest"},\n    "pcie_payload_bytes": {"value": 256, "unit": "bytes", "source": "E", "reason": "the usual largest payload of servers"},\n    "pcie_header_bytes": {"value": 26, "unit": "bytes", "source": "E", "reason": "framing, sequence number, header with 64-bit address, checksum"},\n    "pcie_latency_ns": {"value": 1000, "unit": "ns", "source": "E", "reason": "about a microsecond through a root complex"},\n    "pcie_startup_ns": {"value": 27000, "unit": "ns", "source": "E", "reason": "as measured on a V100: mostly the driver"},\n    "nvlink_gbs": {"value": 450, "unit": "GB/s", "source": "V", "reason": "all links, one way"},\n    "nvlink_payload_bytes": {"value": 128, "unit": "bytes", "source": "E", "reason": "a line"},\n    "nvlink_header_bytes": {"value": 16, "unit": "bytes", "source": "E", "reason": "an efficiency of 0.89 for packets of a line"},\n    "nvlink_latency_ns": {"value": 700, "unit": "ns", "source": "E", "reason": "GPU to GPU takes no less than half a microsecond"},\n    "nvlink_startup_ns": {"value": 1900, "unit": "ns", "source": "E", "reason": "peer copies of 4 bytes take 1.3 us on a P100 and 2.6 to 2.8 us on an A100 in all"},\n    "copy_startup_ns": {"value": 1500, "unit": "ns", "source": "E", "reason": "about as long as a small kernel takes in a graph"}\n  },\n  "power": {\n    "constant_w": {"value": 175, "unit": "W", "source": "E", "reason": "a quarter of the board power of 700 W, as the fit for V100"},\n    "sm_active_w": {"value": 0.175, "unit": "W", "source": "E", "reason": "the V100 fit, times 0.5 for 4 nm"},\n    "sm_idle_w": {"value": 0, "unit": "W", "source": "E", "reason": "the constant part holds it"},\n    "instruction_pj": {"value": 23, "unit": "pJ", "source": "E", "reason": "as V100, times 0.5 for 4 nm: fetch, decode and issue: 35 integer adds of a lane"},\n    "int_pj": {"value": 2.1, "unit": "pJ", "source": "E", "reason": "as V100, times 0.5 for 4 nm: an operation (1) and three register operands (0.75 each)"},\n    "fp32_pj": {"value": 2.6, "unit": "pJ", "source": "E", "reason": "as V100, times 0.5 for 4 nm: a multiply-add (1.75) and its operands"},\n    "fp16_pj": {"value": 2.45, "unit": "pJ", "source": "E", "reason": "as V100, times 0.5 for 4 nm: a packed multiply-add (1.5) and its operands"},\n    "fp64_pj": {"value": 7.15, "unit": "pJ", "source": "E", "reason": "as V100, times 0.5 for 4 nm: a multiply-add (6.5) and its double operands"},\n    "sfu_pj": {"value": 3.9, "unit": "pJ", "source": "E", "reason": "as V100, times 0.5 for 4 nm: an evaluation (4.5) and its operands"},\n    "tensor_cycle_pj": {"value": 24.5, "unit": "pJ", "source": "E", "reason": "as V100, times 0.5 for 4 nm: 128 multiply-adds a sub-core and cycle, each a sixth of an FP32 one"},\n    "l1_sector_pj": {"value": 230, "unit": "pJ", "source": "E", "reason": "the V100 fit, times 0.5 for 4 nm"},\n    "shared_pass_pj": {"value": 175, "unit": "pJ", "source": "E", "reason": "the V100 fit, times 0.5 for 4 nm"},\n    "l2_sector_pj": {"value": 62.5, "unit": "pJ", "source": "E", "reason": "half of what the V100 fit gives a sector of L2 with its way, times 0.5 for 4 nm"},\n    "noc_byte_pj": {"value": 1.75, "unit": "pJ", "source": "E", "reason": "the other half, over the 36 bytes of a sector with its share of the headers, times 0.5 for 4 nm"},\n    "dram_sector_pj": {"value": 856, "unit": "pJ", "source": "E", "reason": "the V100 fit, times 0.8 for HBM3"}\n  },\n  "model": {\n    "dependence": {"value": "scoreboard", "unit": "level", "source": "L"},\n    "fetch": {"value": "cached", "unit": "level", "source": "L"},\n    "regfile": {"value": "ideal", "unit": "level", "source": "L"},\n    "memory": {"value": "reserve", "unit": "level", "source": "L"},\n    "noc": {"value": "delay", "unit": "level", "source": "L"},\n    "dram": {"value": "bucket", "unit": "level", "source": "L"},\n    "hash": {"value": "mix", "unit": "level", "source": "L"},\n    "tlb": {"value": "off", "unit": "level", "source": "L"}\n  }\n}\n	2026-11-28 10:10:42.682917+00	2026-11-28 10:10:42.682917+00
044318005238ae755cec8e85c4e72cefd4d66b6c596358c7d8cd95e256a26981	my-v100	f	1530000000	80	{"Tesla V100-SXM2-16GB","Tesla V100-SXM2-32GB","Tesla V100-SXM3-32GB","Tesla V100-DGXS-16GB","Tesla V100-DGXS-32GB","Tesla V100-FHHL-16GB","Tesla V100-PCIE-16GB","Tesla V100-PCIE-32GB"}	{\n  "format": "vivace-design",\n  "version": 1,\n  "name": "my-v100",\n  "title": "a design of the team",\n  "gpu_names": ["Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB", "Tesla V100-SXM3-32GB", "Tesla V100-DGXS-16GB", "Tesla V100-DGXS-32GB", "Tesla V100-FHHL-16GB", "Tesla V100-PCIE-16GB", "Tesla V100-PCIE-32GB"],\n  "sources": {\n    "ACC": "Accel-Sim (github accel-sim/gpgpu-sim_distribution), configuration of this GPU",\n    "AW": "measured board power of 12 kernels (AccelWattch, github accel-sim/accel-sim-framework, util/accelwattch), fitted linearly to their counters",\n    "CC": "NVIDIA CUDA C++ Programming Guide, tables of technical specifications and of arithmetic throughput per compute capability",\n    "E": "our estimate; the reason stands beside the number",\n    "GB": "te42kyfo/gpu-benches (github), measured data of gpu-latency, gpu-cache, gpu-l2-cache, gpu-stream and gpu-strides",\n    "HU": "Huerta et al., MICRO 2025, arXiv 2503.20481: measured structure of modern NVIDIA cores",\n    "JEDEC": "JEDEC standard of this memory (HBM2 JESD235, HBM3 JESD238, GDDR6 JESD250): structure and core timing",\n    "JIA": "Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, arXiv 1804.06826, and arXiv 1903.07486 (T4)",\n    "L": "a level of detail of the simulation, not a property of the GPU",\n    "MT": "caps-tum/mt4g (github), published result files",\n    "NOC": "Jin et al., Uncovering Real GPU NoC Characteristics, MICRO 2024",\n    "PPT": "PPT-GPU (github lanl/PPT), hardware configurations",\n    "V": "NVIDIA, architecture whitepaper or product sheet of this GPU"\n  },\n  "gpu": {\n    "compute_capability": {"value": 70, "unit": "tenths", "source": "V"},\n    "sms": {"value": 80, "unit": "count", "source": "V"},\n    "gpcs": {"value": 6, "unit": "count", "source": "V"}\n  },\n  "clock": {\n    "sm_mhz": {"value": 1530, "unit": "MHz", "source": "V"},\n    "l2_mhz": {"value": 1530, "unit": "MHz", "source": "E", "reason": "not published; taken to follow the SM clock"}\n  },\n  "launch": {\n    "kernel_cycles": {"value": 700, "unit": "cycles", "source": "PPT"},\n    "cta_interval_cycles": {"value": 1, "unit": "cycles", "source": "E", "reason": "one CTA a clock over the whole GPU; no measured limit is slower"},\n    "turnover_cycles": {"value": 299, "unit": "cycles", "source": "GB", "reason": "worked back from exactly this measurement: 369 clocks from slot to slot for CTAs of the init kernel, less the 70 that its own instructions take here; the published split into 270 and about 100 is a guess of the second part"},\n    "warp_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "start-up of a warp: its registers and special registers are set up one warp after the other"},\n    "submit_ns": {"value": 2200, "unit": "ns", "source": "E", "reason": "small kernels in a stream follow each other in 1.6 to 2.6 us on the cards measured beside the A100"}\n  },\n  "sm": {\n    "warps": {"value": 64, "unit": "count", "source": "CC"},\n    "ctas": {"value": 32, "unit": "count", "source": "CC"},\n    "registers": {"value": 65536, "unit": "count", "source": "CC"},\n    "register_unit": {"value": 256, "unit": "registers a warp", "source": "CC"},\n    "shared_kb": {"value": 96, "unit": "KB", "source": "CC"},\n    "shared_cta_kb": {"value": 96, "unit": "KB", "source": "CC"},\n    "shared_system_bytes": {"value": 0, "unit": "bytes a CTA", "source": "CC"},\n    "shared_unit_bytes": {"value": 256, "unit": "bytes", "source": "CC"},\n    "unified_kb": {"value": 128, "unit": "KB", "source": "V"},\n    "barrier_cycles": {"value": 20, "unit": "cycles", "source": "E", "reason": "a barrier whose last warp arrives releases the others after 20 to 30 clocks"},\n    "guard_cycles": {"value": 9, "unit": "cycles", "source": "E", "reason": "compilers leave 13 clocks between a compare and an instruction guarded by its result, 4 of them the compare itself"},\n    "scheduler": {"value": "cggty", "unit": "name", "source": "E", "reason": "measured on neighbouring architectures (Turing, Ampere, Blackwell) by Huerta et al."},\n    "carveouts_kb": {"value": [0, 8, 16, 32, 64, 96], "unit": "KB", "source": "CC"}\n  },\n  "units": {\n    "fp32": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 4, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "int": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 4, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "imad": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 5, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp16": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 6, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp64": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 8, "unit": "cycles", "source": "JIA"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "sfu": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 18, "unit": "cycles", "source": "E", "reason": "between the 14 and 20 that are published"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "convert": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 14, "unit": "cycles", "source": "E", "reason": "same unit as the transcendental functions, a shorter pipe"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "bitcount": {\n      "rate": {"value": 16, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 14, "unit": "cycles", "source": "E", "reason": "same unit as the conversions"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "shuffle": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 23, "unit": "cycles", "source": "E", "reason": "a shuffle goes through the crossbar of shared memory and takes about as long"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "vote": {\n      "rate": {"value": 64, "unit": "results a clock an SM", "source": "CC"},\n      "latency": {"value": 6, "unit": "cycles", "source": "E", "reason": "an integer operation with one more step across the lanes"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "special": {\n      "rate": {"value": 32, "unit": "results a clock an SM", "source": "E", "reason": "special registers are read one at a time, as shuffles"},\n      "latency": {"value": 20, "unit": "cycles", "source": "E", "reason": "compilers wait for special registers by scoreboard, as for a short load"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "uniform": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "E", "reason": "Volta has no uniform datapath; traces of later GPUs use it as if"},\n      "latency": {"value": 6, "unit": "cycles", "source": "E", "reason": "about two clocks more than an integer operation before a vector instruction can read the result"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "branch": {\n      "rate": {"value": 128, "unit": "results a clock an SM", "source": "E", "reason": "one a clock in every sub-core"},\n      "latency": {"value": 10, "unit": "cycles", "source": "E", "reason": "a taken branch restarts fetching"},\n      "per_sm": {"value": 0, "unit": "0 or 1", "source": "CC"}\n    },\n    "fp32_in_int": {"value": 0, "unit": "0 or 1", "source": "V"}\n  },\n  "tensor": {\n    "latency": {"value": 8, "unit": "cycles", "source": "E", "reason": "dependent steps of one HMMA sequence follow each other after about ten clocks"},\n    "fp16_rate": {"value": 512, "unit": "FMA a clock an SM", "source": "V"},\n    "fp16_fp32_rate": {"value": 512, "unit": "FMA a clock an SM", "source": "V"},\n    "tf32_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "fp8_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "int8_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "fp64_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"},\n    "warp_group_rate": {"value": 0, "unit": "FMA a clock an SM", "source": "V"}\n  },\n  "lsu": {\n    "interval_cycles": {"value": 1, "unit": "cycles", "source": "GB"},\n    "agu_cycles": {"value": 4, "unit": "cycles", "source": "HU"},\n    "queue": {"value": 5, "unit": "count", "source": "HU"},\n    "stores": {"value": 64, "unit": "lines", "source": "E", "reason": "enough for a full burst of the resident warps; only stores that run at DRAM speed notice"},\n    "tag_slope": {"value": 0.23, "unit": "cycles a line", "source": "E", "reason": "fit to strides measured on A100, A40 and H200"},\n    "tag_base": {"value": 0.75, "unit": "cycles", "source": "E", "reason": "fit to strides measured on A100, A40 and H200"}\n  },\n  "l1": {\n    "latency_cycles": {"value": 30, "unit": "cycles", "source": "GB"},\n    "detect_cycles": {"value": 22, "unit": "cycles", "source": "E", "reason": "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"},\n    "bytes": {"value": 128, "unit": "bytes a clock", "source": "GB"},\n    "caches_global": {"value": 1, "unit": "0 or 1", "source": "V"},\n    "unusable_kb": {"value": 10, "unit": "KB", "source": "GB"},\n    "sets": {"value": 64, "unit": "count", "source": "E", "reason": "hashed sets with as many ways as fit; the measured step of the latency curve is as sharp"}\n  },\n  "shared": {\n    "latency_cycles": {"value": 23, "unit": "cycles", "source": "MT"},\n    "atomic_cycles": {"value": 2, "unit": "cycles a lane", "source": "E", "reason": "lanes that meet in one word go one after the other; two clocks for read and write of a word"},\n    "bytes": {"value": 128, "unit": "bytes a clock", "source": "V"}\n  },\n  "cluster": {\n    "latency_cycles": {"value": 181, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"},\n    "bytes": {"value": 16, "unit": "bytes a clock", "source": "E", "reason": "as on H100; this GPU has none"},\n    "barrier_cycles": {"value": 190, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"}\n  },\n  "bulk": {\n    "latency_cycles": {"value": 170, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"},\n    "line_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "as on H100; this GPU has none"}\n  },\n  "constant": {\n    "latency_cycles": {"value": 27, "unit": "cycles", "source": "JIA"}\n  },\n  "texture": {\n    "latency_cycles": {"value": 90, "unit": "cycles", "source": "E", "reason": "L1 hit plus filtering; traces hold no texture addresses"}\n  },\n  "fetch": {\n    "l0_kb": {"value": 12, "unit": "KB", "source": "JIA"},\n    "l1_kb": {"value": 128, "unit": "KB", "source": "JIA"},\n    "l1_line_bytes": {"value": 256, "unit": "bytes", "source": "JIA"},\n    "l1_latency_cycles": {"value": 30, "unit": "cycles", "source": "E", "reason": "between the 20 and 40 that fit a short trip within the SM"},\n    "l1_interval_cycles": {"value": 2, "unit": "cycles", "source": "E", "reason": "a line of 128 bytes by 64 bytes a clock"},\n    "stream_lines": {"value": 8, "unit": "lines", "source": "E", "reason": "as measured on Ampere by Huerta et al."}\n  },\n  "regfile": {\n    "banks": {"value": 2, "unit": "count", "source": "JIA"},\n    "window_cycles": {"value": 3, "unit": "cycles", "source": "E", "reason": "three cycles to read the sources, as measured on Ampere by Huerta et al."}\n  },\n  "control": {\n    "load_read_cycles": {"value": 11, "unit": "cycles", "source": "E", "reason": "as measured on Ampere by Huerta et al."},\n    "store_read_cycles": {"value": 14, "unit": "cycles", "source": "E", "reason": "as measured on Ampere by Huerta et al."},\n    "store_word_cycles": {"value": 2, "unit": "cycles a word", "source": "E", "reason": "as measured on Ampere by Huerta et al."}\n  },\n  "noc": {\n    "sm_request_bytes": {"value": 64, "unit": "bytes a clock", "source": "E", "reason": "as wide as the reply port, so that stores and loads of whole lines are alike"},\n    "sm_reply_bytes": {"value": 64, "unit": "bytes a clock", "source": "E", "reason": "two sectors a clock; above every measured L2 bandwidth of one SM"},\n    "gpc_request_bytes": {"value": 448, "unit": "bytes a clock", "source": "E", "reason": "32 bytes a clock for each SM of the GPC"},\n    "gpc_reply_bytes": {"value": 448, "unit": "bytes a clock", "source": "E", "reason": "32 bytes a clock for each SM of the GPC"},\n    "header_bytes": {"value": 8, "unit": "bytes", "source": "E", "reason": "address, kind and mask of a request of one line"},\n    "gpc_spread_cycles": {"value": 12, "unit": "cycles", "source": "NOC", "reason": "of the 175 to 248 clocks measured over pairs of an SM and a slice, the third that goes with the SM; the share is an estimate"},\n    "slice_spread_cycles": {"value": 24, "unit": "cycles", "source": "NOC", "reason": "of the 175 to 248 clocks measured over pairs of an SM and a slice, what goes with the slice"}\n  },\n  "l2": {\n    "kb": {"value": 6144, "unit": "KB", "source": "V"},\n    "slices": {"value": 64, "unit": "count", "source": "V"},\n    "ways": {"value": 24, "unit": "count", "source": "ACC"},\n    "dirty_share": {"value": 0.5, "unit": "factor", "source": "AW", "reason": "half: after mergeSort, which reads and writes 32 MB, 98 407 of the written sectors are not in DRAM, half of the 6 MB"},\n    "fetch_bytes": {"value": 32, "unit": "bytes", "source": "ACC", "reason": "L2 misses sector by sector in the configuration that was compared with counters of a V100"},\n    "latency_cycles": {"value": 215, "unit": "cycles", "source": "GB"},\n    "slice_bytes": {"value": 32, "unit": "bytes a clock", "source": "V"},\n    "partitions": {"value": 1, "unit": "count", "source": "V"},\n    "bridge_cycles": {"value": 0, "unit": "cycles", "source": "E", "reason": "one partition"},\n    "bridge_bytes": {"value": 0, "unit": "bytes a clock", "source": "E", "reason": "one partition"},\n    "atomic_lane_cycles": {"value": 1, "unit": "L2 cycles a lane", "source": "E", "reason": "32 lanes on one word take about 30 L2 clocks on every GPU measured"},\n    "atomic_sector_cycles": {"value": 1, "unit": "L2 cycles a sector", "source": "E", "reason": "one sector a clock through the slice's ALU"},\n    "atomic_latency_cycles": {"value": 30, "unit": "cycles", "source": "E", "reason": "measured returning atomics take about that much longer than loads that hit L2"}\n  },\n  "dram": {\n    "channels": {"value": 64, "unit": "count", "source": "JEDEC", "reason": "32 channels of 128 bit, each two pseudo channels"},\n    "gbs": {"value": 897, "unit": "GB/s", "source": "V"},\n    "latency_ns": {"value": 156.5, "unit": "ns", "source": "GB", "reason": "431 clocks at 1380 MHz less the 215 of an L2 hit"},\n    "chunk_bytes": {"value": 2048, "unit": "bytes", "source": "E", "reason": "measured bandwidth against occupancy shows that consecutive lines of a small CTA share a channel"},\n    "row_bytes": {"value": 1024, "unit": "bytes", "source": "JEDEC"},\n    "banks": {"value": 16, "unit": "count", "source": "JEDEC"},\n    "open_rows": {"value": 4, "unit": "count", "source": "E", "reason": "stands for the reordering of a controller's queue"},\n    "rcd_ns": {"value": 14, "unit": "ns", "source": "JEDEC"},\n    "rp_ns": {"value": 14, "unit": "ns", "source": "JEDEC"},\n    "rrd_ns": {"value": 4, "unit": "ns", "source": "JEDEC"},\n    "write_buffer": {"value": 64, "unit": "sectors", "source": "E", "reason": "depth of a controller's write queue; short bursts are absorbed"},\n    "read_factor": {"value": 1.04, "unit": "factor", "source": "GB", "reason": "worked back from the plateau bandwidths of gpu-stream"},\n    "write_factor": {"value": 1, "unit": "factor", "source": "GB", "reason": "worked back from the plateau bandwidths of gpu-stream"},\n    "mix_loss": {"value": 0.1, "unit": "factor", "source": "GB", "reason": "worked back from the plateau bandwidths of gpu-stream"},\n    "command_mhz": {"value": 1000, "unit": "MHz", "source": "E", "reason": "the unit in which the timing is given: 1 ns"},\n    "bank_groups": {"value": 4, "unit": "count", "source": "JEDEC"},\n    "burst_bytes": {"value": 32, "unit": "bytes", "source": "JEDEC", "reason": "a burst of 4 on 64 bit"},\n    "t_rcd": {"value": 14, "unit": "clocks", "source": "JEDEC"},\n    "t_rp": {"value": 14, "unit": "clocks", "source": "JEDEC"},\n    "t_ras": {"value": 34, "unit": "clocks", "source": "JEDEC"},\n    "t_rrd_s": {"value": 4, "unit": "clocks", "source": "JEDEC"},\n    "t_rrd_l": {"value": 6, "unit": "clocks", "source": "JEDEC"},\n    "t_ccd_s": {"value": 1, "unit": "clocks", "source": "JEDEC"},\n    "t_ccd_l": {"value": 2, "unit": "clocks", "source": "JEDEC"},\n    "t_faw": {"value": 30, "unit": "clocks", "source": "JEDEC"},\n    "t_wtr_s": {"value": 6, "unit": "clocks", "source": "JEDEC"},\n    "t_wtr_l": {"value": 8, "unit": "clocks", "source": "JEDEC"},\n    "t_wr": {"value": 12, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 10 clocks at 850 MHz"},\n    "t_rtp": {"value": 4, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 3 clocks at 850 MHz"},\n    "t_cl": {"value": 14, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 12 clocks at 850 MHz"},\n    "t_wl": {"value": 2, "unit": "clocks", "source": "E", "reason": "Accel-Sim's configuration of V100-class HBM2 has 2 clocks at 850 MHz"},\n    "t_rfc": {"value": 260, "unit": "clocks", "source": "JEDEC"},\n    "t_refi": {"value": 3900, "unit": "clocks", "source": "JEDEC"},\n    "t_close": {"value": 200, "unit": "clocks", "source": "E", "reason": "long enough for the next CTA of a stream to find the row open, short enough to hide a precharge"}\n  },\n  "tlb": {\n    "page_mb": {"value": 2, "unit": "MB", "source": "V", "reason": "the large pages of the published page table format, which allocations of that size get"},\n    "sm_entries": {"value": 16, "unit": "count", "source": "JIA", "reason": "a reach of 32 MB"},\n    "gpc_entries": {"value": 64, "unit": "count", "source": "E", "reason": "between the 16 of an SM and the 256 entries of the GPU"},\n    "gpc_cycles": {"value": 4, "unit": "cycles", "source": "E", "reason": "asking GPC and GPU takes 10 clocks: chases on V100 rise by 8 to 12 where the reach of an SM ends"},\n    "gpu_sets": {"value": 128, "unit": "count", "source": "E", "reason": "as measured on Turing and Ampere"},\n    "gpu_ways": {"value": 2, "unit": "count", "source": "JIA", "reason": "a reach of 8 GB by entries of 32 MB"},\n    "gpu_entry_mb": {"value": 32, "unit": "MB", "source": "JIA"},\n    "gpu_cycles": {"value": 6, "unit": "cycles", "source": "E", "reason": "see gpc_cycles"},\n    "walks": {"value": 64, "unit": "count", "source": "E", "reason": "published studies of address translation in GPUs take between 8 and 64"},\n    "walk_entries": {"value": 16, "unit": "count", "source": "E", "reason": "directories for 8 GB, as much as the entries of the GPU reach"},\n    "directory_mb": {"value": 512, "unit": "MB", "source": "V", "reason": "an entry of the directory above the one with large pages, in the published page table format"},\n    "walk_ns": {"value": 290, "unit": "ns", "source": "E", "reason": "300 to 500 clocks of V100 beyond the reach of the GPU: two trips of a walker to memory"},\n    "directory_ns": {"value": 130, "unit": "ns", "source": "E", "reason": "a cold load takes about 1000 clocks in all on V100: 431 without translation, 400 for the walk, the rest"}\n  },\n  "link": {\n    "pcie_gbs": {"value": 13.55, "unit": "GB/s", "source": "GB", "reason": "12.3 GB/s of data reached by long copies from pinned memory, packet headers added"},\n    "pcie_payload_bytes": {"value": 256, "unit": "bytes", "source": "E", "reason": "the usual largest payload of servers"},\n    "pcie_header_bytes": {"value": 26, "unit": "bytes", "source": "E", "reason": "framing, sequence number, header with 64-bit address, checksum"},\n    "pcie_latency_ns": {"value": 1000, "unit": "ns", "source": "E", "reason": "about a microsecond through a root complex"},\n    "pcie_startup_ns": {"value": 27000, "unit": "ns", "source": "GB", "reason": "what a copy of 1 MB, at 9.25 GB/s, takes longer than its share of a copy of 64 MB"},\n    "nvlink_gbs": {"value": 150, "unit": "GB/s", "source": "V", "reason": "all links, one way"},\n    "nvlink_payload_bytes": {"value": 128, "unit": "bytes", "source": "E", "reason": "a line"},\n    "nvlink_header_bytes": {"value": 16, "unit": "bytes", "source": "E", "reason": "an efficiency of 0.89 for packets of a line"},\n    "nvlink_latency_ns": {"value": 700, "unit": "ns", "source": "E", "reason": "GPU to GPU takes no less than half a microsecond"},\n    "nvlink_startup_ns": {"value": 1000, "unit": "ns", "source": "E", "reason": "peer copies of 4 bytes take 1.3 us on a P100 and 2.6 to 2.8 us on an A100 in all"},\n    "copy_startup_ns": {"value": 1500, "unit": "ns", "source": "E", "reason": "about as long as a small kernel takes in a graph"}\n  },\n  "power": {\n    "constant_w": {"value": 75, "unit": "W", "source": "AW", "reason": "of seven coefficients fitted to board power of 12 kernels"},\n    "sm_active_w": {"value": 0.35, "unit": "W", "source": "AW"},\n    "sm_idle_w": {"value": 0, "unit": "W", "source": "AW", "reason": "the constant part holds it"},\n    "instruction_pj": {"value": 46, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: fetch, decode and issue: 35 integer adds of a lane"},\n    "int_pj": {"value": 4.2, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: an operation (1) and three register operands (0.75 each)"},\n    "fp32_pj": {"value": 5.2, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: a multiply-add (1.75) and its operands"},\n    "fp16_pj": {"value": 4.9, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: a packed multiply-add (1.5) and its operands"},\n    "fp64_pj": {"value": 14.3, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: a multiply-add (6.5) and its double operands"},\n    "sfu_pj": {"value": 7.8, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: an evaluation (4.5) and its operands"},\n    "tensor_cycle_pj": {"value": 49, "unit": "pJ", "source": "E", "reason": "share of the 1.3 W of a fully active SM in the V100 fit: 128 multiply-adds a sub-core and cycle, each a sixth of an FP32 one"},\n    "l1_sector_pj": {"value": 460, "unit": "pJ", "source": "AW"},\n    "shared_pass_pj": {"value": 350, "unit": "pJ", "source": "AW"},\n    "l2_sector_pj": {"value": 125, "unit": "pJ", "source": "E", "reason": "half of what the V100 fit gives a sector of L2 with its way"},\n    "noc_byte_pj": {"value": 3.5, "unit": "pJ", "source": "E", "reason": "the other half, over the 36 bytes of a sector with its share of the headers"},\n    "dram_sector_pj": {"value": 1070, "unit": "pJ", "source": "AW"}\n  },\n  "model": {\n    "dependence": {"value": "scoreboard", "unit": "level", "source": "L"},\n    "fetch": {"value": "cached", "unit": "level", "source": "L"},\n    "regfile": {"value": "ideal", "unit": "level", "source": "L"},\n    "memory": {"value": "reserve", "unit": "level", "source": "L"},\n    "noc": {"value": "delay", "unit": "level", "source": "L"},\n    "dram": {"value": "bucket", "unit": "level", "source": "L"},\n    "hash": {"value": "mix", "unit": "level", "source": "L"},\n    "tlb": {"value": "off", "unit": "level", "source": "L"}\n  }\n}\n	2026-11-28 10:10:49.513354+00	2026-11-28 10:10:49.513354+00
\.
COPY public.design_owner (team_id, sha256, created_at, seen_at) FROM stdin;
1	044318005238ae755cec8e85c4e72cefd4d66b6c596358c7d8cd95e256a26981	2026-11-28 10:10:49.513354+00	2026-11-28 10:10:49.513354+00
\.
COPY public.discarded_use (result_id, job_id, run_id) FROM stdin;
01a221a2-e763-737c-93c2-48f27ec40e55	01a221a2-e6ef-72c2-8678-c7d6cb8f08a0	01a221a2-e6ef-752d-8489-e5a631e97d35
01a221a2-e763-7397-82f9-f1b4221ab3cf	01a221a2-e6ef-782d-80e2-511b06b329e1	01a221a2-e6ef-752d-8489-e5a631e97d35
\.
COPY public.event (id, at, topic, kind, severity, params) FROM stdin;
9179137	2026-11-28 10:10:46.699223+00	farm	worker.state	\N	{"id":"01a221a2-cb25-7efa-afdf-e7c2a6b1e03d","name":"first","state":"alive"}
9261058	2026-11-28 10:10:49.99669+00	import:01a221a2-d7f6-7fd1-916c-63a0cef7269a	import.stage	\N	{"import":"01a221a2-d7f6-7fd1-916c-63a0cef7269a","state":"reading","stage":"recognising","bytes_read":0,"bytes":13943,"rows":0}
9281539	2026-11-28 10:10:50.083373+00	import:01a221a2-d7f6-7fd1-916c-63a0cef7269a	import.stage	\N	{"import":"01a221a2-d7f6-7fd1-916c-63a0cef7269a","state":"reading","stage":"reading","bytes_read":13943,"bytes":13943,"rows":200}
9289732	2026-11-28 10:10:50.100833+00	import:01a221a2-d7f6-7fd1-916c-63a0cef7269a	import.stage	\N	{"import":"01a221a2-d7f6-7fd1-916c-63a0cef7269a","state":"reading","stage":"checking","bytes_read":13943,"bytes":13943,"rows":200}
9297925	2026-11-28 10:10:50.102854+00	import:01a221a2-d7f6-7fd1-916c-63a0cef7269a	import.stage	\N	{"import":"01a221a2-d7f6-7fd1-916c-63a0cef7269a","state":"reading","stage":"storing","bytes_read":13943,"bytes":13943,"rows":200}
9314310	2026-11-28 10:10:50.141263+00	import:01a221a2-d7f6-7fd1-916c-63a0cef7269a	import.stage	\N	{"import":"01a221a2-d7f6-7fd1-916c-63a0cef7269a","state":"ready","stage":"done","bytes_read":13943,"bytes":13943,"rows":200}
9326599	2026-11-28 10:10:50.280748+00	run:01a221a2-d929-7370-bfad-93b52a33cedc	run.started	info	{"by":"owner","jobs":36,"engine":"replay"}
9334792	2026-11-28 10:10:50.405064+00	run:01a221a2-d929-7370-bfad-93b52a33cedc	run.progress	\N	{"run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "state" : "running", "done" : 0, "leased" : 0, "failed" : 0, "ready" : 36, "blocked" : 0, "cancelled" : 0, "jobs" : 36, "projections" : [{"design" : "v100", "value" : null, "half_width" : null, "unit" : null, "value_s" : null, "half_width_s" : null, "level" : null, "relative_half_width" : null, "done" : 0}], "eta_s" : null, "eta_error_s" : null}
9359369	2026-11-28 10:10:50.907495+00	run:01a221a2-d929-7370-bfad-93b52a33cedc	run.done	info	{"jobs":36,"answers":[{"kind":"answer.total","params":{"design":"v100","total":{"value":9.017222222222222e-05,"half_width":1.9285774497694734e-06}}}]}
9359370	2026-11-28 10:10:50.907495+00	run:01a221a2-d929-7370-bfad-93b52a33cedc	run.progress	\N	{"run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "state" : "done", "done" : 36, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 36, "projections" : [{"design" : "v100", "value" : 90172.22222222222, "half_width" : 1928.577449769473, "unit" : "ns", "value_s" : 9.017222222222222e-05, "half_width_s" : 1.9285774497694734e-06, "level" : 0.95, "relative_half_width" : 0.021387711229037345, "done" : 36}], "eta_s" : null, "eta_error_s" : null}
9400331	2026-11-28 10:10:51.131393+00	import:01a221a2-dc74-7b0c-9807-10ae838d5dde	import.stage	\N	{"import":"01a221a2-dc74-7b0c-9807-10ae838d5dde","state":"reading","stage":"recognising","bytes_read":0,"bytes":13943,"rows":0}
9420812	2026-11-28 10:10:51.266703+00	import:01a221a2-dc74-7b0c-9807-10ae838d5dde	import.stage	\N	{"import":"01a221a2-dc74-7b0c-9807-10ae838d5dde","state":"reading","stage":"reading","bytes_read":13943,"bytes":13943,"rows":200}
9429005	2026-11-28 10:10:51.278772+00	import:01a221a2-dc74-7b0c-9807-10ae838d5dde	import.stage	\N	{"import":"01a221a2-dc74-7b0c-9807-10ae838d5dde","state":"reading","stage":"checking","bytes_read":13943,"bytes":13943,"rows":200}
9437198	2026-11-28 10:10:51.281517+00	import:01a221a2-dc74-7b0c-9807-10ae838d5dde	import.stage	\N	{"import":"01a221a2-dc74-7b0c-9807-10ae838d5dde","state":"reading","stage":"storing","bytes_read":13943,"bytes":13943,"rows":200}
9453583	2026-11-28 10:10:51.304448+00	import:01a221a2-dc74-7b0c-9807-10ae838d5dde	import.stage	\N	{"import":"01a221a2-dc74-7b0c-9807-10ae838d5dde","state":"ready","stage":"done","bytes_read":13943,"bytes":13943,"rows":200}
9469968	2026-11-28 10:10:51.42514+00	run:01a221a2-dda5-7725-8b92-b2475331b733	run.started	info	{"by":"owner","jobs":42,"engine":"replay"}
9494545	2026-11-28 10:10:51.700442+00	run:01a221a2-dda5-7725-8b92-b2475331b733	run.look	info	{"look":1,"decision":{"kind":"look.more","params":{"promise":{"kind":"look.promise","params":{"design":"v100","known":0.05168489800639887,"wanted":0.05}},"growth":{"kind":"look.growth","params":{"stratum":0,"mixed":true,"from":21,"to":29}},"from":21,"to":29,"time":7.24872e-06}}}
9494546	2026-11-28 10:10:51.700442+00	run:01a221a2-dda5-7725-8b92-b2475331b733	run.progress	\N	{"run" : "01a221a2-dda5-7725-8b92-b2475331b733", "state" : "running", "done" : 42, "leased" : 0, "failed" : 0, "ready" : 16, "blocked" : 0, "cancelled" : 0, "jobs" : 58, "projections" : [{"design" : "v100", "value" : 89371.42857142857, "half_width" : 4619.153170400439, "unit" : "ns", "value_s" : 8.937142857142857e-05, "half_width_s" : 4.61915317040044e-06, "level" : 0.9990035438325975, "relative_half_width" : 0.05168489800639878, "done" : 21}, {"design" : "h100", "value" : 89371.42857142857, "half_width" : 4619.153170400439, "unit" : "ns", "value_s" : 8.937142857142857e-05, "half_width_s" : 4.61915317040044e-06, "level" : 0.9990035438325975, "relative_half_width" : 0.05168489800639878, "done" : 21}], "eta_s" : null, "eta_error_s" : null}
9539603	2026-11-28 10:10:52.184083+00	run:01a221a2-dda5-7725-8b92-b2475331b733	run.look	info	{"look":2,"decision":{"kind":"look.kept","params":{}}}
9539604	2026-11-28 10:10:52.184083+00	run:01a221a2-dda5-7725-8b92-b2475331b733	run.done	info	{"jobs":58,"answers":[{"kind":"answer.total","params":{"design":"v100","total":{"value":8.933793103448276e-05,"half_width":2.0114387489076567e-06}}},{"kind":"answer.total","params":{"design":"h100","total":{"value":8.933793103448276e-05,"half_width":2.0114387489076567e-06}}}]}
9539605	2026-11-28 10:10:52.184083+00	run:01a221a2-dda5-7725-8b92-b2475331b733	run.progress	\N	{"run" : "01a221a2-dda5-7725-8b92-b2475331b733", "state" : "done", "done" : 58, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 58, "projections" : [{"design" : "v100", "value" : 89337.93103448275, "half_width" : 2011.4387489076564, "unit" : "ns", "value_s" : 8.933793103448276e-05, "half_width_s" : 2.0114387489076567e-06, "level" : 0.9502485202101484, "relative_half_width" : 0.022514946625876966, "done" : 29}, {"design" : "h100", "value" : 89337.93103448275, "half_width" : 2011.4387489076564, "unit" : "ns", "value_s" : 8.933793103448276e-05, "half_width_s" : 2.0114387489076567e-06, "level" : 0.9502485202101484, "relative_half_width" : 0.022514946625876966, "done" : 29}], "eta_s" : null, "eta_error_s" : null}
9568278	2026-11-28 10:10:52.33112+00	import:01a221a2-e122-77d6-b226-75abcfd6f14b	import.stage	\N	{"import":"01a221a2-e122-77d6-b226-75abcfd6f14b","state":"reading","stage":"recognising","bytes_read":0,"bytes":15552,"rows":0}
9588759	2026-11-28 10:10:52.402325+00	import:01a221a2-e122-77d6-b226-75abcfd6f14b	import.stage	\N	{"import":"01a221a2-e122-77d6-b226-75abcfd6f14b","state":"reading","stage":"reading","bytes_read":15552,"bytes":15552,"rows":160}
9596952	2026-11-28 10:10:52.422905+00	import:01a221a2-e122-77d6-b226-75abcfd6f14b	import.stage	\N	{"import":"01a221a2-e122-77d6-b226-75abcfd6f14b","state":"reading","stage":"checking","bytes_read":15552,"bytes":15552,"rows":160}
9605145	2026-11-28 10:10:52.427091+00	import:01a221a2-e122-77d6-b226-75abcfd6f14b	import.stage	\N	{"import":"01a221a2-e122-77d6-b226-75abcfd6f14b","state":"reading","stage":"storing","bytes_read":15552,"bytes":15552,"rows":160}
9621530	2026-11-28 10:10:52.431345+00	import:01a221a2-e122-77d6-b226-75abcfd6f14b	import.stage	\N	{"import":"01a221a2-e122-77d6-b226-75abcfd6f14b","state":"ready","stage":"done","bytes_read":15552,"bytes":15552,"rows":160}
9633819	2026-11-28 10:10:52.530969+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	run.started	info	{"by":"owner","jobs":8,"engine":"replay"}
9646108	2026-11-28 10:10:52.647936+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	job.failed	error	{"launch":15,"design":"v100","worker":"first","attempt":1,"outcome":"unsupported","message":"the trace has an unknown opcode","final":true}
9650205	2026-11-28 10:10:52.679232+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	run.progress	\N	{"run" : "01a221a2-e1f9-7700-9d70-46485db78b5f", "state" : "running", "done" : 0, "leased" : 7, "failed" : 1, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 8, "projections" : [{"design" : "v100", "value" : null, "half_width" : null, "unit" : "ns", "value_s" : null, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 0}], "eta_s" : null, "eta_error_s" : null}
9678879	2026-11-28 10:10:52.9293+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	run.half_done	info	{"done":7,"jobs":8}
9678880	2026-11-28 10:10:52.9293+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	run.progress	\N	{"run" : "01a221a2-e1f9-7700-9d70-46485db78b5f", "state" : "running", "done" : 7, "leased" : 1, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 8, "projections" : [{"design" : "v100", "value" : 261828.57142857142, "half_width" : 140722.82752933045, "unit" : "ns", "value_s" : 0.0002618285714285714, "half_width_s" : 0.00014072282752933046, "level" : 0.95, "relative_half_width" : 0.5374616939684161, "done" : 7}], "eta_s" : 0.04407785714285714, "eta_error_s" : null}
9703457	2026-11-28 10:10:53.192005+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	run.done	info	{"jobs":8,"answers":[{"kind":"answer.total","params":{"design":"v100","total":{"value":0.0002499,"half_width":0.00012056212628864255}}}]}
9703458	2026-11-28 10:10:53.192005+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	run.progress	\N	{"run" : "01a221a2-e1f9-7700-9d70-46485db78b5f", "state" : "done", "done" : 8, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 8, "projections" : [{"design" : "v100", "value" : 249900, "half_width" : 120562.12628864254, "unit" : "ns", "value_s" : 0.0002499, "half_width_s" : 0.00012056212628864255, "level" : 0.95, "relative_half_width" : 0.4824414817472691, "done" : 8}], "eta_s" : null, "eta_error_s" : null}
9998377	2026-11-28 10:10:53.975192+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.progress	\N	{"run" : "01a221a2-e6ef-752d-8489-e5a631e97d35", "state" : "running", "done" : 7, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 7, "projections" : [{"design" : "v100", "value" : 160000, "half_width" : 2872.7578837035535, "unit" : "cycles", "value_s" : 0.00010457516339869282, "half_width_s" : 1.877619531832388e-06, "level" : 0.95, "relative_half_width" : 0.01795473677314721, "done" : 7}], "eta_s" : null, "eta_error_s" : null}
10031147	2026-11-28 10:10:54.450742+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.done	info	{"jobs":7,"answers":[{"kind":"answer.total","params":{"design":"v100","total":{"value":0.00010457516339869282,"half_width":1.877619531832388e-06}}}]}
10031148	2026-11-28 10:10:54.450742+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.progress	\N	{"run" : "01a221a2-e6ef-752d-8489-e5a631e97d35", "state" : "done", "done" : 7, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 7, "projections" : [{"design" : "v100", "value" : 160000, "half_width" : 2872.7578837035535, "unit" : "cycles", "value_s" : 0.00010457516339869282, "half_width_s" : 1.877619531832388e-06, "level" : 0.95, "relative_half_width" : 0.01795473677314721, "done" : 7}], "eta_s" : null, "eta_error_s" : null}
10133551	2026-11-28 10:10:56.227409+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.strata_done	info	{"done":2,"strata":3}
10133552	2026-11-28 10:10:56.227409+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.done_partly	warning	{"failed":1,"jobs":7,"answers":[{"kind":"answer.no_interval","params":{"design":"v100","time":0.00010457516339869282}}]}
10133553	2026-11-28 10:10:56.227409+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.progress	\N	{"run" : "01a221a2-e6ef-752d-8489-e5a631e97d35", "state" : "done", "done" : 6, "leased" : 0, "failed" : 1, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 7, "projections" : [{"design" : "v100", "value" : 160000, "half_width" : null, "unit" : "cycles", "value_s" : 0.00010457516339869282, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 6}], "eta_s" : null, "eta_error_s" : null}
10248249	2026-11-28 10:10:56.719761+00	run:01a221a2-f205-7885-9250-f688e7e51706	run.progress	\N	{"run" : "01a221a2-f205-7885-9250-f688e7e51706", "state" : "running", "done" : 0, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 2, "cancelled" : 0, "jobs" : 2, "projections" : [{"design" : "v100", "value" : null, "half_width" : null, "unit" : "cycles", "value_s" : null, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 0}], "eta_s" : null, "eta_error_s" : null}
10321979	2026-11-28 10:10:56.990679+00	run:01a221a2-f205-7885-9250-f688e7e51706	run.done	info	{"jobs":2,"answers":[{"kind":"answer.total","params":{"design":"v100","total":{"value":1.4379084967320263e-05,"half_width":0}}}]}
10321980	2026-11-28 10:10:56.990679+00	run:01a221a2-f205-7885-9250-f688e7e51706	run.progress	\N	{"run" : "01a221a2-f205-7885-9250-f688e7e51706", "state" : "done", "done" : 2, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 2, "projections" : [{"design" : "v100", "value" : 22000, "half_width" : 0, "unit" : "cycles", "value_s" : 1.4379084967320263e-05, "half_width_s" : 0, "level" : 0.95, "relative_half_width" : 0, "done" : 2}], "eta_s" : null, "eta_error_s" : null}
10416192	2026-11-28 10:10:57.218746+00	run:01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	run.progress	\N	{"run" : "01a221a2-f3cd-715c-ad88-7c1a1d7bc83e", "state" : "running", "done" : 0, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 8, "cancelled" : 0, "jobs" : 8, "projections" : [{"design" : "v100", "value" : null, "half_width" : null, "unit" : "cycles", "value_s" : null, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 0}], "eta_s" : null, "eta_error_s" : null}
10723395	2026-11-28 10:11:00.251137+00	run:01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	run.done	info	{"jobs":8,"answers":[{"kind":"answer.no_interval","params":{"design":"v100","time":4.0755067585481664e-05}}]}
10723396	2026-11-28 10:11:00.251137+00	run:01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	run.progress	\N	{"run" : "01a221a2-f3cd-715c-ad88-7c1a1d7bc83e", "state" : "done", "done" : 8, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 8, "projections" : [{"design" : "v100", "value" : 62355.25340578694, "half_width" : null, "unit" : "cycles", "value_s" : 4.0755067585481664e-05, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 8}], "eta_s" : null, "eta_error_s" : null}
10788937	2026-11-28 10:11:00.750803+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.half_done	info	{"done":5,"jobs":7}
10788938	2026-11-28 10:11:00.750803+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.progress	\N	{"run" : "01a221a2-e6ef-752d-8489-e5a631e97d35", "state" : "running", "done" : 5, "leased" : 0, "failed" : 1, "ready" : 1, "blocked" : 0, "cancelled" : 0, "jobs" : 7, "projections" : [{"design" : "v100", "value" : 160000, "half_width" : null, "unit" : "cycles", "value_s" : 0.00010457516339869282, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 5}], "eta_s" : null, "eta_error_s" : null}
10948692	2026-11-28 10:11:01.507871+00	run:01a221a3-04c3-72c7-a474-478eac26321b	run.progress	\N	{"run" : "01a221a3-04c3-72c7-a474-478eac26321b", "state" : "running", "done" : 0, "leased" : 5, "failed" : 0, "ready" : 31, "blocked" : 0, "cancelled" : 0, "jobs" : 36, "projections" : [{"design" : "v100", "value" : null, "half_width" : null, "unit" : "ns", "value_s" : null, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 0}], "eta_s" : null, "eta_error_s" : null}
9666590	2026-11-28 10:10:52.776451+00	run:01a221a2-e1f9-7700-9d70-46485db78b5f	launch.replaced	warning	{"by":"owner","launch":15,"stratum":0}
9732131	2026-11-28 10:10:53.342075+00	import:01a221a2-e50f-7a19-83a2-d6a1f519f792	import.stage	\N	{"import":"01a221a2-e50f-7a19-83a2-d6a1f519f792","state":"reading","stage":"recognising","bytes_read":0,"bytes":15552,"rows":0}
9752612	2026-11-28 10:10:53.426098+00	import:01a221a2-e50f-7a19-83a2-d6a1f519f792	import.stage	\N	{"import":"01a221a2-e50f-7a19-83a2-d6a1f519f792","state":"reading","stage":"reading","bytes_read":15552,"bytes":15552,"rows":160}
9760805	2026-11-28 10:10:53.42769+00	import:01a221a2-e50f-7a19-83a2-d6a1f519f792	import.stage	\N	{"import":"01a221a2-e50f-7a19-83a2-d6a1f519f792","state":"reading","stage":"checking","bytes_read":15552,"bytes":15552,"rows":160}
9768998	2026-11-28 10:10:53.430047+00	import:01a221a2-e50f-7a19-83a2-d6a1f519f792	import.stage	\N	{"import":"01a221a2-e50f-7a19-83a2-d6a1f519f792","state":"reading","stage":"storing","bytes_read":15552,"bytes":15552,"rows":160}
9785383	2026-11-28 10:10:53.443394+00	import:01a221a2-e50f-7a19-83a2-d6a1f519f792	import.stage	\N	{"import":"01a221a2-e50f-7a19-83a2-d6a1f519f792","state":"ready","stage":"done","bytes_read":15552,"bytes":15552,"rows":160}
9953320	2026-11-28 10:10:53.806823+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.started	info	{"by":"owner","jobs":7,"engine":"cycle"}
10154034	2026-11-28 10:10:56.497989+00	import:01a221a2-f169-7d0d-b6a9-70deee6dca4b	import.stage	\N	{"import":"01a221a2-f169-7d0d-b6a9-70deee6dca4b","state":"reading","stage":"recognising","bytes_read":0,"bytes":701,"rows":0}
10174515	2026-11-28 10:10:56.540849+00	import:01a221a2-f169-7d0d-b6a9-70deee6dca4b	import.stage	\N	{"import":"01a221a2-f169-7d0d-b6a9-70deee6dca4b","state":"reading","stage":"reading","bytes_read":701,"bytes":701,"rows":22}
10182708	2026-11-28 10:10:56.547026+00	import:01a221a2-f169-7d0d-b6a9-70deee6dca4b	import.stage	\N	{"import":"01a221a2-f169-7d0d-b6a9-70deee6dca4b","state":"reading","stage":"checking","bytes_read":701,"bytes":701,"rows":22}
10190901	2026-11-28 10:10:56.547203+00	import:01a221a2-f169-7d0d-b6a9-70deee6dca4b	import.stage	\N	{"import":"01a221a2-f169-7d0d-b6a9-70deee6dca4b","state":"reading","stage":"storing","bytes_read":701,"bytes":701,"rows":22}
10211382	2026-11-28 10:10:56.551895+00	import:01a221a2-f169-7d0d-b6a9-70deee6dca4b	import.stage	\N	{"import":"01a221a2-f169-7d0d-b6a9-70deee6dca4b","state":"ready","stage":"done","bytes_read":701,"bytes":701,"rows":22}
10240055	2026-11-28 10:10:56.643837+00	run:01a221a2-f205-7885-9250-f688e7e51706	run.started	info	{"by":"owner","jobs":2,"engine":"cycle"}
10240056	2026-11-28 10:10:56.643837+00	run:01a221a2-f205-7885-9250-f688e7e51706	traces.cut	info	{"jobs":2}
10395709	2026-11-28 10:10:57.099205+00	pilot:01a221a2-f3be-7083-af4a-ce6ee17ba153	pilot.state	\N	{"pilot":"01a221a2-f3be-7083-af4a-ce6ee17ba153","state":"simulating"}
10395710	2026-11-28 10:10:57.099205+00	run:01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	run.started	info	{"by":"owner","jobs":8,"engine":"cycle"}
10395711	2026-11-28 10:10:57.099205+00	run:01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	traces.cut	info	{"jobs":8}
10694722	2026-11-28 10:10:59.978391+00	run:01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	traces.came	info	{"jobs":8}
10731589	2026-11-28 10:11:00.269483+00	pilot:01a221a2-f3be-7083-af4a-ce6ee17ba153	pilot.state	\N	{"pilot":"01a221a2-f3be-7083-af4a-ce6ee17ba153","state":"planning"}
10739782	2026-11-28 10:11:00.315113+00	pilot:01a221a2-f3be-7083-af4a-ce6ee17ba153	pilot.state	\N	{"pilot":"01a221a2-f3be-7083-af4a-ce6ee17ba153","state":"planning"}
10747975	2026-11-28 10:11:00.323536+00	pilot:01a221a2-f3be-7083-af4a-ce6ee17ba153	pilot.state	\N	{"pilot":"01a221a2-f3be-7083-af4a-ce6ee17ba153","state":"done"}
10764360	2026-11-28 10:11:00.626627+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	results.discarded	warning	{"results":1,"why":"bad memory"}
10854475	2026-11-28 10:11:01.323439+00	import:01a221a3-0449-769c-8c12-254738eb90d8	import.stage	\N	{"import":"01a221a3-0449-769c-8c12-254738eb90d8","state":"reading","stage":"recognising","bytes_read":0,"bytes":13943,"rows":0}
10874956	2026-11-28 10:11:01.37041+00	import:01a221a3-0449-769c-8c12-254738eb90d8	import.stage	\N	{"import":"01a221a3-0449-769c-8c12-254738eb90d8","state":"reading","stage":"reading","bytes_read":13943,"bytes":13943,"rows":200}
10883149	2026-11-28 10:11:01.389244+00	import:01a221a3-0449-769c-8c12-254738eb90d8	import.stage	\N	{"import":"01a221a3-0449-769c-8c12-254738eb90d8","state":"reading","stage":"checking","bytes_read":13943,"bytes":13943,"rows":200}
10891342	2026-11-28 10:11:01.389699+00	import:01a221a3-0449-769c-8c12-254738eb90d8	import.stage	\N	{"import":"01a221a3-0449-769c-8c12-254738eb90d8","state":"reading","stage":"storing","bytes_read":13943,"bytes":13943,"rows":200}
10907727	2026-11-28 10:11:01.404925+00	import:01a221a3-0449-769c-8c12-254738eb90d8	import.stage	\N	{"import":"01a221a3-0449-769c-8c12-254738eb90d8","state":"ready","stage":"done","bytes_read":13943,"bytes":13943,"rows":200}
10920016	2026-11-28 10:11:01.443059+00	run:01a221a3-04c3-72c7-a474-478eac26321b	run.started	info	{"by":"owner","jobs":36,"engine":"replay"}
10027050	2026-11-28 10:10:54.443+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.progress	\N	{"run" : "01a221a2-e6ef-752d-8489-e5a631e97d35", "state" : "running", "done" : 7, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 0, "cancelled" : 0, "jobs" : 7, "projections" : [{"design" : "v100", "value" : 160000, "half_width" : 2872.7578837035535, "unit" : "cycles", "value_s" : 0.00010457516339869282, "half_width_s" : 1.877619531832388e-06, "level" : 0.95, "relative_half_width" : 0.01795473677314721, "done" : 7}], "eta_s" : null, "eta_error_s" : null}
10432577	2026-11-28 10:10:57.472691+00	run:01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	run.progress	\N	{"run" : "01a221a2-f3cd-715c-ad88-7c1a1d7bc83e", "state" : "running", "done" : 0, "leased" : 0, "failed" : 0, "ready" : 0, "blocked" : 8, "cancelled" : 0, "jobs" : 8, "projections" : [{"design" : "v100", "value" : null, "half_width" : null, "unit" : "cycles", "value_s" : null, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 0}], "eta_s" : null, "eta_error_s" : null}
10944594	2026-11-28 10:11:01.506418+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	run.progress	\N	{"run" : "01a221a2-e6ef-752d-8489-e5a631e97d35", "state" : "running", "done" : 5, "leased" : 0, "failed" : 1, "ready" : 1, "blocked" : 0, "cancelled" : 0, "jobs" : 7, "projections" : [{"design" : "v100", "value" : 160000, "half_width" : null, "unit" : "cycles", "value_s" : 0.00010457516339869282, "half_width_s" : null, "level" : 0.95, "relative_half_width" : null, "done" : 5}], "eta_s" : null, "eta_error_s" : null}
10944595	2026-11-28 10:11:01.506418+00	run:01a221a3-04c3-72c7-a474-478eac26321b	run.progress	\N	{"run" : "01a221a3-04c3-72c7-a474-478eac26321b", "state" : "running", "done" : 0, "leased" : 5, "failed" : 0, "ready" : 31, "blocked" : 0, "cancelled" : 0, "jobs" : 36, "projections" : [{"design" : "v100", "value" : null, "half_width" : null, "unit" : null, "value_s" : null, "half_width_s" : null, "level" : null, "relative_half_width" : null, "done" : 0}], "eta_s" : null, "eta_error_s" : null}
10973271	2026-11-28 10:11:02.529899+00	run:01a221a3-04c3-72c7-a474-478eac26321b	run.progress	\N	{"run" : "01a221a3-04c3-72c7-a474-478eac26321b", "state" : "paused", "done" : 5, "leased" : 3, "failed" : 0, "ready" : 28, "blocked" : 0, "cancelled" : 0, "jobs" : 36, "projections" : [{"design" : "v100", "value" : 91160, "half_width" : 6855.7733029426845, "unit" : "ns", "value_s" : 9.116e-05, "half_width_s" : 6.8557733029426846e-06, "level" : 0.95, "relative_half_width" : 0.07520593794364507, "done" : 5}], "eta_s" : 1.6425102, "eta_error_s" : null}
10043437	2026-11-28 10:10:54.554411+00	farm	worker.state	\N	{"id":"01a221a2-e9cb-7244-b0fc-67c737530b43","name":"second","state":"alive"}
10121262	2026-11-28 10:10:56.14845+00	run:01a221a2-e6ef-752d-8489-e5a631e97d35	results.quarantined	error	{"jobs":1,"first":"first","second":"second"}
10936401	2026-11-28 10:11:01.50219+00	farm	worker.state	\N	{"id":"01a221a3-04fd-7297-b54f-0c637a04d2bd","name":"third","state":"alive"}
10293306	2026-11-28 10:10:56.831153+00	run:01a221a2-f205-7885-9250-f688e7e51706	traces.came	info	{"jobs":2}
10960981	2026-11-28 10:11:01.545522+00	run:01a221a3-04c3-72c7-a474-478eac26321b	run.moved	info	{"by":"owner","move":"paused"}
10969174	2026-11-28 10:11:01.77073+00	run:01a221a3-04c3-72c7-a474-478eac26321b	run.progress	\N	{"run" : "01a221a3-04c3-72c7-a474-478eac26321b", "state" : "paused", "done" : 5, "leased" : 3, "failed" : 0, "ready" : 28, "blocked" : 0, "cancelled" : 0, "jobs" : 36, "projections" : [{"design" : "v100", "value" : 91160, "half_width" : 6855.7733029426845, "unit" : "ns", "value_s" : 9.116e-05, "half_width_s" : 6.8557733029426846e-06, "level" : 0.95, "relative_half_width" : 0.07520593794364507, "done" : 5}], "eta_s" : 1.6425102, "eta_error_s" : null}
\.
COPY public.farm (only_one, id) FROM stdin;
t	c9f58dbf-c711-439d-92a8-1cae30cf9e59
\.
COPY public.farm_secret (name, value) FROM stdin;
cursor	\\x3632fa8cb6a022ce4dddbdf96f729050802a63b744f53c7288cb131c518206ff
\.
COPY public.idempotent_request (team_id, key, request, running_until, status, location, answer, created_at, holder, made) FROM stdin;
1	a-pilot-once	\\xf6bd3dd29a4783ef89735261be3c04117aad60063f09acd2802fd1b2c55f3abc	\N	201	/api/v1/pilots/01a221a2-f3be-7083-af4a-ce6ee17ba153	\\x7b22696422203a202230316132323161322d663362652d373038332d616634612d636536656531376261313533222c202270726f66696c6522203a202230316132323161322d663161332d376133352d623133332d343335313936393735323764222c2022776f726b6c6f616422203a202230316132323161322d663161362d373465312d383336372d616333366264633465323634222c2022776f726b6c6f61645f6e616d6522203a2022626673222c202264657369676e22203a202276313030222c202264657369676e5f73686132353622203a202264373334386164613030386539303461623537383135306366616632623365656531376365363066666436626136363434616337643066316665333461396263222c202277616e74656422203a207b226572726f72223a302e30342c2273656564223a377d2c2022737461746522203a20227374617274696e67222c20226c61756e6368657322203a20382c202273696d756c6174656422203a20302c20226e6f745f73696d756c6174656422203a20302c202270696c6f745f706c616e22203a202230316132323161322d663363312d376435622d613832352d313739346435663064346434222c202272756e22203a206e756c6c2c202272756e5f737461746522203a206e756c6c2c20226379636c657322203a206e756c6c2c2022706c616e22203a206e756c6c2c20226e6f746522203a2022222c202270726f626c656d22203a206e756c6c2c202268696e7422203a206e756c6c2c2022747269657322203a20312c2022637265617465645f627922203a20226f776e6572222c2022637265617465645f617422203a2022323032362d31312d32385431303a31303a35372e3038393830355a222c202266696e69736865645f617422203a206e756c6c7d	2026-11-28 10:10:57.082778+00	01a221a2-c3ba-700c-9f87-326727810552	01a221a2-f3be-7083-af4a-ce6ee17ba153
1	an-upload-once	\\x113435cd85e337c5372700d8e572f3ac364daa4e7ec23c0cada984a7c2af4449	\N	201	/api/v1/uploads/01a221a3-0227-7fb1-ba23-250837af5023	\\x7b226964223a2230316132323161332d303232372d376662312d626132332d323530383337616635303233222c2270696563655f6279746573223a383338383630382c226d697373696e67223a5b305d7d	2026-11-28 10:11:00.774888+00	01a221a2-c3ba-700c-9f87-326727810552	01a221a3-0227-7fb1-ba23-250837af5023
\.
COPY public.import (id, team_id, upload_id, name, workload, state, stage, holder, bytes, bytes_read, rows_read, report, problem, created_at, finished_at, traces_sha256, traces_launches, uploaded_by) FROM stdin;
01a221a2-f169-7d0d-b6a9-70deee6dca4b	1	01a221a2-f13f-7ea8-8d0d-ea0fabf908fb	counts.csv	bfs	ready	done	01a221a2-c3ba-700c-9f87-326727810552	701	701	22	{"format": "instructions-csv", "schema": "4 columns", "gpu": "", "clock": null, "unit": "warp_instructions", "invocations": 22, "kernels": 7, "kernel_shapes": 8, "devices": 1, "processes": 1, "contexts": 1, "streams": 1, "total_ns": null, "total_warp_instructions": 1113769, "total_cycles": null, "makespan_ns": null, "zero_duration": 0, "bytes_read": 701, "dropped": 0, "dropped_reasons": [], "ignored": 0, "ignored_reasons": [], "warnings": []}	\N	2026-11-28 10:10:56.490351+00	2026-11-28 10:10:56.550902+00	\N	\N	owner
01a221a2-d7f6-7fd1-916c-63a0cef7269a	1	01a221a2-d67f-7907-83d6-e8c11fe81b11	report-1.csv	report-1	ready	done	01a221a2-c3ba-700c-9f87-326727810552	13943	13943	200	{"format": "nsys-csv", "schema": "cuda_gpu_trace, 20 columns", "gpu": "Some GPU", "clock": null, "unit": "ns", "invocations": 200, "kernels": 4, "kernel_shapes": 4, "devices": 1, "processes": 1, "contexts": 1, "streams": 1, "total_ns": 90209, "total_warp_instructions": null, "total_cycles": null, "makespan_ns": 90209, "zero_duration": 0, "bytes_read": 13943, "dropped": 0, "dropped_reasons": [], "ignored": 0, "ignored_reasons": [], "warnings": []}	\N	2026-11-28 10:10:49.975897+00	2026-11-28 10:10:50.136103+00	\N	\N	owner
01a221a2-dc74-7b0c-9807-10ae838d5dde	1	01a221a2-dc3a-735b-b649-1c2ab4941dd8	report-3.csv	report-3	ready	done	01a221a2-c3ba-700c-9f87-326727810552	13943	13943	200	{"format": "nsys-csv", "schema": "cuda_gpu_trace, 20 columns", "gpu": "Some GPU", "clock": null, "unit": "ns", "invocations": 200, "kernels": 4, "kernel_shapes": 4, "devices": 1, "processes": 1, "contexts": 1, "streams": 1, "total_ns": 90609, "total_warp_instructions": null, "total_cycles": null, "makespan_ns": 90609, "zero_duration": 0, "bytes_read": 13943, "dropped": 0, "dropped_reasons": [], "ignored": 0, "ignored_reasons": [], "warnings": []}	\N	2026-11-28 10:10:51.125248+00	2026-11-28 10:10:51.298819+00	\N	\N	owner
01a221a3-0449-769c-8c12-254738eb90d8	1	01a221a3-0425-7ff1-a814-f657ff87467b	report-2.csv	report-2	ready	done	01a221a2-c3ba-700c-9f87-326727810552	13943	13943	200	{"format": "nsys-csv", "schema": "cuda_gpu_trace, 20 columns", "gpu": "Some GPU", "clock": null, "unit": "ns", "invocations": 200, "kernels": 4, "kernel_shapes": 4, "devices": 1, "processes": 1, "contexts": 1, "streams": 1, "total_ns": 90409, "total_warp_instructions": null, "total_cycles": null, "makespan_ns": 90409, "zero_duration": 0, "bytes_read": 13943, "dropped": 0, "dropped_reasons": [], "ignored": 0, "ignored_reasons": [], "warnings": []}	\N	2026-11-28 10:11:01.321798+00	2026-11-28 10:11:01.402948+00	\N	\N	owner
01a221a2-e122-77d6-b226-75abcfd6f14b	1	01a221a2-e0f4-7439-9930-8c4b647e87f8	report-7.csv	taken out	ready	done	01a221a2-c3ba-700c-9f87-326727810552	15552	15552	160	{"format": "nsys-csv", "schema": "cuda_gpu_trace, 20 columns", "gpu": "NVIDIA H100 80GB HBM3", "clock": null, "unit": "ns", "invocations": 160, "kernels": 2, "kernel_shapes": 2, "devices": 1, "processes": 1, "contexts": 1, "streams": 1, "total_ns": 376290, "total_warp_instructions": null, "total_cycles": null, "makespan_ns": 376290, "zero_duration": 0, "bytes_read": 15552, "dropped": 0, "dropped_reasons": [], "ignored": 0, "ignored_reasons": [], "warnings": []}	\N	2026-11-28 10:10:52.329553+00	2026-11-28 10:10:52.428415+00	\N	\N	owner
01a221a2-e50f-7a19-83a2-d6a1f519f792	1	01a221a2-e4cb-7e19-b71b-f2e3c7c1e753	report-1.csv	decoder	ready	done	01a221a2-c3ba-700c-9f87-326727810552	15552	15552	160	{"format": "nsys-csv", "schema": "cuda_gpu_trace, 20 columns", "gpu": "NVIDIA H100 80GB HBM3", "clock": null, "unit": "ns", "invocations": 160, "kernels": 2, "kernel_shapes": 2, "devices": 1, "processes": 1, "contexts": 1, "streams": 1, "total_ns": 380645, "total_warp_instructions": null, "total_cycles": null, "makespan_ns": 380645, "zero_duration": 0, "bytes_read": 15552, "dropped": 0, "dropped_reasons": [], "ignored": 0, "ignored_reasons": [], "warnings": []}	\N	2026-11-28 10:10:53.331569+00	2026-11-28 10:10:53.439504+00	\N	\N	owner
\.
COPY public.invitation (id, team_id, role, sha256, created_at, expires_at) FROM stdin;
1	1	2	\\xaf8dbfb3b1d32d052a91e32c1762b39837ab004f73a0d31fb804028e04118eef	2026-11-28 10:10:49.014982+00	2026-12-05 10:10:49.014982+00
\.
COPY public.job (id, run_id, seq, sample, design, state, attempt, failures, troubles, losses, memory_class, time_class, ready_at, session_id, leased_at, deadline_at, key, trace_sha256, waits_on, result_id, cached, failure, failure_text, finished_at) FROM stdin;
01a221a2-e6ef-725f-beee-afececc7a9d2	01a221a2-e6ef-752d-8489-e5a631e97d35	0	0	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x44a3442411b80f524d3be99cd03f982c9e0a1c68351688b25cfda044f50a1da8	2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	\N	01a221a2-e762-79c6-b750-2300c211d7ff	f	\N	\N	2026-11-28 10:10:53.908261+00
01a221a2-e6ef-71a1-83f8-838bf806239f	01a221a2-e6ef-752d-8489-e5a631e97d35	2	5	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x7659360999ba16da15bb145253302202cfac3e085aa850b72990acf087731c02	c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e	\N	01a221a2-e763-74aa-83ed-4e44e961ed1e	f	\N	\N	2026-11-28 10:10:53.908261+00
01a221a2-e6ef-7ba0-a79d-ce0ba5631b16	01a221a2-e6ef-752d-8489-e5a631e97d35	4	2	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf584b4ad7e1df3ba3a40e236ac11bca32593a78bf899355147d3eaba3e2c42df	558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0	\N	01a221a2-e763-7859-81de-0f807f06ae38	f	\N	\N	2026-11-28 10:10:53.908261+00
01a221a2-e6ef-7407-82ad-c43ea4a9f1f6	01a221a2-e6ef-752d-8489-e5a631e97d35	5	6	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x044b321be04c2dbf5d2811b284167b3fae79ba499d0bceab5c7e5a85d0f273e9	c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed	\N	01a221a2-e763-7b7d-a335-e0f9e98ef16e	f	\N	\N	2026-11-28 10:10:53.908261+00
01a221a2-e6ef-72af-bfc7-64ee6ac35069	01a221a2-e6ef-752d-8489-e5a631e97d35	6	4	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xc93f572319a5f93f9e1edcf75e4758cc381a910d79003d16dddc36f6b04ab156	27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4	\N	01a221a2-e763-750a-9d6f-9ed5a4c9c6fb	f	\N	\N	2026-11-28 10:10:53.908261+00
01a221a2-e6ef-72c2-8678-c7d6cb8f08a0	01a221a2-e6ef-752d-8489-e5a631e97d35	3	1	0	failed	1	0	0	0	0	0	\N	\N	\N	\N	\\x71fb4da69703aff1fcff1c8fc90f1235f621a5acef2b9e3648ad29273c3db0b0	0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d	\N	\N	f	quarantined	two workers simulated it, and had different results: a site admin decides (vivace result discard --quarantined)	2026-11-28 10:10:53.908261+00
01a221a2-e6ef-782d-80e2-511b06b329e1	01a221a2-e6ef-752d-8489-e5a631e97d35	1	3	0	ready	1	0	0	0	0	0	2026-11-28 10:11:00.626627+00	\N	\N	\N	\\x22b64ba0029f5b2a6804ab7f3979c19818e9a1dea91e414b23b91a126a80b1da	fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773	\N	\N	f	\N	\N	\N
01a221a2-f3cb-7109-9224-35b98c2cb1c3	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	5	5	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x7784444b12cea94556853cca9bc9292c986de7c8d5f34e840a375d601a5b9228	18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	\N	01a221a2-ff77-702a-aa30-04d03f607071	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a2-f3cb-7152-b62b-7591c7796f8e	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	0	0	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x0888df51d25a374e475c5e9247ce3d3a950f84a2399e4c561299b45db3bc8661	f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	\N	01a221a2-ff77-7ef5-a5d2-34675f42a07d	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a2-f3cb-71e0-9b6f-15b4017ae5ab	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	3	3	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x040eb93168e9f3ed1d2956d0a5aa2e1b3b79824a4342803a79db9368b623c622	6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	\N	01a221a2-ff77-723d-af0a-c02587b61822	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a2-f3cb-733b-a07a-f4f607121f1e	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	6	6	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x4ead3f9e4828a8aff26c9b10c0fee3de28f06005c6ad17267e6e3dc122f4308f	7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	\N	01a221a2-ff77-7a6f-95c5-7c4635e08ddf	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a2-f3cb-7399-bbfe-bf86df6fbd39	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	1	1	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xc24e5f3181ebe18ed6da3fdc00175f6cc1da90f57ed46289746b369fbb667102	de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	\N	01a221a2-ff77-7def-86e9-fcc39a590448	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a2-f3cb-785a-ae42-7dfc06efcea1	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	2	2	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xa09aae483537835a48c177ba67dbae64cd435d24bac01cb53653c818ee3f8e45	1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	\N	01a221a2-ff77-71c1-bd3c-a9916c2e56ff	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a2-f3cb-794e-b342-4a4ddfae5e77	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	7	7	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xd09f30f091e4c3623fcac7be42f7c7c87f579681c8f48d59721d2fa9e3534c8c	46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	\N	01a221a2-ff77-7cf4-bcc7-0434af0d830b	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a2-f3cb-7ee8-aaa7-8f7e98edf007	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	4	4	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x9b41f33f205e25e0b2d984034096bb0e11431b49e121e7011f8bd7a472d21708	ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	\N	01a221a2-ff77-70e9-ab09-b1827881bc2f	f	\N	\N	2026-11-28 10:11:00.086215+00
01a221a3-04c3-720f-bf07-3c67fa0bb06c	01a221a3-04c3-72c7-a474-478eac26321b	9	27	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x17389c07b4e1bdc86dbb4cbd40e980d8fa3cee5bee93e568c1a33d0b0ad9d07e	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-76e4-912b-502ea73e32f2	01a221a3-04c3-72c7-a474-478eac26321b	10	4	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x620b7d631151d47d2d91612c07a03cd1f207c01f6484cb7c92d7dfc09eb6e921	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7950-9c4e-31b3fc69cae3	01a221a3-04c3-72c7-a474-478eac26321b	8	23	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x98a7c3ed656c11f134e46b01f5d8f513cd0901b8fd72e049c98293ea8eaa85a6	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-70af-894e-6c0857bf4a44	01a221a3-04c3-72c7-a474-478eac26321b	11	17	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xd1824b7034b36f8863374ed06aeb0dfbb623745a999a982710b9894696033c0d	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7157-98ea-61baa88c614e	01a221a3-04c3-72c7-a474-478eac26321b	2	3	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x1e7634a7bb104c13629e923e2b98345e6cf9de4c6e95ebd2178fc77a1c63c369	\N	\N	01a221a3-0517-7623-8b39-d4a52f094304	f	\N	\N	2026-11-28 10:11:01.526797+00
01a221a3-04c3-77c6-93e3-988b67402ccc	01a221a3-04c3-72c7-a474-478eac26321b	3	32	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x12b15c0efa2692173e98ece74dd5a16aa0b6b029217e25309c062f5e629f30bc	\N	\N	01a221a3-0517-70d1-8997-e6b43e912044	f	\N	\N	2026-11-28 10:11:01.526797+00
01a221a3-04c3-7855-93b8-797f72817ea1	01a221a3-04c3-72c7-a474-478eac26321b	4	12	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xc63430b99c62641cbb777e43249bfdf70ce712b1badcdd062cea02e6e6c864b8	\N	\N	01a221a3-0517-7b74-9f46-8599adedc296	f	\N	\N	2026-11-28 10:11:01.526797+00
01a221a3-04c3-7a42-b9b8-366036e3a7c1	01a221a3-04c3-72c7-a474-478eac26321b	0	25	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x52d20bbbf0525a32010c6953d8647429d266cc9c049d486627559e55b64fff54	\N	\N	01a221a3-0517-797c-a7f6-bbf09fccc8db	f	\N	\N	2026-11-28 10:11:01.526797+00
01a221a3-04c3-7d05-9d21-3e36f50ad773	01a221a3-04c3-72c7-a474-478eac26321b	1	35	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xd335cadd8330d64739df92ae00234691d5acbb513dd158833bc8b348ecb6f0ca	\N	\N	01a221a3-0517-7eab-ad8d-65c33a2af789	f	\N	\N	2026-11-28 10:11:01.526797+00
01a221a3-04c3-7498-84fd-791455f5caf8	01a221a3-04c3-72c7-a474-478eac26321b	5	0	0	leased	1	0	0	0	0	0	2026-11-28 10:11:01.443059+00	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.539254+00	2026-11-28 14:11:01.539254+00	\\x12f1f97a72ce8651abe40d60152d856e87bae4f50d4543abb60f74c90d9cc339	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-74bb-8ba7-d7472a7f2a2d	01a221a3-04c3-72c7-a474-478eac26321b	6	34	0	leased	1	0	0	0	0	0	2026-11-28 10:11:01.443059+00	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.539254+00	2026-11-28 14:11:01.539254+00	\\x895086a00f240d234b10ca03ba7f8650a8df9e2cfb541c2f0e2d7c0322668759	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7f50-86d2-577e365602c3	01a221a3-04c3-72c7-a474-478eac26321b	7	31	0	leased	1	0	0	0	0	0	2026-11-28 10:11:01.443059+00	01a221a3-04fd-7297-b54f-0c637a04d2bd	2026-11-28 10:11:01.539254+00	2026-11-28 14:11:01.539254+00	\\x986b35a9730e304fbd83c18c45f016bd9ad6a38dba97aa8fe80e8757f1966a79	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-71ff-b3da-bc3cacb682cf	01a221a3-04c3-72c7-a474-478eac26321b	32	26	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x13cddf84c5588078810592e7738a89faf329c04e16dbd16f2ba26f7f22da8ba0	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-716a-bdf8-05316f67f18a	01a221a3-04c3-72c7-a474-478eac26321b	13	20	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x19f7bb2c23725fb12a59520e210e8eae117b58028ecb127e83c5d3a6fa88b939	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7923-82f5-4de1cf009942	01a221a3-04c3-72c7-a474-478eac26321b	24	21	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x1ab89d61a53848ac11230c90012a7c1df71690f15004a162a56925e913151d96	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7d05-bf30-95b43333212a	01a221a3-04c3-72c7-a474-478eac26321b	22	19	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x45800fc908bd1a6ae6d00c68a98ee8d324b9a4254b3d0904f2a7a90095026b5e	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7901-bbdb-8639229d9c06	01a221a3-04c3-72c7-a474-478eac26321b	16	1	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x5c7eb3f8a55e9e8b3ea0c9f5abd01c0484dccec8af20e2cc24230928688bde42	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7ce3-8611-aec24a0c89d2	01a221a3-04c3-72c7-a474-478eac26321b	17	15	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x68e6cbf0200b463056812fbd206ac1bb8cab0b5444839daed027b765d66ef2ff	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-729b-b6cb-570b9541b4bc	01a221a3-04c3-72c7-a474-478eac26321b	26	28	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x7714afb8c0db595213609a943083273f9db4645130981ca5ed14f0ed108fe7e1	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-732c-8ea7-ecddb070a898	01a221a3-04c3-72c7-a474-478eac26321b	35	6	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x0157d37520f9aeba069c381a0153eb085bff1c48bb9ffc65bb812f137edde223	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7a19-80bc-366b019fd73e	01a221a3-04c3-72c7-a474-478eac26321b	34	22	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x0f6c819083cb5f7e90e469c6abbc132f48e1c5b9908a44e3aa148a0561495ee7	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7f06-b6d2-4bb170eb00e0	01a221a3-04c3-72c7-a474-478eac26321b	23	2	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x109086f2158f48df0992f10a4dba35ceb3034c034001d732408c428e46ccf6d4	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7290-a310-834febf8a820	01a221a3-04c3-72c7-a474-478eac26321b	18	33	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x7c9d53df72b0ac994d456064fb2a04dff887502f19060aedd4589bbc2b5f8596	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7036-9f45-d42bb1985d0d	01a221a3-04c3-72c7-a474-478eac26321b	15	9	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x7f9d2d6cf0e7b11061d64cb5267036c10e2163a8e703d998ab5845e1d8ecbcdb	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7012-b7fb-ea3eefc37d93	01a221a3-04c3-72c7-a474-478eac26321b	19	13	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x8307fa71a7b01a23537e0d1f8f14759f41511c5cb967210053b5afc61c5439e1	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7716-9d70-5ac001262a99	01a221a3-04c3-72c7-a474-478eac26321b	29	24	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x908ad092d43bb3a8ed77e50094a8491c864b766df069da80747dd8189fbd1729	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7429-aab1-59a6cec078d6	01a221a3-04c3-72c7-a474-478eac26321b	20	7	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\x93f77fffab2803c3dba76025b98a63d649a4d1d40588ff69501e873762713c8e	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-748f-8c62-dc79971be112	01a221a3-04c3-72c7-a474-478eac26321b	31	30	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xa3ede1d1e6f0167806672b7eba6d49969cea9863f9e59209dddfee6ebbf5cfd6	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-72dc-8e5e-28371766afc9	01a221a3-04c3-72c7-a474-478eac26321b	33	16	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xaa3e898ae8323696360cbfcf1992a2d8aff8d3329ee64462093909c8fc4605de	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7b07-adf5-3723d3b6be2a	01a221a3-04c3-72c7-a474-478eac26321b	12	14	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xc2484859d6fd0785feef39bcdc3e3af68f8d41de561997deddd2dab7d4e645a8	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7189-8e89-902ce5a61e6f	01a221a3-04c3-72c7-a474-478eac26321b	30	8	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xc28403002aa39eef07fc22e82f009d3ce319f362381a83f7c11af3e816dfa538	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-774c-876c-02bd17d22833	01a221a3-04c3-72c7-a474-478eac26321b	21	5	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xcd7e615b953093cf3a6f1b18ca021720d2680ba8dc9dda3fbac0d3e53e609fc0	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-766d-96c3-0d6419b1973a	01a221a3-04c3-72c7-a474-478eac26321b	28	10	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xe543cc06703012b2d4a3c79eca13c3c8d9aae5c40dd5cd33414a9404254604e7	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7d9d-9f7a-cb5f20a41b3c	01a221a3-04c3-72c7-a474-478eac26321b	25	11	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xf0e9b747e5450701a9845c0cbd93efe193f84efc3c13793283d533d1c650ab19	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-70a9-9a8f-5371584203cb	01a221a3-04c3-72c7-a474-478eac26321b	27	29	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xf585e4f2ebed293bda9b58ac7930c1a6e1dbbe8a9b4092428825907167f62934	\N	\N	\N	f	\N	\N	\N
01a221a3-04c3-7ddd-b4bc-54fdb5840c98	01a221a3-04c3-72c7-a474-478eac26321b	14	18	0	ready	0	0	0	0	0	0	2026-11-28 10:11:01.443059+00	\N	\N	\N	\\xfda3d00a6a2874d2519125d9cec5c705ce48084014696d77c5e0f8b41d655aed	\N	\N	\N	f	\N	\N	\N
\.
COPY public.job_archive (id, run_id, seq, sample, design, state, attempt, failures, troubles, losses, memory_class, time_class, ready_at, session_id, leased_at, deadline_at, key, trace_sha256, waits_on, result_id, cached, failure, failure_text, finished_at) FROM stdin;
01a221a2-d929-707b-8afa-a2edd2c98f17	01a221a2-d929-7370-bfad-93b52a33cedc	4	23	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xb2be95e9eaea4f70ce3b632bd4c0ae6d6ec7d2a39d912df44bc90b833f22b5f3	\N	\N	01a221a2-da5b-7ee0-b08e-3ebef84c1d46	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-725b-b1d6-dd4922f65d33	01a221a2-d929-7370-bfad-93b52a33cedc	26	33	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x942c6f5a1599a4502625573a556411df19488d1a961a47f0abf7a041ef3169cf	\N	\N	01a221a2-da5b-78dd-8d27-a60647158b71	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7270-b08f-23e6c3444075	01a221a2-d929-7370-bfad-93b52a33cedc	15	17	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x9e2b0b24e4dbe63d5a20ddc22f9be4a2e5971ab3cc8db9f687299e8e6c6b250e	\N	\N	01a221a2-da5b-7c42-8237-dfd7022db1c3	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-727a-b889-20904384700d	01a221a2-d929-7370-bfad-93b52a33cedc	30	30	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x9cab782f4db231732f96c8f658a5110b4308d5e20ae1fcf65c07fb0a3ff2bd13	\N	\N	01a221a2-da5b-77c5-a95a-34c92f2a9947	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-728a-acfb-97cb408315d1	01a221a2-d929-7370-bfad-93b52a33cedc	35	29	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x5a06866c7a15912a02ef42bd5837f42bfc880655dbb47e7053c45eaba6d2444b	\N	\N	01a221a2-da5b-71f8-a1c5-b17b5b044aaf	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-72d8-bfe6-e5eb2b780958	01a221a2-d929-7370-bfad-93b52a33cedc	32	19	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x0a4425a7b255f9c9ebd21e5b28d38ade34f1431759dfa0c341d8ae9db00ac73f	\N	\N	01a221a2-da5b-7232-a31f-38b4f5c5337e	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-75bd-8a22-0b4032030f95	01a221a2-d929-7370-bfad-93b52a33cedc	18	34	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x801161c229ac260365b3a7a4c1bb7b465fd3dc936cead412f69c451d1899ae2c	\N	\N	01a221a2-da5b-7e63-be74-ec585f7e0c31	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-75ca-9565-81fac87d82b4	01a221a2-d929-7370-bfad-93b52a33cedc	20	15	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x00d39792a9b5bcfa6f007a0bc76c236cf74560bb59ba2f7558a0f661ac6abba0	\N	\N	01a221a2-da5b-778c-a5d4-bf0ad469dbbb	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7636-baae-8be5669b2b6b	01a221a2-d929-7370-bfad-93b52a33cedc	11	13	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x3493706477519f494e44b97d9a8d894825bb0c3798850badb32ee2aa674606ac	\N	\N	01a221a2-da5b-71a2-a016-0eb33396bdf4	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-780b-9f0d-6725d7654600	01a221a2-d929-7370-bfad-93b52a33cedc	13	25	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xa6a62fa4387fffde57e69b600f72f95f136890f9ea39555f8f068a2170c215e6	\N	\N	01a221a2-da5b-79cf-8525-3ba2dc5a7475	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-790c-9c93-bbedd4894afe	01a221a2-d929-7370-bfad-93b52a33cedc	33	35	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xa4ce4003110689c371841eeb8aad39bab206f9e4f53ebeb72d3d44089d557210	\N	\N	01a221a2-da5b-7b83-9b2d-229a5fdfde5e	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-798f-b34b-64182e02b452	01a221a2-d929-7370-bfad-93b52a33cedc	23	7	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x2e5bd0492890e4348ed93b7a6fd29dfd3f4d64728c088fa8646095839ff744bd	\N	\N	01a221a2-da5b-7bb5-a15f-a40efbab1fce	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-79f2-af49-bb09959868f4	01a221a2-d929-7370-bfad-93b52a33cedc	34	16	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x2e15713b155306e5e803f0f4d16749a913125ba099d9a56fa882091b8b765134	\N	\N	01a221a2-da5b-73e0-9cc0-518f6b64be86	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-79f9-8287-4b85cdd5488e	01a221a2-d929-7370-bfad-93b52a33cedc	31	11	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xaf7252818bcb9bba0f187dcd30439d25fd8cd726bbc7a76f039eccc7aa96ed87	\N	\N	01a221a2-da5b-736a-a27c-52a2f45a0e18	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7b00-98ae-73ef7570bef9	01a221a2-d929-7370-bfad-93b52a33cedc	1	3	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x861e2e5b71913e27582cc89489308c57c62c8cf6cb45b1374e266334025a503e	\N	\N	01a221a2-da5b-7be7-8e79-16a969e9c28c	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7c4a-88c8-fa16e878f178	01a221a2-d929-7370-bfad-93b52a33cedc	8	28	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x9195938bfbadf3920ff7c0f831d5b92674ef88a8105f55ed0ad1ad4164382598	\N	\N	01a221a2-da5b-70ca-9d7e-2090fdb16192	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7c82-bba1-470515ba2654	01a221a2-d929-7370-bfad-93b52a33cedc	2	32	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x1a5b51a7de450c3d403e3a6dab6a274523e533d0b00535eff9f15154ba28ee7c	\N	\N	01a221a2-da5b-79c6-b368-2df99ec45444	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7d0d-9f56-883d00552135	01a221a2-d929-7370-bfad-93b52a33cedc	7	4	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x1e116ca495b58c8fa4bd8c70c1e581a39f33422885a667dd6f4cfa10b3b437c9	\N	\N	01a221a2-da5b-73ba-bcb3-35839572ecca	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7d64-97dc-469c4f945427	01a221a2-d929-7370-bfad-93b52a33cedc	17	24	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x4f7420e5cea192d70b1ce8d82e5151a25acd3898d9060ee46a3312328d3945a0	\N	\N	01a221a2-da5b-7d13-a84b-5101fc274098	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7d80-beda-0be65e093464	01a221a2-d929-7370-bfad-93b52a33cedc	6	21	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x219f555dfe8e7489fbf6a452fbfed4b05bd1121d6000ffff40220e046cfa5f8b	\N	\N	01a221a2-da5b-776b-b2b2-83d6e95a9888	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7dc9-9556-97797ddb35dc	01a221a2-d929-7370-bfad-93b52a33cedc	28	27	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xa3308ad19d407d65d6af3e841bd28cc1b7338a4024dd13332b74abf8a0118322	\N	\N	01a221a2-da5b-74a7-a6e2-c7350f640dd1	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7efd-9d0d-e10c09099296	01a221a2-d929-7370-bfad-93b52a33cedc	16	22	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x3a72126baa5978624b48dd9b351dc0b2019619cb0973cd381942ee0ed1da886f	\N	\N	01a221a2-da5b-7fde-bc95-5e65d280475e	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7f1b-8752-e5300f11f70b	01a221a2-d929-7370-bfad-93b52a33cedc	10	2	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x888db80c8a7ec2df8cdaea499a2d888501d1d226305efc38c256198965b84566	\N	\N	01a221a2-da5b-7dfc-b23b-ae891bc39ece	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-72de-aeff-b92d45c44a9c	01a221a2-d929-7370-bfad-93b52a33cedc	9	10	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf603482c4d1e849b114d920b33e826584bf1f0064bcde523fbe9f3cd0220df06	\N	\N	01a221a2-da5b-7a3f-a7d5-a0c2bc75d2d4	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-74d1-a942-6b4933e12440	01a221a2-d929-7370-bfad-93b52a33cedc	5	6	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xd5a2cc5084c8a3d0f3bc062784a741dfa6b0e0a21023839c362d78bb41d2b12c	\N	\N	01a221a2-da5b-754f-98da-1cbaf0db2162	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7612-8a3b-a9449e921818	01a221a2-d929-7370-bfad-93b52a33cedc	12	12	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf4c80726eeeee08b30298c4db7ebb4be78930e29bf1636df496e73d53fda4cc9	\N	\N	01a221a2-da5b-735b-b353-abe37ceb45e5	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-766d-9740-9ac91735bb53	01a221a2-d929-7370-bfad-93b52a33cedc	19	26	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xc5c64e3cb0eec5c9b607dfb5ee0d32a53a98eb20cfb75f4c6fdcfd836415c643	\N	\N	01a221a2-da5b-7152-9ecb-e29376bf88ba	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-76ee-afb9-7f3371176859	01a221a2-d929-7370-bfad-93b52a33cedc	0	5	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xca47425f1e024321b28184b04a91c075d8208c441897f102894580c03d5f6503	\N	\N	01a221a2-da5b-7995-af9f-e5ba572ae5d5	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7706-82a1-36c4a028bff1	01a221a2-d929-7370-bfad-93b52a33cedc	25	18	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xe6a95f1d5ca2316c741465bd9f5607fefcfa0fb5978c50925119881cdd232549	\N	\N	01a221a2-da5b-7038-a8a4-c6242a6ce98d	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7720-9168-c8f0d4a6551e	01a221a2-d929-7370-bfad-93b52a33cedc	22	14	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xb2cfa9226de30f0cd676be5d59d6ee5c64e1db555a4b2f184965758ee84621c6	\N	\N	01a221a2-da5b-7b29-911a-3b7de5a436f2	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-78af-9dee-4b350a8a1efa	01a221a2-d929-7370-bfad-93b52a33cedc	24	0	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xd06fe25f1e765fc23ac5ac75883bda55f047b8a404d500310d5a2e9917263231	\N	\N	01a221a2-da5b-7843-9c6d-5a9134f083da	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-794f-9025-9dbfdfbee0ed	01a221a2-d929-7370-bfad-93b52a33cedc	3	1	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf7ddaf504d32b5d13210cce9728b473f876ee23a05efee5c7027d877a9d83dcf	\N	\N	01a221a2-da5b-7c15-9048-6f817187a854	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-797d-b521-f8c80157460e	01a221a2-d929-7370-bfad-93b52a33cedc	21	31	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf9a656f84683f4d9f3343d5d84eb5e0376835604196540663a218dcd49e86776	\N	\N	01a221a2-da5b-7c4e-a730-ab7a1059e157	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7afd-9c8c-0db8e88b53b0	01a221a2-d929-7370-bfad-93b52a33cedc	27	20	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xd5300101fdddd7fc7a1d4a58fd73ac1c7c1ad92963f0b7ded77fe06c59c863a4	\N	\N	01a221a2-da5b-7ee0-b708-10daf27c404f	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7bf2-9da4-d8370c64827a	01a221a2-d929-7370-bfad-93b52a33cedc	14	8	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xc64e079c4eee0cda47c931877f37c940376ad2427bd45d4f39d8a365e07bfeb7	\N	\N	01a221a2-da5b-7d15-8755-e3d03f832268	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-d929-7cd1-a5e7-1d85f6271227	01a221a2-d929-7370-bfad-93b52a33cedc	29	9	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xd1fa51bd2ac68f08faff64e8ad37a10aa5671a9b46af43538f647269ab901f18	\N	\N	01a221a2-da5b-73db-9474-c7d5d8d6c7ab	f	\N	\N	2026-11-28 10:10:50.573909+00
01a221a2-dda1-71d7-b89b-bc45c66773a4	01a221a2-dda5-7725-8b92-b2475331b733	1	0	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x460004622362827d35977ffd11a07f6dfd1bb57839dbe85d70222f002cfb68dd	\N	\N	01a221a2-de7c-7130-bf7e-9d2ff4859e7f	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-76dc-9ddb-34717c83dfe3	01a221a2-dda5-7725-8b92-b2475331b733	7	1	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x21d444d7a6787e8dde9def04ddeebd6ae8575196497ea4904c0ee2dfcd954139	\N	\N	01a221a2-de7c-7b16-b75f-9bdcd3a1d70d	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7a53-b112-d64d0c769d96	01a221a2-dda5-7725-8b92-b2475331b733	6	1	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x21d444d7a6787e8dde9def04ddeebd6ae8575196497ea4904c0ee2dfcd954139	\N	\N	01a221a2-de7c-7b16-b75f-9bdcd3a1d70d	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7b8e-ab1d-6ef8c66dd429	01a221a2-dda5-7725-8b92-b2475331b733	0	0	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x460004622362827d35977ffd11a07f6dfd1bb57839dbe85d70222f002cfb68dd	\N	\N	01a221a2-de7c-7130-bf7e-9d2ff4859e7f	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-740d-ae44-dddc1c2ef0bd	01a221a2-dda5-7725-8b92-b2475331b733	2	17	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x4e8db7ac03e4435eaa4033cb2ebe7eea77d2cf7723ed4c116eef54a053b4dd3c	\N	\N	01a221a2-de7c-74ed-b9c4-da98f91f25d9	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-734e-a4e9-ec6fafe1693f	01a221a2-dda5-7725-8b92-b2475331b733	3	17	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x4e8db7ac03e4435eaa4033cb2ebe7eea77d2cf7723ed4c116eef54a053b4dd3c	\N	\N	01a221a2-de7c-74ed-b9c4-da98f91f25d9	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7c33-bdc8-926969765e93	01a221a2-dda5-7725-8b92-b2475331b733	4	9	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf08498732095e3c7869ccb5ffe33eee8179066ffdae27d986898e24c3f8fe22d	\N	\N	01a221a2-de7c-7652-9d2a-2c60969ea187	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7943-98dd-9fe03c41092e	01a221a2-dda5-7725-8b92-b2475331b733	5	9	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xf08498732095e3c7869ccb5ffe33eee8179066ffdae27d986898e24c3f8fe22d	\N	\N	01a221a2-de7c-7652-9d2a-2c60969ea187	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-70bf-9d91-b5deac1f1d3c	01a221a2-dda5-7725-8b92-b2475331b733	8	6	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xafc2a949671dbdae328952d6d7b7edeb2aa4eacaa29cf10db1205445f08728a8	\N	\N	01a221a2-de7c-706e-bcac-fc4e29c070bc	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-72e2-b569-19a20a0d7374	01a221a2-dda5-7725-8b92-b2475331b733	27	3	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x89d6531b8392bc1816fcae9e87e877fa51352c7e5017f366b4e9f916f779ddec	\N	\N	01a221a2-de7c-7124-9d50-da7960b5b372	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7db6-be1a-886e2072451e	01a221a2-dda5-7725-8b92-b2475331b733	9	6	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xafc2a949671dbdae328952d6d7b7edeb2aa4eacaa29cf10db1205445f08728a8	\N	\N	01a221a2-de7c-706e-bcac-fc4e29c070bc	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-796f-90ed-fa22eda27b61	01a221a2-dda5-7725-8b92-b2475331b733	10	8	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x918ff9db1c8196f174eedc8dd6240131258319d9712b2f915ae29039ba440fcf	\N	\N	01a221a2-de7c-7f1c-ac89-af31c7f96076	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7205-a4dd-6f6cfbdf0f26	01a221a2-dda5-7725-8b92-b2475331b733	11	8	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x918ff9db1c8196f174eedc8dd6240131258319d9712b2f915ae29039ba440fcf	\N	\N	01a221a2-de7c-7f1c-ac89-af31c7f96076	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7be4-b14d-174d7677f572	01a221a2-dda5-7725-8b92-b2475331b733	12	10	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x08845b54f9b3cbb19795a4a4dcb83b18562a0ec2100f658f7925032e748e4668	\N	\N	01a221a2-de7c-7ad5-b45a-d7b617256103	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7fe1-a3e5-d32a1ea4472e	01a221a2-dda5-7725-8b92-b2475331b733	13	10	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x08845b54f9b3cbb19795a4a4dcb83b18562a0ec2100f658f7925032e748e4668	\N	\N	01a221a2-de7c-7ad5-b45a-d7b617256103	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-72ad-af8b-9c30a7d74261	01a221a2-dda5-7725-8b92-b2475331b733	14	11	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x9959f78c946815af154593f81ee9210ed41334e4982700336ca424ca149c3ec9	\N	\N	01a221a2-de7c-7aa3-bcc4-701f4a077f0e	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-76c2-ac85-d0044220d6a4	01a221a2-dda5-7725-8b92-b2475331b733	15	11	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x9959f78c946815af154593f81ee9210ed41334e4982700336ca424ca149c3ec9	\N	\N	01a221a2-de7c-7aa3-bcc4-701f4a077f0e	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-719d-b942-cd5d718a8206	01a221a2-dda5-7725-8b92-b2475331b733	16	28	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xb11e924fe2d71a84319b45c823f4002473bfae60cae7ae400aa3f4e5bc8c48f3	\N	\N	01a221a2-de7c-7a17-bf96-2b80b6b215dd	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7f8a-b344-7d101f45f752	01a221a2-dda5-7725-8b92-b2475331b733	17	28	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xb11e924fe2d71a84319b45c823f4002473bfae60cae7ae400aa3f4e5bc8c48f3	\N	\N	01a221a2-de7c-7a17-bf96-2b80b6b215dd	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7b13-8e03-60716dd61941	01a221a2-dda5-7725-8b92-b2475331b733	18	16	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xb0526c8446d8f3e26cf275171a314797c49127c959c0ca40fa26750111bce8b6	\N	\N	01a221a2-de7c-720c-b504-0993b2b948c2	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7950-8e75-b28bbc6074e9	01a221a2-dda5-7725-8b92-b2475331b733	19	16	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xb0526c8446d8f3e26cf275171a314797c49127c959c0ca40fa26750111bce8b6	\N	\N	01a221a2-de7c-720c-b504-0993b2b948c2	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7e13-be57-159397a9b40d	01a221a2-dda5-7725-8b92-b2475331b733	20	19	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xbf2546719f7c56098b22667da02f91706817601a06cfcfa29294f514af41d778	\N	\N	01a221a2-de7c-7159-aea3-ad540d9899e5	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-79f6-a982-f0646078b60b	01a221a2-dda5-7725-8b92-b2475331b733	21	19	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xbf2546719f7c56098b22667da02f91706817601a06cfcfa29294f514af41d778	\N	\N	01a221a2-de7c-7159-aea3-ad540d9899e5	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-762b-b0f5-d0a763ab356d	01a221a2-dda5-7725-8b92-b2475331b733	22	20	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x44adc69c9f00a62b4e459d242488745503a35d2bf144b71a496bd4ed9fb6c940	\N	\N	01a221a2-de7c-7376-a853-b768ee7e9475	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7262-87b2-0c22ade542ad	01a221a2-dda5-7725-8b92-b2475331b733	23	20	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x44adc69c9f00a62b4e459d242488745503a35d2bf144b71a496bd4ed9fb6c940	\N	\N	01a221a2-de7c-7376-a853-b768ee7e9475	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-778b-8aae-371c3b35e0a2	01a221a2-dda5-7725-8b92-b2475331b733	24	23	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x3d213cecf2813b6fe531977a752fc7a2089a5676d855eeb3bb61b0cf627e8aaa	\N	\N	01a221a2-de7c-70e9-a1c8-c850ffdd5fc0	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-741e-9f19-735002f8a92f	01a221a2-dda5-7725-8b92-b2475331b733	25	23	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x3d213cecf2813b6fe531977a752fc7a2089a5676d855eeb3bb61b0cf627e8aaa	\N	\N	01a221a2-de7c-70e9-a1c8-c850ffdd5fc0	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-78fd-8160-710502a2e1ec	01a221a2-dda5-7725-8b92-b2475331b733	28	15	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xa2cb1935d27c2137ef5cd0c1ff108dd422fd9fb3d8ca003e589b3312a90bdaf1	\N	\N	01a221a2-de7c-75fc-8884-f555ad66952e	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-799a-b26e-890a102a71e2	01a221a2-dda5-7725-8b92-b2475331b733	29	15	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xa2cb1935d27c2137ef5cd0c1ff108dd422fd9fb3d8ca003e589b3312a90bdaf1	\N	\N	01a221a2-de7c-75fc-8884-f555ad66952e	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-77a4-83c2-c07d38b305ca	01a221a2-dda5-7725-8b92-b2475331b733	30	14	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x8c0e31124d5c8e73742d6e5f53e3ce38afd9163464d649f81018901239351895	\N	\N	01a221a2-de7c-7357-98cd-34f208c147e0	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7054-a3ec-0f8c73ea60aa	01a221a2-dda5-7725-8b92-b2475331b733	31	14	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\x8c0e31124d5c8e73742d6e5f53e3ce38afd9163464d649f81018901239351895	\N	\N	01a221a2-de7c-7357-98cd-34f208c147e0	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7a02-8f5f-ba49d736fedb	01a221a2-dda5-7725-8b92-b2475331b733	34	18	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xca060ae62c3dd96a01b5dfa6f7240fa2fe88016535a3cec1b8cc23c96d943fea	\N	\N	01a221a2-de7c-740d-ac28-2017bbb6e1e2	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7a92-bb0c-f9344eeecbae	01a221a2-dda5-7725-8b92-b2475331b733	41	2	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xd83c45d28babafb2f878d63dff9b2d0970bd64fdaf77c0aa6c56e0505d93bc79	\N	\N	01a221a2-de7c-7e18-99a7-dab32fc13727	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-73cc-a23b-7fe771ef5e52	01a221a2-dda5-7725-8b92-b2475331b733	40	2	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xd83c45d28babafb2f878d63dff9b2d0970bd64fdaf77c0aa6c56e0505d93bc79	\N	\N	01a221a2-de7c-7e18-99a7-dab32fc13727	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7e86-b5aa-c45908ce1d35	01a221a2-dda5-7725-8b92-b2475331b733	26	3	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x89d6531b8392bc1816fcae9e87e877fa51352c7e5017f366b4e9f916f779ddec	\N	\N	01a221a2-de7c-7124-9d50-da7960b5b372	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-78bc-a34b-0e27efb81896	01a221a2-dda5-7725-8b92-b2475331b733	32	21	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xedd3e3305e9f6286bb88347c0527d237da50035d522bf41897cf44e643c1b024	\N	\N	01a221a2-de7c-7ea4-b537-467bb34e389a	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7192-af32-37c7325bf6e0	01a221a2-dda5-7725-8b92-b2475331b733	33	21	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xedd3e3305e9f6286bb88347c0527d237da50035d522bf41897cf44e643c1b024	\N	\N	01a221a2-de7c-7ea4-b537-467bb34e389a	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7f50-bb69-474032c2e6f8	01a221a2-dda5-7725-8b92-b2475331b733	35	18	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xca060ae62c3dd96a01b5dfa6f7240fa2fe88016535a3cec1b8cc23c96d943fea	\N	\N	01a221a2-de7c-740d-ac28-2017bbb6e1e2	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-77c1-bc25-a56a78ec7dd9	01a221a2-dda5-7725-8b92-b2475331b733	36	27	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xda6cce0ef45135a565aebd49b65362adb478a77e62bb381c9053271d9479b396	\N	\N	01a221a2-de7c-7bf7-8c88-c1a926b0efea	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7386-a711-5d1887b12fd2	01a221a2-dda5-7725-8b92-b2475331b733	37	27	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xda6cce0ef45135a565aebd49b65362adb478a77e62bb381c9053271d9479b396	\N	\N	01a221a2-de7c-7bf7-8c88-c1a926b0efea	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-76d8-bc4a-91397da09b8e	01a221a2-dda5-7725-8b92-b2475331b733	38	22	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf2efa5dc560b314ebcd81e14aa5e2881efff3675c15c16328ecfc904b46c39ed	\N	\N	01a221a2-de7c-7d05-bc11-a866e8bfb5b1	f	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-dda1-7453-8ba5-1d754b6a6054	01a221a2-dda5-7725-8b92-b2475331b733	39	22	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.42514+00	\N	\N	\N	\\xf2efa5dc560b314ebcd81e14aa5e2881efff3675c15c16328ecfc904b46c39ed	\N	\N	01a221a2-de7c-7d05-bc11-a866e8bfb5b1	t	\N	\N	2026-11-28 10:10:51.63863+00
01a221a2-deb4-7781-a01c-30b87c6fe8ea	01a221a2-dda5-7725-8b92-b2475331b733	43	25	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\x4417ec69a80f95cc245174ec2d5b8f1977fe131262b94b485378ecbbd4298f2c	\N	\N	01a221a2-df27-71ca-8fa0-d0ac75dd94b6	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-7bdc-9214-95aef1cd295e	01a221a2-dda5-7725-8b92-b2475331b733	45	7	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\xbfa1b2aeb63456bf753f3dd9c5a842b91fed7daeb6e7b9c9cf993540e3d18145	\N	\N	01a221a2-df27-7ef8-96a6-923b93bc8986	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-761c-907d-dee7759dbf4d	01a221a2-dda5-7725-8b92-b2475331b733	42	25	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x4417ec69a80f95cc245174ec2d5b8f1977fe131262b94b485378ecbbd4298f2c	\N	\N	01a221a2-df27-71ca-8fa0-d0ac75dd94b6	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-7627-90f6-c4fa9e6b22b6	01a221a2-dda5-7725-8b92-b2475331b733	46	24	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x2e8540c236a98f0615d8a82b9eafd7b8f17022e67142eadcbdd269f6a83b8cf2	\N	\N	01a221a2-df27-7b34-9f18-f54567b62665	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-7f16-9f14-9ce5963a09c5	01a221a2-dda5-7725-8b92-b2475331b733	44	7	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xbfa1b2aeb63456bf753f3dd9c5a842b91fed7daeb6e7b9c9cf993540e3d18145	\N	\N	01a221a2-df27-7ef8-96a6-923b93bc8986	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-7367-82f8-f34b601fa05e	01a221a2-dda5-7725-8b92-b2475331b733	53	12	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\xa82ca39012b621767acfa5a224f1e1f62133044c0a0b968effe717ff4d81cf55	\N	\N	01a221a2-df27-7ad2-a110-fe1278591e37	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-74dc-b190-d661de955d16	01a221a2-dda5-7725-8b92-b2475331b733	55	26	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\xad78cbc262fe91aed821056c89eb002b12c1efdc5de197b2e0bc3b591a3984a4	\N	\N	01a221a2-df27-71cd-98f4-f81eaca9f871	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-764d-84e7-a802684c56f8	01a221a2-dda5-7725-8b92-b2475331b733	49	5	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\x50a78b233705cd26cc0c80e58a04e8820292e32f62a6130a544fefa617137367	\N	\N	01a221a2-df27-728f-b968-08bd7bb625c0	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-772c-b69e-04499affdfe3	01a221a2-dda5-7725-8b92-b2475331b733	47	24	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\x2e8540c236a98f0615d8a82b9eafd7b8f17022e67142eadcbdd269f6a83b8cf2	\N	\N	01a221a2-df27-7b34-9f18-f54567b62665	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-7736-a4d9-daf028690ecd	01a221a2-dda5-7725-8b92-b2475331b733	51	13	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\x832fa16533767159ef74ca70e1b10534090f5bf63d31c0303c1fc89d946820bd	\N	\N	01a221a2-df27-7a84-b8f1-48d07b198b14	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-79be-8d54-6444096cf57b	01a221a2-dda5-7725-8b92-b2475331b733	57	4	1	done	0	0	0	0	0	0	2026-11-28 10:10:51.700442+00	\N	\N	\N	\\x0eb7755626fb7b5c844eed382fd413e46501badf35b4c108dcd032e88e093877	\N	\N	01a221a2-df27-795b-a74b-54005758e9ff	t	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-758c-b81f-1878ff4fe527	01a221a2-dda5-7725-8b92-b2475331b733	52	12	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xa82ca39012b621767acfa5a224f1e1f62133044c0a0b968effe717ff4d81cf55	\N	\N	01a221a2-df27-7ad2-a110-fe1278591e37	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-760f-bd3e-1bae28f384d9	01a221a2-dda5-7725-8b92-b2475331b733	50	13	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x832fa16533767159ef74ca70e1b10534090f5bf63d31c0303c1fc89d946820bd	\N	\N	01a221a2-df27-7a84-b8f1-48d07b198b14	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-76ab-b13a-47ea0d084d42	01a221a2-dda5-7725-8b92-b2475331b733	54	26	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xad78cbc262fe91aed821056c89eb002b12c1efdc5de197b2e0bc3b591a3984a4	\N	\N	01a221a2-df27-71cd-98f4-f81eaca9f871	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-793d-a90e-3bc186d5bceb	01a221a2-dda5-7725-8b92-b2475331b733	48	5	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x50a78b233705cd26cc0c80e58a04e8820292e32f62a6130a544fefa617137367	\N	\N	01a221a2-df27-728f-b968-08bd7bb625c0	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-deb4-7bdc-99f0-27163b43af7b	01a221a2-dda5-7725-8b92-b2475331b733	56	4	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x0eb7755626fb7b5c844eed382fd413e46501badf35b4c108dcd032e88e093877	\N	\N	01a221a2-df27-795b-a74b-54005758e9ff	f	\N	\N	2026-11-28 10:10:51.814938+00
01a221a2-e1f3-7030-be95-bb4ef6f3cca6	01a221a2-e1f9-7700-9d70-46485db78b5f	7	5	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x31e5e0cbf3f619f77d4ed3610707e76f9081f0379b8d86b2dabcd347eb795ac4	\N	\N	01a221a2-e28f-743f-9060-cf693037b189	f	\N	\N	2026-11-28 10:10:52.686843+00
01a221a2-e1f3-742d-ab98-789dc653ca33	01a221a2-e1f9-7700-9d70-46485db78b5f	3	1	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xf2e3036c1fac26ed852d667b7f339198127bec85b6351ec4ec61ba16aca54584	\N	\N	01a221a2-e28f-7b07-8934-ed3f576b8c6e	f	\N	\N	2026-11-28 10:10:52.686843+00
01a221a2-e1f3-74b7-876f-ea3e5bc7ad7c	01a221a2-e1f9-7700-9d70-46485db78b5f	4	6	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x861095106abe60e5afab762d75ea6fa307bd8879a8bc0c895958ee60a478d365	\N	\N	01a221a2-e28f-768b-8821-f5c8b2a82c77	f	\N	\N	2026-11-28 10:10:52.686843+00
01a221a2-e1f3-7863-8d48-e0246cc0489c	01a221a2-e1f9-7700-9d70-46485db78b5f	5	4	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x32be3354b3bf9a7b6eb138d2911964b55c97e79561031d48defc60c83a5f13c2	\N	\N	01a221a2-e28f-7235-9401-a18531988208	f	\N	\N	2026-11-28 10:10:52.686843+00
01a221a2-e1f3-7b7b-8ec7-752f2a92d8d9	01a221a2-e1f9-7700-9d70-46485db78b5f	2	7	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x689bc175a7fd203562f697fe59e0d4309baa01f192b7181b1ec772011e8abb4f	\N	\N	01a221a2-e28f-7625-89f6-e9ea157d06df	f	\N	\N	2026-11-28 10:10:52.686843+00
01a221a2-e1f3-7e66-8c2e-e4457cc3d7fb	01a221a2-e1f9-7700-9d70-46485db78b5f	1	2	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xfe55455e0cc32eb610d04484000b5bc44850523f99d06ed24342d2824e57d99b	\N	\N	01a221a2-e28f-78c1-8309-d4234b15a3b0	f	\N	\N	2026-11-28 10:10:52.686843+00
01a221a2-e1f3-7ed0-93e8-73650a60ca01	01a221a2-e1f9-7700-9d70-46485db78b5f	6	3	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x1f3e2393a858c681da9d3da13c22638eed0e4250ebb6a4a898c009cc9cbab858	\N	\N	01a221a2-e28f-70f4-a2c2-5a549b218ffa	f	\N	\N	2026-11-28 10:10:52.686843+00
01a221a2-e2e8-7709-b1e2-3d64e06735bc	01a221a2-e1f9-7700-9d70-46485db78b5f	8	0	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\xa5da7c5435f534cc418b23e4725b7526e4e18ae4d66bb70ab8469999f50eacac	\N	\N	01a221a2-e3a7-784d-8b40-3fb7a4bfe102	f	\N	\N	2026-11-28 10:10:52.967242+00
01a221a2-f204-7513-9aa3-3ede191bab90	01a221a2-f205-7885-9250-f688e7e51706	0	1	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x5b4fa8e498f0835a8607e0981bedd28ff7da5693701a6df5cd43fbef5158722f	c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	\N	01a221a2-f324-7233-9777-5a2cf08a54b3	f	\N	\N	2026-11-28 10:10:56.932308+00
01a221a2-f204-7775-b31c-7eb0ef41737e	01a221a2-f205-7885-9250-f688e7e51706	1	0	0	done	1	0	0	0	0	0	\N	\N	\N	\N	\\x4a406f3b6244904e4665b353c75af6f36d831c9cd50ef25a3d1f35f9b09a963e	1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	\N	01a221a2-f324-7fcb-ac1a-f10d7b3109d5	f	\N	\N	2026-11-28 10:10:56.932308+00
\.
COPY public.job_tally (run_id, blocked, ready, leased, done, failed, cancelled, folded) FROM stdin;
01a221a2-e6ef-752d-8489-e5a631e97d35	0	1	0	5	1	0	t
01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	0	0	0	8	0	0	t
01a221a2-f205-7885-9250-f688e7e51706	0	0	0	2	0	0	t
01a221a2-f205-7885-9250-f688e7e51706	0	0	0	-2	0	0	f
01a221a2-f205-7885-9250-f688e7e51706	0	0	0	2	0	0	f
01a221a3-04c3-72c7-a474-478eac26321b	36	0	0	0	0	0	f
01a221a3-04c3-72c7-a474-478eac26321b	-36	36	0	0	0	0	f
01a221a3-04c3-72c7-a474-478eac26321b	0	-5	5	0	0	0	f
01a221a3-04c3-72c7-a474-478eac26321b	0	0	-5	5	0	0	f
01a221a3-04c3-72c7-a474-478eac26321b	0	-3	3	0	0	0	f
\.
COPY public.kernel (profile_id, index, name, mangled_name, grid, block, registers, shared_bytes, name_id, calls, total, mean, cov, min, max) FROM stdin;
01a221a2-d875-793c-9d67-fbd7e22100ba	0	k0	\N	{1,1,1}	{128,1,1}	16	0	0	50	22580	451.59999999999997	0.06609823950584179	401	500
01a221a2-d875-793c-9d67-fbd7e22100ba	1	k1	\N	{2,1,1}	{128,1,1}	16	0	1	50	22511	450.21999999999997	0.06447980316075734	401	500
01a221a2-d875-793c-9d67-fbd7e22100ba	2	k2	\N	{3,1,1}	{128,1,1}	16	0	2	50	22543	450.85999999999996	0.06465857774802466	403	501
01a221a2-d875-793c-9d67-fbd7e22100ba	3	k3	\N	{4,1,1}	{128,1,1}	16	0	3	50	22575	451.49999999999994	0.06660808260789156	402	501
01a221a2-dd0f-776a-930e-b3d57bfa93f0	0	k0	\N	{1,1,1}	{128,1,1}	16	0	0	50	22680	453.59999999999997	0.06580680106004883	403	502
01a221a2-dd0f-776a-930e-b3d57bfa93f0	1	k1	\N	{2,1,1}	{128,1,1}	16	0	1	50	22611	452.21999999999997	0.06419463309680282	403	502
01a221a2-dd0f-776a-930e-b3d57bfa93f0	2	k2	\N	{3,1,1}	{128,1,1}	16	0	2	50	22643	452.85999999999996	0.0643730211621128	405	503
01a221a2-dd0f-776a-930e-b3d57bfa93f0	3	k3	\N	{4,1,1}	{128,1,1}	16	0	3	50	22675	453.49999999999994	0.06631433141667704	404	503
01a221a2-e18a-7bd3-b920-6d0ff88a3622	0	steady(float *)	\N	{4,1,1}	{64,1,1}	16	0	0	100	106000	1059.9999999999998	0.03792595529280047	1000	1120
01a221a2-e18a-7bd3-b920-6d0ff88a3622	1	wild(float *, int)	\N	{8,2,1}	{64,1,1}	16	0	1	60	270290	4504.833333333334	0.31992031668167786	2055	6895
01a221a2-e573-7de3-9b50-467893c56809	0	steady(float *)	\N	{4,1,1}	{64,1,1}	16	0	0	100	106040	1060.3999999999996	0.03800441904580936	1000	1120
01a221a2-e573-7de3-9b50-467893c56809	1	wild(float *, int)	\N	{8,2,1}	{64,1,1}	16	0	1	60	274605	4576.749999999999	0.3255417414493964	2145	6985
01a221a2-f1a3-7a35-b133-43519697527d	0	degrees	\N	{128,1,1}	{256,1,1}	0	0	0	1	21504	21504	0	21504	21504
01a221a2-f1a3-7a35-b133-43519697527d	1	scan	\N	{129,1,1}	{256,1,1}	0	0	1	1	97226	97226	0	97226	97226
01a221a2-f1a3-7a35-b133-43519697527d	2	scan	\N	{1,1,1}	{256,1,1}	0	0	1	1	736	736	0	736	736
01a221a2-f1a3-7a35-b133-43519697527d	3	add_totals	\N	{129,1,1}	{256,1,1}	0	0	2	1	17544	17544	0	17544	17544
01a221a2-f1a3-7a35-b133-43519697527d	4	start	\N	{1,1,1}	{1,1,1}	0	0	3	1	15	15	0	15	15
01a221a2-f1a3-7a35-b133-43519697527d	5	push	\N	{16,1,1}	{128,1,1}	0	0	4	12	55468	4622.333333333334	1.5976350786865405	911	24423
01a221a2-f1a3-7a35-b133-43519697527d	6	sweep	\N	{128,1,1}	{256,1,1}	0	0	5	4	874654	218663.5	0.3061622988398871	142915	297263
01a221a2-f1a3-7a35-b133-43519697527d	7	collect	\N	{128,1,1}	{256,1,1}	0	0	6	1	46622	46622	0	46622	46622
01a221a3-0053-76ac-8a7c-5988793a0884	0	degrees	\N	{128,1,1}	{256,1,1}	0	0	0	1	1000	1000	0	1000	1000
01a221a3-0053-76ac-8a7c-5988793a0884	1	scan	\N	{129,1,1}	{256,1,1}	0	0	1	1	1000	1000	0	1000	1000
01a221a3-0053-76ac-8a7c-5988793a0884	2	scan	\N	{1,1,1}	{256,1,1}	0	0	1	1	1000	1000	0	1000	1000
01a221a3-0053-76ac-8a7c-5988793a0884	3	add_totals	\N	{129,1,1}	{256,1,1}	0	0	2	1	1000	1000	0	1000	1000
01a221a3-0053-76ac-8a7c-5988793a0884	4	start	\N	{1,1,1}	{1,1,1}	0	0	3	1	1000	1000	0	1000	1000
01a221a3-0053-76ac-8a7c-5988793a0884	5	push	\N	{16,1,1}	{128,1,1}	0	0	4	12	51344	4278.666666666666	1.5939393287898214	851	22565
01a221a3-0053-76ac-8a7c-5988793a0884	6	sweep	\N	{128,1,1}	{256,1,1}	0	0	5	4	4539	1134.75	0.30359109936109274	745	1539
01a221a3-0053-76ac-8a7c-5988793a0884	7	collect	\N	{128,1,1}	{256,1,1}	0	0	6	1	1000	1000	0	1000	1000
01a221a3-048d-7a77-8876-ad16afb7d049	0	k0	\N	{1,1,1}	{128,1,1}	16	0	0	50	22630	452.59999999999997	0.06595219832266494	402	501
01a221a3-048d-7a77-8876-ad16afb7d049	1	k1	\N	{2,1,1}	{128,1,1}	16	0	1	50	22561	451.21999999999997	0.06433690212986165	402	501
01a221a3-048d-7a77-8876-ad16afb7d049	2	k2	\N	{3,1,1}	{128,1,1}	16	0	2	50	22593	451.85999999999996	0.06451548347602001	404	502
01a221a3-048d-7a77-8876-ad16afb7d049	3	k3	\N	{4,1,1}	{128,1,1}	16	0	3	50	22625	452.49999999999994	0.06646088242533268	403	502
\.
COPY public.launcher (name, kind, wanted, running, waiting, problem, updated_at) FROM stdin;
farm	slurm	3	2	1	no such partition	2026-11-28 10:11:03.401145+00
\.
COPY public.leader (name, holder, term, expires_at) FROM stdin;
sweeper	01a221a2-c39c-7a7f-964b-e6833b2dc61b	1	2026-11-28 10:11:16.195175+00
\.
COPY public.look (run_id, number, plan_id, at, jobs, spent_s, unit, decision, reason, next_plan_id, extra_jobs, extra_s, changes, answer, answered_by, answered_at) FROM stdin;
01a221a2-dda5-7725-8b92-b2475331b733	1	01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	2026-11-28 10:10:51.700442+00	42	1.902789e-05	s	more	{"kind":"look.more","params":{"promise":{"kind":"look.promise","params":{"design":"v100","known":0.05168489800639887,"wanted":0.05}},"growth":{"kind":"look.growth","params":{"stratum":0,"mixed":true,"from":21,"to":29}},"from":21,"to":29,"time":7.24872e-06}}	01a221a2-dea3-746d-aa97-51b839b7e75c	16	7.24872e-06	[{"stratum":0,"kernel":"","from":21,"to":29}]	auto	\N	\N
01a221a2-dda5-7725-8b92-b2475331b733	2	01a221a2-dea3-746d-aa97-51b839b7e75c	2026-11-28 10:10:52.184083+00	58	2.6276610000000003e-05	s	kept	{"kind":"look.kept","params":{}}	\N	0	\N	[]	\N	\N	\N
\.
COPY public.look_promise (run_id, number, ordinal, design, difference, value, half_width, once, wanted, df, level, information, bound, spent, trusted, kept) FROM stdin;
01a221a2-dda5-7725-8b92-b2475331b733	1	0	0	f	8.937142857142859e-05	4.619153170400448e-06	2.5020236186178316e-06	4.46857142857143e-06	20	0.9990035438325975	3.094385955696976	3.291525403124094	0.0010000000000000009	f	f
01a221a2-dda5-7725-8b92-b2475331b733	1	1	1	f	8.937142857142859e-05	4.619153170400448e-06	2.5020236186178316e-06	4.46857142857143e-06	20	0.9990035438325975	3.094385955696976	3.291525403124094	0.0010000000000000009	f	f
01a221a2-dda5-7725-8b92-b2475331b733	1	2	0	t	1	0	0	0.05	\N	0.9990000009543796	1	3.290527	0.0010000000000000009	f	f
01a221a2-dda5-7725-8b92-b2475331b733	2	0	0	f	8.933793103448275e-05	2.0114387489076554e-06	2.0090989956668235e-06	4.466896551724137e-06	28	0.9502485202101484	4.791592944696387	1.962094529036613	0.050000000000000044	t	t
01a221a2-dda5-7725-8b92-b2475331b733	2	1	1	f	8.933793103448275e-05	2.0114387489076554e-06	2.0090989956668235e-06	4.466896551724137e-06	28	0.9502485202101484	4.791592944696387	1.962094529036613	0.050000000000000044	t	t
01a221a2-dda5-7725-8b92-b2475331b733	2	2	0	t	1	0	0	0.05	\N	0.9500000018071152	1	1.959964	0.050000000000000044	t	t
\.
COPY public.member (team_id, account_id, role, created_at) FROM stdin;
1	1	3	2026-11-28 10:10:48.985686+00
\.
COPY public.pilot (id, profile_id, design_sha256, design_name, wanted, state, pilot_plan_id, run_id, cycles_id, plan_id, note, problem, hint, tries, created_by, created_at, finished_at) FROM stdin;
01a221a2-f3be-7083-af4a-ce6ee17ba153	01a221a2-f1a3-7a35-b133-43519697527d	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	{"error":0.04,"seed":7}	done	01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	01a221a3-0053-76ac-8a7c-5988793a0884	01a221a3-0063-7731-a56b-0ef968157fd7	estimated from 10 launches simulated on v100: of 8 of 8 shapes; 0 % of the cycles are scaled by other shapes of the same kernel, 0 % by other kernels	\N	\N	1	owner	2026-11-28 10:10:57.089805+00	2026-11-28 10:11:00.323536+00
\.
COPY public.plan (id, profile_id, method, error, confidence, seed, share, noise_floor, budget, least_samples, cost_fixed, cost_per_unit, classifier, with_replacement, representative, estimator, variance, caution, note, invocations, zero_invocations, total, promised_error, promise_valid, planned_df, speedup, actual_error, strata, samples, file, created_at, parent_id, version, assurance, assured, assured_noise) FROM stdin;
01a221a2-d902-7425-8f27-f24424743000	01a221a2-d875-793c-9d67-fbd7e22100ba	srs	0.02	0.95	1	0	0	0	2	0	0	bayes	f	f	expansion	samples		What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	200	0	90209	0.01991105095762246	t	35	5.557821452775553	0.00040769521641722016	1	36	{"format":"vivace-plan","version":1,"method":"srs","error":0.02,"confidence":0.95,"seed":1,"share":0,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"63f0e27d8ecfe26dad6ba8ef107c50c02470ef43385b1d077168b97da05db473","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"","note":"What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":200,"zero_invocations":0,"total_ns":90209,"promised_error":0.01991105095762246,"promise_valid":true,"planned_df":35,"speedup":5.557821452775553,"checksum":"a290deb75aa70dd41718e1c4f3b61bfbb034eb1484618df664f0a3ffde3e465b","strata":[{"kernel":"several kernels","grid":[1,1,1],"block":[128,1,1],"population":200,"samples":36,"mean_ns":451.045,"sd_ns":29.31158165462037,"total_ns":90209,"low_ns":401,"high_ns":501,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":451.045}],"samples":[{"invocation":26,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":454},{"invocation":32,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":474},{"invocation":43,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":477},{"invocation":49,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":497},{"invocation":55,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":416},{"invocation":59,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":463},{"invocation":63,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":409},{"invocation":66,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":419},{"invocation":69,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":429},{"invocation":75,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":449},{"invocation":80,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":432},{"invocation":92,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":472},{"invocation":98,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":492},{"invocation":99,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":428},{"invocation":102,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":438},{"invocation":104,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":411},{"invocation":111,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":468},{"invocation":115,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":414},{"invocation":119,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":461},{"invocation":123,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":407},{"invocation":125,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":481},{"invocation":128,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":491},{"invocation":129,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":427},{"invocation":132,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":437},{"invocation":135,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":447},{"invocation":139,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":494},{"invocation":142,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":403},{"invocation":145,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":413},{"invocation":161,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":500},{"invocation":167,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":419},{"invocation":178,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":422},{"invocation":187,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":452},{"invocation":190,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":462},{"invocation":191,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":499},{"invocation":196,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":482},{"invocation":199,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":492}]}	2026-11-28 10:10:50.243132+00	\N	1	0	\N	\N
01a221a2-dd67-74fe-b0ac-d3708badd57a	01a221a2-dd0f-776a-930e-b3d57bfa93f0	srs	0.02	0.95	3	0	0	0	2	0	0	bayes	f	f	expansion	samples		What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	200	0	90609	0.019823152179542478	t	35	5.622300819061802	0.01187152122489661	1	36	{"format":"vivace-plan","version":1,"method":"srs","error":0.02,"confidence":0.95,"seed":3,"share":0,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"a920722e8cd4c90243475b774eab8611eef51a966ca7855e52116dadc0b6a3d0","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"","note":"What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":200,"zero_invocations":0,"total_ns":90609,"promised_error":0.019823152179542478,"promise_valid":true,"planned_df":35,"speedup":5.622300819061802,"checksum":"9f05f2a1003599f57689b22ee26fc71af699234ccd443c6ebbe804f4d6661a8e","strata":[{"kernel":"several kernels","grid":[1,1,1],"block":[128,1,1],"population":200,"samples":36,"mean_ns":453.045,"sd_ns":29.31158165462037,"total_ns":90609,"low_ns":403,"high_ns":503,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":453.045}],"samples":[{"invocation":0,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":403},{"invocation":5,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":487},{"invocation":7,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":460},{"invocation":10,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":470},{"invocation":18,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":463},{"invocation":31,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":439},{"invocation":35,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":486},{"invocation":41,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":405},{"invocation":45,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":452},{"invocation":49,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":499},{"invocation":51,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":472},{"invocation":61,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":438},{"invocation":70,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":468},{"invocation":72,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":441},{"invocation":82,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":407},{"invocation":86,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":454},{"invocation":92,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":474},{"invocation":93,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":410},{"invocation":100,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":467},{"invocation":104,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":413},{"invocation":111,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":470},{"invocation":112,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":406},{"invocation":115,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":416},{"invocation":121,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":436},{"invocation":127,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":456},{"invocation":134,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":412},{"invocation":137,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":422},{"invocation":142,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":405},{"invocation":143,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":442},{"invocation":144,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":479},{"invocation":150,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":499},{"invocation":157,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":455},{"invocation":167,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":421},{"invocation":185,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":481},{"invocation":186,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":417},{"invocation":188,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":491}]}	2026-11-28 10:10:51.370704+00	\N	1	0	\N	\N
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	01a221a2-dd0f-776a-930e-b3d57bfa93f0	srs	0.02	0.95	3	0	0	0	2	0	0	bayes	f	f	expansion	samples		What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	200	0	90609	0.019823152179542478	t	35	9.655690537084398	0.013658372000258958	1	21	{"format":"vivace-plan","version":1,"method":"srs","error":0.02,"confidence":0.95,"seed":3,"share":0,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"a920722e8cd4c90243475b774eab8611eef51a966ca7855e52116dadc0b6a3d0","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"","note":"What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":200,"zero_invocations":0,"total_ns":90609,"promised_error":0.019823152179542478,"promise_valid":true,"planned_df":35,"speedup":9.655690537084398,"checksum":"d390418b2c524d7de033b22f922ac272a75482d1d6b1c4b36a01230ce810d9ee","strata":[{"kernel":"several kernels","grid":[1,1,1],"block":[128,1,1],"population":200,"samples":21,"mean_ns":453.045,"sd_ns":29.31158165462037,"total_ns":90609,"low_ns":403,"high_ns":503,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":453.045}],"samples":[{"invocation":0,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":403},{"invocation":5,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":487},{"invocation":7,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":460},{"invocation":10,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":470},{"invocation":35,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":486},{"invocation":45,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":452},{"invocation":51,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":472},{"invocation":61,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":438},{"invocation":70,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":468},{"invocation":86,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":454},{"invocation":92,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":474},{"invocation":93,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":410},{"invocation":100,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":467},{"invocation":104,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":413},{"invocation":112,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":406},{"invocation":115,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":416},{"invocation":121,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":436},{"invocation":137,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":422},{"invocation":143,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":442},{"invocation":186,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":417},{"invocation":188,"stratum":0,"weight":9.523809523809524,"draws":1,"value_ns":491}]}	2026-11-28 10:10:51.42514+00	01a221a2-dd67-74fe-b0ac-d3708badd57a	2	0	\N	\N
01a221a2-dea3-746d-aa97-51b839b7e75c	01a221a2-dd0f-776a-930e-b3d57bfa93f0	srs	0.02	0.95	3	0	0	0	2	0	0	bayes	f	f	expansion	samples		What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	200	0	90609	0.019823152179542478	t	35	6.994673459935155	0.014028065264126591	1	29	{"format":"vivace-plan","version":1,"method":"srs","error":0.02,"confidence":0.95,"seed":3,"share":0,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"a920722e8cd4c90243475b774eab8611eef51a966ca7855e52116dadc0b6a3d0","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"","note":"What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":200,"zero_invocations":0,"total_ns":90609,"promised_error":0.019823152179542478,"promise_valid":true,"planned_df":35,"speedup":6.994673459935155,"checksum":"900198757c9c8e8a716befb4936118d0e2bc88d44716b760621b76eb621ee494","strata":[{"kernel":"several kernels","grid":[1,1,1],"block":[128,1,1],"population":200,"samples":29,"mean_ns":453.045,"sd_ns":29.31158165462037,"total_ns":90609,"low_ns":403,"high_ns":503,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":453.045}],"samples":[{"invocation":0,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":403},{"invocation":5,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":487},{"invocation":7,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":460},{"invocation":10,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":470},{"invocation":18,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":463},{"invocation":31,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":439},{"invocation":35,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":486},{"invocation":41,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":405},{"invocation":45,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":452},{"invocation":51,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":472},{"invocation":61,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":438},{"invocation":70,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":468},{"invocation":72,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":441},{"invocation":82,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":407},{"invocation":86,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":454},{"invocation":92,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":474},{"invocation":93,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":410},{"invocation":100,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":467},{"invocation":104,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":413},{"invocation":112,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":406},{"invocation":115,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":416},{"invocation":121,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":436},{"invocation":137,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":422},{"invocation":143,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":442},{"invocation":144,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":479},{"invocation":157,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":455},{"invocation":185,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":481},{"invocation":186,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":417},{"invocation":188,"stratum":0,"weight":6.896551724137931,"draws":1,"value_ns":491}]}	2026-11-28 10:10:51.700442+00	01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	3	0	\N	\N
01a221a2-e1d9-79bf-8c9c-5949fa44062c	01a221a2-e18a-7bd3-b920-6d0ff88a3622	srs	0.05	0.95	7	0.05	0	0	2	0	0	bayes	f	f	expansion	samples	Few launches hold much of the time (skewness 1.1): intervals from less than 30 draws hold the truth less often than they say, and these are 8.	What fewer than 30 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	160	0	376290	0.6546991783118842	t	7	25.2289641300704	0.20726035770283557	1	8	{"format":"vivace-plan","version":1,"method":"srs","error":0.05,"confidence":0.95,"seed":7,"share":0.05,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"1d1a692be4a7db7d4af66b7ebc913e1b61777f848d583a4c39146b4aa0c5aa2c","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"Few launches hold much of the time (skewness 1.1): intervals from less than 30 draws hold the truth less often than they say, and these are 8.","note":"What fewer than 30 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":160,"zero_invocations":0,"total_ns":376290,"promised_error":0.6546991783118842,"promise_valid":true,"planned_df":7,"speedup":25.2289641300704,"checksum":"0ed83a22dede96dbfb68dba014419af0fb4f461f7ee5aa680cffb6d66b3afe3f","strata":[{"kernel":"several kernels","grid":[4,1,1],"block":[64,1,1],"population":160,"samples":8,"mean_ns":2351.8125,"sd_ns":1889.5811228863802,"total_ns":376290,"low_ns":1000,"high_ns":6895,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":2351.8125}],"samples":[{"invocation":15,"stratum":0,"weight":20,"draws":1,"value_ns":3460},{"invocation":16,"stratum":0,"weight":20,"draws":1,"value_ns":1120},{"invocation":29,"stratum":0,"weight":20,"draws":1,"value_ns":2840},{"invocation":82,"stratum":0,"weight":20,"draws":1,"value_ns":1020},{"invocation":101,"stratum":0,"weight":20,"draws":1,"value_ns":3255},{"invocation":121,"stratum":0,"weight":20,"draws":1,"value_ns":1120},{"invocation":137,"stratum":0,"weight":20,"draws":1,"value_ns":1100},{"invocation":154,"stratum":0,"weight":20,"draws":1,"value_ns":1000}]}	2026-11-28 10:10:52.510671+00	\N	1	0	\N	\N
01a221a2-e2e7-7d42-9ff7-ad31b0635943	01a221a2-e18a-7bd3-b920-6d0ff88a3622	srs	0.05	0.95	7	0.05	0	0	2	0	0	bayes	f	f	expansion	samples	Few launches hold much of the time (skewness 1.1): intervals from less than 30 draws hold the truth less often than they say, and these are 8.	What fewer than 30 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	160	0	376290	0.6546991783118842	t	7	30.115246098439375	0.3358845571234952	1	8	{"format":"vivace-plan","version":1,"method":"srs","error":0.05,"confidence":0.95,"seed":7,"share":0.05,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"1d1a692be4a7db7d4af66b7ebc913e1b61777f848d583a4c39146b4aa0c5aa2c","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"Few launches hold much of the time (skewness 1.1): intervals from less than 30 draws hold the truth less often than they say, and these are 8.","note":"What fewer than 30 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":160,"zero_invocations":0,"total_ns":376290,"promised_error":0.6546991783118842,"promise_valid":true,"planned_df":7,"speedup":30.115246098439375,"checksum":"e6b4d99a4f65201deae8cc3b25e4ba4288c0c667cf5e7b744485382c31d82814","strata":[{"kernel":"several kernels","grid":[4,1,1],"block":[64,1,1],"population":160,"samples":8,"mean_ns":2351.8125,"sd_ns":1889.5811228863802,"total_ns":376290,"low_ns":1000,"high_ns":6895,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":2351.8125}],"samples":[{"invocation":3,"stratum":0,"weight":20,"draws":1,"value_ns":1040},{"invocation":16,"stratum":0,"weight":20,"draws":1,"value_ns":1120},{"invocation":29,"stratum":0,"weight":20,"draws":1,"value_ns":2840},{"invocation":82,"stratum":0,"weight":20,"draws":1,"value_ns":1020},{"invocation":101,"stratum":0,"weight":20,"draws":1,"value_ns":3255},{"invocation":121,"stratum":0,"weight":20,"draws":1,"value_ns":1120},{"invocation":137,"stratum":0,"weight":20,"draws":1,"value_ns":1100},{"invocation":154,"stratum":0,"weight":20,"draws":1,"value_ns":1000}]}	2026-11-28 10:10:52.776451+00	01a221a2-e1d9-79bf-8c9c-5949fa44062c	2	0	\N	\N
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	01a221a2-e573-7de3-9b50-467893c56809	vivace	0.2	0.95	1	0	0.005	0	2	0	0	bayes	f	f	expansion	samples		should simulated values differ from the profile by independent noise of 10 %, the projection would be known to about ± 11 %. What fewer than 34 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it. Of wild(float *, int) alone, 45 % may be in none: if these launches took twice as long, the total would be 32 % more. That is outside of what a plan or a run to 20 % promises.	160	0	380645	0.16589297184624727	t	3.043017471257495	16.088123415046493	0.044464001891526224	3	7	{"format":"vivace-plan","version":1,"method":"vivace","error":0.2,"confidence":0.95,"seed":1,"share":0,"noise_floor":0.005,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"e4a21dd2253426cc56efc14b84eeaa575b9382cb6f0e9819817624e43eb3526b","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"","note":"should simulated values differ from the profile by independent noise of 10 %, the projection would be known to about ± 11 %. What fewer than 34 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it. Of wild(float *, int) alone, 45 % may be in none: if these launches took twice as long, the total would be 32 % more. That is outside of what a plan or a run to 20 % promises.","invocations":160,"zero_invocations":0,"total_ns":380645,"promised_error":0.16589297184624727,"promise_valid":true,"planned_df":3.043017471257495,"speedup":16.088123415046493,"checksum":"4c354976e916906d318d4f3ae69da50eaf334533b2428be50f22c69da3e5a157","strata":[{"kernel":"steady(float *)","grid":[4,1,1],"block":[64,1,1],"population":100,"samples":2,"mean_ns":1060.4,"sd_ns":40.299885956176205,"total_ns":106040,"low_ns":1000,"high_ns":1120,"certainty":false,"mixed_names":false,"mixed_shapes":false,"kernel_index":0,"planned_sd":40.299885956176205,"cost":1060.4},{"kernel":"wild(float *, int)","grid":[8,2,1],"block":[64,1,1],"population":24,"samples":2,"mean_ns":3023.9583333333335,"sd_ns":619.8719698921471,"total_ns":72575,"low_ns":2145,"high_ns":4005,"certainty":false,"mixed_names":false,"mixed_shapes":false,"kernel_index":1,"planned_sd":619.8719698921473,"cost":3023.958333333333},{"kernel":"wild(float *, int)","grid":[8,2,1],"block":[64,1,1],"population":36,"samples":3,"mean_ns":5611.944444444444,"sd_ns":856.7107177853292,"total_ns":202030,"low_ns":4090,"high_ns":6985,"certainty":false,"mixed_names":false,"mixed_shapes":false,"kernel_index":1,"planned_sd":856.7107177853292,"cost":5611.944444444444}],"samples":[{"invocation":51,"stratum":0,"weight":50,"draws":1,"value_ns":1000},{"invocation":139,"stratum":0,"weight":50,"draws":1,"value_ns":1100},{"invocation":37,"stratum":1,"weight":12,"draws":1,"value_ns":2930},{"invocation":70,"stratum":1,"weight":12,"draws":1,"value_ns":2910},{"invocation":61,"stratum":2,"weight":12,"draws":1,"value_ns":4750},{"invocation":101,"stratum":2,"weight":12,"draws":1,"value_ns":4420},{"invocation":118,"stratum":2,"weight":12,"draws":1,"value_ns":6550}]}	2026-11-28 10:10:53.550014+00	\N	1	0	\N	\N
01a221a2-f1ff-7f2a-92e1-737b6a4db350	01a221a2-f1a3-7a35-b133-43519697527d	srs	0.05	0.95	4	0.1	0	0	2	0	0	bayes	f	f	expansion	samples	Few launches hold much of the time (skewness 1.8): intervals from less than 78 draws hold the truth less often than they say, and these are 2.	What fewer than 74 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	22	0	1113769	\N	f	0.714224103120358	2.8722190559940994	2.829791455858441	1	2	{"format":"vivace-plan","version":1,"method":"srs","error":0.05,"confidence":0.95,"seed":4,"share":0.1,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"88d1a88ad4beef0d554865bc0e453545938d527563363c085544aac17773e43c","unit":"warp_instructions","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"Few launches hold much of the time (skewness 1.8): intervals from less than 78 draws hold the truth less often than they say, and these are 2.","note":"What fewer than 74 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":22,"zero_invocations":0,"total_warp_instructions":1113769,"promised_error":null,"promise_valid":false,"planned_df":0.714224103120358,"speedup":2.8722190559940994,"checksum":"e0fb47eecd3b5b535b2de7967cbdbb5192119ae709c84057d1d89fa7ba0e44ea","strata":[{"kernel":"several kernels","grid":[128,1,1],"block":[256,1,1],"population":22,"samples":2,"mean_warp_instructions":50625.86363636364,"sd_warp_instructions":87713.93945542545,"mean_ns":null,"sd_ns":null,"total_warp_instructions":1113769,"low_warp_instructions":15,"high_warp_instructions":297263,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":50625.86363636364}],"samples":[{"invocation":14,"stratum":0,"weight":11,"draws":1,"value_warp_instructions":142915},{"invocation":15,"stratum":0,"weight":11,"draws":1,"value_warp_instructions":244858}]}	2026-11-28 10:10:56.6391+00	\N	1	0	\N	\N
01a221a3-0063-7731-a56b-0ef968157fd7	01a221a3-0053-76ac-8a7c-5988793a0884	vivace	0.04	0.95	7	0	0.005	0	2	0	0	bayes	f	f	expansion	samples		Planned by cycles estimated for v100 from one simulated launch of each shape. Launches of one shape that differ in what they find in the caches, or in their data, are not known apart.	22	0	61883	0	t	\N	1	0	8	22	{"format":"vivace-plan","version":1,"method":"vivace","error":0.04,"confidence":0.95,"seed":7,"share":0,"noise_floor":0.005,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"df4fba69f1d560c78e5ccb8a95fbd44dcb1a8fd6c4008f8c13f45a7c01fa3ba2","unit":"cycles","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"","note":"Planned by cycles estimated for v100 from one simulated launch of each shape. Launches of one shape that differ in what they find in the caches, or in their data, are not known apart.","invocations":22,"zero_invocations":0,"total_cycles":61883,"promised_error":0,"promise_valid":true,"planned_df":null,"speedup":1,"checksum":"69805f0af2c11d0e1e9d0c6263648ab380275dc700afb90cee51669387240f33","strata":[{"kernel":"degrees","grid":[128,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_cycles":1000,"sd_cycles":0,"mean_ns":null,"sd_ns":null,"total_cycles":1000,"low_cycles":1000,"high_cycles":1000,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":0,"planned_sd":0,"cost":1000},{"kernel":"scan","grid":[129,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_cycles":1000,"sd_cycles":0,"mean_ns":null,"sd_ns":null,"total_cycles":1000,"low_cycles":1000,"high_cycles":1000,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":1,"planned_sd":0,"cost":1000},{"kernel":"scan","grid":[1,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_cycles":1000,"sd_cycles":0,"mean_ns":null,"sd_ns":null,"total_cycles":1000,"low_cycles":1000,"high_cycles":1000,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":2,"planned_sd":0,"cost":1000},{"kernel":"add_totals","grid":[129,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_cycles":1000,"sd_cycles":0,"mean_ns":null,"sd_ns":null,"total_cycles":1000,"low_cycles":1000,"high_cycles":1000,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":3,"planned_sd":0,"cost":1000},{"kernel":"start","grid":[1,1,1],"block":[1,1,1],"population":1,"samples":1,"mean_cycles":1000,"sd_cycles":0,"mean_ns":null,"sd_ns":null,"total_cycles":1000,"low_cycles":1000,"high_cycles":1000,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":4,"planned_sd":0,"cost":1000},{"kernel":"push","grid":[16,1,1],"block":[128,1,1],"population":12,"samples":12,"mean_cycles":4278.666666666667,"sd_cycles":6819.935074782048,"mean_ns":null,"sd_ns":null,"total_cycles":51344,"low_cycles":851,"high_cycles":22565,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":5,"planned_sd":6819.935074782048,"cost":4278.666666666666},{"kernel":"sweep","grid":[128,1,1],"block":[256,1,1],"population":4,"samples":4,"mean_cycles":1134.75,"sd_cycles":344.5,"mean_ns":null,"sd_ns":null,"total_cycles":4539,"low_cycles":745,"high_cycles":1539,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":6,"planned_sd":344.5,"cost":1134.75},{"kernel":"collect","grid":[128,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_cycles":1000,"sd_cycles":0,"mean_ns":null,"sd_ns":null,"total_cycles":1000,"low_cycles":1000,"high_cycles":1000,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":7,"planned_sd":0,"cost":1000}],"samples":[{"invocation":0,"stratum":0,"weight":1,"draws":1,"value_cycles":1000},{"invocation":1,"stratum":1,"weight":1,"draws":1,"value_cycles":1000},{"invocation":2,"stratum":2,"weight":1,"draws":1,"value_cycles":1000},{"invocation":3,"stratum":3,"weight":1,"draws":1,"value_cycles":1000},{"invocation":4,"stratum":4,"weight":1,"draws":1,"value_cycles":1000},{"invocation":5,"stratum":5,"weight":1,"draws":1,"value_cycles":851},{"invocation":6,"stratum":5,"weight":1,"draws":1,"value_cycles":873},{"invocation":7,"stratum":5,"weight":1,"draws":1,"value_cycles":851},{"invocation":8,"stratum":5,"weight":1,"draws":1,"value_cycles":915},{"invocation":9,"stratum":5,"weight":1,"draws":1,"value_cycles":873},{"invocation":10,"stratum":5,"weight":1,"draws":1,"value_cycles":1000},{"invocation":11,"stratum":5,"weight":1,"draws":1,"value_cycles":2241},{"invocation":12,"stratum":5,"weight":1,"draws":1,"value_cycles":4942},{"invocation":13,"stratum":5,"weight":1,"draws":1,"value_cycles":22565},{"invocation":19,"stratum":5,"weight":1,"draws":1,"value_cycles":13576},{"invocation":20,"stratum":5,"weight":1,"draws":1,"value_cycles":1190},{"invocation":21,"stratum":5,"weight":1,"draws":1,"value_cycles":1467},{"invocation":14,"stratum":6,"weight":1,"draws":1,"value_cycles":745},{"invocation":15,"stratum":6,"weight":1,"draws":1,"value_cycles":1270},{"invocation":16,"stratum":6,"weight":1,"draws":1,"value_cycles":1539},{"invocation":17,"stratum":6,"weight":1,"draws":1,"value_cycles":985},{"invocation":18,"stratum":7,"weight":1,"draws":1,"value_cycles":1000}]}	2026-11-28 10:11:00.323536+00	\N	1	0	\N	\N
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	01a221a2-f1a3-7a35-b133-43519697527d	pilot	0.05	0.95	1	0	0	0	2	0	0	bayes	f	t	instruction_ratio	none		One launch of each of 8 shapes, of those with the median count the middle one. Its results turn the profile's counts into estimated cycles, to plan from these	22	0	1113769	\N	f	0	2.9753110165439165	0	8	8	{"format":"vivace-plan","version":1,"method":"pilot","error":0.05,"confidence":0.95,"seed":1,"share":0,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"88d1a88ad4beef0d554865bc0e453545938d527563363c085544aac17773e43c","unit":"warp_instructions","with_replacement":false,"representative":true,"estimator":"instruction_ratio","variance":"none","caution":"","note":"One launch of each of 8 shapes, of those with the median count the middle one. Its results turn the profile's counts into estimated cycles, to plan from these","invocations":22,"zero_invocations":0,"total_warp_instructions":1113769,"promised_error":null,"promise_valid":false,"planned_df":0,"speedup":2.9753110165439165,"checksum":"996ad782097240962ddbec6ca731cd6bda809199a6445da3a8f97c2654393a92","strata":[{"kernel":"degrees","grid":[128,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_warp_instructions":21504,"sd_warp_instructions":0,"mean_ns":null,"sd_ns":null,"total_warp_instructions":21504,"low_warp_instructions":21504,"high_warp_instructions":21504,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":0,"planned_sd":0,"cost":21504,"instructions":21504},{"kernel":"scan","grid":[129,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_warp_instructions":97226,"sd_warp_instructions":0,"mean_ns":null,"sd_ns":null,"total_warp_instructions":97226,"low_warp_instructions":97226,"high_warp_instructions":97226,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":1,"planned_sd":0,"cost":97226,"instructions":97226},{"kernel":"scan","grid":[1,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_warp_instructions":736,"sd_warp_instructions":0,"mean_ns":null,"sd_ns":null,"total_warp_instructions":736,"low_warp_instructions":736,"high_warp_instructions":736,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":2,"planned_sd":0,"cost":736,"instructions":736},{"kernel":"add_totals","grid":[129,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_warp_instructions":17544,"sd_warp_instructions":0,"mean_ns":null,"sd_ns":null,"total_warp_instructions":17544,"low_warp_instructions":17544,"high_warp_instructions":17544,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":3,"planned_sd":0,"cost":17544,"instructions":17544},{"kernel":"start","grid":[1,1,1],"block":[1,1,1],"population":1,"samples":1,"mean_warp_instructions":15,"sd_warp_instructions":0,"mean_ns":null,"sd_ns":null,"total_warp_instructions":15,"low_warp_instructions":15,"high_warp_instructions":15,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":4,"planned_sd":0,"cost":15,"instructions":15},{"kernel":"push","grid":[16,1,1],"block":[128,1,1],"population":12,"samples":1,"mean_warp_instructions":4622.333333333333,"sd_warp_instructions":7384.80187871542,"mean_ns":null,"sd_ns":null,"total_warp_instructions":55468,"low_warp_instructions":911,"high_warp_instructions":24423,"certainty":false,"mixed_names":false,"mixed_shapes":false,"kernel_index":5,"planned_sd":0,"cost":4622.333333333333,"instructions":55468},{"kernel":"sweep","grid":[128,1,1],"block":[256,1,1],"population":4,"samples":1,"mean_warp_instructions":218663.5,"sd_warp_instructions":66946.51983237565,"mean_ns":null,"sd_ns":null,"total_warp_instructions":874654,"low_warp_instructions":142915,"high_warp_instructions":297263,"certainty":false,"mixed_names":false,"mixed_shapes":false,"kernel_index":6,"planned_sd":0,"cost":218663.5,"instructions":874654},{"kernel":"collect","grid":[128,1,1],"block":[256,1,1],"population":1,"samples":1,"mean_warp_instructions":46622,"sd_warp_instructions":0,"mean_ns":null,"sd_ns":null,"total_warp_instructions":46622,"low_warp_instructions":46622,"high_warp_instructions":46622,"certainty":true,"mixed_names":false,"mixed_shapes":false,"kernel_index":7,"planned_sd":0,"cost":46622,"instructions":46622}],"samples":[{"invocation":0,"stratum":0,"weight":1,"draws":1,"value_warp_instructions":21504,"instructions":21504},{"invocation":1,"stratum":1,"weight":1,"draws":1,"value_warp_instructions":97226,"instructions":97226},{"invocation":2,"stratum":2,"weight":1,"draws":1,"value_warp_instructions":736,"instructions":736},{"invocation":3,"stratum":3,"weight":1,"draws":1,"value_warp_instructions":17544,"instructions":17544},{"invocation":4,"stratum":4,"weight":1,"draws":1,"value_warp_instructions":15,"instructions":15},{"invocation":10,"stratum":5,"weight":51.742537313432834,"draws":1,"value_warp_instructions":1072,"instructions":1072},{"invocation":17,"stratum":6,"weight":4.612716092354101,"draws":1,"value_warp_instructions":189618,"instructions":189618},{"invocation":18,"stratum":7,"weight":1,"draws":1,"value_warp_instructions":46622,"instructions":46622}]}	2026-11-28 10:10:57.089805+00	\N	1	0	\N	\N
01a221a3-04b5-734f-8e38-52012e1c7758	01a221a3-048d-7a77-8876-ad16afb7d049	srs	0.02	0.95	2	0	0	0	2	0	0	bayes	f	f	expansion	samples		What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.	200	0	90409	0.019867004345100206	t	35	5.541125275802893	0.0026042146738092823	1	36	{"format":"vivace-plan","version":1,"method":"srs","error":0.02,"confidence":0.95,"seed":2,"share":0,"noise_floor":0,"budget":0,"least_samples":2,"cost_fixed":0,"cost_per_unit":0,"classifier":"bayes","profile_sha256":"bc3a3024b2c431c70ca6a1d98a2386d45a1aa4aa9554ea504f663a5f7e47db81","unit":"ns","with_replacement":false,"representative":false,"estimator":"expansion","variance":"samples","caution":"","note":"What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.","invocations":200,"zero_invocations":0,"total_ns":90409,"promised_error":0.019867004345100206,"promise_valid":true,"planned_df":35,"speedup":5.541125275802893,"checksum":"05e927587cf232bc9f211a346827631a2ab8ecdc0311402900d835a20c98a4cc","strata":[{"kernel":"several kernels","grid":[1,1,1],"block":[128,1,1],"population":200,"samples":36,"mean_ns":452.045,"sd_ns":29.31158165462037,"total_ns":90409,"low_ns":402,"high_ns":502,"certainty":false,"mixed_names":true,"mixed_shapes":true,"kernel_index":0,"planned_sd":0,"cost":452.045}],"samples":[{"invocation":1,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":439},{"invocation":13,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":479},{"invocation":18,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":462},{"invocation":20,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":435},{"invocation":21,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":472},{"invocation":23,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":445},{"invocation":26,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":455},{"invocation":44,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":414},{"invocation":45,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":451},{"invocation":61,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":437},{"invocation":62,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":474},{"invocation":63,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":410},{"invocation":65,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":484},{"invocation":76,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":487},{"invocation":80,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":433},{"invocation":81,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":470},{"invocation":90,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":500},{"invocation":104,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":412},{"invocation":105,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":449},{"invocation":108,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":459},{"invocation":114,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":479},{"invocation":116,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":452},{"invocation":118,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":425},{"invocation":126,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":418},{"invocation":142,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":404},{"invocation":144,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":478},{"invocation":157,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":454},{"invocation":163,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":474},{"invocation":168,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":457},{"invocation":174,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":477},{"invocation":180,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":497},{"invocation":181,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":433},{"invocation":190,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":463},{"invocation":192,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":436},{"invocation":196,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":483},{"invocation":197,"stratum":0,"weight":5.555555555555555,"draws":1,"value_ns":419}]}	2026-11-28 10:11:01.430065+00	\N	1	0	\N	\N
\.
COPY public.plan_context (plan_id, number, device, process, context) FROM stdin;
01a221a2-d902-7425-8f27-f24424743000	0	0	0	1
01a221a2-dd67-74fe-b0ac-d3708badd57a	0	0	0	1
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	0	0	0	1
01a221a2-dea3-746d-aa97-51b839b7e75c	0	0	0	1
01a221a2-e1d9-79bf-8c9c-5949fa44062c	0	0	0	1
01a221a2-e2e7-7d42-9ff7-ad31b0635943	0	0	0	1
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	0	0	0	1
01a221a2-f1ff-7f2a-92e1-737b6a4db350	0	0	0	0
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	0	0	0	0
01a221a3-0063-7731-a56b-0ef968157fd7	0	0	0	0
01a221a3-04b5-734f-8e38-52012e1c7758	0	0	0	1
\.
COPY public.profile (id, team_id, workload_id, import_id, blob_sha256, ready, name, format, unit, gpu_name, has_times, invocations, zero_invocations, kernels, kernel_shapes, devices, streams, total, makespan_ns, sha256, tables, spark, created_at, features, traces_sha256, traces_launches) FROM stdin;
01a221a2-d875-793c-9d67-fbd7e22100ba	1	01a221a2-d898-738e-a1ba-b16c748db6e9	01a221a2-d7f6-7fd1-916c-63a0cef7269a	7a38bbca3d7cbe9815b0caae69c11939fa08f6eca081b2246449d17ae8d8b58d	t	report-1.csv	nsys-csv	ns	Some GPU	t	200	0	4	4	1	1	90209	90209	63f0e27d8ecfe26dad6ba8ef107c50c02470ef43385b1d077168b97da05db473	\\x010100000100c801010007	{1000,667,667,1000,667,667,667,1000,667,667,1000,500,1000,667,667,1000,667,1000,667,1000,667,1000,667,1000,667,1000,834,667,1000,667,1000,1000,667,1000,1000,667,1000,1000,1000,1000}	2026-11-28 10:10:50.106377+00		\N	\N
01a221a2-dd0f-776a-930e-b3d57bfa93f0	1	01a221a2-dd22-7222-802f-5ff3f7aad98c	01a221a2-dc74-7b0c-9807-10ae838d5dde	d746f10fc73f72ebd88583ee72bdc6371e1da23d093c7eaa6a3440daeab09cc9	t	report-3.csv	nsys-csv	ns	Some GPU	t	200	0	4	4	1	1	90609	90609	a920722e8cd4c90243475b774eab8611eef51a966ca7855e52116dadc0b6a3d0	\\x010100000100c801010007	{1000,667,667,1000,667,667,667,1000,667,667,1000,500,1000,667,667,1000,667,1000,667,1000,667,1000,667,1000,667,1000,834,667,1000,667,1000,1000,667,1000,1000,667,1000,1000,1000,1000}	2026-11-28 10:10:51.28393+00		\N	\N
01a221a2-e18a-7bd3-b920-6d0ff88a3622	1	01a221a2-e18c-7008-9f51-5d1a47160ad7	01a221a2-e122-77d6-b226-75abcfd6f14b	cb984be9b181a63a6cf0a77997233462847d099ecfdef7441dfbcba4399cbf9a	t	report-7.csv	nsys-csv	ns	NVIDIA H100 80GB HBM3	t	160	0	2	2	1	1	376290	376290	1d1a692be4a7db7d4af66b7ebc913e1b61777f848d583a4c39146b4aa0c5aa2c	\\x010100000100a001010007	{1000,1000,326,0,0,0,0,0,0,0,0,0,0,0,24,47,24,0,70,24,0,70,24,47,47,24,70,0,94,47,70,94,0,117,117,0,94,117,94,94}	2026-11-28 10:10:52.427354+00		\N	\N
01a221a2-e573-7de3-9b50-467893c56809	1	01a221a2-e57f-7b8e-a529-c2fc0ca50134	01a221a2-e50f-7a19-83a2-d6a1f519f792	00ff57b3ed72d533be186e7c05127aa4bb3753fbea01013c2f079b73c7893894	t	report-1.csv	nsys-csv	ns	NVIDIA H100 80GB HBM3	t	160	0	2	2	1	1	380645	380645	e4a21dd2253426cc56efc14b84eeaa575b9382cb6f0e9819817624e43eb3526b	\\x010100000100a001010007	{1000,977,349,0,0,0,0,0,0,0,0,0,0,0,0,47,70,0,24,70,0,47,47,0,94,0,94,0,94,24,70,70,24,94,94,47,70,117,117,94}	2026-11-28 10:10:53.430274+00		\N	\N
01a221a3-0053-76ac-8a7c-5988793a0884	1	01a221a2-f1a6-74e1-8367-ac36bdc4e264	\N	\N	t	cycles on v100	vivace-cycles	cycles	v100	f	22	0	7	8	1	1	61883	0	df4fba69f1d560c78e5ccb8a95fbd44dcb1a8fd6c4008f8c13f45a7c01fa3ba2	\\x01010000000016010000	{125,500,125,1000,0,125,125,125,125,0,0,0,125,0,0,0,0,0,0,0,0,0,125,0,0,0,0,0,0,0,0,0,0,0,125,0,0,0,0,125}	2026-11-28 10:11:00.307164+00	instruction counts of all 22 launches	73348668c875bee733ff8347b982bb23d346e05740e0d0196cd6c7a06074a669	22
01a221a2-f1a3-7a35-b133-43519697527d	1	01a221a2-f1a6-74e1-8367-ac36bdc4e264	01a221a2-f169-7d0d-b6a9-70deee6dca4b	76459c0ae47ef0cb79989c7b176a89e35a38a3b81628623f8ef4ab6f11dbefe2	t	counts.csv	instructions-csv	warp_instructions		f	22	0	7	8	1	1	1113769	0	7cb9cf4d9607bbf85b5c5f23063b850050f9e65152db011139ba0716f6339fa3	\\x01010000000016010000	{200,0,0,0,0,0,0,0,0,0,0,0,0,0,0,200,1000,400,200,0,200,0,0,200,0,0,0,200,200,400,0,0,200,0,0,200,0,200,200,400}	2026-11-28 10:10:56.547458+00	instruction counts, 12 metrics, the spread over thread blocks, basic-block vectors of all 22 launches	73348668c875bee733ff8347b982bb23d346e05740e0d0196cd6c7a06074a669	22
01a221a3-048d-7a77-8876-ad16afb7d049	1	01a221a3-049a-77fe-b80e-0c659925cfae	01a221a3-0449-769c-8c12-254738eb90d8	93295c94d71125648cfcd0ca39aa11687a24d35f0dd33a7fb34f4cb946fc818b	t	report-2.csv	nsys-csv	ns	Some GPU	t	200	0	4	4	1	1	90409	90409	bc3a3024b2c431c70ca6a1d98a2386d45a1aa4aa9554ea504f663a5f7e47db81	\\x010100000100c801010007	{1000,667,667,1000,667,667,667,1000,667,667,1000,500,1000,667,667,1000,667,1000,667,1000,667,1000,667,1000,667,1000,834,667,1000,667,1000,1000,667,1000,1000,667,1000,1000,1000,1000}	2026-11-28 10:11:01.394257+00		\N	\N
\.
COPY public.profile_chunk (profile_id, chunk, rows, columns) FROM stdin;
01a221a2-d875-793c-9d67-fbd7e22100ba	0	200	\\x010128b52ffd60e802c50100880002020205a2064a4a7f4a7f00d00f000011004340e1c49c3a800278012800048001e005a00010001400022e0680822b24e8320d9c725a
01a221a2-dd0f-776a-930e-b3d57bfa93f0	0	200	\\x010128b52ffd60e802c50100880002020205a6064a4a7f4a7f00d00f000011004340e1c49c3a800278012800048001e005a00010001400022e0680822b24e8320d9c725a
01a221a2-e18a-7bd3-b920-6d0ff88a3622	0	160	\\x010128b52ffd609102950c004412000000000002000001d00f78789f0178ca4df90bf90ba5369f01843ec72478a62c8115e01cf90bf0428d52ec59c742788e48e9309f01c838a32178ea26c50fa417f042f90bd14cb0548b3d9f01ea44ad2b788c33e71b78ae21f358e811ad4978f44ecf379f01ae3ff12578d02dab169f018a1eb753965bf14378b84900b817b018a81988188019ca66d05ad64ee017e455ea49f03dd818fe4484398a2db81798349e288e6bb0189c72a266a85aa819b661bc55c2498818d050d644dc388019ea3ff033f627e017842ff471fa65d818886d8e619455b817a25ca850ae44b018bc4bc23fc833a819d63adc2ecc718818f029e06ce6608019f467fa5b8050e0178e57944b9a3fd818a846ae3ab42eb817c235c829b86cb018c673cc67d25ba819e062e656003920000329dd011c5203e1084f78c2139ef084273ce1094f78c2139ef084273ce1113e90161363e0027e0e4616e40e1cc7000e47236378d5c6c130128bc71dec27c6091c8a0173b831d2708b3bf8e160508c3b702cc82f301363e00137f833388c013f1c33e2b72a65d49103
01a221a2-e573-7de3-9b50-467893c56809	0	160	\\x010128b52ffd6091028d0c003412000000000002000001f80f789f017878d210f042f90b97489f01f64ff90bf90bd13878983ef3269f01d22e951578f41cf90bf042b954985cdb42ba4a3378dc38b7219629f111b817fd4e9f01dc569f3dfe44d92d9f01b835fb1bda239f5b78fc11c1499f01a0513978c23f9d289f01fc2fbf169e1ee3559f01c25d00e017d818b817b018a819fa29ea6cf0608818fe67845c8a50801998579e4ba43fe017b246b83abe2ed818cc35d229c26cb817d073d667dc5bb018ea62f056f64aa81984528a46903a88189e41a435aa298019b830a873ae67e017bc6ec262c856d818d65ddc51e245b817f04cf640fc34b0188a3c90308073a819a42b946e9a628818a869ae5db4518019c258c84cce40e017dc47e23be82fd818f636fc2aec6db817fa748069003920000329dd011c5203e1084f78c2139ef084273ce1094f78c2139ef084273ce1113ea0f5830c4c011f0d8e08720b0c8e79c5653d72308cb421c3ff2cfe0707829cc0a1018f399831c81fd817d8e1b3786c3014f31ab7bdd8e0037ee7c00fc78c7cc3c0860d39ac4a1955e5
01a221a2-f1a3-7a35-b133-43519697527d	0	22	\\x010028b52ffd2062650200d4030002000203000080d002949f09d3e30bd08602f19102800e2e2d8a015b94028015da2d94aa02b8bb0eeeb80ceab206f9910da7ba11f7f203c7d101d8040500b9049a84079615c0ef0ab0
01a221a3-0053-76ac-8a7c-5988793a0884	0	22	\\x010028b52ffd2054ed0100b40200020002030000d00fa9022c2b800153fe01b2139a2aae9302f7d4029a089a04d3081ec0c401c3c101aa0406003909b4d5bf995b2c0b80df156001
01a221a3-048d-7a77-8876-ad16afb7d049	0	200	\\x010128b52ffd60e802c50100880002020205a4064a4a7f4a7f00d00f000011004340e1c49c3a800278012800048001e005a00010001400022e0680822b24e8320d9c725a
\.
COPY public.profile_feature (profile_id, piece, bytes) FROM stdin;
01a221a3-0053-76ac-8a7c-5988793a0884	0	\\x0128b52ffd20c86d03009403160001005400ca7be0020000884400000f00008f030000a603d4a630047009dd14675f432e027abc032f8904b2e4021eb600623900fe042a06190080003030180c6e8036800c7003b401c400038381c1c06020c80c6499b900180146400fb02465e19a8841c3c0610c6001
01a221a2-f1a3-7a35-b133-43519697527d	0	\\x0128b52ffda0082101005de4009a8591484a20a44d930e3b947e082af891b20ef1b747b20219270ce08f00c7790841fa1b5b7eab9e4739ae1916861823a2fef818f1f7a36dffdf6cfc6d8bb536ee6ccdaa916d428c5822c4a4254906330639047a0324941393912804fa7832ce06bb7e32a594489e0e6773acfae94a2da6fae1a3c78e121d9acb9020404a74642e4382003975f9e1a3c78e121d99cb9020404a74682e4382003975d921182140aa1f3e7aec28d1a1b90c0902a44447e6322408101f3d7694e8c85c860401f2c3478f1d253a3297214180503f7cf4d851a223731912e4402e3f7cf4d851a223731912e440f6878f1e3b4a74642e43821c08e6878f1e3b4a74642e42821c48f5c3478f1d253a32170ca707a78413e26436706c04b101c4660e9b326cc4d80861d3b2f1c066011b229b1d9bac23d16fb41a4d4633a177d026e8245d814ba123403da0af6804b400ba4803e952cb76bd690c36098c111821b03e6078c0d6c0d4808d01e3022606d604ec08d817980db016fd6027c0428069409bc026803540084605160546442380ad680ab092aa002b5132b01c5807b33471681ca13184e60d4d1b9a3868d0d098a1f182a60a9a276890a0f981e6069a176850a01181460b0d05340dd050a189424344b3a22169429a8fa6357b49e25ac43588cb8deb0ed71bae345c62b8b67051e162c25584ab07170dae16a8e62ac1f5812b8b2b0297159a5d535c482e2197ca657235715dd7339050263289c80422b307d591a143a60d193364c090c182eec84421a3848c10323ad022191968159915644690f140e602192c320ac81020732473caa46476647264b20c5b95b0e0b00a61bd61e5c1928395867586458665052b0c2b0916102c1c5830b0526071616dc0aa80e500eb00561416116bc5225921eb63b5b52c095e040f82dd603bb01a8c062e83b5c05360309808cc03f64233cc0226016fc118600870152c8562fc0407d10d9b58c420eeb055c55139a23284caea0d55a9daa8e2a0412a34944865861ea9bc5055411b503d41215021a1fa417583ea05150a2a11545a5414a81a50515105a00240f5a342a962c5448555174c24308ac00802c3074c1d306a60d0802903a305cc143060608880e101c60b0c0b3024c06c81c1000602982a3052609ec004c1983022ad30204c472d8cb571e8b58e5843ec1bead936d46d1c34b4696869cf5832f4b456d002ac187a806d8262608da050581f681db606cbc562b148f664fb02c7450f97335ca870f9e292824b92cb14971f1747c54101827203b5050a09540ea811505d505850932251d923f8c08735a835d470428d317c0c618431046a084108420b5ad045172210011658504145010ee4263f7689c30825ae93584b124fc4ff70362e87a3f1315c0b8fc2c1f8109e83bfe026f8164f7207b424a045002d0068e9d1226a792d4dad669164020590e2a23b786100961494514984a01c9d73e6b368f3520908a81c400126987a831e56608290864411952879c34ae1071229644153c5163bce40c246c9938523be1803091c3a00c61fccc0461e90d8e10b23a061126b9000923c68618c1c70a444248d8843921c63b00108136395a1a50688104d6bfd50094940620a4820b105963456589031e21184a8411942b0804411310b370e01a40712447c34d0461b25624892040e884ec8c082ea8f243f54ce240bc8421a8a0ca103f36482374c16931ecc37c513081072072d2611d106d8c0870bc431311e489155a0a94cac8928587ed00512e6e5032618e10a276c60f60b00f1850aa831c66462071b96d1070c307794d868c204c8808089e244c92076bcc18ae944a74716614421c934d2230c6548230c28269102002903005690318dc84110151e50f08559840e6bb041811378318d9ce1822f3840822e902442e79125f0800cd12132f3480a9c28091949318f74a10d1074a18d10cc1f94b1038b0da41630dc8002b3450645a75228342c6b5482004ba00314ccc802144a18d1600a1944010b185ce10ca4398324138e34e66c030272b086163bd46aaa554c1da816b38a9651f66436800bc8285a4ccf88184e34a13020c3082d66b0021c540d77b8620e99cfea8194fac52803664c610a37ac98849843923f7461da810a2d5068430c322e7e5cc1003396205b0f4c1a03338e80a52100930e4eb44c369ca165a2c08cf9809639044922d4ba829c7a053026172d5e548186ca2152924c22036e3482036ef481126e9cc1024e30c9808b0b9831b1687180190b306301d38a962d9056745e01117a860ab14267c0a1c6c0c042d172d142057fc3035728610928188d410481dae20ac528a90aa5c4d04fc009ea84ba200efd04cd5f8d4b40f99c6c6ffe6af440f99c6c6ffe6a6402cae7647bf3576384f3b9d9defcd56802e773b3bdf9ab9104e773b3bd793596e07c6eb6377f35a6c0f9dc6c6ffe6a5481f3b9d99abf1a7bc0f9dc6c6ffe6a5c81f3b9d9defcd50804cee7667bf3572300e07c6eb6377f351281f3b9d9defcd55804cee7667bf357e3055acf59edcd5f8d16cc9ecbda9bbf1a33307b2e6b6ffe6a6cf039d9defcd5f881f239d9fabc1a9b80f2ddb53eaf462370bebbd6e7d5483d47b5377f3586a07c4eb6377f35f280f3b9d9defcd56882f3b9d9defcd5f803cee7667bf357230b9ccfcdf6e6afc6139ccfcdf6e6afc620703e37db9bbf1a85c0f9dc6c6ffe6a1c02e773b3bdf9abf141f99c6c6ffe6acc01e573b2bdf9ab1104e573b2bdf9ab510794cfc9f6e6af461f703e37db9bbf1a2f983d97b5f35723cc9ecbda9b57a383f239d9defcd508a17c4eb6377f35c27d6edb9bbf1a35307b2e6b6ffe6a5c683d67b5377f357260f65cd6defcd588c1ecb9acbdf9ab7103b3e7b2f6e6af460cb49eb3da9bbf1a1b66cf65ad79355270dfddb63eafc60a5aefaef579353ed7defcd56841eb39ab357faf91a1f59cd59abfd778483d47b5e6d5b81a2f709fdbf6e6afc685fbdcb637af46f877f7f6e6af460a52cf51ad797577772f96655956e8a08fa7c3d960577562d995ab98524aa40dcae66463928d2ea2e42674d0c7d3e16cb0ab3ab1502b5731a594481c9413936c7491e41cf4f174381becaa4e2c9795ab98524a240e0ae7846332ba4872a84b96655916027d3c1dce06bbaa9f58a81515534a897442399d9c4ce6e8224c9e42077d3c1dce06bbaa13cbca554c2925521194139339ba08238b840efa783a9c0d76552796cbca554c29255211942227454ce6e8228c2c123ae8e3e97036d8559d5876e52aa69412c9088a911323267374d14a23a1833e9e0e67835dd589e5b27215534a89840405c9091293d1451209b52973ce3943077d3c1dce06bbaa13cb65e52a261e2552a3f4499b64a38b2eb2a59452860efa7832ce06bbaa13cb6545c5c4a344228242e48488c91c5d544922a1833e9e8cb3c1aeeac4b27215138f12a908ca89c91c5d84914542077d3c1967835dd5896557ae62e251221541297252c46474114616591e13659e4c933912cd10e8e3c9ced96057f5d359be7215d3535e22793a9c0d76552796cb8a8ae92925d211942327474ce6e8a28b3c12027deee97036d8559d4e2c971515534a89c441e19c704c461749ceb32ccbb21515534ae9a489324fa6c91c896607fbf5ea3fb1aca8987894482194d049c8448e443214027d3c1967835dd5896557544c3c4a2489224fa4891c896408f4f1649c0d76553fb1a8dcf494974ef2bcc3d96057f5d34f2c2b2aa69412c9d3e16cb0ab3ab1aca89878944813659e4c9339ba688640ff7832ce06bbaa9f58542ccbb2acdddd2579dee16cb0abfae92716151e28d40965428d445408f4f1649c0d76553f99524a244f87b3c1aeeaa79f58544c3c4a019182d473547bf357e312703e37db9bbf1a2f289f93edcd5f8d0ce773b3bdf9abb1e17c6eb6377f355a503e27db9bbf1a31703e37db9bbf1a2b389f9bedcd5f8d0be573b2bdf9ab1103ade7acf6e6af460c94cfc9d6e7d55841f9ee64ebf36a84d4bba35a9f57e3ba6d6ffe6a64983d97b5377f355ea07c4eb6377f353294cfc9d6e7d578c1f9ee5a9f5723ccde5debf36ab49ed5defcd59881f3b9d9defcd558c1ecb9acbdf9abf102f7b9f6e6af460ccc9ecbda9bbf1a2f307b2e6b6ffe6a84d973597bf35723b49eb3da9bbf1a29983d97b5377f355ea0f59cd5defcd548c17d6edb9bbf1aa1f55cebf36a84fbeeb6f5793552d07a7756ebf36ab49eb3da9bbf1a39307b2e6b6ffe6acc60f65cd6defcd508a17c4eb6377f3546289f93edcd5f8d4bc0f9dc6c6ffe6a3c81f3b9d9de7c8d3fe07c6eb6377f353a01e773b3bdf9abf102b3e7b2f6e6afc61c503e27db9bbf1a41503e27db9bbf1a45703e37db9bbf1a4b703e375bf36a4c81f3ddcdf6e6d56882f3ddcdf6e6d5f8eedefabc1aa9e7a8f6e66b84d673567bf357a305e573b2bdf91a2f289f93edcd5f8d0ecee7667bf3572384f3b9d9defcd5a803cee7667bf3576384f3b9d9defcd528e17c6eb6377f35a2c0f9dc6c6ffe6a24c1f9dc6c6ffe6af401e773b3bdf9abb161f65cd6defcd508e573b2bdf9ab9109289f93edcd5f8d1f289f93edcd5f8d0fcae7647bf357a307cee7667bf357239ccfcdf6e6afc60f9ccfcdf6e6af46109ccfcdf6e6afc612389f9bedcd5f8d3ce07c6eb6377f356ea07c4eb6377f353201e773b3bdf9abf1c1f9dc6c6ffe6acc01e773b3bdf9abd104cee7667bf357e3c2ecb9acbdf9ab7103b3e7b2f6e6afc60e94cfc9f6e6af4607e573b2bdf9ab3104e773b3bdf9ab3103e573b2bdf9ab5103e573b2bdf9ab7109289f93edcd5f8d18cc9ecbda9bbf1a39503e27db9bbf1a9b80f3b9d9defcd5e881f239d9defcd5a881d973edcd5f8d1894cfc9d6bc1aa17c4eb6377f3566503e27db9bbf1ae1736f6ffe6ac4c0ecb9acbdf9ab7104e773b3bdf9ab9182d673567bf357a305ade7acf6e6af460b66cf65edcd5f8d15cc9ecbda9bbf1ae13eb7edfcd5c8307b2e6b6ffe6abc60f65cd6defcd5c8d07ace6a6ffe6abc40eb39abbdf9ab3103b3e7b2f6e6afc60a5acf59edcd5f8d907aaebdf9ab71a1f59cd5de7c8d18683d67b5377f3552709fdbf6e6afc685fbdcb6377f3552907a8e6a6fbec60bdce7b63daaaaaaaa9e253a1967d398e6ca5815632acc5e283d9978944873249a12f4f1649ccdb15faf7ebae92925d2298542a14e28936c24da482a04fa783a9c0d7655271615138f12291b893209fa7832cee6d8f5ea644a29913c1dce06bbaad34f37a59448d6486449d0c7d3e16cb0ab3a999e523a498e4452823e9e0e67835dd54fa6941209e52726d648c43204fa783a9c0d76552753ca4b271de527267274514886401f4f87b3c1aeea644a79e92494cbc9c5241b5dd4f212027d3c1dce06bbaa53cae572913a2e9d6c4351d413148b8a89c74ba40bcae5e4623247a223f212027d3c1907bbaa93e929a593b29128037d3c1dce06bbaa9329e5a5938ef2139339ba08890c813e9e0e67835dd5c994f2d24928d40965928d2eda482a04fa783a9c0d76553f99525e3a09853aa14ce4e8a228a910e8e3e97036d8559d4c292f9d44a1502794c91c5df484a442a08fa7c3d96057754ab9a05c4e2e2673243a222f21d0c7d3e16cb0ab3ab1a8dc741e2f9d948d2eca248b8a89c74b275128d40965224717454985401f4fc6d960577532a594488bb2276b32471719911b3ae8e3e97036c77e55ffe94d3061fdf21c4bdcbac40bdce7da9bbf1a175acf59edcd5f8d18983d97b5377f3556307b2e6b6ffe6aaca07c4eb6377f35329ccfcdf6e6afc60bcee7666b5e8d0bb3e7b2f6e6afc685f239d9defcd5089f7b7bf3576305e773adcfab9182d4bba35a9f57e3055aefce6a7d5e8df3b9d9defcd548c17daebdf9abf102b3e7b2f6e6af460c9ccfcdf6e6afc60b94cfb53eaf4638df5debaf4648bd3baaf57935cae7647bf357e305cee7667bf357e3c2f9dc6c6ffe6aa4a0f59cd5de7c8d503e27db9bbf1a29289f93ad793552703e375b9f572305b37797b537afc6e7defabc1a61f65cd6fabc1ab3e7b2d6e7d508ad7767b537af466859d473546b5e8dfbeeb6f579353ef7f6e6af46f8dcdb9bbf1a2d683d67b5377f356ea07c4eb6377f352e01e573b2bdf9abd103e573b2bdf9abf103e773b3bdf9abb109389f9bedcd5f8d21389f9bedcd5f8d0bf7b96d6ffe6a64683d67b5377f3536389f9bedcd5f8d4cc0f9dc6c6ffe6a74703e37db9bbf1a1f9ccfcdf6e6afc61c703e37db9bbf1ae17c6eb6377f356660f65c7bf3576343f99c6c6ffe6ae440f99c6c6ffe6acca07c4eb63eaf460f9cef6eb63eaf4628df9d6c7d5e8dd973597bf357e305b3e7b2f6e6af460acee7667bf357e305cee7667bf3576307cee7667bf3576305ade7acf6e6af460acae7647bf3576306cae7647bf357a306cae7647bf3572307cee766ebf36ad4c0f9ee66ebf36acce07c77b3f5793552cf51edcd5f8d16cc9ecbda9bbf1a31289f93edcd5f8d0be773b3bdf9abd182f3b9d9defcd588c1f9dc6c6ffe6adcc0f9dc6c6ffe6a9828a8e483ba3d24045a9206431f00030008001400000440c0d311000212d601e200204e00094000006200deefd51341e4a8dd603ff8ed4a2a3a1e6f902009a74dfd96cebd9e492481d034e822b515b73916e6321b1be5b507f20198cacdf144434c6b65e79babc0a2b7413bc82b5030e9bab4dcdc9006b165824fe0de0d1681895f126bfbb1fb2cb0bb6c9bbaa76b0210404ed5a2433733639a6c2d0f9e1b076729d09538001b83acce44f782682d89b104defb864c33794de6b3cb98651d8e177ae617b0ccc5a0ed1372784406c3baf736df792ac6fa6dfd6d1996632153a24318bb6fea6c551d8eddd56c539944777b7921a4d61c86555db7a6d9a7448bca1c54e204f3774b3902d40055e9ff12ad2a34c7072978af1d086dc8a7b610b11782a47bd40aa1dde8ecc184506ecd914049e8e5062f0834be33329f0f901d03861c990ce1d9be99a663f5afdb587a0e879c62a201f5cc1f014a1618d2e54fa923ccddda5ea7e246d219b1355b7521b93e95dae985337947c41b3c2dc0c08a0eddf54109ce6b4318b94fa2fc79fd5b3b96dee101230970a0feff37e2013cdf0618aec2cd384fdc9e29bf2fa3312c64c6748a73b3459c1f973bdfa5d23b3d7104214cec1677143034e258a737425c787d0e644504f8fbda8d7d89ffabbdc14c7080325ae4bbacde4414ce2ff1a28cd0c061fff4f9dfcc748846f64db1d45095a29dc574f095722386a70b472884c745869838c18512eef52009ee2d4318bd2de2fcbcfe392fd55e30e5a7f4fb9d1f01942e3094c98f104fd9bf95bb4e964b051fbefbccbf8dfb3cbe53bbfca3ed493008fea9bb752b1c4b63b3264328bb57a2f459757bbfb69ee101a70868401f280de927d78b3221e2743235d9817ac2928f2d3de1b73cc88a56e938cef68a313e2fdf5ad794e778e22c020ce85fdc08e830c0b11d7f426ce0fe94ed7c198e63a5d3a24298bd2d62fcb4dc7d3fd7ceb081eba29e09ec342b56f9e7ff8edd723ee61e70229da01c8b3e661330824906d47755986a6adcb8fdfb3e955ae90523087120b7f9a7c07159f091c0132c43adb3a57424f5c07a4b18cfb1f59d75515c88e0f08095243a919bf433c050e19f293e3d0ea469dd3f57f8a217e5461c4e174e418045ed498f8114169ad66547488fcc579657f305f36dcfc59a9fd7fa57532ff30394b1d24524514610e492fee29600a7010de9e831cc13fb4f69e7db610c891b111dd3d95e11c7e7e5edf5f609c197b5c6a71bd9e735f38d323ac77c8c22a48c0246c82f762ce838e4900a3f87a4187bc1a239d306c321275b54cc64c11a5b71b60b363afe441268396c871b21a17793d98b27203e5702bf694fcb5c38bccbd87ef49a63b5a52056656cfe7bcd91899a96a997cf7d1e409c779f16e854373ea9b81f083ebfc16d5c535a0c2c2c42b9bcba3bc0ea3a0ec2bdd8faabea228767fdcdd1a56e4cbd7cee29df3a88cfd6e094f3db343b15032c12108f4d81dfd71b3a7afdf07e36f38fd21633ff3110bb701bc7bf641398bd52be1c32b991a51b884abfb38f7740f7400b1051d09ec71a345fe8a83603337b714b402cddb838a84ce42fcb2988037e2621bf102eceddf033ec6335a04515a1b327900da9edaaf57132cefb092000fd2a1c88f500105402103730088298bf5979ccbac83508580370a353b05d3dba4e053689c5ebe6ecfb0058a112070383c6d8f29ef22c3d9605202ebb0a24d5cbd263090030e9ab40921e961e4b8fa547d04b3dc1502f67bbbd5c5c33317d5eccba4ede30f0769357c4f9bbafead6a49401d4655e9281454183702cfaef0c65c504da023c7a87ed717b0e17bfdd0bda618c7a1c711a4e4fdfe5775dbd8ecfd536fb5dabd7f1b9ba672ffbad5def50afe373b5cd7ed7ea757caeb6d9df817ad5ebf85c6db3df8bf50ef51a231efde7daeeee797ca46a3808093ee8053706fa43bc18f66c033cd34c2b485b904d48cfdc7b97dfb57a1d9fabd7ec35d8ef5abd468d973957dbec37aa5ef55a3b9eee5cbd674f1bfb6d51efa95eefc5939eab6df61b55af7aad1d8f79aededbcbfef7f5fde9b1ad3dbce72cda42d5e3f132d5b626bff75de76b8b78159fab2bec39cafef7f5adfb7b22225c7d3c7688445b61eee54e4596bdcd582bcca1c939e2bbc59f76bba472971eeb5ce6afaddca5c73a97f96b95bb47bac73a6d774ce6af55eed2639d9bf96b95bbf45827e6cecefcb5ca5d7aac73337f8d7695bb9974088e752ef3d72a77e9b1ce65fe8cdb5d50ee2ce91eeb66dc6960fe5ae52e3dd6b9cc5fabdca5c774007799bf99760e943b4bbac7ba19770b98bf56b94b8fb5d7c94cf03b4e6ae387c01cb4f0e7ec7a59a1cf19ba24b9db32ccde1da42b30436600dbebb58c2e6e0e6f13b6c1db85f6c4c80778f6ec64f6b23399cd1aa02dd053d61ce6eb7bcc63737b78efec423da36c8e28de3fdb00f6f5fde93152f6b0c5d9857a4659284449f3f33c3e52351c84041ff4821b06fc215efc34c08d20fd403621ad7dcf5b7ed7ea757caeb6b3dfb57a1d9fabc5f6b2df33f5ecea757caeb6d9efba7a1d9fab6df6bb56afe373b5cd7eafd5ebf85c6db3dff47ad5eb9978e473b5cd7ed7ea75fc5c6db3dfb57a1d9fab6df6bb56afc7e76a8fbdecf74cbdb07a1d9fab6df6bbae5e37e23d57cfd80bb3dfb57a1d9fabedec77a35ef57a269ef75c6db3dfa87ad56bed78db73b5cd7ea3ea55afb5e355cfb5dddd27e6698c4118e0ec623da32c8920bedbe15a9cc1ddfb0062e7a9cc6f7822361cf0f7503b67825b8c5de86784b9c2175b3cb3d6005b346b26485b20bb2524bbbbe7f191dbea2c192e10109ebe1e0a0aaef554d1fc42e1e1eef753233cc20037f66b05a1f869841b011a4e4fdfe577ad5ec7ced536fb5dabd7f1b9da622ffbad5d4fa15ec7e76a9bfdaeabd7f1b9da66bfc5f5aad733f162e76a9bfdaed5ebf8b9da66bf6bf53a3e57dbec77ad5eb7e33d576bdbabb2dfb57a1d9fabedec77a35ef57a26d68873b5cd7ed7eaf53ade73f58c3d39d9ef4abdea1deeeee94f2031f791b61fc41e6b80fdc6f2f4d20a1b18b01049b982c48d2df5f14c7078b9f988fc06cc51b9dff311e1e1ea999870f6f2585cbcb0772b0934e4117606ec395c7cb7c375711a4e4fdfe577ad5ec7e76a9bfd56abd7f1b9da66bf6bf53a3e57dbec6e43bdeaf54c3c3ad76e5e47625e47e23756bd75b856af6570b54d7ed7e2367ae016797f6dffd02781855f593ad0ffc38d81f39e0b79e18f4796235eaaaa0b00272fc34895e34a384cc9e70226a09dd65bf73431ebcdf96f4d4fd2905838da37d0bf3af837ba4df8af93ff7e7bf5dd89191b3617dd5dba9a31187c3d3124c7c758c2cd645d81aaccffffffffffff07e8197464f73aee995239bae6974f38cb0c4bfb805e865ef1b1eca305290e8b00db44e9b9f0553d4b34c199bfed6d4500c047facf85b6fbc30d2fab16223620b470e4c71da51087284f3c97219c41853c469dd09f39afff6216fcfc1413a23aa2e8175ee75f7f9b90e0fbd3e0477f3511e1677484490480a177a817d06be8e9ed7193dc15d112e05c78f184fc6e9f5f030ce68fd7fb18acf5df2b337f0047873fdf1bfaffffff5f0fa07ed6ec67c6c17381d70f888eb1983cba72b22d5e87b61e40cfa037a420b8404f4a6b6f6bd5bab557a0937d8e8f1994f40ca8829d0c7a437a003d83de901e280a6cb29536034a0b3d4a09e865a8d7ff032e2a8c159901
\.
COPY public.projection (run_id, design, version, done, planned, complete, reweighted, unit, seconds_per_unit, value, half_width, value_s, half_width_s, df, level, warning, makespan_s, measured_s, strata, variance_method, computed_at, cross_checks, makespan_half_width_s, empty_caches, warm_bound, confidence, looks, level_note, difference_level, difference_looks, makespan_interval_why_not, communication, projected_inside) FROM stdin;
01a221a2-d929-7370-bfad-93b52a33cedc	0	2	36	36	t	f	ns	1e-09	90172.22222222222	1928.577449769473	9.017222222222222e-05	1.9285774497694734e-06	35	0.95	\N	9.017222222222217e-05	\N	[{"done":36,"mean":450.8611111111111,"sd":31.472575615494453,"half_width":9.642887248847366,"total":90172.22222222222,"variance_share":1}]	stratified, finite-population correction, Satterthwaite's t	2026-11-28 10:10:50.907495+00	[{"name":"ratio","estimator":"combined ratio, with the profiled value of every launch as auxiliary variable","unit":"ns","value":90209,"half_width":0,"value_s":9.0209e-05,"half_width_s":0,"df":null},{"name":"difference","estimator":"difference from the profiled value of every launch, times a factor fixed beforehand: exactly unbiased","unit":"ns","value":90209,"half_width":0,"value_s":9.0209e-05,"half_width_s":0,"df":null}]	1.9287500460185305e-06	0	\N	0.95	\N	\N	\N	\N	\N	\N	0
01a221a2-dda5-7725-8b92-b2475331b733	0	4	29	29	t	f	ns	1e-09	89337.93103448275	2011.4387489076564	8.933793103448276e-05	2.0114387489076567e-06	28	0.9502485202101484	\N	8.933793103448258e-05	\N	[{"done":29,"mean":446.6896551724138,"sd":28.560841634602568,"half_width":10.057193744538282,"total":89337.93103448275,"variance_share":1}]	stratified, finite-population correction, Satterthwaite's t	2026-11-28 10:10:52.184083+00	[{"name":"ratio","estimator":"combined ratio, with the profiled value of every launch as auxiliary variable","unit":"ns","value":90609,"half_width":0,"value_s":9.0609e-05,"half_width_s":0,"df":null},{"name":"difference","estimator":"difference from the profiled value of every launch, times a factor fixed beforehand: exactly unbiased","unit":"ns","value":90609,"half_width":0,"value_s":9.0609e-05,"half_width_s":0,"df":null}]	2.04019458140772e-06	0	\N	0.95	5	at most 5 looks share 95 %, so this interval is wider	0.9500000018071152	5	\N	\N	0
01a221a2-dda5-7725-8b92-b2475331b733	1	4	29	29	t	f	ns	1e-09	89337.93103448275	2011.4387489076564	8.933793103448276e-05	2.0114387489076567e-06	28	0.9502485202101484	\N	8.933793103448258e-05	\N	[{"done":29,"mean":446.6896551724138,"sd":28.560841634602568,"half_width":10.057193744538282,"total":89337.93103448275,"variance_share":1}]	stratified, finite-population correction, Satterthwaite's t	2026-11-28 10:10:52.184083+00	[{"name":"ratio","estimator":"combined ratio, with the profiled value of every launch as auxiliary variable","unit":"ns","value":90609,"half_width":0,"value_s":9.0609e-05,"half_width_s":0,"df":null},{"name":"difference","estimator":"difference from the profiled value of every launch, times a factor fixed beforehand: exactly unbiased","unit":"ns","value":90609,"half_width":0,"value_s":9.0609e-05,"half_width_s":0,"df":null}]	2.04019458140772e-06	0	\N	0.95	5	at most 5 looks share 95 %, so this interval is wider	\N	\N	\N	\N	0
01a221a2-e1f9-7700-9d70-46485db78b5f	0	7	8	8	t	f	ns	1e-09	249900	120562.12628864254	0.0002499	0.00012056212628864255	7	0.95	\N	0.00024990000000000006	\N	[{"done":8,"mean":1561.875,"sd":924.7236556321647,"half_width":753.5132893040159,"total":249900,"variance_share":1}]	stratified, finite-population correction, Satterthwaite's t	2026-11-28 10:10:53.192005+00	[{"name":"difference","estimator":"difference from the profiled value of every launch, times a factor fixed beforehand: exactly unbiased","unit":"ns","value":376290,"half_width":0,"value_s":0.00037629000000000004,"half_width_s":0,"df":null}]	\N	0	\N	0.95	\N	\N	\N	\N	too few launches were simulated where the time is to know how much launches of one kind differ	\N	0
01a221a2-f205-7885-9250-f688e7e51706	0	3	2	2	t	f	cycles	6.535947712418301e-10	22000	0	1.4379084967320263e-05	0	\N	0.95	\N	\N	\N	[{"done":2,"mean":1000,"sd":0,"half_width":0,"total":22000,"variance_share":0}]	stratified, finite-population correction, Satterthwaite's t	2026-11-28 10:10:56.990679+00	[]	\N	0	\N	0.95	\N	\N	\N	\N	\N	\N	0
01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	0	3	8	8	t	f	cycles	6.535947712418301e-10	62355.25340578694	\N	4.0755067585481664e-05	\N	\N	0.95	the samples were chosen by a rule, not drawn at random, so nothing in them shows how far off the total is: there is no interval	\N	\N	[{"done":1,"mean":1000,"sd":null,"half_width":null,"total":1000,"variance_share":null},{"done":1,"mean":1000,"sd":null,"half_width":null,"total":1000,"variance_share":null},{"done":1,"mean":1000,"sd":null,"half_width":null,"total":1000,"variance_share":null},{"done":1,"mean":1000,"sd":null,"half_width":null,"total":1000,"variance_share":null},{"done":1,"mean":1000,"sd":null,"half_width":null,"total":1000,"variance_share":null},{"done":1,"mean":4311.878109452737,"sd":null,"half_width":null,"total":51742.53731343284,"variance_share":null},{"done":1,"mean":1153.1790230885254,"sd":null,"half_width":null,"total":4612.716092354101,"variance_share":null},{"done":1,"mean":1000,"sd":null,"half_width":null,"total":1000,"variance_share":null}]	none: the samples were chosen by a rule, not drawn at random	2026-11-28 10:11:00.251137+00	[]	\N	0	\N	0.95	\N	\N	\N	\N	\N	\N	0
01a221a2-e6ef-752d-8489-e5a631e97d35	0	6	5	7	f	t	cycles	6.535947712418301e-10	160000	\N	0.00010457516339869282	\N	\N	0.95	a stratum has fewer than two results, so the interval is not known yet	\N	\N	[{"done":1,"mean":1000,"sd":null,"half_width":null,"total":100000,"variance_share":null},{"done":1,"mean":1000,"sd":null,"half_width":null,"total":24000,"variance_share":null},{"done":3,"mean":1000,"sd":0,"half_width":11.89190392314783,"total":36000,"variance_share":null}]	stratified, finite-population correction, the plan's noise floor, Satterthwaite's t	2026-11-28 10:11:00.750803+00	[]	\N	0	\N	0.95	\N	\N	\N	\N	\N	\N	0
01a221a3-04c3-72c7-a474-478eac26321b	0	3	5	36	f	t	ns	1e-09	91160	6855.7733029426845	9.116e-05	6.8557733029426846e-06	4	0.95	some samples have no result; their strata are weighted over those that have, which is right only if they are missing by chance	\N	\N	[{"done":5,"mean":455.8,"sd":27.958898404622456,"half_width":34.27886651471342,"total":91160,"variance_share":1}]	stratified, finite-population correction, Satterthwaite's t	2026-11-28 10:11:01.77073+00	[{"name":"ratio","estimator":"combined ratio, with the profiled value of every launch as auxiliary variable","unit":"ns","value":90409,"half_width":0,"value_s":9.040900000000001e-05,"half_width_s":0,"df":null},{"name":"difference","estimator":"difference from the profiled value of every launch, times a factor fixed beforehand: exactly unbiased","unit":"ns","value":90409,"half_width":0,"value_s":9.040900000000001e-05,"half_width_s":0,"df":null}]	\N	0	\N	0.95	\N	\N	\N	\N	\N	\N	0
\.
COPY public.projection_point (run_id, design, done, value, half_width, value_s, half_width_s, at) FROM stdin;
01a221a2-d929-7370-bfad-93b52a33cedc	0	36	90172.22222222222	1928.577449769473	9.017222222222222e-05	1.9285774497694734e-06	2026-11-28 10:10:50.907495+00
01a221a2-dda5-7725-8b92-b2475331b733	0	21	89371.42857142857	4619.153170400439	8.937142857142857e-05	4.61915317040044e-06	2026-11-28 10:10:51.700442+00
01a221a2-dda5-7725-8b92-b2475331b733	1	21	89371.42857142857	4619.153170400439	8.937142857142857e-05	4.61915317040044e-06	2026-11-28 10:10:51.700442+00
01a221a2-dda5-7725-8b92-b2475331b733	0	29	89337.93103448275	2011.4387489076564	8.933793103448276e-05	2.0114387489076567e-06	2026-11-28 10:10:52.184083+00
01a221a2-dda5-7725-8b92-b2475331b733	1	29	89337.93103448275	2011.4387489076564	8.933793103448276e-05	2.0114387489076567e-06	2026-11-28 10:10:52.184083+00
01a221a2-e1f9-7700-9d70-46485db78b5f	0	7	261828.57142857142	140722.82752933045	0.0002618285714285714	0.00014072282752933046	2026-11-28 10:10:52.9293+00
01a221a2-e1f9-7700-9d70-46485db78b5f	0	8	249900	120562.12628864254	0.0002499	0.00012056212628864255	2026-11-28 10:10:53.192005+00
01a221a2-f205-7885-9250-f688e7e51706	0	2	22000	0	1.4379084967320263e-05	0	2026-11-28 10:10:56.990679+00
01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	0	8	62355.25340578694	\N	4.0755067585481664e-05	\N	2026-11-28 10:11:00.251137+00
01a221a2-e6ef-752d-8489-e5a631e97d35	0	5	160000	\N	0.00010457516339869282	\N	2026-11-28 10:11:00.750803+00
01a221a3-04c3-72c7-a474-478eac26321b	0	5	91160	6855.7733029426845	9.116e-05	6.8557733029426846e-06	2026-11-28 10:11:01.77073+00
\.
COPY public.recheck (task_id, second, agrees, acted) FROM stdin;
f8212589-056a-4438-bf84-ad58fa1284ee	\N	\N	f
478f43e5-0cb8-47da-b836-a3c7625a00d1	\N	\N	f
e0120ebb-286b-48cf-b079-102d4aa8ee56	\N	\N	f
eeb7b468-d8f1-4ffa-afc0-b262fcee1580	\N	\N	f
308ac79a-c8f2-4cc8-9758-321c0ecb4f0e	second	t	f
291f233e-64bc-4797-a117-46071b5c905c	second	f	t
74a355fd-2a79-48bd-b65a-6cdc297580c2	\N	\N	f
6f857135-656c-4ca2-9001-fb33ae2ce872	\N	\N	f
9bd3954d-6ed6-4d61-a5af-7a68cce0da59	\N	\N	f
e29fc9bd-3c5a-47c0-a6dd-718042fdee25	\N	\N	f
3e7c7e50-556b-4278-8e8b-caaa5713baf6	\N	\N	f
15a864c1-2c29-44a8-8aa7-e59e653a2e20	\N	\N	f
ce80736d-50c6-4674-b2c3-9d644327de33	\N	\N	f
59db07c6-8d5d-4d1d-8ac9-2a5d3f70500c	\N	\N	f
d006b04e-b91f-47a0-a011-d9485486ee65	\N	\N	f
ec08c518-7225-4571-a5bc-5248b9e33029	\N	\N	f
d1c2a676-075a-4745-a0a1-180e6009682e	\N	\N	t
\.
COPY public.recording (task_id, asked_by, bytes) FROM stdin;
01a221a2-e762-79c6-b750-2300c211d7ff	owner	\N
\.
COPY public.result (id, key, engine, trace_sha256, design_sha256, simulator, value, unit, digest, disputed, cycles, launch_cycles, warp_instructions, clock_hz, host_seconds, body, created_at, empty_caches, cycles_warm_bound, worker, discard_id, discarded_key, quarantined, inside_kernels, projected_error) FROM stdin;
01a221a2-da5b-778c-a5d4-bf0ad469dbbb	\\x00d39792a9b5bcfa6f007a0bc76c236cf74560bb59ba2f7558a0f661ac6abba0	replay	\N	\N	replay	411	ns	b7dbb627d32f8880fd5a75ed6bc03fc92123255714aec7b418c98138056b6754	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":411,"unit":"ns","digest":"b7dbb627d32f8880fd5a75ed6bc03fc92123255714aec7b418c98138056b6754"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7232-a31f-38b4f5c5337e	\\x0a4425a7b255f9c9ebd21e5b28d38ade34f1431759dfa0c341d8ae9db00ac73f	replay	\N	\N	replay	407	ns	956d5565a56046716ba91eee9868b53ecb8c09ea232a3a6399df29b13ee7cc70	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":407,"unit":"ns","digest":"956d5565a56046716ba91eee9868b53ecb8c09ea232a3a6399df29b13ee7cc70"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-79c6-b368-2df99ec45444	\\x1a5b51a7de450c3d403e3a6dab6a274523e533d0b00535eff9f15154ba28ee7c	replay	\N	\N	replay	462	ns	71e6338893e8bcdec37100ea1420e2c9d3dcff14106c3893f386393c9e863656	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":462,"unit":"ns","digest":"71e6338893e8bcdec37100ea1420e2c9d3dcff14106c3893f386393c9e863656"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-73ba-bcb3-35839572ecca	\\x1e116ca495b58c8fa4bd8c70c1e581a39f33422885a667dd6f4cfa10b3b437c9	replay	\N	\N	replay	416	ns	65a8a7d358d743cd9f642408686e84448919ede72f06e2ea144c999ffe4037d9	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":416,"unit":"ns","digest":"65a8a7d358d743cd9f642408686e84448919ede72f06e2ea144c999ffe4037d9"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-776b-b2b2-83d6e95a9888	\\x219f555dfe8e7489fbf6a452fbfed4b05bd1121d6000ffff40220e046cfa5f8b	replay	\N	\N	replay	491	ns	8e9085ed065071e7a759f0c58ccae7f73019b713f194071a838fb008b7d5808a	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":491,"unit":"ns","digest":"8e9085ed065071e7a759f0c58ccae7f73019b713f194071a838fb008b7d5808a"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-73e0-9cc0-518f6b64be86	\\x2e15713b155306e5e803f0f4d16749a913125ba099d9a56fa882091b8b765134	replay	\N	\N	replay	468	ns	2f112de189f26aec2e04806122250cafcd7553cbfca63cb363324a14a2ed2bc5	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":468,"unit":"ns","digest":"2f112de189f26aec2e04806122250cafcd7553cbfca63cb363324a14a2ed2bc5"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7bb5-a15f-a40efbab1fce	\\x2e5bd0492890e4348ed93b7a6fd29dfd3f4d64728c088fa8646095839ff744bd	replay	\N	\N	replay	419	ns	24cd70065b2f7d267590fdc96f9d6f7df1cc38e168317963ad8d3a6d9d8643d5	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":419,"unit":"ns","digest":"24cd70065b2f7d267590fdc96f9d6f7df1cc38e168317963ad8d3a6d9d8643d5"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-71a2-a016-0eb33396bdf4	\\x3493706477519f494e44b97d9a8d894825bb0c3798850badb32ee2aa674606ac	replay	\N	\N	replay	428	ns	593e7b46a252d13f293d2f6a2b96dcfd120731292d0049c83e016694a7b063b0	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":428,"unit":"ns","digest":"593e7b46a252d13f293d2f6a2b96dcfd120731292d0049c83e016694a7b063b0"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7fde-bc95-5e65d280475e	\\x3a72126baa5978624b48dd9b351dc0b2019619cb0973cd381942ee0ed1da886f	replay	\N	\N	replay	427	ns	0670cd07bb1997549d410526cd3a53c4de8f363bd2343f6365d90fb3066bf7b2	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":427,"unit":"ns","digest":"0670cd07bb1997549d410526cd3a53c4de8f363bd2343f6365d90fb3066bf7b2"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7d13-a84b-5101fc274098	\\x4f7420e5cea192d70b1ce8d82e5151a25acd3898d9060ee46a3312328d3945a0	replay	\N	\N	replay	447	ns	07b8c6b4245074449390a649843ba52ad8a6cebb1e98040897e9cb15c98dc273	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":447,"unit":"ns","digest":"07b8c6b4245074449390a649843ba52ad8a6cebb1e98040897e9cb15c98dc273"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-71f8-a1c5-b17b5b044aaf	\\x5a06866c7a15912a02ef42bd5837f42bfc880655dbb47e7053c45eaba6d2444b	replay	\N	\N	replay	419	ns	24cd70065b2f7d267590fdc96f9d6f7df1cc38e168317963ad8d3a6d9d8643d5	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":419,"unit":"ns","digest":"24cd70065b2f7d267590fdc96f9d6f7df1cc38e168317963ad8d3a6d9d8643d5"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7e63-be74-ec585f7e0c31	\\x801161c229ac260365b3a7a4c1bb7b465fd3dc936cead412f69c451d1899ae2c	replay	\N	\N	replay	482	ns	a3a5f8a505548d639f498347862f6d95f313437aa84fba96ee4b6c399683b357	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":482,"unit":"ns","digest":"a3a5f8a505548d639f498347862f6d95f313437aa84fba96ee4b6c399683b357"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7be7-8e79-16a969e9c28c	\\x861e2e5b71913e27582cc89489308c57c62c8cf6cb45b1374e266334025a503e	replay	\N	\N	replay	497	ns	bc20093c1a6ea62ff4644e276251d7e59969ac70b2244fac96e389714fde931c	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":497,"unit":"ns","digest":"bc20093c1a6ea62ff4644e276251d7e59969ac70b2244fac96e389714fde931c"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7dfc-b23b-ae891bc39ece	\\x888db80c8a7ec2df8cdaea499a2d888501d1d226305efc38c256198965b84566	replay	\N	\N	replay	477	ns	e61659b245731ffff63d456415e2f23c6e81b64b27b38b1769943d3c8628658f	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":477,"unit":"ns","digest":"e61659b245731ffff63d456415e2f23c6e81b64b27b38b1769943d3c8628658f"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-70ca-9d7e-2090fdb16192	\\x9195938bfbadf3920ff7c0f831d5b92674ef88a8105f55ed0ad1ad4164382598	replay	\N	\N	replay	500	ns	dc8914be84cb41f2aa8ae20bf62f7e14b652c7f66ed19f1d137959047334efba	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":500,"unit":"ns","digest":"dc8914be84cb41f2aa8ae20bf62f7e14b652c7f66ed19f1d137959047334efba"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-78dd-8d27-a60647158b71	\\x942c6f5a1599a4502625573a556411df19488d1a961a47f0abf7a041ef3169cf	replay	\N	\N	replay	499	ns	05dec1535be4df941076a61c28a3620fb29f80e48734f7f719bef81c0e45f5f2	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":499,"unit":"ns","digest":"05dec1535be4df941076a61c28a3620fb29f80e48734f7f719bef81c0e45f5f2"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-77c5-a95a-34c92f2a9947	\\x9cab782f4db231732f96c8f658a5110b4308d5e20ae1fcf65c07fb0a3ff2bd13	replay	\N	\N	replay	422	ns	859813a85bd83fc331d9985763ca884832c937e785d4bed39a23015616dfe498	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":422,"unit":"ns","digest":"859813a85bd83fc331d9985763ca884832c937e785d4bed39a23015616dfe498"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7c42-8237-dfd7022db1c3	\\x9e2b0b24e4dbe63d5a20ddc22f9be4a2e5971ab3cc8db9f687299e8e6c6b250e	replay	\N	\N	replay	414	ns	155b3ef1b07b98e30719ddbbc991d6d8742a70cf1c271069a142bc76a1001704	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":414,"unit":"ns","digest":"155b3ef1b07b98e30719ddbbc991d6d8742a70cf1c271069a142bc76a1001704"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-74a7-a6e2-c7350f640dd1	\\xa3308ad19d407d65d6af3e841bd28cc1b7338a4024dd13332b74abf8a0118322	replay	\N	\N	replay	413	ns	506570d2cb3035bedae414bfb50a20ac9bb1bd7a7772aaad118c2f143ec1d473	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":413,"unit":"ns","digest":"506570d2cb3035bedae414bfb50a20ac9bb1bd7a7772aaad118c2f143ec1d473"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7b83-9b2d-229a5fdfde5e	\\xa4ce4003110689c371841eeb8aad39bab206f9e4f53ebeb72d3d44089d557210	replay	\N	\N	replay	492	ns	8190826e115d2ab80b3318877f5c2aae188fa448fc4cc05108d8b663f5bf1fdc	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":492,"unit":"ns","digest":"8190826e115d2ab80b3318877f5c2aae188fa448fc4cc05108d8b663f5bf1fdc"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-79cf-8525-3ba2dc5a7475	\\xa6a62fa4387fffde57e69b600f72f95f136890f9ea39555f8f068a2170c215e6	replay	\N	\N	replay	494	ns	c40bdd437163b65bf12b9b42693a50af3837276d49c4a74dca9ee96af4782842	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":494,"unit":"ns","digest":"c40bdd437163b65bf12b9b42693a50af3837276d49c4a74dca9ee96af4782842"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-736a-a27c-52a2f45a0e18	\\xaf7252818bcb9bba0f187dcd30439d25fd8cd726bbc7a76f039eccc7aa96ed87	replay	\N	\N	replay	472	ns	99292af81ccdbb4e05fea9e9bd3a5d8164a09fb8fcb70d695ad0bc8e8dedc811	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":472,"unit":"ns","digest":"99292af81ccdbb4e05fea9e9bd3a5d8164a09fb8fcb70d695ad0bc8e8dedc811"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7ee0-b08e-3ebef84c1d46	\\xb2be95e9eaea4f70ce3b632bd4c0ae6d6ec7d2a39d912df44bc90b833f22b5f3	replay	\N	\N	replay	437	ns	e6326fa55a57c2228c78102798398a8f89f9fe1cb48cee8af078916903e95c4e	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":437,"unit":"ns","digest":"e6326fa55a57c2228c78102798398a8f89f9fe1cb48cee8af078916903e95c4e"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7b29-911a-3b7de5a436f2	\\xb2cfa9226de30f0cd676be5d59d6ee5c64e1db555a4b2f184965758ee84621c6	replay	\N	\N	replay	438	ns	a9c96817a6b6b4cbcc944de72c36c3e80a5b10c7bee8323b72e74c058283f319	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":438,"unit":"ns","digest":"a9c96817a6b6b4cbcc944de72c36c3e80a5b10c7bee8323b72e74c058283f319"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7152-9ecb-e29376bf88ba	\\xc5c64e3cb0eec5c9b607dfb5ee0d32a53a98eb20cfb75f4c6fdcfd836415c643	replay	\N	\N	replay	403	ns	dbbe7081f65f5b8bd79a935d8ebe5c2f5b2bfbf1f019edbadadab030ff87ed54	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":403,"unit":"ns","digest":"dbbe7081f65f5b8bd79a935d8ebe5c2f5b2bfbf1f019edbadadab030ff87ed54"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7d15-8755-e3d03f832268	\\xc64e079c4eee0cda47c931877f37c940376ad2427bd45d4f39d8a365e07bfeb7	replay	\N	\N	replay	429	ns	0f3f0db76205fd09876a0bb5cceb713b67b571c058a8058bf89eecd4a2272025	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":429,"unit":"ns","digest":"0f3f0db76205fd09876a0bb5cceb713b67b571c058a8058bf89eecd4a2272025"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7995-af9f-e5ba572ae5d5	\\xca47425f1e024321b28184b04a91c075d8208c441897f102894580c03d5f6503	replay	\N	\N	replay	463	ns	5cc198e9d0f1ba706ce1cc623c6e45534a09f060152ef1f1dc6280554585341b	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":463,"unit":"ns","digest":"5cc198e9d0f1ba706ce1cc623c6e45534a09f060152ef1f1dc6280554585341b"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7843-9c6d-5a9134f083da	\\xd06fe25f1e765fc23ac5ac75883bda55f047b8a404d500310d5a2e9917263231	replay	\N	\N	replay	454	ns	f7725e7dce1abc1a4f667f5db83ce5dcd60d748161d05d150fa553c1fa195c19	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":454,"unit":"ns","digest":"f7725e7dce1abc1a4f667f5db83ce5dcd60d748161d05d150fa553c1fa195c19"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-73db-9474-c7d5d8d6c7ab	\\xd1fa51bd2ac68f08faff64e8ad37a10aa5671a9b46af43538f647269ab901f18	replay	\N	\N	replay	449	ns	939e8d04c8f6251c79cdef6b1ab181a91367f287579e04c572b4e762bbee7d60	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":449,"unit":"ns","digest":"939e8d04c8f6251c79cdef6b1ab181a91367f287579e04c572b4e762bbee7d60"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7ee0-b708-10daf27c404f	\\xd5300101fdddd7fc7a1d4a58fd73ac1c7c1ad92963f0b7ded77fe06c59c863a4	replay	\N	\N	replay	481	ns	6c71bd3d083907af5e3b1b371a3ecbef96e082fb0756787371f8da1408cc5cc7	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":481,"unit":"ns","digest":"6c71bd3d083907af5e3b1b371a3ecbef96e082fb0756787371f8da1408cc5cc7"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-754f-98da-1cbaf0db2162	\\xd5a2cc5084c8a3d0f3bc062784a741dfa6b0e0a21023839c362d78bb41d2b12c	replay	\N	\N	replay	409	ns	4d879bdc8f88af89b7a97f6b477b2a7760961181f08cd3cf76b28079c39ef7b2	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":409,"unit":"ns","digest":"4d879bdc8f88af89b7a97f6b477b2a7760961181f08cd3cf76b28079c39ef7b2"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7038-a8a4-c6242a6ce98d	\\xe6a95f1d5ca2316c741465bd9f5607fefcfa0fb5978c50925119881cdd232549	replay	\N	\N	replay	461	ns	0434cabfca75ab4aebb342928b81a127676d924ce87f3c139a2d45882676f9ba	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":461,"unit":"ns","digest":"0434cabfca75ab4aebb342928b81a127676d924ce87f3c139a2d45882676f9ba"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-735b-b353-abe37ceb45e5	\\xf4c80726eeeee08b30298c4db7ebb4be78930e29bf1636df496e73d53fda4cc9	replay	\N	\N	replay	492	ns	8190826e115d2ab80b3318877f5c2aae188fa448fc4cc05108d8b663f5bf1fdc	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":492,"unit":"ns","digest":"8190826e115d2ab80b3318877f5c2aae188fa448fc4cc05108d8b663f5bf1fdc"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7a3f-a7d5-a0c2bc75d2d4	\\xf603482c4d1e849b114d920b33e826584bf1f0064bcde523fbe9f3cd0220df06	replay	\N	\N	replay	432	ns	94d8555e5039d1bc8a3c773a3c6ccfe3081d88aaba73b9c460e38b101d88c631	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":432,"unit":"ns","digest":"94d8555e5039d1bc8a3c773a3c6ccfe3081d88aaba73b9c460e38b101d88c631"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7c15-9048-6f817187a854	\\xf7ddaf504d32b5d13210cce9728b473f876ee23a05efee5c7027d877a9d83dcf	replay	\N	\N	replay	474	ns	57a415296f6861d5f563abd314261de2bb5e5aa22f96f84340020c5b499c0de1	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":474,"unit":"ns","digest":"57a415296f6861d5f563abd314261de2bb5e5aa22f96f84340020c5b499c0de1"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-da5b-7c4e-a730-ab7a1059e157	\\xf9a656f84683f4d9f3343d5d84eb5e0376835604196540663a218dcd49e86776	replay	\N	\N	replay	452	ns	fed71634fb04543bb8329c013df8c1f62fe254a581a6c2129aa865e3d3b1bca7	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":452,"unit":"ns","digest":"fed71634fb04543bb8329c013df8c1f62fe254a581a6c2129aa865e3d3b1bca7"}	2026-11-28 10:10:50.573909+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7ad5-b45a-d7b617256103	\\x08845b54f9b3cbb19795a4a4dcb83b18562a0ec2100f658f7925032e748e4668	replay	\N	\N	replay	438	ns	a9c96817a6b6b4cbcc944de72c36c3e80a5b10c7bee8323b72e74c058283f319	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":438,"unit":"ns","digest":"a9c96817a6b6b4cbcc944de72c36c3e80a5b10c7bee8323b72e74c058283f319"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7b16-b75f-9bdcd3a1d70d	\\x21d444d7a6787e8dde9def04ddeebd6ae8575196497ea4904c0ee2dfcd954139	replay	\N	\N	replay	487	ns	a33f8f8ddf6890fb10f3b1c1a088f468c72d5914e93d2e72665ef2eb66270b1d	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":487,"unit":"ns","digest":"a33f8f8ddf6890fb10f3b1c1a088f468c72d5914e93d2e72665ef2eb66270b1d"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-70e9-a1c8-c850ffdd5fc0	\\x3d213cecf2813b6fe531977a752fc7a2089a5676d855eeb3bb61b0cf627e8aaa	replay	\N	\N	replay	442	ns	c58651a6b9976e4086616efee8844234766a204151652a21dfe2113fea80484e	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":442,"unit":"ns","digest":"c58651a6b9976e4086616efee8844234766a204151652a21dfe2113fea80484e"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7376-a853-b768ee7e9475	\\x44adc69c9f00a62b4e459d242488745503a35d2bf144b71a496bd4ed9fb6c940	replay	\N	\N	replay	416	ns	65a8a7d358d743cd9f642408686e84448919ede72f06e2ea144c999ffe4037d9	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":416,"unit":"ns","digest":"65a8a7d358d743cd9f642408686e84448919ede72f06e2ea144c999ffe4037d9"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7130-bf7e-9d2ff4859e7f	\\x460004622362827d35977ffd11a07f6dfd1bb57839dbe85d70222f002cfb68dd	replay	\N	\N	replay	403	ns	dbbe7081f65f5b8bd79a935d8ebe5c2f5b2bfbf1f019edbadadab030ff87ed54	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":403,"unit":"ns","digest":"dbbe7081f65f5b8bd79a935d8ebe5c2f5b2bfbf1f019edbadadab030ff87ed54"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-74ed-b9c4-da98f91f25d9	\\x4e8db7ac03e4435eaa4033cb2ebe7eea77d2cf7723ed4c116eef54a053b4dd3c	replay	\N	\N	replay	467	ns	fea0435c08315401a769a1ec311fe0593c3f46451007aeb981f96fd42c947340	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":467,"unit":"ns","digest":"fea0435c08315401a769a1ec311fe0593c3f46451007aeb981f96fd42c947340"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7124-9d50-da7960b5b372	\\x89d6531b8392bc1816fcae9e87e877fa51352c7e5017f366b4e9f916f779ddec	replay	\N	\N	replay	470	ns	4cddd1a49a849f986a08a40cb1e12e434bdb7866a40dda61b8ded6246403c8eb	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":470,"unit":"ns","digest":"4cddd1a49a849f986a08a40cb1e12e434bdb7866a40dda61b8ded6246403c8eb"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7357-98cd-34f208c147e0	\\x8c0e31124d5c8e73742d6e5f53e3ce38afd9163464d649f81018901239351895	replay	\N	\N	replay	454	ns	f7725e7dce1abc1a4f667f5db83ce5dcd60d748161d05d150fa553c1fa195c19	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":454,"unit":"ns","digest":"f7725e7dce1abc1a4f667f5db83ce5dcd60d748161d05d150fa553c1fa195c19"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7f1c-ac89-af31c7f96076	\\x918ff9db1c8196f174eedc8dd6240131258319d9712b2f915ae29039ba440fcf	replay	\N	\N	replay	452	ns	fed71634fb04543bb8329c013df8c1f62fe254a581a6c2129aa865e3d3b1bca7	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":452,"unit":"ns","digest":"fed71634fb04543bb8329c013df8c1f62fe254a581a6c2129aa865e3d3b1bca7"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7aa3-bcc4-701f4a077f0e	\\x9959f78c946815af154593f81ee9210ed41334e4982700336ca424ca149c3ec9	replay	\N	\N	replay	468	ns	2f112de189f26aec2e04806122250cafcd7553cbfca63cb363324a14a2ed2bc5	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":468,"unit":"ns","digest":"2f112de189f26aec2e04806122250cafcd7553cbfca63cb363324a14a2ed2bc5"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-75fc-8884-f555ad66952e	\\xa2cb1935d27c2137ef5cd0c1ff108dd422fd9fb3d8ca003e589b3312a90bdaf1	replay	\N	\N	replay	474	ns	57a415296f6861d5f563abd314261de2bb5e5aa22f96f84340020c5b499c0de1	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":474,"unit":"ns","digest":"57a415296f6861d5f563abd314261de2bb5e5aa22f96f84340020c5b499c0de1"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-706e-bcac-fc4e29c070bc	\\xafc2a949671dbdae328952d6d7b7edeb2aa4eacaa29cf10db1205445f08728a8	replay	\N	\N	replay	486	ns	b80a94192746e5194ee7b2a2f61f2100085ccae8ef00bdce6be25604793bf898	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":486,"unit":"ns","digest":"b80a94192746e5194ee7b2a2f61f2100085ccae8ef00bdce6be25604793bf898"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-720c-b504-0993b2b948c2	\\xb0526c8446d8f3e26cf275171a314797c49127c959c0ca40fa26750111bce8b6	replay	\N	\N	replay	410	ns	2ef066d3b8db977391f610240063cdfae943353fca8e1e71a2605ab6aeb809ca	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":410,"unit":"ns","digest":"2ef066d3b8db977391f610240063cdfae943353fca8e1e71a2605ab6aeb809ca"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7a17-bf96-2b80b6b215dd	\\xb11e924fe2d71a84319b45c823f4002473bfae60cae7ae400aa3f4e5bc8c48f3	replay	\N	\N	replay	491	ns	8e9085ed065071e7a759f0c58ccae7f73019b713f194071a838fb008b7d5808a	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":491,"unit":"ns","digest":"8e9085ed065071e7a759f0c58ccae7f73019b713f194071a838fb008b7d5808a"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7159-aea3-ad540d9899e5	\\xbf2546719f7c56098b22667da02f91706817601a06cfcfa29294f514af41d778	replay	\N	\N	replay	406	ns	ff104795ba7f10c773574b10cbd3e19549e55f84cad18528ba7b4741a81ffca7	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":406,"unit":"ns","digest":"ff104795ba7f10c773574b10cbd3e19549e55f84cad18528ba7b4741a81ffca7"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-740d-ac28-2017bbb6e1e2	\\xca060ae62c3dd96a01b5dfa6f7240fa2fe88016535a3cec1b8cc23c96d943fea	replay	\N	\N	replay	413	ns	506570d2cb3035bedae414bfb50a20ac9bb1bd7a7772aaad118c2f143ec1d473	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":413,"unit":"ns","digest":"506570d2cb3035bedae414bfb50a20ac9bb1bd7a7772aaad118c2f143ec1d473"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7e18-99a7-dab32fc13727	\\xd83c45d28babafb2f878d63dff9b2d0970bd64fdaf77c0aa6c56e0505d93bc79	replay	\N	\N	replay	460	ns	820c61c0326cfc5f507db172a6df75d210220486d6155d396524302e5f4636b2	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":460,"unit":"ns","digest":"820c61c0326cfc5f507db172a6df75d210220486d6155d396524302e5f4636b2"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7bf7-8c88-c1a926b0efea	\\xda6cce0ef45135a565aebd49b65362adb478a77e62bb381c9053271d9479b396	replay	\N	\N	replay	417	ns	bbb7671402e072732e85439bd44f9a67a7fe022f9122c477280dddc248d56a37	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":417,"unit":"ns","digest":"bbb7671402e072732e85439bd44f9a67a7fe022f9122c477280dddc248d56a37"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7ea4-b537-467bb34e389a	\\xedd3e3305e9f6286bb88347c0527d237da50035d522bf41897cf44e643c1b024	replay	\N	\N	replay	436	ns	7f280cb5fc8fa55969fe3894d8b6c1a58d0efa773d51bca555574e3698d3bf84	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":436,"unit":"ns","digest":"7f280cb5fc8fa55969fe3894d8b6c1a58d0efa773d51bca555574e3698d3bf84"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7652-9d2a-2c60969ea187	\\xf08498732095e3c7869ccb5ffe33eee8179066ffdae27d986898e24c3f8fe22d	replay	\N	\N	replay	472	ns	99292af81ccdbb4e05fea9e9bd3a5d8164a09fb8fcb70d695ad0bc8e8dedc811	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":472,"unit":"ns","digest":"99292af81ccdbb4e05fea9e9bd3a5d8164a09fb8fcb70d695ad0bc8e8dedc811"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-de7c-7d05-bc11-a866e8bfb5b1	\\xf2efa5dc560b314ebcd81e14aa5e2881efff3675c15c16328ecfc904b46c39ed	replay	\N	\N	replay	422	ns	859813a85bd83fc331d9985763ca884832c937e785d4bed39a23015616dfe498	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":422,"unit":"ns","digest":"859813a85bd83fc331d9985763ca884832c937e785d4bed39a23015616dfe498"}	2026-11-28 10:10:51.63863+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-795b-a74b-54005758e9ff	\\x0eb7755626fb7b5c844eed382fd413e46501badf35b4c108dcd032e88e093877	replay	\N	\N	replay	463	ns	5cc198e9d0f1ba706ce1cc623c6e45534a09f060152ef1f1dc6280554585341b	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":463,"unit":"ns","digest":"5cc198e9d0f1ba706ce1cc623c6e45534a09f060152ef1f1dc6280554585341b"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-7b34-9f18-f54567b62665	\\x2e8540c236a98f0615d8a82b9eafd7b8f17022e67142eadcbdd269f6a83b8cf2	replay	\N	\N	replay	479	ns	39826bea2b5685417b0f5cb9155c6ea5c79a3caebe394c81cd2f4b73c8ba0537	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":479,"unit":"ns","digest":"39826bea2b5685417b0f5cb9155c6ea5c79a3caebe394c81cd2f4b73c8ba0537"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-71ca-8fa0-d0ac75dd94b6	\\x4417ec69a80f95cc245174ec2d5b8f1977fe131262b94b485378ecbbd4298f2c	replay	\N	\N	replay	455	ns	65e522422b8c28288ea65ae0708d490c83445ef3c6f61a82f7a5ad29cf8ebd97	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":455,"unit":"ns","digest":"65e522422b8c28288ea65ae0708d490c83445ef3c6f61a82f7a5ad29cf8ebd97"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-728f-b968-08bd7bb625c0	\\x50a78b233705cd26cc0c80e58a04e8820292e32f62a6130a544fefa617137367	replay	\N	\N	replay	439	ns	9f2d00ab9d28a6828a078c7835b6492cd889fd41dcee3c7970809f158357eb71	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":439,"unit":"ns","digest":"9f2d00ab9d28a6828a078c7835b6492cd889fd41dcee3c7970809f158357eb71"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-7a84-b8f1-48d07b198b14	\\x832fa16533767159ef74ca70e1b10534090f5bf63d31c0303c1fc89d946820bd	replay	\N	\N	replay	407	ns	956d5565a56046716ba91eee9868b53ecb8c09ea232a3a6399df29b13ee7cc70	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":407,"unit":"ns","digest":"956d5565a56046716ba91eee9868b53ecb8c09ea232a3a6399df29b13ee7cc70"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-7ad2-a110-fe1278591e37	\\xa82ca39012b621767acfa5a224f1e1f62133044c0a0b968effe717ff4d81cf55	replay	\N	\N	replay	441	ns	55d63db31ef4c9e1dd6193092208142edb3421c8dacf37b488198b702a18016c	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":441,"unit":"ns","digest":"55d63db31ef4c9e1dd6193092208142edb3421c8dacf37b488198b702a18016c"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-71cd-98f4-f81eaca9f871	\\xad78cbc262fe91aed821056c89eb002b12c1efdc5de197b2e0bc3b591a3984a4	replay	\N	\N	replay	481	ns	6c71bd3d083907af5e3b1b371a3ecbef96e082fb0756787371f8da1408cc5cc7	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":481,"unit":"ns","digest":"6c71bd3d083907af5e3b1b371a3ecbef96e082fb0756787371f8da1408cc5cc7"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-df27-7ef8-96a6-923b93bc8986	\\xbfa1b2aeb63456bf753f3dd9c5a842b91fed7daeb6e7b9c9cf993540e3d18145	replay	\N	\N	replay	405	ns	7e79f5c738006a43d0d0f804f4f70e9fa38823e43f7cccd241766a973c6c6ea7	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":405,"unit":"ns","digest":"7e79f5c738006a43d0d0f804f4f70e9fa38823e43f7cccd241766a973c6c6ea7"}	2026-11-28 10:10:51.814938+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e28f-70f4-a2c2-5a549b218ffa	\\x1f3e2393a858c681da9d3da13c22638eed0e4250ebb6a4a898c009cc9cbab858	replay	\N	\N	replay	1020	ns	c16144bd7ef6d1040a69fa92a5ee579d65a71fa922a62445260bfb56123d2824	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":1020,"unit":"ns","digest":"c16144bd7ef6d1040a69fa92a5ee579d65a71fa922a62445260bfb56123d2824"}	2026-11-28 10:10:52.686843+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e28f-743f-9060-cf693037b189	\\x31e5e0cbf3f619f77d4ed3610707e76f9081f0379b8d86b2dabcd347eb795ac4	replay	\N	\N	replay	1120	ns	d708cd89ed5e88500c28db38f25d2fc73b3522ab2db8178c588cb14bd4c80075	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":1120,"unit":"ns","digest":"d708cd89ed5e88500c28db38f25d2fc73b3522ab2db8178c588cb14bd4c80075"}	2026-11-28 10:10:52.686843+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e28f-7235-9401-a18531988208	\\x32be3354b3bf9a7b6eb138d2911964b55c97e79561031d48defc60c83a5f13c2	replay	\N	\N	replay	3255	ns	804077c4b8f8a6a5fb38d9a4960ca495a50ffb6554a643af6b3140a555fa7a8f	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":3255,"unit":"ns","digest":"804077c4b8f8a6a5fb38d9a4960ca495a50ffb6554a643af6b3140a555fa7a8f"}	2026-11-28 10:10:52.686843+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e28f-7625-89f6-e9ea157d06df	\\x689bc175a7fd203562f697fe59e0d4309baa01f192b7181b1ec772011e8abb4f	replay	\N	\N	replay	1000	ns	7c155bbc3ee6f0134365425b02fa8375787e351cbd33af41bbb5d4db1d42f266	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":1000,"unit":"ns","digest":"7c155bbc3ee6f0134365425b02fa8375787e351cbd33af41bbb5d4db1d42f266"}	2026-11-28 10:10:52.686843+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e28f-768b-8821-f5c8b2a82c77	\\x861095106abe60e5afab762d75ea6fa307bd8879a8bc0c895958ee60a478d365	replay	\N	\N	replay	1100	ns	8db07aec5344889c4653f1faa0538b7d917b8a5efd1f4615077a27a16c326107	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":1100,"unit":"ns","digest":"8db07aec5344889c4653f1faa0538b7d917b8a5efd1f4615077a27a16c326107"}	2026-11-28 10:10:52.686843+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e28f-7b07-8934-ed3f576b8c6e	\\xf2e3036c1fac26ed852d667b7f339198127bec85b6351ec4ec61ba16aca54584	replay	\N	\N	replay	1120	ns	d708cd89ed5e88500c28db38f25d2fc73b3522ab2db8178c588cb14bd4c80075	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":1120,"unit":"ns","digest":"d708cd89ed5e88500c28db38f25d2fc73b3522ab2db8178c588cb14bd4c80075"}	2026-11-28 10:10:52.686843+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e28f-78c1-8309-d4234b15a3b0	\\xfe55455e0cc32eb610d04484000b5bc44850523f99d06ed24342d2824e57d99b	replay	\N	\N	replay	2840	ns	2c85bc539ffc5b8fe4185d3cbeda88fea2bfe1f37d0adbfea768d4184ea7b1af	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":2840,"unit":"ns","digest":"2c85bc539ffc5b8fe4185d3cbeda88fea2bfe1f37d0adbfea768d4184ea7b1af"}	2026-11-28 10:10:52.686843+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e3a7-784d-8b40-3fb7a4bfe102	\\xa5da7c5435f534cc418b23e4725b7526e4e18ae4d66bb70ab8469999f50eacac	replay	\N	\N	replay	1040	ns	5fda48a118073c5e4dd326cbd202cb09dfc673806be553671611090837f05141	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":1040,"unit":"ns","digest":"5fda48a118073c5e4dd326cbd202cb09dfc673806be553671611090837f05141"}	2026-11-28 10:10:52.967242+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e763-7b7d-a335-e0f9e98ef16e	\\x044b321be04c2dbf5d2811b284167b3fae79ba499d0bceab5c7e5a85d0f273e9	cycle	c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	181d71145e5a168852ddeb4417c46933a7499929dbd53e29c66d57bccd39c741	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"181d71145e5a168852ddeb4417c46933a7499929dbd53e29c66d57bccd39c741","host_seconds":5}	2026-11-28 10:10:53.908261+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e762-79c6-b750-2300c211d7ff	\\x44a3442411b80f524d3be99cd03f982c9e0a1c68351688b25cfda044f50a1da8	cycle	2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	177aee8765462f1c295b4d1769993188828ebd5d5d89dc5673bc35dedea2f1f2	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"177aee8765462f1c295b4d1769993188828ebd5d5d89dc5673bc35dedea2f1f2","host_seconds":5}	2026-11-28 10:10:53.908261+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e763-74aa-83ed-4e44e961ed1e	\\x7659360999ba16da15bb145253302202cfac3e085aa850b72990acf087731c02	cycle	c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	508ed2670aa6fe0d2982eb8153f5edd7a74d6025d511f6c0d66667e9a2a7464f	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"508ed2670aa6fe0d2982eb8153f5edd7a74d6025d511f6c0d66667e9a2a7464f","host_seconds":5}	2026-11-28 10:10:53.908261+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e763-750a-9d6f-9ed5a4c9c6fb	\\xc93f572319a5f93f9e1edcf75e4758cc381a910d79003d16dddc36f6b04ab156	cycle	27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	f719771eb1a064e962b8ad07011e2ee649decc08ec0747e823f72dab14aa43a2	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"f719771eb1a064e962b8ad07011e2ee649decc08ec0747e823f72dab14aa43a2","host_seconds":5}	2026-11-28 10:10:53.908261+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e763-7859-81de-0f807f06ae38	\\xf584b4ad7e1df3ba3a40e236ac11bca32593a78bf899355147d3eaba3e2c42df	cycle	558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	958015e3e6497b1ab29eeb632a5382c68b0f6406a404ad8cd6a55949a2d26003	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"958015e3e6497b1ab29eeb632a5382c68b0f6406a404ad8cd6a55949a2d26003","host_seconds":5}	2026-11-28 10:10:53.908261+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e763-737c-93c2-48f27ec40e55	\\xc01a7ade39ec2cc4f5eb17d6b22568b54b25e39d07616f52d5d788abc8df30f5	cycle	0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	ce26b47c30bf30ac94ea083be9f380e0f954d9ea82943dc9461cf1460d8545d7	t	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"ce26b47c30bf30ac94ea083be9f380e0f954d9ea82943dc9461cf1460d8545d7","host_seconds":5}	2026-11-28 10:10:53.908261+00	f	\N	first	01a221a2-f014-7b05-9393-0b48c6b44188	\\x71fb4da69703aff1fcff1c8fc90f1235f621a5acef2b9e3648ad29273c3db0b0	t	0	\N
01a221a2-f324-7fcb-ac1a-f10d7b3109d5	\\x4a406f3b6244904e4665b353c75af6f36d831c9cd50ef25a3d1f35f9b09a963e	cycle	1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	c1bfdd3515f312042393b9f4848b90b50cd6161e51764e8285c4783a940b4cfe	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"c1bfdd3515f312042393b9f4848b90b50cd6161e51764e8285c4783a940b4cfe","host_seconds":5}	2026-11-28 10:10:56.932308+00	f	\N	first	\N	\N	f	0	\N
01a221a2-f324-7233-9777-5a2cf08a54b3	\\x5b4fa8e498f0835a8607e0981bedd28ff7da5693701a6df5cd43fbef5158722f	cycle	c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	89eeea65de1839deca1ae2aef2d53d058674f19a99e0e826435d39186f481663	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"89eeea65de1839deca1ae2aef2d53d058674f19a99e0e826435d39186f481663","host_seconds":5}	2026-11-28 10:10:56.932308+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-723d-af0a-c02587b61822	\\x040eb93168e9f3ed1d2956d0a5aa2e1b3b79824a4342803a79db9368b623c622	cycle	6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	5b085a186e4b7ca55147fbd3836428b3ad599906f4ddad59e9d9edae6636168c	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"5b085a186e4b7ca55147fbd3836428b3ad599906f4ddad59e9d9edae6636168c","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-7ef5-a5d2-34675f42a07d	\\x0888df51d25a374e475c5e9247ce3d3a950f84a2399e4c561299b45db3bc8661	cycle	f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	1b9152180d888ae43403f8830e475b34571d1d951bbeee9371682cbd70b23bfe	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"1b9152180d888ae43403f8830e475b34571d1d951bbeee9371682cbd70b23bfe","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-7a6f-95c5-7c4635e08ddf	\\x4ead3f9e4828a8aff26c9b10c0fee3de28f06005c6ad17267e6e3dc122f4308f	cycle	7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	e5f4808923764f92df4afb40c2e07f3b432d88534d49b3743f01d7541c57f453	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"e5f4808923764f92df4afb40c2e07f3b432d88534d49b3743f01d7541c57f453","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-702a-aa30-04d03f607071	\\x7784444b12cea94556853cca9bc9292c986de7c8d5f34e840a375d601a5b9228	cycle	18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	d8ea8c01ca30750589d4a6b96535553084fb18d861c8578562e8f6ccfb195bb8	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"d8ea8c01ca30750589d4a6b96535553084fb18d861c8578562e8f6ccfb195bb8","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-70e9-ab09-b1827881bc2f	\\x9b41f33f205e25e0b2d984034096bb0e11431b49e121e7011f8bd7a472d21708	cycle	ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	dcc37cd8c6c111e3414d96ef5b5bb2c3b28711d6274c40660512eb0ba0c6ec66	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"dcc37cd8c6c111e3414d96ef5b5bb2c3b28711d6274c40660512eb0ba0c6ec66","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-71c1-bd3c-a9916c2e56ff	\\xa09aae483537835a48c177ba67dbae64cd435d24bac01cb53653c818ee3f8e45	cycle	1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	7cabe759f3e318df5d0210a5f5464c76417b222e18b8ea4c8b8bb84a0a83f1b9	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"7cabe759f3e318df5d0210a5f5464c76417b222e18b8ea4c8b8bb84a0a83f1b9","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-7def-86e9-fcc39a590448	\\xc24e5f3181ebe18ed6da3fdc00175f6cc1da90f57ed46289746b369fbb667102	cycle	de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	9c4cd2ed6f8e663db265eb3b492039a1ad7268f3520c66b0c81c5e305189345e	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"9c4cd2ed6f8e663db265eb3b492039a1ad7268f3520c66b0c81c5e305189345e","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-ff77-7cf4-bcc7-0434af0d830b	\\xd09f30f091e4c3623fcac7be42f7c7c87f579681c8f48d59721d2fa9e3534c8c	cycle	46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	316cb30c75778df159a5260659e22e979bc2e7417c652628074b077389143d82	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"316cb30c75778df159a5260659e22e979bc2e7417c652628074b077389143d82","host_seconds":5}	2026-11-28 10:11:00.086215+00	f	\N	first	\N	\N	f	0	\N
01a221a2-e763-7397-82f9-f1b4221ab3cf	\\x269d7bde9af600a311355be986a67d1ea01e0129b7350938473de2ca64e61838	cycle	fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	1000	cycles	d68923de2e59625b557d93203bbc85af23b90f205ead375d8f4ae17216bfeabe	f	1000	10	100	1000000000	5	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1000,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1000},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4000},{"name":"l2_read_hit_sectors","unit":"count","value":3000},{"name":"energy_core","unit":"count","value":10000},{"name":"energy_l1","unit":"count","value":10000},{"name":"energy_l2","unit":"count","value":10000},{"name":"energy_noc","unit":"count","value":10000},{"name":"energy_dram","unit":"count","value":10000},{"name":"energy_static","unit":"count","value":10000},{"name":"energy_idle","unit":"count","value":10000}],"digest":"d68923de2e59625b557d93203bbc85af23b90f205ead375d8f4ae17216bfeabe","host_seconds":5}	2026-11-28 10:10:53.908261+00	f	\N	first	01a221a3-0192-7430-8975-b8e827b6fa2e	\\x22b64ba0029f5b2a6804ab7f3979c19818e9a1dea91e414b23b91a126a80b1da	f	0	\N
01a221a3-0517-70d1-8997-e6b43e912044	\\x12b15c0efa2692173e98ece74dd5a16aa0b6b029217e25309c062f5e629f30bc	replay	\N	\N	replay	463	ns	5cc198e9d0f1ba706ce1cc623c6e45534a09f060152ef1f1dc6280554585341b	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":463,"unit":"ns","digest":"5cc198e9d0f1ba706ce1cc623c6e45534a09f060152ef1f1dc6280554585341b"}	2026-11-28 10:11:01.526797+00	f	\N	third	\N	\N	f	0	\N
01a221a3-0517-7623-8b39-d4a52f094304	\\x1e7634a7bb104c13629e923e2b98345e6cf9de4c6e95ebd2178fc77a1c63c369	replay	\N	\N	replay	435	ns	29d95283a4ab709b6fd018fbd9d1e0bc2636d4096d60c0b9e75e171335d3e438	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":435,"unit":"ns","digest":"29d95283a4ab709b6fd018fbd9d1e0bc2636d4096d60c0b9e75e171335d3e438"}	2026-11-28 10:11:01.526797+00	f	\N	third	\N	\N	f	0	\N
01a221a3-0517-797c-a7f6-bbf09fccc8db	\\x52d20bbbf0525a32010c6953d8647429d266cc9c049d486627559e55b64fff54	replay	\N	\N	replay	478	ns	ae24c0da856de0bfbb71ff451686b7d8ccbd648de2fbf135acb46102a5705b62	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":478,"unit":"ns","digest":"ae24c0da856de0bfbb71ff451686b7d8ccbd648de2fbf135acb46102a5705b62"}	2026-11-28 10:11:01.526797+00	f	\N	third	\N	\N	f	0	\N
01a221a3-0517-7b74-9f46-8599adedc296	\\xc63430b99c62641cbb777e43249bfdf70ce712b1badcdd062cea02e6e6c864b8	replay	\N	\N	replay	484	ns	b02db44022b513a6e3666bf69618e0e5b47fe51961ab744673e3c2453dd8ce4e	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":484,"unit":"ns","digest":"b02db44022b513a6e3666bf69618e0e5b47fe51961ab744673e3c2453dd8ce4e"}	2026-11-28 10:11:01.526797+00	f	\N	third	\N	\N	f	0	\N
01a221a3-0517-7eab-ad8d-65c33a2af789	\\xd335cadd8330d64739df92ae00234691d5acbb513dd158833bc8b348ecb6f0ca	replay	\N	\N	replay	419	ns	24cd70065b2f7d267590fdc96f9d6f7df1cc38e168317963ad8d3a6d9d8643d5	f	\N	\N	\N	\N	0	{"format":"vivace-result","version":1,"simulator":"replay","value":419,"unit":"ns","digest":"24cd70065b2f7d267590fdc96f9d6f7df1cc38e168317963ad8d3a6d9d8643d5"}	2026-11-28 10:11:01.526797+00	f	\N	third	\N	\N	f	0	\N
\.
COPY public.result_discard (id, at, by_name, why, chosen, results, jobs, runs) FROM stdin;
01a221a2-f014-7b05-9393-0b48c6b44188	2026-11-28 10:10:56.14845+00	the farm	workers first and second had different results	{}	1	1	1
01a221a3-0192-7430-8975-b8e827b6fa2e	2026-11-28 10:11:00.626627+00	owner	bad memory	{"result":"01a221a2-e763-7397-82f9-f1b4221ab3cf"}	1	1	1
\.
COPY public.result_dispute (result_id, digest, worker, body, created_at) FROM stdin;
01a221a2-e763-737c-93c2-48f27ec40e55	d7824d2bd039337963572bc61d5d8b751a81ef7ea2f85224462d48b59d303f42	second	{"format":"vivace-result","version":1,"simulator":"0.7.0","caches":"warm","trace_sha256":"0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d","design":"v100","design_sha256":"d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc","kernel":{"name":"k","grid":[1,1,1],"block":[32,1,1]},"end":"done","cycles":1001,"launch_cycles":10,"warp_instructions":100,"clock_hz":1000000000,"counters":[{"name":"l2_hits","unit":"count","value":7},{"name":"cycles","unit":"count","value":1001},{"name":"warp_instructions","unit":"count","value":400},{"name":"l2_read_sectors","unit":"count","value":4004},{"name":"l2_read_hit_sectors","unit":"count","value":3003},{"name":"energy_core","unit":"count","value":10010},{"name":"energy_l1","unit":"count","value":10010},{"name":"energy_l2","unit":"count","value":10010},{"name":"energy_noc","unit":"count","value":10010},{"name":"energy_dram","unit":"count","value":10010},{"name":"energy_static","unit":"count","value":10010},{"name":"energy_idle","unit":"count","value":10010}],"digest":"d7824d2bd039337963572bc61d5d8b751a81ef7ea2f85224462d48b59d303f42","host_seconds":5}	2026-11-28 10:10:54.916051+00
\.
COPY public.run (id, plan_id, engine, simulator, state, priority, jobs, cached, done, created_by, created_at, finished_at, eta_s, version, projected_version, half_said, promise_said, strata_said, archived_at, dropped_at, ended_counts, eta_error_s, unmade, cancel_from, inside_kernels) FROM stdin;
01a221a2-d929-7370-bfad-93b52a33cedc	01a221a2-d902-7425-8f27-f24424743000	replay	replay	done	0	36	0	36	owner	2026-11-28 10:10:50.280748+00	2026-11-28 10:10:50.907495+00	\N	3	3	f	f	0	2026-11-28 10:10:56.081957+00	\N	{"blocked" : 0, "ready" : 0, "leased" : 0, "done" : 36, "failed" : 0, "cancelled" : 0}	\N	0	\N	0
01a221a2-dda5-7725-8b92-b2475331b733	01a221a2-dea3-746d-aa97-51b839b7e75c	replay	replay	done	0	58	29	58	owner	2026-11-28 10:10:51.42514+00	2026-11-28 10:10:52.184083+00	\N	5	5	f	f	0	2026-11-28 10:10:56.081957+00	\N	{"blocked" : 0, "ready" : 0, "leased" : 0, "done" : 58, "failed" : 0, "cancelled" : 0}	\N	0	\N	0
01a221a2-e1f9-7700-9d70-46485db78b5f	01a221a2-e2e7-7d42-9ff7-ad31b0635943	replay	replay	done	0	8	0	8	owner	2026-11-28 10:10:52.530969+00	2026-11-28 10:10:53.192005+00	\N	8	8	t	f	0	2026-11-28 10:10:56.081957+00	\N	{"blocked" : 0, "ready" : 0, "leased" : 0, "done" : 8, "failed" : 0, "cancelled" : 0}	\N	0	\N	0
01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	cycle	0.7.0	done	0	8	0	8	owner	2026-11-28 10:10:57.099205+00	2026-11-28 10:11:00.251137+00	\N	4	4	f	f	0	\N	\N	\N	\N	0	\N	0
01a221a2-e6ef-752d-8489-e5a631e97d35	01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	cycle	0.7.0	running	0	7	0	5	owner	2026-11-28 10:10:53.806823+00	\N	\N	6	6	t	f	2	\N	\N	\N	\N	0	\N	0
01a221a2-f205-7885-9250-f688e7e51706	01a221a2-f1ff-7f2a-92e1-737b6a4db350	cycle	0.7.0	done	0	2	0	2	owner	2026-11-28 10:10:56.643837+00	2026-11-28 10:10:56.990679+00	\N	4	4	f	f	0	2026-11-28 10:11:01.195175+00	\N	{"blocked" : 0, "ready" : 0, "leased" : 0, "done" : 2, "failed" : 0, "cancelled" : 0}	\N	0	\N	0
01a221a3-04c3-72c7-a474-478eac26321b	01a221a3-04b5-734f-8e38-52012e1c7758	replay	replay	paused	0	36	0	5	owner	2026-11-28 10:11:01.443059+00	\N	1.6425102	3	3	f	f	0	\N	\N	\N	\N	0	\N	0
\.
COPY public.run_answer (run_id, plan_id, at, jobs, done, final, confidence, baseline) FROM stdin;
01a221a2-d929-7370-bfad-93b52a33cedc	01a221a2-d902-7425-8f27-f24424743000	2026-11-28 10:10:50.907495+00	36	36	t	0.95	0
01a221a2-dda5-7725-8b92-b2475331b733	01a221a2-dea3-746d-aa97-51b839b7e75c	2026-11-28 10:10:52.184083+00	58	58	t	0.95	1
01a221a2-e1f9-7700-9d70-46485db78b5f	01a221a2-e2e7-7d42-9ff7-ad31b0635943	2026-11-28 10:10:53.192005+00	8	8	t	0.95	0
01a221a2-f205-7885-9250-f688e7e51706	01a221a2-f1ff-7f2a-92e1-737b6a4db350	2026-11-28 10:10:56.990679+00	2	2	t	0.95	0
01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	2026-11-28 10:11:00.251137+00	8	8	t	0.95	0
\.
COPY public.run_design (run_id, number, design_sha256, name, clock_hz) FROM stdin;
01a221a2-d929-7370-bfad-93b52a33cedc	0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	1530000000
01a221a2-dda5-7725-8b92-b2475331b733	0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	1530000000
01a221a2-dda5-7725-8b92-b2475331b733	1	e5b6ce954383dd30dc1c3b3619719fd2b90bd0154fb689e41db7b91e7c1369a3	h100	1980000000
01a221a2-e1f9-7700-9d70-46485db78b5f	0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	1530000000
01a221a2-e6ef-752d-8489-e5a631e97d35	0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	1530000000
01a221a2-f205-7885-9250-f688e7e51706	0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	1530000000
01a221a2-f3cd-715c-ad88-7c1a1d7bc83e	0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	1530000000
01a221a3-04c3-72c7-a474-478eac26321b	0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	v100	1530000000
\.
COPY public.run_passed_over (run_id, invocation, stratum, design, failure, failure_text, replaced, at) FROM stdin;
01a221a2-e1f9-7700-9d70-46485db78b5f	15	0	v100	unsupported	the trace has an unknown opcode	t	2026-11-28 10:10:52.776451+00
\.
COPY public.run_rule (run_id, error, confidence, resolve, baseline, budget, budget_in, price_per_s, looks, ask, redraw, settled) FROM stdin;
01a221a2-dda5-7725-8b92-b2475331b733	0.05	0.95	0.05	1	\N	\N	\N	5	f	t	t
\.
COPY public.sample (plan_id, number, invocation, stratum, draws, weight, value, kernel, context_number, launch_order) FROM stdin;
01a221a2-d902-7425-8f27-f24424743000	0	26	0	1	5.555555555555555	454	2	0	26
01a221a2-d902-7425-8f27-f24424743000	1	32	0	1	5.555555555555555	474	0	0	32
01a221a2-d902-7425-8f27-f24424743000	2	43	0	1	5.555555555555555	477	3	0	43
01a221a2-d902-7425-8f27-f24424743000	3	49	0	1	5.555555555555555	497	1	0	49
01a221a2-d902-7425-8f27-f24424743000	4	55	0	1	5.555555555555555	416	3	0	55
01a221a2-d902-7425-8f27-f24424743000	5	59	0	1	5.555555555555555	463	3	0	59
01a221a2-d902-7425-8f27-f24424743000	6	63	0	1	5.555555555555555	409	3	0	63
01a221a2-d902-7425-8f27-f24424743000	7	66	0	1	5.555555555555555	419	2	0	66
01a221a2-d902-7425-8f27-f24424743000	8	69	0	1	5.555555555555555	429	1	0	69
01a221a2-d902-7425-8f27-f24424743000	9	75	0	1	5.555555555555555	449	3	0	75
01a221a2-d902-7425-8f27-f24424743000	10	80	0	1	5.555555555555555	432	0	0	80
01a221a2-d902-7425-8f27-f24424743000	11	92	0	1	5.555555555555555	472	0	0	92
01a221a2-d902-7425-8f27-f24424743000	12	98	0	1	5.555555555555555	492	2	0	98
01a221a2-d902-7425-8f27-f24424743000	13	99	0	1	5.555555555555555	428	3	0	99
01a221a2-d902-7425-8f27-f24424743000	14	102	0	1	5.555555555555555	438	2	0	102
01a221a2-d902-7425-8f27-f24424743000	15	104	0	1	5.555555555555555	411	0	0	104
01a221a2-d902-7425-8f27-f24424743000	16	111	0	1	5.555555555555555	468	3	0	111
01a221a2-d902-7425-8f27-f24424743000	17	115	0	1	5.555555555555555	414	3	0	115
01a221a2-d902-7425-8f27-f24424743000	18	119	0	1	5.555555555555555	461	3	0	119
01a221a2-d902-7425-8f27-f24424743000	19	123	0	1	5.555555555555555	407	3	0	123
01a221a2-d902-7425-8f27-f24424743000	20	125	0	1	5.555555555555555	481	1	0	125
01a221a2-d902-7425-8f27-f24424743000	21	128	0	1	5.555555555555555	491	0	0	128
01a221a2-d902-7425-8f27-f24424743000	22	129	0	1	5.555555555555555	427	1	0	129
01a221a2-d902-7425-8f27-f24424743000	23	132	0	1	5.555555555555555	437	0	0	132
01a221a2-d902-7425-8f27-f24424743000	24	135	0	1	5.555555555555555	447	3	0	135
01a221a2-d902-7425-8f27-f24424743000	25	139	0	1	5.555555555555555	494	3	0	139
01a221a2-d902-7425-8f27-f24424743000	26	142	0	1	5.555555555555555	403	2	0	142
01a221a2-d902-7425-8f27-f24424743000	27	145	0	1	5.555555555555555	413	1	0	145
01a221a2-d902-7425-8f27-f24424743000	28	161	0	1	5.555555555555555	500	1	0	161
01a221a2-d902-7425-8f27-f24424743000	29	167	0	1	5.555555555555555	419	3	0	167
01a221a2-d902-7425-8f27-f24424743000	30	178	0	1	5.555555555555555	422	2	0	178
01a221a2-d902-7425-8f27-f24424743000	31	187	0	1	5.555555555555555	452	3	0	187
01a221a2-d902-7425-8f27-f24424743000	32	190	0	1	5.555555555555555	462	2	0	190
01a221a2-d902-7425-8f27-f24424743000	33	191	0	1	5.555555555555555	499	3	0	191
01a221a2-d902-7425-8f27-f24424743000	34	196	0	1	5.555555555555555	482	0	0	196
01a221a2-d902-7425-8f27-f24424743000	35	199	0	1	5.555555555555555	492	3	0	199
01a221a2-dd67-74fe-b0ac-d3708badd57a	0	0	0	1	5.555555555555555	403	0	0	0
01a221a2-dd67-74fe-b0ac-d3708badd57a	1	5	0	1	5.555555555555555	487	1	0	5
01a221a2-dd67-74fe-b0ac-d3708badd57a	2	7	0	1	5.555555555555555	460	3	0	7
01a221a2-dd67-74fe-b0ac-d3708badd57a	3	10	0	1	5.555555555555555	470	2	0	10
01a221a2-dd67-74fe-b0ac-d3708badd57a	4	18	0	1	5.555555555555555	463	2	0	18
01a221a2-dd67-74fe-b0ac-d3708badd57a	5	31	0	1	5.555555555555555	439	3	0	31
01a221a2-dd67-74fe-b0ac-d3708badd57a	6	35	0	1	5.555555555555555	486	3	0	35
01a221a2-dd67-74fe-b0ac-d3708badd57a	7	41	0	1	5.555555555555555	405	1	0	41
01a221a2-dd67-74fe-b0ac-d3708badd57a	8	45	0	1	5.555555555555555	452	1	0	45
01a221a2-dd67-74fe-b0ac-d3708badd57a	9	49	0	1	5.555555555555555	499	1	0	49
01a221a2-dd67-74fe-b0ac-d3708badd57a	10	51	0	1	5.555555555555555	472	3	0	51
01a221a2-dd67-74fe-b0ac-d3708badd57a	11	61	0	1	5.555555555555555	438	1	0	61
01a221a2-dd67-74fe-b0ac-d3708badd57a	12	70	0	1	5.555555555555555	468	2	0	70
01a221a2-dd67-74fe-b0ac-d3708badd57a	13	72	0	1	5.555555555555555	441	0	0	72
01a221a2-dd67-74fe-b0ac-d3708badd57a	14	82	0	1	5.555555555555555	407	2	0	82
01a221a2-dd67-74fe-b0ac-d3708badd57a	15	86	0	1	5.555555555555555	454	2	0	86
01a221a2-dd67-74fe-b0ac-d3708badd57a	16	92	0	1	5.555555555555555	474	0	0	92
01a221a2-dd67-74fe-b0ac-d3708badd57a	17	93	0	1	5.555555555555555	410	1	0	93
01a221a2-dd67-74fe-b0ac-d3708badd57a	18	100	0	1	5.555555555555555	467	0	0	100
01a221a2-dd67-74fe-b0ac-d3708badd57a	19	104	0	1	5.555555555555555	413	0	0	104
01a221a2-dd67-74fe-b0ac-d3708badd57a	20	111	0	1	5.555555555555555	470	3	0	111
01a221a2-dd67-74fe-b0ac-d3708badd57a	21	112	0	1	5.555555555555555	406	0	0	112
01a221a2-dd67-74fe-b0ac-d3708badd57a	22	115	0	1	5.555555555555555	416	3	0	115
01a221a2-dd67-74fe-b0ac-d3708badd57a	23	121	0	1	5.555555555555555	436	1	0	121
01a221a2-dd67-74fe-b0ac-d3708badd57a	24	127	0	1	5.555555555555555	456	3	0	127
01a221a2-dd67-74fe-b0ac-d3708badd57a	25	134	0	1	5.555555555555555	412	2	0	134
01a221a2-dd67-74fe-b0ac-d3708badd57a	26	137	0	1	5.555555555555555	422	1	0	137
01a221a2-dd67-74fe-b0ac-d3708badd57a	27	142	0	1	5.555555555555555	405	2	0	142
01a221a2-dd67-74fe-b0ac-d3708badd57a	28	143	0	1	5.555555555555555	442	3	0	143
01a221a2-dd67-74fe-b0ac-d3708badd57a	29	144	0	1	5.555555555555555	479	0	0	144
01a221a2-dd67-74fe-b0ac-d3708badd57a	30	150	0	1	5.555555555555555	499	2	0	150
01a221a2-dd67-74fe-b0ac-d3708badd57a	31	157	0	1	5.555555555555555	455	1	0	157
01a221a2-dd67-74fe-b0ac-d3708badd57a	32	167	0	1	5.555555555555555	421	3	0	167
01a221a2-dd67-74fe-b0ac-d3708badd57a	33	185	0	1	5.555555555555555	481	1	0	185
01a221a2-dd67-74fe-b0ac-d3708badd57a	34	186	0	1	5.555555555555555	417	2	0	186
01a221a2-dd67-74fe-b0ac-d3708badd57a	35	188	0	1	5.555555555555555	491	0	0	188
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	0	0	0	1	9.523809523809524	403	0	0	0
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	1	5	0	1	9.523809523809524	487	1	0	5
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	2	7	0	1	9.523809523809524	460	3	0	7
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	3	10	0	1	9.523809523809524	470	2	0	10
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	4	35	0	1	9.523809523809524	486	3	0	35
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	5	45	0	1	9.523809523809524	452	1	0	45
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	6	51	0	1	9.523809523809524	472	3	0	51
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	7	61	0	1	9.523809523809524	438	1	0	61
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	8	70	0	1	9.523809523809524	468	2	0	70
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	9	86	0	1	9.523809523809524	454	2	0	86
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	10	92	0	1	9.523809523809524	474	0	0	92
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	11	93	0	1	9.523809523809524	410	1	0	93
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	12	100	0	1	9.523809523809524	467	0	0	100
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	13	104	0	1	9.523809523809524	413	0	0	104
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	14	112	0	1	9.523809523809524	406	0	0	112
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	15	115	0	1	9.523809523809524	416	3	0	115
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	16	121	0	1	9.523809523809524	436	1	0	121
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	17	137	0	1	9.523809523809524	422	1	0	137
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	18	143	0	1	9.523809523809524	442	3	0	143
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	19	186	0	1	9.523809523809524	417	2	0	186
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	20	188	0	1	9.523809523809524	491	0	0	188
01a221a2-dea3-746d-aa97-51b839b7e75c	0	0	0	1	6.896551724137931	403	0	0	0
01a221a2-dea3-746d-aa97-51b839b7e75c	1	5	0	1	6.896551724137931	487	1	0	5
01a221a2-dea3-746d-aa97-51b839b7e75c	2	7	0	1	6.896551724137931	460	3	0	7
01a221a2-dea3-746d-aa97-51b839b7e75c	3	10	0	1	6.896551724137931	470	2	0	10
01a221a2-dea3-746d-aa97-51b839b7e75c	4	18	0	1	6.896551724137931	463	2	0	18
01a221a2-dea3-746d-aa97-51b839b7e75c	5	31	0	1	6.896551724137931	439	3	0	31
01a221a2-dea3-746d-aa97-51b839b7e75c	6	35	0	1	6.896551724137931	486	3	0	35
01a221a2-dea3-746d-aa97-51b839b7e75c	7	41	0	1	6.896551724137931	405	1	0	41
01a221a2-dea3-746d-aa97-51b839b7e75c	8	45	0	1	6.896551724137931	452	1	0	45
01a221a2-dea3-746d-aa97-51b839b7e75c	9	51	0	1	6.896551724137931	472	3	0	51
01a221a2-dea3-746d-aa97-51b839b7e75c	10	61	0	1	6.896551724137931	438	1	0	61
01a221a2-dea3-746d-aa97-51b839b7e75c	11	70	0	1	6.896551724137931	468	2	0	70
01a221a2-dea3-746d-aa97-51b839b7e75c	12	72	0	1	6.896551724137931	441	0	0	72
01a221a2-dea3-746d-aa97-51b839b7e75c	13	82	0	1	6.896551724137931	407	2	0	82
01a221a2-dea3-746d-aa97-51b839b7e75c	14	86	0	1	6.896551724137931	454	2	0	86
01a221a2-dea3-746d-aa97-51b839b7e75c	15	92	0	1	6.896551724137931	474	0	0	92
01a221a2-dea3-746d-aa97-51b839b7e75c	16	93	0	1	6.896551724137931	410	1	0	93
01a221a2-dea3-746d-aa97-51b839b7e75c	17	100	0	1	6.896551724137931	467	0	0	100
01a221a2-dea3-746d-aa97-51b839b7e75c	18	104	0	1	6.896551724137931	413	0	0	104
01a221a2-dea3-746d-aa97-51b839b7e75c	19	112	0	1	6.896551724137931	406	0	0	112
01a221a2-dea3-746d-aa97-51b839b7e75c	20	115	0	1	6.896551724137931	416	3	0	115
01a221a2-dea3-746d-aa97-51b839b7e75c	21	121	0	1	6.896551724137931	436	1	0	121
01a221a2-dea3-746d-aa97-51b839b7e75c	22	137	0	1	6.896551724137931	422	1	0	137
01a221a2-dea3-746d-aa97-51b839b7e75c	23	143	0	1	6.896551724137931	442	3	0	143
01a221a2-dea3-746d-aa97-51b839b7e75c	24	144	0	1	6.896551724137931	479	0	0	144
01a221a2-dea3-746d-aa97-51b839b7e75c	25	157	0	1	6.896551724137931	455	1	0	157
01a221a2-dea3-746d-aa97-51b839b7e75c	26	185	0	1	6.896551724137931	481	1	0	185
01a221a2-dea3-746d-aa97-51b839b7e75c	27	186	0	1	6.896551724137931	417	2	0	186
01a221a2-dea3-746d-aa97-51b839b7e75c	28	188	0	1	6.896551724137931	491	0	0	188
01a221a2-e1d9-79bf-8c9c-5949fa44062c	0	15	0	1	20	3460	1	0	15
01a221a2-e1d9-79bf-8c9c-5949fa44062c	1	16	0	1	20	1120	0	0	16
01a221a2-e1d9-79bf-8c9c-5949fa44062c	2	29	0	1	20	2840	1	0	29
01a221a2-e1d9-79bf-8c9c-5949fa44062c	3	82	0	1	20	1020	0	0	82
01a221a2-e1d9-79bf-8c9c-5949fa44062c	4	101	0	1	20	3255	1	0	101
01a221a2-e1d9-79bf-8c9c-5949fa44062c	5	121	0	1	20	1120	0	0	121
01a221a2-e1d9-79bf-8c9c-5949fa44062c	6	137	0	1	20	1100	0	0	137
01a221a2-e1d9-79bf-8c9c-5949fa44062c	7	154	0	1	20	1000	0	0	154
01a221a2-e2e7-7d42-9ff7-ad31b0635943	0	3	0	1	20	1040	0	0	3
01a221a2-e2e7-7d42-9ff7-ad31b0635943	1	16	0	1	20	1120	0	0	16
01a221a2-e2e7-7d42-9ff7-ad31b0635943	2	29	0	1	20	2840	1	0	29
01a221a2-e2e7-7d42-9ff7-ad31b0635943	3	82	0	1	20	1020	0	0	82
01a221a2-e2e7-7d42-9ff7-ad31b0635943	4	101	0	1	20	3255	1	0	101
01a221a2-e2e7-7d42-9ff7-ad31b0635943	5	121	0	1	20	1120	0	0	121
01a221a2-e2e7-7d42-9ff7-ad31b0635943	6	137	0	1	20	1100	0	0	137
01a221a2-e2e7-7d42-9ff7-ad31b0635943	7	154	0	1	20	1000	0	0	154
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	0	51	0	1	50	1000	0	0	51
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	1	139	0	1	50	1100	0	0	139
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	2	37	1	1	12	2930	1	0	37
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	3	70	1	1	12	2910	1	0	70
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	4	61	2	1	12	4750	1	0	61
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	5	101	2	1	12	4420	1	0	101
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	6	118	2	1	12	6550	1	0	118
01a221a2-f1ff-7f2a-92e1-737b6a4db350	0	14	0	1	11	142915	6	0	14
01a221a2-f1ff-7f2a-92e1-737b6a4db350	1	15	0	1	11	244858	6	0	15
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	0	0	0	1	1	21504	0	0	0
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	1	1	1	1	1	97226	1	0	1
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	2	2	2	1	1	736	2	0	2
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	3	3	3	1	1	17544	3	0	3
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	4	4	4	1	1	15	4	0	4
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	5	10	5	1	51.742537313432834	1072	5	0	10
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	6	17	6	1	4.612716092354101	189618	6	0	17
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	7	18	7	1	1	46622	7	0	18
01a221a3-0063-7731-a56b-0ef968157fd7	0	0	0	1	1	1000	0	0	0
01a221a3-0063-7731-a56b-0ef968157fd7	1	1	1	1	1	1000	1	0	1
01a221a3-0063-7731-a56b-0ef968157fd7	2	2	2	1	1	1000	2	0	2
01a221a3-0063-7731-a56b-0ef968157fd7	3	3	3	1	1	1000	3	0	3
01a221a3-0063-7731-a56b-0ef968157fd7	4	4	4	1	1	1000	4	0	4
01a221a3-0063-7731-a56b-0ef968157fd7	5	5	5	1	1	851	5	0	5
01a221a3-0063-7731-a56b-0ef968157fd7	6	6	5	1	1	873	5	0	6
01a221a3-0063-7731-a56b-0ef968157fd7	7	7	5	1	1	851	5	0	7
01a221a3-0063-7731-a56b-0ef968157fd7	8	8	5	1	1	915	5	0	8
01a221a3-0063-7731-a56b-0ef968157fd7	9	9	5	1	1	873	5	0	9
01a221a3-0063-7731-a56b-0ef968157fd7	10	10	5	1	1	1000	5	0	10
01a221a3-0063-7731-a56b-0ef968157fd7	11	11	5	1	1	2241	5	0	11
01a221a3-0063-7731-a56b-0ef968157fd7	12	12	5	1	1	4942	5	0	12
01a221a3-0063-7731-a56b-0ef968157fd7	13	13	5	1	1	22565	5	0	13
01a221a3-0063-7731-a56b-0ef968157fd7	14	19	5	1	1	13576	5	0	19
01a221a3-0063-7731-a56b-0ef968157fd7	15	20	5	1	1	1190	5	0	20
01a221a3-0063-7731-a56b-0ef968157fd7	16	21	5	1	1	1467	5	0	21
01a221a3-0063-7731-a56b-0ef968157fd7	17	14	6	1	1	745	6	0	14
01a221a3-0063-7731-a56b-0ef968157fd7	18	15	6	1	1	1270	6	0	15
01a221a3-0063-7731-a56b-0ef968157fd7	19	16	6	1	1	1539	6	0	16
01a221a3-0063-7731-a56b-0ef968157fd7	20	17	6	1	1	985	6	0	17
01a221a3-0063-7731-a56b-0ef968157fd7	21	18	7	1	1	1000	7	0	18
01a221a3-04b5-734f-8e38-52012e1c7758	0	1	0	1	5.555555555555555	439	1	0	1
01a221a3-04b5-734f-8e38-52012e1c7758	1	13	0	1	5.555555555555555	479	1	0	13
01a221a3-04b5-734f-8e38-52012e1c7758	2	18	0	1	5.555555555555555	462	2	0	18
01a221a3-04b5-734f-8e38-52012e1c7758	3	20	0	1	5.555555555555555	435	0	0	20
01a221a3-04b5-734f-8e38-52012e1c7758	4	21	0	1	5.555555555555555	472	1	0	21
01a221a3-04b5-734f-8e38-52012e1c7758	5	23	0	1	5.555555555555555	445	3	0	23
01a221a3-04b5-734f-8e38-52012e1c7758	6	26	0	1	5.555555555555555	455	2	0	26
01a221a3-04b5-734f-8e38-52012e1c7758	7	44	0	1	5.555555555555555	414	0	0	44
01a221a3-04b5-734f-8e38-52012e1c7758	8	45	0	1	5.555555555555555	451	1	0	45
01a221a3-04b5-734f-8e38-52012e1c7758	9	61	0	1	5.555555555555555	437	1	0	61
01a221a3-04b5-734f-8e38-52012e1c7758	10	62	0	1	5.555555555555555	474	2	0	62
01a221a3-04b5-734f-8e38-52012e1c7758	11	63	0	1	5.555555555555555	410	3	0	63
01a221a3-04b5-734f-8e38-52012e1c7758	12	65	0	1	5.555555555555555	484	1	0	65
01a221a3-04b5-734f-8e38-52012e1c7758	13	76	0	1	5.555555555555555	487	0	0	76
01a221a3-04b5-734f-8e38-52012e1c7758	14	80	0	1	5.555555555555555	433	0	0	80
01a221a3-04b5-734f-8e38-52012e1c7758	15	81	0	1	5.555555555555555	470	1	0	81
01a221a3-04b5-734f-8e38-52012e1c7758	16	90	0	1	5.555555555555555	500	2	0	90
01a221a3-04b5-734f-8e38-52012e1c7758	17	104	0	1	5.555555555555555	412	0	0	104
01a221a3-04b5-734f-8e38-52012e1c7758	18	105	0	1	5.555555555555555	449	1	0	105
01a221a3-04b5-734f-8e38-52012e1c7758	19	108	0	1	5.555555555555555	459	0	0	108
01a221a3-04b5-734f-8e38-52012e1c7758	20	114	0	1	5.555555555555555	479	2	0	114
01a221a3-04b5-734f-8e38-52012e1c7758	21	116	0	1	5.555555555555555	452	0	0	116
01a221a3-04b5-734f-8e38-52012e1c7758	22	118	0	1	5.555555555555555	425	2	0	118
01a221a3-04b5-734f-8e38-52012e1c7758	23	126	0	1	5.555555555555555	418	2	0	126
01a221a3-04b5-734f-8e38-52012e1c7758	24	142	0	1	5.555555555555555	404	2	0	142
01a221a3-04b5-734f-8e38-52012e1c7758	25	144	0	1	5.555555555555555	478	0	0	144
01a221a3-04b5-734f-8e38-52012e1c7758	26	157	0	1	5.555555555555555	454	1	0	157
01a221a3-04b5-734f-8e38-52012e1c7758	27	163	0	1	5.555555555555555	474	3	0	163
01a221a3-04b5-734f-8e38-52012e1c7758	28	168	0	1	5.555555555555555	457	0	0	168
01a221a3-04b5-734f-8e38-52012e1c7758	29	174	0	1	5.555555555555555	477	2	0	174
01a221a3-04b5-734f-8e38-52012e1c7758	30	180	0	1	5.555555555555555	497	0	0	180
01a221a3-04b5-734f-8e38-52012e1c7758	31	181	0	1	5.555555555555555	433	1	0	181
01a221a3-04b5-734f-8e38-52012e1c7758	32	190	0	1	5.555555555555555	463	2	0	190
01a221a3-04b5-734f-8e38-52012e1c7758	33	192	0	1	5.555555555555555	436	0	0	192
01a221a3-04b5-734f-8e38-52012e1c7758	34	196	0	1	5.555555555555555	483	0	0	196
01a221a3-04b5-734f-8e38-52012e1c7758	35	197	0	1	5.555555555555555	419	1	0	197
\.
COPY public.schema_patch (name, requires, checksum, applied_at) FROM stdin;
0001_versioning	\N	441fbbcfe7a2dac3880031bf9ebe625f44d3621c8c97da69043531b3e307a76e	2026-11-28 10:10:40.471652+00
0002_team	0001_versioning	9bb4d422e3d37f45e954ad7c85120b83c25e5f9b316241e927fbdcc223e7d080	2026-11-28 10:10:40.49658+00
0003_access	0002_team	8f126fe4f793a589d2e8fe04c9d179b329d99df832d7c7b9dd6419b9d91d821a	2026-11-28 10:10:40.508428+00
0004_blob	0003_access	f27e46e2dfd4c92aeacadc8c2a56b62c906e5e40ace194d174df560b51b0961f	2026-11-28 10:10:40.527514+00
0005_profile	0004_blob	a6b8236a991fc7da78ea71127580a852f49c38e096d7847e26889f16f3565037	2026-11-28 10:10:40.55976+00
0100_plan	0005_profile	3162c2830eac5a19689874ab7ce77b24c2e332ac6c4d84fcf6252b6cb76e4151	2026-11-28 10:10:40.611315+00
0101_design	0100_plan	68ecaf23c2ae07f81a9ab620a962db8772ade9315b1b233db156812dfae9f1ce	2026-11-28 10:10:40.663305+00
0102_trace	0101_design	1117c423922902ad054bf2dafbbe98f8489882f097af74a8b1c97bc02c7ba3c9	2026-11-28 10:10:40.670872+00
0103_run	0102_trace	c28fb5ead3c29e6d8d9859975b8e88b6884d7978e32a64c20fcbe9c9e6501dc3	2026-11-28 10:10:40.688211+00
0104_job	0103_run	d9514ccf86f2ee7aafc804479b2a8b15238d02d20ca5842349fe8f8f753d9cdd	2026-11-28 10:10:40.702974+00
0105_projection	0104_job	393967bc781a48230a3ca6252f12f1b557dcb5c57dbc98f8ab5dc408efd7e9d4	2026-11-28 10:10:40.752564+00
0106_event	0105_projection	d82e5615546153d731680a9e18002456f0e5d70363e0023b51506e8208f7a391	2026-11-28 10:10:40.76723+00
0107_cross_checks	0106_event	431906aa7883138a0fb57c3020673d53dcab0c82f5f8662f967bae9203398a85	2026-11-28 10:10:40.782171+00
0108_features	0107_cross_checks	48a7c17d9024050e29c53533ccc6f48b9ffecdb07f7778570ac79fab9443c791	2026-11-28 10:10:40.794811+00
0109_program	0108_features	f9d7429596851e1f3fb9b76179671da128b9a725687a6bec09f34a55e7539643	2026-11-28 10:10:40.795609+00
0110_accounts	0003_access	85aac53de9f2f55c141ed251d88583fe3a11d350240cd5f7d7bf646137e88594	2026-11-28 10:10:40.799366+00
0111_queue	0109_program	f1827227e8a58277c122dd59c33f25ab9435511dee46b0d7e69ff5c4201ce8ee	2026-11-28 10:10:40.83908+00
0112_storage	0109_program	6e3e33081a202498eb898a4e319b6843d649a9c8d1efbc8f08c05be4afb156e2	2026-11-28 10:10:40.87876+00
0114_scale	0109_program	2e88e2508fad530da2deedee8dc4da3800ff1adcdfebcc017ef010fd172e0ebf	2026-11-28 10:10:40.921096+00
0115_answers	0112_storage	817a173f1788995545a43d4e7faa750f1ba6fe75292877b0086f98d2defd2975	2026-11-28 10:10:40.938773+00
0116_share	0110_accounts	2aa70cd53231240dd64e02c5604c0bb9a162dad7a6e2b4e4716befe5352e0a12	2026-11-28 10:10:40.947786+00
0130_look	0106_event	67331eacab266ba66431830a6e2fdf696e161d0273274ff1764a084429db0b45	2026-11-28 10:10:40.967738+00
0140_walls	0116_share	34bc8e11802579b199b1499a8118716f0542336e7551cd75cf37232ab2bfb017	2026-11-28 10:10:41.006818+00
0141_made	0115_answers	7eb9b7e47cbe0ca566bc41059deee8b4c115fd72426690197d44f5bab976d6cb	2026-11-28 10:10:41.018087+00
0200_trace_pack	0141_made	5f3df4cd7023cab8f6c68f587c8f8aacdb4f6c705be872e91ff379221102c7dc	2026-11-28 10:10:41.022468+00
0220_looks	0130_look	659b99cbbd85dc958f31212e8e31dbd0a8e9b54c59e80ec71ec09b54d8a693d3	2026-11-28 10:10:41.026301+00
0240_recording	0109_program	9c63ba2fc42b90b005351802d97401523635bc1ff8d830c5ac693b2835d4d2ed	2026-11-28 10:10:41.034678+00
0250_recording_scale	0240_recording	9e2e76db2ce0545d59081afe7f68f0094ebd9aa2fe671b0c5d22e8cd23f3c056	2026-11-28 10:10:41.054339+00
0270_caches	0250_recording_scale	89c67e89b5422aa8e3b6c9aac2d55e21344aad0f5331bcf86610bbd0df72e326	2026-11-28 10:10:41.063391+00
0280_archive	0130_look	aa3bd3f840c7988a9c373cb3304e0fcd1f2915fd8fb71dc7a551dbc48155778c	2026-11-28 10:10:41.089187+00
0290_keys	0104_job	78beb7970e22d3d72e63cefa9e71546d5b439ca534d2cf08dad60302aa496809	2026-11-28 10:10:41.090893+00
0300_cache_window	0270_caches	5fd22ff1ed47b202ed98111c8764bf5f0c1ffa85c1ffc6b8e9c4b10b8bafc879	2026-11-28 10:10:41.097524+00
0310_whole_traces	0300_cache_window	4612475bbddef543eb64dc1b629d1c12f2af20aa0c7cc7060fdbe376a93e61e1	2026-11-28 10:10:41.1189+00
0320_uploaded_by	0310_whole_traces	f13b8839da9e5ed5de86ddab4124f754baf00bac5334a245750009e3e71720ed	2026-11-28 10:10:41.12004+00
0330_failed_keys	0320_uploaded_by	a6a70422aca239d7ce230a30b3b37a7e1b24160a53d40b429ff56ed58a8a2d65	2026-11-28 10:10:41.12071+00
0340_empty_caches	0330_failed_keys	75cabc625cde30c7e97dac10b05832f2d6cb073de30b647a70667af72ca70318	2026-11-28 10:10:41.121392+00
0350_warm_bound	0340_empty_caches	851df8c20495ba6a64ef10e6b5933e3a0acac6afcc28827a7f1d3af6dd41287e	2026-11-28 10:10:41.133846+00
0360_run_answer	0340_empty_caches	8b27cabc05486c8e1c68ded60e82e4d4c6ff188ac723aebd28a0dac1f59698b8	2026-11-28 10:10:41.139314+00
0410_makespan_interval	0360_run_answer	b00809e997970d94ec14b36009bda72c55133e9122c1fff08a4bec0bfcc74349	2026-11-28 10:10:41.160964+00
0411_communication	0410_makespan_interval	b6028ef0e6e6df4f02001848e00bfd1a891cdae4fef5461c3ccf387895f8d279	2026-11-28 10:10:41.16148+00
0430_cycles	0360_run_answer	f33d7631243f41bc24741ed428983e84c2d0b247c267e1157c0d6f342c5fa0a0	2026-11-28 10:10:41.162829+00
0440_run_slices	0360_run_answer	fa9c677867e731e853843701584bf999870f191376c08bdeac778f6e96c7aa91	2026-11-28 10:10:41.169957+00
0441_farm_id	0440_run_slices	0fb1cea2478c6c9423affe9a2d234b131e2e66343110899dc9f6587511a161d5	2026-11-28 10:10:41.174967+00
0450_assurance	0441_farm_id	60364a2550682e4bcf7cec04e0916dcf3580fea7ed9793395768f7b72c275c80	2026-11-28 10:10:41.186972+00
0451_pilot	0450_assurance	a1ec93bc5e8182588a3aacf2e2f8d6ffb3592a2a8275f008a3f25dae4ed9b86e	2026-11-28 10:10:41.191331+00
0460_stranded	0441_farm_id	c820b1799ccbb30e1fa9277d84d8c5fa99f57ff2d3d409ac25e96ca72ee21e61	2026-11-28 10:10:41.211424+00
0461_discard	0460_stranded	c0b175fba9c5f5b9c50f486e5ba355c444084e7110ba0f35819e268e2bc12c7f	2026-11-28 10:10:41.214972+00
0462_recheck	0461_discard	cdb567c968cbb983aad7c63f8a490aed65f18dabe084bcf71dc15988a5b1090f	2026-11-28 10:10:41.235675+00
0470_activity	0441_farm_id	95245822bb2c13fe74b95affec43733b5d52dd78ef18034e658eb8eb9ed847a2	2026-11-28 10:10:41.261341+00
0480_job_tally	0441_farm_id	9d5936e6187796e4319e86cbb978c51f0eae3e9f5c74414efa4e9de904429afc	2026-11-28 10:10:41.272576+00
0481_jobs_by_state	0480_job_tally	d21c0e839a93f4b8d69cfb7877dba35882a45764c80802126464eb062c5acc86	2026-11-28 10:10:41.283953+00
0500_inside_kernels	0481_jobs_by_state	f1625b78403918c795273be30f48edd253920e4faf20e317b680d5b43e66c3be	2026-11-28 10:10:41.290099+00
0510_upload_pieces	0481_jobs_by_state	32a0da3a13308bd7dff74d42dccf5aa945ee87d958e0dd777deb2b3715193631	2026-11-28 10:10:41.303595+00
0530_typed_events	0510_upload_pieces	60a55d9f5e4f4874e30ef6be2cc814312d920685b1c24bd492e0bd4aaffcb0a7	2026-11-28 10:10:41.31361+00
0540_state_moves	0510_upload_pieces	c28a9c5af9361648e1949006d2e5ac73f012b38c9e6e065fe597ef678ebf5ad4	2026-11-28 10:10:41.34601+00
0541_task	0540_state_moves	73b515eaf8b8c8efc0e96a24fe7eae9441886048d99c54bb5fdc59ae4284783a	2026-11-28 10:10:41.35031+00
\.
COPY public.session (id, token_id, sha256, created_at, used_at, expires_at, account_id, team_id) FROM stdin;
1	\N	\\xeac0c1ca8f0ef41f6de032466a2296632dbf7646ddc962c90901930700baa8fa	2026-11-28 10:10:49.429044+00	2026-11-28 10:10:49.429044+00	2026-12-05 10:10:49.429044+00	1	1
\.
COPY public.share (id, public_id, team_id, sha256, kind, object, name, hide_names, frozen_at, made_by, created_at, expires_at, opened, opened_at, discarded_at) FROM stdin;
1	01a221a2-ebb7-7b48-b707-93ba6ab28d12	1	\\xd1f1399c14e6a94f3a3f4e3ee383aa275bd276d92d4b04f347392eb0a173dd3e	run	01a221a2-d929-7370-bfad-93b52a33cedc		f	2026-11-28 10:10:55.031178+00	owner	2026-11-28 10:10:55.031178+00	2026-12-28 10:10:55.031178+00	0	\N	\N
\.
COPY public.share_document (share_id, address, body) FROM stdin;
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc	{"id" : "01a221a2-d929-7370-bfad-93b52a33cedc", "plan" : "01a221a2-d902-7425-8f27-f24424743000", "workload" : "01a221a2-d898-738e-a1ba-b16c748db6e9", "workload_name" : "report-1", "engine" : "replay", "state" : "done", "simulator" : "replay", "created_at" : "2026-11-28T10:10:50.280748Z", "finished_at" : "2026-11-28T10:10:50.907495Z", "created_by" : "owner", "priority" : 0, "jobs" : 36, "cached" : 0, "inside_kernels" : null, "promise" : 0.02, "promised_error" : 0.01991105095762246, "confidence" : 0.95, "seed" : 1, "speedup" : 5.557821452775553, "eta_s" : null, "eta_error_s" : null, "counts" : {"blocked" : 0, "ready" : 0, "leased" : 0, "done" : 36, "failed" : 0, "cancelled" : 0}, "rule" : null, "not_simulated" : {"replaced" : 0, "dropped" : 0, "assumption" : null}, "stranded" : null, "cache_check" : null, "answer" : {"at" : "2026-11-28T10:10:50.907495Z", "plan" : "01a221a2-d902-7425-8f27-f24424743000", "final" : true, "launches" : 36, "under_way" : null}, "designs" : [{"design" : "v100", "design_sha256" : "d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc", "clock_hz" : 1530000000, "projection" : {"value" : 90172.22222222222, "half_width" : 1928.577449769473, "unit" : "ns", "value_s" : 9.017222222222222e-05, "half_width_s" : 1.9285774497694734e-06, "value_cycles" : null, "half_width_cycles" : null, "df" : 35, "level" : 0.95, "relative_half_width" : 0.021387711229037345, "confidence" : 0.95, "looks" : null, "level_note" : null, "done" : 36, "planned" : 36, "complete" : true, "warning" : null, "empty_caches" : 0, "projected_inside" : 0, "warm_bound" : null}, "model_error" : null, "cache_state" : null, "makespan_s" : 9.017222222222217e-05, "makespan_half_width_s" : 1.9287500460185305e-06, "communication" : null, "makespan_interval_why_not" : null, "baseline" : null}], "as_of" : "10092543", "looks" : []}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/projection	{"id" : "01a221a2-d929-7370-bfad-93b52a33cedc", "state" : "done", "rule" : null, "not_simulated" : {"replaced" : 0, "dropped" : 0, "assumption" : null}, "not_simulated_launches" : [], "cache_check" : null, "answer" : {"at" : "2026-11-28T10:10:50.907495Z", "plan" : "01a221a2-d902-7425-8f27-f24424743000", "final" : true, "launches" : 36, "under_way" : null}, "designs" : [{"design" : "v100", "parts" : {"sampling_error" : {"value" : 90172.22222222222, "half_width" : 1928.577449769473, "unit" : "ns", "value_s" : 9.017222222222222e-05, "half_width_s" : 1.9285774497694734e-06, "value_cycles" : null, "half_width_cycles" : null, "df" : 35, "level" : 0.95, "relative_half_width" : 0.021387711229037345, "confidence" : 0.95, "looks" : null, "level_note" : null, "done" : 36, "planned" : 36, "complete" : true, "warning" : null, "empty_caches" : 0, "projected_inside" : 0, "warm_bound" : null}, "model_error" : null, "model_error_why_not" : "a replay simulates nothing", "cache_state" : null, "sum_s" : 9.017222222222222e-05, "makespan_s" : 9.017222222222217e-05, "makespan_half_width_s" : 1.9287500460185305e-06, "makespan_interval_why_not" : null, "makespan_why_not" : null, "measured_makespan_s" : 9.0209e-05}, "variance_method" : "stratified, finite-population correction, Satterthwaite's t", "strata" : [{"done":36,"mean":450.8611111111111,"sd":31.472575615494453,"half_width":9.642887248847366,"total":90172.22222222222,"variance_share":1}], "cross_checks" : [{"name":"ratio","estimator":"combined ratio, with the profiled value of every launch as auxiliary variable","unit":"ns","value":90209,"half_width":0,"value_s":9.0209e-05,"half_width_s":0,"df":null},{"name":"difference","estimator":"difference from the profiled value of every launch, times a factor fixed beforehand: exactly unbiased","unit":"ns","value":90209,"half_width":0,"value_s":9.0209e-05,"half_width_s":0,"df":null}]}], "comparison" : [], "looks" : []}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/compare	{"baseline":"v100","level":0.95,"rule":"all intervals of a table hold together at the level stated: with m of them each is at 1 − (1 − level) / m (Bonferroni)","answer":{"at":"2026-11-28T10:10:50.907495Z","plan":"01a221a2-d902-7425-8f27-f24424743000","final":true,"launches":36,"under_way":null},"items":[]}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/not-simulated	{"items":[],"designs":[]}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/events	{"items":[{"id":"9359369","at":"2026-11-28T10:10:50.907495Z","kind":"run.done","params":{"jobs":36,"answers":[{"kind":"answer.total","params":{"design":"v100","total":{"value":9.017222222222222e-05,"half_width":1.9285774497694734e-06}}}]},"severity":"info","text":"All 36 jobs are done. v100: 90.2 ± 1.9 µs."},{"id":"9326599","at":"2026-11-28T10:10:50.280748Z","kind":"run.started","params":{"by":"owner","jobs":36,"engine":"replay"},"severity":"info","text":"owner started the run: 36 jobs, engine replay."}],"next":null}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/jobs	{"items":[{"id" : "01a221a2-d929-76ee-afb9-7f3371176859", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 59, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7995-af9f-e5ba572ae5d5"},{"id" : "01a221a2-d929-7b00-98ae-73ef7570bef9", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 49, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7be7-8e79-16a969e9c28c"},{"id" : "01a221a2-d929-7c82-bba1-470515ba2654", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 190, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-79c6-b368-2df99ec45444"},{"id" : "01a221a2-d929-794f-9025-9dbfdfbee0ed", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 32, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7c15-9048-6f817187a854"},{"id" : "01a221a2-d929-707b-8afa-a2edd2c98f17", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 132, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7ee0-b08e-3ebef84c1d46"},{"id" : "01a221a2-d929-74d1-a942-6b4933e12440", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 63, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-754f-98da-1cbaf0db2162"},{"id" : "01a221a2-d929-7d80-beda-0be65e093464", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 128, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-776b-b2b2-83d6e95a9888"},{"id" : "01a221a2-d929-7d0d-9f56-883d00552135", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 55, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-73ba-bcb3-35839572ecca"},{"id" : "01a221a2-d929-7c4a-88c8-fa16e878f178", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 161, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-70ca-9d7e-2090fdb16192"},{"id" : "01a221a2-d929-72de-aeff-b92d45c44a9c", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 80, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7a3f-a7d5-a0c2bc75d2d4"},{"id" : "01a221a2-d929-7f1b-8752-e5300f11f70b", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 43, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7dfc-b23b-ae891bc39ece"},{"id" : "01a221a2-d929-7636-baae-8be5669b2b6b", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 99, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-71a2-a016-0eb33396bdf4"},{"id" : "01a221a2-d929-7612-8a3b-a9449e921818", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 98, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-735b-b353-abe37ceb45e5"},{"id" : "01a221a2-d929-780b-9f0d-6725d7654600", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 139, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-79cf-8525-3ba2dc5a7475"},{"id" : "01a221a2-d929-7bf2-9da4-d8370c64827a", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 69, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7d15-8755-e3d03f832268"},{"id" : "01a221a2-d929-7270-b08f-23e6c3444075", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 115, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7c42-8237-dfd7022db1c3"},{"id" : "01a221a2-d929-7efd-9d0d-e10c09099296", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 129, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7fde-bc95-5e65d280475e"},{"id" : "01a221a2-d929-7d64-97dc-469c4f945427", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 135, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7d13-a84b-5101fc274098"},{"id" : "01a221a2-d929-75bd-8a22-0b4032030f95", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 196, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7e63-be74-ec585f7e0c31"},{"id" : "01a221a2-d929-766d-9740-9ac91735bb53", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 142, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7152-9ecb-e29376bf88ba"},{"id" : "01a221a2-d929-75ca-9565-81fac87d82b4", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 104, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-778c-a5d4-bf0ad469dbbb"},{"id" : "01a221a2-d929-797d-b521-f8c80157460e", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 187, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7c4e-a730-ab7a1059e157"},{"id" : "01a221a2-d929-7720-9168-c8f0d4a6551e", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 102, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7b29-911a-3b7de5a436f2"},{"id" : "01a221a2-d929-798f-b34b-64182e02b452", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 66, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7bb5-a15f-a40efbab1fce"},{"id" : "01a221a2-d929-78af-9dee-4b350a8a1efa", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 26, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7843-9c6d-5a9134f083da"},{"id" : "01a221a2-d929-7706-82a1-36c4a028bff1", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 119, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7038-a8a4-c6242a6ce98d"},{"id" : "01a221a2-d929-725b-b1d6-dd4922f65d33", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 191, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-78dd-8d27-a60647158b71"},{"id" : "01a221a2-d929-7afd-9c8c-0db8e88b53b0", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 125, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7ee0-b708-10daf27c404f"},{"id" : "01a221a2-d929-7dc9-9556-97797ddb35dc", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 145, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-74a7-a6e2-c7350f640dd1"},{"id" : "01a221a2-d929-7cd1-a5e7-1d85f6271227", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 75, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-73db-9474-c7d5d8d6c7ab"},{"id" : "01a221a2-d929-727a-b889-20904384700d", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 178, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-77c5-a95a-34c92f2a9947"},{"id" : "01a221a2-d929-79f9-8287-4b85cdd5488e", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 92, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-736a-a27c-52a2f45a0e18"},{"id" : "01a221a2-d929-72d8-bfe6-e5eb2b780958", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 123, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7232-a31f-38b4f5c5337e"},{"id" : "01a221a2-d929-790c-9c93-bbedd4894afe", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 199, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7b83-9b2d-229a5fdfde5e"},{"id" : "01a221a2-d929-79f2-af49-bb09959868f4", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 111, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-73e0-9cc0-518f6b64be86"},{"id" : "01a221a2-d929-728a-acfb-97cb408315d1", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 167, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-71f8-a1c5-b17b5b044aaf"}],"next":null}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/convergence?design=v100	{"design":"v100","promise":0.02,"confidence":0.95,"planned":36,"points":[{"done":36,"value_s":9.017222222222222e-05,"half_width_s":1.9285774497694734e-06,"value":90172.22222222222,"half_width":1928.577449769473,"relative_half_width":0.021387711229037345,"at":"2026-11-28T10:10:50.907495Z"}],"forecast":null}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/strata?design=v100	{"items":[{"stratum" : 0, "kernel" : "", "grid" : [1,1,1], "block" : [128,1,1], "population" : 200, "planned" : 36, "done" : 36, "certainty" : false, "mean_s" : 4.508611111111111e-07, "mean" : 450.8611111111111, "unit" : "ns", "half_width_s" : 9.642887248847367e-09, "mean_profile" : 451.045, "profile_unit" : "ns", "spread_simulated" : 0.06980547853846346, "spread_profile" : 0.06498593633588748, "relative_half_width" : 0.02138771122903735, "total_s" : 9.017222222222222e-05, "total_half_width_s" : 1.9285774497694734e-06, "share_of_time" : 1, "share_of_doubt" : 1}],"next":null}
1	/api/v1/runs/01a221a2-d929-7370-bfad-93b52a33cedc/jobs?design=v100	{"items":[{"id" : "01a221a2-d929-76ee-afb9-7f3371176859", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 59, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7995-af9f-e5ba572ae5d5"},{"id" : "01a221a2-d929-7b00-98ae-73ef7570bef9", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 49, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7be7-8e79-16a969e9c28c"},{"id" : "01a221a2-d929-7c82-bba1-470515ba2654", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 190, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-79c6-b368-2df99ec45444"},{"id" : "01a221a2-d929-794f-9025-9dbfdfbee0ed", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 32, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7c15-9048-6f817187a854"},{"id" : "01a221a2-d929-707b-8afa-a2edd2c98f17", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 132, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7ee0-b08e-3ebef84c1d46"},{"id" : "01a221a2-d929-74d1-a942-6b4933e12440", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 63, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-754f-98da-1cbaf0db2162"},{"id" : "01a221a2-d929-7d80-beda-0be65e093464", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 128, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-776b-b2b2-83d6e95a9888"},{"id" : "01a221a2-d929-7d0d-9f56-883d00552135", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 55, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-73ba-bcb3-35839572ecca"},{"id" : "01a221a2-d929-7c4a-88c8-fa16e878f178", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 161, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-70ca-9d7e-2090fdb16192"},{"id" : "01a221a2-d929-72de-aeff-b92d45c44a9c", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 80, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7a3f-a7d5-a0c2bc75d2d4"},{"id" : "01a221a2-d929-7f1b-8752-e5300f11f70b", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 43, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7dfc-b23b-ae891bc39ece"},{"id" : "01a221a2-d929-7636-baae-8be5669b2b6b", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 99, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-71a2-a016-0eb33396bdf4"},{"id" : "01a221a2-d929-7612-8a3b-a9449e921818", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 98, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-735b-b353-abe37ceb45e5"},{"id" : "01a221a2-d929-780b-9f0d-6725d7654600", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 139, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-79cf-8525-3ba2dc5a7475"},{"id" : "01a221a2-d929-7bf2-9da4-d8370c64827a", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 69, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7d15-8755-e3d03f832268"},{"id" : "01a221a2-d929-7270-b08f-23e6c3444075", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 115, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7c42-8237-dfd7022db1c3"},{"id" : "01a221a2-d929-7efd-9d0d-e10c09099296", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 129, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7fde-bc95-5e65d280475e"},{"id" : "01a221a2-d929-7d64-97dc-469c4f945427", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 135, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7d13-a84b-5101fc274098"},{"id" : "01a221a2-d929-75bd-8a22-0b4032030f95", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 196, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7e63-be74-ec585f7e0c31"},{"id" : "01a221a2-d929-766d-9740-9ac91735bb53", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 142, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7152-9ecb-e29376bf88ba"},{"id" : "01a221a2-d929-75ca-9565-81fac87d82b4", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 104, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-778c-a5d4-bf0ad469dbbb"},{"id" : "01a221a2-d929-797d-b521-f8c80157460e", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 187, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7c4e-a730-ab7a1059e157"},{"id" : "01a221a2-d929-7720-9168-c8f0d4a6551e", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 102, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7b29-911a-3b7de5a436f2"},{"id" : "01a221a2-d929-798f-b34b-64182e02b452", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 66, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7bb5-a15f-a40efbab1fce"},{"id" : "01a221a2-d929-78af-9dee-4b350a8a1efa", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 26, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7843-9c6d-5a9134f083da"},{"id" : "01a221a2-d929-7706-82a1-36c4a028bff1", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 119, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7038-a8a4-c6242a6ce98d"},{"id" : "01a221a2-d929-725b-b1d6-dd4922f65d33", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 191, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-78dd-8d27-a60647158b71"},{"id" : "01a221a2-d929-7afd-9c8c-0db8e88b53b0", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 125, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7ee0-b708-10daf27c404f"},{"id" : "01a221a2-d929-7dc9-9556-97797ddb35dc", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 145, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-74a7-a6e2-c7350f640dd1"},{"id" : "01a221a2-d929-7cd1-a5e7-1d85f6271227", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 75, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-73db-9474-c7d5d8d6c7ab"},{"id" : "01a221a2-d929-727a-b889-20904384700d", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 178, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-77c5-a95a-34c92f2a9947"},{"id" : "01a221a2-d929-79f9-8287-4b85cdd5488e", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 92, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-736a-a27c-52a2f45a0e18"},{"id" : "01a221a2-d929-72d8-bfe6-e5eb2b780958", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 123, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7232-a31f-38b4f5c5337e"},{"id" : "01a221a2-d929-790c-9c93-bbedd4894afe", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 199, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-7b83-9b2d-229a5fdfde5e"},{"id" : "01a221a2-d929-79f2-af49-bb09959868f4", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 111, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-73e0-9cc0-518f6b64be86"},{"id" : "01a221a2-d929-728a-acfb-97cb408315d1", "run" : "01a221a2-d929-7370-bfad-93b52a33cedc", "invocation" : 167, "stratum" : 0, "design" : "v100", "state" : "done", "attempt" : 1, "cached" : false, "waits_on" : null, "worker" : "first", "failure" : null, "dropped" : false, "ready_at" : null, "deadline_at" : null, "finished_at" : "2026-11-28T10:10:50.573909Z", "trace" : null, "result" : "01a221a2-da5b-71f8-a1c5-b17b5b044aaf"}],"next":null}
1	/api/v1/plans/01a221a2-d902-7425-8f27-f24424743000	{"id" : "01a221a2-d902-7425-8f27-f24424743000", "workload" : "01a221a2-d898-738e-a1ba-b16c748db6e9", "workload_name" : "report-1", "profile" : "01a221a2-d875-793c-9d67-fbd7e22100ba", "method" : "srs", "error" : 0.02, "confidence" : 0.95, "seed" : 1, "unit" : "ns", "promised_error" : 0.01991105095762246, "promise_valid" : true, "planned_df" : 35, "speedup" : 5.557821452775553, "invocations" : 200, "zero_invocations" : 0, "total" : "90209", "share" : 0, "noise_floor" : 0, "budget" : 0, "least_samples" : 2, "assurance" : 0, "assured" : null, "assured_noise" : null, "cost_fixed" : 0, "cost_per_unit" : 0, "classifier" : "bayes", "with_replacement" : false, "representative" : false, "estimator" : "expansion", "variance" : "samples", "caution" : "", "note" : "What fewer than 6.6 % of the launches do, by their time, may be in none of the samples (at 95 %), and no interval then covers it.", "extensible" : true, "version" : 1, "parent" : null, "samples_count" : 36, "strata_count" : 1, "actual_error" : 0.00040769521641722016, "created_at" : "2026-11-28T10:10:50.243132Z", "strata" : [{"id" : 0, "kernel" : "", "grid" : [1,1,1], "block" : [128,1,1], "mixed_shapes" : true, "population" : 200, "samples" : 36, "mean" : 451.045, "sd" : 29.31158165462037, "cov" : 0.06498593633588748, "total" : "90209", "share_of_time" : 1, "certainty" : false, "planned_sd" : 0, "cost" : 451.045, "planned_variance_share" : 1}], "traces" : {"bound" : 0, "missing" : 36, "in_file" : 0}}
\.
COPY public.stratum (plan_id, number, kernel, kernel_name, mixed_shapes, grid, block, population, samples, mean, sd, total, certainty, planned_sd, cost, planned_variance) FROM stdin;
01a221a2-d902-7425-8f27-f24424743000	0	0		t	{1,1,1}	{128,1,1}	200	36	451.045	29.31158165462037	90209	f	0	451.045	782798.2573981015
01a221a2-dd67-74fe-b0ac-d3708badd57a	0	0		t	{1,1,1}	{128,1,1}	200	36	453.045	29.31158165462037	90609	f	0	453.045	782798.2573981015
01a221a2-ddba-7d82-b3b0-6d91e8af7ec4	0	0		t	{1,1,1}	{128,1,1}	200	21	453.045	29.31158165462037	90609	f	0	453.045	1464678.2725532425
01a221a2-dea3-746d-aa97-51b839b7e75c	0	0		t	{1,1,1}	{128,1,1}	200	29	453.045	29.31158165462037	90609	f	0	453.045	1013226.6763125976
01a221a2-e1d9-79bf-8c9c-5949fa44062c	0	0		t	{4,1,1}	{64,1,1}	160	8	2351.8125	1889.5811228863802	376290	f	0	2351.8125	10854371132.704403
01a221a2-e2e7-7d42-9ff7-ad31b0635943	0	0		t	{4,1,1}	{64,1,1}	160	8	2351.8125	1889.5811228863802	376290	f	0	2351.8125	10854371132.704403
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	0	0	steady(float *)	f	{4,1,1}	{64,1,1}	100	2	1060.4	40.299885956176205	106040	f	40.299885956176205	1060.4	7957995.95959596
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	1	1	wild(float *, int)	f	{8,2,1}	{64,1,1}	24	2	3023.9583333333335	619.8719698921471	72575	f	619.8719698921473	3023.958333333333	101439692.39130439
01a221a2-e5e8-7b39-b4fe-20588b8d7d9c	2	1	wild(float *, int)	f	{8,2,1}	{64,1,1}	36	3	5611.944444444444	856.7107177853292	202030	f	856.7107177853292	5611.944444444444	290645488.57142854
01a221a2-f1ff-7f2a-92e1-737b6a4db350	0	0		t	{128,1,1}	{256,1,1}	22	2	50625.86363636364	87713.93945542545	1113769	f	0	50625.86363636364	1692621738453.8093
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	0	0	degrees	f	{128,1,1}	{256,1,1}	1	1	21504	0	21504	t	0	21504	0
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	1	1	scan	f	{129,1,1}	{256,1,1}	1	1	97226	0	97226	t	0	97226	0
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	2	2	scan	f	{1,1,1}	{256,1,1}	1	1	736	0	736	t	0	736	0
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	3	3	add_totals	f	{129,1,1}	{256,1,1}	1	1	17544	0	17544	t	0	17544	0
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	4	4	start	f	{1,1,1}	{1,1,1}	1	1	15	0	15	t	0	15	0
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	5	5	push	f	{16,1,1}	{128,1,1}	12	1	4622.333333333333	7384.80187871542	55468	f	0	4622.333333333333	7198659440.000001
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	6	6	sweep	f	{128,1,1}	{256,1,1}	4	1	218663.5	66946.51983237565	874654	f	0	218663.5	53782038212
01a221a2-f3c1-7d5b-a825-1794d5f0d4d4	7	7	collect	f	{128,1,1}	{256,1,1}	1	1	46622	0	46622	t	0	46622	0
01a221a3-0063-7731-a56b-0ef968157fd7	0	0	degrees	f	{128,1,1}	{256,1,1}	1	1	1000	0	1000	t	0	1000	0
01a221a3-0063-7731-a56b-0ef968157fd7	1	1	scan	f	{129,1,1}	{256,1,1}	1	1	1000	0	1000	t	0	1000	0
01a221a3-0063-7731-a56b-0ef968157fd7	2	2	scan	f	{1,1,1}	{256,1,1}	1	1	1000	0	1000	t	0	1000	0
01a221a3-0063-7731-a56b-0ef968157fd7	3	3	add_totals	f	{129,1,1}	{256,1,1}	1	1	1000	0	1000	t	0	1000	0
01a221a3-0063-7731-a56b-0ef968157fd7	4	4	start	f	{1,1,1}	{1,1,1}	1	1	1000	0	1000	t	0	1000	0
01a221a3-0063-7731-a56b-0ef968157fd7	5	5	push	f	{16,1,1}	{128,1,1}	12	12	4278.666666666667	6819.935074782048	51344	t	6819.935074782048	4278.666666666666	0
01a221a3-0063-7731-a56b-0ef968157fd7	6	6	sweep	f	{128,1,1}	{256,1,1}	4	4	1134.75	344.5	4539	t	344.5	1134.75	0
01a221a3-0063-7731-a56b-0ef968157fd7	7	7	collect	f	{128,1,1}	{256,1,1}	1	1	1000	0	1000	t	0	1000	0
01a221a3-04b5-734f-8e38-52012e1c7758	0	0		t	{1,1,1}	{128,1,1}	200	36	452.045	29.31158165462037	90409	f	0	452.045	782798.2573981015
\.
COPY public.sweep (profile_id, question, answer, created_at) FROM stdin;
01a221a2-e18a-7bd3-b920-6d0ff88a3622	0.1.0: sieve 0.95 0.05	{"items":[{"method":"sieve","title":"Sieve","error":0.05,"confidence":0.95,"why_not":"needs instruction counts, and this profile has none","lacks_features":true,"strata":null,"samples":null,"distinct":null,"speedup":null,"speedup_instructions":null,"speedup_seconds":null,"promised_error":null,"promise_valid":null,"representative":null,"estimator":null,"variance":null,"caution":null,"note":null,"actual_error":null,"actual_error_max":null,"inside":null,"intervals":null,"covered":null,"repeats":0,"cloud":[]}]}	2026-11-28 10:10:53.230147+00
\.
COPY public.task (id, kind, result_id, run_id, trace_sha256, design_sha256, simulator, inside_kernels, expected_s, not_worker, state, attempt, session_id, made_at, deadline_at, finished_at, why) FROM stdin;
f8212589-056a-4438-bf84-ad58fa1284ee	recheck	01a221a2-e763-7b7d-a335-e0f9e98ef16e	\N	c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:10:53.908261+00	\N	\N	\N
478f43e5-0cb8-47da-b836-a3c7625a00d1	recheck	01a221a2-e762-79c6-b750-2300c211d7ff	\N	2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:10:53.908261+00	\N	\N	\N
e0120ebb-286b-48cf-b079-102d4aa8ee56	recheck	01a221a2-e763-74aa-83ed-4e44e961ed1e	\N	c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:10:53.908261+00	\N	\N	\N
eeb7b468-d8f1-4ffa-afc0-b262fcee1580	recheck	01a221a2-e763-750a-9d6f-9ed5a4c9c6fb	\N	27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:10:53.908261+00	\N	\N	\N
291f233e-64bc-4797-a117-46071b5c905c	recheck	01a221a2-e763-737c-93c2-48f27ec40e55	\N	0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	done	1	\N	2026-11-28 10:10:53.908261+00	\N	2026-11-28 10:10:54.916051+00	\N
308ac79a-c8f2-4cc8-9758-321c0ecb4f0e	recheck	01a221a2-e763-7859-81de-0f807f06ae38	\N	558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	done	1	\N	2026-11-28 10:10:53.908261+00	\N	2026-11-28 10:10:54.965869+00	\N
01a221a2-e762-79c6-b750-2300c211d7ff	recording	01a221a2-e762-79c6-b750-2300c211d7ff	\N	2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	10	\N	leased	1	01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	2026-11-28 10:10:55.015643+00	2026-11-28 14:10:56.747436+00	\N	\N
74a355fd-2a79-48bd-b65a-6cdc297580c2	recheck	01a221a2-f324-7fcb-ac1a-f10d7b3109d5	\N	1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:10:56.932308+00	\N	\N	\N
6f857135-656c-4ca2-9001-fb33ae2ce872	recheck	01a221a2-f324-7233-9777-5a2cf08a54b3	\N	c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:10:56.932308+00	\N	\N	\N
9bd3954d-6ed6-4d61-a5af-7a68cce0da59	recheck	01a221a2-ff77-723d-af0a-c02587b61822	\N	6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
e29fc9bd-3c5a-47c0-a6dd-718042fdee25	recheck	01a221a2-ff77-7ef5-a5d2-34675f42a07d	\N	f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
3e7c7e50-556b-4278-8e8b-caaa5713baf6	recheck	01a221a2-ff77-7a6f-95c5-7c4635e08ddf	\N	7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
15a864c1-2c29-44a8-8aa7-e59e653a2e20	recheck	01a221a2-ff77-702a-aa30-04d03f607071	\N	18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
ce80736d-50c6-4674-b2c3-9d644327de33	recheck	01a221a2-ff77-70e9-ab09-b1827881bc2f	\N	ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
59db07c6-8d5d-4d1d-8ac9-2a5d3f70500c	recheck	01a221a2-ff77-71c1-bd3c-a9916c2e56ff	\N	1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
d006b04e-b91f-47a0-a011-d9485486ee65	recheck	01a221a2-ff77-7def-86e9-fcc39a590448	\N	de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
ec08c518-7225-4571-a5bc-5248b9e33029	recheck	01a221a2-ff77-7cf4-bcc7-0434af0d830b	\N	46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	ready	0	\N	2026-11-28 10:11:00.086215+00	\N	\N	\N
d1c2a676-075a-4745-a0a1-180e6009682e	recheck	01a221a2-e763-7397-82f9-f1b4221ab3cf	\N	fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	5	first	failed	0	\N	2026-11-28 10:10:53.908261+00	\N	2026-11-28 10:11:00.626627+00	the result was discarded
bb5ed9c7-478d-44ff-8e73-ac4a38a488c6	cache_check	\N	01a221a2-f205-7885-9250-f688e7e51706	cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd	d7348ada008e904ab578150cfaf2b3eee17ce60ffd6ba6644ac7d0f1fe34a9bc	0.7.0	0	3	\N	done	1	\N	2026-11-28 10:11:03.406656+00	\N	2026-11-28 10:11:03.406656+00	\N
\.
COPY public.team (id, slug, created_at, share) FROM stdin;
1	default	2026-11-28 10:10:40.49658+00	1
2	red	2026-11-28 10:10:47.59074+00	1
\.
COPY public.team_storage (team_id, stored_bytes, reserved_bytes, open_uploads, quota_bytes) FROM stdin;
2	0	0	0	\N
1	1358911	9000000	1	\N
\.
COPY public.token (id, public_id, team_id, name, sha256, shown, scopes, created_at, expires_at, last_used_at, account_id) FROM stdin;
1	01a221a2-b816-75d6-b0ba-733768b942c6	1	owner	\\xb3c04acda52085ba4290e1c5e4e1b8278e5b8015b2127dfdeaf9f282e410dd08	vvc_JAT6	62	2026-11-28 10:10:41.814841+00	\N	2026-11-28 10:11:00+00	\N
2	01a221a2-b817-7a8c-a2ad-bdf8984b9dbb	1	worker-pool	\\xe0f3c6f2c266a9aa9cd494128840a1c2ccb36a6bc21085581cb3a67ed813a4f9	vvc_ocQm	8	2026-11-28 10:10:41.815436+00	\N	2026-11-28 10:11:00+00	\N
\.
COPY public.trace (sha256, name, grid, block, warp_instructions, ctas, warps, bytes, created_at, program_sha256) FROM stdin;
2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	steady(float *)	{4,1,1}	{64,1,1}	2	1	1	495	2026-11-28 10:10:53.724348+00	\N
0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d	steady(float *)	{4,1,1}	{64,1,1}	2	1	1	495	2026-11-28 10:10:53.75191+00	\N
558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0	wild(float *, int)	{8,2,1}	{64,1,1}	2	1	1	498	2026-11-28 10:10:53.776499+00	\N
fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773	wild(float *, int)	{8,2,1}	{64,1,1}	2	1	1	498	2026-11-28 10:10:53.780188+00	\N
27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4	wild(float *, int)	{8,2,1}	{64,1,1}	2	1	1	498	2026-11-28 10:10:53.78602+00	\N
c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e	wild(float *, int)	{8,2,1}	{64,1,1}	2	1	1	498	2026-11-28 10:10:53.794716+00	\N
c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed	wild(float *, int)	{8,2,1}	{64,1,1}	2	1	1	498	2026-11-28 10:10:53.795165+00	\N
1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	sweep	{128,1,1}	{256,1,1}	124010	128	1024	99845	2026-11-28 10:10:56.823726+00	\N
c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	sweep	{128,1,1}	{256,1,1}	222842	128	1024	231118	2026-11-28 10:10:56.827025+00	\N
f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	degrees	{128,1,1}	{256,1,1}	14336	128	1024	494	2026-11-28 10:10:59.967319+00	\N
de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	scan	{129,1,1}	{256,1,1}	89252	129	1032	1152	2026-11-28 10:10:59.967707+00	\N
1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	scan	{1,1,1}	{256,1,1}	684	1	8	838	2026-11-28 10:10:59.967951+00	\N
6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	add_totals	{129,1,1}	{256,1,1}	10320	129	1032	449	2026-11-28 10:10:59.971834+00	\N
ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	start	{1,1,1}	{1,1,1}	5	1	1	343	2026-11-28 10:10:59.972358+00	\N
18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	push	{16,1,1}	{128,1,1}	745	16	64	1292	2026-11-28 10:10:59.972835+00	\N
7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	sweep	{128,1,1}	{256,1,1}	175458	128	1024	135396	2026-11-28 10:10:59.973234+00	\N
46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	collect	{128,1,1}	{256,1,1}	34063	128	1024	4651	2026-11-28 10:10:59.974896+00	\N
\.
COPY public.trace_binding (profile_id, invocation, trace_sha256, bound_at) FROM stdin;
01a221a2-e573-7de3-9b50-467893c56809	51	2101aabe4e5025f358f350aeff3fca75d214ef0bd69ad03d9497e9a82febd6b8	2026-11-28 10:10:53.727509+00
01a221a2-e573-7de3-9b50-467893c56809	139	0dc8c561bfdf1168f38bd1e0f15e67489fff578e0069a48fee57578fec9a0e6d	2026-11-28 10:10:53.760417+00
01a221a2-e573-7de3-9b50-467893c56809	37	558d7358a58e49913de117740706a7f1ea8ac1596c1a0e0c802756799e905cc0	2026-11-28 10:10:53.777096+00
01a221a2-e573-7de3-9b50-467893c56809	70	fbac45a6654bff71ffa7f38057d8254decfc369241a0f53c98cc25cd07814773	2026-11-28 10:10:53.782802+00
01a221a2-e573-7de3-9b50-467893c56809	61	27d6408a907e6a74d85e43d61b4be25207377ea27243310912c7893b9512afb4	2026-11-28 10:10:53.786146+00
01a221a2-e573-7de3-9b50-467893c56809	101	c6b91e2df21eeed28e94220dafa0f3fea81708070b2d8f88ff9c8be35d78983e	2026-11-28 10:10:53.794879+00
01a221a2-e573-7de3-9b50-467893c56809	118	c6565139c551e22841e5b5fc4016bfaece65ff4e4da3894fdd412dbf9f30ceed	2026-11-28 10:10:53.795278+00
01a221a2-f1a3-7a35-b133-43519697527d	14	1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	2026-11-28 10:10:56.824143+00
01a221a2-f1a3-7a35-b133-43519697527d	15	c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	2026-11-28 10:10:56.82718+00
01a221a2-f1a3-7a35-b133-43519697527d	0	f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	2026-11-28 10:10:59.96745+00
01a221a2-f1a3-7a35-b133-43519697527d	1	de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	2026-11-28 10:10:59.967769+00
01a221a2-f1a3-7a35-b133-43519697527d	2	1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	2026-11-28 10:10:59.97101+00
01a221a2-f1a3-7a35-b133-43519697527d	3	6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	2026-11-28 10:10:59.971921+00
01a221a2-f1a3-7a35-b133-43519697527d	4	ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	2026-11-28 10:10:59.972632+00
01a221a2-f1a3-7a35-b133-43519697527d	10	18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	2026-11-28 10:10:59.97302+00
01a221a2-f1a3-7a35-b133-43519697527d	17	7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	2026-11-28 10:10:59.973755+00
01a221a2-f1a3-7a35-b133-43519697527d	18	46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	2026-11-28 10:10:59.975836+00
01a221a3-0053-76ac-8a7c-5988793a0884	14	1579f079c62a0cb457db929567268b7228cd8ff8c9a86a67f5d2e002160d4f79	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	15	c2f150bbe3572bd5de3ea90f25a547f7672a6762321cd7bb6fbfa85a860ec9ca	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	0	f105fb935573f42fe806fc95d4797a37c2ff682ce237fb9ee232128dfa8966c1	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	1	de30c164404ac19e228a238de410c642c6eadf9af18904d71562a6ebb628dfb5	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	2	1fca838261fb4e532fee75cb8d705f517580ba3c3c4795c931f0480d1b39cd5d	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	3	6b7cb84905d3a38053834f6579b20493149dcde0627a5c9ccbc1a1c1b7c33571	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	4	ac7efba3498a7be8397604cb459364322e7bc1589f3dc3e97214ab68776d96a0	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	10	18071be5b2f456c5b5ef2074265f5be7476ecdcc920a048289a006eaa235e962	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	17	7f3a030e2fd85a18fdfcd3ef64f6c0bb3a71ab1bc790c2b51d972734beee9859	2026-11-28 10:11:00.311614+00
01a221a3-0053-76ac-8a7c-5988793a0884	18	46fd2519085a74fe03f6d40ff3cbf31eac869c393f649b3de215a6737209acbf	2026-11-28 10:11:00.311614+00
\.
COPY public.upload (id, team_id, name, workload, bytes, sha256, known, state, created_at, reserved_bytes) FROM stdin;
01a221a2-d67f-7907-83d6-e8c11fe81b11	1	report-1.csv	report-1	13943	7a38bbca3d7cbe9815b0caae69c11939fa08f6eca081b2246449d17ae8d8b58d	t	finished	2026-11-28 10:10:49.599901+00	0
01a221a2-dc3a-735b-b649-1c2ab4941dd8	1	report-3.csv	report-3	13943	d746f10fc73f72ebd88583ee72bdc6371e1da23d093c7eaa6a3440daeab09cc9	t	finished	2026-11-28 10:10:51.066752+00	0
01a221a2-e0f4-7439-9930-8c4b647e87f8	1	report-7.csv	taken out	15552	cb984be9b181a63a6cf0a77997233462847d099ecfdef7441dfbcba4399cbf9a	t	finished	2026-11-28 10:10:52.276435+00	0
01a221a2-e4cb-7e19-b71b-f2e3c7c1e753	1	report-1.csv	decoder	15552	00ff57b3ed72d533be186e7c05127aa4bb3753fbea01013c2f079b73c7893894	t	finished	2026-11-28 10:10:53.259312+00	0
01a221a2-f13f-7ea8-8d0d-ea0fabf908fb	1	counts.csv	bfs	701	76459c0ae47ef0cb79989c7b176a89e35a38a3b81628623f8ef4ab6f11dbefe2	t	finished	2026-11-28 10:10:56.447507+00	0
01a221a3-01ff-7dd7-b715-71ea94a74f06	1	open.csv	open	9000000	\N	f	open	2026-11-28 10:11:00.735775+00	9000000
01a221a3-0425-7ff1-a814-f657ff87467b	1	report-2.csv	report-2	13943	93295c94d71125648cfcd0ca39aa11687a24d35f0dd33a7fb34f4cb946fc818b	t	finished	2026-11-28 10:11:01.28507+00	0
\.
COPY public.upload_gone (upload_id, pieces) FROM stdin;
01a221a2-d67f-7907-83d6-e8c11fe81b11	1
01a221a2-dc3a-735b-b649-1c2ab4941dd8	1
01a221a2-e0f4-7439-9930-8c4b647e87f8	1
01a221a2-e4cb-7e19-b71b-f2e3c7c1e753	1
01a221a2-f13f-7ea8-8d0d-ea0fabf908fb	1
01a221a3-0227-7fb1-ba23-250837af5023	1
01a221a3-0425-7ff1-a814-f657ff87467b	1
451d2f1e-06a0-44f5-9ee2-a51da9ec7389	2
\.
COPY public.upload_piece (upload_id, piece, sha256) FROM stdin;
01a221a3-01ff-7dd7-b715-71ea94a74f06	1	ccd41d81c298946db30663cb63a06f935b90179f98bcf861a535396763835c1e
\.
COPY public.worker_session (id, name, host, version, simulator, sandbox, engines, slots, state, started_at, seen_at, replaced_by, token_id) FROM stdin;
01a221a2-cb25-7efa-afdf-e7c2a6b1e03d	first	test-host	0.1.0	0.7.0	none	{cycle,replay}	64	alive	2026-11-28 10:10:46.695075+00	2026-11-28 10:11:00.332962+00	\N	2
01a221a3-04fd-7297-b54f-0c637a04d2bd	third	test-host	0.1.0	0.7.0	none	{replay}	4	alive	2026-11-28 10:11:01.50207+00	2026-11-28 10:11:01.539016+00	\N	2
01a221a2-e9cb-7244-b0fc-67c737530b43	second	test-host	0.1.0	0.7.0	none	{cycle,replay}	64	alive	2026-11-28 10:10:54.552926+00	2026-11-28 10:10:54.957477+00	\N	2
\.
COPY public.workload (id, team_id, name, created_at, archived_at) FROM stdin;
01a221a2-d898-738e-a1ba-b16c748db6e9	1	report-1	2026-11-28 10:10:50.136103+00	\N
01a221a2-dd22-7222-802f-5ff3f7aad98c	1	report-3	2026-11-28 10:10:51.298819+00	\N
01a221a2-e18c-7008-9f51-5d1a47160ad7	1	taken out	2026-11-28 10:10:52.428415+00	\N
01a221a2-e57f-7b8e-a529-c2fc0ca50134	1	decoder	2026-11-28 10:10:53.439504+00	\N
01a221a2-f1a6-74e1-8367-ac36bdc4e264	1	bfs	2026-11-28 10:10:56.550902+00	\N
01a221a3-049a-77fe-b80e-0c659925cfae	1	report-2	2026-11-28 10:11:01.402948+00	\N
\.
SELECT pg_catalog.setval('public.account_id_seq', 1, true);
SELECT pg_catalog.setval('public.audit_id_seq', 6, true);
SELECT pg_catalog.setval('public.event_in_transaction', 87, true);
SELECT pg_catalog.setval('public.invitation_id_seq', 1, true);
SELECT pg_catalog.setval('public.session_id_seq', 1, true);
SELECT pg_catalog.setval('public.share_id_seq', 1, true);
SELECT pg_catalog.setval('public.team_id_seq', 2, true);
SELECT pg_catalog.setval('public.token_id_seq', 2, true);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_login_key UNIQUE (login);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.activity_minute
    ADD CONSTRAINT activity_minute_pkey PRIMARY KEY (minute, run_id, worker, island);
ALTER TABLE ONLY public.activity_rolled
    ADD CONSTRAINT activity_rolled_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY public.attempt_archive
    ADD CONSTRAINT attempt_archive_pkey PRIMARY KEY (job_id, number);
ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (job_id, number);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.blob_owner
    ADD CONSTRAINT blob_owner_pkey PRIMARY KEY (sha256, team_id);
ALTER TABLE ONLY public.blob_pending
    ADD CONSTRAINT blob_pending_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.blob
    ADD CONSTRAINT blob_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.cache_check
    ADD CONSTRAINT cache_check_run_id_design_launch_looks_back_key UNIQUE (run_id, design, launch, looks_back);
ALTER TABLE ONLY public.cache_error
    ADD CONSTRAINT cache_error_pkey PRIMARY KEY (run_id, design);
ALTER TABLE ONLY public.cache_wish
    ADD CONSTRAINT cache_wish_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY public.comparison
    ADD CONSTRAINT comparison_pkey PRIMARY KEY (run_id, design);
ALTER TABLE ONLY public.design_owner
    ADD CONSTRAINT design_owner_pkey PRIMARY KEY (team_id, sha256);
ALTER TABLE ONLY public.design
    ADD CONSTRAINT design_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.discarded_use
    ADD CONSTRAINT discarded_use_pkey PRIMARY KEY (result_id, job_id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.farm
    ADD CONSTRAINT farm_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY public.farm_secret
    ADD CONSTRAINT farm_secret_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.idempotent_request
    ADD CONSTRAINT idempotent_request_pkey PRIMARY KEY (team_id, key);
ALTER TABLE ONLY public.import
    ADD CONSTRAINT import_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_sha256_key UNIQUE (sha256);
ALTER TABLE ONLY public.job_archive
    ADD CONSTRAINT job_archive_pkey PRIMARY KEY (run_id, seq);
ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_run_id_seq_key UNIQUE (run_id, seq);
ALTER TABLE ONLY public.kernel
    ADD CONSTRAINT kernel_pkey PRIMARY KEY (profile_id, index);
ALTER TABLE ONLY public.launcher
    ADD CONSTRAINT launcher_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.leader
    ADD CONSTRAINT leader_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.look
    ADD CONSTRAINT look_pkey PRIMARY KEY (run_id, number);
ALTER TABLE ONLY public.look_promise
    ADD CONSTRAINT look_promise_pkey PRIMARY KEY (run_id, number, ordinal);
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (team_id, account_id);
ALTER TABLE ONLY public.cache_check
    ADD CONSTRAINT new_check_pkey PRIMARY KEY (task_id);
ALTER TABLE ONLY public.recheck
    ADD CONSTRAINT new_recheck_pkey PRIMARY KEY (task_id);
ALTER TABLE ONLY public.recording
    ADD CONSTRAINT new_recording_pkey PRIMARY KEY (task_id);
ALTER TABLE ONLY public.pilot
    ADD CONSTRAINT pilot_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.plan_context
    ADD CONSTRAINT plan_context_pkey PRIMARY KEY (plan_id, number);
ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.profile_chunk
    ADD CONSTRAINT profile_chunk_pkey PRIMARY KEY (profile_id, chunk);
ALTER TABLE ONLY public.profile_feature
    ADD CONSTRAINT profile_feature_pkey PRIMARY KEY (profile_id, piece);
ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile_import_id_key UNIQUE (import_id);
ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.projection
    ADD CONSTRAINT projection_pkey PRIMARY KEY (run_id, design);
ALTER TABLE ONLY public.projection_point
    ADD CONSTRAINT projection_point_pkey PRIMARY KEY (run_id, design, done);
ALTER TABLE ONLY public.result_discard
    ADD CONSTRAINT result_discard_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.result_dispute
    ADD CONSTRAINT result_dispute_pkey PRIMARY KEY (result_id, digest);
ALTER TABLE ONLY public.result
    ADD CONSTRAINT result_key_key UNIQUE (key);
ALTER TABLE ONLY public.result
    ADD CONSTRAINT result_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.run_answer
    ADD CONSTRAINT run_answer_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY public.run_design
    ADD CONSTRAINT run_design_pkey PRIMARY KEY (run_id, number);
ALTER TABLE ONLY public.run_design
    ADD CONSTRAINT run_design_run_id_name_key UNIQUE (run_id, name);
ALTER TABLE ONLY public.run_passed_over
    ADD CONSTRAINT run_passed_over_pkey PRIMARY KEY (run_id, invocation);
ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.run_rule
    ADD CONSTRAINT run_rule_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT sample_pkey PRIMARY KEY (plan_id, number);
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT sample_plan_id_context_number_launch_order_key UNIQUE (plan_id, context_number, launch_order);
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT sample_plan_id_invocation_key UNIQUE (plan_id, invocation);
ALTER TABLE ONLY public.schema_patch
    ADD CONSTRAINT schema_patch_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_sha256_key UNIQUE (sha256);
ALTER TABLE ONLY public.share_document
    ADD CONSTRAINT share_document_pkey PRIMARY KEY (share_id, address);
ALTER TABLE ONLY public.share
    ADD CONSTRAINT share_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.share
    ADD CONSTRAINT share_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.share
    ADD CONSTRAINT share_sha256_key UNIQUE (sha256);
ALTER TABLE ONLY public.stratum
    ADD CONSTRAINT stratum_pkey PRIMARY KEY (plan_id, number);
ALTER TABLE ONLY public.sweep
    ADD CONSTRAINT sweep_pkey PRIMARY KEY (profile_id, question);
ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_result_id_kind_key UNIQUE (result_id, kind);
ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.team_storage
    ADD CONSTRAINT team_storage_pkey PRIMARY KEY (team_id);
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_sha256_key UNIQUE (sha256);
ALTER TABLE ONLY public.trace_binding
    ADD CONSTRAINT trace_binding_pkey PRIMARY KEY (profile_id, invocation);
ALTER TABLE ONLY public.trace
    ADD CONSTRAINT trace_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.upload_gone
    ADD CONSTRAINT upload_gone_pkey PRIMARY KEY (upload_id);
ALTER TABLE ONLY public.upload_piece
    ADD CONSTRAINT upload_piece_pkey PRIMARY KEY (upload_id, piece);
ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.worker_session
    ADD CONSTRAINT worker_session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workload
    ADD CONSTRAINT workload_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workload
    ADD CONSTRAINT workload_team_id_name_key UNIQUE (team_id, name);
CREATE INDEX attempt_archive_by_worker ON public.attempt_archive USING btree (worker, job_id);
CREATE INDEX attempt_archive_ended ON public.attempt_archive USING btree (ended_at);
CREATE INDEX attempt_by_worker ON public.attempt USING btree (worker, job_id);
CREATE INDEX attempt_ended ON public.attempt USING btree (ended_at);
CREATE INDEX audit_by_team ON public.audit USING btree (team_id, id);
CREATE INDEX blob_by_touch ON public.blob USING btree (touched_at);
CREATE INDEX cache_wish_open ON public.cache_wish USING btree (run_id) WHERE (chosen_at IS NULL);
CREATE INDEX design_by_name ON public.design USING btree (name, seen_at);
CREATE INDEX discarded_use_by_run ON public.discarded_use USING btree (run_id);
CREATE INDEX event_by_topic ON public.event USING btree (topic, id) WHERE (severity IS NOT NULL);
CREATE INDEX idempotent_request_by_age ON public.idempotent_request USING btree (created_at);
CREATE INDEX idempotent_request_running ON public.idempotent_request USING btree (holder) WHERE (running_until IS NOT NULL);
CREATE INDEX import_by_upload ON public.import USING btree (upload_id);
CREATE INDEX import_unfinished ON public.import USING btree (holder) WHERE (state = ANY (ARRAY['queued'::text, 'reading'::text]));
CREATE INDEX job_archive_by_result ON public.job_archive USING btree (result_id) WHERE (result_id IS NOT NULL);
CREATE INDEX job_archive_by_state ON public.job_archive USING btree (run_id, state, seq);
CREATE UNIQUE INDEX job_archive_id ON public.job_archive USING btree (id);
CREATE INDEX job_by_result ON public.job USING btree (result_id) WHERE (result_id IS NOT NULL);
CREATE INDEX job_by_session ON public.job USING btree (session_id) WHERE (state = 'leased'::public.job_state);
CREATE INDEX job_by_state ON public.job USING btree (run_id, state, seq) WHERE (state = ANY (ARRAY['blocked'::public.job_state, 'done'::public.job_state, 'failed'::public.job_state, 'cancelled'::public.job_state]));
CREATE INDEX job_claimable ON public.job USING btree (run_id, seq) WHERE ((state = 'ready'::public.job_state) AND (waits_on IS NULL));
CREATE INDEX job_failed_key ON public.job USING btree (key) WHERE (state = 'failed'::public.job_state);
CREATE UNIQUE INDEX job_one_live_a_key ON public.job USING btree (key) WHERE ((state = ANY (ARRAY['ready'::public.job_state, 'leased'::public.job_state])) AND (waits_on IS NULL));
CREATE INDEX job_tally_of_run ON public.job_tally USING btree (run_id);
CREATE INDEX job_waiting ON public.job USING btree (waits_on) WHERE (waits_on IS NOT NULL);
CREATE INDEX job_waiting_of_run ON public.job USING btree (run_id, seq) WHERE (waits_on IS NOT NULL);
CREATE INDEX kernel_by_total ON public.kernel USING btree (profile_id, total DESC, index);
CREATE INDEX look_by_next_plan ON public.look USING btree (next_plan_id) WHERE (next_plan_id IS NOT NULL);
CREATE INDEX look_by_plan ON public.look USING btree (plan_id);
CREATE INDEX member_by_account ON public.member USING btree (account_id);
CREATE INDEX pilot_by_cycles ON public.pilot USING btree (cycles_id) WHERE (cycles_id IS NOT NULL);
CREATE INDEX pilot_by_pilot_plan ON public.pilot USING btree (pilot_plan_id) WHERE (pilot_plan_id IS NOT NULL);
CREATE INDEX pilot_by_plan ON public.pilot USING btree (plan_id) WHERE (plan_id IS NOT NULL);
CREATE INDEX pilot_by_profile ON public.pilot USING btree (profile_id, id);
CREATE INDEX pilot_by_run ON public.pilot USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX pilot_open ON public.pilot USING btree (id) WHERE (finished_at IS NULL);
CREATE INDEX plan_by_parent ON public.plan USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX plan_by_profile ON public.plan USING btree (profile_id, id);
CREATE INDEX profile_by_blob ON public.profile USING btree (blob_sha256);
CREATE INDEX profile_by_traces ON public.profile USING btree (traces_sha256) WHERE (traces_sha256 IS NOT NULL);
CREATE INDEX profile_by_workload ON public.profile USING btree (workload_id, created_at DESC);
CREATE INDEX recheck_differs ON public.recheck USING btree (task_id) WHERE ((NOT agrees) AND (NOT acted));
CREATE INDEX result_by_discard ON public.result USING btree (discard_id) WHERE (discard_id IS NOT NULL);
CREATE INDEX result_quarantined ON public.result USING btree (id) WHERE quarantined;
CREATE INDEX run_answer_by_plan ON public.run_answer USING btree (plan_id);
CREATE INDEX run_by_plan ON public.run USING btree (plan_id, id);
CREATE INDEX run_cancelling ON public.run USING btree (id) WHERE (cancel_from IS NOT NULL);
CREATE INDEX run_open ON public.run USING btree (id) WHERE (state = ANY (ARRAY['running'::public.run_state, 'paused'::public.run_state]));
CREATE INDEX run_to_archive ON public.run USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND (archived_at IS NULL));
CREATE INDEX run_to_drop ON public.run USING btree (finished_at) WHERE ((archived_at IS NOT NULL) AND (dropped_at IS NULL));
CREATE INDEX run_to_project ON public.run USING btree (id) WHERE (projected_version < version);
CREATE INDEX run_unmade ON public.run USING btree (id) WHERE (unmade > 0);
CREATE INDEX session_by_account ON public.session USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX session_by_token ON public.session USING btree (token_id);
CREATE INDEX share_by_team ON public.share USING btree (team_id, id);
CREATE INDEX task_by_run ON public.task USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX task_done ON public.task USING btree (trace_sha256) WHERE ((state = 'done'::public.task_state) AND (kind = 'cache_check'::public.task_kind));
CREATE INDEX task_open ON public.task USING btree (kind, made_at, id) WHERE (state = ANY (ARRAY['ready'::public.task_state, 'leased'::public.task_state]));
CREATE INDEX token_by_account ON public.token USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX trace_binding_by_trace ON public.trace_binding USING btree (trace_sha256);
CREATE INDEX trace_by_program ON public.trace USING btree (program_sha256);
CREATE INDEX upload_by_hash ON public.upload USING btree (sha256);
CREATE INDEX worker_session_alive ON public.worker_session USING btree (id) WHERE (state = 'alive'::public.session_state);
CREATE INDEX workload_newest ON public.workload USING btree (team_id, created_at DESC, id DESC);
CREATE TRIGGER attempt_archive_follows_job AFTER DELETE ON public.job_archive REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.attempt_archive_follow_job();
CREATE TRIGGER attempt_follows_job AFTER DELETE ON public.job REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.attempt_follow_job();
CREATE TRIGGER audit_keep BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION public.audit_keep();
CREATE TRIGGER audit_keep_all BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.audit_keep();
CREATE TRIGGER blob_owner_counted AFTER INSERT OR DELETE ON public.blob_owner FOR EACH ROW EXECUTE FUNCTION public.blob_owner_count();
CREATE TRIGGER job_follows_run AFTER DELETE ON public.run REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.job_follow_run();
CREATE TRIGGER job_moves AFTER UPDATE OF state ON public.job FOR EACH ROW WHEN (((old.state <> new.state) AND (NOT public.job_may_become(old.state, new.state)))) EXECUTE FUNCTION public.state_move_refused();
CREATE TRIGGER job_tally_gone AFTER DELETE ON public.job REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.job_tally_take();
CREATE TRIGGER job_tally_gone AFTER DELETE ON public.job_archive REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.job_tally_take();
CREATE TRIGGER job_tally_made AFTER INSERT ON public.job REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION public.job_tally_add();
CREATE TRIGGER job_tally_made AFTER INSERT ON public.job_archive REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION public.job_tally_add();
CREATE TRIGGER job_tally_moved AFTER UPDATE ON public.job REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION public.job_tally_move();
CREATE TRIGGER run_moves AFTER UPDATE OF state ON public.run FOR EACH ROW WHEN (((old.state <> new.state) AND (NOT public.run_may_become(old.state, new.state)))) EXECUTE FUNCTION public.state_move_refused();
CREATE TRIGGER task_moves AFTER UPDATE OF state ON public.task FOR EACH ROW WHEN (((old.state <> new.state) AND (NOT public.task_may_become(old.state, new.state)))) EXECUTE FUNCTION public.state_move_refused();
CREATE TRIGGER team_has_storage AFTER INSERT ON public.team FOR EACH ROW EXECUTE FUNCTION public.team_storage_make();
CREATE TRIGGER upload_counted AFTER INSERT OR DELETE OR UPDATE OF state, reserved_bytes ON public.upload FOR EACH ROW EXECUTE FUNCTION public.upload_count();
CREATE TRIGGER upload_goes AFTER DELETE ON public.upload FOR EACH ROW WHEN ((old.reserved_bytes > 0)) EXECUTE FUNCTION public.upload_pieces_go();
CREATE TRIGGER upload_settles AFTER UPDATE OF reserved_bytes ON public.upload FOR EACH ROW WHEN (((old.reserved_bytes > 0) AND (new.reserved_bytes = 0))) EXECUTE FUNCTION public.upload_pieces_go();
ALTER TABLE ONLY public.blob_owner
    ADD CONSTRAINT blob_owner_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.blob(sha256) ON DELETE CASCADE;
ALTER TABLE ONLY public.blob_owner
    ADD CONSTRAINT blob_owner_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.cache_error
    ADD CONSTRAINT cache_error_run_id_design_fkey FOREIGN KEY (run_id, design) REFERENCES public.run_design(run_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.cache_wish
    ADD CONSTRAINT cache_wish_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.comparison
    ADD CONSTRAINT comparison_run_id_design_fkey FOREIGN KEY (run_id, design) REFERENCES public.run_design(run_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.design_owner
    ADD CONSTRAINT design_owner_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.design(sha256) ON DELETE CASCADE;
ALTER TABLE ONLY public.design_owner
    ADD CONSTRAINT design_owner_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.discarded_use
    ADD CONSTRAINT discarded_use_result_id_fkey FOREIGN KEY (result_id) REFERENCES public.result(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.discarded_use
    ADD CONSTRAINT discarded_use_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotent_request
    ADD CONSTRAINT idempotent_request_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.import
    ADD CONSTRAINT import_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.import
    ADD CONSTRAINT import_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.job_archive
    ADD CONSTRAINT job_archive_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.kernel
    ADD CONSTRAINT kernel_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.profile(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.look
    ADD CONSTRAINT look_next_plan_id_fkey FOREIGN KEY (next_plan_id) REFERENCES public.plan(id);
ALTER TABLE ONLY public.look
    ADD CONSTRAINT look_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plan(id);
ALTER TABLE ONLY public.look_promise
    ADD CONSTRAINT look_promise_run_id_number_fkey FOREIGN KEY (run_id, number) REFERENCES public.look(run_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.look
    ADD CONSTRAINT look_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.cache_check
    ADD CONSTRAINT new_check_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.task(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recheck
    ADD CONSTRAINT new_recheck_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.task(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recording
    ADD CONSTRAINT new_recording_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.task(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pilot
    ADD CONSTRAINT pilot_cycles_id_fkey FOREIGN KEY (cycles_id) REFERENCES public.profile(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.pilot
    ADD CONSTRAINT pilot_pilot_plan_id_fkey FOREIGN KEY (pilot_plan_id) REFERENCES public.plan(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.pilot
    ADD CONSTRAINT pilot_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plan(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.pilot
    ADD CONSTRAINT pilot_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.profile(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pilot
    ADD CONSTRAINT pilot_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.plan_context
    ADD CONSTRAINT plan_context_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plan(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.plan(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.profile(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile_blob_sha256_fkey FOREIGN KEY (blob_sha256) REFERENCES public.blob(sha256);
ALTER TABLE ONLY public.profile_chunk
    ADD CONSTRAINT profile_chunk_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.profile(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.profile_feature
    ADD CONSTRAINT profile_feature_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.profile(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile_import_id_fkey FOREIGN KEY (import_id) REFERENCES public.import(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile_traces_sha256_fkey FOREIGN KEY (traces_sha256) REFERENCES public.blob(sha256);
ALTER TABLE ONLY public.profile
    ADD CONSTRAINT profile_workload_id_fkey FOREIGN KEY (workload_id) REFERENCES public.workload(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.projection_point
    ADD CONSTRAINT projection_point_run_id_design_fkey FOREIGN KEY (run_id, design) REFERENCES public.run_design(run_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.projection
    ADD CONSTRAINT projection_run_id_design_fkey FOREIGN KEY (run_id, design) REFERENCES public.run_design(run_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.result
    ADD CONSTRAINT result_discard_id_fkey FOREIGN KEY (discard_id) REFERENCES public.result_discard(id);
ALTER TABLE ONLY public.result_dispute
    ADD CONSTRAINT result_dispute_result_id_fkey FOREIGN KEY (result_id) REFERENCES public.result(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_answer
    ADD CONSTRAINT run_answer_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plan(id);
ALTER TABLE ONLY public.run_answer
    ADD CONSTRAINT run_answer_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_design
    ADD CONSTRAINT run_design_design_sha256_fkey FOREIGN KEY (design_sha256) REFERENCES public.design(sha256);
ALTER TABLE ONLY public.run_design
    ADD CONSTRAINT run_design_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_passed_over
    ADD CONSTRAINT run_passed_over_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plan(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_rule
    ADD CONSTRAINT run_rule_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT sample_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plan(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.schema_patch
    ADD CONSTRAINT schema_patch_requires_fkey FOREIGN KEY (requires) REFERENCES public.schema_patch(name);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.token(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.share_document
    ADD CONSTRAINT share_document_share_id_fkey FOREIGN KEY (share_id) REFERENCES public.share(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.share
    ADD CONSTRAINT share_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.stratum
    ADD CONSTRAINT stratum_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.plan(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sweep
    ADD CONSTRAINT sweep_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.profile(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_result_id_fkey FOREIGN KEY (result_id) REFERENCES public.result(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.worker_session(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.team_storage
    ADD CONSTRAINT team_storage_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.trace_binding
    ADD CONSTRAINT trace_binding_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES public.profile(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.trace_binding
    ADD CONSTRAINT trace_binding_trace_sha256_fkey FOREIGN KEY (trace_sha256) REFERENCES public.trace(sha256);
ALTER TABLE ONLY public.trace
    ADD CONSTRAINT trace_program_sha256_fkey FOREIGN KEY (program_sha256) REFERENCES public.blob(sha256);
ALTER TABLE ONLY public.trace
    ADD CONSTRAINT trace_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.blob(sha256);
ALTER TABLE ONLY public.upload_piece
    ADD CONSTRAINT upload_piece_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES public.upload(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.workload
    ADD CONSTRAINT workload_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.team(id) ON DELETE CASCADE;
