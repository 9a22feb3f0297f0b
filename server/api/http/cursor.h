/* server/api/http/cursor.h: the position at which the next page of a list begins, as an opaque text that only the
 * server can create.
 *
 * A cursor contains the sort values of the last row shown. It is signed, so that a client cannot pass other
 * values to the SQL statement. Its first byte is a version. */
#ifndef VIVACE_SERVER_CURSOR_H
#define VIVACE_SERVER_CURSOR_H

#include "base/err.h"
#include "server/api/app.h"

#define CURSOR_PARTS 3
#define CURSOR_TEXT  512
struct cursor {
    char text[CURSOR_PARTS][128];
};

/* `list` names the list ("workloads"). A cursor of one list is invalid for another. out: CURSOR_TEXT bytes. */
int cursor_write(const struct app *app, const char *list, const struct cursor *c, char *out, struct err *e);
/* ERR_INVALID when cursor_write() did not create it for this list. */
int cursor_read(const struct app *app, const char *list, const char *text, struct cursor *out, struct err *e);

#endif
