// move.c: moves a camera, or the model in the room, with the mouse.

#include <condyle/view.h>
#include <mujoco/api/base.h>
#include <mujoco/api/view.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"

// The axes of the moving camera, and the length that corresponds to the height of the window at the
// distance of the point looked at.
typedef struct Stand_ {
  mjtNum forward[3], up[3], length;
} Stand;

// Orthographic pictures move more slowly by this factor.
static const mjtNum flat_share = (mjtNum)0.15;

// The distance from the camera to the point looked at, along the camera's axis.
static mjtNum depth_of(const mjvCamera* cam, const mjtNum head[3], const mjtNum forward[3]) {
  mjtNum gap[3];
  v3_sub(gap, cam->lookat, head);
  return v3_dot(gap, forward);
}

static void stand_in_scene(Stand* stand, const mjvScene* scn, const mjvCamera* cam) {
  mjtNum head[3];
  mjv_cameraInModel(head, stand->forward, stand->up, scn);
  stand->length = mjv_frustumHeight(scn) * depth_of(cam, head, stand->forward) *
                  (cam->orthographic ? flat_share : 1);
}

static void stand_alone(Stand* stand, const mjModel* m, const mjvCamera* cam) {
  mjtNum head[3];
  float side[2], clip[2];
  mjv_cameraFrame(head, stand->forward, stand->up, NULL, NULL, cam);
  mjv_cameraFrustum(side, NULL, clip, m, cam);
  mjtNum height = (mjtNum)side[0] + (mjtNum)side[1];
  height *= cam->orthographic ? flat_share : 1 / (mjtNum)clip[0];
  stand->length = height * depth_of(cam, head, stand->forward);
}

// Moves the camera against the mouse, in a plane that contains its horizontal direction ...
static void shift_with_mouse(mjvCamera* cam, const Stand* stand, const mjtNum mouse[3]) {
  mjtNum shift[3];
  mjv_alignToCamera(shift, mouse, stand->forward);
  v3_addtoscl(cam->lookat, shift, -stand->length);
}

// moves the camera with the mouse, along the camera's own axes
static void shift_along(mjvCamera* cam, const Stand* stand, const mjtNum axis[3], mjtNum reldx,
                        mjtNum reldy) {
  mjtNum right[3];
  v3_cross(right, stand->forward, stand->up);
  v3_addtoscl(cam->lookat, axis, reldy);
  v3_addtoscl(cam->lookat, right, reldx);
}

static void shift(mjvCamera* cam, const Stand* stand, int action, mjtNum reldx, mjtNum reldy) {
  switch (action) {
    case mjMOUSE_MOVE_V:
      shift_with_mouse(cam, stand, (mjtNum[3]){reldx, 0, -reldy});
      break;
    case mjMOUSE_MOVE_H:
      shift_with_mouse(cam, stand, (mjtNum[3]){reldx, -reldy, 0});
      break;
    case mjMOUSE_MOVE_V_REL:
      shift_along(cam, stand, stand->up, reldx, reldy);
      break;
    default:
      shift_along(cam, stand, stand->forward, reldx, reldy);
      break;
  }
}

static int is_shift(int action) {
  return action == mjMOUSE_MOVE_V || action == mjMOUSE_MOVE_H || action == mjMOUSE_MOVE_V_REL ||
         action == mjMOUSE_MOVE_H_REL;
}

// Turns and zooms, which depend on the camera alone. Returns 0 for other actions.
static int orbit(mjvCamera* cam, mjtNum extent, int action, mjtNum reldx, mjtNum reldy) {
  if (action == mjMOUSE_ROTATE_V || action == mjMOUSE_ROTATE_H) {
    cam->azimuth -= 180 * reldx;
    cam->elevation -= 180 * reldy;
    return 1;
  }
  if (action == mjMOUSE_ZOOM) {
    cam->distance -= mju_log(1 + cam->distance / extent / 3) * reldy * 9 * extent;
    return 1;
  }
  return 0;
}

static void clamp(mjvCamera* cam, mjtNum extent) {
  if (cam->azimuth > 180) {
    cam->azimuth -= 360;
  } else if (cam->azimuth < -180) {
    cam->azimuth += 360;
  }
  cam->elevation = num_clamp(cam->elevation, -89, 89);
  cam->distance = num_clamp(cam->distance, (mjtNum)0.01 * extent, 100 * extent);
}

