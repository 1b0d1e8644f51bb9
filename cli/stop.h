// stop.h: a signal that asks to stop is obeyed between two steps, so that no line of a file stays
// half written.

#ifndef CONDYLE_CLI_STOP_H_
#define CONDYLE_CLI_STOP_H_

// From now on SIGINT, SIGTERM and SIGHUP only leave a note, once: the second one ends the program.
// Signals that were ignored stay so. A pipe that nobody reads is a failed write instead of a
// signal.
void stop_gently(void);

// The number of the signal that came, 0 for none.
int stop_signal(void);

#endif  // CONDYLE_CLI_STOP_H_
