#include "simcore/trace/bundle_list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"

#define LIST_LINE_MAX 4096
/* of one bundle, and lines of one list; bounds memory, because a small file can unpack to any size */
#define KERNELS_MAX (1u << 22)
#define LISTS_MAX   1024 /* one per context or GPU; bounded because each list is compared with each other list */
#define PATH_BYTES  4600 /* a folder's name, which archive.h limits, and an entry's name */

/* --- names --- */

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

#define MACSIM_LIST   "kernel_config.txt"
#define MACSIM_KERNEL "trace.txt" /* in a folder "Kernel<n>", n from 0 */

enum trace_format bundle_format(const char *name)
{
    return strcmp(last_part(name), MACSIM_KERNEL) == 0 ? TRACE_MACSIM : TRACE_ACCEL_SIM;
}

enum bundle_name bundle_classify(const char *name)
{
    const char *base = last_part(name);

    if (strcmp(base, MACSIM_LIST) == 0)
        return BUNDLE_LIST;
    if (str_ends(base, ".vtrace"))
        return BUNDLE_VTRACE;
    if (bundle_format(name) == TRACE_MACSIM)
        return BUNDLE_KERNEL;
    if (str_starts(base, "kernelslist")) /* multi-gpu.g only states that a deeper folder has kernel lists */
        return strcmp(base, "kernelslist.multi-gpu.g") == 0 ? BUNDLE_OTHER : BUNDLE_LIST;
    return str_starts(base, "kernel") && strstr(base, ".trace") ? BUNDLE_KERNEL : BUNDLE_OTHER;
}

static uint64_t leading_number(const char *s)
{
    uint64_t n = 0;

    for (; isdigit((unsigned char)*s) && n < UINT64_MAX / 10; s++)
        n = n * 10 + (uint64_t)(*s - '0');
    return n;
}

/* "x/Kernel12/trace.txt" gives 13: MacSim's tracer counts from 0. */
static uint64_t macsim_kernel_id(const char *name)
{
    const char *end = last_part(name), *folder = end > name ? end - 1 : name;

    while (folder > name && folder[-1] != '/')
        folder--;
    return str_starts(folder, "Kernel") && isdigit((unsigned char)folder[6]) ? leading_number(folder + 6) + 1 : 0;
}

uint64_t bundle_kernel_id(const char *name)
{
    const char *base = last_part(name);

    if (bundle_format(name) == TRACE_MACSIM)
        return macsim_kernel_id(name);
    return str_starts(base, "kernel") ? leading_number(base + strcspn(base, "0123456789.")) : 0;
}

/* Compares text, but numbers by value: GPU_2 comes before GPU_10. */
int catalog_compare_names(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            size_t n, m;

            a += strspn(a, "0");
            b += strspn(b, "0");
            n = strspn(a, "0123456789");
            m = strspn(b, "0123456789");
            if (n != m)
                return n < m ? -1 : 1;
            if (strncmp(a, b, n) != 0)
                return strncmp(a, b, n);
            a += n;
            b += n;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : 0;
}

/* --- collecting --- */

static int add_file(struct catalog_file **files, size_t *count, size_t *capacity, const char *name,
                    const char *path, struct err *e)
{
    void *p = *files;
    struct catalog_file f;

    if (*count >= KERNELS_MAX)
        return err_set(e, ERR_TOO_LARGE, "more than %u kernel files, the last is %.200s", KERNELS_MAX, name);
    if (array_reserve(&p, capacity, *count + 1, sizeof **files, e) < 0)
        return -1;
    *files = p;
    f = (struct catalog_file){mem_strdup(name, e), mem_strdup(path, e)};
    (*files)[(*count)++] = f; /* released with the array, also if one member is NULL */
    return f.name && f.path ? 0 : -1;
}

int catalog_add_file(struct catalog *c, const char *name, const char *path, struct err *e)
{
    return add_file(&c->files, &c->file_count, &c->file_capacity, name, path, e);
}

int catalog_add_vtrace(struct catalog *c, const char *name, const char *path, struct err *e)
{
    return add_file(&c->vtraces, &c->vtrace_count, &c->vtrace_capacity, name, path, e);
}

