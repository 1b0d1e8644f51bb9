// urdf.c: robots in URDF.

#include "support/bridge.h"
#include "support/load.h"
#include "support/test.h"

#define SPHERE "<geometry><sphere radius='1'/></geometry>"
#define KEEP "<mujoco><compiler fusestatic='false' discardvisual='false'/></mujoco>"
#define LINKS                                         \
  "<link name='a'/><link name='b'><collision>" SPHERE \
  "</collision></link><link name='c'>"                \
  "<collision>" SPHERE "</collision></link>"

static char error[1000];

static mjModel* load_robot(const char* content) {
  char xml[4000];
  snprintf(xml, sizeof(xml), "<robot name='r'>%s</robot>", content);
  return test_model(xml);
}

TEST(a_robot_is_the_reference_s_model) {
  BRIDGE_OR_SKIP();
  const Bridge* b = test_own_bridge(bridge_load(CONDYLE_SOURCE_DIR "/tests/mjcf/robot.urdf"));
  const mjModel* m = test_model_file("tests/mjcf/robot.urdf");
  assert_int_equal(bridge_compare_models(m, b->m, NULL, 1e-9), 0);
}

TEST(links_become_bodies_in_the_order_of_the_joints) {
  mjModel* m = load_robot(KEEP LINKS
                          "<joint name='y' type='revolute'><parent link='a'/><child link='c'/>"
                          "<origin xyz='1 2 3'/></joint>"
                          "<joint name='x' type='prismatic'><parent link='a'/><child link='b'/>"
                          "<axis xyz='0 2 0'/></joint>");
  assert_int_equal(m->nbody, 4);
  assert_string_equal(mj_id2name(m, mjOBJ_BODY, 2), "c");
  assert_string_equal(mj_id2name(m, mjOBJ_BODY, 3), "b");
  assert_that(m->body_pos[6], ==, 1);
  assert_that(m->body_pos[7], ==, 2);
  assert_that(m->body_pos[8], ==, 3);
  assert_int_equal(m->jnt_type[0], mjJNT_HINGE);
  assert_int_equal(m->jnt_type[1], mjJNT_SLIDE);
  assert_that(m->jnt_axis[0], ==, 1);
  assert_that(m->jnt_axis[4], ==, 1);
}

TEST(the_link_called_world_is_the_world) {
  mjModel* m = load_robot("<link name='world'/><link name='b'><collision>" SPHERE
                          "</collision></link><joint name='j' type='floating'>"
                          "<parent link='world'/><child link='b'/></joint>");
  assert_int_equal(m->nbody, 2);
  assert_int_equal(m->jnt_type[0], mjJNT_FREE);
}

TEST(limits_count_if_both_are_there_and_in_order) {
  static const struct {
    const char* limit;
    int limited, force;
  } cases[] = {
      {"<limit lower='-1' upper='1' effort='-5'/>", 1, 1},
      {"<limit upper='1'/>", 0, 0},
      {"<limit lower='1' upper='-1' effort='2'/>", 0, 1},
      {"<limit lower='0' upper='0' effort='0'/>", 0, 0},
      {"", 0, 0},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char robot[1000];
    snprintf(robot, sizeof(robot),
             KEEP LINKS
             "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>%s"
             "<dynamics damping='2' friction='3'/></joint>",
             cases[i].limit);
    mjModel* m = load_robot(robot);
    assert_int_equal(m->jnt_limited[0], cases[i].limited);
    assert_int_equal(m->jnt_actfrclimited[0], cases[i].force);
    assert_that(m->dof_damping[0], ==, 2);
    assert_that(m->dof_frictionloss[0], ==, 3);
    test_release(m);
  }
}

