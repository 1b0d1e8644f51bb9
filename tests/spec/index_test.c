// Finding objects by name.

#include "spec/index.h"

#include "spec/small_spec.h"

static SpecObject* named_geom(mjSpec* s, const char* name) {
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  mjs_setName(geom->element, name);
  return spec_object(geom->element);
}

TEST(a_name_is_found_within_its_type_alone) {
  mjSpec* s = mj_makeSpec();
  SpecTree* tree = spec_tree(s);
  SpecObject* geom = named_geom(s, "a");
  assert_ptr_equal(spec_find(tree, mjOBJ_GEOM, "a"), geom);
  assert_null(spec_find(tree, mjOBJ_SITE, "a"));
  assert_null(spec_find(tree, mjOBJ_GEOM, ""));
  assert_null(spec_find(tree, mjOBJ_GEOM, NULL));
  assert_ptr_equal(spec_find(tree, mjOBJ_XBODY, "world"), tree->world);
  mj_deleteSpec(s);
}

TEST(a_new_name_takes_the_place_of_the_old_one) {
  mjSpec* s = mj_makeSpec();
  SpecTree* tree = spec_tree(s);
  SpecObject *a = named_geom(s, "a"), *b = named_geom(s, "b");
  assert_true(spec_rename(a, "c"));
  assert_null(spec_find(tree, mjOBJ_GEOM, "a"));
  assert_ptr_equal(spec_find(tree, mjOBJ_GEOM, "c"), a);
  // a repeated name is set and reported, and goes on to be found when one of both is gone
  assert_false(spec_rename(b, "c"));
  assert_string_equal(spec_name(b), "c");
  index_remove(tree, a);
  assert_ptr_equal(spec_find(tree, mjOBJ_GEOM, "c"), b);
  index_add(tree, a);
  mj_deleteSpec(s);
}

// through a pointer that mjs_getName has handed out
TEST(a_name_that_its_owner_has_written_is_found) {
  mjSpec* s = mj_makeSpec();
  SpecTree* tree = spec_tree(s);
  SpecObject* a = named_geom(s, "a");
  string_set(mjs_getName(&a->element), "other");
  assert_null(spec_find(tree, mjOBJ_GEOM, "a"));
  assert_ptr_equal(spec_find(tree, mjOBJ_GEOM, "other"), a);
  index_remove(tree, a);
  string_set(mjs_getName(&a->element), "third");
  index_add(tree, a);
  assert_ptr_equal(spec_find(tree, mjOBJ_GEOM, "third"), a);
  mj_deleteSpec(s);
}

TEST(an_interned_text_is_one_text) {
  mjSpec* s = mj_makeSpec();
  SpecTree* tree = spec_tree(s);
  char text[10] = "abc";
  const char* one = spec_intern(tree, text);
  assert_ptr_not_equal(one, text);
  assert_string_equal(one, "abc");
  assert_ptr_equal(spec_intern(tree, "abc"), one);
  assert_ptr_not_equal(spec_intern(tree, "abd"), one);
  assert_string_equal(spec_intern(tree, NULL), "");
  mj_deleteSpec(s);
}

TEST(an_asset_answers_to_the_name_of_its_file) {
  static const char* const files[][2] = {
      {"dir/sub.d/part.obj", "part"}, {"c:\\dir\\part.v2.stl", "part.v2"}, {"part", "part"}};
  mjSpec* s = mj_makeSpec();
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  for (int i = 0; i < 3; i++) {
    mjString name = {NULL, 0, 0};
    mjs_setString(mesh->file, files[i][0]);
    assert_true(spec_filename(&name, files[i][0]));
    assert_string_equal(string_text(&name), files[i][1]);
    assert_ptr_equal(spec_find(spec_tree(s), mjOBJ_MESH, files[i][1]), mesh->element);
    assert_null(spec_find(spec_tree(s), mjOBJ_MESH, "par"));
    string_clear(&name);
  }
  mj_deleteSpec(s);
}

TEST(names_are_found_by_type_and_repeated_ones_reported) {
  mjSpec* s = small();
  assert_ptr_equal(mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "ga"))->element,
                   mjs_findElement(s, mjOBJ_GEOM, "ga"));
  assert_null(mjs_asBody(mjs_findElement(s, mjOBJ_GEOM, "ga")));
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "a"));
  assert_null(mjs_findElement(s, mjOBJ_GEOM, ""));
  assert_non_null(mjs_findElement(s, mjOBJ_XBODY, "a"));
  assert_string_equal(mjs_getError(s), "");

  mjsElement* second = mjs_addGeom(mjs_findBody(s, "a"), NULL)->element;
  assert_int_equal(mjs_setName(second, "gb"), -1);
  assert_string_equal(mjs_getError(s), "Error: repeated name 'gb' in geom");
  assert_int_equal(mjs_isWarning(s), 0);
  assert_string_equal(mjs_getString(mjs_getName(second)), "gb");
  assert_int_equal(mjs_setName(second, "a"), 0);
  assert_ptr_equal(mjs_findElement(s, mjOBJ_GEOM, "a"), second);

  // written behind the index
  mjs_setString(mjs_getName(second), "changed");
  assert_ptr_equal(mjs_findElement(s, mjOBJ_GEOM, "changed"), second);
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "a"));
  assert_int_equal(mjs_delete(s, second), 0);
  assert_null(mjs_findElement(s, mjOBJ_GEOM, "changed"));
  mj_deleteSpec(s);
}

TEST(many_names_survive_growth_and_removal_of_the_index) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  char name[20];
  for (int i = 0; i < 2000; i++) {
    snprintf(name, sizeof(name), "geom%d", i);
    geom_in(world, name);
  }
  for (int i = 0; i < 2000; i += 3) {
    snprintf(name, sizeof(name), "geom%d", i);
    assert_int_equal(mjs_delete(s, mjs_findElement(s, mjOBJ_GEOM, name)), 0);
  }
  for (int i = 0; i < 2000; i++) {
    snprintf(name, sizeof(name), "geom%d", i);
    mjsElement* found = mjs_findElement(s, mjOBJ_GEOM, name);
    if (i % 3 == 0) {
      assert_null(found);
    } else {
      assert_string_equal(mjs_getString(mjs_getName(found)), name);
    }
  }
  mj_deleteSpec(s);
}

TEST(a_mesh_without_name_is_found_by_its_file) {
  mjSpec* s = mj_makeSpec();
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setString(mesh->file, "some/dir/part.v2.stl");
  assert_ptr_equal(mjs_findElement(s, mjOBJ_MESH, "part.v2"), mesh->element);
  mjs_setName(mesh->element, "named");
  assert_null(mjs_findElement(s, mjOBJ_MESH, "part.v2"));
  mj_deleteSpec(s);
}
