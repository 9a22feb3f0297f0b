#include "cli/trace/trace_repairs.h"

#include "cli/cli.h"

void trace_repairs_add(struct trace_repairs *to, const struct trace_repairs *r)
{
    to->destination_from_source += r->destination_from_source;
    to->register_group += r->register_group;
    to->empty_ctas += r->empty_ctas;
    to->damaged_warps += r->damaged_warps;
    to->access_width += r->access_width;
    to->operand_kind += r->operand_kind;
    to->unknown_opcode += r->unknown_opcode;
    to->lane_addresses += r->lane_addresses;
    to->polls += r->polls;
}

void trace_repairs_print(const struct trace_repairs *r)
{
    const struct {
        uint64_t n;
        const char *what;
    } rows[] = {{r->destination_from_source, "destinations that were recorded as a source"},
                {r->register_group, "instructions with register groups, of which the first is named"},
                {r->access_width, "accesses whose opcode says another width than the trace"},
                {r->operand_kind, "instructions with predicates recorded as registers"},
                {r->lane_addresses, "accesses of which not each lane's address was recorded"},
                {r->polls, "omitted instructions of loops that polled a barrier without success"},
                {r->damaged_warps, "warps that have more or fewer instructions than they say"}};
    char a[CLI_NUMBER];

    printf("repaired   %s %s\n", cli_whole(rows[0].n, a), rows[0].what);
    for (size_t i = 1; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].n || i == 1)
            printf("           %s %s\n", cli_whole(rows[i].n, a), rows[i].what);
    printf("missing    %s CTAs of the grids (they executed nothing, or were not recorded)\n",
           cli_whole(r->empty_ctas, a));
}

json_t *trace_repairs_json(const struct trace_repairs *r)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "destination_from_source",
                     (json_int_t)r->destination_from_source, "register_group", (json_int_t)r->register_group,
                     "access_width", (json_int_t)r->access_width, "operand_kind", (json_int_t)r->operand_kind,
                     "lane_addresses", (json_int_t)r->lane_addresses, "polls", (json_int_t)r->polls,
                     "damaged_warps", (json_int_t)r->damaged_warps, "empty_ctas", (json_int_t)r->empty_ctas);
}
