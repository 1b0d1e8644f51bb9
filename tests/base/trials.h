// trials.h: one property on a hundred thousand inputs, of our function and of the reference's.
//
//   TRIALS(mju_cross) {
//     mjtNum a[3], b[3], out[3];
//     draw(a, 3);
//     draw_related(b, a, 3);
//     f(out, a, b);                              // ours, then the reference's on the same inputs
//     Exact expected[3] = {...};                 // in long double
//     check_exact(out, expected, 3, 3 * exact_norm(a, 3) * exact_norm(b, 3));
//   }
//
// An error is measured in roundings of the size of what is added up, so a bound is the number of
// operations times that size, and holds for every scale and every order of the sums. Where the
// reference is installed it must keep the same bound, which tests the test.
//
// Inputs: every array has a scale of its own, log-uniform over sixteen decades. A part of them is
// degenerate: zero, along one axis, denormal, so large that fourth powers just fit, or with
// elements of many scales.

#pragma once

#include <float.h>

#include "base/numbers.h"
#include "support/bridge.h"
#include "support/random.h"

typedef long double Exact;
typedef void (*AnyFunction)(void);

#ifdef mjUSESINGLE
#define ROUNDING ((Exact)FLT_EPSILON / 2)
#define SMALLEST FLT_TRUE_MIN
enum {
  MIN_EXPONENT = -149,
  MAX_EXPONENT = 30
};
#else
#define ROUNDING ((Exact)DBL_EPSILON / 2)
#define SMALLEST DBL_TRUE_MIN
enum {
  MIN_EXPONENT = -1074,
  MAX_EXPONENT = 240
};
#endif

#ifdef CONDYLE_SANITIZED
enum {
  NTRIALS = 3000
};
#else
enum {
  NTRIALS = 100000
};
#endif

// One input of one of the two functions.
typedef struct Trial_ {
  const char* name;
  AnyFunction function;
  int side;  // 0 ours, 1 the reference's
  int number;
} Trial;

static Trial trial;
static uint64_t trial_state;

// The next input; 0 after the last one of the last function.
static inline int trial_next(const char* name, AnyFunction ours) {
  if (trial.name != name) {
    trial = (Trial){.name = name, .function = ours, .number = -1};
    trial_state = 88172645463325252u;
  }
  if (++trial.number < NTRIALS) {
    return 1;
  }
  AnyFunction reference = (AnyFunction)(uintptr_t)bridge_function(name);
  if (trial.side == 0 && reference) {
    trial = (Trial){.name = name, .function = reference, .side = 1};
    trial_state = 88172645463325252u;
    return 1;
  }
  trial.name = NULL;
  return 0;
}

// The body runs with f = the function for every input.
#define TRIALS(function_name)                                                                   \
  for (__typeof__(&function_name) f; trial_next(#function_name, (AnyFunction)&function_name) && \
                                     (f = (__typeof__(f))trial.function, 1);)

// inputs

static inline uint64_t draw_bits(void) {
  return xorshift_bits(&trial_state);
}

// 0 .. n-1
static inline int draw_int(int n) {
  return (int)((draw_bits() >> 20) % (uint64_t)n);
}

// uniform in [-1, 1]
static inline mjtNum draw_unit(void) {
  return (mjtNum)((double)(draw_bits() >> 11) / (double)(1ull << 52) - 1);
}

// 2 to a power between lo and hi
static inline mjtNum draw_scale(int lo, int hi) {
  return (mjtNum)ldexp(1 + (double)(draw_bits() >> 11) / (double)(1ull << 53),
                       lo + draw_int(hi - lo));
}

// of one common scale, without degenerate cases
static inline void draw_scaled(mjtNum* out, int n, mjtNum scale) {
  for (int i = 0; i < n; i++) {
    out[i] = scale * draw_unit();
  }
}

static inline void draw(mjtNum* out, int n) {
  int kind = draw_int(32);
  mjtNum scale = draw_scale(-26, 26);
  if (kind == 1) {
    scale = draw_scale(MIN_EXPONENT, MIN_EXPONENT / 4);
  } else if (kind == 2) {
    scale = draw_scale(MAX_EXPONENT - 10, MAX_EXPONENT);
  }
  draw_scaled(out, n, kind == 0 ? 0 : scale);
  if (kind == 3 && n > 0) {
    int axis = draw_int(n);
    for (int i = 0; i < n; i++) {
      out[i] = i == axis ? scale : 0;
    }
  }
  for (int i = 0; kind == 4 && i < n; i++) {
    out[i] *= draw_scale(-20, 20);
  }
}

static inline mjtNum draw_number(void) {
  mjtNum out;
  draw(&out, 1);
  return out;
}

// Like draw, but sometimes parallel, antiparallel or almost so to a.
static inline void draw_related(mjtNum* out, const mjtNum* a, int n) {
  int kind = draw_int(16);
  if (kind > 2) {
    draw(out, n);
    return;
  }
  mjtNum scale = draw_unit();
  for (int i = 0; i < n; i++) {
    out[i] = (kind == 2 ? 1 : scale) * a[i];
    out[i] += kind == 1 ? out[i] * (mjtNum)1e-8 * draw_unit() : 0;
  }
}

// A unit quaternion: any, the identity, a half turn, or a turn by a very small angle; either sign.
static inline void draw_quat(mjtNum out[4]) {
  int kind = draw_int(16), axis = 1 + draw_int(3);
  draw_scaled(out, 4, 1);
  if (kind == 0 || kind == 1) {
    memset(out, 0, 4 * sizeof(mjtNum));
    out[kind ? axis : 0] = draw_int(2) ? 1 : -1;
  } else if (kind == 2) {
    out[0] = 0;
  } else if (kind == 3 || kind == 4) {
    mjtNum small = draw_scale(kind == 3 ? -60 : -20, 0);
    for (int i = 1; i < 4; i++) {
      out[i] *= small;
    }
  }
  Exact sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += (Exact)out[i] * out[i];
  }
  for (int i = 0; sum > 0 && i < 4; i++) {
    out[i] = (mjtNum)(out[i] / sqrtl(sum));
  }
  if (!(sum > 0)) {
    out[0] = 1;
  }
}

