// Elements that are visited, found, and asked for what is around them.

#include <condyle/behaviour.h>
#include <condyle/spec.h>

#include "base/memory/memory.h"
#include "spec/small_spec.h"
#include "spec/spec.h"
#include "support/load.h"

static const char* children(mjsBody* body, mjtObj type, int recurse) {
  static char text[1000];
  text[0] = 0;
  for (mjsElement* it = mjs_firstChild(body, type, recurse); it;
       it = mjs_nextChild(body, it, recurse)) {
    strcat(text, mjs_getString(mjs_getName(it)));
    strcat(text, " ");
  }
  return text;
}

TEST(elements_are_visited_depth_first_in_order_of_creation) {
  mjSpec* s = small();
  assert_string_equal(order(s, mjOBJ_BODY), "world a a1 a11 a2 b ");
  assert_string_equal(order(s, mjOBJ_GEOM), "w ga ga11 gb ");
  assert_null(mjs_firstElement(s, mjOBJ_JOINT));
  assert_null(mjs_firstElement(s, mjOBJ_ACTUATOR));
  assert_null(mjs_firstElement(s, mjOBJ_UNKNOWN));

  mjsBody* a = mjs_findBody(s, "a");
  assert_string_equal(children(a, mjOBJ_BODY, 0), "a1 a2 ");
  assert_string_equal(children(a, mjOBJ_BODY, 1), "a1 a11 a2 ");
  assert_string_equal(children(a, mjOBJ_GEOM, 0), "ga ");
  assert_string_equal(children(a, mjOBJ_GEOM, 1), "ga ga11 ");
  assert_null(mjs_firstChild(a, mjOBJ_ACTUATOR, 0));
  assert_non_null(strstr(mjs_getError(s), "actuator"));
  mj_deleteSpec(s);
}

TEST(numbering_and_arrays_follow_the_order_of_visiting) {
  mjSpec* s = small();
  SpecTree* tree = spec_tree(s);
  assert_int_equal(mjs_getId(mjs_findBody(s, "a2")->element), -1);
  spec_number(tree);
  assert_int_equal(mjs_getId(mjs_findBody(s, "a2")->element), 4);
  assert_int_equal(spec_count(tree, mjOBJ_BODY), 6);
  SpecObject** bodies = spec_array(tree, mjOBJ_BODY);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(bodies[i]->id, i);
  }
  heap_free(bodies);
  mj_deleteSpec(s);
}

static int id_of(mjSpec* s, mjtObj type, const char* name) {
  return mjs_getId(mjs_findElement(s, type, name));
}

TEST(what_is_added_to_the_body_tree_takes_its_ids_until_it_is_numbered_again) {
  mjSpec* s = small();
  mjs_setName(mjs_addText(s)->element, "first");
  mjs_setName(mjs_addText(s)->element, "second");
  spec_number(spec_tree(s));
  mjsSensor* sensor = mjs_addSensor(s);
  assert_int_equal(mjs_getId(sensor->element), 0);
  assert_int_equal(id_of(s, mjOBJ_BODY, "b"), 5);
  mjsSite* site = mjs_addSite(mjs_findBody(s, "a"), NULL);
  assert_int_equal(mjs_getId(site->element), -1);
  assert_int_equal(id_of(s, mjOBJ_BODY, "b"), -1);
  assert_int_equal(id_of(s, mjOBJ_GEOM, "gb"), -1);
  assert_int_equal(id_of(s, mjOBJ_BODY, "world"), 0);
  assert_int_equal(id_of(s, mjOBJ_TEXT, "second"), 1);
  mj_deleteSpec(s);
}

TEST(ids_are_places_after_a_deletion) {
  mjSpec* s = small();
  mjs_setName(mjs_addText(s)->element, "first");
  mjs_setName(mjs_addText(s)->element, "second");
  assert_int_equal(mjs_delete(s, mjs_findElement(s, mjOBJ_TEXT, "first")), 0);
  assert_int_equal(id_of(s, mjOBJ_TEXT, "second"), 0);
  assert_int_equal(id_of(s, mjOBJ_BODY, "b"), 5);
  assert_int_equal(mjs_delete(s, mjs_findElement(s, mjOBJ_BODY, "a1")), 0);
  assert_int_equal(id_of(s, mjOBJ_BODY, "b"), 3);
  assert_int_equal(cnd_compiledId(mjs_findBody(s, "b")->element), -1);
  assert_int_equal(id_of(s, mjOBJ_GEOM, "gb"), 2);
  mj_deleteSpec(s);
}

