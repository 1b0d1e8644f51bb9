// Forces between points of bodies, linear in their places and velocities, against differences.

#include "derivative/smooth/flex_points.h"

#include "derivative/smooth/force_differences.h"

enum {
  N = 3
};

// f_a = sum_b K_ab x_b + C_ab v_b
typedef struct {
  FlexPoints points;
  mjtNum local[N][3];
} Linear;

static void place(Linear* of, const mjModel* m, mjData* d) {
  FlexPoints* p = &of->points;
  for (int a = 0; a < N; a++) {
    mjtNum velocity[6], arm[3];
    body_point(p->x[a], d, p->body[a], of->local[a]);
    mj_objectVelocity(m, d, mjOBJ_XBODY, p->body[a], velocity, 0);
    mju_sub3(arm, p->x[a], d->xpos + 3 * p->body[a]);
    mju_cross(p->v[a], velocity, arm);
    mju_addTo3(p->v[a], velocity + 3);
  }
  for (int a = 0; a < N; a++) {
    mju_zero3(p->force[a]);
    for (int b = 0; b < N; b++) {
      mjtNum f[3];
      mju_mulMatVec3(f, p->by_x[a][b], p->x[b]);
      mju_addTo3(p->force[a], f);
      mju_mulMatVec3(f, p->by_v[a][b], p->v[b]);
      mju_addTo3(p->force[a], f);
    }
  }
}

static void linear_force(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  Linear moved = *(Linear*)of;
  const mjtNum zero[3] = {0, 0, 0};
  update_positions(m, d);
  mj_comVel(m, d);
  place(&moved, m, d);
  mju_zero(y, m->nv);
  for (int a = 0; a < N; a++) {
    mj_applyFT(m, d, moved.points.force[a], zero, moved.points.x[a], moved.points.body[a], y);
  }
}

TEST(forces_between_points_change_as_differences_say) {
  DOUBLE_ONLY();
  static const char* const names[N] = {"wrist", "shin", "cart"};
  Scene s = scene_make(ZOO_XML, 0.5);
  Linear of = {.points = {.n = N}};
  uint64_t seed = 4;
  for (int a = 0; a < N; a++) {
    of.points.body[a] = scene_id(&s, mjOBJ_BODY, names[a]);
    random_fill(of.local[a], 3, &seed);
    for (int b = 0; b < N; b++) {
      random_fill(of.points.by_x[a][b], 9, &seed);
      random_fill(of.points.by_v[a][b], 9, &seed);
    }
  }
  place(&of, s.m, s.d);
  Twists W = twists_make(s.m, s.d, s.d->qvel);
  ForceJacobian F = force_jacobian(s.m, s.d);
  Load* loads = loads_make(s.m, s.d);
  flex_points_add(&F, loads, s.m, s.d, &of.points, &W);
  loads_derivative(F.q, s.m, s.d, loads, 1);
  check_jacobian(&s, &F, linear_force, &of, 1e-7);
  scene_free(&s);
}
