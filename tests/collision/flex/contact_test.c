// Contacts of flexes: where they are, whom they push, and that nothing is lost by trees.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acceptance/models.h"
#include "support/near.h"

// A sphere above the middle of a triangle, an edge, a corner: dist and normal of the nearest point.
static void a_sphere_touches_the_nearest_point_of_a_triangle(void** state) {
  (void)state;
  static const struct {
    double pos[3], near[3];
  } cases[] = {{{0.2, 0.2, 0.25}, {0.2, 0.2, 0}},
               {{0.3, -0.1, 0.2}, {0.3, 0, 0}},
               {{-0.1, -0.15, 0.1}, {0, 0, 0}},
               {{0.6, 0.6, 0.1}, {0.5, 0.5, 0}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[800];
    const double* p = cases[i].pos;
    snprintf(
        text, sizeof text,
        "<mujoco><worldbody><body pos='%g %g %g'><freejoint/><geom size='.3'/></body></worldbody>"
        "<deformable><flex dim='2' radius='.01' body='world' vertex='0 0 0 1 0 0 0 1 0' element='0 "
        "1 2'/>"
        "</deformable></mujoco>",
        p[0], p[1], p[2]);
    mjModel* m = compile_text(text);
    mjData* d = mj_makeData(m);
    mj_forward(m, d);
    double gap[3], length = 0;
    for (int k = 0; k < 3; k++) {
      gap[k] = cases[i].near[k] - p[k];
      length += gap[k] * gap[k];
    }
    length = sqrt(length);
    assert_int_equal(d->ncon, 1);
    assert_near(d->contact[0].dist, length - 0.3 - 0.01, 1e-12);
    for (int k = 0; k < 3; k++) {
      assert_near(d->contact[0].frame[k], gap[k] / length, 1e-12);
    }
    assert_int_equal(d->contact[0].geom[0], 0);
    assert_int_equal(d->contact[0].flex[1], 0);
    assert_int_equal(d->contact[0].elem[1], 0);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// A cloth falls on a sphere and a floor: what holds it up in the end is its weight.
static void a_cloth_at_rest_weighs_what_it_weighs(void** state) {
  (void)state;
  mjModel* m = compile_text(
      "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='2 2 .1'/>"
      "<flexcomp name='f' type='grid' count='4 4 1' spacing='.1 .1 .1' pos='0 0 .012' radius='.01' "
      "mass='.8'>"
      "<edge equality='true' damping='.1'/></flexcomp></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 1500; i++) {
    mj_step(m, d);
  }
  mj_forward(m, d);
  double up = 0;
  for (int i = 0; i < m->nv / 3; i++) {
    up += d->qfrc_constraint[3 * i + 2];
    assert_near(d->flexvert_xpos[3 * i + 2], 0.01, 2e-3);
  }
  assert_near(up, -0.8 * m->opt.gravity[2], 1e-3);
  assert_int_equal(d->ncon, 16);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static int compare_contacts(const void* a, const void* b) {
  const mjContact *x = a, *y = b;
  int keys[][2] = {{x->geom[0], y->geom[0]}, {x->flex[0], y->flex[0]}, {x->flex[1], y->flex[1]},
                   {x->elem[0], y->elem[0]}, {x->elem[1], y->elem[1]}, {x->vert[1], y->vert[1]}};
  for (int i = 0; i < 6; i++) {
    if (keys[i][0] != keys[i][1]) {
      return keys[i][0] < keys[i][1] ? -1 : 1;
    }
  }
  return 0;
}

// Trees of boxes, sweeping, and everything with everything find the same contacts.
static void all_ways_to_search_find_the_same(void** state) {
  (void)state;
  static const char* const modes[] = {"narrow", "bvh", "sap", "narrow"};
  mjContact* first = NULL;
  int count = 0;
  for (int k = 0; k < 4; k++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<mujoco><option><flag midphase='%s'/></option><worldbody><body><freejoint/><geom "
             "type='box' size='.1 "
             ".1 .1' pos='0 0 -.05'/><geom type='capsule' size='.05 .1' pos='.2 0 0'/></body>"
             "<flexcomp name='f' type='grid' count='9 3 1' spacing='.1 .1 .1' radius='.02' pos='.1 "
             "0 .06'>"
             "<contact selfcollide='%s'/></flexcomp><flexcomp name='g' type='ellipsoid' dim='3' "
             "count='4 4 4' "
             "spacing='.1 .1 .1' radius='.01' pos='.4 0 .1'><contact selfcollide='%s' "
             "activelayers='9'/></flexcomp>"
             "</worldbody></mujoco>",
             k == 3 ? "disable" : "enable", modes[k], modes[k]);
    mjModel* m = compile_text(text);
    mjData* d = mj_makeData(m);
    for (int v = 0; v < 27; v++) {  // folded in the middle
      int row = v / 3;
      if (row > 4) {
        d->qpos[7 + 3 * v] = -0.2 * (row - 4);
        d->qpos[7 + 3 * v + 2] = 0.03;
      }
    }
    mj_forward(m, d);
    for (int i = 0; i < d->ncon; i++) {  // which of two elements comes first is free
      mjContact* c = d->contact + i;
      if (c->flex[0] == c->flex[1] && c->elem[0] > c->elem[1]) {
        int elem = c->elem[0];
        c->elem[0] = c->elem[1];
        c->elem[1] = elem;
      }
    }
    qsort(d->contact, d->ncon, sizeof(mjContact), compare_contacts);
    if (!k) {
      count = d->ncon;
      first = malloc(count * sizeof(mjContact));
      memcpy(first, d->contact, count * sizeof(mjContact));
      assert_true(count > 30);
    }
    assert_int_equal(d->ncon, count);
    for (int i = 0; i < count; i++) {
      assert_int_equal(compare_contacts(first + i, d->contact + i), 0);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  free(first);
}

// No rows, but forces of 10^4 N/m times the depth.
static void a_passive_contact_is_a_spring(void** state) {
  (void)state;
  mjModel* m = compile_text(
      "<mujoco><option gravity='0 0 0'/><worldbody><geom type='plane' size='2 2 .1'/>"
      "<flexcomp name='f' type='grid' count='2 2 1' spacing='.1 .1 .1' pos='0 0 .008' radius='.01'>"
      "<contact passive='true' selfcollide='none'/></flexcomp></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 4);
  assert_int_equal(d->nefc, 0);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(d->contact[i].exclude, 4);
    assert_near(d->qfrc_passive[3 * i + 2], 1e4 * 0.002, 1e-6);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_touches_the_nearest_point_of_a_triangle),
      cmocka_unit_test(a_cloth_at_rest_weighs_what_it_weighs),
      cmocka_unit_test(all_ways_to_search_find_the_same),
      cmocka_unit_test(a_passive_contact_is_a_spring),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
