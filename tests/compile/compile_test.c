// The compiler as a whole: models built through the API against the reference, where it is present,
// and what can be known without it: sizes, names, padding, signatures, repeated compilation.

#include "support/bridge.h"
#include "support/load.h"
#include "support/test.h"

static void set3(double out[3], double x, double y, double z) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// A body at pos with a hinge and a ball of radius 0.1 half a metre away.
static mjsBody* add_pendulum(mjsBody* parent, const char* name, const char* joint, double x) {
  mjsBody* body = mjs_addBody(parent, NULL);
  mjs_setName(body->element, name);
  set3(body->pos, x, 0.1, 0.2);
  body->alt.type = mjORIENTATION_EULER;
  set3(body->alt.euler, 10, 20, 30);
  mjsJoint* hinge = mjs_addJoint(body, NULL);
  mjs_setName(hinge->element, joint);
  set3(hinge->axis, 0, 1, 1);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  geom->size[0] = 0.1;
  set3(geom->pos, 0, 0, -0.5);
  return body;
}

static mjsSite* add_site(mjsBody* body, const char* name, double x, double z) {
  mjsSite* site = mjs_addSite(body, NULL);
  mjs_setName(site->element, name);
  set3(site->pos, x, 0, z);
  return site;
}

#define PENDULUM(name, joint, x, rest)                                           \
  "<body name='" name "' pos='" x " .1 .2' euler='10 20 30'><joint name='" joint \
  "' axis='0 1 1'/>"                                                             \
  "<geom size='.1' pos='0 0 -.5'/>" rest "</body>"
#define SITE(name, x, z) "<site name='" name "' pos='" x " 0 " z "'/>"

// equalities and the transmissions through sites
static const char mechanisms_xml[] =
    "<mujoco><worldbody>" SITE("w", "0.3", "1")
    "<geom name='wrap' type='cylinder' size='.05 .2' pos='.2 0 .3'/>"
    PENDULUM("a", "ja", "0.5", SITE("sa", "0", "-0.4"))
    PENDULUM("b", "jb", "-0.5", SITE("sb", "0.1", "-0.3")) "</worldbody>"
    "<equality><connect body1='a' anchor='.1 .2 .3'/><weld body1='a' body2='b' anchor='.1 0 0'/>"
    "<connect site1='sa' site2='sb'/><joint joint1='ja' joint2='jb' polycoef='.1 2'/>"
    "</equality>"
    "<actuator><general site='sa' refsite='sb' gear='1 2 3 4 5 6'/>"
    "<general cranksite='sa' slidersite='w' cranklength='2'/>"
    "<adhesion body='a' gain='3' ctrlrange='0 1'/>"
    "</actuator></mujoco>";

static void add_equalities(mjSpec* spec) {
  mjsEquality* e = mjs_addEquality(spec, NULL);
  e->type = mjEQ_CONNECT;
  e->objtype = mjOBJ_BODY;
  mjs_setString(e->name1, "a");
  set3(e->data, 0.1, 0.2, 0.3);
  e = mjs_addEquality(spec, NULL);
  e->type = mjEQ_WELD;
  e->objtype = mjOBJ_BODY;
  mjs_setString(e->name1, "a");
  mjs_setString(e->name2, "b");
  set3(e->data, 0.1, 0, 0);
  e = mjs_addEquality(spec, NULL);
  e->type = mjEQ_CONNECT;
  e->objtype = mjOBJ_SITE;
  mjs_setString(e->name1, "sa");
  mjs_setString(e->name2, "sb");
  e = mjs_addEquality(spec, NULL);
  e->type = mjEQ_JOINT;
  mjs_setString(e->name1, "ja");
  mjs_setString(e->name2, "jb");
  e->data[0] = 0.1;
  e->data[1] = 2;
}

static mjSpec* mechanisms(void) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* world = mjs_findBody(spec, "world");
  add_site(world, "w", 0.3, 1);
  mjsGeom* wrap = mjs_addGeom(world, NULL);
  mjs_setName(wrap->element, "wrap");
  wrap->type = mjGEOM_CYLINDER;
  set3(wrap->size, 0.05, 0.2, 0);
  set3(wrap->pos, 0.2, 0, 0.3);
  add_site(add_pendulum(world, "a", "ja", 0.5), "sa", 0, -0.4);
  add_site(add_pendulum(world, "b", "jb", -0.5), "sb", 0.1, -0.3);
  add_equalities(spec);

  mjsActuator* a = mjs_addActuator(spec, NULL);
  a->trntype = mjTRN_SITE;
  mjs_setString(a->target, "sa");
  mjs_setString(a->refsite, "sb");
  for (int i = 0; i < 6; i++) {
    a->gear[i] = i + 1;
  }
  a = mjs_addActuator(spec, NULL);
  a->trntype = mjTRN_SLIDERCRANK;
  mjs_setString(a->target, "sa");
  mjs_setString(a->slidersite, "w");
  a->cranklength = 2;
  a = mjs_addActuator(spec, NULL);
  a->trntype = mjTRN_BODY;
  mjs_setString(a->target, "a");
  a->ctrlrange[1] = 1;
  assert_string_equal(mjs_setToAdhesion(a, 3), "");
  return spec;
}

