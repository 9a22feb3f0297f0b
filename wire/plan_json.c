#include "wire/plan_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "wire/json.h"

static const char several[] = "several kernels"; /* replaces the name when a stratum has several kernels */

/* Names of members by version of the file. Version 1 had another word for launches. Version 3 has the part of the
 * workload, and the domain of each stratum; plans of everything are written in version 2, so that they keep their
 * bytes.
 */
struct names {
    const char *launch, *launches, *zero_launches;
};

static const struct names names[PLAN_VERSION + 1] = {{NULL, NULL, NULL},
                                                     {"invocation", "invocations", "zero_invocations"},
                                                     {"launch", "launches", "zero_launches"},
                                                     {"launch", "launches", "zero_launches"}};

#define PART_VERSION 3

static uint32_t version_of(const struct plan *p)
{
    return plan_part_any(&p->part) ? PART_VERSION : PART_VERSION - 1;
}

/* --- writing --- */

/* "mean" + "_ns": names of members in the unit of the planning variable end with that unit. */
static const char *with_unit(const char *name, enum profile_unit unit, char out[64])
{
    ASSERT(strlen(name) + 1 + strlen(profile_unit_name(unit)) < 64);
    snprintf(out, 64, "%s_%s", name, profile_unit_name(unit));
    return out;
}

static void write_stratum(struct jw *w, const struct plan *p, const struct plan_stratum *s)
{
    char name[64];

    jw_object_inline(w);
    jw_key_text(w, "kernel", s->mixed_names ? several : s->kernel_name);
    if (s->domain)
        jw_key_text(w, "domain", s->domain);
    jw_key_dim3(w, "grid", s->grid);
    jw_key_dim3(w, "block", s->block);
    jw_key_u64(w, "population", s->population);
    jw_key_u64(w, "samples", s->samples);
    jw_key_double(w, with_unit("mean", p->unit, name), s->mean);
    jw_key_double(w, with_unit("sd", p->unit, name), s->sd);
    if (p->unit != PROFILE_NS) { /* readers that expect durations get null: unknown */
        jw_key_null(w, "mean_ns");
        jw_key_null(w, "sd_ns");
    }
    jw_key_u64(w, with_unit("total", p->unit, name), s->total);
    jw_key_u64(w, with_unit("low", p->unit, name), s->low);
    jw_key_u64(w, with_unit("high", p->unit, name), s->high);
    jw_key_bool(w, "certainty", s->take_all);
    jw_key_bool(w, "mixed_names", s->mixed_names);
    jw_key_bool(w, "mixed_shapes", s->mixed_shapes);
    jw_key_u64(w, "kernel_index", s->kernel);
    jw_key_double(w, "planned_sd", s->planned_sd);
    jw_key_double(w, "cost", s->cost);
    if (p->estimator == PLAN_INSTRUCTION_RATIO)
        jw_key_u64(w, "instructions", s->auxiliary);
    jw_end(w, '}');
}

static void write_sample(struct jw *w, const struct plan *p, uint32_t version, const struct plan_sample *s)
{
    char name[64];

    ASSERT(s->stratum < p->stratum_count && s->draws > 0);
    jw_object_inline(w);
    jw_key_u64(w, names[version].launch, s->launch);
    jw_key_u64(w, "stratum", s->stratum);
    jw_key_double(w, "weight", s->weight);
    jw_key_u64(w, "draws", s->draws);
    jw_key_u64(w, with_unit("value", p->unit, name), s->value);
    if (p->estimator == PLAN_INSTRUCTION_RATIO)
        jw_key_u64(w, "instructions", s->auxiliary);
    jw_end(w, '}');
}

static void write_part(struct jw *w, const struct plan_part *part)
{
    jw_key_text(w, "by", part->by);
    jw_key_text(w, "only", part->only);
    if (part->steps) {
        jw_key_u64(w, "step_first", part->step_first);
        jw_key_u64(w, "step_last", part->step_last);
    }
}

