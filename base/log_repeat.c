#include "base/log_repeat.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define WINDOW_US  UINT64_C(10000000)
#define BODIES     8
#define BODY_BYTES 1024

static struct said {
    char body[BODY_BYTES]; /* "": the slot is free */
    uint64_t at_us;        /* when it was written */
    unsigned repeated;     /* count of repeats since then */
} said[BODIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void tell(struct said *s, log_say_fn say)
{
    if (s->repeated > 0)
        say(s->body, s->repeated);
    *s = (struct said){.repeated = 0};
}

/* The slot of this body; where it has none, the slot that was written longest ago. */
static struct said *place_of(const char *body)
{
    struct said *oldest = &said[0];

    for (size_t i = 0; i < BODIES; i++) {
        if (strcmp(said[i].body, body) == 0)
            return &said[i];
        if (said[i].at_us < oldest->at_us)
            oldest = &said[i];
    }
    return oldest;
}

bool log_repeat(const char *body, uint64_t now_us, log_say_fn say)
{
    struct said *s;
    bool again;

    if (strlen(body) >= BODY_BYTES || pthread_mutex_trylock(&lock) != 0)
        return false;
    for (size_t i = 0; i < BODIES; i++) {
        if (said[i].body[0] && now_us - said[i].at_us >= WINDOW_US)
            tell(&said[i], say);
    }
    s = place_of(body);
    again = strcmp(s->body, body) == 0;
    if (again) {
        s->repeated++;
    } else {
        tell(s, say);
        snprintf(s->body, sizeof s->body, "%s", body);
        s->at_us = now_us;
    }
    pthread_mutex_unlock(&lock);
    return again;
}

void log_repeat_end(log_say_fn say)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    for (size_t i = 0; i < BODIES; i++)
        tell(&said[i], say);
    pthread_mutex_unlock(&lock);
}
