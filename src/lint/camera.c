// camera.c: checks of pictures that show something else than was meant.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "lint/checks.h"

// The principal point is applied with the opposite sign: an offset to the right moves the optical
// axis to the left of the picture's middle, an offset upwards moves it down.
void check_principal_point(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->ncam; i++) {
    const float *size = m->cam_sensorsize + 2 * i, *at = m->cam_intrinsic + 4 * i + 2;
    if (size[0] <= 0 || size[1] <= 0 || (at[0] == 0 && at[1] == 0)) {
      continue;
    }
    double x = (double)at[0] / (double)size[0] * m->cam_resolution[2 * i];
    double y = (double)at[1] / (double)size[1] * m->cam_resolution[2 * i + 1];
    lint_warn(l, lint_id(l, mjOBJ_CAMERA, i),
              lint_hint(l,
                        "to have it that far to the right and above, write "
                        "principalpixel=\"%.6g %.6g\" and no principal; of OpenCV's cx and cy, "
                        "width/2 - cx and cy - height/2",
                        -x + 0.0, -y + 0.0),
              "its principal point of (%.4g %.4g) pixels is drawn %.4g to the left of the "
              "picture's middle and %.4g below, and sensors take it as 0",
              x, y, x, y);
  }
}

// Where a picture is taken from: columns of `axes` point to the right, up and backwards.
typedef struct View_ {
  mjtNum pos[3], axes[9];
  mjtNum tangent[2];  // of half the angle across and upwards
  int body;           // body that carries the camera; -1: none
} View;

// A picture on the screen is about 4:3, whatever the model says.
static const mjtNum ASPECT = (mjtNum)4 / 3;

static View fixed_view(const Lint* l, int camera) {
  const mjModel* m = l->m;
  View view = {.body = m->cam_bodyid[camera]};
  v3_copy(view.pos, l->d->cam_xpos + 3 * camera);
  mju_copy(view.axes, l->d->cam_xmat + 9 * camera, 9);
  const float *size = m->cam_sensorsize + 2 * camera, *lens = m->cam_intrinsic + 4 * camera;
  if (size[1] > 0) {
    view.tangent[0] = (mjtNum)(size[0] / lens[0]) / 2;
    view.tangent[1] = (mjtNum)(size[1] / lens[1]) / 2;
  } else {
    view.tangent[1] = mju_tan(m->cam_fovy[camera] * (mjtNum)(mjPI / 360));
    view.tangent[0] = ASPECT * view.tangent[1];
  }
  return view;
}

// The mouse's camera as a viewer opens it: it looks at the model's center from 1.5 times its
// extent.
static View free_view(const mjModel* m) {
  double a = (double)m->vis.global.azimuth * mjPI / 180;
  double e = (double)m->vis.global.elevation * mjPI / 180;
  const double forward[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
  const double right[3] = {sin(a), -cos(a), 0};
  const double up[3] = {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)};
  View view = {.body = -1};
  for (int k = 0; k < 3; k++) {
    view.axes[3 * k] = (mjtNum)right[k];
    view.axes[3 * k + 1] = (mjtNum)up[k];
    view.axes[3 * k + 2] = (mjtNum)-forward[k];
    view.pos[k] = m->stat.center[k] - (mjtNum)(1.5 * forward[k]) * m->stat.extent;
  }
  view.tangent[1] = mju_tan((mjtNum)m->vis.global.fovy * (mjtNum)(mjPI / 360));
  view.tangent[0] = ASPECT * view.tangent[1];
  return view;
}

static int is_drawn(const mjModel* m, int geom) {
  int material = m->geom_matid[geom];
  float alpha = material >= 0 ? m->mat_rgba[4 * material + 3] : m->geom_rgba[4 * geom + 3];
  return alpha > 0 && m->geom_group[geom] >= 0 && m->geom_group[geom] <= 2;
}

