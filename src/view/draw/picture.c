// picture.c: names, frames and connectors, which many kinds of elements have.

#include "view/draw/picture.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

size_t name_number(char* text, size_t n, int number) {
  char digits[12];
  size_t count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  while (count) {
    text[n++] = digits[--count];
  }
  return n;
}

void name_object(char name[100], const mjModel* m, int objtype, int id) {
  const char *known = mj_id2name(m, objtype, id), *text = known ? known : mju_type2Str(objtype);
  size_t n = strnlen(text, 99);
  memcpy(name, text, n);
  if (!known) {
    name[n++] = ' ';
    n = name_number(name, n, id);
  }
  name[n] = 0;
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
    mjtNum axis[3], middle[3], turned[9];
    mjvGeom* geom = take_decor(p, mjOBJ_UNKNOWN, objid, color[k]);
    if (!geom) {
      return;
    }
    m3_column(axis, mat, k);
    v3_addscl(middle, pos, axis, length / 2);
    scene_turn_unit(turned, axis);
    geom->type = mjGEOM_CYLINDER;
    geom->size[0] = geom->size[1] = (float)width;
    geom->size[2] = (float)length / 2;
    scene_pose(geom, middle, turned);
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
