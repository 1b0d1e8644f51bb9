// camera.c: where an abstract camera stands and what it sees.
//
//   free, tracking: azimuth a, elevation e, about a target at a distance
//     forward = (cos e cos a, cos e sin a, sin e)      up = (-sin e cos a, -sin e sin a, cos e)
//     right   = (sin a, -cos a, 0)                     head = target - distance forward
//   fixed: the axes of its matrix, which looks along -z with y up
//
// The frustum is given at the near plane. With a sensor of size (w, h), focal lengths (fx, fy) and
// principal point (px, py), in lengths, it is near/fy (h/2 -+ py) high and near/fx (w/2 -+ px)
// wide.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/view.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "model/checks/pair.h"
#include "scene/shape.h"
#include "smooth/sincos.h"
#include "view/camera.h"

// Indices of sizes in mjData.cnd_size.
#define PLACE(name) PLACE_##name,
enum {
  CND_DATA_SIZES(PLACE)
};
#undef PLACE

// Copies a vector to a result that may be NULL.
static void give(mjtNum* out, const mjtNum vec[3]) {
  if (out) {
    v3_copy(out, vec);
  }
}

// Sines and cosines of a camera's angles (given in degrees), and of half its field of view, all
// computed together: a call for each would take a sixth of a small scene's time.
enum {
  AZIMUTH,
  ELEVATION,
  HALF_FOVY,
  NTURN = SINCOS_BLOCK
};

typedef struct Turns_ {
  mjtNum sine[NTURN], cosine[NTURN];
} Turns;

// Whole turns would leave few digits of the rest in single precision.
static mjtNum radians(double degrees) {
  double angle = degrees * (mjPI / 180);
  return (mjtNum)(sizeof(mjtNum) == sizeof(double) ? angle : remainder(angle, 2 * mjPI));
}

static Turns find_turns(const mjvCamera* cam, float fovy) {
  const mjtNum angle[NTURN] = {radians((double)cam->azimuth), radians((double)cam->elevation),
                               (mjtNum)fovy * (mjtNum)(mjPI / 180 / 2)};
  Turns turns;
  sincos_many(turns.sine, turns.cosine, angle, NTURN);
  return turns;
}

static void orbit_axes(mjtNum forward[3], mjtNum up[3], mjtNum right[3], const Turns* turns) {
  mjtNum sa = turns->sine[AZIMUTH], ca = turns->cosine[AZIMUTH];
  mjtNum se = turns->sine[ELEVATION], ce = turns->cosine[ELEVATION];
  v3_set(forward, ce * ca, ce * sa, se);
  v3_set(up, -se * ca, -se * sa, ce);
  v3_set(right, sa, -ca, 0);
}

// The point that a mouse camera looks at. Returns 0 after an error.
static int find_target(mjtNum target[3], const mjData* d, const mjvCamera* cam) {
  v3_copy(target, cam->lookat);
  if (cam->type != mjCAMERA_TRACKING || cam->trackbodyid < 0) {
    return 1;
  }
  if (!d || cam->trackbodyid >= d->cnd_size[PLACE_nbody]) {
    mju_error("mjv_cameraFrame: a camera tracks body %d, %s", cam->trackbodyid,
              d ? "which does not exist" : "but d is NULL");
    return 0;
  }
  v3_copy(target, d->subtree_com + 3 * cam->trackbodyid);
  return 1;
}

// The position and axes of a camera. Returns 0 after an error.
static int find_frame(mjtNum head[3], mjtNum f[3], mjtNum u[3], mjtNum r[3], const mjData* d,
                      const mjvCamera* cam, const Turns* turns) {
  if (cam->type == mjCAMERA_FREE || cam->type == mjCAMERA_TRACKING) {
    if (!find_target(head, d, cam)) {
      return 0;
    }
    orbit_axes(f, u, r, turns);
    v3_addtoscl(head, f, -cam->distance);
  } else if (cam->type == mjCAMERA_FIXED) {
    check_given(d);
    int id = cam->fixedcamid;
    check_index("mjv_cameraFrame", "camera", id, d->cnd_size[PLACE_ncam]);
    v3_copy(head, d->cam_xpos + 3 * id);
    m3_column(r, d->cam_xmat + 9 * id, 0);
    m3_column(u, d->cam_xmat + 9 * id, 1);
    m3_column(f, d->cam_xmat + 9 * id, 2);
    v3_scl(f, f, -1);
  } else {
    mju_error("mjv_cameraFrame: unknown type %d of a camera", cam->type);
    return 0;
  }
  return 1;
}

void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3],
                     const mjData* d, const mjvCamera* cam) {
  check_given(cam);
  mjtNum head[3], f[3], u[3], r[3];
  Turns turns = find_turns(cam, 0);
  if (find_frame(head, f, u, r, d, cam, &turns)) {
    give(headpos, head);
    give(forward, f);
    give(up, u);
    give(right, r);
  }
}

// The lens of a camera: that of all free ones, or its own.
typedef struct Lens_ {
  int orthographic;
  float fovy, ipd;
  int sensor;  // the camera, if the size of its sensor is known; else -1
} Lens;

// Cameras of the mouse are orthographic if `flat` says so. Returns 0 after an error.
static int find_lens(Lens* lens, const char* function, const mjModel* m, const mjvCamera* cam,
                     int flat) {
  if (cam->type == mjCAMERA_FREE || cam->type == mjCAMERA_TRACKING) {
    *lens = (Lens){flat, m->vis.global.fovy, m->vis.global.ipd, -1};
    return 1;
  }
  if (cam->type != mjCAMERA_FIXED) {
    mju_error("%s: unknown type %d of a camera", function, cam->type);
    return 0;
  }
  int id = cam->fixedcamid;
  check_index(function, "camera", id, m->ncam);
  *lens = (Lens){m->cam_orthographic[id], (float)m->cam_fovy[id], (float)m->cam_ipd[id],
                 m->cam_sensorsize[2 * id + 1] != 0 ? id : -1};
  return 1;
}

