/* simcore/params/all.h: the table of all parameters of a design, in the order of a file. A file that
 * includes it must define the three kinds of rows first: design.h makes the fields of struct gpu_design,
 * design_params.c the table.
 *
 * NUMBER("group", "key", place, "unit", least, most, scale, "meaning", defaults)   stored: value * scale, rounded
 * CHOICE("group", "key", place, "unit", names, "meaning", defaults)   stored: index in names
 * LIST("group", "key", "unit", "meaning", defaults)
 *
 * place: OWN(field) is a field of struct gpu_design that the row declares; AT(place) is in a member that design.h
 * declares. Defaults, where a file leaves the parameter out (design_complete.c):
 *   REQUIRED                                  none: every design states it
 *   BY(GENERATION | ..., "value", "source"[, "reason"])   for GPUs of these generations
 *   ADDED("value"), before any BY             the parameter was added after the first design files; with this value
 *                                             the simulator behaves as before. A file that leaves it out keeps its
 *                                             hash, unless a BY applies to its GPU. */
#include "simcore/params/gpu.h"
#include "simcore/params/sm.h"
#include "simcore/params/units.h"
#include "simcore/params/tensor.h"
#include "simcore/params/sm_memory.h"
#include "simcore/params/fetch.h"
#include "simcore/params/l2.h"
#include "simcore/params/dram.h"
#include "simcore/params/tlb.h"
#include "simcore/params/link.h"
#include "simcore/params/power.h"
#include "simcore/params/model.h"
#undef NUMBER
#undef CHOICE
#undef LIST
