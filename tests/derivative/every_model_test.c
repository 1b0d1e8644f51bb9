// Exact derivatives and products against differences, in every model there is: states in contact
// and out of it, every integrator. See every.h.

#include "derivative/every.h"
#include "derivative/geometry/flex_feature.h"
#include "derivative/ladder.h"

enum {
  KINDS = 4  // of inputs: positions, velocities, activations, controls
};

static const double kTolerance = 1e-6;

// What came out for a model with an integrator.
typedef struct {
  int states[2];  // out of contact, in contact
  int refusals, judged, sides, undecided, rounded, searched, wrong;
  double worst, worst_product;
  char where[200], refused[400], unsensed[400];
} Tally;

// comparison

static int kind_of(const Steps* s, int column) {
  const mjModel* m = s->m;
  return column < m->nv ? 0 : column < 2 * m->nv ? 1 : column < s->nx ? 2 : 3;
}

// The largest exact entry of a row among inputs of one kind.
static double row_size(const Steps* s, int row, int kind) {
  double size = 1e-4;
  for (int j = 0; j < s->nx + s->nu; j++) {
    if (kind_of(s, j) == kind) {
      size = fmax(size, fabs((double)steps_exact(s, row, j)));
    }
  }
  return size;
}

// A state that is judged.
typedef struct {
  Steps* s;
  Steps again;  // the exact matrices next to the state, a rounding away
  int rows, is_iterative, is_inside;
  double* sizes;          // of rows, by kinds of inputs
  double largest[KINDS];  // of these, of all rows
} Case;

static void judge_entry(Tally* t, const Case* c, Ladder* l, int row, int column) {
  double off, size = c->sizes[KINDS * row + kind_of(c->s, column)];
  double exact = (double)steps_exact(c->s, row, column);
  double noise = 10 * fabs(exact - (double)steps_exact(&c->again, row, column));
  double tolerance = kTolerance * size + noise;
  LadderVerdict verdict = ladder_judge(&off, l, row, exact, tolerance);
  if (verdict != LADDER_AGREES && l->rungs < LADDER_RUNGS) {
    ladder_climb(l, c->s, column, LADDER_RUNGS);
    verdict = ladder_judge(&off, l, row, exact, tolerance);
  }
  t->judged++;
  t->rounded += noise > kTolerance * size;
  int is_stopped = c->is_inside && off < kTolerance * c->largest[kind_of(c->s, column)];
  if (verdict == LADDER_WRONG && (c->is_iterative || is_stopped)) {
    t->searched++;
    return;
  }
  t->sides += verdict == LADDER_SIDE;
  t->undecided += verdict == LADDER_UNDECIDED;
  t->wrong += verdict == LADDER_WRONG;
  if ((verdict == LADDER_AGREES || verdict == LADDER_WRONG) && off / size > t->worst) {
    t->worst = off / size;
    snprintf(t->where, sizeof t->where, "state %d, row %d of %d+%d, column %d: %.10g, %.10g off",
             t->states[0] + t->states[1], row, c->s->nx, c->s->ns, column, exact, off);
  }
}

// The products with weights of all rows against those of the matrices.
static void judge_product(Tally* t, const Case* c, unsigned* seed) {
  Steps* s = c->s;
  int inputs = s->nx + s->nu, sensed = c->rows > s->nx;
  mjtNum* weight = calloc((size_t)(s->ny + inputs + 1), sizeof(mjtNum));
  mjtNum* product = weight + s->ny;
  for (int i = 0; i < s->ny; i++) {
    weight[i] = random_in(seed);
  }
  mj_setState(s->m, s->d, s->start, STEPS_SPEC);
  cnd_transitionAdjoint(s->m, s->d, weight, sensed ? weight + s->nx : NULL, product,
                        product + s->nx, NULL);
  for (int j = 0; j < inputs; j++) {
    double sum = 0, size = 1e-3, noise = 0;
    for (int i = 0; i < c->rows; i++) {
      double term = (double)(weight[i] * steps_exact(s, i, j));
      sum += term;
      size += fabs(term);
      noise +=
          10 * fabs((double)(weight[i] * (steps_exact(s, i, j) - steps_exact(&c->again, i, j))));
    }
    double off = fmax(fabs(sum - (double)product[j]) - noise, 0);
    t->worst_product = fmax(t->worst_product, off / size);
  }
  free(weight);
}