TEST(an_empty_name_finds_what_has_none) {
  mjSpec* s = small();
  assert_null(mjs_findBody(s, ""));
  assert_null(mjs_findElement(s, mjOBJ_GEOM, ""));
  mjsBody* body = mjs_addBody(mjs_findBody(s, "a"), NULL);
  mjsFrame* frame = mjs_addFrame(body, NULL);
  assert_ptr_equal(mjs_findBody(s, ""), body);
  assert_ptr_equal(mjs_findChild(mjs_findBody(s, "world"), ""), body);
  assert_ptr_equal(mjs_findFrame(s, ""), frame);
  mj_deleteSpec(s);
}

TEST(frames_enclose_elements_of_their_own_body_only) {
  mjSpec* s = small();
  mjsBody* a = mjs_findBody(s, "a");
  mjsFrame* outer = mjs_addFrame(a, NULL);
  mjsFrame* inner = mjs_addFrame(a, outer);
  mjsElement* geom = mjs_findElement(s, mjOBJ_GEOM, "ga");
  mjs_setName(inner->element, "inner");
  assert_ptr_equal(mjs_findFrame(s, "inner"), inner);
  assert_ptr_equal(mjs_getFrame(inner->element), outer);
  assert_int_equal(mjs_setFrame(geom, inner), 0);
  assert_ptr_equal(mjs_getFrame(geom), inner);
  assert_int_equal(mjs_setFrame(mjs_findElement(s, mjOBJ_GEOM, "gb"), inner), -1);
  assert_non_null(strstr(mjs_getError(s), "mismatched parents"));
  assert_int_equal(mjs_setFrame(geom, NULL), -1);
  assert_int_equal(mjs_setFrame(outer->element, inner), -1);

  // what a deleted frame held moves outwards
  assert_int_equal(mjs_delete(s, inner->element), 0);
  assert_ptr_equal(mjs_getFrame(geom), outer);
  mj_deleteSpec(s);
}

TEST(parents_and_children_are_found_by_name) {
  mjSpec* s = small();
  mjsBody* a = mjs_findBody(s, "a");
  assert_ptr_equal(mjs_findChild(a, "a11"), mjs_findBody(s, "a11"));
  assert_ptr_equal(mjs_findChild(a, "a"), a);
  assert_null(mjs_findChild(a, "b"));
  assert_ptr_equal(mjs_getParent(a->element), mjs_findBody(s, "world"));
  assert_null(mjs_getParent(mjs_findBody(s, "world")->element));
  assert_null(mjs_getParent(mjs_addActuator(s, NULL)->element));
  assert_ptr_equal(mjs_getSpec(a->element), s);
  mj_deleteSpec(s);
}

TEST(elements_know_where_they_stand_in_their_file) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  static const char text[] =
      "<mujoco>\n  <worldbody>\n    <body name=\"b\"/>\n  </worldbody>\n</mujoco>\n";
  assert_int_equal(mj_addBufferVFS(&vfs, "arm.xml", text, sizeof text - 1), 0);
  mjSpec* s = mj_parseXML("arm.xml", &vfs, NULL, 0);
  int line = -1, column = -1;
  const mjsElement* body = mjs_findElement(s, mjOBJ_BODY, "b");
  assert_string_equal(cnd_elementPlace(body, &line, &column), "arm.xml");
  assert_int_equal(line, 3);
  assert_int_equal(column, 5);
  assert_string_equal(cnd_elementPlace(body, NULL, NULL), "arm.xml");

  // one that a program made stands nowhere
  const mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "b"), NULL);
  assert_string_equal(cnd_elementPlace(geom->element, &line, &column), "");
  assert_int_equal(line, 0);
  assert_int_equal(column, 0);
  mj_deleteSpec(s);
  mj_deleteVFS(&vfs);
}

TEST(a_problem_is_about_the_body_whose_element_stands_at_its_place) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  static const char text[] =
      "<mujoco><worldbody>\n<body name='a'><geom size='1'/>\n<body><joint/><geom size='1'/>\n"
      "</body></body></worldbody></mujoco>";
  assert_int_equal(mj_addBufferVFS(&vfs, "arm.xml", text, sizeof text - 1), 0);
  mjSpec* s = mj_parseXML("arm.xml", &vfs, NULL, 0);
  mjModel* m = mj_compile(s, &vfs);
  assert_non_null(m);
  const struct {
    cndDiagnostic problem;
    int body;
  } cases[] = {
      {{.file = "arm.xml", .line = 2, .column = 1}, 1},
      {{.file = "arm.xml", .line = 2, .column = 16}, 1},
      {{.file = "arm.xml", .line = 3, .column = 1}, 2},
      {{.file = "arm.xml", .line = 3, .column = 15}, 2},
      {{.file = "arm.xml", .line = 3, .column = 9, .owner_line = 3, .owner_column = 7}, 2},
      {{.file = "arm.xml", .line = 3, .column = 9}, -1},
      {{.file = "leg.xml", .line = 3, .column = 1}, -1},
      {{.file = "arm.xml"}, -1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(cnd_diagnosticBody(s, &cases[i].problem), cases[i].body);
  }
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteVFS(&vfs);
}

