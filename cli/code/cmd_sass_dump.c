/* vivace sass dump: the instructions of kernels, decoded. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "base/strbuf.h"
#include "cli/code/cmd_sass.h"
#include "cli/nouns.h"
#include "sass/decode.h"
#include "wire/json.h"

static const char dump_text[] =
    "One line an instruction: its address in the function, guard, operation with modifiers, operands, then "
    "control\n"
    "fields: cycles to wait after it (stall), whether another warp may issue (yield), the barriers that it sets "
    "when\n"
    "its result is there (write) or its sources are read (read), the barriers that it waits for (wait), sources "
    "that\n"
    "stay in the operand cache (reuse, a mask). Branch targets are addresses.\n"
    "\n"
    "\"unknown\" is an operation that the table lacks, with its two 64-bit words. {0x..., 0x...} after an "
    "instruction\n"
    "are bits whose meaning is not known; {} modifiers that the table cannot name. Nothing is guessed. The last "
    "line\n"
    "counts both. The exit code is 65 if an operation was unknown. Code before sm_70 or after sm_90 is left out, "
    "with\n"
    "a message; JSON counts its functions in left_out. FILE has at most 2 GiB, its compressed modules at most 1 "
    "GiB\n"
    "after decompression.\n"
    "\n"
    "Examples:\n"
    "  vivace sass dump k.cubin\n"
    "  vivace sass dump ./program --arch sm_86 --kernel reduce --json | jq '.functions[].instructions[].text'\n";

struct dump {
    const char *kernel, *arch; /* NULL: all */
    bool json;
    struct strbuf text;
    uint64_t functions_count, left_out, count[SASS_DECODED + 1];
    bool left_out_archs[256];
};

static void load_words(const struct cubin_function *f, uint64_t at, uint64_t words[2])
{
    memcpy(words, f->code + at, CUBIN_INST_BYTES);
}

static void add_barrier(struct strbuf *b, const char *what, uint8_t barrier)
{
    if (barrier != SASS_NO_BARRIER)
        strbuf_addf(b, " %s %u", what, barrier);
}

static void add_control(struct strbuf *b, const struct sass_control *c)
{
    strbuf_addf(b, "; stall %u%s", c->stall, c->yield ? "" : " yield");
    add_barrier(b, "write", c->write_barrier);
    add_barrier(b, "read", c->read_barrier);
    if (c->wait_mask) {
        strbuf_adds(b, " wait");
        for (uint32_t k = 0; k < 6; k++)
            if (c->wait_mask >> k & 1)
                strbuf_addf(b, " %u", k);
    }
    if (c->reuse)
        strbuf_addf(b, " reuse 0x%x", c->reuse);
}

static int print_line(const struct sass_inst *x, struct strbuf *b, struct err *e)
{
    size_t begin;

    strbuf_clear(b);
    strbuf_addf(b, "  %05" PRIx64 "  ", x->address);
    begin = b->length;
    sass_print(x, b);
    if (x->state == SASS_PARTLY) {
        strbuf_adds(b, " {");
        if (x->unexplained[0] || x->unexplained[1])
            strbuf_addf(b, "0x%" PRIx64 ", 0x%" PRIx64, x->unexplained[0], x->unexplained[1]);
        strbuf_adds(b, "}");
    }
    while (b->length - begin < 60 && !b->failed)
        strbuf_addc(b, ' ');
    strbuf_addc(b, ' ');
    add_control(b, &x->control);
    if (b->failed)
        return err_no_memory(e);
    puts(b->text);
    return 0;
}

/* --- JSON: printed piece by piece, as a library may have gigabytes of it --- */

/* Prints a value without its last `cut` characters, and releases it. */
static int put_json(struct dump *d, json_t *value, size_t cut, struct err *e)
{
    if (!value)
        return err_no_memory(e);
    strbuf_clear(&d->text);
    json_write_text(value, false, &d->text);
    json_decref(value);
    if (d->text.failed)
        return err_no_memory(e);
    ASSERT(d->text.length >= cut);
    fwrite(d->text.text, 1, d->text.length - cut, stdout); /* cli_end() reports errors */
    return 0;
}

