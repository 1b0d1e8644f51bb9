// frame.c: the axes of geoms, sites, bodies and the world.

#include "view/draw/elements.h"

// Whether an object is visible; otherwise its frame is not drawn either. If it has a material, the
// opacity of that counts.
static int is_visible(const mjModel* m, int material, const float rgba[4]) {
  return (material >= 0 ? m->mat_rgba[4 * material + 3] : rgba[3]) != 0;
}

void draw_geom_frame(Picture* p, int i) {
  const mjModel* m = p->m;
  if (is_visible(m, m->geom_matid[i], m->geom_rgba + 4 * i)) {
    draw_frame(p, i, p->d->geom_xpos + 3 * i, p->d->geom_xmat + 9 * i);
  }
}

void draw_site_frame(Picture* p, int i) {
  const mjModel* m = p->m;
  if (is_visible(m, m->site_matid[i], m->site_rgba + 4 * i)) {
    draw_frame(p, i, p->d->site_xpos + 3 * i, p->d->site_xmat + 9 * i);
  }
}

// The frame of a body, or of its inertia if that is shown.
static const mjtNum* frame_of(const Picture* p, int body, const mjtNum** mat) {
  const mjData* d = p->d;
  int inertial = IS_SHOWN(p, INERTIA);
  *mat = (inertial ? d->ximat : d->xmat) + 9 * body;
  return (inertial ? d->xipos : d->xpos) + 3 * body;
}

void draw_world_frame(Picture* p, int body) {
  const mjtNum *mat, *pos = frame_of(p, body, &mat);
  draw_axes(p, body, pos, mat, (mjtNum)(2 * (p->unit * p->m->vis.scale.framelength)),
            (mjtNum)(2 * (p->unit * p->m->vis.scale.framewidth)));
}

void draw_body_frame(Picture* p, int body) {
  const mjtNum *mat, *pos = frame_of(p, body, &mat);
  draw_frame(p, body, pos, mat);
}
