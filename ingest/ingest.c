/* Entry points: recognize the format of a file and call its importer. */
#include "ingest/ingest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/stream.h"
#include "base/text.h"
#include "ingest/import.h"
#include "simcore/trace/bundle.h"

/* Large enough for the lines before a CSV's header and for the properties before a JSON's events. */
#define HEAD_BYTES (1u << 20)

static const struct importer {
    const char *format;
    enum profile_unit unit;
    bool has_times;
    int (*read)(struct import *im, struct err *e);
    const char *no_launches;
} importers[] = {
    {"nsys-sqlite", PROFILE_NS, true, nsys_sqlite_import, "no GPU kernels in this report"},
    {"nsys-csv", PROFILE_NS, true, nsys_csv_import, "no GPU kernels in this report"},
    {"nvprof-csv", PROFILE_NS, true, nsys_csv_import, "no GPU kernels in this trace"},
    {"ncu-csv", PROFILE_NS, false, ncu_csv_import, "no kernel launches in this table"},
    {"rocprof-csv", PROFILE_NS, true, rocprof_csv_import, "no kernels in this trace"},
    {"rocprof-json", PROFILE_NS, true, rocprof_json_import, "no kernel dispatches in these results"},
    {"kineto", PROFILE_NS, true, kineto_import, "no GPU kernels in this trace"},
    {"jax-trace", PROFILE_NS, true, kineto_import, "no GPU kernels in this trace"},
    {"jax-xplane", PROFILE_NS, true, xplane_import, "no GPU kernels in this profile"},
    {"instructions-csv", PROFILE_WARP_INSTRUCTIONS, false, counts_csv_import, "no launches in this table"},
    {"vivace-features", PROFILE_WARP_INSTRUCTIONS, false, features_file_import, "no kernel launches in it"},
    {"vivace-cycles", PROFILE_CYCLES, false, features_file_import, "no kernel launches in it"},
    {"accel-sim", PROFILE_WARP_INSTRUCTIONS, false, accel_sim_import, "no kernel traces in it"},
};

/* --- recognition --- */

/* Other files that users pass by mistake, by their first bytes. */
static const struct {
    const char *magic;
    size_t length;
    const char *what;
} strangers[] = {
    {"\x7f"
     "ELF",
     4, "a program (ELF)"},
    {"%PDF", 4, "a PDF document"},
    {"\x89PNG", 4, "a picture (PNG)"},
    {"PAR1", 4, "a Parquet file; export the report with --type sqlite instead"},
    {"ARROW1", 6, "an Arrow file; export the report with --type sqlite instead"},
    {"\x89HDF", 4, "an HDF5 file; export the report with --type sqlite instead"},
    {"<!DOCTYPE", 9, "an HTML page, perhaps a log-in page instead of the file"},
    {"<html", 5, "an HTML page, perhaps a log-in page instead of the file"},
    {"<?xml", 5, "an XML document"},
    {"version https://git-lfs", 23, "a Git LFS pointer; fetch the file itself with git lfs pull"},
};

static int read_head(const struct import *im, struct import_head *head, struct err *e)
{
    struct stream *s;
    int ret = -1;

    head->length = 0;
    head->bytes = mem_zalloc(HEAD_BYTES + 1, 1, e);
    head->name = im->name;
    if (!head->bytes || import_open(im, &s, e) < 0)
        return -1;
    while (head->length < HEAD_BYTES) {
        ssize_t n = stream_read(s, head->bytes + head->length, HEAD_BYTES - head->length, e);

        if (n < 0 && head->length == 0)
            goto out; /* the importer reports damage later in the file with more detail */
        if (n <= 0)
            break;
        head->length += (size_t)n;
    }
    strncpy(head->compression, stream_compression(s), sizeof head->compression - 1);
    ASSERT(head->length <= HEAD_BYTES && head->bytes[head->length] == '\0');
    ret = 0;
out:
    stream_close(s);
    return ret;
}

static bool contains(const struct import_head *head, const char *text)
{
    return memmem(head->bytes, head->length, text, strlen(text)) != NULL;
}

static int recognise_sqlite(const struct import_head *head, const char **format, struct err *e)
{
    *format = "nsys-sqlite";
    if (strcmp(head->compression, "none") == 0)
        return 1;
    err_set(e, ERR_UNSUPPORTED, "%s: a SQLite file inside %s; unpack it first, because a database is read in place",
            head->name, head->compression);
    err_hint(e, "Decompress it first.");
    return 0;
}

