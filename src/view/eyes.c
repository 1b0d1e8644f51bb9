// eyes.c: both eyes of a scene as one camera, in room space, where the eyes are, or in model space,
// which the scene turns (K), scales (S) and shifts (T) into the room.

#include <mujoco/api/base.h>
#include <mujoco/api/view.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "scene/shape.h"

// The least depth of a near plane that is set.
static const float near_min = (float)mjMINVAL;

static int check_near(const char* function, const mjvScene* scn) {
  if (scn->camera[0].frustum_near < near_min || scn->camera[1].frustum_near < near_min) {
    mju_error("%s: mjvScene frustum_near too small", function);
    return 0;
  }
  return 1;
}

static int check_scale(const char* function, const mjvScene* scn) {
  if (scn->scale < near_min) {
    mju_error("%s: mjvScene scale too small", function);
    return 0;
  }
  return 1;
}

// conj(K)
static void turn_back(mjtNum back[4], const mjvScene* scn) {
  mjtNum K[4];
  mju_f2n(K, scn->rotate, 4);
  q_conj(back, K);
}

// p = K'(p - T) / S
static void point_to_model(mjtNum pos[3], const mjvScene* scn) {
  mjtNum T[3], back[4];
  scene_widen3(T, scn->translate);
  turn_back(back, scn);
  v3_subfrom(pos, T);
  mju_rotVecQuat(pos, pos, back);
  v3_scl(pos, pos, 1 / (mjtNum)scn->scale);
}

// q = conj(K) q
static void turn_to_model(mjtNum quat[4], const mjvScene* scn) {
  mjtNum back[4];
  turn_back(back, scn);
  q_mul(quat, back, quat);
  mju_normalize4(quat);
}

void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                    const mjtNum roomquat[4], const mjvScene* scn) {
  check_given(modelpos, modelquat, roompos, roomquat, scn);
  if (!check_scale("mjv_room2model", scn)) {
    return;
  }
  v3_copy(modelpos, roompos);
  q_copy(modelquat, roomquat);
  if (scn->enabletransform) {
    point_to_model(modelpos, scn);
    turn_to_model(modelquat, scn);
  }
}

// p = S (T + K p),   q = K q: the way back only if S is 1 or T is 0, as it is in the reference
void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                    const mjtNum modelquat[4], const mjvScene* scn) {
  check_given(roompos, roomquat, modelpos, modelquat, scn);
  if (!check_scale("mjv_model2room", scn)) {
    return;
  }
  v3_copy(roompos, modelpos);
  q_copy(roomquat, modelquat);
  if (scn->enabletransform) {
    mjtNum T[3], K[4];
    scene_widen3(T, scn->translate);
    mju_f2n(K, scn->rotate, 4);
    mju_rotVecQuat(roompos, roompos, K);
    v3_addto(roompos, T);
    v3_scl(roompos, roompos, (mjtNum)scn->scale);
    q_mul(roomquat, K, roomquat);
    mju_normalize4(roomquat);
  }
}

// The direction of the mean of two unit vectors, in single precision. In most pictures both are
// equal: then the square of the mean's length is 1 + e with e below 1e-6, and 1 - e/2 is its
// inverse length to 1e-12. That avoids a root and a quotient, for which the lights of a scene would
// wait.
static void mean_direction(mjtNum out[3], const mjtNum a[3], const mjtNum b[3]) {
  v3_add(out, a, b);
  mjtNum excess = v3_dot(out, out) / 4 - 1;
  if (-(mjtNum)1e-6 < excess && excess < (mjtNum)1e-6) {
    v3_scl(out, out, (mjtNum)0.5 - excess / 4);
  } else {
    v3_normalize(out);
  }
}

// Writes the mean position, and the directions of the summed axes, to those results that aren't
// NULL.
static void give_mean(mjtNum* headpos, mjtNum* forward, mjtNum* up, mjtNum pos[2][3],
                      mjtNum f[2][3], mjtNum u[2][3]) {
  if (headpos) {
    v3_add(headpos, pos[0], pos[1]);
    v3_scl(headpos, headpos, (mjtNum)0.5);
  }
  if (forward) {
    mean_direction(forward, f[0], f[1]);
  }
  if (up) {
    mean_direction(up, u[0], u[1]);
  }
}

static void read_eyes(mjtNum pos[2][3], mjtNum f[2][3], mjtNum u[2][3], const mjvScene* scn) {
  for (int i = 0; i < 2; i++) {
    scene_widen3(pos[i], scn->camera[i].pos);
    scene_widen3(f[i], scn->camera[i].forward);
    scene_widen3(u[i], scn->camera[i].up);
  }
}

