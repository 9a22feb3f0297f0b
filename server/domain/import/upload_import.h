/* server/domain/import/upload_import.h: a finished upload -> an import that is under way. */
#ifndef VIVACE_SERVER_UPLOAD_IMPORT_H
#define VIVACE_SERVER_UPLOAD_IMPORT_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_upload.h"

struct upload_import {
    const struct upload *upload; /* all its bytes are here */
    int64_t team;
    const char *by;     /* name of who sends it */
    const char *traces; /* a blob of the team that the profile gets as its traces; NULL: none */
    uint64_t launches;  /* in them */
    char id[UUID_TEXT]; /* the answer: the import's */
};
int upload_import(struct farm *farm, struct db *db, struct upload_import *b, struct err *e) MUST_CHECK;

#endif
