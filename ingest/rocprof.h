/* ingest/rocprof.h: common code of the readers of AMD's rocprof. */
#ifndef VIVACE_INGEST_ROCPROF_H
#define VIVACE_INGEST_ROCPROF_H

#include "ingest/import.h"

/* The length of a kernel's name without the ending of its descriptor: "saxpy(int, float*) [clone .kd]", "saxpy.kd".
 */
size_t rocprof_name_length(const char *name, size_t length);
/* The number of workgroups in one dimension; 0 where `group` is 0. Both are in work-items. A grid whose size is not
 * a multiple of the workgroup's ends with a smaller workgroup. */
int64_t rocprof_workgroups(int64_t grid, int64_t group);
/* Warns that no design of an AMD GPU exists. */
void rocprof_warn(struct import *im);

#endif
