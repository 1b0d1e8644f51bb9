// Rules that later releases changed: with all of them the numbers of 4.0.0, and what each of them
// alone is about.

#include <condyle/derivative.h>

#include "model/behaviour.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static mjData* at_state(const mjModel* m) {
  mjData* d = test_data(m);
  mjtNum turn[64];
  for (int i = 0; i < m->nv; i++) {
    turn[i] = (mjtNum)0.3 * mju_sin((mjtNum)(1 + i));
    d->qvel[i] = mju_cos((mjtNum)(2 * i));
  }
  mj_integratePos(m, d->qpos, turn, 1);
  d->ctrl[0] = (mjtNum)0.5;
  d->ctrl[1] = -1;
  d->ctrl[2] = 2;
  return d;
}

static mjModel* with_rules(int behaviour) {
  mjModel* m = test_model_file("tests/models/since/rules.xml");
  m->opt.behaviour = behaviour;
  m->opt.tolerance = 0;
  return m;
}

static mjData* forward(const mjModel* m) {
  mjData* d = at_state(m);
  mj_forward(m, d);
  return d;
}

TEST(all_rules_together_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("tests/models/since/rules.xml");
  m->opt.tolerance = 0;
  assert_int_equal(m->opt.behaviour, cnd_dialectBehaviour(400));
  mjData* d = forward(m);
  size_t nbody = (size_t)m->nbody;
  assert_recorded("rules_efc_aref", d->efc_aref, (size_t)d->nefc);
  assert_recorded("rules_qacc", d->qacc, (size_t)m->nv);
  assert_recorded("rules_sensordata", d->sensordata, (size_t)m->nsensordata);
  assert_recorded("rules_cfrc_ext", d->cfrc_ext, 6 * nbody);
  assert_recorded("rules_cfrc_int", d->cfrc_int, 6 * nbody);
}

static void step_without_constraints(mjtNum* state, const mjModel* m, int n) {
  mjData* d = at_state(m);
  for (int i = 0; i < n; i++) {
    mj_step(m, d);
  }
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, m->nv);
}

TEST(runge_kutta_turns_as_in_the_newest_release) {
  DOUBLE_ONLY();
  mjtNum state[64];
  mjModel* m = with_rules(1 << cndBEHAVIOUR_rkmk);
  m->opt.integrator = mjINT_RK4;
  m->opt.disableflags = mjDSBL_CONSTRAINT;
  step_without_constraints(state, m, 50);
  assert_recorded("rules_rk4", state, (size_t)(m->nq + m->nv));
}

// implicitfast of free bodies is implicit then; one with a fixed load stays as it was.
TEST(free_bodies_of_implicitfast_turn_as_implicit) {
  DOUBLE_ONLY();
  static const char* const loads[] = {"", "<body pos='.3 0 0'><geom size='.1'/></body>"};
  for (int loaded = 0; loaded < 2; loaded++) {
    char xml[1000];
    snprintf(xml, sizeof(xml),
             "<mujoco><option timestep='.01' gravity='0 0 0' density='50' wind='1 2 3'/><worldbody>"
             "<body><freejoint/><geom type='box' size='.1 .2 .4' pos='.1 .05 0' euler='10 20 30' "
             "mass='1'/>%s</body></worldbody></mujoco>",
             loads[loaded]);
    mjModel* m = test_model(xml);
    mjtNum state[3][13];
    for (int k = 0; k < 3; k++) {
      m->opt.integrator = k == 0 ? mjINT_IMPLICIT : mjINT_IMPLICITFAST;
      m->opt.behaviour = k == 1 ? 1 << cndBEHAVIOUR_gyrofast : 0;
      mjData* d = test_data(m);
      const mjtNum qvel[6] = {1, 2, 3, 5, -4, 3};
      mju_copy(d->qvel, qvel, 6);
      for (int i = 0; i < 20; i++) {
        mj_step(m, d);
      }
      mju_copy(state[k], d->qpos, 7);
      mju_copy(state[k] + 7, d->qvel, 6);
      if (k == 1) {
        m->opt.enableflags = mjENBL_FWDINV | mjENBL_INVDISCRETE;
        mj_step(m, d);
        assert_near(d->solver_fwdinv[0] + d->solver_fwdinv[1], 0, 1e-9);
        m->opt.enableflags = 0;
      }
    }
    mjtNum apart = 0;
    for (int i = 0; i < 13; i++) {
      apart = mju_max(apart, mju_abs(state[0][i] - state[1 + loaded][i]));
      if (!loaded) {
        assert_near(state[1][i], state[0][i], 1e-12);
      } else {
        assert_near(state[1][i], state[2][i], 0);
      }
    }
    assert_that(!loaded || apart > 1e-4, ==, 1);
  }
}

