// mesh_files.c, shape.c: files of robots that hold no surface, and meshes that are only seen.

#include <condyle/robot.h>

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define MASS                                                                              \
  "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>" \
  "</inertial>"
#define MESH(file) "<geometry><mesh filename='" file "'/></geometry>"
#define BOX "<geometry><box size='.2 .2 .2'/></geometry>"

static mjVFS vfs;
static char told[4000];

BEFORE_EACH() {
  mj_defaultVFS(&vfs);
}

AFTER_EACH() {
  mj_deleteVFS(&vfs);
}

static void add_text(const char* name, const char* text) {
  assert_int_equal(mj_addBufferVFS(&vfs, name, text, (int)strlen(text)), 0);
}

static mjModel* load(const char* links, int has_scene) {
  char xml[4000];
  cndRobotOptions options;
  cndDiagnostics* list = cnd_makeDiagnostics();
  snprintf(xml, sizeof(xml), "<robot name='r'>%s</robot>", links);
  add_text("r.urdf", xml);
  cnd_defaultRobotOptions(&options);
  options.vfs = &vfs;
  options.scene = has_scene;
  options.floating = has_scene;
  mjModel* m = cnd_loadRobot("r.urdf", &options, list);
  told[0] = 0;
  for (int i = 0; i < cnd_diagnosticCount(list, cndSEVERITY_WARNING); i++) {
    snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s\n",
             cnd_diagnostic(list, i)->message);
  }
  cnd_deleteDiagnostics(list);
  if (!m) {
    fail_msg("%s", told);
  }
  return test_own_model(m);
}

static const struct {
  const char *name, *text;
} without_triangles[] = {
    {"points.ply",
     "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty "
     "float z\nend_header\n0 0 0\n1 0 0\n"},
    {"faces.ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty "
     "float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n"},
    {"lines.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1\nl 1 2 3\n"},
    {"nothing.stl", "solid nothing\nendsolid nothing\n"},
    {"lines.dae",
     "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array>0 0 0 1 0 "
     "0</float_array></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
     "<lines><input semantic='VERTEX' source='#v' offset='0'/><p>0 1</p></lines></mesh></geometry>"
     "</library_geometries></COLLADA>"},
    {"points.gltf",
     "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
     "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":0}}]}],"
     "\"accessors\":[{\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}]}"},
};

TEST(a_file_without_triangles_is_left_out_with_a_warning) {
  for (size_t i = 0; i < sizeof(without_triangles) / sizeof(without_triangles[0]); i++) {
    char links[1000], expected[100];
    const char* name = without_triangles[i].name;
    mj_deleteVFS(&vfs);
    mj_defaultVFS(&vfs);
    add_text(name, without_triangles[i].text);
    snprintf(links, sizeof(links),
             "<link name='a'>" MASS
             "<visual>" MESH("%s") "</visual><collision>" MESH("%s") "</collision><collision>" BOX
                                                                     "</collision></link>",
             name, name);
    assert_int_equal(load(links, 0)->ngeom, 1);
    snprintf(expected, sizeof(expected), "'%s' has no triangles: the shape is left out", name);
    const char* first = strstr(told, expected);
    if (!first || !strstr(first + 1, expected)) {
      fail_msg("not told twice, '%s': %s", expected, told);
    }
  }
}

TEST(a_mesh_of_a_model_without_triangles_is_an_error) {
  char error[300] = "";
  add_text("a.ply", without_triangles[0].text);
  add_text("m.xml",
           "<mujoco><asset><mesh name='m' file='a.ply'/></asset><worldbody><geom type='mesh' "
           "mesh='m'/></worldbody></mujoco>");
  mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
  assert_null(m);
  assert_has(error, "the file has no triangles");
}

// A robot that is seen lower than it collides, and one beside it that looks down on it.
#define TETRA "v 0 0 -2\nv 1 0 1\nv -1 1 1\nv -1 -1 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n"
#define SEEN                                                                                \
  "<link name='a'>" MASS "<visual>" MESH(                                                   \
      "tetra.obj") "</visual><collision>" BOX "</collision></link><link name='b'>" MASS     \
                   "</link><joint name='j' type='continuous'>"                              \
                   "<parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint><gazebo " \
                   "reference='b'>"                                                         \
                   "<sensor name='ray' type='ray'><pose>0 0 3 0 1.5707963267948966 "        \
                   "0</pose><ray><scan>"                                                    \
                   "<horizontal><samples>1</samples></horizontal></scan></ray></sensor></gazebo>"

TEST(the_floor_lies_below_what_is_only_seen) {
  add_text("tetra.obj", TETRA);
  mjModel* m = load(SEEN, 1);
  mjData* d = test_data(m);
  mj_forward(m, d);
  double low = 0;
  for (int g = 0; g < m->ngeom; g++) {
    for (int i = 0; m->geom_type[g] == mjGEOM_MESH && i < m->mesh_vertnum[0]; i++) {
      mjtNum v[3], at[3];
      for (int k = 0; k < 3; k++) {
        v[k] = (mjtNum)m->mesh_vert[3 * i + k];
      }
      mju_mulMatVec3(at, d->geom_xmat + 9 * g, v);
      low = fmin(low, (double)(at[2] + d->geom_xpos[3 * g + 2]));
    }
  }
  assert_that(low, >, -1e-6);
  assert_int_equal(m->mesh_vertnum[0], 4);
  assert_int_equal(m->mesh_facenum[0], 4);
}

TEST(a_range_finder_sees_what_is_only_seen) {
  add_text("tetra.obj", TETRA);
  mjModel* m = load(SEEN, 0);
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_int_equal(m->nsensor, 1);
  assert_near(d->sensordata[0], 2, 1e-6);  // from 3 to the face at 1
}
