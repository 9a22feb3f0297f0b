/* vivace sass dump: the instructions of kernels, decoded. */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/cmd_sass.h"
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
    "counts both. The exit code is 65 if an operation was unknown.\n"
    "\n"
    "Examples:\n"
    "  vivace sass dump k.cubin\n"
    "  vivace sass dump ./program --kernel reduce --json | jq '.functions[].instructions[].text'\n";

struct dump {
    const char *kernel; /* NULL: all */
    json_t *functions;  /* NULL: text */
    uint64_t functions_count, count[SASS_DECODED + 1];
};

static void load_words(const struct cubin_function *f, uint64_t at, uint64_t words[2])
{
    memcpy(words, f->code + at, CUBIN_INST_BYTES);
}

static void add_barrier(struct strbuf *b, const char *what, uint8_t barrier)
{
    if (barrier != 7)
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

static void print_line(const struct sass_inst *x, struct strbuf *b)
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
    puts(b->text);
}

/* --- JSON --- */

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
    json_put(&o, "write_barrier", c->write_barrier == 7 ? json_null() : json_integer(c->write_barrier));
    json_put(&o, "read_barrier", c->read_barrier == 7 ? json_null() : json_integer(c->read_barrier));
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

static int dump_function(struct dump *d, const struct sass_module *m, const struct cubin_function *f, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();
    struct strbuf b = STRBUF_INIT;
    int ret = 0;

    d->functions_count++;
    if (!d->functions)
        printf("%s%s  sm_%u%s%s\n", d->functions_count > 1 ? "\n" : "", f->name, m->cubin.arch,
               *m->where ? ", " : "", m->where);
    for (uint64_t at = 0; at < f->code_bytes; at += CUBIN_INST_BYTES) {
        struct sass_inst x;
        uint64_t words[2];

        load_words(f, at, words);
        sass_decode(words, m->cubin.arch, at, &x);
        d->count[x.state]++;
        if (d->functions)
            o.failed |= json_push(list, inst_json(&x)) != 0;
        else
            print_line(&x, &b);
    }
    json_put_str(&o, "name", f->name);
    json_put_str(&o, "module", m->where);
    json_put_u64(&o, "arch", m->cubin.arch);
    json_put_bool(&o, "kernel", f->entry);
    json_put(&o, "instructions", list);
    if (d->functions)
        ret = json_push(d->functions, json_obj_end(&o)) != 0 ? err_no_memory(e) : 0;
    else
        json_decref(json_obj_end(&o));
    strbuf_release(&b);
    return ret;
}

static int dump_file(struct dump *d, const struct sass_file *file, struct err *e)
{
    for (size_t m = 0; m < file->count; m++)
        for (size_t k = 0; k < file->items[m].cubin.count; k++) {
            const struct cubin_function *f = &file->items[m].cubin.functions[k];

            if (d->kernel && !strstr(f->name, d->kernel))
                continue;
            if (!sass_can_decode(file->items[m].cubin.arch))
                return err_set(e, ERR_UNSUPPORTED, "%.200s is code for sm_%u; sm_70 to sm_90 can be decoded",
                               f->name, file->items[m].cubin.arch);
            if (dump_function(d, &file->items[m], f, e) != 0)
                return -1;
        }
    if (d->functions_count == 0) {
        err_set(e, ERR_NOT_FOUND, "no function of the file has `%.100s` in its name", d->kernel ? d->kernel : "");
        return err_hint(e, "`vivace sass list` names the kernels.");
    }
    return 0;
}

static int print_end(struct dump *d, struct err *e)
{
    uint64_t all = d->count[SASS_UNKNOWN] + d->count[SASS_PARTLY] + d->count[SASS_DECODED];
    struct json_obj o;

    if (!d->functions) {
        printf("\n%" PRIu64 " instructions: %" PRIu64 " decoded, %" PRIu64 " partly, %" PRIu64 " unknown\n", all,
               d->count[SASS_DECODED], d->count[SASS_PARTLY], d->count[SASS_UNKNOWN]);
        return 0;
    }
    o = json_obj_begin();
    json_put_u64(&o, "decoded", d->count[SASS_DECODED]);
    json_put_u64(&o, "partly", d->count[SASS_PARTLY]);
    json_put_u64(&o, "unknown", d->count[SASS_UNKNOWN]);
    json_put(&o, "functions", d->functions);
    d->functions = NULL;
    return cli_print_json(json_obj_end(&o), e);
}

int sass_dump(int argc, char **argv)
{
    struct cli_output output = {0};
    struct dump d = {0};
    const struct cli_option options[] = {
        {"kernel", 0, CLI_TEXT, "TEXT", &d.kernel, "only functions with this text in their names"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "sass dump",
                                    .synopsis = "FILE [--kernel TEXT]",
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
    if (output.json)
        d.functions = json_array();
    if (sass_input_open(args.items[0], &in, &e) == 0 && dump_file(&d, &in.file, &e) == 0)
        ret = print_end(&d, &e);
    json_decref(d.functions);
    sass_input_close(&in);
    r = cli_end(ret, &e);
    return r == 0 && d.count[SASS_UNKNOWN] ? EXIT_BAD_INPUT : r;
}
