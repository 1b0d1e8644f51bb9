// Meshes: formats, mass properties, errors, the cache; against the reference where it is present.

#include <condyle/behaviour.h>

#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define MODEL(mesh, geom)                                             \
  "<mujoco><asset>" mesh "</asset><worldbody><body><freejoint/>" geom \
  "</body></worldbody></"                                             \
  "mujoco>"
#define MESH_GEOM "<geom type='mesh' mesh='m'/>"
#define TETRA "vertex='0 0 0 1 0 0 0 2 0 0 0 3' face='0 2 1 0 1 3 1 2 3 0 3 2'"

static mjModel* load(const char* xml, const mjVFS* vfs, char error[500]) {
  mjSpec* spec = mj_parseXMLString(xml, vfs, error, 500);
  if (!spec) {
    return NULL;
  }
  mjModel* m = mj_compile(spec, vfs);
  snprintf(error, 500, "%s", m ? "" : mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

// The model with a mesh from a file that consists of these bytes.
static mjModel* load_file(const char* name, const void* bytes, size_t size, char error[500]) {
  mjVFS vfs;
  char xml[400];
  mj_defaultVFS(&vfs);
  if (size) {
    assert_int_equal(mj_addBufferVFS(&vfs, name, bytes, (int)size), 0);
  }
  snprintf(xml, sizeof(xml), MODEL("<mesh name='m' file='%s'/>", MESH_GEOM), name);
  mjModel* m = load(xml, &vfs, error);
  mj_deleteVFS(&vfs);
  return m;
}

TEST(tetrahedron_is_placed_by_its_mass) {
  char error[500];
  mjModel* m = load(MODEL("<mesh name='m' " TETRA "/>", MESH_GEOM), NULL, error);
  assert_non_null(m);
  const double quat[] = {0.97290703841547, 0.15229211959877, -0.06801203229002, 0.16010424220965};
  const double pos[] = {0.25, 0.5, 0.75};
  for (int k = 0; k < 4; k++) {
    assert_near(m->mesh_quat[k], quat[k], 1e-9);
  }
  for (int k = 0; k < 3; k++) {
    assert_near(m->mesh_pos[k], pos[k], 1e-9);
  }
  assert_near(m->body_mass[1], 1000, 1e-9);
  assert_int_equal(m->mesh_polynum[0], 4);
  assert_int_equal(m->mesh_bvhnum[0], 7);
  mj_deleteModel(m);
}

static const char obj_cube[] =
    "# a cube\nv -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "vt 0 0.25\no cube\nf 1/1 4/1 3/1 2/1\nf 5 6 7 8\nf 1 2 6 5\r\nf 2 3 7 6\nf 3 4 8 7\nf -8 -4 "
    "-1 "
    "-5\no other\nf 1 2 3\n";

TEST(obj_keeps_vertices_and_cuts_quads) {
  char error[500];
  mjModel* m = load_file("cube.obj", obj_cube, strlen(obj_cube), error);
  assert_non_null(m);
  assert_int_equal(m->nmeshvert, 8);
  assert_int_equal(m->nmeshface, 12);
  assert_int_equal(m->nmeshtexcoord, 1);
  assert_near(m->mesh_texcoord[1], 0.75, 1e-9);
  assert_int_equal(m->mesh_facetexcoord[0], 0);
  assert_int_equal(m->mesh_facetexcoord[6], -1);
  assert_near(m->body_mass[1], 8000, 1e-9);
  assert_int_equal(m->mesh_polynum[0], 6);
  mj_deleteModel(m);
}

// A tetrahedron, a quad whose area is rounding with floats, and one that is as small but not as far
// away. MuJoCo 3.3.7 has 6 faces of it.
static const char obj_small_quads[] =
    "v 50 1 -4\nv 51 1 -4\nv 50 2 -4\nv 50 1 -3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    "v 50.305283 1.736313 -3.648835\nv 50.305367 1.736315 -3.648832\n"
    "v 50.305012 1.736350 -3.638839\nv 50.304928 1.736348 -3.638842\nf 5 6 7 8\n"
    "v 0.305283 1.736313 -3.648835\nv 0.305367 1.736315 -3.648832\n"
    "v 0.305012 1.736350 -3.638839\nv 0.304928 1.736348 -3.638842\nf 9 10 11 12\n";

TEST(obj_loses_quads_whose_area_is_rounding) {
  char error[500];
  mjModel* m = load_file("quads.obj", obj_small_quads, strlen(obj_small_quads), error);
  assert_non_null(m);
  assert_int_equal(m->nmeshvert, 12);
  assert_int_equal(m->nmeshface, 6);
  mj_deleteModel(m);
}

// A polygon of `corners` corners inside a tetrahedron that has three faces, in a group of its own,
// which begins with a line `word`. Returns the number of faces of the model, and its warning.
static int faces_behind(int corners, char word, int later, char warning[500]) {
  char text[8000] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  size_t n = strlen(text);
  for (int i = 0; i < corners; i++) {
    n += (size_t)snprintf(text + n, sizeof(text) - n, "v %.6f %.6f 0.2\n",
                          0.2 + 0.1 * cos(2 * mjPI * i / corners),
                          0.2 + 0.1 * sin(2 * mjPI * i / corners));
  }
  n += (size_t)snprintf(text + n, sizeof(text) - n, "f");
  for (int i = 0; i < corners; i++) {
    n += (size_t)snprintf(text + n, sizeof(text) - n, " %d", i + 5);
  }
  snprintf(text + n, sizeof(text) - n, "\n%c next\nf 1 3 2\nf 1 2 4\nf 2 3 4\n", word);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "a.obj", text, (int)strlen(text)), 0);
  mjSpec* spec = mj_parseXMLString(
      MODEL("<mesh name='m' file='a.obj' inertia='shell'/>", MESH_GEOM), &vfs, warning, 500);
  if (later) {
    cnd_setDialect(spec, 400);
  }
  mjModel* m = mj_compile(spec, &vfs);
  assert_non_null(m);
  snprintf(warning, 500, "%s", mjs_getError(spec));
  int nface = m->nmeshface;
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  return nface;
}