// exact arithmetic

static inline Exact exact_dot(const mjtNum* a, const mjtNum* b, int n) {
  Exact sum = 0;
  for (int i = 0; i < n; i++) {
    sum += (Exact)a[i] * b[i];
  }
  return sum;
}

static inline Exact exact_norm(const mjtNum* a, int n) {
  return sqrtl(exact_dot(a, a, n));
}

// |a|' |b|: the size of the terms of a' b
static inline Exact exact_size(const mjtNum* a, const mjtNum* b, int n) {
  Exact sum = 0;
  for (int i = 0; i < n; i++) {
    sum += fabsl((Exact)a[i] * b[i]);
  }
  return sum;
}

// What an underflowing product costs, in roundings, when it is multiplied by elements of a.
static inline Exact exact_lost(const mjtNum* a, int n) {
  Exact sum = 1;
  for (int i = 0; i < n; i++) {
    sum += fabsl(a[i]);
  }
  return 8 * sum * SMALLEST / ROUNDING;
}

// checks

_Noreturn static inline void trial_fail(const char* file, int line) {
  print_error("%s of %s, input %d\n", trial.name, trial.side ? "the reference" : "ours",
              trial.number);
  trial.name = NULL;
  _fail(file, line);
  abort();
}

// All n numbers are within `bound` roundings, plus what is lost to underflow.
static inline void check_exact_at(const char* file, int line, const mjtNum* got,
                                  const Exact* expected, int n, Exact bound) {
  for (int i = 0; i < n; i++) {
    if (!(fabsl(got[i] - expected[i]) <= bound * ROUNDING + 64 * (Exact)SMALLEST)) {
      print_error("element %d: %.17g, expected %.20Lg within %.3Lg\n", i, (double)got[i],
                  expected[i], bound * ROUNDING);
      trial_fail(file, line);
    }
  }
}

// All n numbers are the same.
static inline void check_same_at(const char* file, int line, const mjtNum* got,
                                 const mjtNum* expected, int n) {
  for (int i = 0; i < n; i++) {
    if (!(got[i] == expected[i] || (isnan(got[i]) && isnan(expected[i])))) {
      print_error("element %d: %.17g, expected %.17g\n", i, (double)got[i], (double)expected[i]);
      trial_fail(file, line);
    }
  }
}

static inline void check_that_at(const char* file, int line, int holds, const char* what) {
  if (!holds) {
    print_error("not true: %s\n", what);
    trial_fail(file, line);
  }
}

#define check_exact(...) check_exact_at(__FILE__, __LINE__, __VA_ARGS__)
#define check_exact1(got, expected, bound) \
  check_exact_at(__FILE__, __LINE__, (const mjtNum[1]){got}, (const Exact[1]){expected}, 1, bound)
#define check_same(...) check_same_at(__FILE__, __LINE__, __VA_ARGS__)
#define check_that(condition) check_that_at(__FILE__, __LINE__, condition, #condition)
