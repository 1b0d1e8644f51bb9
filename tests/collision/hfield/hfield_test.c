// Contacts of height fields: those of the reference one by one, and what must hold without it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
// cmocka needs the four above first
#include <cmocka.h>
#include <condyle/load.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "collision/pair_case.h"
#include "support/bridge.h"
#include "support/near.h"

// Solids that meet a height field but not each other.
static const char* const solids[] = {
    "type='sphere' size='.2'",          "type='capsule' size='.1 .2'",
    "type='ellipsoid' size='.1 .2 .3'", "type='cylinder' size='.2 .1'",
    "type='box' size='.1 .2 .3'",       "type='mesh' mesh='small'",
    "type='mesh' mesh='large'",
};
enum {
  NSOLID = sizeof(solids) / sizeof(solids[0]),
  FIRST = 1,     // geom of the first solid
  EXACT_FROM = 4,  // the rest are polytopes
};

// A field of nrow x ncol heights drawn from the seed, of which `flat` levels exist (0: any), and all solids.
static void scene(char* xml, size_t size, int nrow, int ncol, int levels, double margin,
                  const char* flags, uint64_t seed) {
  size_t n = (size_t)snprintf(
      xml, size,
      "<mujoco><option><flag %s/></option><size memory='4M'/><default><geom contype='1' conaffinity='0' "
      "margin='%g'/></default><asset>"
      "<mesh name='small' vertex='.2 0 0 -.2 0 0 0 .25 0 0 -.25 0 0 0 .15 0 0 -.15'/>"
      "<mesh name='large' vertex='.2 .1 0 .2 -.1 0 -.2 .1 0 -.2 -.1 0 0 .2 .1 0 .2 -.1 0 -.2 .1 0 "
      "-.2 -.1 .1 0 .2 -.1 0 .2 .1 0 -.2 -.1 0 -.2'/>"
      "<hfield name='h' nrow='%d' ncol='%d' size='1 .8 .5 .2' elevation='",
      flags, margin, nrow, ncol);
  for (int i = 0; i < nrow * ncol; i++) {
    double z = levels ? case_int(&seed, levels) : case_real(&seed, 0, 1);
    n += (size_t)snprintf(xml + n, size - n, "%.9g ", z);
  }
  n += (size_t)snprintf(xml + n, size - n,
                        "'/></asset><worldbody><geom type='hfield' hfield='h' contype='0' "
                        "conaffinity='1'/>");
  for (int i = 0; i < NSOLID; i++) {
    n += (size_t)snprintf(xml + n, size - n, "<body><freejoint/><geom %s/></body>", solids[i]);
  }
  n += (size_t)snprintf(xml + n, size - n, "</worldbody></mujoco>");
  assert_true(n < size);
}

// Places all solids near the field; every third time upright, on its samples.
static void scatter(const mjModel* m, mjData* d, uint64_t* seed, int kind) {
  int ncol = m->hfield_ncol[0], nrow = m->hfield_nrow[0];
  v3_zero(d->geom_xpos);
  m3_identity(d->geom_xmat);
  if (kind == 1) {
    case_rotation(d->geom_xmat, seed);
    v3_set(d->geom_xpos, .3, -.2, .1);
  }
  for (int i = FIRST; i < m->ngeom; i++) {
    mjtNum* mat = d->geom_xmat + 9 * i;
    mjtNum pos[3] = {(mjtNum)case_real(seed, -1.2, 1.2), (mjtNum)case_real(seed, -1, 1),
                     (mjtNum)case_real(seed, -.1, .7)};
    if (kind == 2) {
      m3_identity(mat);
      pos[0] = 2 * (mjtNum)case_int(seed, ncol) / (mjtNum)(ncol - 1) - 1;
      pos[1] = (mjtNum)1.6 * (mjtNum)case_int(seed, nrow) / (mjtNum)(nrow - 1) - (mjtNum).8;
      pos[2] = (mjtNum)0.0625 * (mjtNum)case_int(seed, 10);
    } else {
      case_rotation(mat, seed);
    }
    mjtNum* world = d->geom_xpos + 3 * i;
    m3_mulv(world, d->geom_xmat, pos);
    v3_addto(world, d->geom_xpos);
    if (kind == 2) {
      continue;
    }
  }
}

static int is_exact(const mjModel* m, const mjContact* con) {
  return con->geom[1] - FIRST >= EXACT_FROM && m->geom_margin[con->geom[1]] == 0;
}

static void explore(const char* flags) {
  static char xml[200000];
  static const int shape[][2] = {{2, 2}, {2, 5}, {7, 3}, {12, 20}};
  uint64_t seed = 77;
  int count[3][NSOLID] = {0}, diff[3][NSOLID] = {0}, miss[3][NSOLID] = {0};
  double worst[3][NSOLID][3] = {0};
  for (int k = 0; k < 16; k++) {
    scene(xml, sizeof(xml), shape[k % 4][0], shape[k % 4][1], k & 4 ? 3 : 0, k & 8 ? 0.05 : 0,
          flags, (uint64_t)k + 1);
    Bridge* b = bridge_load_text(xml);
    assert_non_null(b);
    for (int i = 0; i < 60; i++) {
      int kind = i % 3;
      scatter(b->m, b->d, &seed, kind);
      bridge_push(b, "geom_xpos geom_xmat");
      bridge_run(b, "mj_collision");
      bridge_pull(b, NULL);
      int nref = b->d->ncon, o = 0, r = 0;
      static mjContact ref[1000];
      memcpy(ref, b->d->contact, (size_t)nref * sizeof(mjContact));
      mj_collision(b->m, b->d);
      for (int g = FIRST; g < FIRST + NSOLID; g++) {
        int o0 = o, r0 = r;
        while (o < b->d->ncon && b->d->contact[o].geom[1] == g) o++;
        while (r < nref && ref[r].geom[1] == g) r++;
        count[kind][g - 1] += r - r0;
        if (o - o0 != r - r0) {
          miss[kind][g - 1]++;
          if (getenv("SHOW")) printf("k %d i %d geom %d: %d ref %d\n", k, i, g, o - o0, r - r0);
          continue;
        }
        for (int c = 0; c < o - o0; c++) {
          mjContact *x = b->d->contact + o0 + c, *y = ref + r0 + c;
          double e[3] = {fabs(x->dist - y->dist), v3_dist(x->pos, y->pos), v3_dist(x->frame, y->frame)};
          for (int j = 0; j < 3; j++) worst[kind][g - 1][j] = fmax(worst[kind][g - 1][j], e[j]);
          if (e[0] > 1e-9 || e[1] > 1e-9 || e[2] > 1e-9) {
            diff[kind][g - 1]++;
            if (getenv("SHOW")) printf("k %d i %d geom %d con %d: %g %g %g\n", k, i, g, c, e[0], e[1], e[2]);
          }
        }
      }
    }
    bridge_free(b);
  }
  for (int kind = 0; kind < 3; kind++)
    for (int g = 0; g < NSOLID; g++)
      printf("kind %d solid %d: %d contacts, %d miscounted, %d differ, worst %.2g %.2g %.2g\n", kind, g,
             count[kind][g], miss[kind][g], diff[kind][g], worst[kind][g][0], worst[kind][g][1], worst[kind][g][2]);
}

static void exploring(void** state) {
  (void)state;
  BRIDGE_OR_SKIP();
  explore("multiccd='disable'");
  explore("nativeccd='disable'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exploring),
  };
  (void)is_exact;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
