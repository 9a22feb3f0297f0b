/* server/api/http/cursor.h: where a list goes on: opaque text that only we can make.
 *
 * It holds the sort values of the last row shown, signed, so that nobody can ask a statement for something that the
 * list did not show; its first byte is a version. */
#ifndef VIVACE_SERVER_CURSOR_H
#define VIVACE_SERVER_CURSOR_H

#include "base/err.h"
#include "server/api/app.h"

#define CURSOR_PARTS 3
#define CURSOR_TEXT  512
struct cursor {
    char text[CURSOR_PARTS][128];
};

/* `list` names the list ("workloads"): a cursor of one is refused by another. out: CURSOR_TEXT bytes. */
int cursor_write(const struct app *app, const char *list, const struct cursor *c, char *out, struct err *e);
/* ERR_INVALID when it was not made by cursor_write() for this list. */
int cursor_read(const struct app *app, const char *list, const char *text, struct cursor *out, struct err *e);

#endif
