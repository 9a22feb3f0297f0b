/* The common head of all scripts, and the notes about a job. */
#include "wire/tracer_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"

void shell_quote(struct strbuf *out, const char *text)
{
    strbuf_addc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            strbuf_adds(out, "'\\''");
        else
            strbuf_addc(out, *text);
    }
    strbuf_addc(out, '\'');
}

void tracer_notes(const struct tracer_job *job, struct strbuf *out)
{
    const struct profile *p = job->profile;
    uint64_t replays = p->contexts[job->context].count - profile_calls(p, job->context);

    ASSERT(replays <= p->contexts[job->context].count);
    if (job->elsewhere)
        strbuf_addf(out,
                    "%zu samples belong to other contexts: each context has its own script, which is run around "
                    "the process of the context.\n",
                    job->elsewhere);
    if (job->replayed)
        strbuf_addf(out,
                    "%zu samples are replays of CUDA graphs, which this tool cannot address. They are left out, "
                    "and stay missing in a projection.\n",
                    job->replayed);
    if (replays && !job->tool->graphs)
        strbuf_addf(out,
                    "%" PRIu64 " launches of this context are replays of CUDA graphs and have no number with this "
                    "tool. Kernels captured into a graph may be counted when they are recorded; if CUDA graphs are "
                    "off in the "
                    "profile too, all numbers are certain.\n",
                    replays);
    if (job->tied > job->replayed)
        strbuf_addf(out,
                    "%zu samples share one call with others or have no correlation id: their order among these is "
                    "that of their start times.\n",
                    job->tied - job->replayed);
    if (job->surplus)
        strbuf_addf(out,
                    "%" PRIu64
                    " launches between the planned ones are traced too, so that %zu passes are enough (the more "
                    "passes, the fewer); %s.\n",
                    job->surplus, job->passes,
                    job->tool->graphs ? "leave them out of what you read" : "the script removes them");
}

static void add_notes(const struct tracer_job *job, struct strbuf *out)
{
    struct strbuf notes = STRBUF_INIT;

    tracer_notes(job, &notes);
    for (char *line = notes.text, *end; (end = strchr(line, '\n')); line = end + 1)
        strbuf_addf(out, "# Note: %.*s\n", (int)(end - line), line);
    out->failed |= notes.failed;
    ASSERT(notes.failed || notes.length == 0 || notes.text[notes.length - 1] == '\n');
    strbuf_release(&notes);
}

static void add_default(struct strbuf *out, const char *name, const char *value)
{
    strbuf_addf(out, "%s=${%s-}\n[ -n \"$%s\" ] || %s=", name, name, name, name);
    shell_quote(out, value);
    strbuf_addc(out, '\n');
}

/* Where the profile begins at another launch than this script was written for. */
static void add_other_offset(const struct tracer_job *job, struct strbuf *out)
{
    if (job->only_missing) {
        strbuf_adds(out, "    stop \"write the script for it: vivace plan trace RUN --missing --offset $found, "
                         "with the other \"\\\n"
                         "        \"options as before\"\n");
        return;
    }
    strbuf_addf(
        out,
        "    \"$VIVACE\" plan trace \"$PLAN\" --profile \"$PROFILE\" --context %zu --for %s --passes %u \\\n"
        "        --offset \"$found\" --out \"$OUT/trace.sh\" || exit 1\n"
        "    export PLAN PROFILE OUT VIVACE\n"
        "    VIVACE_DRY_RUN=$list exec sh \"$OUT/trace.sh\" \"$@\"\n",
        job->context, job->tool->name, job->passes_max);
}

