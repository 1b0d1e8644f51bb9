// Cages: what a closed surface encloses is filled, whichever way it looks. The solid that
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

// The arena of many nodes that can't touch each other is small: without these dofs as rows.
TEST(large_cages_have_room) {
  mjModel* m = cage("0 1 2 3", 3, "dof='trilinear' cellcount='12 12 12'");
  assert_that(m->nv, >, 1000);
  assert_that((double)m->narena, <, 2e8);
  assert_non_null(test_data(m));
}

// Three of the four faces of a tetrahedron, and one of them turned around: numbers of 4.0.0.
TEST(an_open_surface_fills_what_it_winds_around) {
  static const struct {
    const char* element;
    double mass[8];
  } cases[] = {
      {"0 2 1 0 1 3 0 3 2",
       {0.40681, 0.152769, 0.152769, 0.039668, 0.152769, 0.039668, 0.039668, 0.015879}},
      {"0 1 2 0 1 3 0 3 2 1 2 3",
       {0.329246, 0.282426, 0.067776, 0.052169, 0.110414, 0.079931, 0.039019, 0.039019}},
      {"1 2 3", {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[800];
    snprintf(text, sizeof text,
             "<mujoco><compiler dialect='4.0'/><worldbody><flexcomp name='f' type='direct' dim='2' "
             "point='0 0 0 .3 0 0 0 .2 0 0 0 .1' element='%s' dof='trilinear' mass='1'><contact "
             "selfcollide='none'/><elasticity young='1e4'/></flexcomp></worldbody></mujoco>",
             cases[i].element);
    mjModel* m = test_model(text);
    for (int k = 0; k < 8; k++) {
      assert_near(m->body_mass[1 + k], cases[i].mass[k], 1e-6);
    }
    test_release(m);
  }
}

// Positions of a cage under a turned body are along the edges of its first cell.
TEST(nodes_are_kept_along_the_edges_of_the_first_cell) {
  mjModel* m = test_model(
      "<mujoco><compiler dialect='4.0'/><worldbody><body name='b' pos='.3 .7 1' euler='10 20 30'>"
      "<flexcomp name='f' type='grid' dim='3' count='3 4 3' spacing='.1 .11 .13' dof='trilinear' "
      "cellcount='2 3 1'><contact selfcollide='none'/></flexcomp></body></worldbody></mujoco>");
  const mjtNum half[3] = {.1, .165, .13};
  for (int k = 0; k < 3; k++) {
    assert_near(m->flex_size[k], half[k], 1e-14);
    assert_near(m->flex_node0[3 * (m->nflexnode - 1) + k] - m->flex_node0[k], 2 * half[k], 1e-14);
    assert_near(m->flex_vert0[k], 0, 1e-14);
  }
  assert_int_equal(m->flex_vertcell[m->nflexvert - 1], 5);
}
