/* simcore/mem/noc/delay.c: between the ports of GPCs and the slices a packet takes a time of its own, whatever else
 * is on its way. */
#include "simcore/mem/noc/noc.h"

const struct noc_ops noc_delay = {.name = "delay", .there_ps = noc_way_there_ps, .back_ps = noc_way_back_ps};
