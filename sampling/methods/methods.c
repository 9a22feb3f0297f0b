/* sampling/methods/methods.c: the list of methods, and plans by the name of a method. */
#include <string.h>

#include "base/strbuf.h"
#include "sampling/methods/method.h"
#include "sampling/methods/plan_make.h"

/* The whole list, ours first. */
const struct method *const methods[] = {
    &method_vivace, &method_root,     &method_root_ae,   &method_stem,   &method_allegro,    &method_allegro_tool,
    &method_sieve,  &method_sieve_ae, &method_tbpoint,   &method_pka,    &method_photon,     &method_photon_ae,
    &method_srs,    &method_srswr,    &method_bernoulli, &method_budget, &method_systematic, &method_pilot,
    NULL,
};

const struct method *method_find(const char *name, struct err *e)
{
    struct strbuf names = STRBUF_INIT;

    for (size_t i = 0; methods[i]; i++) {
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    }
    for (size_t i = 0; methods[i]; i++)
        if (!methods[i]->is_code)
            strbuf_addf(&names, "%s%s", i ? ", " : "", methods[i]->name);
    err_set(e, ERR_USAGE, "there is no method `%.40s`", name);
    err_hint(e, "Methods: %s.", names.text);
    strbuf_release(&names);
    return NULL;
}

const struct method *method_variant(const struct method *m, const char *variant, struct err *e)
{
    struct strbuf names = STRBUF_INIT;

    if (!variant || strcmp(variant, "paper") == 0)
        return m;
    if (strcmp(variant, "code") == 0 && (m->code || m->is_code))
        return m->code ? m->code : m;
    if (strcmp(variant, "code") != 0) {
        err_set(e, ERR_USAGE, "there is no variant `%.40s`", variant);
        err_hint(e, "Variants: paper (the default), or code, as in a published program.");
        return NULL;
    }
    for (size_t i = 0; methods[i]; i++)
        if (methods[i]->code)
            strbuf_addf(&names, "%s%s", names.length ? ", " : "", methods[i]->name);
    err_set(e, ERR_USAGE, "the method `%s` has no variant `code`", m->name);
    err_hint(e, "Methods that have it: %s.", names.text);
    strbuf_release(&names);
    return NULL;
}

int plan_make(const char *method, const struct profile *p, const struct plan_params *params, struct plan *out,
              struct err *e)
{
    const struct method *m = method_find(method, e);
    struct strata s = {0};
    const char *why_not;
    int ret = -1;

    plan_init(out);
    if (!m || plan_params_check(params, e) < 0)
        return -1;
    why_not = method_why_not(m, p);
    if (why_not) {
        err_set(e, ERR_INVALID, "method %s cannot run on this profile: it %s", m->name, why_not);
        return m->needs ? err_hint(e, "`vivace trace features TRACES --out F.json` computes all that methods need "
                                      "from traces; `ncu --csv` has a part of it.")
                        : -1;
    }
    if (m->stratify(p, params, &s, e) == 0)
        ret = plan_complete(m, p, params, &s, out, e);
    strata_release(&s);
    return ret;
}
