// sight.c: cameras, with the pyramid that their sensor sees, and lights.

#include "view/camera.h"
#include "view/draw/elements.h"

// Corners of what a sensor sees in a plane at a distance: sides are those at the near plane, times
// scale.
//
//    3 ---- 2     y up
//    |      |
//    0 ---- 1     x right
static void sight_corners(mjtNum corner[4][3], const Picture* p, int camera, const float zhor[2],
                          const float zver[2], mjtNum scale, mjtNum distance) {
  static const int sides[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const mjtNum* mat = p->d->cam_xmat + 9 * camera;
  const float x[2] = {-(float)(scale * (mjtNum)zhor[0]), (float)(scale * (mjtNum)zhor[1])};
  const float y[2] = {-(float)(scale * (mjtNum)zver[0]), (float)(scale * (mjtNum)zver[1])};
  mjtNum axis[3][3], center[3];
  for (int k = 0; k < 3; k++) {
    m3_column(axis[k], mat, k);
  }
  v3_addscl(center, p->d->cam_xpos + 3 * camera, axis[2], -distance);
  for (int k = 0; k < 4; k++) {
    v3_addscl(corner[k], center, axis[0], (mjtNum)x[sides[k][0]]);
    v3_addtoscl(corner[k], axis[1], (mjtNum)y[sides[k][1]]);
  }
}

static void draw_triangle(Picture* p, int camera, const mjtNum a[3], const mjtNum b[3],
                          const mjtNum c[3]) {
  mjvGeom* geom = take_decor(p, mjOBJ_CAMERA, camera, p->m->vis.rgba.frustum);
  if (geom) {
    scene_triangle(geom, a, b, c);
  }
}

static void draw_line(Picture* p, int camera, const mjtNum from[3], const mjtNum to[3]) {
  draw_connector(p, mjOBJ_CAMERA, camera, mjGEOM_LINE, 3, from, to, p->m->vis.rgba.frustum);
}

static void draw_frustum(Picture* p, int camera) {
  const mjModel* m = p->m;
  mjtNum znear = (mjtNum)m->vis.map.znear * m->stat.extent;
  mjtNum zfar = (mjtNum)(p->unit * m->vis.scale.frustum);
  mjtNum near[4][3], far[4][3];
  float zver[2], zhor[2];
  camera_sensor_sides(zver, zhor, m, camera, (float)znear);
  sight_corners(near, p, camera, zhor, zver, 1, znear);
  sight_corners(far, p, camera, zhor, zver, zfar / znear, zfar);
  for (int e = 0; e < 4; e++) {
    int f = (e + 1) % 4;
    draw_triangle(p, camera, near[e], far[e], near[f]);
    draw_triangle(p, camera, far[e], far[f], near[f]);
    draw_line(p, camera, near[e], near[f]);
    draw_line(p, camera, far[e], far[f]);
    draw_line(p, camera, near[e], far[e]);
  }
}

// A shape of decoration of sizes x, y, z times a unit.
static mjvGeom* draw_part(Picture* p, int objtype, int objid, int type, const float size[3],
                          float unit, const mjtNum pos[3], const mjtNum mat[9],
                          const float rgba[4]) {
  mjvGeom* geom = take_decor(p, objtype, objid, rgba);
  if (geom) {
    geom->type = type;
    for (int k = 0; k < 3; k++) {
      geom->size[k] = size[k] * unit;
    }
    scene_pose(geom, pos, mat);
  }
  return geom;
}

void draw_camera(Picture* p, int camera) {
  static const float body[3] = {1, .8f, .4f}, lens[3] = {.4f, .4f, .3f};
  const mjModel* m = p->m;
  const mjtNum *pos = p->d->cam_xpos + 3 * camera, *mat = p->d->cam_xmat + 9 * camera;
  float unit = p->unit * m->vis.scale.camera, rgba[4];
  memcpy(rgba, m->vis.rgba.camera, sizeof(rgba));
  if (m->cam_sensorsize[2 * camera + 1] > 0) {
    draw_frustum(p, camera);
    rgba[3] = .3f;
  }
  mjvGeom* geom = draw_part(p, mjOBJ_CAMERA, camera, mjGEOM_BOX, body, unit, pos, mat, rgba);
  if (!geom) {
    return;
  }
  set_label(p, geom, mjLABEL_CAMERA, mjOBJ_CAMERA, camera);

  mjtNum back[3], front[3];
  m3_column(back, mat, 2);
  v3_addscl(front, pos, back, (mjtNum)(-.6f * unit));
  for (int k = 0; k < 3; k++) {
    rgba[k] *= .5f;
  }
  draw_part(p, mjOBJ_CAMERA, camera, mjGEOM_CYLINDER, lens, unit, front, mat, rgba);
  if (p->opt->frame == mjFRAME_CAMERA) {
    draw_frame(p, camera, pos, mat);
  }
}

void draw_light(Picture* p, int light) {
  static const float size[3] = {.8f, .8f, 1};
  const mjtNum *pos = p->d->light_xpos + 3 * light, *dir = p->d->light_xdir + 3 * light;
  float unit = p->unit * p->m->vis.scale.light;
  mjtNum mat[9], behind[3];
  scene_turn(mat, dir);
  v3_addscl(behind, pos, dir, -((mjtNum)unit + (mjtNum)0.0001));
  mjvGeom* geom = draw_part(p, mjOBJ_LIGHT, light, mjGEOM_CYLINDER, size, unit, behind, mat,
                            p->m->vis.rgba.light);
  if (!geom) {
    return;
  }
  set_label(p, geom, mjLABEL_LIGHT, mjOBJ_LIGHT, light);
  if (p->opt->frame == mjFRAME_LIGHT) {
    draw_frame(p, light, pos, mat);
  }
}
