-- name: leader_hold
-- Takes or renews the leadership. No row if another server has it.
INSERT INTO leader AS l (name, holder, term, expires_at)
VALUES ($1, $2, 1, $4::timestamptz)
ON CONFLICT (name) DO UPDATE SET holder = $2, expires_at = $4::timestamptz,
    term = l.term + CASE WHEN l.holder = $2 THEN 0 ELSE 1 END
WHERE l.holder = $2
  OR l.expires_at < $3::timestamptz;

-- name: leader_leave
UPDATE leader
SET expires_at = $3::timestamptz
WHERE name = $1
  AND holder = $2;
