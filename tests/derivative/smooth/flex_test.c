// Exact derivatives of models with deformables.

#include "derivative/smooth/flex.h"

#include "derivative/ladder.h"
#include "derivative/smooth/elastic.h"

// A cloth that hangs from a body with joints, a cord with springs and dampers along it, a solid
// whose edges keep their lengths on a free body, and a box; each with damping.
static const char kFlexes[] =
    "<mujoco><option timestep='.002'/><default><geom contype='0' "
    "conaffinity='0'/></default><worldbody><body name='b0' pos='0 0 1'><joint axis='0 1 "
    "0'/><joint axis='1 0 0' pos='0 .1 0'/><geom size='.05'/><flexcomp type='grid' count='3 3 1' "
    "spacing='.1 .1 .1' dim='2' mass='.4' name='cloth' radius='.01'><contact contype='0' "
    "conaffinity='0' selfcollide='none' internal='false'/><elasticity young='300' poisson='.2' "
    "thickness='.02' damping='.01' elastic2d='stretch'/><pin id='0 2'/></flexcomp><body "
    "name='b1' pos='.3 0 0'><joint type='ball'/><geom size='.03'/><flexcomp type='grid' count='4 "
    "1 1' spacing='.1 .1 .1' dim='1' mass='.2' name='cord' radius='.01'><contact contype='0' "
    "conaffinity='0' selfcollide='none' internal='false'/><edge stiffness='30' "
    "damping='.3'/><pin id='0'/></flexcomp></body></body><body name='b2' pos='0 1 "
    "1'><freejoint/><geom size='.05'/><flexcomp type='grid' count='2 2 3' spacing='.1 .1 .1' "
    "dim='3' mass='.6' name='solid' radius='.01'><contact contype='0' conaffinity='0' "
    "selfcollide='none' internal='false'/><elasticity young='2000' poisson='.3' "
    "damping='.02'/><edge equality='true'/><pin id='0'/></flexcomp></body><flexcomp type='grid' "
    "count='3 3 3' spacing='.1 .1 .1' dim='3' mass='.6' name='box' radius='.01' dof='trilinear' "
    "pos='0 -1 1'><contact contype='0' conaffinity='0' selfcollide='none' "
    "internal='false'/><elasticity young='1000' poisson='.2' "
    "damping='.03'/></flexcomp></worldbody></mujoco>";

// A cloth that bends.
static const char kBending[] =
    "<mujoco><option timestep='.002'/><worldbody><flexcomp type='grid' count='3 3 1' spacing='.1 "
    ".1 .1' dim='2' mass='.4' name='cloth' radius='.01'><contact contype='0' conaffinity='0' "
    "selfcollide='none' internal='false'/><edge damping='.02'/><elasticity young='3e3' "
    "poisson='.2' thickness='.02' damping='.01' "
    "elastic2d='both'/></flexcomp></worldbody></mujoco>";

// One that lies on a plane.
static const char kFloor[] =
    "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='3 3 1' euler='2 3 "
    "4'/><flexcomp type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='.4' name='cloth' "
    "radius='.02' pos='0 0 .015'><contact selfcollide='none' internal='false' condim='3'/><edge "
    "damping='.05'/><elasticity young='3e3' poisson='.2' thickness='.02' damping='.01' "
    "elastic2d='both'/></flexcomp></worldbody></mujoco>";

static void check(const char* xml, const char* name, int states) {
  mjModel* m = test_model(xml);
  for (int i = mjINT_EULER; i <= mjINT_IMPLICITFAST; i++) {
    m->opt.integrator = i;
    steps_check(m, name, states);
  }
  test_release(m);
}

TEST(elastic_forces_agree_with_differences) {
  DOUBLE_ONLY();
  check(kFlexes, "flexes", 1);
  check(kBending, "bending", 2);
}

TEST(vertices_on_planes_agree_with_differences) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kFloor);
  m->opt.tolerance = 0;
  for (int i = 0; i < 8; i++) {
    unsigned seed = (unsigned)i;
    m->opt.integrator = i % 4;
    m->opt.cone = i / 4;
    Steps s = steps_make(m);
    steps_scatter(&s, &seed, (mjtNum)0.004);
    int wrong = ladder_wrong(&s, 1e-6);
    assert_that(s.d->ncon, >, 3);
    if (wrong) {
      fail_msg("integrator %d, cone %d: %d entries", m->opt.integrator, m->opt.cone, wrong);
    }
    steps_free(&s);
  }
}

