/* vivace push FILE --profile PROFILE: sends features, or a .vtrace with launches, for a profile on the farm. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/client/farm.h"
#include "simcore/trace/vtrace.h"

static void print_features(const char *name, const char *profile, const json_t *v)
{
    const json_t *method = json_array_get(farm_member(v, "methods"), 0);

    printf("%s: %s\n", name, farm_text(v, "sentence"));
    if (method)
        printf("next  vivace plan create %s --method %s\n", profile, json_string_value(method));
}

static void print_traces(const char *name, const char *profile, const json_t *v)
{
    uint64_t launches = farm_count(v, "launches"), of = farm_count(v, "of"), before = farm_count(v, "before");

    printf("%s: traces of %" PRIu64 " of %" PRIu64 " launches; ", name, launches, of);
    if (json_is_true(farm_member(v, "stays")))
        printf("the profile's file has them already, and stays as it is, with %" PRIu64 ".\n", before);
    else if (before > 0)
        printf("it takes the place of the file of %" PRIu64 " that was there, and has all of these.\n", before);
    else
        printf("what plans draw is cut out of them.\n");
    printf("next  vivace plan create %s\n", profile);
}

static bool holds_traces(int fd)
{
    char head[16];
    ssize_t n = pread(fd, head, sizeof head, 0);

    return n > 0 && vtrace_recognise_head(head, (size_t)n);
}

/* Prints a note where launches have no warm images: they are simulated with empty caches. A damaged file is ignored
 * here: the farm refuses it. */
static void note_images(const char *path)
{
    struct vtrace *v;
    size_t lacking = 0;
    struct err ignored;

    if (vtrace_open(path, &v, &ignored) < 0)
        return;
    for (size_t i = 0; i < vtrace_launch_count(v); i++)
        lacking += !vtrace_launch_at(v, i)->has_image;
    if (lacking)
        fprintf(stderr,
                "vivace: %zu of %zu launches do not say what they find in the caches, and will be simulated with "
                "empty ones\n"
                "        `vivace trace convert %s OUT.vtrace` adds that where all launches before them are there\n",
                lacking, vtrace_launch_count(v), path);
    vtrace_close(v);
}

int push_to_profile(struct api *api, const char *path, const char *profile, const struct cli_output *o,
                    struct err *e)
{
    struct strbuf address = STRBUF_INIT;
    struct stat st = {.st_size = 0};
    json_t *v = NULL;
    const char *name;
    int fd = push_open(path, &st, &name, e), ret;
    bool traces;

    if (fd < 0)
        return -1;
    traces = holds_traces(fd);
    if (traces)
        note_images(path);
    ret = farm_path_add(&address, "/profiles/", profile, e);
    strbuf_adds(&address, traces ? "/traces?name=" : "/features?name=");
    api_escape(&address, name);
    if (ret == 0)
        ret = address.failed ? err_no_memory(e) : api_post_file(api, address.text, fd, (uint64_t)st.st_size, &v, e);
    close(fd);
    strbuf_release(&address);
    cli_progress_end();
    if (ret == 0 && o->json)
        return cli_print_json(v, e);
    if (ret == 0)
        (traces ? print_traces : print_features)(name, profile, v);
    json_decref(v);
    return ret;
}