void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjvScene* scn,
                    mjvCamera* cam) {
  check_given(m, cam);
  if (cam->type == mjCAMERA_FIXED || (cam->type == mjCAMERA_TRACKING && is_shift(action))) {
    return;
  }
  if (is_shift(action)) {
    check_given(scn);
    Stand stand;
    stand_in_scene(&stand, scn, cam);
    shift(cam, &stand, action, reldx, reldy);
  } else if (!orbit(cam, m->stat.extent, action, reldx, reldy)) {
    mju_error("mjv_moveCamera: unexpected action %d", action);
    return;
  }
  clamp(cam, m->stat.extent);
}

// Turns the camera on the spot: the point looked at moves, after the elevation was clamped.
static void turn(mjvCamera* cam, mjtNum extent, int action, mjtNum reldx, mjtNum reldy) {
  mjtNum head[3], forward[3];
  mjv_cameraFrame(head, NULL, NULL, NULL, NULL, cam);
  if (action == mjMOUSE_TURN_V) {
    cam->elevation -= 180 * reldy;
  } else {
    cam->azimuth -= 180 * reldx;
  }
  clamp(cam, extent);
  mjv_cameraFrame(NULL, forward, NULL, NULL, NULL, cam);
  v3_addscl(cam->lookat, head, forward, cam->distance);
}

void cnd_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, mjvCamera* cam) {
  check_given(m, cam);
  int is_turn = action == mjMOUSE_TURN_V || action == mjMOUSE_TURN_H;
  int needs_frame = is_shift(action) || is_turn;
  if (cam->type == mjCAMERA_FIXED || (cam->type == mjCAMERA_TRACKING && needs_frame)) {
    return;
  }
  if (needs_frame && cam->type != mjCAMERA_FREE) {
    mju_error("cnd_moveCamera: unknown type %d of a camera", cam->type);
    return;
  }
  if (is_turn) {
    turn(cam, m->stat.extent, action, reldx, reldy);
  } else if (is_shift(action)) {
    Stand stand;
    stand_alone(&stand, m, cam);
    shift(cam, &stand, action, reldx, reldy);
  } else if (!orbit(cam, m->stat.extent, action, reldx, reldy)) {
    mju_error("cnd_moveCamera: unexpected action %d", action);
    return;
  }
  clamp(cam, m->stat.extent);
}

// the model in the room

// Turns the model about the axis w by an angle of pi |w|.
static void turn_model(mjvScene* scn, const mjtNum w[3]) {
  mjtNum axis[3], old[4], quat[4];
  v3_copy(axis, w);
  mjtNum angle = (mjtNum)mjPI * v3_normalize(axis);
  mju_f2n(old, scn->rotate, 4);
  mju_axisAngle2Quat(quat, axis, angle);
  q_mul(quat, quat, old);
  mju_normalize4(quat);
  mju_n2f(scn->rotate, quat, 4);
}

static void shift_model(mjvScene* scn, const mjtNum shift[3]) {
  for (int k = 0; k < 3; k++) {
    scn->translate[k] = (float)((mjtNum)scn->translate[k] + shift[k]);
  }
}

// out = a x + b y
static void combine(mjtNum out[3], const mjtNum a[3], mjtNum x, const mjtNum b[3], mjtNum y) {
  v3_scl(out, a, x);
  v3_addtoscl(out, b, y);
}

void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjtNum roomup[3],
                   mjvScene* scn) {
  check_given(m, roomup, scn);
  if (!scn->enabletransform) {
    return;
  }
  // horizontal axes of the camera
  mjtNum forward[3], right[3], motion[3], extent = m->stat.extent;
  mjv_cameraInRoom(NULL, forward, NULL, scn);
  v3_addtoscl(forward, roomup, -v3_dot(roomup, forward));
  v3_normalize(forward);
  v3_cross(right, forward, roomup);
  v3_normalize(right);

  switch (action) {
    case mjMOUSE_ROTATE_V:
      combine(motion, roomup, reldx, right, reldy);
      turn_model(scn, motion);
      break;
    case mjMOUSE_ROTATE_H:
      combine(motion, forward, reldx, right, reldy);
      turn_model(scn, motion);
      break;
    case mjMOUSE_MOVE_V:
    case mjMOUSE_MOVE_V_REL:
      combine(motion, right, reldx * extent, roomup, -reldy * extent);
      shift_model(scn, motion);
      break;
    case mjMOUSE_MOVE_H:
    case mjMOUSE_MOVE_H_REL:
      combine(motion, right, reldx * extent, forward, -reldy * extent);
      shift_model(scn, motion);
      break;
    case mjMOUSE_ZOOM: {
      mjtNum scale = (mjtNum)scn->scale;
      scale += mju_log(1 + scale / 3) * reldy * 3;
      scn->scale = (float)num_clamp(scale, (mjtNum)0.01, 100);
      break;
    }
    default:
      mju_error("mjv_moveModel: unexpected action %d", action);
  }
}
