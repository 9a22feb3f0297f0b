#include "wire/model_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/text.h"
#include "wire/json.h"

enum { LINE_MAX_BYTES = 256 };

/* "v100,copy,3,0.016,0.984,0.8.1,GB,yes" behind its design and class. The file is part of the program. */
static bool read_values(char *values, struct model_error *out)
{
    char *save = NULL, *kernels = strtok_r(values, ",", &save), *error = strtok_r(NULL, ",", &save),
         *bias = strtok_r(NULL, ",", &save), *simulator = strtok_r(NULL, ",", &save),
         *source = strtok_r(NULL, ",", &save), *tuned = strtok_r(NULL, ",", &save);
    struct err ignored;

    if (!tuned || !source || parse_u64(kernels, "rows", &out->kernels, &ignored) < 0 ||
        parse_double(error, "error", &out->error, &ignored) < 0 ||
        parse_double(bias, "bias", &out->bias, &ignored) < 0)
        return false;
    snprintf(out->simulator, sizeof out->simulator, "%.15s", simulator);
    out->tuned = strcmp(tuned, "yes") == 0;
    return true;
}

bool model_error_find(const char *design, enum kernel_class class, struct model_error *out)
{
    const char *line = (const char *)embedded_model_error[0].bytes;
    char begin[LINE_MAX_BYTES], copy[LINE_MAX_BYTES];

    memset(out, 0, sizeof *out);
    snprintf(begin, sizeof begin, "%s,%s,", design, kernel_class_names[class]);
    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (!str_starts(line, begin))
            continue;
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
        return read_values(copy + strlen(begin), out);
    }
    return false;
}

void class_shares_add(struct class_shares *s, const char *kernel_name, double total)
{
    s->of[kernel_class_of(kernel_name)] += total;
}

void class_shares_finish(struct class_shares *s)
{
    double sum = 0;

    for (int k = 0; k < KERNEL_CLASSES; k++)
        sum += s->of[k];
    for (int k = 0; k < KERNEL_CLASSES; k++)
        s->of[k] = sum > 0 ? s->of[k] / sum : 0;
}

static json_t *one_to_json(const char *design, bool builtin, enum kernel_class class, double share)
{
    struct model_error m;
    bool known = model_error_find(design, class, &m) && builtin;
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "class", kernel_class_names[class]);
    json_put_double(&o, "share", share);
    json_put_u64(&o, "kernels", known ? m.kernels : 0);
    json_put_double(&o, "error", known ? m.error : NAN);
    json_put_double(&o, "bias", known ? m.bias : NAN);
    json_put_bool(&o, "tuned", known && m.tuned);
    json_put_str(&o, "simulator", known ? m.simulator : NULL);
    return json_obj_end(&o);
}

json_t *model_errors_to_json(const char *design, bool builtin, const struct class_shares *s)
{
    struct class_shares left = *s;
    json_t *list = json_array();

    while (list) {
        int most = 0;

        for (int k = 1; k < KERNEL_CLASSES; k++)
            if (left.of[k] > left.of[most])
                most = k;
        if (left.of[most] <= 0)
            break;
        if (json_push(list, one_to_json(design, builtin, (enum kernel_class)most, left.of[most])) < 0) {
            json_decref(list);
            return NULL;
        }
        left.of[most] = 0;
    }
    return list;
}
