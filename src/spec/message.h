// message.h: functions of message.c for other files of this folder.

#pragma once

#include "spec/spec.h"

// Reserves memory for the message "out of memory". Returns 0 if there is none.
int message_reserve(SpecTree* tree);
