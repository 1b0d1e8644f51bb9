// Rows, islands, dual matrices and solutions against the reference engine, on models of everything.

#include "support/bridge.h"
#include "support/load.h"
#include "support/test.h"

// every equality, limits, friction loss and tendons; contacts of every condim
#define MECHANISM                                                                            \
  "<option timestep='0.004'/><compiler angle='radian'/>"                                     \
  "<default><geom density='700'/></default>"                                                 \
  "<worldbody><geom type='plane' size='5 5 .1' friction='0.7 0.02 0.003' condim='3'/>"       \
  "<body pos='0 0 0.3'><freejoint/><geom type='capsule' size='.1 .2' condim='1'/></body>"    \
  "<body pos='0.5 0 0.3'><freejoint/><geom type='sphere' size='.1' condim='4' friction='.5 " \
  ".1 .01' solref='-1000 -30'/></body>"                                                      \
  "<body pos='1 0 0.3'><freejoint/><geom type='box' size='.1 .2 .1' condim='6' "             \
  "friction='.5 .1 .01' margin='0.05' gap='0.02' solimp='0.8 0.99 0.01 0.3 3'/></body>"      \
  "<body pos='1.5 0 0.3'><joint type='ball' frictionloss='0.2' limited='true' range='0 "     \
  "0.5' margin='0.1' damping='.1' solimplimit='.5 .9 .3 .2 1'/><geom type='capsule' "        \
  "fromto='0 0 0 0.3 0 0' size='.05' /><body pos='.3 0 0'><joint axis='0 1 0' range='-.3 "   \
  ".3' margin='.5' frictionloss='.05' limited='true' armature='.01'/><geom type='capsule' "  \
  "fromto='0 0 0 0.3 0 0' size='.05'/>"                                                      \
  "<site name='s1' pos='.3 0 0'/></body></body>"                                             \
  "<body name='A' pos='0 1 0.5'><freejoint/><geom type='box' size='.1 .1 .1'/><site "        \
  "name='sa' pos='.1 .1 0' euler='.3 .2 .1'/></body>"                                        \
  "<body name='B' pos='0.3 1 0.5'><freejoint/><geom type='box' size='.1 .1 .1'/><site "      \
  "name='sb' pos='-.1 .1 0' euler='0 .2 .1'/></body>"                                        \
  "<body name='C' pos='0 2 0.5'><joint type='slide' name='sl' axis='1 .2 .1' "               \
  "limited='true' range='-.1 .1'/><joint name='hi' axis='0 0 1'/><geom type='box' size='.1 " \
  ".1 .1'/>"                                                                                 \
  "<body name='D' pos='.3 0 0'><joint name='h2' axis='0 1 0' stiffness='1'/><geom "          \
  "type='box' size='.1 .1 .1' contype='0' conaffinity='0'/>"                                 \
  "<body name='D2' pos='.3 0 0'><joint name='h3' axis='0 1 0' stiffness='1'/><geom "         \
  "type='box' size='.1 .1 .1' contype='0' conaffinity='0'/></body></body></body>"            \
  "<body name='E' pos='0 3 0.5'><freejoint/><geom type='sphere' size='.1'/></body>"          \
  "<body name='F' pos='0 4 0.5'><joint type='hinge' name='hf'/><geom type='sphere' "         \
  "size='.1' pos='0 .2 0'/></body>"                                                          \
  "<body name='G' pos='0.01 4 0.9'><freejoint/><geom type='sphere' size='.1' pos='0 .2 "     \
  "0'/></body>"                                                                              \
  "</worldbody>"                                                                             \
  "<tendon><fixed name='t1' limited='true' range='-.1 .2' margin='.02' frictionloss='.3' "   \
  "armature='.1'><joint joint='hi' coef='1'/><joint joint='h2' coef='-.5'/></fixed>"         \
  "<fixed name='t2' frictionloss='.1'><joint joint='hf' coef='1'/><joint joint='h3' "        \
  "coef='.7'/></fixed>"                                                                      \
  "<spatial name='t3' limited='true' range='0 .6'><site site='sa'/><site "                   \
  "site='s1'/></spatial></tendon>"                                                           \
  "<equality><connect body1='A' body2='B' anchor='.1 .05 0' solref='.03 1'/><weld "          \
  "body1='C' body2='E' torquescale='.7'/><joint joint1='hi' joint2='h2' polycoef='0.1 .5 "   \
  ".2 -.3 .1'/>"                                                                             \
  "<joint joint1='h3' polycoef='.05 0 0 0 0'/><tendon tendon1='t1' tendon2='t2' "            \
  "polycoef='0 1 .3 0 0'/><tendon tendon1='t2' polycoef='0.1 0 0 0 0' "                      \
  "active='false'/><weld site1='sa' site2='sb' active='true'/><connect body1='D2' "          \
  "body2='D' anchor='0.1 0 0.1'/>"                                                           \
  "<weld body1='E' anchor='0.1 0 0'/></equality>"                                            \
  "</mujoco>"

