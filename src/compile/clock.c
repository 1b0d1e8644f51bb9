// clock.c: times of the stages of a compilation.

#define _POSIX_C_SOURCE 200809L

#include "compile/clock.h"

#include <time.h>

static _Thread_local double* given;

double clock_now(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double* clock_give(double* timer) {
  double* before = given;
  given = timer;
  return before;
}

double clock_add(mjtCTimer which, double begin) {
  double now = clock_now();
  if (given) {
    given[which] += now - begin;
  }
  return now;
}
