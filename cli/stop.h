// stop.h: stopping on a signal between two steps, so that no line of a file is left half written.

#pragma once

// From now on the first SIGINT, SIGTERM or SIGHUP is only noted; the second ends the program.
// Ignored signals stay ignored. Writing to a closed pipe is a failed write instead of a signal.
void stop_gently(void);

// Writing to a closed pipe is a failed write instead of a signal.
void ignore_broken_pipes(void);

// The number of the noted signal, 0 if there is none.
int stop_signal(void);