TEST(mechanisms_built_by_calls_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  Bridge* b = test_bridge(mechanisms_xml);
  mjSpec* spec = mechanisms();
  mjModel* ours = test_compile(spec);
  mjModel* theirs = b->m;
  b->m = ours;
  int differ = bridge_compare_model(b, NULL, 1e-9);
  b->m = theirs;
  test_release(ours);
  mj_deleteSpec(spec);
  test_release(b);
  assert_int_equal(differ, 0);
}

static const mjsTendon* add_path(mjSpec* spec) {
  mjsTendon* t = mjs_addTendon(spec, NULL);
  mjs_setName(t->element, "t");
  t->range[0] = 0.1;
  t->range[1] = 2;
  t->stiffness = 3;
  t->width = 0.01;
  mjs_wrapSite(t, "w");
  mjs_wrapGeom(t, "wrap", "w");
  mjs_wrapSite(t, "sa");
  mjs_wrapPulley(t, 2);
  mjs_wrapSite(t, "sa");
  mjs_wrapSite(t, "sb");
  return t;
}

TEST(paths_and_what_hangs_on_them_are_written_in_order) {
  mjSpec* spec = mechanisms();
  const mjsTendon* t = add_path(spec);
  mjsEquality* e = mjs_addEquality(spec, NULL);
  e->type = mjEQ_TENDON;
  mjs_setString(e->name1, "t");
  mjsActuator* a = mjs_addActuator(spec, NULL);
  a->trntype = mjTRN_TENDON;
  mjs_setString(a->target, "t");
  double dampratio = 0.7;
  assert_string_equal(mjs_setToPosition(a, 5, NULL, &dampratio, NULL, 0), "");
  a->inheritrange = 0.5;

  mjModel* m = test_compile(spec);
  const int types[6] = {mjWRAP_SITE,   mjWRAP_CYLINDER, mjWRAP_SITE,
                        mjWRAP_PULLEY, mjWRAP_SITE,     mjWRAP_SITE};
  const int ids[6] = {0, 0, 1, -1, 1, 2};
  const mjtNum prm[6] = {0, 0, 0, 2, 0, 0};
  assert_int_equal(m->nwrap, 6);
  assert_memory_equal(m->wrap_type, types, sizeof(types));
  assert_memory_equal(m->wrap_objid, ids, sizeof(ids));
  assert_memory_equal(m->wrap_prm, prm, sizeof(prm));
  assert_int_equal(m->eq_obj1id[4], 0);
  assert_int_equal(m->eq_obj2id[4], -1);

  // half of the tendon's range, about its middle
  int i = m->nu - 1;
  double mean = (t->range[0] + t->range[1]) / 2, half = (t->range[1] - t->range[0]) / 4;
  assert_that(fabs((double)m->actuator_ctrlrange[2 * i] - (mean - half)), <, 1e-6);
  assert_that(fabs((double)m->actuator_ctrlrange[2 * i + 1] - (mean + half)), <, 1e-6);
  assert_true(m->actuator_ctrllimited[i]);
  mj_deleteSpec(spec);
}

TEST(warnings_of_the_trial_step_are_kept_but_do_not_stop) {
  mjSpec* spec = mj_makeSpec();
  spec->option.gravity[2] = (mjtNum)-1e12;
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
  mjs_addFreeJoint(body);
  mjs_addGeom(body, NULL)->size[0] = 1;
  test_compile(spec);
  assert_int_equal(mjs_isWarning(spec), 1);
  assert_non_null(strstr(mjs_getError(spec), "QACC"));
  mj_deleteSpec(spec);
}

// Without a bound on its iterations, the trial step would take hours.
TEST(the_trial_step_ends_however_many_iterations_are_asked_for) {
  char error[200] = "";
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><option solver='PGS' iterations='2000000000' tolerance='-1'"
      " noslip_iterations='2000000000' noslip_tolerance='-1'/><worldbody>"
      "<body name='a'><freejoint/><geom size='.1'/></body>"
      "<body name='b' pos='1 0 0'><joint axis='0 1 0' frictionloss='1'/><geom size='.1'/></body>"
      "</worldbody><equality><weld body1='a' body2='b'/></equality></mujoco>",
      NULL, error, sizeof(error));
  mjModel* m = test_compile(spec);
  assert_int_equal(m->opt.iterations, 2000000000);
  assert_int_equal(m->opt.noslip_iterations, 2000000000);
  mj_deleteSpec(spec);
}

