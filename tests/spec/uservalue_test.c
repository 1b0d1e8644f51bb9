// Pointers that users hang on elements.

#include "spec/uservalue.h"

#include "support/test.h"

static int cleaned;

static void count_cleanup(const void* data) {
  cleaned += *(const int*)data;
}

TEST(user_values_are_kept_replaced_and_cleaned_up) {
  static const int one = 1, ten = 10, hundred = 100;
  mjSpec* s = mj_makeSpec();
  mjsElement* a = mjs_addBody(mjs_findBody(s, "world"), NULL)->element;
  cleaned = 0;
  mjs_setUserValue(a, "plain", &one);
  mjs_setUserValueWithCleanup(a, "k", &one, count_cleanup);
  mjs_setUserValueWithCleanup(a, "k", &ten, count_cleanup);
  assert_int_equal(cleaned, 1);
  mjs_setUserValueWithCleanup(a, "l", &hundred, count_cleanup);
  assert_ptr_equal(mjs_getUserValue(a, "k"), &ten);
  assert_null(mjs_getUserValue(a, "m"));
  mjs_deleteUserValue(a, "k");
  mjs_deleteUserValue(a, "m");
  assert_int_equal(cleaned, 11);
  mj_deleteSpec(s);
  assert_int_equal(cleaned, 111);
}

TEST(a_deleted_element_cleans_up_its_values) {
  static const int two = 2;
  mjSpec* s = mj_makeSpec();
  mjsBody *world = mjs_findBody(s, "world"), *body = mjs_addBody(world, NULL);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  cleaned = 0;
  mjs_setUserValueWithCleanup(body->element, "k", &two, count_cleanup);
  mjs_setUserValueWithCleanup(geom->element, "k", &two, count_cleanup);
  assert_int_equal(mjs_delete(s, body->element), 0);
  assert_int_equal(cleaned, 4);
  mj_deleteSpec(s);
  assert_int_equal(cleaned, 4);
}

TEST(clearing_leaves_an_element_without_values) {
  static const int two = 2;
  mjSpec* s = mj_makeSpec();
  mjsElement* body = mjs_addBody(mjs_findBody(s, "world"), NULL)->element;
  cleaned = 0;
  mjs_setUserValueWithCleanup(body, "k", &two, count_cleanup);
  mjs_setUserValueWithCleanup(body, "l", &two, count_cleanup);
  uservalue_clear(spec_object(body));
  assert_int_equal(cleaned, 4);
  assert_null(mjs_getUserValue(body, "k"));
  assert_null(mjs_getUserValue(body, "l"));
  mj_deleteSpec(s);
  assert_int_equal(cleaned, 4);
}
