/* server/api/http/parked_answers.h: converts the dispatcher's answers to replies of parked requests. */
#ifndef VIVACE_SERVER_PARKED_ANSWERS_H
#define VIVACE_SERVER_PARKED_ANSWERS_H

#include "server/domain/queue/dispatcher.h"

extern const struct dispatcher_answers parked_answers;

#endif
