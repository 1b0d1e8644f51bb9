// Polygons of hulls: which triangles are one, in what order, from which corner on, and which way
// they look. By the rule of 3.3.7, by that of 4.0, and whole ones for hard contacts.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "support/bridge.h"
#include "support/load.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static const char polygons[] = "tests/models/since/polygons.xml";

static void same_ints(const char* name, const int* x, int n) {
  mjtNum* expected = recorded(name, (size_t)n);
  for (int i = 0; i < n; i++) {
    if (x[i] != (int)expected[i]) {
      fail_msg("%s[%d] is %d, recorded %d", name, i, x[i], (int)expected[i]);
    }
  }
  free(expected);
}

TEST(polygons_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file(polygons);
  int npoly = (int)m->nmeshpoly, nvert = (int)m->nmeshvert;
  same_ints("polygons_polynum", m->mesh_polynum, (int)m->nmesh);
  same_ints("polygons_polyvertadr", m->mesh_polyvertadr, npoly);
  same_ints("polygons_polyvertnum", m->mesh_polyvertnum, npoly);
  same_ints("polygons_polyvert", m->mesh_polyvert, (int)m->nmeshpolyvert);
  same_ints("polygons_polymapadr", m->mesh_polymapadr, nvert);
  same_ints("polygons_polymapnum", m->mesh_polymapnum, nvert);
  same_ints("polygons_polymap", m->mesh_polymap, (int)m->nmeshpolymap);
  assert_recorded_near("polygons_polynormal", m->mesh_polynormal, 3 * (size_t)npoly, 1e-9);
}

// Faces that are rounded, or not quite flat, have as many contacts as corners that overlap.
TEST(contacts_of_faces_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file(polygons);
  mjData* d = test_data(m);
  mj_forward(m, d);
  enum {
    ROOM = 100
  };
  mjtNum dist[ROOM], pos[3 * ROOM], normal[3 * ROOM];
  int geom[2 * ROOM], n = d->ncon;
  assert_that(n, <=, ROOM);
  for (int i = 0; i < n; i++) {
    const mjContact* con = d->contact + i;
    dist[i] = con->dist;
    memcpy(geom + 2 * i, con->geom, sizeof(con->geom));
    memcpy(pos + 3 * i, con->pos, sizeof(con->pos));
    memcpy(normal + 3 * i, con->frame, 3 * sizeof(mjtNum));
  }
  same_ints("polygons_geom", geom, 2 * n);
  assert_recorded("polygons_dist", dist, (size_t)n);
  assert_recorded("polygons_pos", pos, 3 * (size_t)n);
  assert_recorded("polygons_normal", normal, 3 * (size_t)n);
}

// A number between -1 and 1.
static double draw(unsigned* seed) {
  *seed = *seed * 1103515245u + 12345u;
  return (*seed >> 8) / 8388608.0 - 1;
}