static void write_params(struct jw *w, const struct plan *p, uint32_t version)
{
    char name[64];

    jw_key_text(w, "format", PLAN_FORMAT);
    jw_key_u64(w, "version", version);
    jw_key_text(w, "method", p->method);
    jw_key_double(w, "error", p->params.error);
    jw_key_double(w, "confidence", p->params.confidence);
    jw_key_u64(w, "seed", p->params.seed);
    jw_key_double(w, "share", p->params.share);
    jw_key_double(w, "noise_floor", p->params.noise_floor);
    jw_key_double(w, "budget", p->params.budget);
    if (p->params.assurance > 0) { /* omitted if 0, so that plans without it keep their bytes */
        jw_key_double(w, "assurance", p->params.assurance);
        jw_key_double(w, "assured", p->assured);
        jw_key_double(w, "assured_noise", p->assured_noise);
    }
    jw_key_u64(w, "least_samples", p->params.least_samples);
    jw_key_double(w, "cost_fixed", p->params.cost_fixed);
    jw_key_double(w, "cost_per_unit", p->params.cost_per_unit);
    jw_key_text(w, "classifier", plan_classifier_name(p->params.classifier));
    if (version >= PART_VERSION)
        write_part(w, &p->part);
    jw_key_text(w, "profile_sha256", p->profile_sha256);
    jw_key_text(w, "unit", profile_unit_name(p->unit));
    jw_key_bool(w, "with_replacement", p->with_replacement);
    jw_key_bool(w, "representative", p->representative);
    jw_key_text(w, "estimator", plan_estimator_name(p->estimator));
    jw_key_text(w, "variance", plan_variance_name(p->variance));
    jw_key_text(w, "caution", p->caution);
    jw_key_text(w, "note", p->note);
    jw_key_u64(w, names[version].launches, p->launches);
    jw_key_u64(w, names[version].zero_launches, p->zero_launches);
    jw_key_u64(w, with_unit("total", p->unit, name), p->total);
    jw_key_double(w, "promised_error", p->promised_error);
    jw_key_bool(w, "promise_valid", p->promise_valid);
    jw_key_double(w, "planned_df", p->planned_df);
    jw_key_double(w, "speedup", p->speedup);
}

static void write_document(struct jw *w, const struct plan *p, uint32_t version, const char *checksum)
{
    ASSERT(version >= 1 && version <= PLAN_VERSION);
    ASSERT(w->depth == 0);
    jw_object(w);
    write_params(w, p, version);
    if (checksum)
        jw_key_text(w, "checksum", checksum);
    jw_key(w, "strata");
    jw_array(w);
    for (size_t h = 0; h < p->stratum_count; h++)
        write_stratum(w, p, &p->strata[h]);
    jw_end(w, ']');
    jw_key(w, "samples");
    jw_array(w);
    for (size_t i = 0; i < p->sample_count; i++)
        write_sample(w, p, version, &p->samples[i]);
    jw_end(w, ']');
    jw_end(w, '}');
}

static int to_hash(void *hash, const char *text, size_t n, struct err *e)
{
    (void)e;
    sha256_update(hash, text, n);
    return 0;
}

/* SHA-256 of the document in that version, without white space and without the checksum itself. */
static int checksum_of(const struct plan *p, uint32_t version, char hex[SHA256_HEX], struct err *e)
{
    struct sha256 *hash = sha256_new(e);
    uint8_t digest[SHA256_BYTES];
    struct jw w;
    int ret;

    if (!hash)
        return -1;
    jw_init(&w, to_hash, hash, e);
    write_document(&w, p, version, NULL);
    ret = jw_finish(&w);
    jw_release(&w);
    sha256_final(hash, digest);
    hex_encode(digest, sizeof digest, hex);
    ASSERT(sha256_hex_valid(hex));
    sha256_free(hash);
    return ret;
}

int plan_to_json(const struct plan *p, bool indented, jw_sink sink, void *sink_ctx, struct err *e)
{
    char checksum[SHA256_HEX];
    struct jw w;
    int ret;

    if (checksum_of(p, version_of(p), checksum, e) < 0)
        return -1;
    jw_init(&w, sink, sink_ctx, e);
    w.indent = indented;
    write_document(&w, p, version_of(p), checksum);
    ret = jw_finish(&w);
    jw_release(&w);
    return ret;
}

static int write_plan(const void *plan, jw_sink sink, void *sink_ctx, struct err *e)
{
    return plan_to_json(plan, true, sink, sink_ctx, e);
}

int plan_write_path(const struct plan *p, const char *path, struct err *e)
{
    return jw_write_path(path, "plan file", write_plan, p, e);
}

/* --- reading --- */

