// load.c: robots as their makers ship them, read from memory.

#include <condyle/load.h>
#include <condyle/robot.h>
#include <condyle/spec.h>
#include <stdio.h>
#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define MASS                                                                                    \
  "<inertial><mass value='2'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/>" \
  "</inertial>"
#define BOX "<geometry><box size='0.2 0.2 0.2'/></geometry>"
#define SHAPES "<visual>" BOX "</visual><collision>" BOX "</collision>"
#define JOINT(name, type, parent, child, more)                                            \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child \
  "'/><axis xyz='0 0 2'/>" more "</joint>"
#define ARM                                                                                      \
  "<link name='base'>" MASS SHAPES "</link><link name='arm'>" MASS SHAPES                        \
  "</link>"                                                                                      \
  "<link name='tip'>" MASS                                                                       \
  "</link>" JOINT("turn", "revolute", "base", "arm",                                             \
                  "<origin xyz='0 0 0.1'/><limit lower='-1' upper='2' effort='5' velocity='3'/>" \
                  "<dynamics damping='0.5' friction='0.25'/>")                                   \
      JOINT("weld", "fixed", "arm", "tip", "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/>")

static char told[4000];

// Loads a robot from text; warnings, in one text, are in `told`.
static mjModel* load_with(const char* content, cndRobotOptions options) {
  static mjVFS vfs;
  char xml[8000];
  snprintf(xml, sizeof(xml), "<robot name='r'>%s</robot>", content);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "r.urdf", xml, (int)strlen(xml));
  options.vfs = &vfs;
  cndDiagnostics* list = cnd_makeDiagnostics();
  mjModel* m = cnd_loadRobot("r.urdf", &options, list);
  told[0] = 0;
  for (int i = 0; i < cnd_diagnosticCount(list, cndSEVERITY_WARNING); i++) {
    char line[2000];
    cnd_formatDiagnostic(line, sizeof(line), cnd_diagnostic(list, i));
    strncat(told, line, sizeof(told) - strlen(told) - 1);
    strncat(told, "\n", sizeof(told) - strlen(told) - 1);
  }
  cnd_deleteDiagnostics(list);
  mj_deleteVFS(&vfs);
  return m ? test_own_model(m) : NULL;
}

static cndRobotOptions usual(void) {
  cndRobotOptions options;
  cnd_defaultRobotOptions(&options);
  return options;
}

static mjModel* load(const char* content) {
  mjModel* m = load_with(content, usual());
  if (!m) {
    fprintf(stderr, "%s\n", told);
  }
  assert_non_null(m);
  return m;
}

static void assert_told(const char* words) {
  if (!strstr(told, words)) {
    fprintf(stderr, "'%s' isn't in:\n%s", words, told);
  }
  assert_non_null(strstr(told, words));
}

TEST(shapes_for_the_eye_are_in_group_2_and_others_in_group_3) {
  mjModel* m = load(ARM);
  assert_int_equal(m->ngeom, 4);
  for (int g = 0; g < 4; g++) {
    assert_int_equal(m->geom_group[g], g % 2 ? 3 : 2);
    assert_int_equal(m->geom_contype[g], g % 2);
  }
  cndRobotOptions blind = usual();
  blind.visuals = 0;
  assert_int_equal(load_with(ARM, blind)->ngeom, 2);
}

TEST(a_fixed_link_is_a_site_of_its_body_and_adds_its_mass) {
  mjModel* m = load(ARM);
  int arm = mj_name2id(m, mjOBJ_BODY, "arm"), tip = mj_name2id(m, mjOBJ_SITE, "tip");
  assert_int_equal(m->nbody, 3);
  assert_that(m->body_mass[arm], ==, 4);
  assert_int_equal(m->site_bodyid[tip], arm);
  assert_near(m->site_pos[3 * tip + 2], 1, 1e-12);
  assert_near(m->body_ipos[3 * arm + 2], 0.5, 1e-12);
  // two balls of 2 kg, one metre apart: 0.2 along, 0.2 + 4 (1/2)^2 across
  assert_near(m->body_inertia[3 * arm], 1.2, 1e-12);
  assert_near(m->body_inertia[3 * arm + 2], 0.2, 1e-12);
}

TEST(limits_and_losses_of_a_joint_are_kept) {
  mjModel* m = load(ARM);
  assert_int_equal(m->jnt_limited[0], 1);
  assert_that(m->jnt_range[1], ==, 2);
  assert_that(m->jnt_actfrcrange[1], ==, 5);
  assert_that(m->dof_damping[0], ==, 0.5);
  assert_that(m->dof_frictionloss[0], ==, 0.25);
  assert_that(m->jnt_axis[2], ==, 1);
}