static int add_entry(struct catalog_list *l, const char *line, struct err *e)
{
    size_t n = strcspn(line, " \t\r,");
    void *p = l->entries;

    if (line[0] == '/' || strstr(line, ".."))
        return err_set(e, ERR_INVALID, "%s names \"%.200s\", which is not in the same folder", l->name, line);
    if (l->count >= KERNELS_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s names more than %u kernels", l->name, KERNELS_MAX);
    if (array_reserve(&p, &l->capacity, l->count + 1, sizeof *l->entries, e) < 0)
        return -1;
    l->entries = p;
    l->entries[l->count] = mem_strndup(line, n, e);
    if (!l->entries[l->count])
        return -1;
    l->count++;
    return 0;
}

static int add_copy(struct catalog_list *l, const char *line, struct err *e)
{
    struct trace_copy copy;

    if (!str_starts(line, "Mem"))
        return 0;
    l->memory_copies += str_starts(line, "Memcpy");
    if (!trace_copy_parse(line, &copy))
        return 0;
    copy.before = l->count;
    return trace_copies_add(&l->copies, &copy, e);
}

int catalog_add_list(struct catalog *c, const char *name, struct stream *s, struct err *e)
{
    struct catalog_list *l;
    void *p = c->lists;
    char *line;
    int got;

    if (c->list_count >= LISTS_MAX)
        return err_set(e, ERR_TOO_LARGE, "more than %d kernel lists, the last is %.200s", LISTS_MAX, name);
    if (array_reserve(&p, &c->list_capacity, c->list_count + 1, sizeof *c->lists, e) < 0)
        return -1;
    c->lists = p;
    l = &c->lists[c->list_count];
    *l = (struct catalog_list){.name = mem_strdup(name, e)};
    if (!l->name)
        return -1;
    c->list_count++;
    while ((got = stream_line(s, LIST_LINE_MAX, &line, NULL, NULL, e)) > 0) {
        if (add_copy(l, line, e) < 0)
            return -1;
        if (str_starts(line, "./")) /* MacSim's tracer writes this prefix */
            line += 2;
        if ((str_starts(line, "kernel") || bundle_format(line) == TRACE_MACSIM) && add_entry(l, line, e) < 0)
            return -1;
    }
    return got;
}

void catalog_release(struct catalog *c)
{
    for (size_t i = 0; i < c->file_count; i++) {
        free(c->files[i].name);
        free(c->files[i].path);
    }
    for (size_t i = 0; i < c->vtrace_count; i++) {
        free(c->vtraces[i].name);
        free(c->vtraces[i].path);
    }
    free(c->vtraces);
    for (size_t i = 0; i < c->list_count; i++) {
        for (size_t k = 0; k < c->lists[i].count; k++)
            free(c->lists[i].entries[k]);
        free(c->lists[i].entries);
        free(c->lists[i].copies.items);
        free(c->lists[i].name);
    }
    free(c->files);
    free(c->lists);
    *c = (struct catalog){0};
}

/* --- resolving the kernels --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct catalog_file *)a)->name, ((const struct catalog_file *)b)->name);
}

/* The name for messages. An unpacked file is named by the tar and the member. */
char *catalog_shown(const struct catalog_file *f, const char *what, bool unpacked, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *name;

    if (!unpacked)
        return mem_strdup(f->path, e);
    strbuf_addf(&b, "%s: %s", what, f->name);
    name = strbuf_detach(&b);
    if (!name)
        err_no_memory(e);
    return name;
}

static int add_kernel(struct bundle *out, size_t *capacity, const struct catalog_file *f, const char *what,
                      const char *label, uint64_t context, uint64_t before, uint64_t order, struct err *e)
{
    void *p = out->kernels;
    struct bundle_kernel *k;

    ASSERT(f->name && f->path);
    if (array_reserve(&p, capacity, out->count + 1, sizeof *out->kernels, e) < 0)
        return -1;
    out->kernels = p;
    k = &out->kernels[out->count++];
    *k = (struct bundle_kernel){mem_strdup(f->path, e),
                                catalog_shown(f, what, out->scratch != NULL, e),
                                mem_strdup(label, e),
                                context,
                                before,
                                order,
                                bundle_kernel_id(f->name),
                                bundle_format(f->name),
                                NULL,
                                0};
    return k->path && k->name && k->label ? 0 : -1;
}

static const struct catalog_file *find_named(const struct catalog *c, const char *name)
{
    struct catalog_file key = {.name = (char *)name};

    return bsearch(&key, c->files, c->file_count, sizeof *c->files, by_name);
}

/* A list can name kernel-1.traceg although the file is kernel-1.traceg.xz. A raw list can name kernel-1.trace
 * although only the grouped file was kept. */
static const struct catalog_file *find_entry(const struct catalog *c, const char *list, const char *entry)
{
    static const char *const endings[] = {"", ".xz", ".zst", ".gz"};
    char name[PATH_BYTES], *end;
    const struct catalog_file *f = NULL;
    int folder = (int)(last_part(list) - list);

    for (int grouped = 0; grouped < 2 && !f; grouped++) {
        if (snprintf(name, sizeof name - 16, "%.*s%s", folder, list, entry) >= (int)sizeof name - 16)
            return NULL;
        end = name + strlen(name);
        if (grouped) {
            for (size_t k = 1; k < sizeof endings / sizeof *endings; k++)
                if (str_ends(name, endings[k]))
                    end[-(long)strlen(endings[k])] = '\0';
            if (!str_ends(name, ".trace"))
                return NULL;
            strcat(name, "g");
            end = name + strlen(name);
        }
        ASSERT((size_t)(end - name) + sizeof ".zst" <= sizeof name);
        for (size_t k = 0; k < sizeof endings / sizeof *endings && !f; k++) {
            strcpy(end, endings[k]);
            f = find_named(c, name);
        }
    }
    return f;
}

/* --- by lists --- */

/* "x/kernelslist" is skipped if "x/kernelslist.g" lists the same kernels as grouped files. */
static bool is_superseded(const struct catalog *c, const struct catalog_list *l)
{
    size_t n = strlen(l->name);

    for (size_t i = 0; i < c->list_count; i++)
        if (strncmp(c->lists[i].name, l->name, n) == 0 && strcmp(c->lists[i].name + n, ".g") == 0 &&
            c->lists[i].count > 0)
            return true;
    return l->count == 0;
}

/* Lists of one folder are CUDA contexts. Their handles give no order, so they are sorted by their first launch. */
static int by_first_launch(const void *a, const void *b)
{
    const struct catalog_list *x = a, *y = b;
    size_t n = (size_t)(last_part(x->name) - x->name), m = (size_t)(last_part(y->name) - y->name);
    uint64_t i = x->count ? bundle_kernel_id(x->entries[0]) : 0, k = y->count ? bundle_kernel_id(y->entries[0]) : 0;

    if (n == m && strncmp(x->name, y->name, n) == 0 && i != k)
        return i < k ? -1 : 1;
    return catalog_compare_names(x->name, y->name);
}

static int missing(const struct catalog *c, const struct catalog_list *l, const char *what, struct err *e)
{
    size_t count = 0;
    const char *first = NULL;

    for (size_t i = 0; i < l->count; i++)
        if (!find_entry(c, l->name, l->entries[i])) {
            first = first ? first : l->entries[i];
            count++;
        }
    err_set(e, ERR_NOT_FOUND, "%s: %s names %zu kernel files that are missing; the first is %.200s", what,
            last_part(l->name), count, first);
    return err_hint(e, "Copy the missing files, or delete their lines from the list.");
}

/* For each entry of a list, the number of earlier entries whose file exists; then the total. The caller frees it;
 * NULL with *e filled. */
static size_t *count_present(const struct catalog *c, const struct catalog_list *l, struct err *e)
{
    size_t *before = mem_zalloc(l->count + 1, sizeof *before, e);

    for (size_t i = 0; before && i < l->count; i++)
        before[i + 1] = before[i] + (find_entry(c, l->name, l->entries[i]) != NULL);
    return before;
}

/* Adds the copies of a list whose kernels begin at `first`. `present`: result of count_present(). */
static int add_copies(struct bundle *out, const struct catalog_list *l, const size_t *present, uint64_t first,
                      uint64_t context, struct err *e)
{
    out->memory_copies += l->memory_copies;
    for (size_t i = 0; i < l->copies.count; i++) {
        struct trace_copy copy = l->copies.items[i];

        ASSERT(copy.before <= l->count);
        copy.before = first + present[copy.before];
        copy.context = context;
        if (trace_copies_add(&out->copies, &copy, e) < 0)
            return -1;
    }
    return 0;
}

static int add_list(const struct catalog *c, const struct catalog_list *l, const char *what, uint64_t context,
                    uint64_t before, size_t *capacity, struct bundle *out, struct err *e)
{
    size_t *present = count_present(c, l, e);
    int ret = present ? add_copies(out, l, present, out->count, context, e) : -1;

    if (ret == 0 && present[l->count] < l->count && !c->skip_missing)
        ret = missing(c, l, what, e);
    for (size_t k = 0; ret == 0 && k < l->count; k++)
        if (present[k + 1] > present[k])
            ret = add_kernel(out, capacity, find_entry(c, l->name, l->entries[k]), what, l->entries[k], context,
                             before, k, e);
    out->missing += ret == 0 ? l->count - present[l->count] : 0;
    free(present);
    return ret;
}

static int by_lists(struct catalog *c, const char *what, struct bundle *out, struct err *e)
{
    size_t capacity = 0;
    uint64_t context = 0, before = 0;

    ASSERT(out->count == 0);
    qsort(c->lists, c->list_count, sizeof *c->lists, by_first_launch);
    for (size_t i = 0; i < c->list_count; i++) {
        const struct catalog_list *l = &c->lists[i];

        if (is_superseded(c, l))
            continue;
        if (add_list(c, l, what, context++, before, &capacity, out, e) < 0)
            return -1;
        before += l->count;
    }
    return 0;
}

/* --- by numbers --- */

/* Compares the text before the number, and between the number and ".trace". It is equal for the kernels of one
 * context. */
static int compare_series(const char *a, const char *b)
{
    const char *x = last_part(a), *y = last_part(b);
    size_t nx, ny, mx, my;
    int order;

    if (x - a != y - b || strncmp(a, b, (size_t)(x - a)) != 0)
        return catalog_compare_names(a, b);
    nx = strcspn(x, "0123456789.");
    ny = strcspn(y, "0123456789.");
    order = nx == ny ? strncmp(x, y, nx) : nx < ny ? -1 : 1;
    if (order)
        return order;
    x += nx + strspn(x + nx, "0123456789");
    y += ny + strspn(y + ny, "0123456789");
    mx = (size_t)(strstr(x, ".trace") ? strstr(x, ".trace") - x : 0);
    my = (size_t)(strstr(y, ".trace") ? strstr(y, ".trace") - y : 0);
    return mx == my ? strncmp(x, y, mx) : mx < my ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
    const struct catalog_file *x = a, *y = b;
    uint64_t i = bundle_kernel_id(x->name), k = bundle_kernel_id(y->name);
    bool grouped = strstr(last_part(x->name), ".traceg") != NULL;
    int order = compare_series(x->name, y->name);

    if (order)
        return order;
    if (i != k)
        return i < k ? -1 : 1;
    if (grouped != (strstr(last_part(y->name), ".traceg") != NULL))
        return grouped ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_numbers(struct catalog *c, const char *what, struct bundle *out, struct err *e)
{
    size_t capacity = 0;
    uint64_t context = 0, order = 0;

    ASSERT(out->count == 0);
    if (c->file_count)
        qsort(c->files, c->file_count, sizeof *c->files, by_number);
    if (c->file_count > 1 && bundle_format(c->files[0].name) == TRACE_MACSIM)
        return err_set(e, ERR_NOT_FOUND, "%s holds several kernels of MacSim, but not their %s", what, MACSIM_LIST);
    for (size_t i = 0; i < c->file_count; i++) {
        const struct catalog_file *f = &c->files[i];
        bool same_series = i > 0 && compare_series(f[-1].name, f->name) == 0;
        uint64_t id = bundle_kernel_id(f->name);

        if (same_series && id != 0 && id == bundle_kernel_id(f[-1].name))
            continue; /* the raw file of a kernel that also has a grouped file */
        if (i > 0 && !same_series) {
            context++;
            order = 0;
        }
        if (add_kernel(out, &capacity, f, what, last_part(f->name), context, 0, order++, e) < 0)
            return -1;
    }
    ASSERT(out->count <= c->file_count);
    return 0;
}

int catalog_resolve(struct catalog *c, const char *what, struct bundle *out, struct err *e)
{
    bool listed = false;

    for (size_t i = 0; i < c->list_count; i++)
        listed |= c->lists[i].count > 0;
    if (c->vtrace_count > 0 && c->file_count == 0)
        return catalog_resolve_vtraces(c, what, out, e);
    if (c->file_count)
        qsort(c->files, c->file_count, sizeof *c->files, by_name);
    if ((listed ? by_lists(c, what, out, e) : by_numbers(c, what, out, e)) < 0)
        return -1;
    if (out->count == 0)
        return err_set(e, ERR_NOT_FOUND, "%s contains no kernel traces (kernel-N.traceg)", what);
    return 0;
}