static json_t *hex_json(uint64_t low, uint64_t high)
{
    char a[24], b[24];

    snprintf(a, sizeof a, "0x%016" PRIx64, low);
    snprintf(b, sizeof b, "0x%016" PRIx64, high);
    return json_pack("[s,s]", a, b);
}

static json_t *operands_json(const struct sass_inst *x)
{
    struct strbuf b = STRBUF_INIT;
    json_t *list = json_array();
    bool failed = false;

    for (uint32_t k = 0; k < x->operand_count; k++) {
        strbuf_clear(&b);
        sass_print_operand(&x->operands[k], &b);
        failed |= b.failed || json_push(list, json_string(b.text)) != 0;
    }
    strbuf_release(&b);
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *control_json(const struct sass_control *c)
{
    struct json_obj o = json_obj_begin();

    json_put_u64(&o, "stall", c->stall);
    json_put_bool(&o, "yield", !c->yield);
    json_put(&o, "write_barrier",
             c->write_barrier == SASS_NO_BARRIER ? json_null() : json_integer(c->write_barrier));
    json_put(&o, "read_barrier", c->read_barrier == SASS_NO_BARRIER ? json_null() : json_integer(c->read_barrier));
    json_put_u64(&o, "wait_mask", c->wait_mask);
    json_put_u64(&o, "reuse", c->reuse);
    return json_obj_end(&o);
}

static json_t *inst_json(const struct sass_inst *x)
{
    static const char *const states[] = {"unknown", "partly", "yes"};
    struct json_obj o = json_obj_begin();
    struct strbuf b = STRBUF_INIT;
    char name[SASS_MODIFIERS_BYTES + 32];

    json_put_u64(&o, "address", x->address);
    json_put(&o, "words", hex_json(x->words[0], x->words[1]));
    json_put_str(&o, "decoded", states[x->state]);
    sass_print(x, &b);
    json_put_str(&o, "text", b.text);
    strbuf_clear(&b);
    sass_print_operand(&x->guard, &b);
    json_put_str(&o, "guard", b.text);
    snprintf(name, sizeof name, "%s%s", x->name ? x->name : "", x->modifiers);
    json_put_str(&o, "operation", x->name ? name : NULL);
    json_put(&o, "operands", operands_json(x));
    json_put(&o, "control", control_json(&x->control));
    json_put(&o, "unexplained", hex_json(x->unexplained[0], x->unexplained[1]));
    strbuf_release(&b);
    return json_obj_end(&o);
}

/* --- functions --- */

static int print_head(struct dump *d, const struct sass_module *m, const struct cubin_function *f, struct err *e)
{
    struct json_obj o;

    if (!d->json) {
        printf("%s%s  sm_%u%s%s\n", d->functions_count > 1 ? "\n" : "", f->name, m->cubin.arch,
               *m->where ? ", " : "", m->where);
        return 0;
    }
    o = json_obj_begin();
    json_put_str(&o, "name", f->name);
    json_put_str(&o, "module", m->where);
    json_put_u64(&o, "arch", m->cubin.arch);
    json_put_bool(&o, "kernel", f->entry);
    fputs(d->functions_count > 1 ? ",\n" : "{\"functions\":[\n", stdout);
    if (put_json(d, json_obj_end(&o), 1, e) != 0) /* the object goes on */
        return -1;
    fputs(",\"instructions\":[", stdout);
    return 0;
}

static int dump_function(struct dump *d, const struct sass_module *m, const struct cubin_function *f, struct err *e)
{
    d->functions_count++;
    if (print_head(d, m, f, e) != 0)
        return -1;
    for (uint64_t at = 0; at < f->code_bytes; at += CUBIN_INST_BYTES) {
        struct sass_inst x;
        uint64_t words[2];

        load_words(f, at, words);
        sass_decode(words, m->cubin.arch, at, &x);
        d->count[x.state]++;
        if (d->json)
            fputs(at ? ",\n" : "\n", stdout);
        if ((d->json ? put_json(d, inst_json(&x), 0, e) : print_line(&x, &d->text, e)) != 0)
            return -1;
    }
    if (d->json)
        fputs("]}", stdout);
    return ferror(stdout) ? err_set_errno(e, errno, "the output cannot be written") : 0;
}

/* "sm_100, sm_120" */
static const char *left_out_names(const struct dump *d, struct strbuf *b)
{
    strbuf_clear(b);
    for (uint32_t k = 0; k < sizeof d->left_out_archs / sizeof *d->left_out_archs; k++)
        if (d->left_out_archs[k])
            strbuf_addf(b, "%ssm_%u", b->length ? ", " : "", k);
    return b->text;
}

static int nothing_dumped(struct dump *d, struct err *e)
{
    if (d->left_out)
        return err_set(e, ERR_UNSUPPORTED, "the code is for %.200s; sm_70 to sm_90 can be decoded",
                       left_out_names(d, &d->text));
    err_set(e, ERR_NOT_FOUND, "the file has no function%s%.20s%s%.100s%s", d->arch ? " for " : "",
            d->arch ? d->arch : "", d->kernel ? " with `" : "", d->kernel ? d->kernel : "",
            d->kernel ? "` in its name" : "");
    return err_hint(e, "`vivace sass list` names the kernels and their architectures.");
}

static bool is_chosen(const struct dump *d, const struct cubin *c, const struct cubin_function *f)
{
    char arch[16];

    snprintf(arch, sizeof arch, "sm_%u", c->arch);
    return (!d->kernel || strstr(f->name, d->kernel)) && (!d->arch || strcmp(d->arch, arch) == 0);
}

/* Functions that cannot be decoded are left out: a program often has code for several architectures. */
static int dump_file(struct dump *d, const struct sass_file *file, struct err *e)
{
    for (size_t m = 0; m < file->count; m++) {
        const struct cubin *c = &file->items[m].cubin;

        for (size_t k = 0; k < c->count; k++) {
            if (!is_chosen(d, c, &c->functions[k]))
                continue;
            if (!sass_can_decode(c->arch)) {
                d->left_out++;
                d->left_out_archs[c->arch & 0xff] = true;
            } else if (dump_function(d, &file->items[m], &c->functions[k], e) != 0) {
                return -1;
            }
        }
    }
    return d->functions_count ? 0 : nothing_dumped(d, e);
}

static void print_end(struct dump *d)
{
    uint64_t all = d->count[SASS_UNKNOWN] + d->count[SASS_PARTLY] + d->count[SASS_DECODED];

    if (d->json)
        printf("],\n\"decoded\":%" PRIu64 ",\"partly\":%" PRIu64 ",\"unknown\":%" PRIu64 ",\"left_out\":%" PRIu64
               "}\n",
               d->count[SASS_DECODED], d->count[SASS_PARTLY], d->count[SASS_UNKNOWN], d->left_out);
    else
        printf("\n%" PRIu64 " instructions: %" PRIu64 " decoded, %" PRIu64 " partly, %" PRIu64 " unknown\n", all,
               d->count[SASS_DECODED], d->count[SASS_PARTLY], d->count[SASS_UNKNOWN]);
    if (d->left_out) {
        char number[CLI_NUMBER];

        cli_warn("left out: %s for %s; sm_70 to sm_90 can be decoded",
                 cli_counted(d->left_out, "function", NULL, number), left_out_names(d, &d->text));
    }
}

int sass_dump(int argc, char **argv)
{
    struct cli_output output = {0};
    struct dump d = {.text = STRBUF_INIT};
    const struct cli_option options[] = {
        {"kernel", 0, CLI_TEXT, "TEXT", &d.kernel, "only functions with this text in their names"},
        {"arch", 0, CLI_TEXT, "sm_NN", &d.arch, "only code for this architecture, for example sm_86"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "sass dump",
                                    .synopsis = "FILE [--kernel TEXT] [--arch sm_NN]",
                                    .text = dump_text,
                                    .options = options,
                                    .output = &output,
                                    .least_args = 1,
                                    .most_args = 1};
    struct sass_input in = {0};
    struct cli_args args;
    struct err e;
    int ret = -1, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    d.json = output.json;
    if (sass_input_open(args.items[0], &in, &e) == 0 && (ret = dump_file(&d, &in.file, &e)) == 0)
        print_end(&d);
    strbuf_release(&d.text);
    sass_input_close(&in);
    r = cli_end(ret, &e);
    return r == 0 && d.count[SASS_UNKNOWN] ? EXIT_BAD_INPUT : r;
}
