// sdf.c: SDF robots and worlds have the links, joints, shapes and lights that the format means.

#define _GNU_SOURCE  // mkdtemp, setenv

#include <condyle/load.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define INERTIAL                                                                                 \
  "<inertial><pose>.1 0 0 0 0 1.5707963267948966</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>" \
  "2</iyy><izz>2.5</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>"

static mjModel* load_sdf(const char* inside) {
  char xml[8000];
  snprintf(xml, sizeof xml, "<sdf version='1.9'>%s</sdf>", inside);
  return test_model(xml);
}

// The first error or warning of a text.
static void assert_told(const char* inside, cndSeverity severity, const char* words) {
  char xml[8000], text[1000] = "";
  snprintf(xml, sizeof xml, "<sdf version='1.9'>%s</sdf>", inside);
  cndDiagnostics* list = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXMLString(xml, NULL, list);
  assert_that(m != NULL, ==, severity == cndSEVERITY_WARNING);
  const cndDiagnostic* it;
  for (int i = 0; (it = cnd_diagnostic(list, i)) && !strstr(text, words); i++) {
    if (it->severity == severity) {
      snprintf(text, sizeof text, "%s", it->message);
      assert_that(it->line, >, 0);
    }
  }
  assert_has(text, words);
  mj_deleteModel(m);
  cnd_deleteDiagnostics(list);
}

static int id(const mjModel* m, int type, const char* name) {
  int found = mj_name2id(m, type, name);
  if (found < 0) {
    fail_msg("no '%s'", name);
  }
  return found;
}

static void assert_at(const mjModel* m, const char* body, mjtNum x, mjtNum y, mjtNum z) {
  mjData* d = test_data(m);
  mj_forward(m, d);
  const mjtNum want[3] = {x, y, z};
  assert_close(d->xpos + 3 * id(m, mjOBJ_BODY, body), want, 3, 1e-12);
}

static const char ARM[] =
    "<model name='arm'><pose>1 2 3 0 0 1.5707963267948966</pose>"
    "<link name='base'><pose>0 0 .5 0 0 0</pose>" INERTIAL
    "</link>"
    "<frame name='mount' attached_to='base'><pose>0 0 .5 0 0 0</pose></frame>"
    "<link name='upper'><pose relative_to='mount'>1 0 0 0 90 0</pose>" INERTIAL
    "</link>"
    "<joint name='shoulder' type='revolute'><pose relative_to='mount'>.25 0 0 0 0 0</pose>"
    "<parent>base</parent><child>upper</child><axis><xyz expressed_in='__model__'>0 1 0</xyz>"
    "<limit><lower>-1</lower><upper>2</upper><effort>30</effort><velocity>4</velocity></limit>"
    "<dynamics><damping>.3</damping><friction>.2</friction><spring_stiffness>5</spring_stiffness>"
    "<spring_reference>.1</spring_reference></dynamics></axis></joint></model>";

TEST(links_stand_where_their_frames_say) {
  mjModel* m = load_sdf(ARM);
  // turned by 90 degrees about z: x of the model is y of the world
  assert_at(m, "base", 1, 2, 3.5);
  assert_at(m, "upper", 1, 3, 4);
  assert_int_equal(m->jnt_type[id(m, mjOBJ_JOINT, "base_floating")], mjJNT_FREE);
}

TEST(a_joint_turns_about_its_own_frame) {
  mjModel* m = load_sdf(ARM);
  mjData* d = test_data(m);
  int j = id(m, mjOBJ_JOINT, "shoulder");
  mj_forward(m, d);
  // a quarter of a metre along y of the world from the mount; the model's y axis is -x of the world
  const mjtNum anchor[3] = {1, 2.25, 4}, axis[3] = {-1, 0, 0};
  assert_close(d->xanchor + 3 * j, anchor, 3, 1e-12);
  assert_close(d->xaxis + 3 * j, axis, 3, 1e-12);
  const mjtNum range[2] = {-1, 2}, effort[2] = {-30, 30};
  assert_close(m->jnt_range + 2 * j, range, 2, 1e-15);
  assert_close(m->jnt_actfrcrange + 2 * j, effort, 2, 1e-15);
  assert_that(m->dof_damping[m->jnt_dofadr[j]], ==, (mjtNum)0.3);
  assert_that(m->dof_frictionloss[m->jnt_dofadr[j]], ==, (mjtNum)0.2);
  assert_that(m->jnt_stiffness[j], ==, 5);
  assert_that(m->qpos_spring[m->jnt_qposadr[j]], ==, (mjtNum)0.1);
}

