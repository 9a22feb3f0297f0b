/* wire/curl_setup.h: the common settings of every HTTP request that a Vivace program makes. */
#ifndef VIVACE_WIRE_CURL_SETUP_H
#define VIVACE_WIRE_CURL_SETUP_H

#include <curl/curl.h>

#include "base/err.h"

/* Sets: no signals; sockets that child processes do not inherit; http and https only; no proxy for the local
 * host; 10 s to connect. If silent_s > 0, a request below `least_bytes` per second during `silent_s` seconds
 * fails. `problem` has CURL_ERROR_SIZE bytes and must outlive the request. libcurl writes its error message
 * there. */
void curl_setup(CURL *h, char *problem, long least_bytes, long silent_s);
/* Appends one header line. -1: out of memory; the list is unchanged. */
int curl_header(struct curl_slist **list, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
