/* base/conf_value.h: converts the text of a setting (base/conf.h) and stores it in the caller's struct. */
#ifndef VIVACE_BASE_CONF_VALUE_H
#define VIVACE_BASE_CONF_VALUE_H

#include "base/conf.h"

/* Checks and converts the text, and stores the value. A NULL text is ERR_USAGE. */
int conf_value_set(void *values, const struct conf_setting *s, const char *text, struct err *e);

#endif