TEST(the_base_is_free_if_asked_for) {
  cndRobotOptions free = usual();
  free.floating = 1;
  mjModel* m = load_with(ARM, free);
  assert_int_equal(m->jnt_type[0], mjJNT_FREE);
  assert_int_equal(load(ARM)->nv, 1);
}

TEST(a_servo_has_the_stiffness_of_its_frequency) {
  cndRobotOptions servo = usual();
  servo.actuators = "position";
  mjModel* m = load_with(ARM, servo);
  assert_int_equal(m->nu, 1);
  assert_near(m->actuator_gainprm[0], 900 * m->dof_M0[0], 1e-9);
  assert_that(m->actuator_ctrlrange[1], ==, 2);
  assert_that(m->actuator_forcerange[1], ==, 5);
}

TEST(a_safety_controller_limits_what_a_servo_is_asked_for) {
  static const char robot[] =
      "<link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
      "</inertial></link><joint name='j' type='%s'><parent link='a'/><child link='b'/>%s"
      "<safety_controller k_velocity='1' soft_lower_limit='%s' soft_upper_limit='1.5'/></joint>";
  static const struct {
    const char *type, *limit, *lower;
    int limited;
    double range[2];
  } cases[] = {{"revolute", "<limit lower='-1' upper='2'/>", "-3", 1, {-1, 1.5}},
               {"continuous", "", "-3", 1, {-3, 1.5}},
               {"continuous", "", "1.5", 0, {0, 0}},
               {"revolute", "<limit lower='2' upper='3'/>", "-3", 1, {-3, 1.5}}};
  cndRobotOptions servo = usual();
  servo.actuators = "position";
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[1000];
    snprintf(text, sizeof(text), robot, cases[i].type, cases[i].limit, cases[i].lower);
    mjModel* m = load_with(text, servo);
    assert_int_equal(m->actuator_ctrllimited[0], cases[i].limited);
    assert_near(m->actuator_ctrlrange[0], cases[i].range[0], 1e-12);
    assert_near(m->actuator_ctrlrange[1], cases[i].range[1], 1e-12);
  }
}

TEST(a_transmission_makes_a_motor_with_its_gear) {
  mjModel* m = load(ARM
                    "<transmission name='t'><joint name='turn'><hardwareInterface>"
                    "hardware_interface/EffortJointInterface</hardwareInterface></joint>"
                    "<actuator name='m'><mechanicalReduction> 50 </mechanicalReduction></actuator>"
                    "</transmission>");
  assert_int_equal(m->nu, 1);
  assert_that(m->actuator_gear[0], ==, 50);
  assert_near(m->actuator_ctrlrange[1], 0.1, 1e-12);
}

TEST(sensors_of_gazebo_have_twins) {
  mjModel* m = load(ARM
                    "<gazebo reference='tip'><sensor name='imu' type='imu'/>"
                    "<sensor name='eye' type='camera'><camera><horizontal_fov>1.5707963267948966"
                    "</horizontal_fov><image><width>200</width><height>100</height></image>"
                    "</camera></sensor><sensor name='x' type='sonar'/></gazebo>"
                    "<gazebo reference='weld'><sensor name='ft' type='force_torque'/></gazebo>");
  assert_int_equal(m->nsensor, 5);
  assert_int_equal(m->sensor_type[1], mjSENS_GYRO);
  assert_int_equal(m->ncam, 1);
  assert_near(m->cam_fovy[0], 53.13010235415598, 1e-9);
  assert_told("sensor of type 'sonar' has no twin here");
}

