/* wire/json_writer.h: writes JSON as a stream of tokens. No tree is built, so a document of any length needs only
 * a buffer. The characters <, > and & are escaped, so text inside an HTML page cannot end a script element. */
#ifndef VIVACE_WIRE_JSON_WRITER_H
#define VIVACE_WIRE_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Receives the finished text. 0; -1 with *e filled. */
typedef int (*jw_sink)(void *ctx, const char *text, size_t n, struct err *e);

struct jw {
    struct strbuf text; /* text that was not passed to the sink yet; without a sink all text */
    jw_sink sink;       /* NULL: all text stays in `text` */
    void *sink_ctx;
    struct err *e;
    bool failed; /* sticky: further calls do nothing */
    bool indent; /* line breaks and two spaces per level, for readable files */
    unsigned depth;
    uint64_t used;    /* one bit per level: the level has an entry already */
    uint64_t inlined; /* one bit per level: the entries of the level are on one line */
    bool after_key;
};

void jw_init(struct jw *w, jw_sink sink, void *sink_ctx, struct err *e);
/* Passes the rest to the sink. 0, or -1 with the error. Without a sink the text is in w->text. jw_release() frees
 * it. */
int jw_finish(struct jw *w);
void jw_release(struct jw *w);

void jw_object(struct jw *w);
void jw_array(struct jw *w);
void jw_array_inline(struct jw *w); /* its entries stay on one line */
void jw_object_inline(struct jw *w);
void jw_end(struct jw *w, char bracket); /* '}' or ']' */
void jw_key(struct jw *w, const char *name);
void jw_text(struct jw *w, const char *s); /* NULL: null. Escapes as JSON requires, and also <, > and & for HTML */
void jw_u64(struct jw *w, uint64_t x);     /* as a string above 2^53, the limit of JavaScript */
void jw_i64(struct jw *w, int64_t x);
void jw_double(struct jw *w, double x); /* shortest text that reads back as x; NaN and infinities: null */
void jw_bool(struct jw *w, bool x);
void jw_null(struct jw *w);
void jw_dim3(struct jw *w, const uint32_t d[3]); /* null if d[0] is 0: unknown */

/* key and value in one */
void jw_key_text(struct jw *w, const char *name, const char *s);
void jw_key_u64(struct jw *w, const char *name, uint64_t x);
void jw_key_i64(struct jw *w, const char *name, int64_t x);
void jw_key_double(struct jw *w, const char *name, double x);
void jw_key_bool(struct jw *w, const char *name, bool x);
void jw_key_null(struct jw *w, const char *name);
void jw_key_dim3(struct jw *w, const char *name, const uint32_t d[3]);

/* A sink that writes to a FILE *. */
int jw_to_file(void *file, const char *text, size_t n, struct err *e);

/* Writes a file atomically: it is complete, or it is not there. `write` writes the document to the sink. "-":
 * standard output. `what` is the file's name in messages: "plan file". */
typedef int (*jw_document)(const void *document, jw_sink sink, void *sink_ctx, struct err *e);
int jw_write_path(const char *path, const char *what, jw_document write, const void *document, struct err *e);

#endif
