/* Internal header of server/store/blob/blob_*.c. */
#ifndef VIVACE_SERVER_BLOB_STORE_INTERNAL_H
#define VIVACE_SERVER_BLOB_STORE_INTERNAL_H

#include <stdatomic.h>

#include "server/store/blob/blob_store.h"

struct s3;
struct blob_store {
    char *folder;
    struct s3 *s3; /* NULL: the blobs are in the folder */
    uint64_t keep_free;
    atomic_uint next; /* number of this process's next staged file */
    atomic_bool probing;
};

#endif
