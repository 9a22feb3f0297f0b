/* wire/curl_setup.h: what every HTTP request that a program of ours makes has in common. */
#ifndef VIVACE_WIRE_CURL_SETUP_H
#define VIVACE_WIRE_CURL_SETUP_H

#include <curl/curl.h>

#include "base/err.h"

/* No signals, sockets that programs started meanwhile do not have, http and https only, no proxy for this machine,
 * 10 s to connect; given up after `silent_s` seconds at less than `least_bytes` a second, where silent_s is not 0.
 * `problem` has CURL_ERROR_SIZE bytes and outlives the request: libcurl's own words when it fails. */
void curl_setup(CURL *h, char *problem, long least_bytes, long silent_s);
/* Appends one header line. -1 when memory ran out; the list is as it was. */
int curl_header(struct curl_slist **list, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
