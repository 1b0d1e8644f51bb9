// ladder.h: derivatives of steps by differences of many widths, for tests.
//
// Where a step is smooth, centered differences D(h) = D + c h^2 + e h^4 ..., and those of several
// widths are combined so that the error is of a high order (Richardson, Neville's scheme). What two
// ways of combining differ by tells how good they are. A kink nearby spoils those widths that reach
// it, so narrower ones are taken until some agree. At a kink itself centered differences are a mean
// of both sides, and the sides are combined by themselves:
// F(h) = D + c h + e h^2 ...

#pragma once

#include <float.h>
#include <math.h>

#include "derivative/steps.h"

enum {
  LADDER_RUNGS = 9,
  LADDER_LEAST = 4  // rungs that are always taken
};

// 4e-3, 1e-3, ... 6e-8
static inline double ladder_width(int rung) {
  return 4e-3 / pow(4, rung);
}

// How one column of the derivative depends on the width: rows of differences.
typedef struct Ladder_ {
  int rows, rungs;
  double* size;                  // of outputs, of which differences have the rounding
  mjtNum *here, *below, *above;  // the outputs, as steps_evaluate gives them
  double *centered[LADDER_RUNGS], *sides[2][LADDER_RUNGS];  // forward, backward
} Ladder;

static inline Ladder ladder_make(const mjModel* m, int rows) {
  Ladder l = {.rows = rows};
  size_t outputs = (size_t)(rows + 1 + m->nq);
  l.size = calloc((size_t)rows + 1, sizeof(double));
  l.here = calloc(3 * outputs, sizeof(mjtNum));
  l.below = l.here + outputs;
  l.above = l.below + outputs;
  for (int i = 0; i < LADDER_RUNGS; i++) {
    l.centered[i] = calloc(3 * (size_t)rows + 1, sizeof(double));
    l.sides[0][i] = l.centered[i] + rows;
    l.sides[1][i] = l.sides[0][i] + rows;
  }
  return l;
}

static inline void ladder_free(Ladder* l) {
  free(l->here);
  free(l->size);
  for (int i = 0; i < LADDER_RUNGS; i++) {
    free(l->centered[i]);
  }
}

static inline void ladder_divide(double* out, Ladder* l, const mjModel* m, const mjtNum* from,
                                 const mjtNum* to, double width) {
  mjtNum* moved = calloc((size_t)m->nv + 1, sizeof(mjtNum));
  mj_differentiatePos(m, moved, 1, from, to);
  for (int i = 0; i < l->rows; i++) {
    int at = i - m->nv + m->nq;
    out[i] = (double)(i < m->nv ? moved[i] : to[at] - from[at]) / width;
  }
  free(moved);
}

// Takes rungs until there are so many.
static inline void ladder_climb(Ladder* l, Steps* s, int column, int rungs) {
  if (!l->rungs) {
    steps_evaluate(l->here, s, column, 0);
    for (int i = 0; i < l->rows; i++) {
      l->size[i] = i < s->m->nv ? 1 : fabs((double)l->here[i - s->m->nv + s->m->nq]);
    }
  }
  for (; l->rungs < rungs; l->rungs++) {
    int r = l->rungs;
    double h = ladder_width(r);
    steps_evaluate(l->below, s, column, (mjtNum)-h);
    steps_evaluate(l->above, s, column, (mjtNum)h);
    ladder_divide(l->centered[r], l, s->m, l->below, l->above, 2 * h);
    ladder_divide(l->sides[0][r], l, s->m, l->here, l->above, h);
    ladder_divide(l->sides[1][r], l, s->m, l->below, l->here, h);
  }
}

// The limit at width 0 of rungs at[first .. last], whose errors go with powers of the ratio 1/power
// of widths.
static double ladder_limit(double* const* at, int row, int first, int last, double power) {
  double part[LADDER_RUNGS];
  for (int i = first; i <= last; i++) {
    double factor = 1;
    part[i] = at[i][row];
    for (int k = i - 1; k >= first; k--) {
      factor *= power;
      part[k] = part[k + 1] + (part[k + 1] - part[k]) / (factor - 1);
    }
  }
  return part[first];
}