TEST(a_camera_looks_along_x) {
  mjModel* m = load(ARM "<gazebo reference='base'><sensor name='eye' type='camera'/></gazebo>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_near(-d->cam_xmat[2], 1, 1e-12);  // it looks along its -z axis
  assert_near(d->cam_xmat[7], 1, 1e-12);   // and its y axis is up
}

TEST(pairs_that_touch_in_the_zero_pose_are_told_and_never_collide) {
  mjModel* m = load(ARM);
  assert_int_equal(m->nexclude, 1);
  assert_told("1 pair of links touch in the zero pose and never collide: base and arm");
  cndRobotOptions all = usual();
  all.exclude = "none";
  assert_int_equal(load_with(ARM, all)->nexclude, 0);
}

TEST(links_without_mass_are_valid_between_joints) {
  mjModel* m =
      load("<link name='base'/><link name='between'/><link name='arm'>" MASS "</link>" JOINT(
          "a", "revolute", "base", "between",
          "") "<joint name='b' type='revolute'><parent link='between'/>"
              "<child link='arm'/><axis xyz='1 0 0'/></joint>");
  assert_that(m->body_mass[mj_name2id(m, mjOBJ_BODY, "between")], ==, 0);
  assert_near(m->dof_M0[0], 0.1, 1e-12);
}

TEST(a_link_that_moves_nothing_gets_a_little_mass) {
  mjModel* m = load("<link name='base'>" MASS
                    "</link><link name='end'/>" JOINT("a", "revolute", "base", "end", ""));
  assert_that(m->dof_M0[0], >, 0);
  assert_that(m->dof_M0[0], <, 1e-6);
  assert_told("nothing that its joint moves has mass or inertia");
}

TEST(an_inertia_that_no_rigid_body_has_is_kept_where_M_allows_it) {
  mjModel* m = load(
      "<link name='base'/><link name='arm'><inertial><mass value='1'/><inertia "
      "ixx='0.1' iyy='0.1' izz='0.5' ixy='0' ixz='0' iyz='0'/></inertial></link>" JOINT(
          "a", "revolute", "base", "arm", ""));
  assert_near(m->dof_M0[0], 0.5, 1e-12);
  assert_told("inertia must satisfy A + B >= C");
}

TEST(an_inertia_is_mended_where_M_does_not_allow_it) {
  mjModel* m = load(
      "<link name='base'/><link name='arm'><inertial><mass value='1'/><inertia "
      "ixx='0.1' iyy='0.1' izz='-0.5' ixy='0' ixz='0' iyz='0'/></inertial></link>" JOINT(
          "a", "revolute", "base", "arm", ""));
  assert_that(m->dof_M0[0], >, 0);
  assert_told("the nearest ones of a rigid body are used");
}

TEST(mimic_planar_and_floating_joints_move_as_they_say) {
  mjModel* m = load(
      "<link name='world'/><link name='a'>" MASS "</link><link name='b'>" MASS
      "</link><link name='c'>" MASS
      "</link>" JOINT("f", "floating", "world", "a", "") JOINT("p", "planar", "a", "b", "")
          JOINT("q", "prismatic", "b", "c", "<mimic joint='nobody'/><limit lower='0' upper='1'/>"));
  assert_int_equal(m->jnt_type[0], mjJNT_FREE);
  assert_int_equal(m->njnt, 5);
  assert_int_equal(m->neq, 0);
  assert_told("no joint 'nobody' to follow");
  m = load(ARM "<link name='d'>" MASS "</link>" JOINT(
      "follow", "continuous", "base", "d", "<mimic joint='turn' multiplier='-2' offset='0.5'/>"));
  assert_int_equal(m->neq, 1);
  assert_that(m->eq_data[0], ==, 0.5);
  assert_that(m->eq_data[1], ==, -2);
}

TEST(what_has_no_effect_is_told_once_for_each_kind) {
  load("<link name='base'>" MASS "<wing/><wing/></link><tail/>");
  assert_told("<wing>: has no effect, here and in 1 other place");
  assert_told("<tail>: has no effect");
}

TEST(a_robot_that_is_none_is_an_error_with_its_place) {
  static const struct {
    const char *content, *message;
  } cases[] = {
      {"", "a robot needs a link"},
      {"<link name='a'/><link name='a'/>", "repeated name of a link: 'a'"},
      {"<link name='a'/>" JOINT("j", "fixed", "a", "b", ""),
       "no link 'b', the child of this joint"},
      {"<link name='a'/><link name='b'/>" JOINT("j", "fixed", "a", "b", "")
           JOINT("k", "fixed", "b", "a", ""),
       "go round in a circle"},
      {"<link name='a'/><link name='b'/>" JOINT("j", "screw", "a", "b", ""),
       "unknown type of joint: 'screw'"},
      {"<link name='a'><collision><geometry><mesh filename='package://p/m.stl'/></geometry>"
       "</collision></link>",
       "no file 'package://p/m.stl': it was looked for in p/m.stl"},
      {"<link name='a'><inertial><origin xyz='$(arg x) 0'/></inertial></link>",
       "not \"$(arg x) 0\": this is xacro, whose files end in .xacro"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_null(load_with(cases[i].content, usual()));
    assert_told(cases[i].message);
    assert_told("r.urdf:1:");
  }
}

TEST(numbers_too_many_are_told_and_the_first_are_taken) {
  mjModel* m = load(
      "<link name='a'><inertial><origin xyz='1 2 3 4'/><mass value='1'/><inertia "
      "ixx='1' iyy='1' izz='1'/></inertial></link>");
  assert_that(m->body_ipos[3 + 2], ==, 3);
  assert_told("attribute 'xyz' has more than 3 numbers");
}

TEST(a_mesh_is_found_by_its_package_among_virtual_files) {
  static const char* const obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
      "f 2 3 4\n";
  static mjVFS vfs;
  const char* xml = "<robot name='r'><link name='a'>" MASS
                    "<collision><geometry><mesh filename='package://p/m.obj' scale='2 2 2'/>"
                    "</geometry></collision></link></robot>";
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "urdf/r.urdf", xml, (int)strlen(xml));
  mj_addBufferVFS(&vfs, "p/m.obj", obj, (int)strlen(obj));
  cndRobotOptions options = usual();
  options.vfs = &vfs;
  mjModel* m = cnd_loadRobot("urdf/r.urdf", &options, NULL);
  mj_deleteVFS(&vfs);
  assert_non_null(m);
  test_own_model(m);
  assert_int_equal(m->nmesh, 1);
  assert_int_equal(m->mesh_facenum[0], 4);
}

// The colour of a shape for the eye whose STL has a header with a colour and black triangles.
static void color_of_stl(float rgba[4], const char* material) {
  static const float corner[4][9] = {{0, 0, 0, 0, 1, 0, 1, 0, 0},
                                     {0, 0, 0, 1, 0, 0, 0, 0, 1},
                                     {0, 0, 0, 0, 0, 1, 0, 1, 0},
                                     {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  static mjVFS vfs;
  char stl[84 + 4 * 50] = "COLOR=\x7f\x7f\x7f\xff", xml[1000];
  stl[80] = 4;
  for (int i = 0; i < 4; i++) {
    memcpy(stl + 84 + 50 * i + 12, corner[i], sizeof(corner[i]));
  }
  snprintf(xml, sizeof(xml),
           "<robot name='r'><link name='a'>" MASS
           "<visual><geometry><mesh filename='m.STL'/></geometry>%s</visual></link></robot>",
           material);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "r.urdf", xml, (int)strlen(xml));
  mj_addBufferVFS(&vfs, "m.STL", stl, sizeof(stl));
  cndRobotOptions options = usual();
  options.vfs = &vfs;
  mjModel* m = cnd_loadRobot("r.urdf", &options, NULL);
  mj_deleteVFS(&vfs);
  assert_non_null(m);
  memcpy(rgba, test_own_model(m)->geom_rgba, 4 * sizeof(float));
}

TEST(a_material_of_the_robot_rules_over_the_colors_of_stl) {
  float rgba[4];
  color_of_stl(rgba, "<material name='red'><color rgba='0.5 0.25 0 1'/></material>");
  assert_that(rgba[0], ==, 0.5f);
  assert_that(rgba[1], ==, 0.25f);
  color_of_stl(rgba, "");
  assert_that(rgba[0], ==, 0);
}

TEST(a_simplified_robot_has_equal_meshes_and_shapes_once) {
  static const char* const obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  static mjVFS vfs;
#define HAS(file, more) \
  "<collision>" more "<geometry><mesh filename='" file "'/></geometry></collision>\n"
  const char* xml = "<robot name='r'><link name='a'>" MASS "\n" HAS("a.obj", "") HAS("b.obj", "")
      HAS("b.obj", "<origin xyz='1 0 0'/>") HAS("c.obj", "") "</link></robot>";
#undef HAS
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "r.urdf", xml, (int)strlen(xml));
  mj_addBufferVFS(&vfs, "a.obj", obj, (int)strlen(obj));
  mj_addBufferVFS(&vfs, "b.obj", obj, (int)strlen(obj));
  mj_addBufferVFS(&vfs, "c.obj", obj, (int)strlen(obj) - 8);  // a triangle less
  cndRobotOptions options = usual();
  options.vfs = &vfs;
  for (options.simplify = 0; options.simplify < 2; options.simplify++) {
    cndDiagnostics* list = cnd_makeDiagnostics();
    mjModel* m = cnd_loadRobot("r.urdf", &options, list);
    assert_non_null(m);
    test_own_model(m);
    assert_int_equal(m->nmesh, options.simplify ? 2 : 3);
    assert_int_equal(m->ngeom, options.simplify ? 3 : 4);
    int count = 0;
    for (int i = 0; i < cnd_diagnosticCount(list, cndSEVERITY_WARNING); i++) {
      const cndDiagnostic* problem = cnd_diagnostic(list, i);
      count += problem->line == 3 && strstr(problem->message, "line 2 has the same shape");
    }
    assert_int_equal(count, options.simplify);
    cnd_deleteDiagnostics(list);
  }
  mj_deleteVFS(&vfs);
}

TEST(wrong_options_are_errors) {
  cndRobotOptions options = usual();
  options.actuators = "pneumatic";
  assert_null(load_with(ARM, options));
  assert_told("actuators must be position, velocity, motor or none, not 'pneumatic'");
  options = usual();
  options.exclude = "some";
  assert_null(load_with(ARM, options));
  assert_told("exclude must be initial, all or none, not 'some'");
}

TEST(the_scene_lets_a_free_robot_stand_on_the_floor) {
  cndRobotOptions options = usual();
  options.floating = 1;
  options.scene = 1;
  mjModel* m = load_with(ARM, options);
  assert_near(m->qpos0[2], 0.1, 1e-12);
  assert_that(mj_name2id(m, mjOBJ_GEOM, "floor"), >=, 0);
  assert_int_equal(m->nlight, 1);
}

TEST(the_usual_camera_shows_a_small_robot_whole) {
  cndRobotOptions options = usual();
  options.scene = 1;
  mjModel* m = load_with("<link name='a'>" MASS
                         "<visual><origin xyz='1 0 0'/><geometry><box "
                         "size='.03 .04 .12'/></geometry></visual></link>",
                         options);
  assert_near(m->stat.extent, 0.13, 1e-12);
  assert_near(m->stat.center[0], 1, 1e-12);
}

// The name of the body that a warning of this text is about; "" if there is none.
static void body_of(char out[40], const mjSpec* spec, const mjModel* m, const cndDiagnostics* list,
                    const char* words) {
  const cndDiagnostic* it;
  snprintf(out, 40, "no warning");
  for (int i = 0; (it = cnd_diagnostic(list, i)); i++) {
    int body = strstr(it->message, words) ? cnd_diagnosticBody(spec, it) : -2;
    if (body >= -1) {
      snprintf(out, 40, "%s", body < 0 ? "" : mj_id2name(m, mjOBJ_BODY, body));
    }
  }
}

TEST(a_warning_knows_the_body_that_it_is_about) {
  static mjVFS vfs;
  static const char text[] =
      "<robot name='r'><link name='base'>" MASS SHAPES "</link>\n<link name='arm'>" MASS
      "<visual><geometry><mesh filename='none.stl'/></geometry></visual>" SHAPES
      "</link><link name='tip'>"
      "<visual><geometry><sphere radius='0'/></geometry></visual>" MASS
      "</link><link name='light'/>" JOINT("turn", "continuous", "base", "arm", "")
          JOINT("weld", "fixed", "arm", "tip", "")
              JOINT("end", "continuous", "tip", "light", "<dynamics damping='1,'/>") "</robot>";
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "r.urdf", text, sizeof text - 1);
  cndRobotOptions options = usual();
  options.vfs = &vfs;
  cndDiagnostics* list = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseRobot("r.urdf", &options, list);
  assert_non_null(spec);
  mjModel* m = test_own_model(mj_compile(spec, &vfs));
  char body[40];
  body_of(body, spec, m, list, "no file 'none.stl'");
  assert_string_equal(body, "arm");
  // a link that is part of the body of another one
  body_of(body, spec, m, list, "has the size 0");
  assert_string_equal(body, "arm");
  body_of(body, spec, m, list, "not commas");
  assert_string_equal(body, "light");
  body_of(body, spec, m, list, "touch in the zero pose");
  assert_string_equal(body, "");
  body_of(body, spec, m, cnd_specDiagnostics(spec), "it gets 1e-07 kg");
  assert_string_equal(body, "light");
  cnd_deleteDiagnostics(list);
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
}

TEST(a_long_list_of_pairs_says_how_many_more_there_are) {
  char text[7000] = "<link name='base'>" MASS SHAPES "</link>";
  for (int i = 0; i < 12; i++) {
    char link[500];
    snprintf(link, sizeof(link),
             "<link name='a_name_as_long_as_some_tools_write_them_%d'>" MASS "<collision>" BOX
             "</collision></link><joint name='j%d' type='continuous'><parent link='base'/><child "
             "link='a_name_as_long_as_some_tools_write_them_%d'/></joint>",
             i, i, i);
    strcat(text, link);
  }
  load(text);
  // all 78 pairs of 13 boxes at one place
  assert_told("78 pairs of links touch");
  assert_told(" more\n");
}
