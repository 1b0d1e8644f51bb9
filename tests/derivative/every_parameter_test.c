// Gradients by parameters against differences, in every model there is. See every.h.

#include "derivative/every.h"
#include "derivative/ladder.h"

// Fields of the model by which there are gradients, n numbers each.
typedef struct {
  const char* name;
  mjtNum *field, *gradient;
  int n, is_turn;
} Parameter;

enum {
  PARAMETERS = 13,
  SAMPLES = 6  // of each field in each state
};

typedef struct {
  int states, judged, sides, undecided, wrong, refused;
  double worst;
  char where[200], why[sizeof caught_text];
} Tally;

static void parameters_of(Parameter out[PARAMETERS], const mjModel* m) {
  const Parameter all[PARAMETERS] = {
      {"mass", m->body_mass, NULL, m->nbody, 0},
      {"inertia", m->body_inertia, NULL, 3 * m->nbody, 0},
      {"damping", m->dof_damping, NULL, m->nv, 0},
      {"armature", m->dof_armature, NULL, m->nv, 0},
      {"gain", m->actuator_gainprm, NULL, m->nu * mjNGAIN, 0},
      {"bias", m->actuator_biasprm, NULL, m->nu * mjNBIAS, 0},
      {"friction", m->geom_friction, NULL, 3 * m->ngeom, 0},
      {"friction of pairs", m->pair_friction, NULL, 5 * m->npair, 0},
      {"place", m->geom_pos, NULL, 3 * m->ngeom, 0},
      {"turn", m->geom_quat, NULL, 3 * m->ngeom, 1},
      {"size", m->geom_size, NULL, 3 * m->ngeom, 0},
      {"dry friction", m->dof_frictionloss, NULL, m->nv, 0},
      {"dry friction of tendons", m->tendon_frictionloss, NULL, m->ntendon, 0},
  };
  memcpy(out, all, sizeof all);
}

static cndParameterGradient gradient_of(int which, mjtNum* gradient) {
  cndParameterGradient out = {0};
  mjtNum** slot[PARAMETERS] = {
      &out.body_mass,          &out.body_inertia,     &out.dof_damping,   &out.dof_armature,
      &out.actuator_gainprm,   &out.actuator_biasprm, &out.geom_friction, &out.pair_friction,
      &out.geom_pos,           &out.geom_turn,        &out.geom_size,     &out.dof_frictionloss,
      &out.tendon_frictionloss};
  *slot[which] = gradient;
  return out;
}

// Is the number a parameter that counts: one the model has, and that doesn't change its structure?
static int is_used(const mjModel* m, const Parameter* p, int at) {
  mjtNum value = p->is_turn ? 1 : p->field[at];
  if (p->field == m->body_mass || p->field == m->body_inertia) {
    int body = p->field == m->body_mass ? at : at / 3;
    return body > 0 && !m->body_simple[body] && value > 0;
  }
  if (p->field == m->dof_armature && m->body_simple[m->dof_bodyid[at]]) {
    return 0;  // M takes dof_M0 there
  }
  if (p->field == m->geom_pos || p->field == m->geom_size || p->is_turn) {
    int type = m->geom_type[at / 3];
    return type >= mjGEOM_SPHERE && type <= mjGEOM_BOX && (p->field != m->geom_size || value > 0);
  }
  if (p->field == m->actuator_gainprm) {
    return at % mjNGAIN < (m->actuator_gaintype[at / mjNGAIN] == mjGAIN_AFFINE ? 3 : 1);
  }
  if (p->field == m->actuator_biasprm) {
    return at % mjNBIAS < 3 && m->actuator_biastype[at / mjNBIAS] == mjBIAS_AFFINE;
  }
  return value > 0;
}

static void nudge(const Parameter* p, int at, mjtNum by) {
  if (p->is_turn) {
    mjtNum v[3] = {0, 0, 0};
    v[at % 3] = 1;
    mju_quatIntegrate(p->field + 4 * (at / 3), v, by);
  } else {
    p->field[at] += by;
  }
}

// weights . (the next state less that at the parameter as it is)
static double loss(Steps* s, const Parameter* p, int at, mjtNum by, const mjtNum* weight) {
  const mjModel* m = s->m;
  mjtNum kept[4], *change = calloc((size_t)m->nv + 1, sizeof(mjtNum));
  mjtNum* place = p->is_turn ? p->field + 4 * (at / 3) : p->field + at;
  size_t size = (p->is_turn ? 4 : 1) * sizeof(mjtNum);
  double sum = 0;
  memcpy(kept, place, size);
  nudge(p, at, by);
  steps_evaluate(s->y[1], s, m->nv, 0);
  memcpy(place, kept, size);
  mj_differentiatePos(m, change, 1, s->y[0], s->y[1]);
  for (int i = 0; i < s->nx; i++) {
    int k = i - m->nv + m->nq;
    sum += (double)(weight[i] * (i < m->nv ? change[i] : s->y[1][k] - s->y[0][k]));
  }
  free(change);
  return sum;
}

