/* The server and the token of `vivace login`, in a file with mode 0600. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/whole_file.h"
#include "cli/client/api_client.h"
#include "wire/json.h"

static int folder(char out[PATH_MAX], struct err *e)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n;

    if (config && *config == '/')
        n = snprintf(out, PATH_MAX, "%s/vivace", config);
    else if (home && *home)
        n = snprintf(out, PATH_MAX, "%s/.config/vivace", home);
    else
        return err_set(e, ERR_USAGE, "there is no home folder, so the token cannot be stored");
    return n > 0 && n < PATH_MAX - 32 ? 0 : err_set(e, ERR_USAGE, "the path of the home folder is too long");
}

static int make_folder(char *path, struct err *e)
{
    for (char *c = path + 1;; c++) {
        char was = *c;

        if (was && was != '/')
            continue;
        *c = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return err_set_errno(e, errno, "folder %s", path);
        *c = was;
        if (!was)
            return 0;
    }
}

static int write_file(const char *path, const struct strbuf *text, struct err *e)
{
    char part[PATH_MAX + 8];
    int fd, ret = 0;

    snprintf(part, sizeof part, "%s.part", path);
    unlink(part);
    fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set_errno(e, errno, "%s", part);
    if (fd_write_all(fd, text->text, text->length) < 0 || fsync(fd) != 0)
        ret = err_set_errno(e, errno, "%s", part);
    close(fd);
    if (ret == 0 && rename(part, path) != 0)
        ret = err_set_errno(e, errno, "%s", path);
    return ret;
}

int credentials_save(const char *url, const char *token, struct err *e)
{
    struct json_obj o = json_obj_begin();
    struct strbuf text = STRBUF_INIT;
    char path[PATH_MAX] = "";
    json_t *v;
    int ret = -1;

    json_put_str(&o, "server", url);
    json_put_str(&o, "token", token);
    v = json_obj_end(&o);
    if (v)
        json_write_text(v, true, &text);
    json_decref(v);
    if (!v || text.failed)
        err_no_memory(e);
    else if (folder(path, e) == 0 && make_folder(path, e) == 0) {
        strcat(path, "/credentials");
        ret = write_file(path, &text, e);
    }
    strbuf_release(&text);
    return ret;
}

static int read_credentials(const char *path, char **url, char **token, struct err *e)
{
    json_t *v = json_read_path(path, 65536, e);
    const char *u = NULL, *t = NULL;
    int ret = -1;

    if (!v)
        return -1;
    if (json_need_object(v, path, e) == 0 && json_need_str(v, "server", &u, e) == 0 &&
        json_need_str(v, "token", &t, e) == 0) {
        *url = mem_strdup(u, e);
        *token = mem_strdup(t, e);
        ret = *url && *token ? 0 : -1;
    } else {
        err_wrap(e, "%s", path);
    }
    json_decref(v);
    return ret;
}

int credentials_load(char **url, char **token, struct err *e)
{
    char path[PATH_MAX];
    struct stat st;

    *url = *token = NULL;
    if (folder(path, e) < 0)
        return -1;
    strcat(path, "/credentials");
    if (stat(path, &st) != 0) {
        err_set(e, ERR_UNAUTHORIZED, "you are not logged in to a farm");
        return err_hint(e, "vivace login URL --token-file FILE   (or set VIVACE_SERVER and VIVACE_TOKEN_FILE)");
    }
    if (st.st_mode & 077) {
        err_set(e, ERR_FORBIDDEN, "%s can be read by others, so its token is not used", path);
        return err_hint(e, "chmod 600 %s. Make a new token if another user may have read it.", path);
    }
    if (read_credentials(path, url, token, e) < 0) {
        free(*url);
        free(*token);
        *url = *token = NULL;
        return -1;
    }
    return 0;
}
