// Gmsh files: the four forms of a file are the same flex; what is wrong with one is said.

#include "support/near.h"

#define ASSETS CONDYLE_SOURCE_DIR "/tests/models/assets"

static mjModel* load(const char* file, const mjVFS* vfs, char error[300]) {
  char text[500];
  snprintf(text, sizeof text,
           "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='%s'/></worldbody></mujoco>",
           file);
  error[0] = 0;
  mjSpec* spec = mj_parseXMLString(text, vfs, error, 300);
  mjModel* m = spec ? mj_compile(spec, vfs) : NULL;
  if (spec && !m) {
    snprintf(error, 300, "%s", mjs_getError(spec));
  }
  mj_deleteSpec(spec);
  return m;
}

TEST(all_forms_are_the_same) {
  const char* const files[] = {"flex22txt.msh", "flex22bin.msh", "flex41txt.msh", "flex41bin.msh"};
  mjModel* first = NULL;
  for (int i = 0; i < 4; i++) {
    char path[300], error[300];
    snprintf(path, sizeof path, "%s/%s", ASSETS, files[i]);
    mjModel* m = load(path, NULL, error);
    if (!m) {
      print_error("%s: %s\n", files[i], error);
    }
    assert_non_null(m);
    assert_int_equal(m->nflexvert, 5);
    assert_int_equal(m->nflexelem, 2);
    assert_int_equal(m->flex_dim[0], 3);
    if (!first) {
      first = m;
      continue;
    }
    assert_memory_equal(m->flex_elem, first->flex_elem, m->nflexelemdata * sizeof(int));
    assert_memory_equal(m->body_pos, first->body_pos, 3 * m->nbody * sizeof(mjtNum));
    mj_deleteModel(m);
  }
  mj_deleteModel(first);
}

// The count of a section may stand behind its name.
TEST(a_count_on_the_line_of_its_section_is_read) {
  static const char text[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes 4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
      "$EndNodes\n$Elements 1 \r\n1 4 2 1 1 1 2 3 4\n$EndElements\n";
  char error[300];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a.msh", text, (int)strlen(text));
  mjModel* m = load("a.msh", &vfs, error);
  mj_deleteVFS(&vfs);
  assert_string_equal(error, "");
  assert_non_null(m);
  assert_int_equal(m->nflexvert, 4);
  assert_int_equal(m->nflexelem, 1);
  mj_deleteModel(m);
}

TEST(wrong_files_are_refused) {
#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"", "must begin with $MeshFormat"},
      {"$MeshFormat\n3.0 0 8\n$EndMeshFormat\n", "version must be 4.1 or 2.2"},
      {HEAD, "section $Nodes is missing"},
      {HEAD "$Nodes\n1000000000\n", "the file has no room for as many"},
      {HEAD "$Nodes\n-1\n", "the file has no room for as many"},
      {HEAD "$Nodes\n1\n1 0 x 0\n", "a coordinate is expected"},
      {HEAD "$Nodes\n1\n1 0 nan 0\n", "a coordinate is not finite"},
      {HEAD NODES, "section $Elements is missing"},
      {HEAD NODES "$Elements\n1\n1 4 2 1 1 1 2 3 5\n$EndElements\n", "an element has node 5"},
      {HEAD NODES "$Elements\n1\n1 7 2 1 1 1 2 3 4\n$EndElements\n", "element is of type 7"},
      {HEAD NODES "$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 2 2 1 1 1 2 3\n$EndElements\n",
       "element is of type 2"},
      {HEAD NODES "$Elements\n1 4 2 1 1 1 2 3 4\n$EndElements\n", "a line that counts"},
      {HEAD NODES "$Elements\n2 2 2 1 1 1 2 3\n3 2 2 1 1 2 3 4\n4 2 2 1 1 1 2 4\n$EndElements\n",
       "a line that counts"},
      {HEAD "$Nodes\n1 0 0 0\n2 1 0 0\n$EndNodes\n", "a line that counts"},
      {HEAD "$Nodes\n1\n1 0 0 0\n", "$EndNodes is missing"},
      {HEAD NODES "$Elements\n1\n1 4 2 1 1 1 2 3 4\n", "$EndElements is missing"},
      {HEAD41 "$Nodes\n2 4 1 4\n", "must be one block each"},
      {HEAD41 "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n1 2 1 2\n3 1 4\n1 1 1\n",
       "a block counts 1, the head of its section 2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char error[300];
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "a.msh", cases[i].text, (int)strlen(cases[i].text));
    mjModel* m = load("a.msh", &vfs, error);
    mj_deleteVFS(&vfs);
    if (m || !strstr(error, cases[i].error)) {
      print_error("case %zu: %s, not %s\n", i, error, cases[i].error);
    }
    assert_null(m);
    assert_non_null(strstr(error, cases[i].error));
  }
}