static void judge_number(Tally* t, Steps* s, const Parameter* p, int at, const mjtNum* weight,
                         double size) {
  double centered[LADDER_RUNGS], sides[2][LADDER_RUNGS], off;
  Ladder l = {.rows = 1, .rungs = LADDER_RUNGS - 2};
  double unit = p->is_turn ? 1 : fmax(fabs((double)p->field[at]), 1e-2);
  for (int r = 0; r < l.rungs; r++) {
    double h = ladder_width(r) * unit;
    double below = loss(s, p, at, (mjtNum)-h, weight), above = loss(s, p, at, (mjtNum)h, weight);
    centered[r] = (above - below) / (2 * h);
    sides[0][r] = above / h;
    sides[1][r] = -below / h;
    l.centered[r] = centered + r;
    l.sides[0][r] = sides[0] + r;
    l.sides[1][r] = sides[1] + r;
  }
  LadderVerdict verdict = ladder_judge(&off, &l, 0, (double)p->gradient[at], 1e-6 * size);
  t->judged++;
  t->sides += verdict == LADDER_SIDE;
  t->undecided += verdict == LADDER_UNDECIDED;
  t->wrong += verdict == LADDER_WRONG;
  if ((verdict == LADDER_AGREES || verdict == LADDER_WRONG) && off / size > t->worst) {
    t->worst = off / size;
    snprintf(t->where, sizeof t->where, "state %d, %s %d: %.10g, %.3g off", t->states, p->name, at,
             (double)p->gradient[at], off);
  }
}

// Runs the adjoint; on an error keeps its text and returns 0.
static int differentiate(Tally* t, Steps* s, const mjtNum* weight, cndParameterGradient* out) {
  void (*volatile before)(const char*) = mju_user_error;
  volatile int ok = 1;
  mju_user_error = caught_jump;
  if (!setjmp(caught_place)) {
    cnd_transitionAdjoint(s->m, s->d, weight, NULL, NULL, NULL, out);
  } else {
    memcpy(t->why, caught_text, sizeof t->why);
    mj_resetData(s->m, s->d);
    mj_setState(s->m, s->d, s->start, STEPS_SPEC);
    ok = 0;
  }
  mju_user_error = before;
  return ok;
}

static void judge_state(Tally* t, Steps* s, unsigned* seed) {
  const mjModel* m = s->m;
  Parameter all[PARAMETERS];
  mjtNum* weight = calloc((size_t)s->nx, sizeof(mjtNum));
  parameters_of(all, m);
  for (int i = 0; i < s->nx; i++) {
    weight[i] = random_in(seed);
  }
  mju_copy(s->d->qacc_warmstart, s->d->qacc, m->nv);
  mj_getState(m, s->d, s->start, STEPS_SPEC);
  steps_evaluate(s->y[0], s, m->nv, 0);
  for (int k = 0; k < PARAMETERS; k++) {
    Parameter* p = all + k;
    mjtNum* gradient = calloc((size_t)p->n + 1, sizeof(mjtNum));
    cndParameterGradient out = gradient_of(k, gradient);
    p->gradient = gradient;
    mj_setState(m, s->d, s->start, STEPS_SPEC);
    if (!p->n || !differentiate(t, s, weight, &out)) {
      t->refused += p->n > 0;
      free(gradient);
      continue;
    }
    double size = 1e-6;
    for (int i = 0; i < p->n; i++) {
      size = fmax(size, fabs((double)gradient[i]));
    }
    for (int i = 0, tries = 0; i < SAMPLES && tries < 20 * SAMPLES; tries++) {
      int at = (int)((1 + (double)random_in(seed)) / 2 * p->n);
      at = at < p->n ? at : p->n - 1;
      if (is_used(m, p, at)) {
        judge_number(t, s, p, at, weight, size);
        i++;
      }
    }
    free(gradient);
  }
  free(weight);
}

static int check_model(mjModel* m, const char* path, int states, int is_told) {
  static const char* const integrator[] = {"Euler", "RK4", "implicit", "implicitfast"};
  int wrong = 0, flags = m->opt.disableflags;
  // geoms that are moved are not in their body's frame
  memset(m->geom_sameframe, 0, (size_t)m->ngeom);
  for (int k = mjINT_EULER; k <= mjINT_IMPLICITFAST; k++) {
    Tally t = {0};
    unsigned seed = 11;
    m->opt.integrator = k;
    Steps s = steps_make(m);
    for (int i = 0; i < 2 * states; i++) {
      if (find_any_state(m, &s, &seed, i % 2, flags)) {
        judge_state(&t, &s, &seed);
        t.states++;
      }
    }
    m->opt.disableflags = flags;
    steps_free(&s);
    if (is_told || t.wrong) {
      printf("%-60s %-12s %2d states %5d numbers %4d sides %4d undecided %3d refused %4d WRONG ",
             path, integrator[k], t.states, t.judged, t.sides, t.undecided, t.refused, t.wrong);
      printf("worst %.1e %s | %s\n", t.worst, t.wrong ? t.where : "", t.why);
      fflush(stdout);
    }
    wrong += t.wrong;
  }
  return wrong;
}

TEST(every_model_agrees_with_differences) {
  DOUBLE_ONLY();
  static const char* const few[] = {"models/limits.xml", "tests/models/contact_pairs.xml",
                                    "tests/models/sensor_contact.xml", NULL};
  assert_int_equal(every_model(few, check_model), 0);
}
