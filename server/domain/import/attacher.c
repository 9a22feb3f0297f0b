#include "server/domain/import/attacher.h"

#include <limits.h>
#include <unistd.h>

#include "base/assert.h"
#include "sampling/profile/attach.h"
#include "server/store/blob/blob_store.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_profile.h"
#include "server/domain/import/feature_codec.h"
#include "server/domain/import/feature_text.h"
#include "server/domain/import/import_reader.h"
#include "server/domain/import/profile_file.h"
#include "server/domain/import/profile_store.h"

/* --- The file --- */

/* An error of the import process is an error in the sent file, so the sender gets ERR_INVALID. */
static int blame_sender(struct err *e)
{
    if (e->code == ERR_CONFLICT || e->code == ERR_NOT_FOUND || e->code == ERR_MALFORMED || e->code == ERR_USAGE)
        e->code = ERR_INVALID;
    return -1;
}

static int load_file(const char *scratch, const char *name, uint64_t rows_max, struct profile *out, struct err *e)
{
    if (profile_file_load(scratch, rows_max, out, e) == 0)
        return 0;
    if (e->code == ERR_INTERNAL) /* columns that do not fit together: the file is the cause */
        e->code = ERR_INVALID;
    if (e->code != ERR_TOO_LARGE)
        return err_wrap(e, "%s", name);
    e->code = ERR_INVALID;
    return err_wrap(e, "%s does not belong to the profile", name);
}

/* Reads the launches of the file and their features with an import process. */
static int read_file(struct farm *farm, const struct attachment *a, uint64_t rows_max, struct profile *out,
                     struct err *e)
{
    struct strbuf report = STRBUF_INIT;
    char scratch[PATH_MAX];
    struct import_reading r = {.file = a->file, .scratch = scratch, .features_name = a->name, .report = &report};
    int fd, ret;

    if (blob_stage(farm->store.blobs, &fd, scratch, e) < 0)
        return -1;
    close(fd);
    ret = import_read(farm, &r, e) < 0 ? blame_sender(e) : load_file(scratch, a->name, rows_max, out, e);
    unlink(scratch);
    strbuf_release(&report);
    return ret;
}

/* --- Effect --- */

static uint64_t methods_that_can(const struct profile *p)
{
    uint64_t can = 0;

    for (size_t i = 0; methods[i]; i++)
        can |= (uint64_t)!method_why_not(methods[i], p) << i;
    return can;
}

static int attach(struct attachment *a, struct profile *p, struct profile *from, struct err *e)
{
    uint64_t before = methods_that_can(p), after;

    features_text(from->features, p->count, &a->added);
    if (attach_features(p, "the profile", from, a->name, e) < 0)
        return blame_sender(e);
    ASSERT(p->features && p->features->known <= p->count);
    a->launches = p->count;
    a->known = p->features->known;
    after = methods_that_can(p);
    for (size_t i = 0; methods[i]; i++)
        if (after & ~before & UINT64_C(1) << i) {
            ASSERT(a->method_count < ATTACHER_METHODS_MAX);
            a->methods[a->method_count++] = methods[i];
        }
    return a->added.failed ? err_no_memory(e) : 0;
}

/* --- Storing --- */

struct change {
    const struct attachment *a;
    const char *before; /* the profile's previous hash */
    struct strbuf bytes, text;
};

/* Features that a run uses must not change before it ends: some methods build the strata from them. */
static int refuse_in_use(struct db *db, const char *profile, struct err *e)
{
    int used = repo_profile_in_use(db, profile, e);

    if (used <= 0)
        return used;
    err_set(e, ERR_CONFLICT, "a run of a plan of this profile has not ended");
    return err_hint(e, "Wait until it ends, or cancel it; then send the features again.");
}

static int store(struct db *db, void *ctx, struct err *e)
{
    const struct change *c = ctx;
    int done = repo_profile_featured(db, c->a->profile, c->before, c->a->sha256, c->text.text, e);

    if (done < 0)
        return -1;
    if (!done) {
        err_set(e, ERR_CONFLICT, "the profile's features were changed by another request");
        return err_hint(e, "Send the file again.");
    }
    if (refuse_in_use(db, c->a->profile, e) < 0 || repo_profile_features_put(db, c->a->profile, &c->bytes, e) < 0)
        return -1;
    return repo_sweep_clear(db, c->a->profile, e);
}

static int store_all(struct db *db, const struct profile *p, const char *before, struct attachment *a,
                     struct err *e)
{
    struct change c = {.a = a, .before = before, .bytes = STRBUF_INIT, .text = STRBUF_INIT};
    int ret = -1;

    ASSERT(p->features);
    features_text(p->features, p->count, &c.text);
    if (c.text.failed)
        return err_no_memory(e);
    if (profile_hash(p, a->sha256, e) == 0 && features_write(p, &c.bytes, e) == 0)
        ret = db_transaction(db, store, &c, e);
    strbuf_release(&c.bytes);
    strbuf_release(&c.text);
    return ret;
}

int attacher_attach(struct farm *farm, struct db *db, struct attachment *a, struct err *e)
{
    char before[SHA256_HEX];
    struct profile profile, from;
    int ret = repo_profile_sha256(db, a->profile, a->team, before, e);

    if (ret <= 0)
        return ret < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no profile %.40s", a->profile);
    if (refuse_in_use(db, a->profile, e) < 0) /* checked early to save work; checked again at the end */
        return -1;
    profile_init(&profile);
    profile_init(&from);
    ret = profile_load(db, a->profile, &profile, e) < 0 || read_file(farm, a, profile.count, &from, e) < 0 ||
                  attach(a, &profile, &from, e) < 0
              ? -1
              : store_all(db, &profile, before, a, e);
    profile_release(&profile);
    profile_release(&from);
    return ret;
}
