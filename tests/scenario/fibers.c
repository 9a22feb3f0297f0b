#include "tests/scenario/fibers.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/types.h>
#include <time.h>
#include <ucontext.h>

#include "tests/scenario/world.h"

#define STACK         ((size_t)1 << 20)
#define POLL_SLICE_US (50 * MS)
#define WALL_ZERO_S   INT64_C(1790000000) /* real time at the start of every scenario: September 2026 */

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

struct fiber {
    struct fiber *next;
    ucontext_t context;
    char *stack;
    int owner;
    void *(*run)(void *);
    void *ctx;
    const void *on; /* waits for this or until a time; NULL and 0: it can run */
    uint64_t until_us;
    bool waiting, done;
    void *fake; /* the address sanitizer's record of the stack */
};

static struct fiber *all, *self;
static ucontext_t outside;
static char *free_stacks; /* linked list through the first bytes of each stack */

/* --- Switching --- */

static char *take_stack(void)
{
    char *s = free_stacks;

    if (s) {
        memcpy(&free_stacks, s, sizeof free_stacks);
        return s;
    }
    s = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s == MAP_FAILED)
        abort();
    return s;
}

static void give_stack(char *s)
{
    memcpy(s, &free_stacks, sizeof free_stacks);
    free_stacks = s;
}

static void enter(struct fiber *f)
{
#ifdef __SANITIZE_ADDRESS__
    void *fake;

    self = f;
    __sanitizer_start_switch_fiber(&fake, f->stack, STACK);
    swapcontext(&outside, &f->context);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
#else
    self = f;
    swapcontext(&outside, &f->context);
#endif
    self = NULL;
}

#ifdef __SANITIZE_ADDRESS__
static const void *outside_bottom;
static size_t outside_size;
#endif

static void leave(void)
{
    struct fiber *f = self;

#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(f->done ? NULL : &f->fake, outside_bottom, outside_size);
    swapcontext(&f->context, &outside);
    __sanitizer_finish_switch_fiber(f->fake, &outside_bottom, &outside_size);
#else
    swapcontext(&f->context, &outside);
#endif
}

static void begin(void)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(NULL, &outside_bottom, &outside_size);
#endif
    self->run(self->ctx);
    self->done = true;
    fiber_wake(self, true);
    leave();
}

struct fiber *fiber_new(int owner, void *(*run)(void *ctx), void *ctx)
{
    struct fiber *f = calloc(1, sizeof *f);
    struct fiber **end = &all;

    if (!f)
        abort();
    f->stack = take_stack();
    f->owner = owner;
    f->run = run;
    f->ctx = ctx;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = NULL;
    makecontext(&f->context, begin, 0);
    while (*end)
        end = &(*end)->next;
    *end = f;
    return f;
}

static bool can_run(const struct fiber *f)
{
    return !f->done && (!f->waiting || f->until_us <= world.now_us);
}

static void forget_ended(void)
{
    for (struct fiber **at = &all; *at;) {
        struct fiber *f = *at;

        if (!f->done) {
            at = &f->next;
            continue;
        }
        *at = f->next;
        give_stack(f->stack);
        free(f);
    }
}

bool fibers_step(void)
{
    size_t n = 0, which;
    struct fiber *f;

    for (f = all; f; f = f->next)
        n += can_run(f);
    if (n == 0)
        return false;
    which = n > 1 ? random_below(n) : 0;
    for (f = all; f; f = f->next)
        if (can_run(f) && which-- == 0)
            break;
    if (!f)
        return false; /* unreachable: one of n was selected */
    f->waiting = false;
    f->on = NULL;
    enter(f);
    if (f->done)
        forget_ended();
    return true;
}

uint64_t fibers_next_us(void)
{
    uint64_t next = UINT64_MAX;

    for (const struct fiber *f = all; f; f = f->next)
        if (!f->done && f->waiting && f->until_us < next)
            next = f->until_us;
    return next;
}

static void drop(int owner, bool everybody)
{
    for (struct fiber *f = all; f; f = f->next)
        if (everybody || f->owner == owner)
            f->done = true;
    forget_ended();
}

void fibers_drop(int owner)
{
    drop(owner, false);
}

void fibers_forget(void)
{
    drop(0, true);
}

