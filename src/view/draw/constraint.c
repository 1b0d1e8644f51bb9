// constraint.c: points that equality constraints hold together, contacts and their forces.

#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <stdio.h>

#include "view/draw/color.h"
#include "view/draw/elements.h"

// One of the two points of an equality constraint: at a site, or at an anchor in a body.
static int draw_anchor(Picture* p, int i, int side, const mjtNum pos[3], const mjtNum mat[9]) {
  const mjModel* m = p->m;
  mjvGeom* geom =
      take_decor(p, mjOBJ_EQUALITY, i, side ? m->vis.rgba.constraint : m->vis.rgba.connect);
  if (!geom) {
    return 0;
  }
  geom->type = mjGEOM_SPHERE;
  geom->size[0] = geom->size[1] = geom->size[2] = p->unit * m->vis.scale.constraint;
  scene_pose(geom, pos, mat);
  set_label(p, geom, mjLABEL_CONSTRAINT, mjOBJ_EQUALITY, i);
  return 1;
}

void draw_equality(Picture* p, int i) {
  const mjModel* m = p->m;
  const mjData* d = p->d;
  int type = m->eq_type[i];
  if (!d->eq_active[i] || (type != mjEQ_CONNECT && type != mjEQ_WELD)) {
    return;
  }
  // the anchor of a weld is in its second body and comes first in its data
  const mjtNum* data = m->eq_data + mjNEQDATA * i;
  int object[2] = {m->eq_obj1id[i], m->eq_obj2id[i]}, sites = m->eq_objtype[i] == mjOBJ_SITE;
  for (int side = 0; side < 2; side++) {
    const mjtNum* pos = (sites ? d->site_xpos : d->xpos) + 3 * object[side];
    const mjtNum* mat = (sites ? d->site_xmat : d->xmat) + 9 * object[side];
    mjtNum anchor[3];
    v3_copy(anchor, pos);
    if (!sites) {
      v3_toworld(anchor, data + (side == (type == mjEQ_CONNECT) ? 3 : 0), pos, mat);
    }
    if (!draw_anchor(p, i, side, anchor, mat)) {
      return;
    }
  }
}

// contacts

enum {
  SIDE_NAME = 48,  // bytes of the name of one side in a label
};

// What touches on one side of a contact, in short.
static void name_side(char name[SIDE_NAME], const mjModel* m, const mjContact* con, int side) {
  int is_geom = con->geom[side] >= 0, id = is_geom ? con->geom[side] : con->flex[side];
  const char* known = mj_id2name(m, is_geom ? mjOBJ_GEOM : mjOBJ_FLEX, id);
  char number[20], part[20] = "";
  snprintf(number, sizeof(number), "%c%d", is_geom ? 'g' : 'f', id);
  if (!is_geom) {
    int elem = con->elem[side];
    snprintf(part, sizeof(part), ".%c%d", elem >= 0 ? 'e' : 'v',
             elem >= 0 ? elem : con->vert[side]);
  }
  snprintf(name, SIDE_NAME, "%s%s", known ? known : number, part);
}

// The body of one side; flexes come after all bodies.
static int contact_body(const mjModel* m, const mjContact* con, int side) {
  return con->geom[side] >= 0 ? m->geom_bodyid[con->geom[side]] : m->nbody + con->flex[side];
}

// A disc as high as the contact is deep.
static void draw_disc(Picture* p, int i, const mjtNum mat[9]) {
  const mjModel* m = p->m;
  const mjContact* con = p->d->contact + i;
  int acts = con->efc_address >= 0;
  mjvGeom* geom =
      take_decor(p, mjOBJ_UNKNOWN, i, acts ? m->vis.rgba.contactpoint : m->vis.rgba.contactgap);
  if (!geom) {
    return;
  }
  mjtNum height = (mjtNum)m->vis.scale.contactheight * m->stat.meansize;
  geom->type = mjGEOM_CYLINDER;
  geom->size[0] = geom->size[1] = (float)((mjtNum)m->vis.scale.contactwidth * m->stat.meansize);
  geom->size[2] = (float)num_max(height, -con->dist / 2);
  scene_pose(geom, con->pos, mat);
  if (IS_SHOWN(p, ISLAND) && acts) {
    row_color(geom->rgba, p->d, con->efc_address);
  }
  if (p->opt->label == mjLABEL_CONTACTPOINT) {
    char name[2][SIDE_NAME];
    name_side(name[0], m, con, 0);
    name_side(name[1], m, con, 1);
    snprintf(geom->label, sizeof(geom->label), "%s | %s", name[0], name[1]);
  }
}

// An arrow from the contact to the side that comes later.
static mjvGeom* draw_arrow(Picture* p, int i, const mjtNum force[3], int both_ways,
                           const float rgba[4]) {
  const mjModel* m = p->m;
  const mjContact* con = p->d->contact + i;
  int body[2] = {contact_body(m, con, 0), contact_body(m, con, 1)};
  mjtNum scale = (mjtNum)m->vis.map.force / m->stat.meanmass, to[3];
  v3_addscl(to, con->pos, force, body[0] > body[1] ? -scale : scale);
  int type = both_ways && body[0] > 0 && body[1] > 0 ? mjGEOM_ARROW2 : mjGEOM_ARROW;
  return draw_connector(p, mjOBJ_UNKNOWN, i, type,
                        (mjtNum)m->vis.scale.forcewidth * m->stat.meansize, con->pos, to, rgba);
}

static void draw_contact_force(Picture* p, int i) {
  const mjModel* m = p->m;
  const mjContact* con = p->d->contact + i;
  mjtNum local[6], normal[3], friction[3];
  mj_contactForce(m, p->d, i, local);
  for (int k = con->dim; k < 3; k++) {
    local[k] = 0;
  }
  mjtNum size = v3_norm(local);
  if (size < mjMINVAL) {
    return;
  }
  v3_scl(normal, con->frame, local[0]);
  v3_scl(friction, con->frame + 3, local[1]);
  v3_addtoscl(friction, con->frame + 6, local[2]);
  int split = IS_SHOWN(p, CONTACTSPLIT) && con->dim > 1;
  if (!split) {
    v3_addto(normal, friction);
  }
  mjvGeom* geom = draw_arrow(p, i, normal, !split, m->vis.rgba.contactforce);
  if (geom && p->opt->label == mjLABEL_CONTACTFORCE) {
    snprintf(geom->label, sizeof(geom->label), "%-.3g", (double)size);
  }
  if (split) {
    draw_arrow(p, i, friction, 0, m->vis.rgba.contactfriction);
  }
}

void draw_contact(Picture* p, int i) {
  const mjModel* m = p->m;
  const mjContact* con = p->d->contact + i;
  const mjtNum* row = con->frame;

  // the normal is x in the frame of a contact and the axis, z, of its disc
  mjtNum frame[9], disc[9];
  for (int k = 0; k < 3; k++) {
    v3_set(frame + 3 * k, row[k], row[3 + k], row[6 + k]);
    v3_set(disc + 3 * k, row[3 + k], row[6 + k], row[k]);
  }
  if (IS_SHOWN(p, CONTACTPOINT)) {
    draw_disc(p, i, disc);
  }
  if (p->opt->frame == mjFRAME_CONTACT) {
    draw_axes(p, i, con->pos, frame, (mjtNum)m->vis.scale.framelength * m->stat.meansize / 2,
              (mjtNum)m->vis.scale.framewidth * m->stat.meansize / 2);
  }
  if (IS_SHOWN(p, CONTACTFORCE) && con->efc_address >= 0) {
    draw_contact_force(p, i);
  }
}