TEST(compiling_twice_gives_the_same_model) {
  mjSpec* spec = mj_makeSpec();
  add_pendulum(add_pendulum(mjs_findBody(spec, "world"), "a", "ja", 1), "b", "jb", 2);
  mjModel *m1 = test_compile(spec), *m2 = test_compile(spec);
  assert_that(m1->signature, ==, m2->signature);
  assert_that(m1->nbuffer, ==, m2->nbuffer);
  assert_memory_equal(m1->body_quat, m2->body_quat, 4 * (size_t)m1->nbody * sizeof(mjtNum));
  assert_memory_equal(m1->dof_invweight0, m2->dof_invweight0, (size_t)m1->nv * sizeof(mjtNum));
  assert_memory_equal(m1->names_map, m2->names_map, (size_t)m1->nnames_map * sizeof(int));
  mj_deleteSpec(spec);
}

TEST(pairs_and_excludes_are_sorted_by_signature) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* world = mjs_findBody(spec, "world");
  const char* names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) {
    mjsBody* body = mjs_addBody(world, NULL);
    mjs_setName(body->element, names[i]);
  }
  const int order[3][2] = {{2, 1}, {1, 0}, {2, 0}};
  for (int i = 0; i < 3; i++) {
    mjsExclude* exclude = mjs_addExclude(spec);
    mjs_setString(exclude->bodyname1, names[order[i][0]]);
    mjs_setString(exclude->bodyname2, names[order[i][1]]);
    mjs_setName(exclude->element, names[i]);
  }
  mjModel* m = test_compile(spec);
  assert_int_equal(m->exclude_signature[0], (1 << 16) + 2);
  assert_int_equal(m->exclude_signature[1], (1 << 16) + 3);
  assert_int_equal(m->exclude_signature[2], (2 << 16) + 3);
  assert_int_equal(mj_name2id(m, mjOBJ_EXCLUDE, "a"), 2);
  assert_int_equal(mj_name2id(m, mjOBJ_EXCLUDE, "b"), 0);
  mj_deleteSpec(spec);
}

TEST(user_data_is_padded_to_the_longest) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* world = mjs_findBody(spec, "world");
  const double data[3] = {1, 2, 3};
  mjs_setDouble(add_site(world, "a", 0, 0)->userdata, data, 1);
  mjs_setDouble(add_site(world, "b", 0, 0)->userdata, data, 3);
  mjModel* m = test_compile(spec);
  const mjtNum expected[6] = {1, 0, 0, 1, 2, 3};
  assert_int_equal(m->nuser_site, 3);
  assert_memory_equal(m->site_user, expected, sizeof(expected));
  mj_deleteSpec(spec);
}

TEST(short_keyframes_are_filled_up) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* world = mjs_findBody(spec, "world");
  add_pendulum(world, "a", "ja", 1);
  mjsBody* b = add_pendulum(world, "b", "jb", 1);
  mjs_asJoint(mjs_firstChild(b, mjOBJ_JOINT, 0))->ref = 90;
  const double given = 0.5;
  mjs_setDouble(mjs_addKey(spec)->qpos, &given, 1);
  mjs_addKey(spec)->time = 2;
  mjModel* m = test_compile(spec);
  assert_that(m->key_qpos[0], ==, (mjtNum)0.5);
  assert_that(m->key_qpos[1], ==, 90);
  assert_that(m->key_qpos[2], ==, 0);
  assert_that(m->key_qpos[3], ==, m->qpos0[1]);
  assert_that(fabs((double)m->qpos0[1] - mjPI / 2), <, 1e-6);
  assert_that(m->key_time[1], ==, 2);
  mj_deleteSpec(spec);
}

TEST(recompiling_keeps_the_state_of_what_stays) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* world = mjs_findBody(spec, "world");
  mjsBody* a = add_pendulum(world, "a", "ja", 1);
  add_pendulum(world, "b", "jb", 1);
  mjModel* m = test_compile(spec);
  mjData* d = test_data(m);
  d->qpos[0] = 1;
  d->qpos[1] = 2;
  d->qvel[1] = 3;
  d->time = 4;

  // c comes between a and b
  add_pendulum(a, "c", "jc", 1);
  assert_int_equal(mj_recompile(spec, NULL, m, d), 0);
  assert_int_equal(m->nv, 3);
  assert_int_equal(mj_name2id(m, mjOBJ_JOINT, "jb"), 2);
  const mjtNum qpos[3] = {1, 0, 2}, qvel[3] = {0, 0, 3};
  assert_memory_equal(d->qpos, qpos, sizeof(qpos));
  assert_memory_equal(d->qvel, qvel, sizeof(qvel));
  assert_that(d->time, ==, 4);
  mj_step(m, d);
  mj_deleteSpec(spec);
}

TEST(masses_are_scaled_to_the_total_that_is_asked_for) {
  mjSpec* spec = mj_makeSpec();
  spec->compiler.settotalmass = 5;
  add_pendulum(add_pendulum(mjs_findBody(spec, "world"), "a", "ja", 1), "b", "jb", 2);
  mjModel* m = test_compile(spec);
  assert_that(fabs((double)m->body_subtreemass[0] - 5), <, 1e-6);
  mj_deleteSpec(spec);
}
