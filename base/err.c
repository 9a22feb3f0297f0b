#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
    const char *name, *title;
    int status, exit_code, sim_exit_code;
} kinds[ERR_CODE_COUNT] = {[ERR_NONE] = {"none", "no error", 500, EXIT_DONE, EXIT_DONE},
#define X(id, name_, status_, exit_, sim_exit_, title_) [ERR_##id] = {name_, title_, status_, exit_, sim_exit_},
                           ERR_MAP(X)
#undef X
};

int err_set(struct err *e, enum err_code code, const char *format, ...)
{
    va_list ap;

    e->code = code;
    e->hint[0] = '\0';
    va_start(ap, format);
    vsnprintf(e->text, sizeof e->text, format, ap);
    va_end(ap);
    utf8_mend(e->text); /* a cut character at the end, a cut name, or invalid input bytes */
    return -1;
}

/* Advice for the reader of the error. "" where there is none to give, or where the text contains no file name. */
static const char *what_now(int errnum, const char *text)
{
    bool file = strpbrk(text, "/.") != NULL;

    switch (file || errnum == EMFILE ? errnum : 0) {
    case EACCES:
    case EPERM: return "The owner or mode of the file or of a folder above it denies access: `ls -ld` shows them.";
    case EROFS: return "The file system is mounted read-only: choose another folder.";
    case ENOSPC: return "Free space on that disk, or choose a folder on another disk.";
    case EDQUOT: return "This user's quota on that disk is used up.";
    case EMFILE: return "This process reached its limit of open files: `ulimit -n` raises it.";
    case EISDIR: return "The path is a folder: give the path of a file.";
    default: return "";
    }
}

int err_set_errno(struct err *e, int errnum, const char *format, ...)
{
    size_t n;
    va_list ap;

    switch (errnum) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: e->code = ERR_NO_SPACE; break;
    case ENOENT:
    case ENOTDIR: e->code = ERR_NOT_FOUND; break;
    case ENOMEM: e->code = ERR_NO_MEMORY; break;
    default: e->code = ERR_IO; break;
    }
    va_start(ap, format);
    vsnprintf(e->text, sizeof e->text, format, ap);
    va_end(ap);
    snprintf(e->hint, sizeof e->hint, "%s", what_now(errnum, e->text));
    n = strlen(e->text);
    snprintf(e->text + n, sizeof e->text - n, ": %s", strerror(errnum));
    utf8_mend(e->text);
    return -1;
}

int err_wrap(struct err *e, const char *format, ...)
{
    char context[sizeof e->text], old[sizeof e->text];
    size_t n;
    va_list ap;

    va_start(ap, format);
    vsnprintf(context, sizeof context, format, ap);
    va_end(ap);
    memcpy(old, e->text, sizeof old);
    n = strlen(context);
    memcpy(e->text, context, n + 1);
    n += (size_t)snprintf(e->text + n, sizeof e->text - n, ": ");
    if (n < sizeof e->text) /* where it is too long, the end of the old text is cut */
        memcpy(e->text + n, old, sizeof e->text - n);
    e->text[sizeof e->text - 1] = '\0';
    utf8_mend(e->text);
    return -1;
}

int err_hint(struct err *e, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(e->hint, sizeof e->hint, format, ap);
    va_end(ap);
    utf8_mend(e->hint);
    return -1;
}

int err_no_memory(struct err *e)
{
    return err_set(e, ERR_NO_MEMORY, "out of memory");
}

static enum err_code known(enum err_code code)
{
    return (unsigned)code < ERR_CODE_COUNT ? code : ERR_INTERNAL;
}

int err_http_status(enum err_code code)
{
    return kinds[known(code)].status;
}

int err_exit_code(enum err_code code)
{
    return kinds[known(code)].exit_code;
}

int err_sim_exit_code(enum err_code code)
{
    return kinds[known(code)].sim_exit_code;
}

const char *err_title(enum err_code code)
{
    return kinds[known(code)].title;
}

const char *err_name(enum err_code code)
{
    return kinds[known(code)].name;
}