// One end of a string goes around a geom with a side site: the lengths are those of the newest
// release, and other ones by the old rule.
static void string_goes_around(const char* shape) {
  char xml[1000], name[100];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><worldbody><geom name='g' type='%s' size='.3 1'/><site name='side' pos='0 .5 .1'"
      "/><site name='a' pos='-1 0 .1'/><body><joint axis='0 .1 1'/><geom size='.1' pos='1 0 0'/>"
      "<site name='b' pos='1 -.05 .3'/></body></worldbody><tendon><spatial><site site='a'/>"
      "<geom geom='g' sidesite='side'/><site site='b'/></spatial></tendon></mujoco>",
      shape);
  mjModel* m = test_model(xml);
  mjtNum length[2][60];
  for (int rule = 0; rule < 2; rule++) {
    m->opt.behaviour = rule << cndBEHAVIOUR_sidesite;
    mjData* d = test_data(m);
    for (int i = 0; i < 60; i++) {
      d->qpos[0] = (mjtNum)(-3 + 0.1 * i);
      mj_forward(m, d);
      length[rule][i] = d->ten_length[0];
    }
  }
  snprintf(name, sizeof(name), "rules_side_%s", shape);
  assert_recorded(name, length[1], 60);
  int others = 0;
  for (int i = 0; i < 60; i++) {
    others += mju_abs(length[0][i] - length[1][i]) > (mjtNum)0.01;
  }
  assert_that(others, >, 3);
}

TEST(a_string_stays_on_the_side_of_its_site) {
  DOUBLE_ONLY();
  string_goes_around("sphere");
  string_goes_around("cylinder");
}

// Exact derivatives know the rule: the gradient of the length is that of differences.
TEST(a_string_on_its_side_has_exact_derivatives) {
  DOUBLE_ONLY();
  mjModel* m = with_rules(1 << cndBEHAVIOUR_sidesite);
  mjModel* winding = test_model(
      "<mujoco><option timestep='.01'><behaviour sidesite='enable'/></option><worldbody>"
      "<geom name='g' type='cylinder' size='.3 1'/><site name='side' pos='0 .5 .1'/>"
      "<site name='a' pos='-1 .1 .1'/><body><joint axis='0 .1 1' damping='1'/><geom size='.1' "
      "pos='1 0 0'/><site name='b' pos='1 -.05 .3'/></body></worldbody><tendon><spatial "
      "stiffness='50'><site site='a'/><geom geom='g' sidesite='side'/><site site='b'/></spatial>"
      "</tendon></mujoco>");
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_sidesite), 0);
  assert_int_equal(cnd_behaviourMatters(winding, cndBEHAVIOUR_sidesite), 1);
  mjData* d = test_data(winding);
  d->qpos[0] = (mjtNum)-1.3;  // beyond half a turn
  mj_forward(winding, d);
  mjtNum A[4], differences[4];
  cnd_transitionExact(winding, d, A, NULL, NULL, NULL);
  mjd_transitionFD(winding, d, (mjtNum)1e-6, 1, differences, NULL, NULL, NULL);
  for (int i = 0; i < 4; i++) {
    assert_near(A[i], differences[i], 1e-6);
  }
}

// A free body that tumbles: halving the step divides the error of its orientation by 2^order.
static double turning_order(int behaviour) {
  mjModel* m = test_model(
      "<mujoco><option integrator='RK4' gravity='0 0 0'/><worldbody><body><freejoint/>"
      "<geom type='box' size='.1 .2 .4' pos='.05 .02 0' mass='1'/></body></worldbody></mujoco>");
  m->opt.behaviour = behaviour;
  mjtNum quat[3][4];
  for (int k = 0; k < 3; k++) {
    mjData* d = test_data(m);
    int n = k == 2 ? 1024 : 16 << k;
    m->opt.timestep = (mjtNum)0.4 / n;
    d->qvel[3] = 5, d->qvel[4] = -4, d->qvel[5] = 3;
    for (int i = 0; i < n; i++) {
      mj_step(m, d);
    }
    mju_copy(quat[k], d->qpos + 3, 4);
  }
  double error[2] = {0};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 4; i++) {
      error[k] += fabs((double)(quat[k][i] - quat[2][i]));
    }
  }
  return log2(error[0] / error[1]);
}