// A group that ended without triangles leaves the faces to the next one, or, before 4.0 and at "o",
// nothing: then the mesh has the four of its hull. Numbers of MuJoCo 3.3.7 and 4.0.0.
TEST(obj_loses_polygons_of_more_than_100_corners_and_says_so) {
  char warning[500];
  assert_int_equal(faces_behind(100, 'g', 0, warning), 98);
  assert_int_equal(warning[0], 0);
  assert_int_equal(faces_behind(101, 'g', 0, warning), 3);
  assert_has(warning, "mesh 'm' lacks 1 polygons of its file");
  assert_int_equal(faces_behind(101, 'o', 0, warning), 4);
  assert_int_equal(faces_behind(101, 'o', 1, warning), 3);
}

// The triangles of a polygon behind those of a tetrahedron, as "0,1,2 0,2,3 ".
static void cut(char out[100], const char* corners, int count, int dialect) {
  char text[1000], error[500], face[40] = "";
  for (int i = 0; i < count; i++) {
    snprintf(face + strlen(face), sizeof(face) - strlen(face), " %d", i + 5);
  }
  snprintf(text, sizeof(text),
           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n%sf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nf%s\n",
           corners, face);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "a.obj", text, (int)strlen(text)), 0);
  mjSpec* spec = mj_parseXMLString(
      MODEL("<mesh name='m' file='a.obj' inertia='shell'/>", MESH_GEOM), &vfs, error, 500);
  cnd_setDialect(spec, dialect);
  mjModel* m = mj_compile(spec, &vfs);
  assert_non_null(m);
  out[0] = 0;
  for (int i = 4; i < m->nmeshface; i++) {
    const int* v = m->mesh_face + 3 * (size_t)i;
    snprintf(out + strlen(out), 100 - strlen(out), "%d,%d,%d ", v[0] - 4, v[1] - 4, v[2] - 4);
  }
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
}

