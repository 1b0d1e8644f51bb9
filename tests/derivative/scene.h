// scene.h: a model in some state, and what is asked of it by unit tests of derivatives.

#pragma once

#include "support/differences.h"
#include "support/precision.h"
#include "support/zoo.h"

// Whose mj_forward has been run, and whose stack is marked.
typedef struct Scene_ {
  mjModel* m;
  mjData* d;
  int nv;
} Scene;

// scale: by how much it is away from its reference; 0: in it, at rest.
static inline Scene scene_make(const char* xml, double scale) {
  mjModel* m = test_model(xml);
  Scene s = {m, test_data(m), m->nv};
  m->opt.tolerance = 0;
  m->opt.iterations = 200;
  zoo_randomize(m, s.d, 7);
  mju_copy(s.d->qpos, m->qpos0, m->nq);
  mju_scl(s.d->qvel, s.d->qvel, (mjtNum)scale, m->nv);
  mj_integratePos(m, s.d->qpos, s.d->qvel, (mjtNum)0.7);
  mj_forward(m, s.d);
  mj_markStack(s.d);
  return s;
}

static inline void scene_free(Scene* s) {
  mj_freeStack(s->d);
  test_release(s->m);
}

// Zeros on its stack.
static inline mjtNum* scene_zeros(const Scene* s, int n) {
  mjtNum* x = mj_stackAllocNum(s->d, (size_t)n);
  mju_zero(x, n);
  return x;
}

// Numbers in (-1, 1).
static inline mjtNum random_number(uint64_t* seed) {
  return (mjtNum)uniform_random(seed);
}

static inline void random_fill(mjtNum* out, int n, uint64_t* seed) {
  for (int i = 0; i < n; i++) {
    out[i] = random_number(seed);
  }
}

// The same on its stack, others for each seed.
static inline mjtNum* scene_numbers(const Scene* s, int n, uint64_t seed) {
  mjtNum* x = mj_stackAllocNum(s->d, (size_t)n);
  random_fill(x, n, &seed);
  return x;
}

static inline int scene_id(const Scene* s, int type, const char* name) {
  int id = mj_name2id(s->m, type, name);
  if (id < 0) {
    fail_msg("the model has no \"%s\"", name);
  }
  return id;
}

// Where bodies are at the positions of d.
static inline void update_positions(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
}

// (turn, shift) of a body about a point of the world for each dof, 6 x nv.
static inline void body_twists(mjtNum* J, const mjModel* m, const mjData* d, int body,
                               const mjtNum point[3]) {
  mj_jac(m, d, J + 3 * m->nv, J, point, body);
}

// A point given in the frame of a body.
static inline void body_point(mjtNum out[3], const mjData* d, int body, const mjtNum local[3]) {
  mju_mulMatVec3(out, d->xmat + 9 * body, local);
  mju_addTo3(out, d->xpos + 3 * body);
}

// What a scene is differentiated by: what forward dynamics takes, and what it computes.
enum {
  BY_POSITION,
  BY_VELOCITY,
  BY_ACTIVATION,
  BY_CONTROL,
  NFORWARD,
  BY_ACCELERATION = NFORWARD,
  NINPUT
};

// Its numbers in d; those of positions are velocities, as many as dofs.
typedef struct SceneInput_ {
  mjtNum* x;
  int n;
} SceneInput;

static inline SceneInput scene_input(const mjModel* m, const mjData* d, int by) {
  const SceneInput inputs[NINPUT] = {
      {d->qvel, m->nv}, {d->qvel, m->nv}, {d->act, m->na}, {d->ctrl, m->nu}, {d->qacc, m->nv}};
  return inputs[by];
}

typedef struct InputFunction_ {
  const Scene* s;
  PositionFunction* f;
  void* of;
  int by;
} InputFunction;

static inline void input_function(mjtNum* y, const mjtNum* x, void* of) {
  const InputFunction* function = of;
  const mjModel* m = function->s->m;
  mjData* d = data_like(m, function->s->d);
  SceneInput input = scene_input(m, d, function->by);
  mju_copy(input.x, x, input.n);
  function->f(y, m, d, function->of);
  mj_deleteData(d);
}

// J (ny rows) as an input of the scene changes, on its stack; f computes what it needs from data.
static inline mjtNum* scene_differences(const Scene* s, PositionFunction* f, void* of, int ny,
                                        int by) {
  const mjtNum step = (mjtNum)1e-4;
  SceneInput input = scene_input(s->m, s->d, by);
  mjtNum* J = scene_zeros(s, ny * input.n + 1);  // an address even if there is no such input
  if (by == BY_POSITION) {
    differences_by_dofs(J, f, of, s->m, s->d, ny, step);
  } else {
    InputFunction function = {s, f, of, by};
    differences(J, input_function, &function, input.x, ny, input.n, step);
  }
  return J;
}