/* Files of Vivace that are not profiles. */
static const struct {
    const char *format, *what, *what_now;
} own_files[] = {{"\"vivace-launch-list\"", "a launch list",
                  "`vivace ptx run LIST --profile p.csv` makes its profile. Plan from that, or push it to a farm."},
                 {"\"vivace-plan\"", "a plan",
                  "`vivace simulate TRACES --plan FILE` simulates its launches. On a farm, plans are made from "
                  "profiles on the farm."},
                 {"\"vivace-design\"", "a GPU design",
                  "`vivace design check FILE` checks it, and `vivace design add FILE` adds it to a farm."}};

static int recognise_json(const struct import_head *head, const char **format, struct err *e)
{
    bool events = contains(head, "\"traceEvents\"") || contains(head, "\"deviceProperties\"") ||
                  (contains(head, "\"ph\"") && contains(head, "\"ts\""));
    bool jax = contains(head, "\"/device:GPU:");

    *format = contains(head, "\"vivace-features\"")        ? "vivace-features"
              : contains(head, "\"vivace-cycles\"")        ? "vivace-cycles"
              : contains(head, "\"rocprofiler-sdk-tool\"") ? "rocprof-json"
              : events && jax                              ? "jax-trace"
              : events                                     ? "kineto"
                                                           : "json";
    if (strcmp(*format, "json") != 0)
        return 1;
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++) {
        if (!contains(head, own_files[i].format))
            continue;
        err_set(e, ERR_UNSUPPORTED, "%s: this is %s, not a profile", head->name, own_files[i].what);
        err_hint(e, "%s", own_files[i].what_now);
        return 0;
    }
    err_set(e, ERR_UNSUPPORTED,
            "%s: JSON, but neither a trace of PyTorch's or JAX's profiler (it has no traceEvents) nor results of "
            "rocprofv3",
            head->name);
    err_hint(e, "Write the trace with prof.export_chrome_trace(\"trace.json\").");
    return 0;
}

