#include "server/domain/access/password.h"

#include <pthread.h>
#include <string.h>

#include <sodium.h>

_Static_assert(crypto_pwhash_STRBYTES <= PASSWORD_TEXT, "a hashed password has room");

/* Hash of 64 random bytes that were discarded, with the current parameters. The password of an unknown user is
 * compared with it, so that the check takes as long as for a known user. */
static const char nobody[] =
    "$argon2id$v=19$m=65536,t=2,p=1$GsEylTX9YS0XveTLNxvGwQ$EKYXyaRnSu6DfcHbBr4EYBqdhISvhbDlqDB/EDYwXX0";

/* --- At most two hashes at a time --- */

enum { AT_ONCE = 2 };
static struct {
    pthread_mutex_t lock;
    pthread_cond_t one_ended;
    int at_work;
} hashing = {.lock = PTHREAD_MUTEX_INITIALIZER, .one_ended = PTHREAD_COND_INITIALIZER};

static void begin(void)
{
    pthread_mutex_lock(&hashing.lock);
    while (hashing.at_work == AT_ONCE)
        pthread_cond_wait(&hashing.one_ended, &hashing.lock);
    hashing.at_work++;
    pthread_mutex_unlock(&hashing.lock);
}

static void end(void)
{
    pthread_mutex_lock(&hashing.lock);
    hashing.at_work--;
    pthread_cond_signal(&hashing.one_ended);
    pthread_mutex_unlock(&hashing.lock);
}

int password_check(const char *password, struct err *e)
{
    size_t n = strlen(password);

    if (n < PASSWORD_MIN || n > PASSWORD_MAX)
        return err_set(e, ERR_INVALID, "a password has %d to %d bytes; this one has %zu", PASSWORD_MIN,
                       PASSWORD_MAX, n);
    return 0;
}

int password_hash(const char *password, char out[PASSWORD_TEXT], struct err *e)
{
    int ret;

    memset(out, 0, PASSWORD_TEXT);
    begin();
    ret = crypto_pwhash_str(out, password, strlen(password), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                            crypto_pwhash_MEMLIMIT_INTERACTIVE);
    end();
    return ret == 0 ? 0 : err_no_memory(e);
}

bool password_matches(const char *hashed, const char *password)
{
    size_t n = strlen(password);
    bool same;

    if (n > PASSWORD_MAX) /* no stored password is that long */
        n = PASSWORD_MAX;
    begin();
    same = crypto_pwhash_str_verify(hashed[0] ? hashed : nobody, password, n) == 0;
    end();
    return same && hashed[0] && password[n] == '\0';
}

bool password_outdated(const char *hashed)
{
    return crypto_pwhash_str_needs_rehash(hashed, crypto_pwhash_OPSLIMIT_INTERACTIVE,
                                          crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0;
}
