#include "server/domain/tasks/trace_pack.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/demangle.h"
#include "base/log.h"
#include "server/store/repo/repo_pack.h"
#include "server/store/repo/repo_plan.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/tasks/pack_places.h"
#include "server/domain/tasks/pack_reader.h"
#include "server/store/blob/blob_publish.h"
#include "server/store/blob/blob_store.h"

static bool same_shape(const struct pack_launch *a, const struct profile_kernel *b)
{
    return memcmp(a->grid, b->grid, sizeof b->grid) == 0 && memcmp(a->block, b->block, sizeof b->block) == 0;
}

static int compare(const struct pack_launch *l, const char *name, const struct profile *p, uint64_t order,
                   struct err *e)
{
    const struct profile_context *c = &p->contexts[l->context];
    const struct profile_kernel *k;

    if (order >= c->count)
        return err_set(e, ERR_INVALID, "context %" PRIu64 " has more launches than the profile's %" PRIu64,
                       l->context, (uint64_t)c->count);
    k = &p->kernels[p->kernel[c->first + order]];
    if (!kernel_names_match(name, k->name) && !(k->mangled_name && kernel_names_match(name, k->mangled_name)))
        return err_set(e, ERR_INVALID,
                       "launch %" PRIu64 " of context %" PRIu64 " is %.120s, and the profile has %.120s there",
                       order, l->context, name, k->name);
    if (!same_shape(l, k))
        return err_set(e, ERR_INVALID,
                       "launch %" PRIu64 " (%.120s) has grid %ux%ux%u and block %ux%ux%u, and the profile has grid "
                       "%ux%ux%u and block %ux%ux%u there",
                       order, name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                       k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2]);
    return 0;
}

static int compare_all(const struct pack_table *t, const struct profile *p, struct err *e)
{
    const struct pack_places where = pack_places_of(t, p->count);

    for (size_t i = 0; i < t->count; i++) {
        const struct pack_launch *l = &t->launches[i];

        if (l->context >= p->context_count)
            return err_set(e, ERR_INVALID, "it has launches of %" PRIu64 " contexts, and the profile of %zu",
                           l->context + 1, p->context_count);
        if (compare(l, pack_table_name(t, i), p, pack_number(&where, i), e) < 0)
            return -1;
    }
    return 0;
}

/* Decides between `file` and the profile's present file, `there`. */
static int choose(struct trace_pack *t, const struct pack_table *file, const struct pack_table *there,
                  struct err *e)
{
    const struct pack_places new = pack_places_of(file, t->of), old = pack_places_of(there, t->of);
    uint64_t lost = pack_lacks(&new, &old), brought = pack_lacks(&old, &new);

    t->before = there->count;
    t->stays = lost > 0 && brought == 0;
    if (lost == 0 || brought == 0)
        return 0;
    err_set(e, ERR_CONFLICT,
            "%s: the profile's file of traces has %" PRIu64 " launches that this one lacks, and would be replaced",
            t->name, lost);
    return err_hint(
        e,
        "Send a file with the launches of both, or send only drawn launches with `vivace push FILE --plan PLAN`.");
}

/* A present file that is permanently unreadable does not prevent its replacement. One that is temporarily
 * unreadable may have launches that the new file lacks, so it stays. */
static int compare_with_had(struct farm *farm, struct trace_pack *t, const struct pack_table *file, const char *had,
                            struct err *e)
{
    struct pack_table there = {.count = 0};
    char path[PATH_MAX];
    bool copied = false;
    int ret = 0;

    if (!*had)
        return 0;
    if (blob_fetch(farm->store.blobs, had, path, &copied, e) == 0 &&
        pack_read(farm, path, "the profile's traces", &there, e) == 0) {
        ret = choose(t, file, &there, e);
    } else if (pack_error_lasts(e)) {
        log_warn("traces", "a profile's file of traces cannot be read and is replaced", "profile=%s error=%s",
                 t->profile, log_quote(e->text, (char[600]){0}, 600));
    } else {
        err_wrap(e, "%s could not be compared with the stored traces", t->name);
        ret = err_hint(e, "Nothing was changed; send it again later.");
    }
    pack_table_release(&there);
    if (copied)
        unlink(path);
    return ret;
}

static int check_file(struct farm *farm, struct db *db, struct trace_pack *t, const char *had, struct err *e)
{
    struct pack_table table = {.count = 0};
    struct profile p;
    int ret;

    profile_init(&p);
    ret = profile_load(db, t->profile, &p, e);
    if (ret == 0 && (ret = pack_read(farm, t->file, t->name, &table, e)) < 0 && pack_error_lasts(e))
        err_hint(e, "Send a .vtrace file: `vivace trace convert` converts other traces.");
    if (ret == 0) {
        t->launches = table.count;
        t->of = p.count;
        ret = compare_all(&table, &p, e);
        if (ret < 0)
            err_wrap(e, "%s", t->name);
    }
    if (ret == 0)
        ret = compare_with_had(farm, t, &table, had, e);
    pack_table_release(&table);
    profile_release(&p);
    return ret;
}

int trace_pack_attach(struct farm *farm, struct db *db, struct trace_pack *t, struct err *e)
{
    const struct blob_publication b = {
        .staged_path = t->file, .sha256 = t->sha256, .bytes = t->bytes, .team = t->team};
    char had[SHA256_HEX];
    int found = repo_plan_profile_of_team(db, t->profile, t->team, e);

    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no profile %.40s", t->profile);
    if (repo_pack_get(db, t->profile, had, e) < 0 || check_file(farm, db, t, had, e) < 0)
        return -1;
    snprintf(t->has, sizeof t->has, "%s", t->stays ? had : t->sha256);
    if (t->stays) {
        unlink(t->file);
        /* both files are open now, so an old file without a stored number of launches gets it */
        if (repo_pack_count(db, t->profile, had, t->before, e) < 0)
            return -1;
    } else if (blob_publish(&farm->store, db, &b, e) < 0 ||
               repo_pack_set(db, t->profile, had, t->sha256, t->launches, e) < 0) {
        return -1;
    }
    trace_pack_kick(farm);
    return 0;
}