static int read_stratum(const json_t *o, struct plan *p, struct plan_stratum *s, struct err *e)
{
    char mean[64], sd[64], total[64], low[64], high[64];
    const char *const known[] = {"kernel",
                                 "grid",
                                 "block",
                                 "population",
                                 "samples",
                                 with_unit("mean", p->unit, mean),
                                 with_unit("sd", p->unit, sd),
                                 with_unit("total", p->unit, total),
                                 with_unit("low", p->unit, low),
                                 with_unit("high", p->unit, high),
                                 "mean_ns",
                                 "sd_ns",
                                 "certainty",
                                 "mixed_names",
                                 "mixed_shapes",
                                 "kernel_index",
                                 "planned_sd",
                                 "cost",
                                 p->part.by[0] ? "domain" : "certainty",
                                 p->estimator == PLAN_INSTRUCTION_RATIO ? "instructions" : NULL,
                                 NULL};
    const char *name = NULL, *domain = NULL;

    ASSERT(!s->kernel_name);
    if (json_need_object(o, "a stratum", e) < 0 || json_refuse_unknown(o, known, e) < 0 ||
        json_need_str(o, "kernel", &name, e) < 0 || json_read_dim3(o, "grid", s->grid, e) < 0 ||
        json_read_dim3(o, "block", s->block, e) < 0 || json_need_u64(o, "population", &s->population, e) < 0 ||
        json_need_u64(o, "samples", &s->samples, e) < 0 || json_need_double(o, mean, &s->mean, e) < 0 ||
        json_need_double(o, sd, &s->sd, e) < 0 || json_need_u64(o, total, &s->total, e) < 0 ||
        json_need_u64(o, low, &s->low, e) < 0 || json_need_u64(o, high, &s->high, e) < 0 ||
        json_need_bool(o, "certainty", &s->take_all, e) < 0 ||
        json_need_bool(o, "mixed_names", &s->mixed_names, e) < 0 ||
        json_need_bool(o, "mixed_shapes", &s->mixed_shapes, e) < 0 ||
        json_need_u32(o, "kernel_index", 0, UINT32_MAX, &s->kernel, e) < 0 ||
        json_need_double(o, "planned_sd", &s->planned_sd, e) < 0 || json_need_double(o, "cost", &s->cost, e) < 0 ||
        (p->estimator == PLAN_INSTRUCTION_RATIO && json_need_u64(o, "instructions", &s->auxiliary, e) < 0))
        return -1;
    if (p->part.by[0] && json_need_str(o, "domain", &domain, e) < 0)
        return -1;
    s->kernel_name = mem_strdup(s->mixed_names ? "" : name, e);
    s->domain = domain && s->kernel_name ? mem_strdup(domain, e) : NULL;
    return s->kernel_name && !s->domain == !domain ? 0 : -1;
}

static int read_sample(const json_t *o, const struct plan *p, uint32_t version, struct plan_sample *s,
                       struct err *e)
{
    char value[64];
    const char *const known[] = {names[version].launch,
                                 "stratum",
                                 "weight",
                                 "draws",
                                 with_unit("value", p->unit, value),
                                 p->estimator == PLAN_INSTRUCTION_RATIO ? "instructions" : NULL,
                                 NULL};

    if (json_need_object(o, "a sample", e) < 0 || json_refuse_unknown(o, known, e) < 0 ||
        json_need_u64(o, names[version].launch, &s->launch, e) < 0 ||
        json_need_u32(o, "stratum", 0, UINT32_MAX, &s->stratum, e) < 0 ||
        json_need_double(o, "weight", &s->weight, e) < 0 ||
        json_need_u32(o, "draws", 1, UINT32_MAX, &s->draws, e) < 0 || json_need_u64(o, value, &s->value, e) < 0 ||
        (p->estimator == PLAN_INSTRUCTION_RATIO && json_need_u64(o, "instructions", &s->auxiliary, e) < 0))
        return -1;
    return 0;
}

static int read_rows(const json_t *root, struct plan *p, uint32_t version, struct err *e)
{
    const json_t *strata = NULL, *samples = NULL;

    if (json_need_array(root, "strata", &strata, e) < 0 || json_need_array(root, "samples", &samples, e) < 0)
        return -1;
    p->strata = mem_zalloc(json_array_size(strata), sizeof *p->strata, e);
    p->samples = mem_zalloc(json_array_size(samples), sizeof *p->samples, e);
    if (!p->strata || !p->samples)
        return -1;
    for (size_t h = 0; h < json_array_size(strata); h++) {
        p->stratum_count = h + 1;
        if (read_stratum(json_array_get(strata, h), p, &p->strata[h], e) < 0)
            return err_wrap(e, "stratum %zu", h);
    }
    for (size_t i = 0; i < json_array_size(samples); i++) {
        p->sample_count = i + 1;
        if (read_sample(json_array_get(samples, i), p, version, &p->samples[i], e) < 0)
            return err_wrap(e, "sample %zu", i);
    }
    ASSERT(p->stratum_count == json_array_size(strata) && p->sample_count == json_array_size(samples));
    return 0;
}