static void add_head(const struct tracer_job *job, const struct tracer_paths *paths, struct strbuf *out)
{
    const struct profile_context *c = &job->profile->contexts[job->context];
    char method[sizeof job->plan->method], stated[40] = "";

    ASSERT(job->tool && job->pick_count <= job->plan->sample_count);
    if (job->offset)
        snprintf(stated, sizeof stated, "--offset %" PRIu64 " ", job->offset);
    memcpy(method, job->plan->method, sizeof method);
    text_sanitize(method); /* a line feed would end the comment */
    strbuf_addf(out,
                "#!/bin/sh\n"
                "# Traces what a sampling plan drew, with the %s. Written by `vivace plan trace --for %s`.\n"
                "#\n"
                "#   sh SCRIPT PROGRAM [ARGUMENT...]     the program, started as it was when it was profiled\n"
                "#\n"
                "# Plan: %s, %zu of %" PRIu64
                " launches, of profile %.12s. This script: %zu samples of context %zu\n"
                "# (device %d, process %" PRIu64 ", %" PRIu64 " launches).\n"
                "# Environment: PLAN, PROFILE (files), OUT (a folder to make), VIVACE (the program vivace)%s.\n",
                job->tool->title, job->tool->name, method, job->plan->sample_count, job->plan->launches,
                job->plan->profile_sha256, job->pick_count, job->context, c->device, c->process, c->count,
                strcmp(job->tool->name, "ncu") == 0 ? ", NCU, NCU_SET" : ", TRACER");
    add_notes(job, out);
    strbuf_adds(out, "set -eu\n");
    add_default(out, "PLAN", paths->plan);
    add_default(out, "PROFILE", paths->profile);
    add_default(out, "OUT", paths->out);
    strbuf_addf(
        out,
        "VIVACE=${VIVACE:-vivace}\n"
        "dry_run=${VIVACE_DRY_RUN-} # the list of a dry run that was made already\n"
        "unset VIVACE_DRY_RUN\n"
        "\n"
        "stop() {\n"
        "    printf '%%s: %%s\\n' \"$0\" \"$*\" >&2\n"
        "    exit 1\n"
        "}\n"
        "offset=%" PRIu64 " # launches of the tool's list before the first one of the profile\n"
        "# LIST [LAUNCHES [OFFSET]]: compares a list with the profile; prints which part of it matched.\n"
        "check() {\n"
        "    \"$VIVACE\" plan check \"$PLAN\" --profile \"$PROFILE\" --context %zu --list \"$1\" \\\n"
        "        --at-least \"${2:-0}\" --offset \"${3:-$offset}\" --print-part ||\n"
        "        stop \"the launches are not those of the profile: nothing is traced from here on\"\n"
        "}\n"
        "# LIST PROGRAM...: finds where the profile begins in the list of the dry run. Where that is another\n"
        "# place than this script was written for, a script with other numbers goes on.\n"
        "find_offset() {\n"
        "    list=$1\n"
        "    shift\n"
        "    found=$(\"$VIVACE\" plan check \"$PLAN\" --profile \"$PROFILE\" --context %zu --list \"$list\" \\\n"
        "        %s--print-offset) ||\n"
        "        stop \"the launches are not those of the profile: nothing is traced from here on\"\n"
        "    [ \"$found\" -ne \"$offset\" ] || return 0\n"
        "    echo \"$0: the profile begins at launch $found of this run, counted from 0\" >&2\n",
        job->offset, job->context, job->context, stated);
    add_other_offset(job, out);
    strbuf_adds(out, "}\n"
                     "[ $# -gt 0 ] || stop \"which program? sh $0 PROGRAM [ARGUMENT...]\"\n"
                     "for file in \"$PLAN\" \"$PROFILE\"; do\n"
                     "    [ -e \"$file\" ] || stop \"$file is not here; PLAN and PROFILE say where they are\"\n"
                     "done\n"
                     "[ -n \"$dry_run\" ] || [ ! -e \"$OUT\" ] ||\n"
                     "    stop \"$OUT is there already; OUT names another folder\"\n"
                     "command -v \"$VIVACE\" >/dev/null || stop \"$VIVACE is not here; VIVACE says where it is\"\n"
                     "mkdir -p \"$OUT\"\n"
                     "OUT=$(cd \"$OUT\" && pwd)\n"
                     "\n");
}

int tracer_script(struct tracer_job *job, const struct tracer_paths *paths, struct strbuf *out, struct err *e)
{
    struct strbuf body = STRBUF_INIT;
    int ret = job->tool->write(job, &body, e); /* before the head, which contains values that it sets */

    if (ret == 0) {
        ASSERT(job->passes > 0);
        add_head(job, paths, out);
        strbuf_add(out, body.text, body.length);
        if (body.failed || out->failed)
            ret = err_no_memory(e);
    }
    strbuf_release(&body);
    return ret;
}
