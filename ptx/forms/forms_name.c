/* ptx/forms/forms_name.c: the canonical name of an instruction: opcode, modifiers that change the value, types. */
#include <stdio.h>
#include <string.h>

#include "ptx/forms/forms.h"
#include "ptx/parse/module.h"

/* Cache operators, scopes and memory orders: they do not change the value. */
static const char *const without_effect[] = {
    ".uni",  ".ca",  ".cg",  ".cs",  ".cv",       ".lu",      ".wb",      ".wt",      ".nc",   ".relaxed",
    ".weak", ".cta", ".gpu", ".sys", ".volatile", ".acquire", ".release", ".acq_rel", ".mmio", ".aligned",
};

static bool has_effect(const char *m, size_t n)
{
    if (n > 3 && (memcmp(m, ".L1", 3) == 0 || memcmp(m, ".L2", 3) == 0))
        return false;
    for (size_t i = 0; i < sizeof without_effect / sizeof without_effect[0]; i++)
        if (strlen(without_effect[i]) == n && memcmp(without_effect[i], m, n) == 0)
            return false;
    return true;
}

struct name {
    char *out;
    size_t room, used;
    bool full;
};

static void add(struct name *s, const char *text, size_t n)
{
    if (s->used + n + 1 > s->room) {
        s->full = true;
        return;
    }
    memcpy(s->out + s->used, text, n);
    s->used += n;
    s->out[s->used] = 0;
}

/* vote.ballot.sync is an older spelling of vote.sync.ballot. shfl and match have such older spellings too. */
static bool sync_comes_first(const char *opcode)
{
    return strcmp(opcode, "vote") == 0 || strcmp(opcode, "shfl") == 0 || strcmp(opcode, "match") == 0;
}

/* min and max of two and of three values have the same spelling. */
static bool least_of_three(const struct ptx_inst *i)
{
    return i->operand_count == 4 && (strcmp(i->opcode, "min") == 0 || strcmp(i->opcode, "max") == 0);
}

bool ptx_form_name(const struct ptx_inst *i, char *out, size_t room)
{
    struct name s = {out, room, 0, false};
    bool moved = sync_comes_first(i->opcode) && ptx_has(i, ".sync");

    add(&s, i->opcode, strlen(i->opcode));
    if (least_of_three(i))
        add(&s, "3", 1);
    if (moved)
        add(&s, ".sync", 5);
    for (const char *m = i->modifiers; *m == '.';) {
        size_t n = 1 + strcspn(m + 1, ".");

        if (has_effect(m, n) && !(moved && n == 5 && memcmp(m, ".sync", 5) == 0))
            add(&s, m, n);
        m += n;
    }
    for (uint32_t k = 0; k < i->type_count; k++) {
        const char *type = ptx_type_name(i->types[k]);

        add(&s, ".", 1);
        add(&s, type, strlen(type));
    }
    return !s.full;
}
