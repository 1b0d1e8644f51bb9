// message.h: functions of message.c for other files of this folder.

#ifndef CONDYLE_SPEC_MESSAGE_H_
#define CONDYLE_SPEC_MESSAGE_H_

#include "spec/spec.h"

// Reserves memory for the message "out of memory". Returns 0 if there is none.
int message_reserve(SpecTree* tree);

#endif  // CONDYLE_SPEC_MESSAGE_H_