TEST(orientations_of_runge_kutta_are_of_fourth_order) {
  DOUBLE_ONLY();
  assert_that(turning_order(1 << cndBEHAVIOUR_rkmk), >, 3.7);
  assert_that(turning_order(0), <, 2.4);
}

// The reference acceleration differs by the rate of J v, taken here by differences.
TEST(ties_follow_the_rate_of_their_jacobian) {
  DOUBLE_ONLY();
  mjModel* m = with_rules(0);
  m->opt.jacobian = mjJAC_DENSE;
  mjtNum Jv[2][64], aref[64];
  int rows = 15;  // of one connect and two welds
  for (int side = 0; side < 2; side++) {
    mjData* d = at_state(m);
    mj_integratePos(m, d->qpos, d->qvel, side ? (mjtNum)1e-6 : (mjtNum)-1e-6);
    mj_forward(m, d);
    mju_copy(Jv[side], d->efc_vel, rows);
  }
  mju_copy(aref, forward(m)->efc_aref, rows);
  m->opt.behaviour = 1 << cndBEHAVIOUR_jdotv;
  mjData* d = forward(m);
  mjtNum largest = 0;
  for (int i = 0; i < rows; i++) {
    mjtNum rate = (Jv[1][i] - Jv[0][i]) / (mjtNum)2e-6;
    assert_near(aref[i] - d->efc_aref[i], rate, 1e-7);
    largest = mju_max(largest, mju_abs(rate));
  }
  assert_that(largest, >, 1);
}

// The sum of all forces on a chain that stands still is its weight, so what carries it must be
// counted: the load cell of a body that hangs on a tendon, and of one that a weld holds.
static mjtNum torque_at_rest(int behaviour, const char* holder) {
  char xml[1000];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><option gravity='0 0 -10'/><worldbody><body name='w'/><site name='hook' pos='0 0 "
      "2'/><body name='b' pos='0 0 1'><freejoint/><geom size='.1' mass='1' pos='.3 0 0'/>"
      "<body name='c' euler='0 0 20'><geom size='.1' mass='1' pos='.3 .1 0'/><site name='s'/>"
      "</body></body></worldbody>%s<sensor><torque site='s'/><force site='s'/></sensor>"
      "</mujoco>",
      holder);
  mjModel* m = test_model(xml);
  m->opt.behaviour = behaviour;
  m->opt.tolerance = 0;
  mjData* d = test_data(m);
  for (int i = 0; i < 4000; i++) {
    mju_scl(d->qvel, d->qvel, (mjtNum)0.9, m->nv);
    mj_step(m, d);
  }
  mj_forward(m, d);
  return mju_norm(d->sensordata, 3);
}

TEST(a_weld_at_a_sensor_leaves_only_what_it_carries) {
  DOUBLE_ONLY();
  const char* weld = "<equality><weld body1='c' body2='w' torquescale='2.5'/></equality>";
  // weight of the child and of what the parent hands over: two masses about the site
  mjtNum with = torque_at_rest(1 << cndBEHAVIOUR_weldtorque, weld);
  mjtNum without = torque_at_rest(0, weld);
  assert_near(with, 3, 0.02);
  assert_that(mju_abs(without - with), >, 0.1);
}

static const char kHands[] =
    "<mujoco>%s<worldbody><geom name='floor' type='plane' size='3 3 1'/><body name='hand' "
    "mocap='true' "
    "pos='0 0 .05'><geom size='.1'/><body name='thumb' pos='.5 0 0'><geom size='.1'/></body><body "
    "name='finger' pos='0 .1 0'><joint/><geom size='.1'/></body></body><body name='other' "
    "mocap='true' "
    "pos='0 0 .1'><geom size='.1'/></body><body pos='3 0 1'><freejoint/><geom size='.1'/></body>"
    "</worldbody></mujoco>";

