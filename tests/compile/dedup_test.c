// Merging assets that would compile to the same.

#include "support/load.h"
#include "support/test.h"

#define TETRA "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"

static int count(mjSpec* s, mjtObj type) {
  int n = 0;
  for (mjsElement* it = mjs_firstElement(s, type); it; it = mjs_nextElement(s, it)) {
    n++;
  }
  return n;
}

TEST(equal_meshes_are_merged_and_all_references_follow) {
  mjSpec* s = test_spec(
      "<mujoco><default><geom mesh='b'/></default><asset><mesh name='a' " TETRA
      "/><mesh name='b' " TETRA "/><mesh name='c' " TETRA " scale='1 1 2'/><mesh name='d' " TETRA
      " inertia='shell'/></asset><worldbody><geom name='g' type='mesh' mesh='b'/><geom name='h' "
      "type='mesh' mesh='c'/><geom name='i' type='mesh'/></worldbody><custom><tuple name='t'>"
      "<element objtype='mesh' objname='b'/></tuple></custom></mujoco>");
  assert_int_equal(mjs_dedupAssets(s), 1);
  assert_int_equal(count(s, mjOBJ_MESH), 3);
  assert_null(mjs_findElement(s, mjOBJ_MESH, "b"));
  static const char* const expected[][2] = {{"g", "a"}, {"h", "c"}, {"i", "a"}};
  for (int i = 0; i < 3; i++) {
    const mjsGeom* geom = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, expected[i][0]));
    assert_string_equal(mjs_getString(geom->meshname), expected[i][1]);
  }
  assert_string_equal(mjs_getString(mjs_getSpecDefault(s)->geom->meshname), "a");
  test_compile(s);
  assert_int_equal(mjs_dedupAssets(s), 0);
}

// No file is read: there is none.
TEST(files_are_the_same_by_their_path) {
  mjSpec* s = test_spec(
      "<mujoco><compiler meshdir='m'/><asset><mesh name='a' file='x/../y.stl'/>"
      "<mesh name='b' file='y.stl'/><mesh name='c' file='y.stl'/><mesh file='y.stl'/>"
      "<texture name='t' type='2d' file='p.png'/><texture name='u' type='2d' file='p.png'/>"
      "<texture name='v' type='cube' file='p.png'/><material name='w' texture='u'/></asset>"
      "</mujoco>");
  assert_int_equal(mjs_dedupAssets(s), 3);
  assert_null(mjs_findElement(s, mjOBJ_MESH, "b"));
  assert_null(mjs_findElement(s, mjOBJ_MESH, "c"));
  assert_null(mjs_findElement(s, mjOBJ_TEXTURE, "u"));
  assert_non_null(mjs_findElement(s, mjOBJ_TEXTURE, "v"));
  const mjsMaterial* material = mjs_asMaterial(mjs_findElement(s, mjOBJ_MATERIAL, "w"));
  assert_string_equal(material->textures->ptr[mjTEXROLE_RGB].ptr, "t");
}

TEST(a_model_attached_twice_shares_its_assets) {
  mjSpec* parent = test_own_spec(mj_makeSpec());
  for (int i = 0; i < 2; i++) {
    mjSpec* child = test_spec(
        "<mujoco><asset><mesh name='m' " TETRA
        "/><texture name='t' type='2d' builtin='flat' "
        "width='2' height='2'/></asset><worldbody><body name='b'><geom type='mesh' mesh='m'/>"
        "</body></worldbody></mujoco>");
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
    assert_non_null(
        mjs_attach(frame->element, mjs_findBody(child, "b")->element, i ? "two_" : "one_", ""));
  }
  assert_int_equal(mjs_dedupAssets(parent), 2);
  const mjModel* m = test_compile(parent);
  assert_int_equal(m->nmesh, 1);
  assert_int_equal(m->ntex, 1);
  assert_int_equal(m->geom_dataid[0], m->geom_dataid[1]);
}
