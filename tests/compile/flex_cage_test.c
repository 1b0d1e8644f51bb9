// Cages of surfaces: what a closed one encloses is filled, whichever way it looks. The solid that
// it encloses has the same masses and stiffness.

#include <mujoco/mujoco.h>
#include <stdio.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define POINTS "0 0 0  .3 0 0  0 .2 0  0 0 .1"
#define OUTWARD "0 2 1  0 1 3  0 3 2  1 2 3"
#define INWARD "0 1 2  0 3 1  0 2 3  1 3 2"

static mjModel* cage(const char* elements, int dim, const char* words) {
  char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler dialect='4.0'/><worldbody><flexcomp name='f' type='direct' dim='%d' "
           "point='" POINTS
           "' element='%s' radius='.001' mass='2' %s><contact "
           "selfcollide='none'/><elasticity young='1e4' poisson='.2'/></flexcomp></worldbody>"
           "</mujoco>",
           dim, elements, words);
  return test_model(xml);
}

static void check_same(const char* elements, const char* words) {
  mjModel *solid = cage("0 1 2 3", 3, words), *surface = cage(elements, 2, words);
  assert_int_equal(solid->nbody, surface->nbody);
  for (int i = 0; i < solid->nbody; i++) {
    assert_near(surface->body_mass[i], solid->body_mass[i], 1e-9);
  }
  assert_int_equal((int)surface->cnd_nflexcell, (int)solid->cnd_nflexcell);
  for (int i = 0; i < (int)solid->cnd_nflexcell; i++) {
    assert_near(surface->cnd_flex_cell[i], solid->cnd_flex_cell[i], 1e-5);
  }
}

TEST(closed_surfaces_are_filled) {
  check_same(OUTWARD, "dof='trilinear'");
  check_same(INWARD, "dof='trilinear'");
  check_same(OUTWARD, "dof='trilinear' cellcount='2 1 3'");
  check_same(OUTWARD, "dof='quadratic'");
}

// The first node is at the corner of the tetrahedron, where most of it is.
TEST(masses_are_those_of_release_4) {
  mjModel* m = cage(OUTWARD, 2, "dof='trilinear'");
  assert_near(m->body_mass[1], 2 * 0.389072, 2e-6);
  assert_near(m->body_mass[2], 2 * 0.157285, 2e-6);
  assert_near(m->body_mass[8], 2 * 0.014901, 2e-6);
}

TEST(open_surfaces_count_as_full) {
  mjModel* m = cage("0 2 1  0 1 3  0 3 2", 2, "dof='trilinear'");
  for (int i = 1; i < m->nbody; i++) {
    assert_near(m->body_mass[i], 0.25, 1e-9);
  }
}

// Two triangles look the other way: no side is shared by two directions.
TEST(surfaces_that_look_both_ways_count_as_full) {
  mjModel* m = cage("0 1 2  0 1 3  0 3 2  1 2 3", 2, "dof='trilinear'");
  assert_near(m->body_mass[1], 0.25, 1e-9);
}

// The arena of many nodes that can't touch each other is small: without these dofs as rows.
TEST(large_cages_have_room) {
  mjModel* m = cage("0 1 2 3", 3, "dof='trilinear' cellcount='12 12 12'");
  assert_that(m->nv, >, 1000);
  assert_that((double)m->narena, <, 2e8);
  assert_non_null(test_data(m));
}
