// Which other elements an element names.

#include "spec/reference.h"

#include "support/test.h"

// What has been visited, as text: name:type, with a star if the element means nothing without it
typedef struct {
  char text[500];
  int most;
} Seen;

static int note(const NameUse* use, void* context) {
  Seen* seen = context;
  size_t length = strlen(seen->text);
  snprintf(seen->text + length, sizeof(seen->text) - length, "%s:%s%s ", string_text(use->name),
           mju_type2Str((int)use->type), use->essential ? "*" : "");
  return --seen->most != 0;
}

static const char* names_of(mjsElement* element, int most) {
  static Seen seen;
  seen = (Seen){"", most};
  int finished = reference_visit(spec_object(element), note, &seen);
  assert_int_equal(finished, seen.most != 0);
  return seen.text;
}

TEST(names_are_visited_with_the_type_that_they_have) {
  mjSpec* s = mj_makeSpec();
  mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  assert_string_equal(names_of(geom->element, -1), "");
  mjs_setString(geom->material, "gold");
  mjs_setString(geom->meshname, "part");
  assert_string_equal(names_of(geom->element, -1), "gold:material part:mesh ");

  mjsSensor* sensor = mjs_addSensor(s);
  sensor->objtype = mjOBJ_SITE;
  sensor->reftype = mjOBJ_XBODY;
  mjs_setString(sensor->objname, "tip");
  mjs_setString(sensor->refname, "hand");
  assert_string_equal(names_of(sensor->element, -1), "tip:site* hand:xbody* ");

  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_wrapSite(tendon, "a");
  mjs_wrapGeom(tendon, "b", "c");
  mjs_wrapPulley(tendon, 2);
  assert_string_equal(names_of(tendon->element, -1), "a:site* b:geom* c:site* ");
  assert_string_equal(names_of(tendon->element, 2), "a:site* b:geom* ");
  mj_deleteSpec(s);
}

TEST(a_path_tells_its_stations) {
  mjSpec* s = mj_makeSpec();
  mjsBody* world = mjs_findBody(s, "world");
  mjsGeom* geom = mjs_addGeom(world, NULL);
  mjsSite* site = mjs_addSite(world, NULL);
  mjs_setName(geom->element, "g");
  mjs_setName(site->element, "s");
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  assert_int_equal(mjs_getWrapNum(tendon), 0);
  mjsWrap* first = mjs_wrapSite(tendon, "s");
  mjs_wrapGeom(tendon, "g", "s");
  mjs_wrapPulley(tendon, 2);
  mjs_wrapJoint(tendon, "none", 3);
  assert_int_equal(mjs_getWrapNum(tendon), 4);
  assert_ptr_equal(mjs_getWrap(tendon, 0), first);
  assert_int_equal(first->type, mjWRAP_SITE);
  assert_ptr_equal(mjs_getWrapTarget(first), site->element);
  assert_null(mjs_getWrapSideSite(first));
  assert_ptr_equal(mjs_getWrapTarget(mjs_getWrap(tendon, 1)), geom->element);
  assert_ptr_equal(mjs_getWrapSideSite(mjs_getWrap(tendon, 1)), site);
  assert_null(mjs_getWrapTarget(mjs_getWrap(tendon, 2)));
  assert_that(mjs_getWrapDivisor(mjs_getWrap(tendon, 2)), ==, 2);
  assert_null(mjs_getWrapTarget(mjs_getWrap(tendon, 3)));
  assert_that(mjs_getWrapCoef(mjs_getWrap(tendon, 3)), ==, 3);

  mju_user_warning = keep_warning;
  assert_that(mjs_getWrapCoef(first), ==, 1);
  assert_string_equal(warning_text, "Querying coef attribute of non-joint wrap: s");
  assert_that(mjs_getWrapDivisor(first), ==, 1);
  mju_user_warning = NULL;
  mj_deleteSpec(s);
}

TEST(constraints_and_transmissions_tell_what_they_act_on) {
  mjsEquality equality = {.type = mjEQ_WELD, .objtype = mjOBJ_SITE};
  assert_int_equal(reference_equality(&equality), mjOBJ_SITE);
  equality.type = mjEQ_TENDON;
  assert_int_equal(reference_equality(&equality), mjOBJ_TENDON);
  equality.type = (mjtEq)99;
  assert_int_equal(reference_equality(&equality), mjOBJ_UNKNOWN);
  assert_int_equal(reference_transmission(mjTRN_JOINTINPARENT), mjOBJ_JOINT);
  assert_int_equal(reference_transmission(mjTRN_SLIDERCRANK), mjOBJ_SITE);
  assert_int_equal(reference_transmission(mjTRN_UNDEFINED), mjOBJ_UNKNOWN);
}

TEST(an_element_resolves_once_all_that_it_needs_exists) {
  mjSpec* s = mj_makeSpec();
  mjsPair* pair = mjs_addPair(s, NULL);
  SpecObject* object = spec_object(pair->element);
  assert_false(reference_resolves(object));
  mjs_setString(pair->geomname1, "a");
  mjs_setString(pair->geomname2, "b");
  assert_false(reference_resolves(object));
  for (int i = 0; i < 2; i++) {
    mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
    mjs_setName(geom->element, i ? "b" : "a");
    assert_int_equal(reference_resolves(object), i);
  }
  // a clock looks at nothing
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = mjSENS_CLOCK;
  assert_true(reference_resolves(spec_object(sensor->element)));
  sensor->type = mjSENS_TOUCH;
  assert_false(reference_resolves(spec_object(sensor->element)));
  mj_deleteSpec(s);
}
