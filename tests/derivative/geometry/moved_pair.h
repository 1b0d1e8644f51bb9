// moved_pair.h: contacts of two geoms, of which the second moves by small twists.

#pragma once

#include "derivative/geometry/rules.h"
#include "derivative/scene.h"

// `assets` and `options` are elements; each geom is told by its attributes, the second one's body
// by its place.
static inline Scene pair_scene(const char* options, const char* assets, const char* geom1,
                               const char* geom2, const char* body2) {
  char xml[4000];
  snprintf(xml, sizeof(xml),
           "<mujoco><option ccd_tolerance='1e-12' ccd_iterations='400'>%s</option>"
           "<asset>%s</asset><worldbody><geom name='one' %s/><body %s><freejoint/>"
           "<geom name='two' %s/></body></worldbody></mujoco>",
           options, assets, geom1, body2, geom2);
  return scene_make(xml, 0);
}

// A contact and how geom 2 moves it
typedef struct {
  Scene* s;
  int contact;
  mjContact con;  // as it was
} MovedPair;

// (dist, n, pos) of the contact with geom 2 moved by U = (turn, shift) about it, in its frame.
static inline void moved_contact(mjtNum y[7], const mjtNum U[6], void* of) {
  const MovedPair* pair = of;
  const mjModel* m = pair->s->m;
  mjData* d = data_like(m, pair->s->d);
  mjtNum turn[3], shift[3], quat[4], arm[3], *q = d->qpos;
  mju_mulMatTVec3(turn, pair->con.frame, U);
  mju_mulMatTVec3(shift, pair->con.frame, U + 3);
  mjtNum angle = mju_normalize3(turn);
  mju_axisAngle2Quat(quat, turn, angle);
  mju_sub3(arm, q, pair->con.pos);
  mju_rotVecQuat(q, arm, quat);
  mju_addTo3(q, pair->con.pos);
  mju_addTo3(q, shift);
  mju_mulQuat(q + 3, quat, pair->s->d->qpos + 3);
  update_positions(m, d);
  mj_collision(m, d);
  assert_int_equal(d->ncon, pair->s->d->ncon);
  const mjContact* con = d->contact + pair->contact;
  y[0] = con->dist;
  mju_copy3(y + 1, con->frame);
  mju_copy3(y + 4, con->pos);
  mj_deleteData(d);
}

// How the contact moves by differences, as a ContactGeometry.
static inline void moved_geometry(ContactGeometry* out, MovedPair* pair, mjtNum h) {
  const mjtNum zero[6] = {0};
  mjtNum J[7 * 6];
  differences(J, moved_contact, pair, zero, 7, 6, h);
  mju_copy(out->dist, J, 6);
  mju_mulMatMat(out->normal[0], pair->con.frame + 3, J + 6, 2, 3, 6);
  mju_mulMatMat(out->pos[0], pair->con.frame, J + 24, 3, 3, 6);
}

// All contacts of a pair by its rule, with steps h of differences; frees the scene.
static inline void check_rule(Scene s, ContactGeometryRule* rule, int ncon, double h) {
  if (s.d->ncon != ncon) {
    fail_msg("the geom at %g %g %g has %d contacts, expected %d", (double)s.d->qpos[0],
             (double)s.d->qpos[1], (double)s.d->qpos[2], s.d->ncon, ncon);
  }
  for (int i = 0; i < ncon; i++) {
    ContactGeometry out, expected;
    MovedPair pair = {&s, i, s.d->contact[i]};
    assert_int_equal(rule(&out, s.m, s.d, s.d->contact + i), 0);
    moved_geometry(&expected, &pair, (mjtNum)h);
    assert_numbers(out.dist, expected.dist, 6, 1e-6, 1);
    assert_numbers(out.normal[0], expected.normal[0], 12, 1e-6, 1);
    assert_numbers(out.pos[0], expected.pos[0], 18, 1e-6, 1);
  }
  scene_free(&s);
}