TEST(a_planar_joint_is_three_joints) {
  mjModel* m = load_robot(KEEP LINKS
                          "<joint name='p' type='planar'><parent link='a'/><child link='b'/>"
                          "<axis xyz='0 0 1'/></joint>");
  assert_int_equal(m->njnt, 3);
  assert_string_equal(mj_id2name(m, mjOBJ_JOINT, 0), "p_TX");
  assert_string_equal(mj_id2name(m, mjOBJ_JOINT, 1), "p_TY");
  assert_string_equal(mj_id2name(m, mjOBJ_JOINT, 2), "p_RZ");
}

TEST(broken_robots_are_refused_with_the_reason) {
#define JOINT(type, parent, child) \
  "<joint name='j' type='" type "'><parent link='" parent "'/><child link='" child "'/></joint>"
  static const struct {
    const char *robot, *reason;
  } cases[] = {
      {"<link/>", "required attribute missing: 'name'"},
      {"<link name='a'/><link name='a'/>", "repeated URDF name:"},
      {"<link name='a'><collision/></link>", "missing element: 'geometry'"},
      {"<link name='a'><collision><geometry/></collision></link>",
       "visual geometry specification not found"},
      {"<link name='a'><collision>" SPHERE SPHERE "</collision></link>",
       "repeated element: 'geometry'"},
      {"<link name='a'><inertial/></link>", "missing element: 'mass'"},
      {"<link name='a'><inertial><mass value='1'/><inertia/></inertial></link>",
       "required attribute missing: 'ixx'"},
      {"<link name='a'><collision><origin xyz='1 2'/>" SPHERE "</collision></link>",
       "attribute 'xyz' does not have enough data"},
      {"<link name='a'><collision><origin xyz='1 2 3 4'/>" SPHERE "</collision></link>",
       "attribute 'xyz' has too much data"},
      {"<link name='a'><collision><origin rpy='1 2 x'/>" SPHERE "</collision></link>",
       "bad format in attribute 'rpy'"},
      {LINKS JOINT("magic", "a", "b"), "invalid joint type in URDF joint definition"},
      {LINKS JOINT("fixed", "a", "x"), "URDF joint parent or child missing"},
      {LINKS JOINT("fixed", "a", "b") JOINT("fixed", "c", "b"), "URDF body has multiple parents:"},
      {LINKS JOINT("fixed", "a", "b") JOINT("fixed", "b", "a"), "URDF body not found"},
      {LINKS JOINT("fixed", "b", "b"), "URDF body not found"},
      {"<mujoco/><mujoco/><link name='a'/>", "repeated element: 'mujoco'"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), "<robot name='r'>%s</robot>", cases[i].robot);
    assert_null(mj_parseXMLString(xml, NULL, error, sizeof(error)));
    if (!strstr(error, cases[i].reason)) {
      fail_msg("expected \"%s\", got \"%s\"", cases[i].reason, error);
    }
  }
}

// what the format has beyond bodies and joints has no effect
TEST(unknown_elements_are_ignored) {
  mjModel* m = load_robot(KEEP
                          "<gazebo><x y='1'/></gazebo><transmission/><link name='a' odd='1'>"
                          "<self_collide/><collision>" SPHERE "</collision></link>");
  assert_int_equal(m->ngeom, 1);
}

// a chain is walked without recursion
TEST(a_long_chain_is_read) {
  enum {
    LENGTH = 300,
    ROOM = 400 * LENGTH
  };
  char* xml = malloc(ROOM);
  int n = snprintf(xml, ROOM, "<robot name='r'>" KEEP "<link name='l0'/>");
  for (int i = 1; i < LENGTH; i++) {
    n += snprintf(xml + n, (size_t)(ROOM - n),
                  "<link name='l%d'><collision>" SPHERE
                  "</collision></link><joint name='j%d' "
                  "type='continuous'><parent link='l%d'/><child link='l%d'/></joint>",
                  i, i, i - 1, i);
  }
  snprintf(xml + n, (size_t)(ROOM - n), "</robot>");
  mjSpec* spec = test_spec(xml);
  assert_non_null(mjs_findBody(spec, "l299"));
  test_release(spec);
  free(xml);
}
