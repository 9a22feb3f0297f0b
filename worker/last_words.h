/* worker/last_words.h: the last bytes that a process wrote to stderr, told apart by the job they belong to. */
#ifndef VIVACE_WORKER_LAST_WORDS_H
#define VIVACE_WORKER_LAST_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAST_WORDS_KEPT = 65536 }; /* bytes */

/* Zeroed, then used. */
struct last_words {
    char ring[LAST_WORDS_KEPT];
    uint64_t total;        /* bytes ever added */
    uint64_t job, earlier; /* where the words of this job begin, and those of the last before it that said any */
};
void last_words_add(struct last_words *w, const char *bytes, size_t n);
/* The job's words as text: whole lines where some were cut off, no control characters but line ends. The caller
 * frees; NULL when it was silent. */
char *last_words_text(const struct last_words *w);
/* `together`: this job's end was heard in one breath with that of the one before, so that words of jobs after both
 * may have gone to the first: a silent one does not hide them. Else words stay with the job that they came with. */
void last_words_next_job(struct last_words *w, bool together);

#endif
