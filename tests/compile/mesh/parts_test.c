// Meshes of MJCF from files of other tools: all their parts are one mesh.

#include "support/near.h"
#include "support/test.h"

// Four corners of a tetrahedron of volume 1/6, and its faces.
#define PLACES "0 0 0 1 0 0 0 1 0 0 0 1"
#define DAE_HEAD                                                                           \
  "<COLLADA><asset><unit meter='0.1'/></asset><library_geometries><geometry id='g'><mesh>" \
  "<source id='p'><float_array>" PLACES                                                    \
  "</float_array></source><vertices id='v'><input "                                        \
  "semantic='POSITION' source='#p'/></vertices>"
#define DAE_PRIMITIVE(corners) \
  "<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>" corners "</p></triangles>"
#define DAE_TAIL "</mesh></geometry></library_geometries></COLLADA>"

static const char ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
    "z\nproperty float s\nproperty float t\nelement face 4\nproperty list uchar int "
    "vertex_indices\nend_header\n0 0 0 0 .25\n1 0 0 0 0\n0 1 0 0 0\n0 0 1 0 0\n3 0 2 1\n3 0 1 3\n3 "
    "1 2 3\n3 0 3 2\n";

// The model of one mesh file, and of another one beside it if there is one.
static mjModel* load_mesh(const char* attributes, const char* name, const char* text,
                          const char* other, const void* bytes, int size) {
  mjVFS vfs;
  char xml[400], error[500];
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, name, text, (int)strlen(text));
  if (other) {
    mj_addBufferVFS(&vfs, other, bytes, size);
  }
  snprintf(xml, sizeof(xml),
           "<mujoco><asset><mesh name='m' file='%s' %s/></asset><worldbody><body><freejoint/><geom "
           "type='mesh' mesh='m'/></body></worldbody></mujoco>",
           name, attributes);
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) {
    fail_msg("%s", error);
  }
  return m;
}

static void assert_mesh(mjModel* m, int nvert, int nface, double volume) {
  assert_int_equal(m->nmeshvert, nvert);
  assert_int_equal(m->nmeshface, nface);
  assert_near(m->body_mass[1], 1000 * volume, 1e-3 * volume);
  mj_deleteModel(m);
}

TEST(the_parts_of_a_collada_file_are_one_closed_mesh) {
  const char* text = DAE_HEAD DAE_PRIMITIVE("0 2 1 0 1 3") DAE_PRIMITIVE("1 2 3 0 3 2") DAE_TAIL;
  assert_mesh(load_mesh("", "a.dae", text, NULL, NULL, 0), 4, 4, 1e-3 / 6);
  assert_mesh(load_mesh("inertia='exact'", "A.DAE", text, NULL, NULL, 0), 4, 4, 1e-3 / 6);
}

TEST(a_mirrored_file_keeps_its_volume) {
  assert_mesh(load_mesh("inertia='exact'", "a.ply", ply, NULL, NULL, 0), 4, 4, 1.0 / 6);
  assert_mesh(load_mesh("inertia='exact' scale='-2 1 1'", "a.ply", ply, NULL, NULL, 0), 4, 4,
              2.0 / 6);
}

TEST(texture_coordinates_have_the_top_row_first) {
  mjModel* m = load_mesh("", "a.ply", ply, NULL, NULL, 0);
  assert_int_equal(m->nmeshtexcoord, 4);
  assert_near(m->mesh_texcoord[1], 0.75, 1e-6);
  mj_deleteModel(m);
}

TEST(a_content_type_says_what_the_extension_does_not) {
  assert_mesh(load_mesh("content_type='model/ply'", "a.mesh", ply, NULL, NULL, 0), 4, 4, 1.0 / 6);
}

TEST(a_gltf_is_made_anew_when_its_buffer_has_changed) {
  const char* text =
      "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":60,\"uri\":\"a%20b.bin\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,"
      "\"byteLength\":12}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
      "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5121,\"count\":12,\"type\":"
      "\"SCALAR\"}"
      "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]}";
  struct {
    float place[12];
    unsigned char index[12];
  } buffer = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}};
  assert_mesh(load_mesh("", "d/a.gltf", text, "d/a b.bin", &buffer, 60), 4, 4, 1.0 / 6);
  buffer.place[11] = 3;
  assert_mesh(load_mesh("", "d/a.gltf", text, "d/a b.bin", &buffer, 60), 4, 4, 3.0 / 6);
}
