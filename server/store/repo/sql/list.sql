-- shared fragment: list_number(x)
-- Key of a number that is not negative: its bytes, the highest first, order as it does.
encode(float8send(({{x}})::double precision), 'hex')

-- shared fragment: list_text(x)
-- Key of a text: the first letters, since a cursor holds no more.
left(lower({{x}}), 60)

-- shared fragment: list_by(column; key)
-- One column of a `raw`: "CASE $5::text" LIST_BY("name", LIST_TEXT("w.name")) ... " END".
WHEN '{{column}}' THEN {{key}}

-- shared fragment: list_key_sql(raw; down)
-- `raw`: NULL where a row has nothing to order by, which comes behind all else in either
-- direction; `down`: the parameter that says largest first.
(
    coalesce(
        CASE WHEN {{down}}::boolean THEN '1' ELSE '0' END || {{raw}},
        CASE WHEN {{down}}::boolean THEN '0' ELSE '1' END
    )
) COLLATE "C"

-- shared fragment: list_page(first; down; key_at; id_at; limit)
-- `first`: array of ids that come before all others, on the first page; the others name parameters.
page AS (
    SELECT k.id, k.key, row_number() OVER (
        ORDER BY k.id = ANY ({{first}}) DESC, CASE WHEN {{down}}::boolean THEN k.key END DESC,
        CASE WHEN NOT {{down}}::boolean THEN k.key END,
        CASE WHEN {{down}}::boolean THEN k.id END DESC, k.id
    ) AS place
    FROM k
    WHERE {{key_at}}::text = ''
      OR (
          k.id <> ALL ({{first}})
            AND CASE
                WHEN {{down}}::boolean THEN (k.key, k.id) <
                ({{key_at}}::text, nullif({{id_at}}::text, '')::uuid)
                ELSE (k.key, k.id) > ({{key_at}}::text, nullif({{id_at}}::text, '')::uuid)
            END
      )
    ORDER BY place
    LIMIT {{limit}}::bigint
)
