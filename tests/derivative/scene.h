// scene.h: a model in some state, and what is asked of it by unit tests of derivatives.

#ifndef CONDYLE_TESTS_DERIVATIVE_SCENE_H_
#define CONDYLE_TESTS_DERIVATIVE_SCENE_H_

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

// Data like those of a scene, but with other velocities, activations or controls: which 0, 1, 2. To
// be deleted.
static inline mjData* scene_with(const Scene* s, int which, const mjtNum* x) {
  mjData* d = data_like(s->m, s->d);
  mjtNum* to[3] = {d->qvel, d->act, d->ctrl};
  const int n[3] = {s->nv, s->m->na, s->m->nu};
  mju_copy(to[which], x, n[which]);
  return d;
}

#endif  // CONDYLE_TESTS_DERIVATIVE_SCENE_H_
