#include "server/domain/import/feature_text.h"

#include "base/assert.h"
#include "base/text.h"

static void add_part(struct strbuf *b, size_t *count, const char *text)
{
    strbuf_addf(b, "%s%s", (*count)++ ? ", " : "", text);
}

static void add_metrics(struct strbuf *b, size_t *count, const struct features *f)
{
    size_t metrics = 0;

    for (int m = 0; m < FEATURE_COUNT; m++)
        metrics += f->metrics[m] != NULL;
    ASSERT(metrics == 0 || f->known > 0);
    if (metrics)
        strbuf_addf(b, "%s%zu metric%s", (*count)++ ? ", " : "", metrics, metrics == 1 ? "" : "s");
}

void features_text(const struct features *f, uint64_t launches, struct strbuf *b)
{
    char known[NUM_TEXT], all[NUM_TEXT];
    size_t count = 0;

    if (!f)
        return;
    ASSERT(f->known <= launches);
    if (f->instructions)
        add_part(b, &count, "instruction counts");
    add_metrics(b, &count, f);
    if (f->cta_cov)
        add_part(b, &count, "the spread between thread blocks");
    if (f->bbv_of)
        add_part(b, &count, "basic-block vectors");
    if (f->wave_begin)
        add_part(b, &count, "waves");
    if (count == 0)
        return;
    format_count((double)launches, all);
    if (f->known == launches)
        strbuf_addf(b, " of all %s launches", all);
    else
        strbuf_addf(b, " of the first %s of %s launches", format_count((double)f->known, known), all);
}
