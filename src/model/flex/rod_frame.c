// Frames of the edges of a rod.                           theory/smooth/deformables.md, Rods

#include "model/flex/rod_frame.h"

#include <mujoco/api/base.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"

void rod_transport(mjtNum out[3], const mjtNum u[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum c[3], turned[3], cosine = v3_dot(a, b), from[3];
  v3_copy(from, u);
  v3_cross(c, a, b);
  v3_cross(turned, c, from);
  mjtNum along = v3_dot(c, from) / num_max(mjMINVAL, 1 + cosine);
  for (int k = 0; k < 3; k++) {
    out[k] = from[k] * cosine + turned[k] + along * c[k];
  }
}

const mjtNum* rod_frames(const mjModel* m, const mjData* d, int flex) {
  return d->plastic + m->flex_plasticadr[flex];
}

int rod_is_started(const mjtNum* frames) {
  return v3_dot(frames, frames) > (mjtNum)0.25;
}

int rod_holder(const Rod* rod, int edge) {
  return !edge ? rod->held_first : edge == rod->n ? rod->held_last : -1;
}

mjtNum rod_angle(const mjModel* m, const mjData* d, const Rod* rod, int edge) {
  return rod_holder(rod, edge) >= 0 ? 0 : d->qpos[m->jnt_qposadr[rod_joint(rod, edge)]];
}

void rod_axis(mjtNum u[3], const mjModel* m, const mjData* d, const Rod* rod, int flex, int edge,
              const mjtNum t[3], const mjtNum t0[3], const mjtNum u0[3]) {
  const mjtNum *frames = rod_frames(m, d, flex), *frame = frames + ROD_FRAME * edge;
  int body = rod_holder(rod, edge);
  if (body >= 0) {
    m3_mulv(u, d->xmat + 9 * body, edge ? rod->last : rod->first + 3);
  } else if (rod_is_started(frames)) {
    rod_transport(u, frame + 3, frame, t);
  } else if (!edge) {
    rod_transport(u, rod->first + 3, rod->first, t);
  } else {
    rod_transport(u, u0, t0, t);
  }
}

void rod_material(mjtNum m1[3], mjtNum m2[3], const mjtNum t[3], const mjtNum u[3], mjtNum angle) {
  mjtNum across[3], c = num_cos(angle), s = num_sin(angle);
  v3_cross(across, t, u);
  for (int k = 0; k < 3; k++) {
    m1[k] = c * u[k] + s * across[k];
    m2[k] = -s * u[k] + c * across[k];
  }
}

static void place_box(RodBox* box, const mjtNum a[3], const mjtNum b[3], const mjtNum t[3],
                      const mjtNum u[3], mjtNum angle, const mjtNum size[3]) {
  mjtNum m1[3], m2[3];
  rod_material(m1, m2, t, u, angle);
  v3_add(box->pos, a, b);
  v3_scl(box->pos, box->pos, (mjtNum)0.5);
  v3_copy(box->size, size);
  for (int k = 0; k < 3; k++) {
    box->mat[3 * k] = m1[k];
    box->mat[3 * k + 1] = m2[k];
    box->mat[3 * k + 2] = t[k];
  }
}

void rod_boxes(RodBox* box, const mjModel* m, const mjData* d, const Rod* rod, int flex, int first,
               int n, const mjtNum half[2]) {
  const mjtNum* x = d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[flex];
  int past = rod_is_started(rod_frames(m, d, flex)) || rod_holder(rod, first) >= 0;
  mjtNum t[3] = {0, 0, 0}, u[3] = {0, 0, 0};
  for (int e = past ? first : 0; e < first + n; e++) {
    mjtNum t0[3], u0[3];
    int vert[2];
    rod_edge(vert, rod, e);
    const mjtNum *a = x + 3 * (size_t)vert[0], *b = x + 3 * (size_t)vert[1];
    v3_copy(t0, t);
    v3_copy(u0, u);
    v3_sub(t, b, a);
    mjtNum length = v3_normalize(t);
    rod_axis(u, m, d, rod, flex, e, t, t0, u0);
    if (e >= first) {
      const mjtNum size[3] = {half[0], half[1], length / 2};
      place_box(box + e - first, a, b, t, u, rod_angle(m, d, rod, e), size);
    }
  }
}
