// picture.c: names, frames and connectors, which many kinds of elements have.

#include "view/draw/picture.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>

void name_object(char name[100], const mjModel* m, int objtype, int id) {
  const char* known = mj_id2name(m, objtype, id);
  if (known) {
    snprintf(name, 100, "%s", known);
  } else {
    snprintf(name, 100, "%s %d", mju_type2Str(objtype), id);
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
