/* wire/json_writer.h: JSON written as a stream of tokens. No tree is kept, so a document of any length needs a
 * buffer only; text that is in a page cannot end a script element (<, > and & are escaped). */
#ifndef VIVACE_WIRE_JSON_WRITER_H
#define VIVACE_WIRE_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Where finished text goes; 0, or -1 with *e filled. */
typedef int (*jw_sink)(void *ctx, const char *text, size_t n, struct err *e);

struct jw {
    struct strbuf text; /* what has not gone to the sink yet; everything where there is none */
    jw_sink sink;       /* NULL: keep all in `text` */
    void *sink_ctx;
    struct err *e;
    bool failed; /* sticky: further calls do nothing */
    bool indent; /* line breaks and two blanks a level, for files that people read */
    unsigned depth;
    uint64_t used;    /* bit per level: something is there already */
    uint64_t inlined; /* bit per level: written on one line */
    bool after_key;
};

void jw_init(struct jw *w, jw_sink sink, void *sink_ctx, struct err *e);
/* Flushes. 0, or -1 with the error. With no sink the text is in w->text; jw_release() frees it. */
int jw_finish(struct jw *w);
void jw_release(struct jw *w);

void jw_object(struct jw *w);
void jw_array(struct jw *w);
void jw_array_inline(struct jw *w); /* its entries stay on one line */
void jw_object_inline(struct jw *w);
void jw_end(struct jw *w, char bracket); /* '}' or ']' */
void jw_key(struct jw *w, const char *name);
void jw_text(struct jw *w, const char *s); /* NULL: null. Escapes what JSON wants, and <, > and & for HTML */
void jw_u64(struct jw *w, uint64_t x);     /* as text past 2^53, which JavaScript could not hold */
void jw_i64(struct jw *w, int64_t x);
void jw_double(struct jw *w, double x); /* shortest text that reads back equal; NaN and infinities: null */
void jw_bool(struct jw *w, bool x);
void jw_null(struct jw *w);
void jw_dim3(struct jw *w, const uint32_t d[3]); /* null where d[0] is 0: not known */

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

/* Writes a file that appears whole or not at all; `write` writes the document to the sink. "-": standard output.
 * `what` names it in messages: "plan file". */
typedef int (*jw_document)(const void *document, jw_sink sink, void *sink_ctx, struct err *e);
int jw_write_path(const char *path, const char *what, jw_document write, const void *document, struct err *e);

#endif
