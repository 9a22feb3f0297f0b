/* sass/exec/list_engine.h: runs the kernels of a launch list (ptx/list) from machine code. */
#ifndef VIVACE_SASS_EXEC_LIST_ENGINE_H
#define VIVACE_SASS_EXEC_LIST_ENGINE_H

#include "ptx/list/launch_list.h"
#include "sass/exec/exec.h"
#include "sass/sass_file.h"

struct sass_list_engine {
    struct launch_list_engine engine; /* for launch_list_options */
    const struct sass_file *file;
    uint32_t arch; /* 0: the newest that can be executed; after the begin: the one that is executed */
    struct sass_program *program;
    uint64_t last[SASS_CLASS_COUNT]; /* warp instructions of the last launch by class */
};
/* All must stay valid until sass_list_engine_release(). */
void sass_list_engine_init(struct sass_list_engine *x, const struct sass_file *file, uint32_t arch);
void sass_list_engine_release(struct sass_list_engine *x);

#endif
