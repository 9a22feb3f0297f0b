/* ptx/runtime/resume.c: checkpoints of whole programs. The program's own variables cannot be saved, so the
 * program runs again from its begin. Only its first launches are skipped: each restores memory to its content
 * after that launch (replay.h). */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "ptx/checkpoint/replay.h"
#include "ptx/runtime/runtime.h"

static struct ptx_replay_log *made; /* the checkpoint that is being written */
static struct ptx_replay *from;     /* the checkpoint whose launches are skipped */
static struct strbuf printed = STRBUF_INIT;

/* SHA-256 of the design that simulated the times. NULL: launches are not simulated. */
static const char *times_of(void)
{
    return shim.gpu->ops->simulate ? shim.gpu->sha256 : NULL;
}

/* All times of a profile must come from one design. */
static int check_times(const char *design, struct err *e)
{
    const char *now = times_of();

    if (!shim.settings.profile || !now || (design && strcmp(design, now) == 0))
        return 0;
    return err_set(e, ERR_UNSUPPORTED,
                   "checkpoint %s: its launches %s, so a profile would not have the times of %s: make the "
                   "checkpoint with this --gpu too",
                   shim.settings.resume,
                   design ? "were simulated on another design" : "were not simulated (it was made without --gpu)",
                   shim.gpu->name);
}

int resume_open(struct err *e)
{
    if (shim.settings.resume &&
        (ptx_replay_open(shim.settings.resume, &from, e) != 0 || check_times(ptx_replay_design(from), e) != 0))
        return -1;
    return shim.settings.checkpoint_at ? ptx_replay_log_new(shim.program, &made, e) : 0;
}

bool resume_passes_over(void)
{
    return from && ptx_replay_launches_left(from);
}

int resume_pass(const struct ptx_launch *launch, struct shim_launched *reported, struct err *e)
{
    struct ptx_replay_step step;

    if (ptx_replay_next(from, shim.program, launch, &step, e) != 0)
        return -1;
    fwrite(step.print, 1, step.print_bytes, stdout);
    reported->warp_instructions = step.warp_instructions;
    reported->length_ps = step.length_ps;
    reported->registers = step.registers;
    if (!ptx_replay_launches_left(from)) {
        ptx_replay_close(from);
        from = NULL;
    }
    return 0;
}

int resume_begin(const struct ptx_launch *launch, struct err *e)
{
    strbuf_clear(&printed);
    return made ? ptx_replay_begin(made, launch, e) : 0;
}

void resume_print(const char *text, size_t n)
{
    if (made)
        strbuf_add(&printed, text, n);
}

int resume_end(const struct shim_launched *reported, struct err *e)
{
    const struct ptx_replay_step step = {.warp_instructions = reported->warp_instructions,
                                         .length_ps = reported->length_ps,
                                         .registers = reported->registers,
                                         .print = printed.text,
                                         .print_bytes = printed.length};
    int ret;

    if (!made)
        return 0;
    ret = printed.failed ? err_no_memory(e) : ptx_replay_end(made, &step, e);
    if (ret == 0 && reported->number + 1 < shim.settings.checkpoint_at)
        return 0;
    if (ret == 0)
        ret = ptx_replay_save(made, shim.settings.checkpoint, times_of(), e);
    resume_close();
    return ret;
}

void resume_close(void)
{
    ptx_replay_log_free(made);
    ptx_replay_close(from);
    strbuf_release(&printed);
    made = NULL;
    from = NULL;
}