static int refuse_unknown(const struct import_head *head, struct err *e)
{
    size_t mark = head->length >= 3 && memcmp(head->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, text = mark;

    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        if (head->length >= strangers[i].length &&
            memcmp(head->bytes, strangers[i].magic, strangers[i].length) == 0)
            return err_set(e, ERR_UNSUPPORTED, "%s: this is %s", head->name, strangers[i].what);
    }
    if (head->length > 262 && memcmp(head->bytes + 257, "ustar", 5) == 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: a tar archive without kernel traces in it", head->name);
    if (nsys_report_is_name(head->name))
        return nsys_report_refuse(head->name, e);
    while (text < head->length && text < 60 && head->bytes[text] >= ' ' && head->bytes[text] < 0x7f)
        text++;
    if (head->length == 0)
        err_set(e, ERR_INVALID, "%s: the file is empty", head->name);
    else if (text > mark + 3)
        err_set(e, ERR_UNSUPPORTED, "%s: unknown file format; it begins with \"%.*s\"", head->name,
                (int)(text - mark), head->bytes + mark);
    else
        err_set(e, ERR_UNSUPPORTED, "%s: unknown file format; it begins with the bytes %02x %02x %02x %02x",
                head->name, (unsigned char)head->bytes[0], (unsigned char)head->bytes[1],
                (unsigned char)head->bytes[2], (unsigned char)head->bytes[3]);
    return err_hint(e, "Known formats: SQLite from nsys export; CSV from nsys stats, nvprof, ncu, rocprof or of "
                       "instruction counts; "
                       "JSON of PyTorch's profiler or `vivace trace features`; Accel-Sim trace folders or tars.");
}

/* Recognizes every format except trace bundles. */
static int recognise_head(const struct import_head *head, const char **format, struct err *e)
{
    const char *first = head->bytes;
    int known;

    if (head->length >= 16 && memcmp(head->bytes, "SQLite format 3", 16) == 0)
        return recognise_sqlite(head, format, e);
    if (nsys_report_recognise(head, format, e) < 0)
        return -1;
    if (*format)
        return 0;
    if (xplane_recognise(head)) {
        *format = "jax-xplane";
        return 1;
    }
    if (str_starts(first, "\xef\xbb\xbf"))
        first += 3;
    first += strspn(first, " \t\r\n");
    if (*first == '{' || *first == '[')
        return recognise_json(head, format, e);
    known = ncu_csv_recognise(head, format, e);
    if (known || *format)
        return known;
    known = nsys_csv_recognise(head, format, e);
    if (known || *format)
        return known;
    known = rocprof_csv_recognise(head, format, e);
    if (known || *format)
        return known;
    known = counts_csv_recognise(head, format, e);
    if (known || *format)
        return known;
    *format = "unknown";
    refuse_unknown(head, e);
    return 0;
}

static int recognise_file(const struct import *im, const char **format, struct err *e)
{
    struct import_head head;
    int ret;

    memset(&head, 0, sizeof head);
    ret = read_head(im, &head, e);
    if (ret == 0)
        ret = recognise_head(&head, format, e);
    free(head.bytes);
    return ret;
}

static int recognise(const struct import *im, const char **format, struct err *e)
{
    struct err damage;
    struct stat st;
    bool folder;
    int traces, known;

    *format = "unknown";
    if (stat(im->path, &st) < 0)
        return err_set_errno(e, errno, "cannot read %s", im->name);
    folder = S_ISDIR(st.st_mode);
    if (!folder && !S_ISREG(st.st_mode))
        return err_set(e, ERR_INVALID, "%s: neither a file nor a folder", im->name);
    traces = bundle_recognise(im->path, e);
    if (traces > 0)
        *format = "accel-sim";
    if (traces > 0 || (folder && traces < 0))
        return traces;
    if (folder) {
        *format = "folder";
        err_set(e, ERR_UNSUPPORTED, "%s: a folder without a kernelslist and without kernel traces", im->name);
        return 0;
    }
    damage = *e;
    known = recognise_file(im, format, e);
    if (known == 0 && traces < 0) { /* the file is damaged; report that instead of an unknown format */
        *e = damage;
        return -1;
    }
    return known;
}

int ingest_recognise(const char *path, const char **format, struct err *e)
{
    struct import im = {.path = path, .name = path};

    return recognise(&im, format, e);
}

/* --- import --- */

static const struct importer *importer_of(const char *format)
{
    for (size_t i = 0; i < sizeof importers / sizeof *importers; i++) {
        if (strcmp(importers[i].format, format) == 0)
            return &importers[i];
    }
    return NULL;
}

/* Errors from other modules contain the path. Replaces the path by the name that the caller chose. */
static void use_display_name(const struct import *im, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    const char *at = strstr(e->text, im->path);

    if (im->name == im->path || !at)
        return;
    strbuf_add(&b, e->text, (size_t)(at - e->text));
    strbuf_adds(&b, im->name);
    strbuf_adds(&b, at + strlen(im->path));
    snprintf(e->text, sizeof e->text, "%s", b.text);
    strbuf_release(&b);
}

/* Reads the file again from its beginning and repairs the JSON. */
static int read_again(struct import *im, const struct importer *importer, const char *format, struct err *e)
{
    const struct import fresh = {
        .options = im->options, .path = im->path, .name = im->name, .report = im->report, .repair = true};

    import_release(im);
    import_report_release(im->report);
    import_report_init(im->report);
    *im = fresh;
    if (import_begin(im, format, importer->unit, importer->has_times, e) < 0)
        return -1;
    return importer->read(im, e);
}

static int import_all(struct import *im, struct profile *out, struct err *e)
{
    const struct importer *importer;
    const char *format;
    int ret;

    if (recognise(im, &format, e) <= 0)
        return -1;
    importer = importer_of(format);
    ASSERT(importer); /* every recognized format has an importer */
    ret = import_begin(im, format, importer->unit, importer->has_times, e);
    if (ret == 0)
        ret = importer->read(im, e);
    if (ret < 0 && im->broken_json)
        ret = read_again(im, importer, format, e);
    if (ret == 0)
        ret = import_finish(im, importer->no_launches, out, e);
    ASSERT(ret < 0 || (out->count > 0 && out->count == im->report->accepted));
    import_release(im);
    return ret;
}

int ingest_file(const char *path, const struct ingest_options *options, struct profile *out,
                struct import_report *report, struct err *e)
{
    struct import im = {.path = path, .name = path, .report = report};
    int ret;

    if (options)
        im.options = *options;
    if (im.options.display_name)
        im.name = im.options.display_name;
    ret = import_all(&im, out, e);
    if (ret < 0)
        use_display_name(&im, e);
    return ret;
}