TEST(an_element_knows_where_it_was_made) {
  mjSpec *parent = test_own_spec(mj_makeSpec()), *child = test_own_spec(mj_makeSpec());
  child->compiler.degree = 0;
  mjsBody* body = mjs_addBody(mjs_findBody(child, "world"), NULL);
  assert_ptr_equal(mjs_getOriginSpec(body->element), child);
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  mjsElement* taken = mjs_attach(frame->element, body->element, "x", "");
  assert_ptr_equal(mjs_getSpec(taken), parent);
  assert_ptr_equal(mjs_getOriginSpec(taken), child);
  assert_ptr_equal(mjs_getCompiler(taken), &child->compiler);
  assert_ptr_equal(mjs_getOriginSpec(frame->element), parent);
  assert_ptr_equal(mjs_getCompiler(parent->element), &parent->compiler);
}

TEST(a_compilation_is_timed) {
  mjSpec* s = test_spec(
      "<mujoco><asset><mesh name='m' builtin='sphere' params='3'/></asset><worldbody><geom "
      "type='mesh' mesh='m'/><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
  const double* timer = mjs_getTimer(s);
  assert_that(timer[mjCTIMER_TOTAL], ==, 0);
  mj_clearCache(mj_getCache());
  test_compile(s);
  assert_that(timer[mjCTIMER_TOTAL], >, timer[mjCTIMER_ASSETS]);
  assert_that(timer[mjCTIMER_ASSETS], >, 0);
  assert_that(timer[mjCTIMER_MESH_HULL], >, 0);
  assert_that(timer[mjCTIMER_MESH_BVH], >, 0);
  assert_that(timer[mjCTIMER_MESH_OCTREE], ==, 0);
  assert_that(timer[mjCTIMER_TEXTURE], ==, 0);
  mjs_asGeom(mjs_firstElement(s, mjOBJ_GEOM))->size[0] = 2;
  test_compile(s);  // the mesh is in the cache
  assert_that(timer[mjCTIMER_MESH_HULL], ==, 0);
}

TEST(settings_that_go_in_a_later_release_have_a_warning_by_its_rules) {
  for (int later = 0; later < 2; later++) {
    cnd_setDefaultDialect(later ? 400 : 303);
    mjSpec* s = test_spec(
        "<mujoco><compiler settotalmass='3'/><statistic "
        "meaninertia='2'/><worldbody><body><freejoint/>"
        "<geom size='.1'/></body></worldbody></mujoco>");
    cnd_setDefaultDialect(303);
    mjModel* m = mj_compile(s, NULL);
    assert_non_null(m);
    assert_int_equal(mjs_numWarnings(s), 2 * later);
    if (later) {
      assert_non_null(strstr(mjs_getWarning(s, 0), "settotalmass"));
      assert_non_null(strstr(mjs_getWarning(s, 1), "meaninertia"));
    }
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

TEST(all_warnings_of_a_compilation_can_be_asked_for) {
  mjSpec* s = test_spec("<mujoco/>");
  for (int i = 0; i < 2; i++) {
    mjs_addSensor(s)->type = mjSENS_PLUGIN;  // it misses its plugin, which is an error
  }
  assert_int_equal(mjs_numWarnings(s), 0);
  assert_null(mj_compile(s, NULL));
  assert_int_equal(mjs_numWarnings(s), 0);
  spec_problem(spec_tree(s), NULL, cndSEVERITY_WARNING, "%s", "first");
  spec_problem(spec_tree(s), NULL, cndSEVERITY_WARNING, "%s", "second");
  assert_int_equal(mjs_numWarnings(s), 2);
  assert_string_equal(mjs_getWarning(s, 0), "first");
  assert_string_equal(mjs_getWarning(s, 1), "second");
  assert_null(mjs_getWarning(s, 2));
  assert_null(mjs_getWarning(s, -1));
}