// weld groups, contacts and rays of 4.0.0; by the rule of 3.3.7 a finger touches its hand
TEST(mocap_bodies_own_a_group) {
  static const int weld[2][7] = {{0, 0, 0, 3, 0, 5}, {0, 1, 1, 3, 4, 5}}, ncon[] = {3, 2};
  for (int rule = 0; rule < 2; rule++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), kHands, rule ? "<option><behaviour mocap='enable'/></option>" : "");
    mjModel* m = test_model(xml);
    for (int i = 0; i < m->nbody; i++) {
      assert_int_equal(m->body_weldid[i], weld[rule][i]);
    }
    mjData* d = test_data(m);
    mj_forward(m, d);
    assert_int_equal(d->ncon, ncon[rule]);
    const mjtNum from[3] = {0, 0, 5}, down[3] = {0, 0, -1};
    int geom;
    mj_ray(m, d, from, down, NULL, 0, -1, &geom);
    assert_int_equal(geom, rule ? 4 : -1);
    for (int i = 0; i < 100; i++) {
      mj_step(m, d);
    }
  }
}

// A forward pass of the scene of things that touch, with some rules.
static mjData* touching(mjModel** m, int behaviour) {
  *m = test_model_file("tests/models/since/touching.xml");
  (*m)->opt.behaviour = behaviour;
  mjData* d = test_data(*m);
  mj_forward(*m, d);
  return d;
}

TEST(contacts_are_those_of_the_newest_release) {
  DOUBLE_ONLY();
  mjModel* m;
  mjData* d = touching(&m, cnd_dialectBehaviour(400));
  mjtNum dist[100], include[100], exclude[100], pos[300], frame[900];
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    dist[i] = con->dist;
    include[i] = con->includemargin;
    exclude[i] = con->exclude;
    mju_copy3(pos + 3 * i, con->pos);
    mju_copy(frame + 9 * i, con->frame, 9);
  }
  size_t n = (size_t)d->ncon;
  assert_recorded("touching_body_margin", m->body_margin, (size_t)m->nbody);
  assert_recorded("touching_dist", dist, n);
  assert_recorded("touching_includemargin", include, n);
  assert_recorded("touching_exclude", exclude, n);
  assert_recorded("touching_pos", pos, 3 * n);
  assert_recorded("touching_frame", frame, 9 * n);
}

TEST(meshes_touch_distance_fields_as_in_the_newest_release) {
  DOUBLE_ONLY();
  for (int turn = 10; turn < 90; turn += turn == 10 ? 40 : 30) {
    char xml[2000], name[50];
    snprintf(
        xml, sizeof(xml),
        "<mujoco><extension><plugin plugin='mujoco.sdf.torus'><instance name='t'><config "
        "key='radius1' value='.35'/><config key='radius2' value='.15'/></instance></plugin>"
        "</extension><option sdf_initpoints='5'><behaviour meshsdf='enable'/></option><asset>"
        "<mesh name='torus'><plugin instance='t'/></mesh><mesh name='brick' vertex='-.1 -.12 -.08 "
        "-.1 -.12 .08  -.1 .12 -.08  -.1 .12 .08  .1 -.12 -.08 .1 -.12 .08  .1 .12 -.08  .1 .12 "
        ".08'/></asset><worldbody><geom type='sdf' mesh='torus' quat='.9 .2 .3 .1'><plugin "
        "instance='t'/></geom><body pos='.4 .2 0' euler='%d 20 0'><freejoint/><geom type='mesh' "
        "mesh='brick'/></body></worldbody></mujoco>",
        turn);
    mjModel* m = test_model(xml);
    assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_meshsdf), 1);
    mjData* d = test_data(m);
    mj_forward(m, d);
    mjtNum found[7 * mjMAXCONPAIR];
    for (int i = 0; i < d->ncon; i++) {
      found[7 * i] = d->contact[i].dist;
      mju_copy3(found + 7 * i + 1, d->contact[i].pos);
      mju_copy3(found + 7 * i + 4, d->contact[i].frame);
    }
    snprintf(name, sizeof(name), "touching_ring_%d", turn);
    assert_recorded(name, found, 7 * (size_t)d->ncon);
  }
}

TEST(pairs_can_have_as_many_contacts_as_in_the_newest_release) {
  static const int pair[][2] = {{0, 12}, {1, 14}, {3, 16}, {4, 17}, {5, 18},
                                {19, 6}, {8, 21}, {0, 9},  {19, 4}};
  static const int flags[] = {0, mjDSBL_MULTICCD, mjDSBL_NATIVECCD};
  mjModel* m;
  mjtNum most[54];
  int n = 0;
  touching(&m, cnd_dialectBehaviour(400));
  for (int k = 0; k < 3; k++) {
    m->opt.disableflags = flags[k];
    for (int i = 0; i < 9; i++) {
      most[n++] = mj_maxContact(m, pair[i][0], pair[i][1], 0);
      most[n++] = mj_maxContact(m, pair[i][0], pair[i][1], 1);
    }
  }
  assert_recorded("touching_most", most, 54);
}