// piled bodies, explicit pairs with friction references of their own, overrides
#define RUBBLE                                                                               \
  "<option impratio='5' o_solref='0.01 .8' o_margin='.01' o_solimp='.7 .9 .01 .4 "           \
  "2' o_friction='.4 .6 .1 .02 .03'/>"                                                       \
  "<worldbody><geom type='plane' size='5 5 .1'/>"                                            \
  "<body pos='0 0 0.12'><freejoint/><geom name='x1' type='box' size='.1 .1 .1' "             \
  "condim='3'/></body>"                                                                      \
  "<body pos='0 0.05 0.33'><freejoint/><geom name='x2' type='sphere' size='.1' "             \
  "condim='6'/></body>"                                                                      \
  "<body pos='0.05 0 0.55'><freejoint/><geom name='x3' type='capsule' size='.1 .1' "         \
  "condim='4'/></body>"                                                                      \
  "<body pos='0.05 0 0.95'><joint type='slide' axis='0 0 1'/><joint type='slide' axis='1 0 " \
  "0' frictionloss='1'/><geom name='x4' type='capsule' size='.1 .1' condim='1'/></body>"     \
  "<body pos='1 0 0.2'><joint type='slide' axis='0 0 1'/><geom type='sphere' "               \
  "size='.1'/></body>"                                                                       \
  "<body pos='2 0 0.2'><freejoint/><geom name='y1' type='box' size='.1 .1 .1'/></body>"      \
  "<body pos='2 0 0.41'><freejoint/><geom name='y2' type='box' size='.1 .1 .1'/></body>"     \
  "<body pos='2 0 0.62'><freejoint/><geom name='y3' type='box' size='.1 .1 .1'/></body>"     \
  "</worldbody>"                                                                             \
  "<contact><pair geom1='x1' geom2='x2' condim='6' friction='1 .8 .1 .01 .02' "              \
  "solreffriction='.05 1' solref='0.02 .7' margin='.01'/><pair geom1='y1' geom2='y2' "       \
  "condim='4' solreffriction='-5 -20' gap='-0.01'/></contact>"                               \
  "</mujoco>"

// what mj_makeConstraint and mj_island compute, but for Jacobians
#define ROWS                                                                         \
  "ne nf nl nefc nisland nidof efc_type efc_id efc_pos efc_margin efc_frictionloss " \
  "efc_diagApprox efc_KBIP efc_D efc_R tendon_efcadr"
#define ISLANDS                                                                                 \
  "dof_island island_nv island_idofadr island_dofadr map_dof2idof map_idof2dof efc_island "     \
  "island_ne island_nf island_nefc island_iefcadr map_efc2iefc map_iefc2efc iefc_type iefc_id " \
  "iefc_frictionloss iefc_D iefc_R iLDiagInv"

static const char* const kOptions[] = {
    "cone='pyramidal' jacobian='dense'",
    "cone='elliptic' jacobian='dense'",
    "cone='pyramidal' jacobian='sparse'",
    "cone='elliptic' jacobian='sparse'><flag override='enable'/></option><option",
    "cone='pyramidal' jacobian='sparse'><flag island='disable'/></option><option",
    "cone='pyramidal' jacobian='dense' solver='PGS'",
    "cone='elliptic' jacobian='dense' solver='PGS'",
    "cone='pyramidal' jacobian='dense' noslip_iterations='4'",
    "cone='elliptic' jacobian='dense' noslip_iterations='4'",
};

// everything before the rows from the reference, everything after by us
static void check_state(Bridge* b) {
  bridge_run(b, "mj_forward");
  bridge_pull(b, NULL);
  mj_makeConstraint(b->m, b->d);
  mj_island(b->m, b->d);
  mj_projectConstraint(b->m, b->d);
  mj_referenceConstraint(b->m, b->d);
  mj_fwdConstraint(b->m, b->d);
  assert_that(b->d->nefc, >, 0);
  assert_int_equal(bridge_compare(b, ROWS, 1e-10), 0);
  if (mj_isSparse(b->m)) {
    assert_int_equal(bridge_compare(b, "efc_J_rownnz efc_J_rowadr efc_J_colind efc_J", 1e-10), 0);
  }
  if (b->d->nisland) {
    assert_int_equal(bridge_compare(b, ISLANDS, 1e-10), 0);
  }
  if (b->d->nisland && mj_isSparse(b->m)) {
    assert_int_equal(bridge_compare(b, "iefc_J_rownnz iefc_J_rowadr iefc_J_colind iefc_J", 1e-10),
                     0);
  }
  assert_int_equal(bridge_compare(b, "efc_vel efc_aref efc_b", 1e-9), 0);
  assert_int_equal(bridge_compare(b, "efc_force qfrc_constraint qacc", 1e-7), 0);
}

static void check_model(const char* body) {
  BRIDGE_OR_SKIP();
  for (size_t i = 0; i < sizeof kOptions / sizeof *kOptions; i++) {
    char xml[8000];
    snprintf(xml, sizeof xml, "<mujoco><option %s tolerance='0' ls_tolerance='1e-10'/>%s",
             kOptions[i], body);
    Bridge* b = test_bridge(xml);
    for (unsigned int seed = 1; seed <= 4; seed++) {
      bridge_random(b, seed, 0.05);
      check_state(b);
    }
    test_release(b);
  }
}

TEST(mechanism_agrees) {
  check_model(MECHANISM);
}

TEST(rubble_agrees) {
  check_model(RUBBLE);
}
