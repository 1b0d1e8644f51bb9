// The legacy pipeline of convex shapes (mjDSBL_NATIVECCD): contacts and distances of the reference, and what must hold
// without it.

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
#include <string.h>

#include "base/vec.h"
#include "collision/pair_case.h"
#include "collision/same_contacts.h"
#include "support/bridge.h"
#include "support/near.h"

static const char* const solids[] = {
    "type='sphere' size='.2'",          "type='capsule' size='.1 .2'",
    "type='ellipsoid' size='.1 .2 .3'", "type='cylinder' size='.2 .1'",
    "type='box' size='.1 .2 .3'",       "type='mesh' mesh='small'",
    "type='mesh' mesh='large'",
};
enum {
  NSOLID = sizeof(solids) / sizeof(solids[0]),
};

// Two of each solid, each on a body of its own.
static void scene(char* xml, size_t size, double margin, const char* flags) {
  size_t n = (size_t)snprintf(
      xml, size,
      "<mujoco><option><flag %s/></option><size memory='8M'/><default><geom margin='%g'/></default>"
      "<asset><mesh name='small' vertex='.2 0 0 -.2 0 0 0 .25 0 0 -.25 0 0 0 .15 0 0 -.15'/>"
      "<mesh name='large' vertex='.2 .1 0 .2 -.1 0 -.2 .1 0 -.2 -.1 0 0 .2 .1 0 .2 -.1 0 -.2 .1 0 "
      "-.2 -.1 .1 0 .2 -.1 0 .2 .1 0 -.2 -.1 0 -.2'/></asset><worldbody>",
      flags, margin);
  for (int i = 0; i < 2 * NSOLID; i++) {
    n += (size_t)snprintf(xml + n, size - n, "<body><freejoint/><geom %s/></body>",
                          solids[i % NSOLID]);
  }
  n += (size_t)snprintf(xml + n, size - n, "</worldbody></mujoco>");
  assert_true(n < size);
}

// Anywhere, or aligned on a grid.
static void scatter(const mjModel* m, mjData* d, uint64_t* seed, int aligned) {
  for (int i = 0; i < m->ngeom; i++) {
    mjtNum* pos = d->geom_xpos + 3 * i;
    for (int k = 0; k < 3; k++) {
      pos[k] = (mjtNum)(aligned ? 0.125 * (case_int(seed, 9) - 4) : case_real(seed, -.6, .6));
    }
    if (aligned) {
      case_quarter(d->geom_xmat + 9 * i, seed);
    } else {
      case_rotation(d->geom_xmat + 9 * i, seed);
    }
  }
}

static void contacts_are_those_of_the_reference(void** state) {
  (void)state;
  BRIDGE_OR_SKIP();
  static const char* const flags[] = {"nativeccd='disable'",
                                      "nativeccd='disable' multiccd='enable'"};
  static char xml[20000];
  Allowed allowed[mjNGEOMTYPES];
  for (int i = 0; i < mjNGEOMTYPES; i++) {
    allowed[i] = (Allowed){1e-11, 1e-11};
  }
  uint64_t seed = 4711;
  int contacts = 0, bad = 0;
  for (int k = 0; k < 4; k++) {
    scene(xml, sizeof(xml), k & 1 ? 0.0625 : 0, flags[k / 2]);
    Bridge* b = bridge_load_text(xml);
    assert_non_null(b);
    for (int i = 0; i < 60; i++) {
      scatter(b->m, b->d, &seed, i % 3 == 2);
      int num = same_contacts(b, allowed);
      contacts += num;
      bad += num < 0;
    }
    bridge_free(b);
  }
  assert_int_equal(bad, 0);
  assert_true(contacts > 1000);
}

// From the nearest contact within the distance asked for, in the order asked for.
static void distances_are_those_of_the_reference(void** state) {
  (void)state;
  BRIDGE_OR_SKIP();
  static char xml[20000];
  scene(xml, sizeof(xml), 0, "nativeccd='disable'");
  Bridge* b = bridge_load_text(xml);
  assert_non_null(b);
  mjtNum (*reference)(const void*, const void*, int, int, mjtNum, mjtNum*) =
      bridge_function("mj_geomDistance");
  const mjtNum distmax[] = {0, 0.1, 1};
  uint64_t seed = 2024;
  int bad = 0, answers = 0;
  for (int n = 0; n < 30; n++) {
    scatter(b->m, b->d, &seed, n % 3 == 2);
    bridge_push(b, "geom_xpos geom_xmat");
    for (int i = 0; i < b->m->ngeom; i++) {
      for (int j = 0; j < b->m->ngeom; j++) {
        mjtNum ours[6], theirs[6], max = distmax[n % 3];
        if (i == j) {
          continue;
        }
        mjtNum x = mj_geomDistance(b->m, b->d, i, j, max, ours);
        mjtNum y = reference(b->ref_m, b->ref_d, i, j, max, theirs);
        char label[60];
        snprintf(label, sizeof label, "geoms %d %d within %g", i, j, (double)max);
        bad += near_apart(label, x, y, 1e-9) + numbers_differ(label, ours, theirs, 6, 1e-9, 1);
        answers += x < max;
      }
    }
  }
  bridge_free(b);
  assert_int_equal(bad, 0);
  assert_true(answers > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_those_of_the_reference),
      cmocka_unit_test(distances_are_those_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