/* Checks first that the document is a Vivace plan, so that errors about members are not misleading. */
static int read_head(const json_t *root, uint32_t *version, enum profile_unit *unit, struct err *e)
{
    const char *format = NULL, *unit_name = NULL;

    if (json_need_object(root, "the document", e) < 0 || json_opt_str(root, "format", &format, e) < 0)
        return -1;
    if (!format || strcmp(format, PLAN_FORMAT) != 0)
        return err_set(e, ERR_UNSUPPORTED, "this is not a plan: `format` is not \"" PLAN_FORMAT "\"");
    if (json_need_u32(root, "version", 0, UINT32_MAX, version, e) < 0)
        return -1;
    if (*version < 1 || *version > PLAN_VERSION) {
        err_set(e, ERR_UNSUPPORTED,
                "version %u of the plan format is not known; this program reads versions 1 to %d", *version,
                PLAN_VERSION);
        return err_hint(e, "Use a newer Vivace, or make the plan again.");
    }
    if (json_need_str(root, "unit", &unit_name, e) < 0)
        return -1;
    if (profile_unit_from_name(unit_name, unit) < 0)
        return err_set(e, ERR_INVALID, "`unit` must be \"ns\" or \"warp_instructions\"");
    ASSERT(*version >= 1 && *version <= PLAN_VERSION);
    return 0;
}

/* Reads the estimator of the total, the variance of its interval, and the classifier of the launches. */
static int read_projection(const json_t *root, struct plan *p, struct err *e)
{
    const char *estimator = NULL, *variance = NULL, *classifier = NULL;

    if (json_need_str(root, "estimator", &estimator, e) < 0 || json_need_str(root, "variance", &variance, e) < 0 ||
        json_need_str(root, "classifier", &classifier, e) < 0)
        return -1;
    if (plan_classifier_from_name(classifier, &p->params.classifier) < 0)
        return err_set(e, ERR_INVALID, "there is no classifier `%.40s`", classifier);
    if (plan_estimator_from_name(estimator, &p->estimator) < 0)
        return err_set(e, ERR_INVALID, "there is no estimator `%.40s`", estimator);
    p->params.estimator = p->estimator == PLAN_RATIO ? PLAN_RATIO : PLAN_EXPANSION;
    if (plan_variance_from_name(variance, &p->variance) < 0)
        return err_set(e, ERR_INVALID, "there is no variance method `%.40s`", variance);
    ASSERT(p->params.estimator == PLAN_RATIO || p->params.estimator == PLAN_EXPANSION);
    return 0;
}

static int read_part(const json_t *root, struct plan_part *part, struct err *e)
{
    enum domain_kind kind;

    if (json_need_copy(root, "by", part->by, sizeof part->by, e) < 0 ||
        json_need_copy(root, "only", part->only, sizeof part->only, e) < 0)
        return -1;
    part->steps = json_object_get(root, "step_first") != NULL;
    if (part->steps && (json_need_u64(root, "step_first", &part->step_first, e) < 0 ||
                        json_need_u64(root, "step_last", &part->step_last, e) < 0))
        return -1;
    if (part->by[0] && domain_kind_from_name(part->by, &kind, e) < 0) {
        e->code = ERR_INVALID;
        return -1;
    }
    return plan_part_any(part)
               ? 0
               : err_set(e, ERR_INVALID, "version %d of a plan is for a part, and it names none", PART_VERSION);
}