// Numbers of MuJoCo 3.3.7 and 4.0.0: a heptagon, one whose corner 1 points inwards, and a sliver
// whose first ear is the last of five.
TEST(obj_cuts_polygons_as_the_dialect_does) {
  static const struct {
    const char* corners;
    int count;
    const char* early;
    const char* later;
  } cases[] = {
      {"v 1 0 .1\nv .623490 .781831 .1\nv -.222521 .974928 .1\nv -.900969 .433884 .1\n"
       "v -.900969 -.433884 .1\nv -.222521 -.974928 .1\nv .623490 -.781831 .1\n",
       7, "0,1,2 0,2,3 0,3,4 0,4,5 0,5,6 ", "0,1,2 0,2,3 0,3,4 4,5,6 0,4,6 "},
      {"v 0 0 0\nv 1 .5 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n", 5, "1,2,3 1,3,4 0,1,4 ",
       "0,1,2 0,2,3 0,3,4 "},
      {"v -.050295 -.023050 .048982\nv -.050843 -.023124 .048864\nv -.050807 -.023196 .048749\n"
       "v -.050807 -.023196 .048748\nv -.050261 -.023124 .048866\n",
       5, "4,0,1 ", "0,1,2 0,2,3 0,3,4 "},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char out[100];
    cut(out, cases[i].corners, cases[i].count, 303);
    assert_string_equal(out, cases[i].early);
    cut(out, cases[i].corners, cases[i].count, 400);
    assert_string_equal(out, cases[i].later);
  }
}

// A tetrahedron as STL records.
static size_t write_stl(unsigned char out[300]) {
  static const float v[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {-0.0f, 0, 3}};
  static const int f[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  int32_t n = 4;
  memset(out, 0, 300);
  memcpy(out + 80, &n, 4);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      memcpy(out + 84 + 50 * i + 12 + 12 * k, v[f[i][k]], 12);
    }
  }
  return 284;
}

TEST(stl_merges_equal_vertices) {
  char error[500];
  unsigned char bytes[300];
  size_t size = write_stl(bytes);
  mjModel* m = load_file("a.STL", bytes, size, error);
  assert_non_null(m);
  assert_int_equal(m->nmeshvert, 4);
  assert_near(m->body_mass[1], 1000, 1e-9);
  mj_deleteModel(m);

  static const char text[] =
      "solid a\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 2 0 vertex 1 0 0 endloop "
      "endfacet\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 3 endloop "
      "endfacet\nfacet normal 0 0 0 outer loop vertex 1 0 0 vertex 0 2 0 vertex 0 0 3 endloop "
      "endfacet\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 3 vertex 0 2 0 endloop "
      "endfacet\nendsolid a\n";
  m = load_file("text.stl", text, strlen(text), error);
  assert_non_null(m);
  assert_int_equal(m->nmeshvert, 4);
  assert_near(m->body_mass[1], 1000, 1e-9);
  mj_deleteModel(m);
}

// Neither indented nor with a digit too many.
TEST(stl_may_be_as_short_as_text_can_say_it) {
  static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  static const char* const vertex[4] = {"0 0 0", "1 0 0", "0 2 0", "0 0 3"};
  enum {
    COPIES = 10
  };
  char text[200 + COPIES * 400], error[500];
  char* at = text + sprintf(text, "solid a\n");
  for (int i = 0; i < 4 * COPIES; i++) {
    const int* f = face[i % 4];
    at += sprintf(at, "facet normal 0 0 0\nouter loop\n");
    at +=
        sprintf(at, "vertex %s\nvertex %s\nvertex %s\n", vertex[f[0]], vertex[f[1]], vertex[f[2]]);
    at += sprintf(at, "endloop\nendfacet\n");
  }
  sprintf(at, "endsolid a\n");
  mjModel* m = load_file("text.stl", text, strlen(text), error);
  if (!m) {
    fail_msg("%s", error);
  }
  assert_int_equal(m->nmeshvert, 4);
  assert_int_equal(m->nmeshface, 4 * COPIES);
  mj_deleteModel(m);
}

