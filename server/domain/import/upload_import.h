/* server/domain/import/upload_import.h: starts the import of a finished upload. */
#ifndef VIVACE_SERVER_UPLOAD_IMPORT_H
#define VIVACE_SERVER_UPLOAD_IMPORT_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_upload.h"

struct upload_import {
    const struct upload *upload; /* complete */
    int64_t team;
    const char *by;     /* name of the sender */
    const char *traces; /* a blob of the team with the profile's traces; NULL: none */
    uint64_t launches;  /* number of launches in `traces` */
    char id[UUID_TEXT]; /* result: id of the import */
};
int upload_import(struct farm *farm, struct db *db, struct upload_import *b, struct err *e) MUST_CHECK;

#endif
