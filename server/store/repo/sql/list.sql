-- shared fragment: list_number(x)
-- Sort key of a number that is not negative. Its big-endian bytes sort like the number.
encode(float8send(({{x}})::double precision), 'hex')

-- shared fragment: list_text(x)
-- Sort key of a text: its first letters, because the size of a cursor is limited.
left(lower({{x}}), 60)

-- shared fragment: list_by(column; key)
-- One column of `raw`: CASE $5::text {{list_by(name; {{list_text(w.name)}})}} ... END.
WHEN '{{column}}' THEN {{key}}

-- shared fragment: list_key_sql(raw; down)
-- raw: the sort key, NULL if the row has none; such rows are last in both directions. down: the
-- parameter that selects descending order.
(
    coalesce(
        CASE WHEN {{down}}::boolean THEN '1' ELSE '0' END || {{raw}},
        CASE WHEN {{down}}::boolean THEN '0' ELSE '1' END
    )
) COLLATE "C"

-- shared fragment: list_page(first; down; key_at; id_at; limit)
-- One page of table k. first: array of ids that come first on the first page. The other arguments
-- are parameters of the statement.
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