// The two sides of a frustum at the near plane along one axis of the sensor, in single precision.
static void sensor_sides(float side[2], float near, float size, float focal, float principal) {
  float scale = near / focal;
  side[0] = scale * (size / 2 - principal);
  side[1] = scale * (size / 2 + principal);
}

void camera_sensor_sides(float zver[2], float zhor[2], const mjModel* m, int camera, float near) {
  const float *size = m->cam_sensorsize + 2 * camera, *intrinsic = m->cam_intrinsic + 4 * camera;
  sensor_sides(zver, near, size[1], intrinsic[1], intrinsic[3]);
  sensor_sides(zhor, near, size[0], intrinsic[0], intrinsic[2]);
}

static void find_frustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m,
                         const Lens* lens, const Turns* turns) {
  zclip[0] = (float)((mjtNum)m->vis.map.znear * m->stat.extent);
  zclip[1] = (float)((mjtNum)m->vis.map.zfar * m->stat.extent);
  zhor[0] = zhor[1] = 0;
  if (lens->orthographic) {
    zver[0] = zver[1] = lens->fovy / 2;
  } else if (lens->sensor >= 0) {
    camera_sensor_sides(zver, zhor, m, lens->sensor, zclip[0]);
  } else {
    zver[0] = zver[1] =
        (float)((mjtNum)zclip[0] * turns->sine[HALF_FOVY] / turns->cosine[HALF_FOVY]);
  }
}

void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m,
                       const mjvCamera* cam) {
  check_given(m, cam);
  Lens lens;
  if (!find_lens(&lens, "mjv_cameraFrustum", m, cam, cam->orthographic)) {
    return;
  }
  float side[3][2], *out[3] = {zver, zhor, zclip};
  Turns turns = find_turns(cam, lens.fovy);
  find_frustum(side[0], side[1], side[2], m, &lens, &turns);
  for (int i = 0; i < 3; i++) {
    if (out[i]) {
      out[i][0] = side[i][0];
      out[i][1] = side[i][1];
    }
  }
}

// Writes an eye member by member, in its final place: copying a struct would wait for its stores.
static void set_eye(mjvGLCamera* eye, int orthographic, const float zver[2], const float zhor[2],
                    const float zclip[2], const mjtNum pos[3], const mjtNum forward[3],
                    const mjtNum up[3]) {
  scene_round3(eye->pos, pos);
  scene_round3(eye->forward, forward);
  scene_round3(eye->up, up);
  eye->frustum_center = (zhor[1] - zhor[0]) / 2;
  eye->frustum_width = (zhor[1] + zhor[0]) / 2;
  eye->frustum_bottom = -zver[0];
  eye->frustum_top = zver[1];
  eye->frustum_near = zclip[0];
  eye->frustum_far = zclip[1];
  eye->orthographic = orthographic;
}

mjvGLCamera mjv_camera2GLCamera(const mjModel* m, const mjData* d, const mjvCamera* cam) {
  check_pair(m, d);
  check_given(cam);
  mjvGLCamera none = {{0}, {0}, {0}, 0, 0, 0, 0, 0, 0, 0};
  Lens lens;
  mjtNum head[3], forward[3], up[3], right[3];
  if (!find_lens(&lens, "mjv_camera2GLCamera", m, cam, cam->orthographic)) {
    return none;
  }
  Turns turns = find_turns(cam, lens.fovy);
  if (!find_frame(head, forward, up, right, d, cam, &turns)) {
    return none;
  }
  float zver[2], zhor[2], zclip[2];
  find_frustum(zver, zhor, zclip, m, &lens, &turns);
  mjvGLCamera eye;
  set_eye(&eye, lens.orthographic, zver, zhor, zclip, head, forward, up);
  // the newest interface has the sides of a sensor the other way round
  float top = eye.frustum_top;
  eye.frustum_top = -eye.frustum_bottom;
  eye.frustum_bottom = -top;
  return eye;
}

void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn) {
  if (!m || !cam || cam->type == mjCAMERA_USER) {
    return;
  }
  check_pair(m, d);
  check_given(scn);
  Lens lens;
  mjtNum head[3], forward[3], up[3], right[3];
  if (!find_lens(&lens, "mjv_updateCamera", m, cam, m->vis.global.orthographic)) {
    return;
  }
  if (cam->type == mjCAMERA_TRACKING) {
    check_index("mjv_updateCamera", "body", cam->trackbodyid, m->nbody);
    v3_copy(cam->lookat, d->subtree_com + 3 * cam->trackbodyid);
  }
  Turns turns = find_turns(cam, lens.fovy);
  if (!find_frame(head, forward, up, right, d, cam, &turns)) {
    return;
  }
  float zver[2], zhor[2], zclip[2];
  find_frustum(zver, zhor, zclip, m, &lens, &turns);
  for (int side = 0; side < 2; side++) {
    mjtNum pos[3], shift = (side ? (mjtNum)0.5 : (mjtNum)-0.5) * (mjtNum)lens.ipd;
    v3_addscl(pos, head, right, shift);
    set_eye(scn->camera + side, lens.orthographic, zver, zhor, zclip, pos, forward, up);
  }
  scn->enabletransform = 0;
}