static int read_params(const json_t *root, struct plan *p, uint32_t version, struct err *e)
{
    char total[64];
    const char *const known[] = {"format",
                                 "version",
                                 "method",
                                 "error",
                                 "confidence",
                                 "seed",
                                 "share",
                                 "noise_floor",
                                 "budget",
                                 "assurance",
                                 "assured",
                                 "assured_noise",
                                 "least_samples",
                                 "cost_fixed",
                                 "cost_per_unit",
                                 "classifier",
                                 "representative",
                                 "estimator",
                                 "variance",
                                 "caution",
                                 "note",
                                 "unit",
                                 "profile_sha256",
                                 "checksum",
                                 "with_replacement",
                                 names[version].launches,
                                 names[version].zero_launches,
                                 "promised_error",
                                 "promise_valid",
                                 "planned_df",
                                 "speedup",
                                 "strata",
                                 "samples",
                                 with_unit("total", p->unit, total),
                                 version >= PART_VERSION ? "by" : NULL,
                                 "only",
                                 "step_first",
                                 "step_last",
                                 NULL};

    p->promised_error = NAN;  /* null: the method promises no error */
    p->planned_df = INFINITY; /* null: every stratum is a census */
    if (json_refuse_unknown(root, known, e) < 0 ||
        json_need_copy(root, "method", p->method, sizeof p->method, e) < 0 ||
        json_need_double(root, "error", &p->params.error, e) < 0 ||
        json_need_double(root, "confidence", &p->params.confidence, e) < 0 ||
        json_need_u64(root, "seed", &p->params.seed, e) < 0 ||
        json_need_double(root, "share", &p->params.share, e) < 0 ||
        json_need_double(root, "noise_floor", &p->params.noise_floor, e) < 0 ||
        json_need_double(root, "budget", &p->params.budget, e) < 0 ||
        json_opt_double(root, "assurance", &p->params.assurance, e) < 0 ||
        json_opt_double(root, "assured", &p->assured, e) < 0 ||
        json_opt_double(root, "assured_noise", &p->assured_noise, e) < 0 ||
        json_need_u32(root, "least_samples", 1, 1000, &p->params.least_samples, e) < 0 ||
        json_need_double(root, "cost_fixed", &p->params.cost_fixed, e) < 0 ||
        json_need_double(root, "cost_per_unit", &p->params.cost_per_unit, e) < 0 ||
        json_need_bool(root, "representative", &p->representative, e) < 0 || read_projection(root, p, e) < 0 ||
        json_need_copy(root, "caution", p->caution, sizeof p->caution, e) < 0 ||
        json_need_copy(root, "note", p->note, sizeof p->note, e) < 0 ||
        json_need_sha256(root, "profile_sha256", p->profile_sha256, e) < 0 ||
        json_need_bool(root, "with_replacement", &p->with_replacement, e) < 0 ||
        json_need_u64(root, names[version].launches, &p->launches, e) < 0 ||
        json_need_u64(root, names[version].zero_launches, &p->zero_launches, e) < 0 ||
        json_need_u64(root, total, &p->total, e) < 0 ||
        json_opt_double(root, "promised_error", &p->promised_error, e) < 0 ||
        json_need_bool(root, "promise_valid", &p->promise_valid, e) < 0 ||
        json_opt_double(root, "planned_df", &p->planned_df, e) < 0 ||
        json_need_double(root, "speedup", &p->speedup, e) < 0)
        return -1;
    return version >= PART_VERSION ? read_part(root, &p->part, e) : 0;
}

static int check_checksum(const json_t *root, const struct plan *p, uint32_t version, struct err *e)
{
    char says[SHA256_HEX], is[SHA256_HEX];

    if (json_need_sha256(root, "checksum", says, e) < 0 || checksum_of(p, version, is, e) < 0)
        return -1;
    ASSERT(sha256_hex_valid(says) && sha256_hex_valid(is));
    if (strcmp(says, is) != 0) {
        err_set(e, ERR_INVALID, "its content does not agree with its checksum");
        return err_hint(e, "The file was changed after the plan was made. Make the plan again.");
    }
    return 0;
}

int plan_from_json(const json_t *root, struct plan *out, struct err *e)
{
    uint32_t version = 0;

    plan_init(out);
    if (read_head(root, &version, &out->unit, e) < 0 || read_params(root, out, version, e) < 0 ||
        read_rows(root, out, version, e) < 0 || plan_check(out, e) < 0 ||
        check_checksum(root, out, version, e) < 0) {
        plan_release(out);
        return err_wrap(e, "plan");
    }
    ASSERT(out->stratum_count > 0 || out->sample_count == 0);
    return 0;
}

int plan_from_text(const char *text, size_t n, struct plan *out, struct err *e)
{
    json_t *root = json_read_text(text, n, "plan", e);
    int ret;

    if (!root)
        return -1;
    ret = plan_from_json(root, out, e);
    json_decref(root);
    return ret;
}

int plan_read_path(const char *path, struct plan *out, struct err *e)
{
    json_t *root = json_read_path(path, PLAN_FILE_MAX, e);
    int ret;

    if (!root)
        return -1;
    ret = plan_from_json(root, out, e);
    if (ret < 0)
        err_wrap(e, "%s", path);
    json_decref(root);
    return ret;
}