// A number that tells the contacts of two geoms, with their order.
static mjtNum contacts_of(const mjData* d, const int geom[2]) {
  mjtNum sum = 0;
  int place = 1;
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    if ((con->geom[0] == geom[0] && con->geom[1] == geom[1]) ||
        (con->geom[0] == geom[1] && con->geom[1] == geom[0])) {
      sum += (mjtNum)place++ * (1 + con->dist + con->includemargin + con->pos[0]);
    }
  }
  return sum;
}

TEST(each_rule_of_contacts_is_about_its_own_pairs) {
  DOUBLE_ONLY();
  enum {
    SUM,
    BAND,
    FACE,
    BOXES,
    MESH_BOX,
    CAP_BOX,
    CAPSULE,
    EDGE,
    FIELD,
    NPAIR
  };
  static const int pair[NPAIR][2] = {{0, 9},  {0, 11}, {0, 12}, {1, 14}, {3, 16},
                                     {4, 17}, {6, 19}, {7, 20}, {8, 21}};
  static const struct {
    int behaviour, changed;
  } cases[] = {
      {cndBEHAVIOUR_marginsum, 1 << SUM | 1 << BAND},
      {cndBEHAVIOUR_marginband, 1 << SUM | 1 << BAND | 1 << FACE},
      {cndBEHAVIOUR_meshface, 1 << FACE},
      {cndBEHAVIOUR_boxclip, 1 << BOXES},
      {cndBEHAVIOUR_multiccd, 1 << MESH_BOX | 1 << CAP_BOX | 1 << CAPSULE | 1 << EDGE},
      {cndBEHAVIOUR_fieldmargin, 1 << FIELD},
  };
  mjModel* m;
  mjData* before = touching(&m, 0);
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjData* later = touching(&m, 1 << cases[i].behaviour);
    assert_int_equal(cnd_behaviourMatters(m, cases[i].behaviour), 1);
    int changed = 0;
    for (int k = 0; k < NPAIR; k++) {
      mjtNum apart = contacts_of(later, pair[k]) - contacts_of(before, pair[k]);
      changed |= (mju_abs(apart) > (mjtNum)1e-6) << k;
    }
    assert_int_equal(changed, cases[i].changed);
  }
}

// What a file says of the flag, and what the model of each dialect keeps of it.
TEST(several_contacts_are_asked_for_as_the_dialect_says) {
  static const struct {
    const char* flag;
    int several[2], disable[2], enable[2];
  } cases[] = {
      {"", {0, 1}, {0, 0}, {0, 0}},
      {"<flag multiccd='enable'/>", {1, 1}, {0, 0}, {mjENBL_MULTICCD, 0}},
      {"<flag multiccd='disable'/>", {0, 0}, {0, mjDSBL_MULTICCD}, {0, 0}},
  };
  for (int i = 0; i < 3; i++) {
    for (int later = 0; later < 2; later++) {
      char xml[4000];
      snprintf(
          xml, sizeof(xml),
          "<mujoco><compiler dialect='%s'/><option>%s</option><worldbody><geom type='cylinder' "
          "size='.2 .1'/><body pos='0 0 .199'><freejoint/><geom type='cylinder' size='.1 .1'/>"
          "</body></worldbody></mujoco>",
          later ? "4.0" : "3.3", cases[i].flag);
      for (int again = 0; again < 2; again++) {
        mjModel* m = test_model(xml);
        assert_int_equal(m->opt.disableflags, cases[i].disable[later]);
        assert_int_equal(m->opt.enableflags, cases[i].enable[later]);
        mjData* d = test_data(m);
        mj_forward(m, d);
        assert_int_equal(d->ncon > 1, cases[i].several[later]);
        mjSpec* spec = mj_parseXMLString(xml, NULL, NULL, 0);
        mj_deleteModel(mj_compile(spec, NULL));
        assert_int_equal(mj_saveXMLString(spec, xml, sizeof(xml), NULL, 0), 0);
        mj_deleteSpec(spec);
      }
    }
  }
}