// A text with the mesh of a box (turned if the seed is odd), a nearly flat cloud or a lattice,
// whose points are moved by up to `noise`; `custom` comes first.
static const char* noisy(int kind, double noise, unsigned seed, const char* custom) {
  static char text[4000];
  const int num[] = {8, 30, 27}, turns = kind == 0 && seed % 2;
  char* at = text + sprintf(text, "<mujoco>%s<asset><mesh name='m' vertex='", custom);
  mjtNum turn[4] = {1, (mjtNum)draw(&seed), (mjtNum)draw(&seed), (mjtNum)draw(&seed)};
  mju_normalize4(turn);
  for (int i = 0; i < num[kind]; i++) {
    mjtNum v[3], placed[3];
    for (int k = 0, place = i; k < 3; k++, place /= kind ? 3 : 2) {
      double even = kind == 0 ? place % 2 * 2 - 1 : place % 3 - 1;
      double x = kind == 1 ? draw(&seed) * (k == 2 ? 1e-3 : 1) : even;
      v[k] = (mjtNum)(x + noise * draw(&seed));
    }
    mju_rotVecQuat(placed, v, turn);
    const mjtNum* point = turns ? placed : v;
    at += sprintf(at, "%.9g %.9g %.9g ", (double)point[0], (double)point[1], (double)point[2]);
  }
  sprintf(at, "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
  return text;
}

TEST(polygons_without_a_dialect_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  for (unsigned i = 0; i < 90; i++) {
    const char* text = noisy((int)(i % 3), pow(10, -7 + (double)(i % 11) / 2), i, "");
    Bridge* b = test_bridge(text);
    mjModel* m = test_model(text);
    int different = bridge_compare_models(
        m, b->m,
        "nmeshpoly nmeshpolyvert nmeshpolymap mesh_polynum mesh_polyadr mesh_polyvertadr "
        "mesh_polyvertnum mesh_polyvert mesh_polymapadr mesh_polymapnum mesh_polymap",
        0);
    if (different) {
      fail_msg("%u: %d fields differ: %s", i, different, text);
    }
    test_release(m);
    test_release(b);
  }
}

// 3.3.7 loses triangles of boxes that are rounded, and 4.0 cuts faces in two.
TEST(hard_contacts_have_whole_faces) {
  const char* hard = "<custom><text name='condyle.contact' data='hard'/></custom>";
  const char* later =
      "<compiler dialect='4.0'/><custom><text name='condyle.contact' data='stick'/></custom>";
  int split[2] = {0};
  for (unsigned i = 0; i < 40; i++) {
    const char* custom[] = {"", "<compiler dialect='4.0'/>", hard, later};
    for (int k = 0; k < 4; k++) {
      mjModel* m = test_model(noisy(0, 1e-6, i, custom[k]));
      if (k < 2) {
        split[k] += m->nmeshpoly != 6 || m->nmeshpolyvert != 24;
      } else {
        assert_int_equal(m->nmeshpoly, 6);
        assert_int_equal(m->nmeshpolyvert, 24);
      }
      test_release(m);
    }
  }
  assert_that(split[0], >, 0);
  assert_that(split[1], >, 0);
}

// Without a hull there is nothing to collide with; 3.3.7 lists the faces all the same.
TEST(a_mesh_without_a_hull_has_no_polygons_by_the_later_rule) {
  const char* format =
      "<mujoco><compiler dialect='%s'/><asset><mesh name='m' inertia='shell' face='0 1 2 0 2 3' "
      "vertex='0 0 0 1 0 0 1 1 0 0 1 0'/></asset><worldbody><geom type='mesh' mesh='m' "
      "contype='0' conaffinity='0'/></worldbody></mujoco>";
  char text[500];
  snprintf(text, sizeof(text), format, "3.3");
  assert_int_equal(test_model(text)->nmeshpoly, 1);
  snprintf(text, sizeof(text), format, "4.0");
  mjModel* m = test_model(text);
  assert_int_equal(m->nmeshpoly, 0);
  assert_int_equal(m->mesh_polynum[0], 0);
  assert_int_equal(m->mesh_polymapnum[3], 0);
}

// Three faces around a vertex, nearly flat, are one triangle. By the later rule its corners keep
// the direction of the outline, so that its normal looks outward.
TEST(polygons_look_outward_by_the_later_rule) {
  for (unsigned i = 0; i < 30; i++) {
    const mjtNum point[5][3] = {
        {1, 0, 0}, {(mjtNum)-.5, 1, 0}, {(mjtNum)-.5, -1, 0}, {0, 0, (mjtNum)1e-6}, {0, 0, -1}};
    unsigned seed = i;
    mjtNum turn[4] = {1, (mjtNum)draw(&seed), (mjtNum)draw(&seed), (mjtNum)draw(&seed)};
    mju_normalize4(turn);
    char text[1000], *at = text;
    at += sprintf(at, "<mujoco><compiler dialect='4.0'/><asset><mesh name='m' vertex='");
    for (int k = 0; k < 5; k++) {
      mjtNum v[3];
      mju_rotVecQuat(v, point[k], turn);
      at += sprintf(at, "%.9g %.9g %.9g ", (double)v[0], (double)v[1], (double)v[2]);
    }
    sprintf(at, "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
    mjModel* m = test_model(text);
    for (int p = 0; p < (int)m->nmeshpoly; p++) {
      const float* corner = m->mesh_vert + 3 * m->mesh_polyvert[m->mesh_polyvertadr[p]];
      const mjtNum* n = m->mesh_polynormal + 3 * p;
      mjtNum height =
          n[0] * (mjtNum)corner[0] + n[1] * (mjtNum)corner[1] + n[2] * (mjtNum)corner[2];
      assert_that(height, >, 0);  // the centre of mass is the origin
    }
    test_release(m);
  }
}
