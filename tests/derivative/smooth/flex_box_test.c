// Forces of a deformable that follows the nodes of a box, against differences.

#include "derivative/smooth/flex_box.h"

#include "derivative/smooth/elastic.h"

#define CAGE "dim='3' count='3 3 3' dof='trilinear'"
#define MATERIAL "<elasticity young='1000' poisson='.2' damping='.03'/><pin id='0 1'/>"

static const char* const kBox[] = {
    ELASTIC(CAGE, MATERIAL),
    ELASTIC_IN("euler='20 150 -40'", CAGE, MATERIAL),
};

TEST(forces_of_nodes_change_as_differences_say) {
  DOUBLE_ONLY();
  for (int i = 0; i < 6; i++) {
    int which = 1 + i % 3;
    Scene s = scene_make(kBox[i / 3], 0.05);
    assert_true(s.m->flex_interp[0]);
    Twists W = twists_make(s.m, s.d, s.d->qvel);
    ForceJacobian F = force_jacobian(s.m, s.d);
    Load* loads = loads_make(s.m, s.d);
    flex_add_box(&F, loads, s.m, s.d, 0, &W, which & ELASTIC_SPRING, which & ELASTIC_DAMPER);
    loads_derivative(F.q, s.m, s.d, loads, 1);
    check_jacobian(&s, &F, elastic_force, &which, 1e-6);
    scene_free(&s);
  }
}
