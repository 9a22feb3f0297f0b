/* server/store/repo/repo_design_sql.h: the GPU designs that a team knows: SQL for statements whose $1 is the team.
 */
#ifndef VIVACE_SERVER_DB_REPO_DESIGN_SQL_H
#define VIVACE_SERVER_DB_REPO_DESIGN_SQL_H

/* The built-in designs and the team's own. A name means the built-in design that a server carried last; where there
 * is none, what the team sent last. */
#define DESIGN_SEEN                                                                                                \
    "(SELECT g.*, CASE WHEN g.builtin THEN g.seen_at ELSE o.seen_at END AS latest_at FROM design g"                \
    "   LEFT JOIN design_owner o ON o.sha256 = g.sha256 AND o.team_id = $1::bigint"                                \
    "  WHERE g.builtin OR o.team_id IS NOT NULL) d"
#define DESIGN_LATEST "builtin DESC, latest_at DESC"
/* What each name means. */
#define DESIGN_NAMED "(SELECT DISTINCT ON (name) * FROM " DESIGN_SEEN " ORDER BY name, " DESIGN_LATEST ") d"

#endif
