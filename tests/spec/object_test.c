// Elements as objects: their handles, and two that change places.

#include "spec/object.h"

#include "support/test.h"

// Every handle of every type points to a vector of its own.
TEST(handles_point_to_vectors_of_their_object) {
  mjSpec* s = mj_makeSpec();
  SpecTree* tree = spec_tree(s);
  for (int type = 0; type < mjNOBJECT; type++) {
    int count = 0;
    const SpecHandle* handles = spec_handles((mjtObj)type, &count);
    if (!count || spec_intree((mjtObj)type)) {
      continue;
    }
    SpecObject* object = spec_add(tree, (mjtObj)type, NULL, NULL);
    const char* pub = spec_public(object);
    for (int i = 0; i < count; i++) {
      void* vector;
      memcpy(&vector, pub + handles[i].offset, sizeof(vector));
      if (vector != (void*)&object->vectors[i]) {
        fail_msg("handle %d of type %s points to %p, not to %p", i, mju_type2Str(type), vector,
                 (void*)&object->vectors[i]);
      }
    }
  }
  mj_deleteSpec(s);
}

TEST(two_that_swap_change_values_and_names_but_not_their_places) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsGeom *a = mjs_addGeom(world, NULL), *b = mjs_addGeom(world, NULL);
  mjs_setName(a->element, "a");
  mjs_setName(b->element, "b");
  a->size[0] = 1;
  b->size[0] = 2;
  mjs_setString(a->material, "gold");
  object_swap(spec_object(a->element), spec_object(b->element));
  assert_that(a->size[0], ==, 2);
  assert_that(b->size[0], ==, 1);
  assert_string_equal(mjs_getString(b->material), "gold");
  assert_string_equal(mjs_getString(a->material), "");
  assert_ptr_equal(mjs_firstElement(s, mjOBJ_GEOM), a->element);
  assert_string_equal(mjs_getString(mjs_getName(a->element)), "b");
  mj_deleteSpec(s);
}

TEST(an_object_counts_and_is_found_while_it_is_registered) {
  mjSpec* s = mj_makeSpec();
  SpecTree* tree = spec_tree(s);
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  mjs_setName(geom->element, "a");
  SpecObject* object = spec_object(geom->element);
  object_unregister(object);
  assert_int_equal(spec_count(tree, mjOBJ_GEOM), 0);
  assert_null(spec_find(tree, mjOBJ_GEOM, "a"));
  object_register(object);
  assert_int_equal(spec_count(tree, mjOBJ_GEOM), 1);
  assert_ptr_equal(spec_find(tree, mjOBJ_GEOM, "a"), object);
  mj_deleteSpec(s);
}
