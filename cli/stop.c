// stop.c: a handler that notes the first signal and then restores the default action.

#include "stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

#ifdef _WIN32

static void note(int number) {
  came = number;
  signal(number, SIG_DFL);
}

void stop_gently(void) {
  signal(SIGINT, note);
  signal(SIGTERM, note);
  signal(SIGBREAK, note);
}

void ignore_broken_pipes(void) {
}

#else

static void note(int number) {
  came = number;
}

void stop_gently(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
      action.sa_handler = note;
      action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
      sigaction(signals[i], &action, NULL);
    }
  }
  ignore_broken_pipes();
}

void ignore_broken_pipes(void) {
  signal(SIGPIPE, SIG_IGN);
}

#endif

int stop_signal(void) {
  return came;
}
