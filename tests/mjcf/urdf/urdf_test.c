// urdf.c: robots in URDF.

#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define SPHERE "<geometry><sphere radius='1'/></geometry>"
#define KEEP "<mujoco><compiler fusestatic='false' discardvisual='false'/></mujoco>"
#define LINKS                                         \
  "<link name='a'/><link name='b'><collision>" SPHERE \
  "</collision></link><link name='c'>"                \
  "<collision>" SPHERE "</collision></link>"

// Joint y, whose parts are given, and joint x behind it in the file.
#define MIMIC(type, parts)                                                    \
  "<joint name='y' type='" type "'><parent link='a'/><child link='c'/>" parts \
  "</joint>"                                                                  \
  "<joint name='x' type='prismatic'><parent link='a'/><child link='b'/></joint>"

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
      {LINKS MIMIC("revolute", "<mimic joint='z'/>"), "mimic of an unknown joint: 'z'"},
      {LINKS MIMIC("revolute", "<mimic joint='y'/>"), "a joint can't mimic itself: 'y'"},
      {LINKS MIMIC("revolute", "<mimic/>"), "required attribute missing: 'joint'"},
      {LINKS MIMIC("revolute", "<mimic joint='x' offset='u'/>"),
       "bad format in attribute 'offset'"},
      {LINKS MIMIC("floating", "<mimic joint='x'/>"), "a joint without a single position"},
      {LINKS MIMIC("planar", "<mimic joint='x'/>"), "a joint without a single position"},
      {"<link name='a'/><link name='b'/><link name='c'/>"
       "<joint name='x' type='spherical'><parent link='a'/><child link='b'/></joint>"
       "<joint name='y' type='revolute'><parent link='a'/><child link='c'/><mimic "
       "joint='x'/></joint>",
       "mimic of a joint that has no single position: 'x'"},
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

static void assert_follows(const mjModel* m, const char* follower, const char* leader,
                           double offset, double multiplier) {
  int joint = mj_name2id(m, mjOBJ_JOINT, follower);
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_obj1id[i] == joint) {
      assert_int_equal(m->eq_type[i], mjEQ_JOINT);
      assert_int_equal(m->eq_obj2id[i], leader ? mj_name2id(m, mjOBJ_JOINT, leader) : -1);
      const mjtNum expected[5] = {(mjtNum)offset, (mjtNum)multiplier, 0, 0, 0};
      for (int k = 0; k < 5; k++) {
        assert_near(m->eq_data[mjNEQDATA * i + k], expected[k], 0);
      }
      return;
    }
  }
  fail_msg("nothing makes joint %s follow", follower);
}

static const char kMimics[] =
    KEEP LINKS "<link name='d'><collision>" SPHERE "</collision></link>"
    "<link name='e'><collision>" SPHERE "</collision></link>"
    MIMIC("revolute", "<mimic joint='x' multiplier='-2' offset='.25'/>")
    "<joint name='z' type='continuous'><parent link='c'/><child link='d'/>"
    "<mimic joint='y'/></joint>"
    "<joint name='w' type='prismatic'><parent link='a'/><child link='e'/>"
    "<mimic joint='z' multiplier='.5'/></joint>";

TEST(a_mimic_follows_another_joint) {
  mjModel* m = load_robot(kMimics);
  assert_int_equal(m->neq, 3);
  assert_follows(m, "y", "x", 0.25, -2);
  assert_follows(m, "z", "y", 0, 1);
  assert_follows(m, "w", "z", 0, 0.5);
}

TEST(a_mimic_is_kept_when_the_robot_is_saved) {
  char xml[4000], saved[10000];
  snprintf(xml, sizeof(xml), "<robot name='r'>%s</robot>", kMimics);
  mjSpec* spec = test_spec(xml);
  test_compile(spec);
  assert_int_equal(mj_saveXMLString(spec, saved, sizeof(saved), error, sizeof(error)), 0);
  mjModel* m = test_model(saved);
  assert_int_equal(m->neq, 3);
  assert_follows(m, "y", "x", 0.25, -2);
  assert_follows(m, "w", "z", 0, 0.5);
}

TEST(a_mimic_of_a_fixed_joint_is_constant) {
  mjModel* m = load_robot(KEEP LINKS
                          "<joint name='x' type='fixed'><parent link='a'/><child link='b'/></joint>"
                          "<joint name='y' type='revolute'><parent link='a'/><child link='c'/>"
                          "<mimic joint='x' offset='.5'/></joint>");
  assert_int_equal(m->neq, 1);
  assert_follows(m, "y", NULL, 0.5, 1);
}

TEST(a_fixed_joint_mimics_nothing) {
  mjModel* m = load_robot(KEEP LINKS MIMIC("fixed", "<mimic joint='x'/>"));
  assert_int_equal(m->neq, 0);
}

// A cube with this half side as the text of an OBJ file.
static void add_cube(mjVFS* vfs, const char* file, double half) {
  char text[1000];
  int n = 0;
  for (int i = 0; i < 8; i++) {
    n += snprintf(text + n, sizeof(text) - (size_t)n, "v %g %g %g\n", i & 4 ? half : -half,
                  i & 2 ? half : -half, i & 1 ? half : -half);
  }
  snprintf(text + n, sizeof(text) - (size_t)n,
           "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\n"
           "f 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n");
  assert_int_equal(mj_addBufferVFS(vfs, file, text, (int)strlen(text)), 0);
}

#define MESH(kind, file, scale)                                                     \
  "<" kind "><geometry><mesh filename='" file "' scale='" scale " " scale " " scale \
  "'/></geometry>"                                                                  \
  "</" kind ">"

// Geoms are of cubes with these half sides.
static void assert_sizes(const mjModel* m, const double size[], int n) {
  assert_int_equal(m->ngeom, n);
  for (int i = 0; i < n; i++) {
    assert_near(m->geom_rbound[i] / sqrt(3), size[i], 1e-6);
  }
}

TEST(a_mesh_is_a_file_and_a_scale) {
  static const char kRobot[] =
      "<robot name='r'><mujoco><compiler strippath='false' discardvisual='false'/></mujoco>"
      "<link name='a'>" MESH("visual", "visual/part.obj", "1")
          MESH("collision", "collision/part.obj", "1") MESH("collision", "visual/part.obj", "2")
              MESH("collision", "visual/part.obj", "2") MESH("collision", "part1.obj", "1")
                  MESH("collision", "collision/part.obj", "1") "</link></robot>";
  const double size[] = {1, 3, 2, 2, 5, 3};
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  add_cube(&vfs, "visual/part.obj", 1);
  add_cube(&vfs, "collision/part.obj", 3);
  add_cube(&vfs, "part1.obj", 5);
  mjSpec* spec = mj_parseXMLString(kRobot, &vfs, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, &vfs);
  assert_non_null(m);
  assert_int_equal(m->nmesh, 4);
  assert_sizes(m, size, 6);
  char saved[10000];
  assert_int_equal(mj_saveXMLString(spec, saved, sizeof(saved), error, sizeof(error)), 0);
  mjSpec* again = mj_parseXMLString(saved, &vfs, error, sizeof(error));
  assert_non_null(again);
  mjModel* loaded = mj_compile(again, &vfs);
  assert_non_null(loaded);
  assert_sizes(loaded, size, 6);
  mj_deleteModel(m);
  mj_deleteModel(loaded);
  mj_deleteSpec(spec);
  mj_deleteSpec(again);
  mj_deleteVFS(&vfs);
}
