// color.c: colors that carry information.

#include "view/draw/color.h"

#include <mujoco/api/base.h>
#include <stdint.h>

// Hue h, saturation s and value v, all 0 to 1, as red, green and blue.
static void hsv_color(float rgb[3], float h, float s, float v) {
  float sector = floorf(6 * h), f = 6 * h - sector;
  float p = v * (1 - s), q = v * (1 - s * f), t = v * (1 - s * (1 - f));
  const float color[6][3] = {{v, t, p}, {q, v, p}, {p, v, t}, {p, q, v}, {t, p, v}, {v, p, q}};
  int i = int_max(0, int_min(5, (int)sector));
  for (int k = 0; k < 3; k++) {
    rgb[k] = s > 0 ? color[i][k] : v;
  }
}

// mju_Halton(n, 2): the bits of n from the other end.
static double halton2(uint32_t n) {
  n = (n >> 1 & 0x55555555u) | (n & 0x55555555u) << 1;
  n = (n >> 2 & 0x33333333u) | (n & 0x33333333u) << 2;
  n = (n >> 4 & 0x0f0f0f0fu) | (n & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(n) / 4294967296.0;
}

void island_color(float rgba[4], const mjData* d, int island) {
  int known = d->nisland > 0 && island >= 0;
  float hue = known ? (float)halton2((uint32_t)d->island_dofadr[island] + 1) : 0;
  hsv_color(rgba, hue, known ? .8f : 0, .7f);
  rgba[3] = 1;
}

void asleep_color(float rgba[4], const mjModel* m, const mjData* d, int tree) {
  int first = d->cnd_cycle[tree] >= 0 ? d->cnd_cycle[tree] : tree;
  hsv_color(rgba, (float)halton2((uint32_t)m->tree_dofadr[first] + 1), .56f, .42f);
  rgba[3] = 1;
}

void dof_color(float rgba[4], const mjData* d, int dof) {
  island_color(rgba, d, d->nisland && dof >= 0 ? d->dof_island[dof] : -1);
}

void row_color(float rgba[4], const mjData* d, int row) {
  island_color(rgba, d, d->nisland && row >= 0 ? d->efc_island[row] : -1);
}

void mix_color(float* out, const float* a, const float* b, float x, int n) {
  for (int k = 0; k < n; k++) {
    out[k] = (1 - x) * a[k] + x * b[k];
  }
}

void limit_color(float rgba[3], const Picture* p, int type, int id) {
  const mjData* d = p->d;
  float impedance = 0;
  int first = d->ne + d->nf;
  for (int row = first; row < first + d->nl; row++) {
    if (d->efc_type[row] == type && d->efc_id[row] == id) {
      impedance = (float)d->efc_KBIP[4 * row + 2];
    }
  }
  mix_color(rgba, rgba, p->m->vis.rgba.constraint, impedance, 3);
}
