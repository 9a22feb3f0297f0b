-- name: watch_snapshot
-- The oldest transaction or snapshot of another session, which keeps dead rows from being removed.
SELECT extract(epoch FROM clock_timestamp() - coalesce(xact_start, query_start))::float8, pid,
    coalesce(application_name, ''), coalesce(usename, ''), coalesce(state, '')
FROM pg_stat_activity
WHERE datname = current_database()
  AND pid <> pg_backend_pid()
  AND backend_type = 'client backend'
  AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
  AND xact_start IS NOT NULL
ORDER BY 1 DESC
LIMIT 1;

-- name: watch_facts
SELECT clock_timestamp(), (
    SELECT coalesce(extract(epoch FROM $1::timestamptz - min(r.created_at)), 0)::float8
    FROM run r
    WHERE r.state = 'running'
      AND (
          SELECT j.seq
          FROM job j
          WHERE j.run_id = r.id
            AND j.state = 'ready'
            AND j.waits_on IS NULL
            AND j.ready_at <= $1::timestamptz
          ORDER BY j.seq
          LIMIT 1
      ) IS NOT NULL
), (SELECT count(*) FROM worker_session WHERE state = 'alive'), (SELECT count(*) FROM run_stranded),
    (SELECT count(*) FROM result WHERE quarantined), k.waiting, k.agree, k.differ, k.failed,
    (SELECT coalesce(sum(stored_bytes), 0)::bigint FROM team_storage),
    current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on',
    current_setting('autovacuum') = 'on', e.n, e.s
FROM (
    SELECT count(*) AS n, extract(epoch FROM min(expires_at) - $1::timestamptz)::float8 AS s
    FROM token
    WHERE scopes & $2::integer <> 0
      AND expires_at BETWEEN $1::timestamptz - interval '14 days' AND $1::timestamptz + interval
          '14 days'
      AND last_used_at > $1::timestamptz - interval '14 days'
) e, (
    SELECT count(*) FILTER (WHERE state IN ('ready', 'leased')) AS waiting,
        count(*) FILTER (WHERE agrees) AS agree, count(*) FILTER (WHERE NOT agrees) AS differ,
        count(*) FILTER (WHERE state = 'failed') AS failed
    FROM task t
    JOIN recheck c ON c.task_id = t.id
) k;

-- name: watch_tables
SELECT relname, n_dead_tup
FROM pg_stat_user_tables
WHERE relname IN ('job', 'attempt', 'worker_session', 'event')
ORDER BY relname;

-- name: watch_clock
-- The database's clock. Unlike now(), it advances inside a transaction.
SELECT clock_timestamp();
