/* The table of model errors (simcore/designs/model_error.csv), and what a projection says of it. */
#include "wire/model_error.h"

#include <string.h>

#include "base/embed.h"
#include "tests/harness/check.h"

/* Each row is read back: its class and its numbers are right. */
static void every_row_can_be_read(void **state)
{
    const char *line = (const char *)embedded_model_error[0].bytes;
    int rows = 0;

    (void)state;
    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        struct model_error m;
        char design[64], class[64];
        bool known = false;

        if (*line == '#' || strncmp(line, "design,", 7) == 0)
            continue;
        assert_int_equal(sscanf(line, "%63[^,],%63[^,],", design, class), 2);
        for (int k = 0; k < KERNEL_CLASSES; k++)
            if (strcmp(class, kernel_class_names[k]) == 0)
                known = model_error_find(design, (enum kernel_class)k, &m);
        if (!known || m.kernels == 0 || !(m.error >= 0) || !(m.bias > 0) || !m.simulator[0])
            fail_msg("the row of %s and %s is wrong", design, class);
        rows++;
    }
    assert_true(rows > 0);
}

static void what_was_not_measured_says_so(void **state)
{
    struct class_shares s = {0};
    json_t *list, *first, *second;

    (void)state;
    class_shares_add(&s, "ampere_sgemm_128x64_tn", 1);
    class_shares_add(&s, "flash_fwd_kernel", 3);
    class_shares_finish(&s);
    list = model_errors_to_json("rtx3080", true, &s);
    assert_int_equal(json_array_size(list), 2);
    first = json_array_get(list, 0);
    second = json_array_get(list, 1);
    assert_string_equal(json_string_value(json_object_get(first, "class")), "attention");
    CHECK_NEAR(json_number_value(json_object_get(first, "share")), 0.75, 1e-12);
    assert_int_equal(json_integer_value(json_object_get(first, "kernels")), 0);
    assert_true(json_is_null(json_object_get(first, "error")));
    assert_string_equal(json_string_value(json_object_get(second, "class")), "gemm");
    assert_true(json_integer_value(json_object_get(second, "kernels")) > 0);
    assert_true(json_number_value(json_object_get(second, "error")) > 0);
    json_decref(list);
    list = model_errors_to_json("rtx3080", false, &s); /* another design of that name */
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "kernels")), 0);
    json_decref(list);
    s = (struct class_shares){0};
    list = model_errors_to_json("v100", true, &s);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_can_be_read),
        cmocka_unit_test(what_was_not_measured_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