// Numbers of 4.0.0 by the rule: what other words wrote is not inherited, what this one or general
// wrote is, from the nearest class.
TEST(shortcuts_inherit_their_own_parameters) {
  static const struct {
    const char *classes, *actuator;
    mjtNum gain[2], bias[2];  // gainprm[0] and biasprm[1] without and with the rule
    int type;
  } cases[] = {
      {"<position kp='7' gear='2'/>", "motor", {1, 1}, {-7, 0}, mjACTUATOR_MOTOR},
      {"<position kp='7'/>", "position", {7, 7}, {-7, -7}, mjACTUATOR_POSITION},
      {"<position kp='7'/>", "general", {7, 7}, {-7, -7}, mjACTUATOR_GENERAL},
      {"<general gainprm='5'/>", "velocity", {5, 5}, {0, 0}, mjACTUATOR_VELOCITY},
      {"<position kp='7'/><velocity kv='3'/>", "position", {3, 1}, {-3, -1}, mjACTUATOR_POSITION},
      {"<cylinder area='4' bias='1 2 3'/>", "cylinder", {4, 4}, {0, 2}, mjACTUATOR_CYLINDER},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    for (int rule = 0; rule < 2; rule++) {
      char xml[600];
      snprintf(
          xml, sizeof(xml),
          "<mujoco><option><behaviour shortcuts='%s'/></option><default>%s</default><worldbody>"
          "<body><joint name='j'/><geom size='1'/></body></worldbody><actuator><%s name='a' "
          "joint='j'/></actuator></mujoco>",
          rule ? "enable" : "disable", cases[i].classes, cases[i].actuator);
      mjSpec* s = test_spec(xml);
      const mjModel* m = test_compile(s);
      const mjsActuator* a = mjs_asActuator(mjs_findElement(s, mjOBJ_ACTUATOR, "a"));
      assert_int_equal(a->type, cases[i].type);
      if (m->actuator_gainprm[0] != cases[i].gain[rule] ||
          m->actuator_biasprm[1] != cases[i].bias[rule]) {
        fail_msg("%s in %s, rule %d: gain %g, bias %g", cases[i].actuator, cases[i].classes, rule,
                 (double)m->actuator_gainprm[0], (double)m->actuator_biasprm[1]);
      }
      assert_that(m->actuator_gear[0], ==, i ? 1 : 2);
    }
  }
}

// Grains of millimetres: forces scale with size and speed, and steps are those of 4.0.0.
TEST(drag_of_small_bodies_has_no_floor) {
  DOUBLE_ONLY();
  static const int integrators[] = {mjINT_EULER, mjINT_IMPLICIT, mjINT_IMPLICITFAST};
  for (int k = 0; k < 3; k++) {
    mjModel* m = test_model_file("tests/models/fluid_small.xml");
    char name[40];
    m->opt.integrator = integrators[k];
    m->opt.behaviour = 1 << cndBEHAVIOUR_smalldrag | 1 << cndBEHAVIOUR_gyrofast;
    mjData* d = test_data(m);
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] = (mjtNum)0.3 * mju_sin((mjtNum)(1 + i));
    }
    mj_forward(m, d);
    snprintf(name, sizeof(name), "grains_force_%d", integrators[k]);
    assert_recorded(name, d->qfrc_fluid, (size_t)m->nv);
    for (int i = 0; i < 50; i++) {
      mj_step(m, d);
    }
    snprintf(name, sizeof(name), "grains_steps_%d", integrators[k]);
    assert_recorded(name, d->qvel, (size_t)m->nv);
  }
}

TEST(each_rule_says_where_it_matters) {
  mjModel* m = test_model_file("tests/models/since/rules.xml");
  static const int here[] = {cndBEHAVIOUR_jdotv, cndBEHAVIOUR_weldtorque, cndBEHAVIOUR_tendonload,
                             cndBEHAVIOUR_restacc};
  for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++) {
    assert_int_equal(cnd_behaviourMatters(m, here[i]), 1);
  }
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_rkmk), 0);
  m->opt.integrator = mjINT_RK4;
  assert_int_equal(cnd_behaviourMatters(m, cndBEHAVIOUR_rkmk), 1);
  mjModel* skin = test_model_file("tests/models/since/skin_touch.xml");
  assert_int_equal(cnd_behaviourMatters(skin, cndBEHAVIOUR_tactile), 1);
  assert_int_equal(cnd_behaviourMatters(skin, cndBEHAVIOUR_insidecom), 1);
  mjModel* plain = test_model(
      "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody>"
      "</mujoco>");
  for (int i = 0; i < cndNBEHAVIOUR; i++) {
    assert_int_equal(cnd_behaviourMatters(plain, i), 0);
  }
}
