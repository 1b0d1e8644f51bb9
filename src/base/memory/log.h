// log.h: where messages go that their thread doesn't catch.
//
//   handler of messages --none--> legacy handler of its level --none--> log file and console
//
// Each is the program's, so all threads share them.                   theory/data.md, Errors

#pragma once

#include <mujoco/mjlog.h>

// How a message is written to the log file and the console.
typedef enum LogForm_ {
  LOG_PLAIN,   // as mju_error and mju_warning do: the time on a line of its own, all on stdout
  LOG_HEADED,  // LEVEL FUNC (FILE:LINE) TIME: SUBJECT; what is wrong on stderr
} LogForm;

// Passes a message on. Returns 1 if no handler took it.
int log_dispatch(const mjLogMessage* message, LogForm form);

// The text of a message for handlers of texts: its function, if it has one, and its subject.
void log_text(char* out, int size, const mjLogMessage* message);

// Forgets the handler of messages and takes back the configuration.
void log_reset(void);