TEST(what_cannot_be_a_mesh_is_refused_with_its_reason) {
  static const struct {
    const char *mesh, *geom, *reason;
  } cases[] = {
      {"vertex='0 0 0 1 0 0 0 1 0'", MESH_GEOM, "at least 4 vertices required"},
      {"vertex='0 0 0 1'", MESH_GEOM, "vertex data must be a multiple of 3"},
      {"vertex='0 0 0 1 0 0 0 2 0 0 0 3' face='0 1 4'", MESH_GEOM,
       "in face 0, vertex index 4 does not exist"},
      {"vertex='0 0 0 1 0 0 0 2 0 0 0 3' face='0 1 -1'", MESH_GEOM,
       "in face 0, vertex index -1 does not exist"},
      {"vertex='0 0 0 1 0 0 0 2 0 0 0 3' texcoord='0 0'", MESH_GEOM, "texcoord must be 2*nv"},
      {"vertex='0 0 0 2 0 0 1 1 0 1 .5 0'", MESH_GEOM,
       "qhull error: the mesh is flat: its 4 vertices span 2 x 1 x 0; give it a thickness"},
      {"vertex='0 0 0 1 0 0 2 0 0 4 0 0'", MESH_GEOM,
       "qhull error: the mesh is a line or a point: its 4 vertices span 4 x 0"},
      {"vertex='0 0 0 1 0 0 0 2 0 0 0 3' face='0 0 1'", MESH_GEOM,
       "mesh surface area is too small"},
      {"inertia='exact' vertex='0 0 0 1 0 0 0 2 0 0 0 3' face='0 1 2 0 3 1 1 3 2 0 2 3'", MESH_GEOM,
       "mesh volume is negative (misoriented triangles): m"},
      {"inertia='exact' vertex='0 0 0 1 0 0 0 2 0 0 0 3' face='0 1 2 0 1 3 1 2 3 0 3 2'", MESH_GEOM,
       "have inconsistent orientation. Please check the faces containing the vertices 1 "
       "and 2."},
      {"scale='1e-7 1e-7 1e-7' " TETRA, MESH_GEOM, "mesh volume is too small"},
      {TETRA, "<geom type='mesh' mesh='m' shellinertia='true'/>",
       "for mesh geoms, inertia should be specified in the mesh asset"},
      {TETRA, "<geom type='capsule' mesh='m' fromto='0 0 0 1 1 1'/>",
       "fromto cannot be used with mesh geom"},
      {TETRA " maxhullvert='3'", MESH_GEOM, "maxhullvert must be larger than 3"},
      {"builtin='sphere' params='5'", MESH_GEOM, "Sphere subdivision cannot be greater than 4"},
      {"builtin='sphere'", MESH_GEOM, "required attribute missing: 'params'"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char xml[1000], error[500] = "";
    snprintf(xml, sizeof(xml), MODEL("<mesh name='m' %s/>", "%s"), cases[i].mesh, cases[i].geom);
    mjModel* m = load(xml, NULL, error);
    if (m || !strstr(error, cases[i].reason)) {
      fail_msg("%s: '%s' is not in '%s'", cases[i].mesh, cases[i].reason, error);
    }
  }
}

TEST(damaged_files_are_refused_with_their_reason) {
  unsigned char stl[300];
  size_t size = write_stl(stl);
  int32_t msh[4] = {3, 0, 0, 1};
  const struct {
    const char* name;
    const void* bytes;
    size_t size;
    const char* reason;
  } cases[] = {
      {"none.stl", "", 0, "Error opening file"},
      {"x.ply", "a", 1, "x.ply: it doesn't begin with 'ply'"},
      {"x.dae", "<COLLADA>\n<", 11, "x.dae:2: XML parse error"},
      {"x.foo", "a", 1, "unknown or unsupported mesh file: 'x.foo'; known are .stl .obj .msh .dae"},
      {"x.stl", stl, 80, "invalid header in STL file"},
      {"x.stl", stl, 100, "has wrong size"},
      {"x.stl", stl + 4, size - 4, "number of faces should be between 1 and 200000"},
      {"x.msh", "aa", 2, "missing header in MSH file"},
      {"x.msh", msh, 16, "invalid sizes in MSH file"},
      {"x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 0\n", 41, "could not parse OBJ file"},
      {"x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9\n", 41,
       "in face 0, vertex index 8 does not exist"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[500] = "";
    mjModel* m = load_file(cases[i].name, cases[i].bytes, cases[i].size, error);
    if (m || !strstr(error, cases[i].reason)) {
      fail_msg("%s: '%s' is not in '%s'", cases[i].name, cases[i].reason, error);
    }
  }
}

TEST(a_mesh_is_made_once) {
  char error[500];
  mjCache* cache = mj_getCache();
  mj_clearCache(cache);
  assert_int_equal(mj_getCacheSize(cache), 0);
  mjModel* a = load(MODEL("<mesh name='m' " TETRA "/>", MESH_GEOM), NULL, error);
  size_t once = mj_getCacheSize(cache);
  assert_that(once, >, 0u);
  mjModel* b = load(MODEL("<mesh name='m' " TETRA "/>", MESH_GEOM), NULL, error);
  assert_int_equal(mj_getCacheSize(cache), once);
  assert_int_equal(bridge_compare_models(a, b, NULL, 0), 0);
  mj_deleteModel(b);

  // other parameters make another mesh
  b = load(MODEL("<mesh name='m' refpos='0 0 1' " TETRA "/>", MESH_GEOM), NULL, error);
  assert_that(mj_getCacheSize(cache), >, once);
  assert_near(b->mesh_pos[2], a->mesh_pos[2] - 1, 1e-9);
  mj_deleteModel(b);

  size_t capacity = mj_getCacheCapacity(cache);
  mj_setCacheCapacity(cache, 0);
  assert_int_equal(mj_getCacheSize(cache), 0);
  b = load(MODEL("<mesh name='m' " TETRA "/>", MESH_GEOM), NULL, error);
  assert_int_equal(mj_getCacheSize(cache), 0);
  assert_int_equal(bridge_compare_models(a, b, NULL, 0), 0);
  mj_setCacheCapacity(cache, capacity);
  mj_deleteModel(a);
  mj_deleteModel(b);
}

TEST(threads_do_not_change_the_model) {
  mjModel* m[2];
  for (int i = 0; i < 2; i++) {
    mj_clearCache(mj_getCache());
    mjSpec* spec = test_spec(
        "<mujoco><asset><mesh name='a' builtin='sphere' params='3'/>"
        "<mesh name='b' builtin='supertorus' params='12 .4 .7 .8'/>"
        "<mesh name='c' builtin='cone' params='9 .3'/>"
        "<texture name='t' type='2d' builtin='gradient' mark='random' random='.1' width='1200' "
        "height='800' rgb1='1 .5 0' rgb2='.2 .3 .9'/>"
        "<texture name='u' builtin='gradient' width='500' rgb1='1 .5 0' rgb2='.2 .3 .9'/>"
        "</asset><worldbody>"
        "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='b'/><geom type='mesh' mesh='c'/>"
        "</worldbody></mujoco>");
    spec->compiler.usethread = (mjtByte)i;
    m[i] = mj_compile(spec, NULL);
    assert_non_null(m[i]);
    test_release(spec);
  }
  assert_int_equal(bridge_compare_models(m[0], m[1], NULL, 0), 0);
  mj_deleteModel(m[0]);
  mj_deleteModel(m[1]);
}

TEST(meshes_agree_with_the_reference) {
  BRIDGE_OR_SKIP();
  static const char* const models[] = {
      MODEL("<mesh name='m' " TETRA "/>", MESH_GEOM),
      MODEL("<mesh name='m' inertia='exact' scale='1 2 .5' refpos='.1 .2 .3' refquat='1 .2 .3 .4' "
            "smoothnormal='true' " TETRA "/>",
            MESH_GEOM),
      MODEL("<mesh name='m' inertia='convex' " TETRA "/>", MESH_GEOM),
      MODEL("<mesh name='m' inertia='shell' " TETRA "/>", MESH_GEOM),
      MODEL("<mesh name='m' scale='1 1 -1' " TETRA "/>", MESH_GEOM),
      MODEL("<mesh name='m' builtin='sphere' params='2'/>", MESH_GEOM),
      MODEL("<mesh name='m' builtin='hemisphere' params='3'/>", MESH_GEOM),
      MODEL("<mesh name='m' builtin='cone' params='7 .4'/>", MESH_GEOM),
      MODEL("<mesh name='m' builtin='cone' params='5 0'/>", MESH_GEOM),
      MODEL("<mesh name='m' builtin='supersphere' params='8 .7 1.3'/>", MESH_GEOM),
      MODEL("<mesh name='m' builtin='supertorus' params='8 .5 1 .8'/>", MESH_GEOM),
      MODEL("<mesh name='m' builtin='wedge' params='4 4 60 40 .3'/>", MESH_GEOM),
      "<mujoco><asset><mesh name='m' builtin='plate' params='4 5'/></asset><worldbody><geom "
      "type='mesh' mesh='m' contype='0' conaffinity='0'/></worldbody></mujoco>",
      MODEL("<mesh name='m' " TETRA "/>", "<geom type='capsule' mesh='m' fitscale='1.5'/>"),
      MODEL("<mesh name='m' " TETRA "/>",
            "<geom type='box' mesh='m' pos='1 2 3' euler='10 20 30'/>"),
      MODEL("<mesh name='m' " TETRA "/>",
            "<geom type='cylinder' mesh='m'/><geom type='sphere' "
            "mesh='m'/><geom type='ellipsoid' mesh='m'/>"),
      "<mujoco><compiler fitaabb='true'/><asset><mesh name='m' " TETRA
      "/></asset><worldbody><body>"
      "<freejoint/><geom type='capsule' mesh='m'/><geom type='cylinder' mesh='m'/><geom "
      "type='sphere' mesh='m'/><geom type='box' mesh='m'/></body></worldbody></mujoco>",
  };
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    char error[500] = "";
    Bridge* b = bridge_load_text(models[i]);
    mjModel* m = load(models[i], NULL, error);
    if (!m || !b) {
      fail_msg("%s: %s", models[i], error);
    }
    int different = bridge_compare_models(
        m, b->m,
        "nmeshvert nmeshface nmeshnormal nmeshgraph "
        "mesh_vert mesh_face mesh_facenormal mesh_graph mesh_pos mesh_quat mesh_scale "
        "mesh_bvhnum geom_size geom_pos geom_quat "
        "geom_aabb geom_rbound geom_dataid body_mass body_inertia body_ipos body_iquat",
        1e-9);
    different += bridge_compare_models(m, b->m, "mesh_normal", 1e-9);
    if (different) {
      fail_msg("%s: %d fields differ", models[i], different);
    }
    mj_deleteModel(m);
    bridge_free(b);
  }
}

// Appends n random numbers as an attribute: integers below `below`, or reals of at most `size` if
// that is 0.
static char* put_numbers(char* at, const char* name, int n, int below, double size,
                         unsigned* seed) {
  at += sprintf(at, " %s='", name);
  for (int i = 0; i < n; i++) {
    *seed = *seed * 1103515245u + 12345u;
    at += below ? sprintf(at, "%d ", (int)((*seed >> 8) % (unsigned)below))
                : sprintf(at, "%.6g ", size * ((*seed >> 8) / 8388608.0 - 1));
  }
  return at + sprintf(at, "'");
}

TEST(normals_have_the_bits_of_the_reference) {
  BRIDGE_OR_SKIP();
  enum {
    NVERT = 20,
    NFACE = 40
  };
  static const char* const options[] = {
      "",
      "smoothnormal='true'",
      "scale='.5 2 1.3'",
      "refquat='.3 -.5 .7 .2' refpos='1 2 3'",
      "refquat='.3 -.5 .7 .2' scale='1.7 .6 2.3'",
      "smoothnormal='true' scale='-1 1 1'",
  };
  unsigned seed = 7;
  for (size_t i = 0; i < 36; i++) {
    double size = i < 24 ? 1 : 3e-4;  // small faces count, tiny ones don't
    static char text[20000];
    char error[500] = "", *at = text;
    at += sprintf(at, "<mujoco><asset><mesh name='m' inertia='shell' %s", options[i % 6]);
    at = put_numbers(at, "vertex", 3 * NVERT, 0, size, &seed);
    at = put_numbers(at, "face", 3 * NFACE, NVERT, 1, &seed);
    at = i % 12 < 6 ? at : put_numbers(at, "normal", 3 * NVERT, 0, 1, &seed);
    sprintf(at, "/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
    Bridge* b = bridge_load_text(text);
    mjModel* m = load(text, NULL, error);
    if (!m || !b) {
      fail_msg("%s: %s", text, error);
    }
    if (bridge_compare_models(m, b->m, "mesh_normal", 1e-9)) {
      fail_msg("%s", text);
    }
    mj_deleteModel(m);
    bridge_free(b);
  }
}
