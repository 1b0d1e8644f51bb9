// Rows on single joints, tendons and edges, each kind alone, against differences.

#include "derivative/constraint/scalar_row.h"

#include "derivative/constraint/rows.h"

#define SCENE                                                                                    \
  "<mujoco><option><flag contact='disable' warmstart='disable'/></option><worldbody>"            \
  "<site name='w' pos='.2 .1 1.6'/><body name='a' pos='0 0 1'><joint name='ball' type='ball' "   \
  "%s/><geom type='box' size='.1 .2 .3'/><site name='sa' pos='.1 .2 .3'/></body>"                \
  "<body name='b' pos='.6 .1 1'><joint name='h' axis='0 1 0' %s/><geom size='.1'/>"              \
  "<body name='c' pos='0 .3 0'><joint name='s' type='slide' axis='1 0 1' %s/>"                   \
  "<geom type='box' size='.2 .1 .1' pos='.1 0 0'/><site name='sc' pos='0 .1 .1'/></body></body>" \
  "%s</worldbody><tendon><spatial name='t' %s><site site='sa'/><site site='sc'/></spatial>"      \
  "<spatial name='u'><site site='w'/><site site='sa'/></spatial></tendon>"                       \
  "<equality>%s</equality></mujoco>"

static const char kSheet[] =
    "<flexcomp name='sheet' type='grid' dim='2' count='2 2 1' spacing='.1 .1 .1' mass='.4' "
    "radius='.01'><contact contype='0' conaffinity='0' selfcollide='none' internal='false'/>"
    "<edge equality='true'/></flexcomp>";

// What a scene has: attributes of the three joints, a body more, attributes of a tendon, an
// equality.
typedef struct {
  const char *ball, *hinge, *slide, *more, *tendon, *equality;
} Kind;

static const Kind kinds[] = {
    {"", "", "", "", "", "<joint joint1='h' joint2='s' polycoef='.1 .5 -.3 .2 .4'/>"},
    {"", "", "", "", "", "<joint joint1='h' polycoef='.2 0 0 0 0'/>"},
    {"", "", "", "", "", "<tendon tendon1='t' tendon2='u' polycoef='.1 .5 -.3 .2 .4'/>"},
    {"", "", "", "", "", "<tendon tendon1='u' polycoef='.1 0 0 0 0'/>"},
    {"", "", "", kSheet, "", "<flex flex='sheet'/>"},
    {"", "frictionloss='1e3'", "frictionloss='.01'", "", "", ""},
    {"", "", "", "", "frictionloss='1e3'", ""},
    {"limited='true' range='0 5'", "", "", "", "", ""},
    {"", "", "limited='true' range='-2 -1' solimplimit='.5 .9 2 .4 3'", "", "", ""},
    {"", "", "", "", "limited='true' range='2 3'", ""},
    {"", "", "", "", "limited='true' range='0 .1'", ""},
};
static const char* const names[] = {"joints",
                                    "joint",
                                    "tendons",
                                    "tendon",
                                    "edges",
                                    "joint_friction",
                                    "tendon_friction",
                                    "ball_limit",
                                    "slide_limit",
                                    "lower_tendon_limit",
                                    "upper_tendon_limit"};

static void partials(Couplings* of, Load* loads, const RowLaw* law) {
  for (int row = 0; row < of->d->nefc; row++) {
    assert_int_equal(scalar_partials(of, loads, law, row), 0);
  }
}

static void vjp(ConstraintVjp* of) {
  for (int row = 0; row < of->d->nefc; row++) {
    assert_int_equal(scalar_vjp(of, row), 1);
  }
}

TEST_EACH(forces_change_as_differences_say, names) {
  DOUBLE_ONLY();
  size_t kind = 0;
  while (names[kind] != text) {
    kind++;
  }
  const Kind* k = kinds + kind;
  char xml[3000];
  snprintf(xml, sizeof(xml), SCENE, k->ball, k->hinge, k->slide, k->more, k->tendon, k->equality);
  for (int jacobian = mjJAC_DENSE; jacobian <= mjJAC_SPARSE; jacobian++) {
    Scene s = scene_make(xml, 0.3);
    s.m->opt.jacobian = jacobian;
    mj_forward(s.m, s.d);
    check_partials(&s, partials, 1e-6);
    check_vjp(&s, vjp, 1e-6);
    scene_free(&s);
  }
}
