// picture.c: materials, labels and frames, which all kinds of elements have.

#include "view/draw/picture.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>

static const float usual_rgba[4] = {.5f, .5f, .5f, 1};

static int is_usual(const float rgba[4]) {
  return rgba[0] == usual_rgba[0] && rgba[1] == usual_rgba[1] && rgba[2] == usual_rgba[2] &&
         rgba[3] == usual_rgba[3];
}

void set_material(const Picture* p, mjvGeom* geom, int material, const float rgba[4]) {
  const mjModel* m = p->m;
  if (material >= 0) {
    geom->emission = m->mat_emission[material];
    geom->specular = m->mat_specular[material];
    geom->shininess = m->mat_shininess[material];
    geom->reflectance = m->mat_reflectance[material];
    geom->matid = IS_SHOWN(p, TEXTURE) ? material : -1;
    rgba = is_usual(rgba) ? m->mat_rgba + 4 * material : rgba;
  }
  scene_color(geom, rgba);
  if (IS_SHOWN(p, TRANSPARENT) && geom->category == mjCAT_DYNAMIC) {
    geom->rgba[3] *= m->vis.map.alpha;
  }
}

void name_object(char name[100], const mjModel* m, int objtype, int id) {
  const char* known = mj_id2name(m, objtype, id);
  if (known) {
    snprintf(name, 100, "%s", known);
  } else {
    snprintf(name, 100, "%s %d", mju_type2Str(objtype), id);
  }
}

void set_label(const Picture* p, mjvGeom* geom, int label, int objtype, int id) {
  if (p->opt->label == label) {
    name_object(geom->label, p->m, objtype, id);
  }
}

mjvGeom* draw_connector(Picture* p, int objtype, int objid, int type, mjtNum width,
                        const mjtNum from[3], const mjtNum to[3], const float rgba[4]) {
  mjvGeom* geom = take_decor(p, objtype, objid, rgba);
  if (geom) {
    scene_connect(geom, type, width, from, to);
  }
  return geom;
}

void draw_axes(Picture* p, int objid, const mjtNum pos[3], const mjtNum mat[9], mjtNum length,
               mjtNum width) {
  static const float color[3][4] = {{.9f, 0, 0, 1}, {0, .9f, 0, 1}, {0, 0, .9f, 1}};
  for (int k = 0; k < 3; k++) {
    mjtNum axis[3], end[3];
    m3_column(axis, mat, k);
    v3_addscl(end, pos, axis, length);
    draw_connector(p, mjOBJ_UNKNOWN, objid, mjGEOM_CYLINDER, width, pos, end, color[k]);
  }
}

void draw_frame(Picture* p, int objid, const mjtNum pos[3], const mjtNum mat[9]) {
  draw_axes(p, objid, pos, mat, (mjtNum)(p->unit * p->m->vis.scale.framelength),
            (mjtNum)(p->unit * p->m->vis.scale.framewidth));
}

void selected_point(mjtNum point[3], const Picture* p) {
  int body = p->pert->select;
  v3_toworld(point, p->pert->localpos, p->d->xpos + 3 * body, p->d->xmat + 9 * body);
}