// A sheet on spheres, whose contacts formulas find, as constraints or as springs.
static const char kOnSpheres[] =
    "<mujoco><option cone='elliptic'/><worldbody><geom conaffinity='0' size='.15' pos='.08 .07 "
    "-.14'/><body "
    "pos='.2 .15 -.12'><joint axis='1 2 0' pos='0 0 -.1'/><geom conaffinity='0' size='.1'/><site "
    "name='skin' "
    "size='.3'/></body><flexcomp type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='.4' "
    "name='cloth' radius='.02'><contact condim='4' selfcollide='none' passive='%s'/><elasticity "
    "young='500' poisson='.2' thickness='.02' elastic2d='both'/></flexcomp></worldbody><sensor>"
    "<contact data='found force torque dist pos normal tangent' num='4'/><contact data='found "
    "force torque pos' reduce='netforce'/><touch site='skin'/><force site='skin'/><torque "
    "site='skin'/></sensor></mujoco>";

TEST(elements_on_spheres_agree_with_differences) {
  DOUBLE_ONLY();
  for (int i = 0; i < 16; i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), kOnSpheres, i / 8 ? "true" : "false");
    mjModel* m = test_model(xml);
    unsigned seed = (unsigned)i;
    m->opt.tolerance = 0;
    m->opt.integrator = i % 4;
    m->opt.cone = i / 4 % 2;
    Steps s = steps_make(m);
    steps_scatter(&s, &seed, (mjtNum)0.004);
    int wrong = ladder_wrong(&s, 1e-6);
    assert_that(s.d->ncon, >, 1);
    assert_int_equal(s.d->nefc > 0, i < 8);
    if (wrong) {
      fail_msg("case %d: %d entries", i, wrong);
    }
    steps_free(&s);
    test_release(m);
  }
}

static void compare_products(const char* xml, mjtNum size) {
  mjModel* m = test_model(xml);
  unsigned seed = 3;
  for (int i = mjINT_EULER; i <= mjINT_IMPLICITFAST; i++) {
    m->opt.integrator = i;
    Steps s = steps_make(m);
    steps_scatter(&s, &seed, size);
    mjtNum* weight = calloc(3 * (size_t)s.nx, sizeof(mjtNum));
    for (int k = 0; k < s.nx; k++) {
      weight[k] = (mjtNum)sin(1 + 3 * k);
    }
    cnd_transitionExact(m, s.d, s.A, NULL, NULL, NULL);
    cnd_transitionAdjoint(m, s.d, weight, NULL, weight + s.nx, NULL, NULL);
    mju_mulMatTVec(weight + 2 * s.nx, s.A, weight, s.nx, s.nx);
    if (numbers_differ("product", weight + s.nx, weight + 2 * s.nx, s.nx, 1e-10, 1)) {
      fail();
    }
    free(weight);
    steps_free(&s);
  }
  test_release(m);
}

TEST(products_are_those_of_the_matrices) {
  DOUBLE_ONLY();
  compare_products(kFlexes, (mjtNum)0.1);
  compare_products(kFloor, (mjtNum)0.004);
  for (int i = 0; i < 2; i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), kOnSpheres, i ? "true" : "false");
    compare_products(xml, (mjtNum)0.004);
  }
}

// Strings, membranes, folds and solids, each alone.
static const char* const elastic[] = {
    ELASTIC("dim='1' count='4 1 1'", "<edge stiffness='30' damping='.3'/><pin id='0'/>"),
    ELASTIC("dim='2' count='3 2 1'",
            "<elasticity young='300' poisson='.2' thickness='.02' "
            "damping='.1' elastic2d='stretch'/><pin id='0 1'/>"),
    ELASTIC("dim='2' count='3 2 1'",
            "<elasticity young='3000' poisson='.2' thickness='.02' "
            "damping='.1' elastic2d='bend'/>"),
    ELASTIC("dim='3' count='2 2 2'",
            "<elasticity young='300' poisson='.2' damping='.1'/>"
            "<edge damping='.2'/><pin id='0 1'/>")};

TEST(elastic_forces_change_as_differences_say) {
  DOUBLE_ONLY();
  for (size_t i = 0; i < sizeof(elastic) / sizeof(elastic[0]); i++) {
    for (int which = 1; which < 4; which++) {
      Scene s = scene_make(elastic[i], 0.05);
      Twists W = twists_make(s.m, s.d, s.d->qvel);
      ForceJacobian F = force_jacobian(s.m, s.d);
      flex_derivative(&F, s.m, s.d, &W, which & ELASTIC_SPRING, which & ELASTIC_DAMPER);
      check_jacobian(&s, &F, elastic_force, &which, 1e-6);
      scene_free(&s);
    }
  }
}
