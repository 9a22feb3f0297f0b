/* base/child_environment.h: the environment of a child program that reads foreign bytes. The environment of the
 * server or the worker may contain tokens, passwords and keys of a bucket. */
#ifndef VIVACE_BASE_CHILD_ENVIRONMENT_H
#define VIVACE_BASE_CHILD_ENVIRONMENT_H

#include <stddef.h>

#define CHILD_ENVIRONMENT 16 /* entries, with the NULL at the end */

/* Fills env with the permitted variables of this process, which keep their owner, and a NULL. */
void child_environment(char *env[CHILD_ENVIRONMENT]);

#endif
