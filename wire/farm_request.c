#include "wire/farm_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"
#include "wire/curl_setup.h"
#include "wire/json.h"

static size_t take_body(char *bytes, size_t size, size_t n, void *ctx)
{
    struct farm_answer *a = ctx;
    long status = 0;

    n *= size;
    curl_easy_getinfo(a->easy, CURLINFO_RESPONSE_CODE, &status);
    if (a->sink && (status == 200 || status == 206))
        return a->sink(a->ctx, (int)status, bytes, n) == 0 ? n : 0;
    ASSERT(a->body.length <= a->body_max);
    if (a->body.length + n > a->body_max)
        return 0;
    strbuf_add(&a->body, bytes, n);
    return a->body.failed ? 0 : n;
}

static size_t take_header(char *line, size_t size, size_t n, void *ctx)
{
    struct farm_answer *a = ctx;

    n *= size;
    if (n > 12 && n < 40 && strncasecmp(line, "retry-after:", 12) == 0) {
        char digits[40];

        snprintf(digits, sizeof digits, "%.*s", (int)(n - 12), line + 12);
        a->retry_after_s = (unsigned)strtoul(digits, NULL, 10); /* a date reads as 0, as if absent */
        if (a->retry_after_s > a->retry_after_max_s)
            a->retry_after_s = a->retry_after_max_s;
    } else if (n > 27 && strncasecmp(line, "set-cookie: vivace_session=", 27) == 0) {
        snprintf(a->cookie, sizeof a->cookie, "%.*s", (int)strcspn(line + 12, ";\r\n"), line + 12);
    }
    return n;
}

static int add(struct curl_slist **headers, const char *name, const char *value)
{
    return value && *value ? curl_header(headers, "%s: %s", name, value) : 0;
}

static int set_headers(const struct farm_request *r, struct curl_slist **headers)
{
    if (*r->authorization && curl_header(headers, "%s", r->authorization) < 0)
        return -1;
    return add(headers, "Accept", "application/json, */*") < 0 ||
                   add(headers, "X-Vivace-Request", r->request_header ? "1" : NULL) < 0 ||
                   curl_header(headers, "Expect:") < 0 || add(headers, "Content-Type", r->content_type) < 0 ||
                   add(headers, "Idempotency-Key", r->idempotency_key) < 0 ||
                   add(headers, "Content-Digest", r->content_digest) < 0
               ? -1
               : 0;
}

int farm_request_set(CURL *easy, const struct farm_request *r, struct farm_answer *a, struct curl_slist **headers,
                     struct err *e)
{
    struct strbuf url = STRBUF_INIT;

    ASSERT(r->body || r->body_length == 0);
    strbuf_addf(&url, "%s%s", r->server, r->path);
    if (url.failed || set_headers(r, headers) < 0) {
        strbuf_release(&url);
        return err_no_memory(e);
    }
    a->easy = easy;
    curl_setup(easy, a->problem, r->least_bytes, r->silent_s);
    curl_easy_setopt(easy, CURLOPT_URL, url.text); /* curl copies it */
    strbuf_release(&url);
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, r->method);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, *headers);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, a);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, a);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, r->agent);
    if (r->ca_file && *r->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, r->ca_file);
    if (r->body || strcmp(r->method, "POST") == 0) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body_length);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, r->body ? r->body : "");
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, r->method);
    }
    return 0;
}

void farm_answer_words(const char *body, size_t n, char *detail, size_t detail_size, char *hint, size_t hint_size)
{
    struct err ignored;
    json_t *v = json_read_text(body, n, "the answer", &ignored);
    const char *words = NULL;

    ASSERT(detail_size > 0 && hint_size > 0);
    *detail = *hint = '\0';
    if (json_is_object(v) && json_opt_str(v, "detail", &words, &ignored) > 0)
        snprintf(detail, detail_size, "%s", words);
    if (json_is_object(v) && json_opt_str(v, "hint", &words, &ignored) > 0)
        snprintf(hint, hint_size, "%s", words);
    json_decref(v);
    text_sanitize(detail);
    text_sanitize(hint);
}
