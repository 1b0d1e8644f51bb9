// actuator.c: slider-cranks, which are always drawn, and actuators in the color of their control.

#include <mujoco/api/base.h>

#include "smooth/actuation.h"
#include "smooth/support.h"
#include "view/draw/color.h"
#include "view/draw/elements.h"
#include "view/draw/tendon.h"

// A slider-crank: a rod of length r from the crank's pin c to a slider on the axis z through p.
//
//   vec = c - p,   l = vec.z,   the slider is at p + (l - sqrt(l^2 + r^2 - |vec|^2)) z
//
// If the root is imaginary, the rod is too short and drawn as broken.
void draw_crank(Picture* p, int i) {
  const mjModel* m = p->m;
  if (m->actuator_trntype[i] != mjTRN_SLIDERCRANK) {
    return;
  }
  const mjtNum* pin = p->d->site_xpos + 3 * m->actuator_trnid[2 * i];
  const mjtNum* slider = p->d->site_xpos + 3 * m->actuator_trnid[2 * i + 1];
  mjtNum axis[3], vec[3], end[3], rod = m->actuator_cranklength[i];
  m3_column(axis, p->d->site_xmat + 9 * m->actuator_trnid[2 * i + 1], 2);
  v3_sub(vec, pin, slider);
  mjtNum along = v3_dot(vec, axis), det = along * along + rod * rod - v3_dot(vec, vec);
  v3_addscl(end, slider, axis, along - mju_sqrt(num_max(0, det)));

  float width = p->unit * m->vis.scale.slidercrank;
  mjvGeom* geom = take_shape(p, mjOBJ_ACTUATOR, i, mjCAT_DYNAMIC);
  if (!geom) {
    return;
  }
  scene_connect(geom, mjGEOM_CYLINDER, (mjtNum)width, slider, end);
  scene_color(geom, m->vis.rgba.slidercrank);
  set_label(p, geom, mjLABEL_ACTUATOR, mjOBJ_ACTUATOR, i);

  geom = take_shape(p, mjOBJ_ACTUATOR, i, mjCAT_DYNAMIC);
  if (geom) {
    scene_connect(geom, mjGEOM_CAPSULE, (mjtNum)(width / 2), end, pin);
    scene_color(geom, det < 0 ? m->vis.rgba.crankbroken : m->vis.rgba.slidercrank);
  }
}

// Where the first control, or the activation, is between its lowest, neutral and highest value.
//
//   a       x    b         c        x <= b: (b - x)/(b - a) of the negative color
//   |-------o----|---------|        x > b:  (x - b)/(c - b) of the positive one
static void level_color(float rgba[4], const Picture* p, int i) {
  const mjModel* m = p->m;
  int last = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  int active = IS_SHOWN(p, ACTIVATION) && m->actuator_dyntype[i] != mjDYN_NONE && last >= 0;
  mjtNum low = -1, high = 1;
  int control = m->actuator_ctrladr[i], is_driven = m->actuator_ctrlnum[i] > 0;
  if (is_driven && m->actuator_ctrllimited[control]) {
    low = m->actuator_ctrlrange[2 * control];
    high = m->actuator_ctrlrange[2 * control + 1];
  } else if (IS_SHOWN(p, ACTIVATION) && m->actuator_actlimited[i]) {
    low = m->actuator_actrange[2 * i];
    high = m->actuator_actrange[2 * i + 1];
  }
  mjtNum a = low, b = 0, c = high;
  if (low >= 0) {
    a = -1;
    b = low;
  } else if (high <= 0) {
    b = high;
    c = 1;
  }
  a = b - a < mjMINVAL ? b - mjMINVAL : a;
  c = c - b < mjMINVAL ? b + mjMINVAL : c;

  mjtNum x = num_clamp(active ? p->d->act[last] : is_driven ? p->d->ctrl[control] : 0, a, c);
  mjtNum share = x <= b ? (b - x) / (b - a) : (x - b) / (c - b);
  mix_color(rgba, m->vis.rgba.actuator,
            x <= b ? m->vis.rgba.actuatornegative : m->vis.rgba.actuatorpositive, (float)share, 4);
}

static void label_actuator(const Picture* p, mjvGeom* geom, int i) {
  set_label(p, geom, mjLABEL_ACTUATOR, mjOBJ_ACTUATOR, i);
}

