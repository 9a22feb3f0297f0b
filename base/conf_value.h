/* base/conf_value.h: the values of settings (base/conf.h), from text into the caller's struct. */
#ifndef VIVACE_BASE_CONF_VALUE_H
#define VIVACE_BASE_CONF_VALUE_H

#include "base/conf.h"

/* Checks the text and keeps it, converted, in the setting's value; NULL is ERR_USAGE. */
int conf_value_set(void *values, const struct conf_setting *s, const char *text, struct err *e);

#endif
