/* vivace push FEATURES --profile PROFILE: features for a profile that is on the farm. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/farm.h"

static void print_answer(const char *name, const char *profile, const json_t *v)
{
    const json_t *method = json_array_get(farm_member(v, "methods"), 0);

    printf("%s: %s\n", name, farm_text(v, "sentence"));
    if (method)
        printf("next  vivace plans create %s --method %s\n", profile, json_string_value(method));
}

int push_features(struct api *api, const char *path, const char *profile, const struct cli_output *o, struct err *e)
{
    struct strbuf address = STRBUF_INIT;
    struct stat st = {.st_size = 0};
    json_t *v = NULL;
    const char *name;
    int fd = push_open(path, &st, &name, e), ret;

    if (fd < 0)
        return -1;
    strbuf_adds(&address, "/profiles/");
    api_escape(&address, profile);
    strbuf_adds(&address, "/features?name=");
    api_escape(&address, name);
    ret = address.failed ? err_no_memory(e) : api_post_file(api, address.text, fd, (uint64_t)st.st_size, &v, e);
    close(fd);
    strbuf_release(&address);
    cli_progress_end();
    if (ret == 0 && o->json)
        return cli_print_json(v, e);
    if (ret == 0)
        print_answer(name, profile, v);
    json_decref(v);
    return ret;
}
