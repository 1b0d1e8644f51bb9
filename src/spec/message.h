// message.h: what the files of this folder need of message.c beyond spec.h.

#ifndef CONDYLE_SPEC_MESSAGE_H_
#define CONDYLE_SPEC_MESSAGE_H_

#include "spec/spec.h"

// Takes the room for saying that memory is out; 0 if there is none.
int message_reserve(SpecTree* tree);

#endif  // CONDYLE_SPEC_MESSAGE_H_
