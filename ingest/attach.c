#include "ingest/attach.h"

#include <string.h>

#include "sampling/profile/attach.h"

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

int ingest_features(const char *path, const struct ingest_options *options, struct profile *p, const char *p_name,
                    struct err *e)
{
    struct ingest_options o = options ? *options : (struct ingest_options){0};
    struct import_report report;
    struct profile from;
    int ret;

    o.features = o.without_values = true;
    profile_init(&from);
    import_report_init(&report);
    ret = ingest_file(path, &o, &from, &report, e);
    if (ret == 0)
        ret = attach_features(p, p_name, &from, o.display_name ? o.display_name : path, e);
    profile_release(&from);
    import_report_release(&report);
    return ret;
}

int ingest_response(const char *path, const struct ingest_options *options, struct profile *p, struct err *e)
{
    struct import_report report;
    struct profile other;
    int ret;

    profile_init(&other);
    import_report_init(&report);
    ret = ingest_file(path, options, &other, &report, e);
    if (ret == 0)
        ret = attach_response(p, &other, last_part(options && options->display_name ? options->display_name : path),
                              e);
    profile_release(&other);
    import_report_release(&report);
    return ret;
}