// Runs cnd_transitionExact; on an error keeps its text and returns 0.
static int differentiate(char* error, size_t size, Steps* s, int sensed) {
  void (*volatile before)(const char*) = mju_user_error;
  volatile int ok = 1;
  mju_user_error = caught_jump;
  caught_text[0] = 0;
  if (!setjmp(caught_place)) {
    s->kinks =
        cnd_transitionExact(s->m, s->d, s->A, s->B, sensed ? s->C : NULL, sensed ? s->D : NULL);
  } else {
    snprintf(error, size, "%s", caught_text);
    ok = 0;
  }
  mju_user_error = before;
  return ok;
}

// Searches for contacts of curved shapes end at a polytope of theirs: differences are those of its
// corners, the derivative is that of the shapes.       theory/time/constraint-derivatives.md, Kinks
static int is_iterative(const mjModel* m, const mjData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const int* geom = d->contact[i].geom;
    if (geom[0] < 0 || geom[1] < 0) {
      if (flex_is_iterative(m, d->contact + i)) {
        return 1;  // elements are round by their radius
      }
      continue;
    }
    int type[2] = {m->geom_type[geom[0]], m->geom_type[geom[1]]};
    int is_field = type[0] == mjGEOM_HFIELD;
    for (int k = 0; k < 2; k++) {
      int is_round = type[k] == mjGEOM_ELLIPSOID || type[k] == mjGEOM_CYLINDER;
      if ((is_field || mjCOLLISIONFUNC[type[0]][type[1]] ==
                           mjCOLLISIONFUNC[mjGEOM_ELLIPSOID][mjGEOM_ELLIPSOID]) &&
          (is_round || ((type[k] == mjGEOM_CAPSULE || type[k] == mjGEOM_SPHERE)))) {
        return 1;
      }
    }
  }
  return 0;
}

// Strings that pass inside of a geom stop their search for where they touch it 1e-6 before its end.
//                                            theory/time/exact-derivatives.md, Against differences
static int has_inside_string(const mjModel* m, const mjData* d) {
  for (int i = 0; i < m->nwrap; i++) {
    int is_round = m->wrap_type[i] == mjWRAP_SPHERE || m->wrap_type[i] == mjWRAP_CYLINDER;
    int geom = m->wrap_objid[i], side = is_round ? (int)m->wrap_prm[i] : -1;
    if (side >= 0 &&
        mju_dist3(d->site_xpos + 3 * side, d->geom_xpos + 3 * geom) < m->geom_size[3 * geom]) {
      return 1;
    }
  }
  return 0;
}

static int has_iterative;

static void notice_search(const mjModel* m, mjData* d) {
  has_iterative |= is_iterative(m, d);
}

// Is there such a contact in any stage of the step?
static int step_iterates(Steps* s) {
  has_iterative = 0;
  mjcb_control = notice_search;
  steps_evaluate(s->y[0], s, s->m->nv, 0);
  mjcb_control = NULL;
  return has_iterative;
}

// The start of s, every number moved by a rounding or two.
static void shake(Steps* s, unsigned* seed) {
  const mjModel* m = s->m;
  mjtNum* v = calloc((size_t)m->nv + 1, sizeof(mjtNum));
  mj_setState(m, s->d, s->start, STEPS_SPEC);
  for (int i = 0; i < m->nv; i++) {
    v[i] = (mjtNum)1e-14 * random_in(seed);
    s->d->qvel[i] *= 1 + (mjtNum)1e-14 * random_in(seed);
  }
  mj_integratePos(m, s->d->qpos, v, 1);
  free(v);
}