TEST(the_pose_of_an_inertia_turns_it) {
  mjModel* m = load_sdf(ARM);
  mjData* d = test_data(m);
  int base = id(m, mjOBJ_BODY, "base");
  mj_forward(m, d);
  mjtNum R[9], I[9];
  mju_quat2Mat(R, m->body_iquat + 4 * base);
  for (int i = 0; i < 9; i++) {
    I[i] = 0;
    for (int k = 0; k < 3; k++) {
      I[i] += R[3 * (i / 3) + k] * m->body_inertia[3 * base + k] * R[3 * (i % 3) + k];
    }
  }
  const mjtNum want[9] = {2, 0, 0, 0, 1, 0, 0, 0, 2.5};
  for (int i = 0; i < 9; i++) {
    assert_that(fabs(I[i] - want[i]), <, 1e-9);
  }
}

TEST(static_models_and_links_of_the_world_are_fixed) {
  mjModel* m = load_sdf(
      "<model name='wall'><static>true</static><pose>0 0 1 0 0 0</pose>"
      "<link name='bricks'><collision name='c'><geometry><box><size>1 2 3</size>"
      "</box></geometry></collision></link></model>");
  assert_int_equal(m->nv, 0);
  assert_at(m, "bricks", 0, 0, 1);
  const mjtNum half[3] = {0.5, 1, 1.5};
  assert_close(m->geom_size, half, 3, 1e-15);
  m = load_sdf(
      "<model name='m'><link name='a'/><joint name='j' type='revolute'><parent>world"
      "</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint></model>");
  assert_int_equal(m->nv, 1);
  // no limit, and the inertia of the format's defaults
  assert_int_equal(m->jnt_limited[0], 0);
  assert_that(m->body_mass[1], ==, 1);
}

TEST(shapes_have_their_sizes_places_and_colors) {
  mjModel* m = load_sdf(
      "<model name='m'><static>1</static><link name='a'>"
      "<collision name='s'><pose>0 0 1 0 0 0</pose><geometry><sphere><radius>.5</radius></sphere>"
      "</geometry></collision>"
      "<visual name='s'><transparency>.25</transparency><geometry><capsule><radius>.1</radius>"
      "<length>.6</length></capsule></geometry><material><diffuse>1 .5 0 1</diffuse></material>"
      "</visual><visual name='s'><geometry><ellipsoid><radii>.1 .2 .3</radii></ellipsoid>"
      "</geometry></visual><collision name='ground'><geometry><plane><normal>0 1 0</normal></plane>"
      "</geometry></collision></link></model>");
  assert_int_equal(m->ngeom, 4);
  assert_int_equal(m->geom_type[0], mjGEOM_SPHERE);
  assert_that(m->geom_pos[2], ==, 1);
  assert_int_equal(m->geom_type[1], mjGEOM_PLANE);
  mjtNum R[9];
  mju_quat2Mat(R, m->geom_quat + 4);
  const mjtNum normal[3] = {R[2], R[5], R[8]}, y[3] = {0, 1, 0};
  assert_close(normal, y, 3, 1e-12);
  assert_int_equal(m->geom_type[2], mjGEOM_CAPSULE);
  assert_that(m->geom_size[7], ==, (mjtNum)0.3);
  assert_that(m->geom_contype[2], ==, 0);
  assert_that(fabs((double)m->geom_rgba[4 * 2 + 1] - 0.5), <, 1e-6);
  assert_that(fabs((double)m->geom_rgba[4 * 2 + 3] - 0.75), <, 1e-6);
  assert_int_equal(m->geom_type[3], mjGEOM_ELLIPSOID);
  id(m, mjOBJ_GEOM, "a::s");
}

TEST(models_of_a_world_have_their_own_names) {
  mjModel* m = load_sdf(
      "<world name='w'><model name='one'><link name='a'/><model name='in'><pose>1 0 0 0 0 0</pose>"
      "<link name='a'><pose>0 1 0 0 0 0</pose></link></model><joint name='j' type='fixed'>"
      "<parent>a</parent><child>in::a</child></joint></model>"
      "<model name='two'><pose>5 0 0 0 0 0</pose><link name='a'/></model>"
      "<light name='sun' type='directional'><pose>0 0 9 0 0 0</pose><diffuse>.5 .6 .7 1</diffuse>"
      "<direction>1 0 -1</direction><cast_shadows>true</cast_shadows></light></world>");
  assert_at(m, "one::a", 0, 0, 0);
  assert_at(m, "one::in::a", 1, 1, 0);
  assert_at(m, "two::a", 5, 0, 0);
  assert_int_equal(m->body_parentid[id(m, mjOBJ_BODY, "one::in::a")], id(m, mjOBJ_BODY, "one::a"));
  assert_int_equal(m->nlight, 1);
  assert_int_equal(m->light_type[0], mjLIGHT_DIRECTIONAL);
  assert_int_equal(m->light_castshadow[0], 1);
  assert_that(m->light_pos[2], ==, 9);
  assert_that(fabs((double)m->light_diffuse[1] - 0.6), <, 1e-6);
}

