#include "cli/input/cost_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "sampling/allocate/cost_fit.h"

struct points {
    struct cost_point *items;
    size_t count, capacity;
};

static int read_line(char *line, struct points *p, struct err *e)
{
    char *comma = strchr(line, ',');
    struct cost_point point;

    line[strcspn(line, "\r\n")] = '\0';
    if (!*line)
        return 0;
    if (!comma)
        return err_set(e, ERR_INVALID, "`%.40s` is not a value, a comma and seconds", line);
    *comma = '\0';
    if (parse_double(line, "the value", &point.value, e) < 0 ||
        parse_double(comma + 1, "the seconds", &point.seconds, e) < 0) {
        e->code = ERR_INVALID; /* the value is wrong in the file, not on the command line */
        return -1;
    }
    if (array_reserve((void **)&p->items, &p->capacity, p->count + 1, sizeof *p->items, e) < 0)
        return -1;
    p->items[p->count++] = point;
    return 0;
}

int cost_file_read(const char *path, struct plan_params *params, struct err *e)
{
    struct points p = {0};
    struct cost_fit fit = {0};
    char line[256];
    FILE *f = fopen(path, "r");
    int ret = 0;

    if (!f)
        return err_set_errno(e, errno, "cannot read %s", path);
    for (unsigned number = 1; ret == 0 && fgets(line, sizeof line, f); number++) {
        if (number == 1 && isalpha((unsigned char)line[0]))
            continue;
        if (read_line(line, &p, e) < 0)
            ret = err_wrap(e, "%s: line %u", path, number);
    }
    if (ret == 0 && ferror(f))
        ret = err_set_errno(e, errno, "cannot read %s", path);
    else if (ret == 0 && cost_fit(p.items, p.count, &fit, e) < 0)
        ret = err_wrap(e, "%s", path);
    if (ret == 0) {
        params->cost_fixed = fit.fixed;
        params->cost_per_unit = fit.per_unit;
    }
    free(p.items);
    fclose(f);
    return ret;
}