// Returns whether there is a derivative.
static int judge_state(Tally* t, Steps* s, unsigned* seed) {
  const mjModel* m = s->m;
  int columns = s->nx + s->nu, sensed = 1;
  mju_copy(s->d->qacc_warmstart, s->d->qacc, m->nv);
  mj_getState(m, s->d, s->start, STEPS_SPEC);
  if (!differentiate(t->unsensed, sizeof t->unsensed, s, 1)) {
    mj_resetData(m, s->d);
    mj_setState(m, s->d, s->start, STEPS_SPEC);
    sensed = 0;
    if (!differentiate(t->refused, sizeof t->refused, s, 0)) {
      mj_resetData(m, s->d);
      return 0;
    }
  }
  Case c = {.s = s, .again = *s, .rows = s->nx + (sensed ? s->ns : 0)};
  c.is_iterative = step_iterates(s);
  c.is_inside = has_inside_string(m, s->work);
  c.sizes = calloc((size_t)(KINDS * c.rows) + 1, sizeof(double));
  c.again.A = calloc((size_t)(s->ny * columns) + 1, sizeof(mjtNum));
  c.again.B = c.again.A + (s->B - s->A);
  c.again.C = c.again.A + (s->C - s->A);
  c.again.D = c.again.A + (s->D - s->A);
  shake(s, seed);
  if (!differentiate(t->unsensed, sizeof t->unsensed, &c.again, sensed)) {
    mj_resetData(m, s->d);
    memcpy(c.again.A, s->A, (size_t)(s->ny * columns) * sizeof(mjtNum));
  }
  for (int i = 0; i < KINDS * c.rows; i++) {
    c.sizes[i] = row_size(s, i / KINDS, i % KINDS);
    c.largest[i % KINDS] = fmax(c.largest[i % KINDS], c.sizes[i]);
  }
  Ladder l = ladder_make(m, s->ny);
  int left = columns_asked() < columns ? columns_asked() : columns;
  for (int j = 0; j < columns; j++) {
    // as many as are left, each set of them with the same chance
    if ((1 + random_in(seed)) / 2 * (mjtNum)(columns - j) >= (mjtNum)left) {
      continue;
    }
    left--;
    l.rungs = 0;
    ladder_climb(&l, s, j, LADDER_LEAST);
    for (int i = 0; i < c.rows; i++) {
      judge_entry(t, &c, &l, i, j);
    }
  }
  judge_product(t, &c, seed);
  ladder_free(&l);
  free(c.again.A);
  free(c.sizes);
  return 1;
}

static Tally judge_model(mjModel* m, int states) {
  Tally t = {0};
  unsigned seed = 7;
  int flags = m->opt.disableflags;
  Steps s = steps_make(m);
  for (int i = 0; i < 2 * states; i++) {
    if (find_any_state(m, &s, &seed, i % 2, flags)) {
      int is_judged = judge_state(&t, &s, &seed);
      t.states[i % 2] += is_judged;
      t.refusals += !is_judged;
    }
  }
  m->opt.disableflags = flags;
  steps_free(&s);
  return t;
}

static void report(const char* path, int integrator, const Tally* t) {
  static const char* const kIntegrators[] = {"Euler", "RK4", "implicit", "implicitfast",
                                             "discrete"};
  printf("%-60s %-12s", path, kIntegrators[integrator]);
  printf(" %2d+%2d states %7d entries", t->states[0], t->states[1], t->judged);
  printf(" %6d sides %5d undecided %5d rounded %5d searched %4d WRONG worst %.1e product %.1e",
         t->sides, t->undecided, t->rounded, t->searched, t->wrong, t->worst, t->worst_product);
  if (t->wrong) {
    printf(" | %s", t->where);
  }
  if (t->refusals) {
    printf(" | %d refused: %s", t->refusals, t->refused);
  } else if (t->unsensed[0]) {
    printf(" | without sensors: %s", t->unsensed);
  }
  printf("\n");
  fflush(stdout);
}

static int check_model(mjModel* m, const char* path, int states, int is_told) {
  int wrong = 0;
  int first = (int)test_setting("CONDYLE_INTEGRATOR", mjINT_EULER);
  for (int i = first; i <= mjINT_DISCRETE; i++) {
    m->opt.integrator = i;
    if (i == mjINT_DISCRETE && m->nflex) {
      continue;  // the step itself refuses some
    }
    Tally t = judge_model(m, states);
    if (is_told || t.wrong || t.worst_product > 1e-10) {
      report(path, i, &t);
    }
    wrong += t.wrong + (t.worst_product > 1e-10);
  }
  return wrong;
}

TEST(every_model_agrees_with_differences) {
  DOUBLE_ONLY();
  static const char* const few[] = {"models/limits.xml", "tests/models/equality_joints.xml",
                                    "tests/models/tendon_cylinder_inside.xml", NULL};
  assert_int_equal(every_model(few, check_model), 0);
}