// Files in a new folder.
static void write_file(const char* folder, const char* name, const char* text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char* slash = strchr(path + strlen(folder) + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
  }
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

TEST(included_models_are_placed_and_named_by_the_include) {
  char folder[] = "/tmp/condyle-sdf-XXXXXX", path[200], error[500] = "", command[200];
  assert_non_null(mkdtemp(folder));
  write_file(folder, "worlds/w.sdf",
             "<sdf version='1.7'><world name='w'><include><uri>model://part</uri><name>first</name>"
             "<pose>1 0 0 0 0 0</pose></include><include><uri>model://part</uri><static>true"
             "</static></include></world></sdf>");
  write_file(
      folder, "models/part/model.sdf",
      "<sdf version='1.7'><model name='part'><pose>7 7 7 0 0 0</pose><link name='a'><visual "
      "name='v'><geometry><mesh><uri>model://part/meshes/m.obj</uri></mesh></geometry>"
      "</visual><collision name='c'><geometry><mesh><uri>meshes/m.obj</uri></mesh></geometry>"
      "</collision></link></model></sdf>");
  write_file(folder, "models/part/meshes/m.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  snprintf(path, sizeof path, "%s/models", folder);
  setenv("GZ_SIM_RESOURCE_PATH", path, 1);
  snprintf(path, sizeof path, "%s/worlds/w.sdf", folder);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  unsetenv("GZ_SIM_RESOURCE_PATH");
  assert_string_equal(error, "");
  assert_at(m, "first::a", 1, 0, 0);
  assert_at(m, "part::a", 7, 7, 7);
  assert_int_equal(m->nmesh, 1);
  assert_int_equal(m->ngeom, 4);
  assert_int_equal(m->nv, 6);
  mj_deleteModel(m);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

TEST(a_universal_joint_is_two_hinges) {
  mjModel* m = load_sdf(
      "<model name='m'><link name='a'/><link name='b'/><joint name='u' "
      "type='universal'><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz>"
      "</axis><axis2><xyz>0 1 0</xyz></axis2></joint><joint name='w' type='fixed'>"
      "<parent>world</parent><child>a</child></joint></model>");
  assert_int_equal(m->nv, 2);
  const mjtNum x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  assert_close(m->jnt_axis + 3 * id(m, mjOBJ_JOINT, "u"), x, 3, 1e-12);
  assert_close(m->jnt_axis + 3 * id(m, mjOBJ_JOINT, "u_2"), y, 3, 1e-12);
}

TEST(what_is_wrong_is_told_at_its_line) {
  assert_told("<model name='m'/>\n<model/>", cndSEVERITY_ERROR, "'name'");
  assert_told("\n", cndSEVERITY_ERROR, "no <model>");
  assert_told("<model name='m'><link name='a'/><link name='a'/></model>", cndSEVERITY_ERROR,
              "repeated SDF name");
  assert_told("<model name='m'><link name='a'><pose>1 2 3</pose></link></model>", cndSEVERITY_ERROR,
              "a pose should have 6 numbers");
  assert_told("<model name='m'><link name='a'><pose relative_to='b'/></link></model>",
              cndSEVERITY_ERROR, "unknown frame: 'b'");
  assert_told(
      "<model name='m'><frame name='f'><pose relative_to='g'/></frame><frame name='g'>"
      "<pose relative_to='f'/></frame><link name='a'><pose relative_to='f'/></link></model>",
      cndSEVERITY_ERROR, "depends on itself");
  assert_told(
      "<model name='m'><link name='a'/><joint name='j' type='screw'><parent>world</parent>"
      "<child>a</child></joint></model>",
      cndSEVERITY_ERROR, "'screw'");
  assert_told(
      "<model name='m'><link name='a'/><joint name='j' type='fixed'><parent>b</parent>"
      "<child>a</child></joint></model>",
      cndSEVERITY_ERROR, "no link 'b'");
  assert_told("<include><uri>model://nowhere</uri></include>", cndSEVERITY_ERROR,
              "no model 'model://nowhere'");
  assert_told(
      "<model name='m'><link name='a'/><link name='b'/><joint name='j' type='fixed'>"
      "<parent>a</parent><child>b</child></joint><joint name='k' type='fixed'><parent>world"
      "</parent><child>b</child></joint></model>",
      cndSEVERITY_WARNING, "loops aren't closed");
}

// A chain of frames, each relative to the one after it.
TEST(poses_that_depend_on_too_many_frames_end) {
  enum {
    N = 20000
  };
  size_t size = 100 * N;
  char* xml = malloc(size);
  size_t at = (size_t)snprintf(xml, size, "<sdf version='1.9'><model name='m'><link name='a'/>");
  for (int i = 0; i < N; i++) {
    at += (size_t)snprintf(xml + at, size - at,
                           "<frame name='f%d'><pose relative_to='f%d'/></frame>", i, i + 1);
  }
  snprintf(xml + at, size - at, "<link name='b'><pose relative_to='f0'/></link></model></sdf>");
  assert_null(cnd_loadXMLString(xml, NULL, NULL));
  free(xml);
}
