// body.c: decoration of bodies: inertia, the perturbed body, labels, centers of mass, connections,
// applied forces.

#include <math.h>
#include <mujoco/api/base.h>
#include <stdio.h>

#include "view/draw/color.h"
#include "view/draw/elements.h"

// The half sizes of a box, or of an ellipsoid, of the same mass and inertia:
//
//   s_x^2 = c (I_y + I_z - I_x) / 2m,  c = 3 for a box, 5 for an ellipsoid
static void inertia_size(mjtNum size[3], const mjtNum inertia[3], mjtNum mass, mjtNum c) {
  for (int k = 0; k < 3; k++) {
    mjtNum other = inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k];
    size[k] = mju_sqrt(num_max(0, other) / (2 * mass)) * mju_sqrt(c);
  }
}

void draw_inertia(Picture* p, int body) {
  const mjModel* m = p->m;
  if (m->body_mass[body] <= mjMINVAL) {
    return;
  }
  int round = m->vis.global.ellipsoidinertia == 1, selected = p->pert->select == body;
  mjtNum size[3], mass = m->body_mass[body];
  inertia_size(size, m->body_inertia + 3 * body, mass, round ? 5 : 3);
  if (IS_SHOWN(p, SCLINERTIA)) {
    // scaled to the volume that the mass would have as water
    mjtNum volume = size[0] * size[1] * size[2] * (round ? 4 * (mjtNum)mjPI / 3 : 8);
    mjtNum scale = (mjtNum)cbrt((double)((mjtNum)0.001 * mass / num_max(mjMINVAL, volume)));
    v3_scl(size, size, scale);
  }
  mjvGeom* geom = take_decor(p, mjOBJ_BODY, body, m->vis.rgba.inertia);
  if (!geom) {
    return;
  }
  geom->type = round ? mjGEOM_ELLIPSOID : mjGEOM_BOX;
  scene_round3(geom->size, size);
  scene_pose(geom, p->d->xipos + 3 * body, p->d->ximat + 9 * body);
  glow_if(p, geom, selected);
  set_label(p, geom, mjLABEL_BODY, mjOBJ_BODY, body);
  if (selected) {
    set_label(p, geom, mjLABEL_SELECTION, mjOBJ_BODY, body);
  }
}

// The color of a perturbation. Red and green tell which hand acts; the second hand's are swapped.
static void hand_color(float rgba[4], const Picture* p, int bit, const float ref[4]) {
  int first = p->pert->active & bit, second = p->pert->active2 & bit;
  for (int k = 0; k < 2; k++) {
    float one = first ? ref[k] : 0, other = second ? ref[1 - k] : 0;
    rgba[k] = one > other ? one : other;
  }
  rgba[2] = ref[2];
  rgba[3] = ref[3];
}

// A rod from the grabbed point to where it is pulled, with a ball at its end.
static void draw_pull(Picture* p, const mjtNum mat[9]) {
  const mjvPerturb* pert = p->pert;
  float rgba[4], width = p->unit * p->m->vis.scale.constraint;
  mjtNum point[3];
  selected_point(point, p);
  hand_color(rgba, p, mjPERT_TRANSLATE, p->m->vis.rgba.constraint);
  draw_connector(p, mjOBJ_UNKNOWN, pert->select, mjGEOM_CAPSULE, (mjtNum)width, point,
                 pert->refselpos, rgba);
  mjvGeom* geom = take_decor(p, mjOBJ_UNKNOWN, pert->select, rgba);
  if (geom) {
    geom->type = mjGEOM_SPHERE;
    geom->size[0] = geom->size[1] = geom->size[2] = 2 * width;
    scene_pose(geom, pert->refselpos, mat);
  }
}

// The box of the body, in the orientation to which it is being turned.
static void draw_turn(Picture* p, const mjtNum mat[9]) {
  const mjModel* m = p->m;
  int body = p->pert->select;
  float rgba[4];
  hand_color(rgba, p, mjPERT_ROTATE, m->vis.rgba.inertia);
  mjvGeom* geom = take_decor(p, mjOBJ_UNKNOWN, body, rgba);
  if (!geom) {
    return;
  }
  mjtNum pos[3];
  geom->type = mjGEOM_BOX;
  v3_copy(pos, p->d->xipos + 3 * body);
  if (m->body_bvhnum[body]) {
    const mjtNum* box = m->bvh_aabb + 6 * m->body_bvhadr[body];
    v3_toworld(pos, box, pos, p->d->ximat + 9 * body);
    scene_round3(geom->size, box + 3);
  } else {
    geom->size[0] = geom->size[1] = geom->size[2] = p->unit;
  }
  scene_pose(geom, pos, mat);
}

