/* server/api/http/parked_answers.h: the dispatcher's answers, as replies to parked requests. */
#ifndef VIVACE_SERVER_PARKED_ANSWERS_H
#define VIVACE_SERVER_PARKED_ANSWERS_H

#include "server/domain/queue/dispatcher.h"

extern const struct dispatcher_answers parked_answers;

#endif