// Distance to a geom along a vector, in lengths of it; -1 if it isn't met.
static mjtNum ray_to(const Lint* l, int geom, const mjtNum pos[3], const mjtNum vec[3]) {
  const mjModel* m = l->m;
  const mjData* d = l->d;
  switch (m->geom_type[geom]) {
    case mjGEOM_MESH:
      return mj_rayMesh(m, d, geom, pos, vec);
    case mjGEOM_HFIELD:
      return mj_rayHfield(m, d, geom, pos, vec);
    case mjGEOM_SDF:
      return -1;
    default:
      return mju_rayGeom(d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, m->geom_size + 3 * geom,
                         pos, vec, m->geom_type[geom]);
  }
}

// What a near plane cuts off a geom: how many of RAYS x RAYS rays through the picture meet the geom
// before the plane, and the least depth of these points.
typedef struct Cut_ {
  int count;
  mjtNum depth;
} Cut;

enum {
  RAYS = 15
};

// A geom around the camera doesn't count. It is the camera's housing, whose inside isn't drawn.
static Cut cut_of(const Lint* l, const View* view, int geom, mjtNum near) {
  Cut cut = {0, near};
  for (int i = 0; i < RAYS * RAYS; i++) {
    int row = i / RAYS, column = i % RAYS;
    mjtNum x = (mjtNum)(2 * column + 1) / RAYS - 1, y = (mjtNum)(2 * row + 1) / RAYS - 1;
    const mjtNum local[3] = {x * view->tangent[0], y * view->tangent[1], -1};
    mjtNum vec[3], back[3];
    m3_mulv(vec, view->axes, local);  // of depth 1
    mjtNum depth = ray_to(l, geom, view->pos, vec);
    if (depth <= 0 || depth >= near) {
      continue;
    }
    v3_scl(back, vec, -1);
    if (ray_to(l, geom, view->pos, back) >= 0) {
      return (Cut){0, near};
    }
    cut.count++;
    cut.depth = num_min(cut.depth, depth);
  }
  return cut;
}

// Can a geom reach in front of the near plane? Planes and height fields have no bound.
static int may_be_near(const Lint* l, const View* view, int geom, mjtNum near) {
  mjtNum corner = near * mju_sqrt(1 + view->tangent[0] * view->tangent[0] +
                                  view->tangent[1] * view->tangent[1]);
  mjtNum radius = l->m->geom_rbound[geom];
  return radius == 0 || v3_dist(view->pos, l->d->geom_xpos + 3 * geom) - radius < corner;
}

// Reports the geom of which the near plane cuts off most.
static void consider_view(Lint* l, const View* view, LintSubject subject, const char* who) {
  const mjModel* m = l->m;
  mjtNum near = (mjtNum)m->vis.map.znear * m->stat.extent;
  Cut most = {0, near};
  int which = -1;
  for (int i = 0; i < m->ngeom; i++) {
    int carries = view->body >= 0 && m->body_weldid[view->body] != 0 &&
                  m->body_weldid[view->body] == m->body_weldid[m->geom_bodyid[i]];
    if (is_drawn(m, i) && !carries && may_be_near(l, view, i, near)) {
      Cut cut = cut_of(l, view, i, near);
      if (cut.count > most.count) {
        most = cut;
        which = i;
      }
    }
  }
  if (which >= 0) {
    lint_warn(l, subject,
              lint_hint(l,
                        "<visual><map znear=\"%.2g\"/></visual>, or a smaller extent in "
                        "<statistic>",
                        (double)(most.depth / m->stat.extent) / 2),
              "%s cuts %s open, which begins %.3g m before it: its near plane is at %.3g m, znear "
              "%.3g times the model's extent %.3g (%d%% of the picture)",
              who, lint_name(l, mjOBJ_GEOM, which).text, most.depth, near, (double)m->vis.map.znear,
              m->stat.extent, 100 * most.count / (RAYS * RAYS));
  }
}

void check_near_plane(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->ncam; i++) {
    if (!m->cam_orthographic[i]) {
      View view = fixed_view(l, i);
      consider_view(l, &view, lint_id(l, mjOBJ_CAMERA, i), "it");
    }
  }
  if (!m->vis.global.orthographic) {
    View view = free_view(m);
    consider_view(l, &view, lint_whole(l), "the free camera, as it starts,");
  }
}