// An arrow along the axis of a scalar joint, a lump at others.
static void draw_at_joint(Picture* p, int i, const float rgba[4]) {
  const mjModel* m = p->m;
  int joint = m->actuator_trnid[2 * i], type = m->jnt_type[joint];
  const mjtNum *anchor = p->d->xanchor + 3 * joint, *axis = p->d->xaxis + 3 * joint;
  mjvGeom* geom = take_decor(p, mjOBJ_ACTUATOR, i, rgba);
  if (!geom) {
    return;
  }
  if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
    mjtNum end[3];
    v3_addscl(end, anchor, axis, (mjtNum)(p->unit * m->vis.scale.actuatorlength));
    scene_connect(geom, type == mjJNT_HINGE ? mjGEOM_ARROW1 : mjGEOM_ARROW,
                  (mjtNum)(p->unit * m->vis.scale.actuatorwidth), anchor, end);
  } else {
    geom->type = type == mjJNT_BALL ? mjGEOM_SPHERE : mjGEOM_BOX;
    geom->size[0] = geom->size[1] = geom->size[2] =
        (float)(.33 * (double)(p->unit * m->vis.scale.jointlength));
    scene_pose(geom, anchor, p->d->xmat + 9 * m->jnt_bodyid[joint]);
  }
  label_actuator(p, geom, i);
}

// Adds a shape that is a little larger than the one that the actuator drives.
static mjvGeom* draw_around(Picture* p, int i, const float rgba[4], int type, const mjtNum size[3],
                            const mjtNum pos[3], const mjtNum mat[9]) {
  mjtNum larger[3];
  v3_scl(larger, size, (mjtNum)1.05);
  mjvGeom* geom = take_decor(p, mjOBJ_ACTUATOR, i, rgba);
  if (geom) {
    geom->type = type;
    scene_size(geom, type, larger);
    scene_pose(geom, pos, mat);
  }
  return geom;
}

static void draw_at_site(Picture* p, int i, const float rgba[4]) {
  const mjModel* m = p->m;
  int site = m->actuator_trnid[2 * i];
  mjtNum pos[3], mat[9];
  site_shape(pos, mat, m, p->d, site);
  mjvGeom* geom = draw_around(p, i, rgba, m->site_type[site], m->site_size + 3 * site, pos, mat);
  if (geom) {
    int mesh = m->site_dataid[site];
    if (m->site_type[site] == mjGEOM_MESH && mesh >= 0) {
      geom->dataid = 2 * mesh + (IS_SHOWN(p, CONVEXHULL) && m->mesh_graphadr[mesh] >= 0);
    }
    label_actuator(p, geom, i);
  }
}

static void draw_at_rotation(Picture* p, int i, const float rgba[4]) {
  if (p->m->actuator_trnid[2 * i + 1] < 0) {
    draw_at_joint(p, i, rgba);
  } else {
    draw_at_site(p, i, rgba);
  }
}

static int has_size(int type) {
  return type != mjGEOM_PLANE && type != mjGEOM_HFIELD && type != mjGEOM_MESH && type != mjGEOM_SDF;
}

static void draw_at_body(Picture* p, int i, const float rgba[4]) {
  const mjModel* m = p->m;
  int body = m->actuator_trnid[2 * i], first = m->body_geomadr[body];
  for (int k = first; k < first + m->body_geomnum[body]; k++) {
    if (has_size(m->geom_type[k]) &&
        !draw_around(p, i, rgba, m->geom_type[k], m->geom_size + 3 * k, p->d->geom_xpos + 3 * k,
                     p->d->geom_xmat + 9 * k)) {
      return;
    }
  }
}

static void draw_at_tendon(Picture* p, int i, const float rgba[4]) {
  const mjModel* m = p->m;
  int tendon = m->actuator_trnid[2 * i];
  mjvGeom like = scene_blank;
  like.objtype = mjOBJ_ACTUATOR;
  like.objid = i;
  like.category = mjCAT_DECOR;
  set_material(p, &like, m->tendon_matid[tendon], m->tendon_rgba + 4 * tendon);
  scene_color(&like, rgba);
  label_actuator(p, &like, i);
  draw_path(p, tendon, m->tendon_width[tendon] * (mjtNum)m->vis.map.actuatortendon, &like);
}

// how an actuator is drawn, by its transmission
static void (*const at_transmission[])(Picture* p, int i, const float rgba[4]) = {
    [mjTRN_JOINT] = draw_at_joint,   [mjTRN_JOINTINPARENT] = draw_at_joint,
    [mjTRN_TENDON] = draw_at_tendon, [mjTRN_SITE] = draw_at_site,
    [mjTRN_BODY] = draw_at_body,     [mjTRN_SO3] = draw_at_rotation,
};

void draw_actuator(Picture* p, int i) {
  const mjModel* m = p->m;
  int kind = m->actuator_trntype[i];
  if (!actuator_is_disabled(m, i) && kind >= 0 && kind <= mjTRN_SO3 && at_transmission[kind]) {
    float rgba[4];
    level_color(rgba, p, i);
    at_transmission[kind](p, i, rgba);
  }
}