bool fiber_running(void)
{
    return self != NULL;
}

int fiber_owner(void)
{
    return self ? self->owner : -1;
}

void fiber_wait(const void *on, uint64_t until_us)
{
    if (!self)
        return;
    self->waiting = true;
    self->on = on;
    self->until_us = until_us;
    leave();
}

void fiber_sleep(uint64_t us)
{
    fiber_wait(NULL, world.now_us + us);
}

void fiber_wake(const void *on, bool everybody)
{
    size_t n = 0, which;

    for (const struct fiber *f = all; f; f = f->next)
        n += !f->done && f->waiting && f->on == on;
    which = n > 1 && !everybody ? random_below(n) : 0;
    for (struct fiber *f = all; f; f = f->next) {
        if (f->done || !f->waiting || f->on != on)
            continue;
        if (everybody || which-- == 0)
            f->waiting = false;
        if (!everybody && !f->waiting)
            return;
    }
}

/* --- Functions that the servers' objects call instead of the system's (--wrap) --- */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *ctx);
int __wrap_pthread_join(pthread_t thread, void **value);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock, const struct timespec *until);
int __wrap_pthread_cond_signal(pthread_cond_t *cond);
int __wrap_pthread_cond_broadcast(pthread_cond_t *cond);
int __wrap_nanosleep(const struct timespec *t, struct timespec *left);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms);
ssize_t __wrap_getrandom(void *out, size_t n, unsigned flags);
void __wrap_randombytes_buf(void *out, size_t n);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout_ms);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *ctx)
{
    (void)attr;
    *thread = (pthread_t)(uintptr_t)fiber_new(fiber_owner(), run, ctx);
    return 0;
}

static bool lives(const struct fiber *wanted)
{
    for (const struct fiber *f = all; f; f = f->next)
        if (f == wanted)
            return !f->done;
    return false;
}

int __wrap_pthread_join(pthread_t thread, void **value)
{
    const struct fiber *f = (const struct fiber *)(uintptr_t)thread;

    while (lives(f))
        fiber_wait(f, UINT64_MAX);
    if (value)
        *value = NULL;
    return 0;
}

/* Another fiber holds the lock and sleeps inside a statement. This is rare, because locks are not held across
 * statements. */
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
    while (pthread_mutex_trylock(lock) == EBUSY)
        fiber_sleep(10);
    return 0;
}

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock)
{
    pthread_mutex_unlock(lock);
    fiber_wait(cond, UINT64_MAX);
    return __wrap_pthread_mutex_lock(lock);
}

static uint64_t us_of(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * S + (uint64_t)t->tv_nsec / 1000;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock, const struct timespec *until)
{
    uint64_t until_us = us_of(until);

    pthread_mutex_unlock(lock);
    fiber_wait(cond, until_us);
    __wrap_pthread_mutex_lock(lock);
    return world.now_us >= until_us ? ETIMEDOUT : 0;
}

int __wrap_pthread_cond_signal(pthread_cond_t *cond)
{
    fiber_wake(cond, false);
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *cond)
{
    fiber_wake(cond, true);
    return 0;
}

int __wrap_nanosleep(const struct timespec *t, struct timespec *left)
{
    (void)left;
    fiber_sleep(us_of(t) > 0 ? us_of(t) : 1);
    return 0;
}

int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
    uint64_t us = world.now_us;

    *t = (struct timespec){.tv_sec = (time_t)(us / S), .tv_nsec = (long)(us % S) * 1000};
    if (id == CLOCK_REALTIME)
        t->tv_sec += WALL_ZERO_S;
    return 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    uint64_t until = world.now_us + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * MS;
    int ready = __real_poll(fds, n, 0);

    while (ready == 0 && world.now_us < until && self) {
        uint64_t left = until - world.now_us;

        fiber_sleep(left < POLL_SLICE_US ? left : POLL_SLICE_US);
        ready = __real_poll(fds, n, 0);
    }
    return ready;
}

ssize_t __wrap_getrandom(void *out, size_t n, unsigned flags)
{
    (void)flags;
    world_random(out, n);
    return (ssize_t)n;
}

void __wrap_randombytes_buf(void *out, size_t n)
{
    world_random(out, n);
}
