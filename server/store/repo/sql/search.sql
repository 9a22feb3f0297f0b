-- fragment: has(what)
-- Compares letters, not a pattern: % has no special meaning.
strpos(lower({{what}}), lower($2::text)) > 0

-- fragment: item(kind; id; name; detail; kernel)
ROW('{{kind}}', {{id}}, {{name}}, {{detail}}, {{kernel}})

-- fragment: first(order; item; rows)
(
    SELECT {{order}} AS kind, row_number() OVER () AS place, item
    FROM (SELECT {{item}} AS item FROM {{rows}} LIMIT $3::bigint) x
)

-- fragment: found(order; item; from; condition)
{{first({{order}}; {{item}}; {{from}} WHERE w.team_id = $1::bigint AND {{condition}})}}

-- fragment: of_profile
profile f JOIN workload w ON w.id = f.workload_id

-- fragment: shape
w.name || ', grid ' || array_to_string(k.grid, 'x')

-- fragment: workloads
{{found(
    1;
    {{item(workload; w.id; w.name; ''; NULL)}};
    workload w;
    {{has(w.name)}} ORDER BY w.created_at DESC, w.id DESC
)}}

-- fragment: kernels
{{found(
    2;
    {{item(kernel; k.profile_id; k.name; {{shape}}; k.index)}};
    {{of_profile}} JOIN kernel k ON k.profile_id = f.id;
    f.ready
      AND {{has(k.name)}}
    ORDER BY k.total DESC, k.profile_id, k.index
)}}

-- fragment: plans
{{found(
    3;
    {{item(plan; p.id; w.name; p.method; NULL)}};
    plan p JOIN {{of_profile}} ON f.id = p.profile_id;
    ({{has(w.name)}} OR {{has(p.method)}} OR {{has(p.id::text)}})
    ORDER BY p.id DESC
)}}

-- fragment: runs
{{found(
    4;
    {{item(run; r.id; w.name; d.designs || ', ' || r.state; NULL)}};
    run r
    JOIN plan p ON p.id = r.plan_id
    JOIN {{of_profile}} ON f.id = p.profile_id
    CROSS JOIN LATERAL (
        SELECT string_agg(name, ', ' ORDER BY number) AS designs
        FROM run_design
        WHERE run_id = r.id
    ) d;
    ({{has(w.name)}} OR {{has(d.designs)}} OR {{has(r.id::text)}})
    ORDER BY r.id DESC
)}}

-- fragment: gpu_names
array_to_string(d.gpu_names, ', ')

-- fragment: size
concat_ws(', ', d.sms || CASE d.sms WHEN 1 THEN ' SM' ELSE ' SMs' END, nullif({{gpu_names}}, ''))

-- fragment: designs
{{first(
    5;
    {{item(design; d.sha256; d.name; {{size}}; NULL)}};
    {{design_named}}
    WHERE {{has(d.name)}}
      OR {{has({{gpu_names}})}}
    ORDER BY d.builtin DESC, d.name
)}}

-- name: search
SELECT item
FROM (
    {{workloads}}
    UNION ALL {{kernels}}
    UNION ALL {{plans}}
    UNION ALL {{runs}}
    UNION ALL {{designs}}
) found
ORDER BY kind, place;