void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  check_given(scn);
  if (!check_near("mjv_cameraInRoom", scn)) {
    return;
  }
  mjtNum pos[2][3], f[2][3], u[2][3];
  read_eyes(pos, f, u, scn);
  give_mean(headpos, forward, up, pos, f, u);
}

// Turns the left, up and forward axes of an eye, as one rotation.
static void axes_to_model(mjtNum f[3], mjtNum u[3], const mjvScene* scn) {
  mjtNum left[3], R[9], quat[4];
  v3_normalize(f);
  v3_normalize(u);
  v3_cross(left, u, f);
  v3_normalize(left);
  for (int k = 0; k < 3; k++) {
    v3_set(R + 3 * k, left[k], u[k], f[k]);
  }
  mju_mat2Quat(quat, R);
  if (scn->enabletransform) {
    turn_to_model(quat, scn);
  }
  mju_quat2Mat(R, quat);
  m3_column(f, R, 2);
  m3_column(u, R, 1);
}

void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene* scn) {
  check_given(scn);
  if (!check_near("mjv_cameraInModel", scn) || !check_scale("mjv_cameraInModel", scn)) {
    return;
  }
  mjtNum pos[2][3], f[2][3], u[2][3];
  read_eyes(pos, f, u, scn);
  int parallel = memcmp(f[0], f[1], sizeof(f[0])) == 0 && memcmp(u[0], u[1], sizeof(u[0])) == 0;
  axes_to_model(f[0], u[0], scn);
  if (parallel) {
    v3_copy(f[1], f[0]);
    v3_copy(u[1], u[0]);
  } else {
    axes_to_model(f[1], u[1], scn);
  }
  for (int i = 0; scn->enabletransform && i < 2; i++) {
    point_to_model(pos[i], scn);
  }
  give_mean(headpos, forward, up, pos, f, u);
}

mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2) {
  check_given(cam1, cam2);
  mjvGLCamera mean = *cam1;
  if (!cam1->orthographic != !cam2->orthographic) {
    mju_error("mjv_averageCamera: one camera is orthographic, the other is not");
    return mean;
  }
  mjtNum a[3], b[3], forward[3], up[3];
  scene_widen3(a, cam1->pos);
  scene_widen3(b, cam2->pos);
  v3_add(a, a, b);
  v3_scl(a, a, (mjtNum)0.5);
  scene_round3(mean.pos, a);

  scene_widen3(a, cam1->forward);
  scene_widen3(b, cam2->forward);
  v3_add(forward, a, b);
  v3_normalize(forward);
  scene_round3(mean.forward, forward);

  scene_widen3(a, cam1->up);
  scene_widen3(b, cam2->up);
  v3_add(up, a, b);
  v3_addtoscl(up, forward, -v3_dot(up, forward));
  v3_normalize(up);
  scene_round3(mean.up, up);

#define MEAN(side) mean.side = (float)0.5 * (cam1->side + cam2->side)
  MEAN(frustum_center);
  MEAN(frustum_width);
  MEAN(frustum_bottom);
  MEAN(frustum_top);
  MEAN(frustum_near);
  MEAN(frustum_far);
#undef MEAN
  return mean;
}

// Computed in single precision, like the frustums of the eyes.
mjtNum mjv_frustumHeight(const mjvScene* scn) {
  check_given(scn);
  const mjvGLCamera *left = scn->camera, *right = scn->camera + 1;
  float height[2] = {left->frustum_top - left->frustum_bottom,
                     right->frustum_top - right->frustum_bottom};
  if (!left->orthographic != !right->orthographic) {
    mju_error("mjv_frustumHeight: one eye is orthographic, the other is not");
    return 0;
  }
  if (!left->orthographic) {
    if (!check_near("mjv_frustumHeight", scn)) {
      return 0;
    }
    height[0] /= left->frustum_near;
    height[1] /= right->frustum_near;
  }
  return (mjtNum)((height[0] + height[1]) / 2);
}

void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]) {
  check_given(res, vec, forward);
  mjtNum y[2] = {forward[0], forward[1]}, x = vec[0];
  mju_normalize(y, 2);
  res[2] = vec[2];
  mjtNum along = vec[1];
  res[0] = x * y[1] + along * y[0];
  res[1] = -x * y[0] + along * y[1];
}
