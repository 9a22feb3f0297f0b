#include "tests/harness/datasets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ingest/ingest.h"

#define CASIO "durations/casio-six-kernels-rtx2080.csv"

const struct dataset datasets[] = {
    {"casio", CASIO, 0},
    {"casio-1", CASIO, 1},
    {"casio-2", CASIO, 2},
    {"casio-3", CASIO, 3},
    {"casio-4", CASIO, 4},
    {"casio-5", CASIO, 5},
    {"casio-6", CASIO, 6},
    {"h100x2", "nsys/h100x2-2026.2.sqlite", -1},
    {"rtx3080", "nsys/rtx3080-2026.1.sqlite", -1},
    {"saxpy", "nsys/saxpy-a100-2022.2.sqlite", -1},
    {"resnet50", "kineto/resnet50-v100.json.gz", -1},
    {"train", "kineto/train-v100-ns.json.gz", -1},
    {"alexnet", "kineto/alexnet-a100.json.gz", -1},
    {"pytorch-sgd", "traces/pytorch-sgd-v100.tar.zst", -1},
    {"bfs", "traces/rodinia-bfs-sm80.tar.zst", -1},
    {NULL, NULL, 0},
};

const struct dataset *dataset_find(const char *name)
{
    for (const struct dataset *d = datasets; d->name; d++)
        if (strcmp(d->name, name) == 0)
            return d;
    return NULL;
}

/* Adds the launches of one line of the CSV: one for each kernel whose column has a value. The first line has the
 * kernels' names. */
static int add_cells(struct profile_builder *b, char *line, char **names, int only, uint64_t *correlation,
                     struct err *e)
{
    struct profile_row row = {.grid = {1, 1, 1}, .block = {128, 1, 1}};
    char *cell;

    line[strcspn(line, "\r\n")] = 0;
    for (int c = 0; c < 16 && (cell = strsep(&line, ",")); c++) {
        if (!names[c]) {
            names[c] = strdup(cell);
            continue;
        }
        if (!*cell || (only && only != c + 1))
            continue;
        row.name = names[c];
        row.value = strtoull(cell, NULL, 10);
        row.correlation = ++*correlation;
        if (profile_builder_add(b, &row, e) < 0)
            return -1;
    }
    return 0;
}

static int load_columns(const char *path, int only, struct profile *out, struct err *e)
{
    struct profile_builder *b = profile_builder_new(PROFILE_NS, 0, e);
    char line[4096], *names[16] = {NULL};
    FILE *f = fopen(path, "r");
    uint64_t correlation = 0;
    int ret = b && f ? 0 : -1;

    for (int number = 0; ret == 0 && fgets(line, sizeof line, f); number++) /* 3 bytes: the byte-order mark */
        ret = add_cells(b, line + (number ? 0 : 3), names, only, &correlation, e);
    if (ret == 0)
        ret = profile_builder_finish(b, out, e);
    if (f)
        fclose(f);
    for (int c = 0; c < 16; c++)
        free(names[c]);
    profile_builder_free(b);
    return ret;
}

int dataset_load(const struct dataset *d, struct profile *out, struct err *e)
{
    struct import_report report;
    char path[512];
    int ret;

    profile_init(out);
    snprintf(path, sizeof path, "../shared/data/%s", d->path);
    if (access(path, R_OK) != 0)
        return 0;
    if (d->column >= 0)
        return load_columns(path, d->column, out, e) < 0 ? -1 : 1;
    import_report_init(&report);
    ret = ingest_file(path, NULL, out, &report, e);
    import_report_release(&report);
    return ret < 0 ? -1 : 1;
}

int datasets_bench(int argc, char **argv, unsigned repeats, dataset_bench_fn run)
{
    const char *only = argc > 2 && strcmp(argv[2], "all") != 0 ? argv[2] : NULL;
    struct err e;

    if (argc > 1)
        repeats = (unsigned)strtoul(argv[1], NULL, 10);
    if (only && !dataset_find(only)) {
        fprintf(stderr, "%s: there is no profile `%s`; tests/harness/datasets.c lists them\n", argv[0], only);
        return 64;
    }
    for (const struct dataset *d = datasets; d->name; d++) {
        if (only && strcmp(only, d->name) != 0)
            continue;
        if (run(d, repeats, &e) < 0) {
            fprintf(stderr, "%s: %s: %s\n", argv[0], d->name, e.text);
            return 1;
        }
    }
    return 0;
}