void draw_perturbed(Picture* p, int none) {
  (void)none;
  int active = p->pert->active | p->pert->active2;
  mjtNum mat[9];
  mju_quat2Mat(mat, p->pert->refquat);
  if (active & mjPERT_TRANSLATE) {
    draw_pull(p, mat);
  }
  if (active & mjPERT_ROTATE) {
    draw_turn(p, mat);
  }
}

// A ball of decoration.
static mjvGeom* draw_ball(Picture* p, int objid, float radius, const mjtNum pos[3],
                          const float rgba[4]) {
  mjvGeom* geom = take_decor(p, mjOBJ_UNKNOWN, objid, rgba);
  if (geom) {
    geom->type = mjGEOM_SPHERE;
    geom->size[0] = geom->size[1] = geom->size[2] = radius;
    scene_round3(geom->pos, pos);
  }
  return geom;
}

void draw_selected_point(Picture* p, int none) {
  (void)none;
  const mjtNum* local = p->pert->localpos;
  mjtNum point[3];
  selected_point(point, p);
  mjvGeom* geom = draw_ball(p, p->pert->select, p->unit * p->m->vis.scale.selectpoint, point,
                            p->m->vis.rgba.selectpoint);
  if (geom && p->opt->label == mjLABEL_SELPNT) {
    snprintf(geom->label, sizeof(geom->label), "%.3f %.3f %.3f (local %.3f %.3f %.3f)",
             (double)point[0], (double)point[1], (double)point[2], (double)local[0],
             (double)local[1], (double)local[2]);
  }
}

// A label without a shape.
static mjvGeom* take_label(Picture* p, int body, const mjtNum pos[3], const mjtNum mat[9]) {
  mjvGeom* geom = take_shape(p, mjOBJ_UNKNOWN, body, mjCAT_DECOR);
  if (geom) {
    geom->type = mjGEOM_LABEL;
    scene_pose(geom, pos, mat);
  }
  return geom;
}

// A body has its label at its inertia, if that is drawn.
void draw_body_label(Picture* p, int body) {
  int all = p->opt->label == mjLABEL_BODY;
  if (IS_SHOWN(p, INERTIA) || (!all && body != p->pert->select)) {
    return;
  }
  mjvGeom* geom = take_label(p, body, p->d->xpos + 3 * body, p->d->xmat + 9 * body);
  if (geom) {
    name_object(geom->label, p->m, mjOBJ_BODY, body);
  }
}

void draw_island_label(Picture* p, int body) {
  const mjModel* m = p->m;
  int weld = m->body_weldid[body];
  if (!p->d->nisland || !m->body_dofnum[weld]) {
    return;
  }
  int island = p->d->dof_island[m->body_dofadr[weld]];
  if (island < 0) {
    return;
  }
  mjvGeom* geom = take_label(p, body, p->d->xipos + 3 * body, p->d->ximat + 9 * body);
  if (geom) {
    geom->label[name_number(geom->label, 0, island)] = 0;
  }
}

// Centers of mass are drawn for whole trees only.
void draw_com(Picture* p, int body) {
  if (p->m->body_rootid[body] == body) {
    draw_ball(p, body, p->unit * p->m->vis.scale.com, p->d->subtree_com + 3 * body,
              p->m->vis.rgba.com);
  }
}

// Draws a line from the center of mass of a body through its joints, the last one first, to the
// center of mass of its parent.
void draw_connection(Picture* p, int body) {
  const mjModel* m = p->m;
  int parent = m->body_parentid[body], joint = m->body_jntadr[body] + m->body_jntnum[body] - 1;
  if (parent == 0) {
    return;
  }
  mjtNum width = (mjtNum)(p->unit * m->vis.scale.connect);
  const mjtNum *from = p->d->xipos + 3 * body, *to;
  for (int left = m->body_jntnum[body]; left >= 0; left--, joint--, from = to) {
    to = left ? p->d->xanchor + 3 * joint : p->d->xipos + 3 * parent;
    if (!draw_connector(p, mjOBJ_UNKNOWN, body, mjGEOM_CAPSULE, width, from, to,
                        m->vis.rgba.connect)) {
      return;
    }
  }
}

void draw_applied_force(Picture* p, int body) {
  const mjModel* m = p->m;
  const mjtNum *force = p->d->xfrc_applied + 6 * body, *from = p->d->xipos + 3 * body;
  if (v3_norm(force) <= mjMINVAL) {
    return;
  }
  mjtNum to[3];
  v3_addscl(to, from, force, (mjtNum)m->vis.map.force / m->stat.meanmass);
  draw_connector(p, mjOBJ_UNKNOWN, body, mjGEOM_ARROW, (mjtNum)(p->unit * m->vis.scale.forcewidth),
                 from, to, m->vis.rgba.force);
}
