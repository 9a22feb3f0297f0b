-- name: compare_about
SELECT w.id, w.name
FROM run r
JOIN plan p ON p.id = r.plan_id
JOIN profile f ON f.id = p.profile_id
JOIN workload w ON w.id = f.workload_id
WHERE r.id = $1::uuid;

-- name: compare_designs
SELECT coalesce(d.design_sha256, ''), coalesce(g.json, '')
FROM run_design d
LEFT JOIN design g ON g.sha256 = d.design_sha256
WHERE d.run_id = $1::uuid
ORDER BY d.number;
