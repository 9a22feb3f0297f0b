#include "server/platform/net/tls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <sodium.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "base/whole_file.h"

#define PEM_MAX ((size_t)1 << 20)

static int read_pem(const char *path, const char *what, const char *mark, char **out, struct err *e)
{
    size_t n;

    if (whole_file_read(path, PEM_MAX, out, &n, e) < 0)
        return err_wrap(e, "%s", what);
    if (!strstr(*out, "-----BEGIN ") || !strstr(*out, mark))
        return err_set(e, ERR_USAGE, "%s: %s holds no PEM text with \"%s\"", what, path, mark);
    return 0;
}

/* OpenSSL calls this to ask for a key's passphrase. It returns none, so such a key is refused. */
static int no_passphrase(char *buffer, int size, int writing, void *ctx)
{
    (void)buffer;
    (void)size;
    (void)writing;
    (void)ctx;
    return 0;
}

static int check_pair(const struct tls *t, const char *key_path, struct err *e)
{
    BIO *cert_text = BIO_new_mem_buf(t->cert, -1), *key_text = BIO_new_mem_buf(t->key, -1);
    X509 *cert = cert_text ? PEM_read_bio_X509(cert_text, NULL, no_passphrase, NULL) : NULL;
    EVP_PKEY *key = key_text ? PEM_read_bio_PrivateKey(key_text, NULL, no_passphrase, NULL) : NULL;
    int ret = 0;

    if (!cert)
        ret = err_set(e, ERR_USAGE, "--tls-cert: the certificate is damaged");
    else if (!key)
        ret = err_set(e, ERR_USAGE, "--tls-key: %s is damaged, or has a passphrase", key_path);
    else if (X509_check_private_key(cert, key) != 1)
        ret = err_set(e, ERR_USAGE, "--tls-key: %s is not the key of the certificate", key_path);
    EVP_PKEY_free(key);
    X509_free(cert);
    BIO_free(key_text);
    BIO_free(cert_text);
    ERR_clear_error();
    return ret;
}

int tls_read(const char *cert_path, const char *key_path, struct tls *out, struct err *e)
{
    struct stat st;

    *out = (struct tls){.cert = NULL};
    if (!cert_path && !key_path)
        return 0;
    if (!cert_path || !key_path)
        return err_set(e, ERR_USAGE, "--tls-cert and --tls-key must be given together");
    if (stat(key_path, &st) < 0)
        return err_set_errno(e, errno, "--tls-key: %s", key_path);
    if (st.st_mode & (S_IROTH | S_IWOTH)) {
        err_set(e, ERR_USAGE, "--tls-key: everybody may read %s", key_path);
        return err_hint(e, "chmod 0640 or less, and give it to the server's user or group.");
    }
    if (read_pem(cert_path, "--tls-cert", "CERTIFICATE", &out->cert, e) < 0 ||
        read_pem(key_path, "--tls-key", "PRIVATE KEY", &out->key, e) < 0 || check_pair(out, key_path, e) < 0) {
        tls_release(out);
        return -1;
    }
    return 0;
}

void tls_release(struct tls *t)
{
    if (t->key)
        sodium_memzero(t->key, strlen(t->key));
    free(t->cert);
    free(t->key);
    *t = (struct tls){.cert = NULL};
}