// Windows of rungs, and by how much each may be wrong: by what a rung less at either end makes of
// it.
typedef struct Windows_ {
  double error, value;  // of the best one of those that agree, or of all
  int last;             // its narrowest rung
  int agrees;           // is one of them good enough, and the number that is asked for?
} Windows;

static Windows ladder_windows(double* const* at, int row, int rungs, double power, double asked,
                              double tolerance) {
  Windows w = {INFINITY, NAN, 0, 0};
  for (int last = 1; last < rungs; last++) {
    for (int first = last - 1; first >= 0 && first > last - 4; first--) {
      double all = ladder_limit(at, row, first, last, power);
      double gap = fabs(all - ladder_limit(at, row, first + 1, last, power));
      if (first < last - 1) {
        gap = fmax(gap, fabs(all - ladder_limit(at, row, first, last - 1, power)));
      }
      int agrees = gap < tolerance && fabs(all - asked) < tolerance;
      if ((gap < w.error && !w.agrees) || (agrees && (!w.agrees || gap < w.error))) {
        w.agrees = agrees;
        w.error = gap;
        w.last = last;
        w.value = all;
      }
    }
  }
  return w;
}

typedef enum {
  LADDER_AGREES,
  LADDER_SIDE,       // the derivative of one side of a kink
  LADDER_UNDECIDED,  // differences of no width are good enough, or kinks are closer than all widths
  LADDER_WRONG
} LadderVerdict;

// Is the entry that number, within the tolerance? off: by how much it isn't, as far as one can
// tell.
static LadderVerdict ladder_judge(double* off, const Ladder* l, int row, double exact,
                                  double tolerance) {
  Windows w = ladder_windows(l->centered, row, l->rungs, 16, exact, tolerance);
  *off = fabs(w.value - exact);
  if (w.agrees) {
    return LADDER_AGREES;
  }
  // widths whose differences agree because they are the same few last digits
  double rounding = l->size ? 4 * DBL_EPSILON * l->size[row] / ladder_width(w.last) : 0;
  for (int k = 0; k < 2; k++) {
    if (ladder_windows(l->sides[k], row, l->rungs, 4, exact, tolerance).agrees) {
      return LADDER_SIDE;
    }
  }
  // a kink within the narrowest width: there the sides still differ by more than what is off
  int narrow = l->rungs - 1;
  double jump = fabs(l->sides[0][narrow][row] - l->sides[1][narrow][row]);
  return fmax(w.error, rounding) > tolerance / 3 || jump > *off ? LADDER_UNDECIDED : LADDER_WRONG;
}

// How many entries of the derivative at s->d, as it is, are not those of differences, relative to
// the largest of their row among all inputs; all if more than a tenth can't be told.
static inline int ladder_wrong(Steps* s, double tolerance) {
  int wrong = 0, undecided = 0, columns = s->nx + s->nu;
  mj_forward(s->m, s->d);
  mju_copy(s->d->qacc_warmstart, s->d->qacc, s->m->nv);
  mj_getState(s->m, s->d, s->start, STEPS_SPEC);
  cnd_transitionExact(s->m, s->d, s->A, s->B, s->C, s->D);
  Ladder l = ladder_make(s->m, s->ny);
  for (int j = 0; j < columns; j++) {
    l.rungs = 0;
    ladder_climb(&l, s, j, LADDER_RUNGS);
    for (int i = 0; i < s->ny; i++) {
      double off, size = 1e-4;
      for (int k = 0; k < columns; k++) {
        size = fmax(size, fabs((double)steps_exact(s, i, k)));
      }
      LadderVerdict verdict =
          ladder_judge(&off, &l, i, (double)steps_exact(s, i, j), tolerance * size);
      if (verdict == LADDER_WRONG && !wrong++) {
        print_error("row %d of %d + %d, column %d of %d: exact %.10g, off by %.3g, largest %.3g\n",
                    i, s->nx, s->ns, j, columns, (double)steps_exact(s, i, j), off, size);
      }
      undecided += verdict == LADDER_UNDECIDED;
    }
  }
  ladder_free(&l);
  return undecided > columns * s->ny / 10 ? columns * s->ny : wrong;
}
