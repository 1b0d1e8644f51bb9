// Flexes by function, and from meshes of the model. Expected numbers are 4.0.0's.

#include "spec/spec.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

static const double spacing[3] = {0.1, 0.1, 0.1};

static mjSpec* with_body(void) {
  return test_spec("<mujoco><worldbody><body name='b'/></worldbody></mujoco>");
}

static mjsFlex* make(mjSpec* s, const char* type, int dim, const int count[3], double radius) {
  return mjs_makeFlex(mjs_findBody(s, "b"), "f", type, dim, NULL, count, NULL, spacing, NULL,
                      radius, 2, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL);
}

TEST(a_made_flex_is_the_one_of_the_element) {
  mjSpec* s = with_body();
  const mjsFlex* flex = make(s, "box", 3, (const int[]){3, 4, 3}, 0.01);
  assert_non_null(flex);
  assert_int_equal(spec_object(flex->element)->place.line, 0);
  const mjModel* made = test_compile(s);
  const mjModel* read = test_model(
      "<mujoco><worldbody><body name='b'><flexcomp name='f' type='box' dim='3' count='3 4 3' "
      "spacing='.1 .1 .1' radius='.01' mass='2'/></body></worldbody></mujoco>");
  assert_int_equal(made->nbody, read->nbody);
  assert_int_equal(made->flex_elemnum[0], read->flex_elemnum[0]);
  assert_close(made->body_pos, read->body_pos, 3 * made->nbody, 0);
  assert_close(made->body_mass, read->body_mass, made->nbody, 0);
  assert_that(made->flex_radius[0], ==, (mjtNum)0.01);
}

TEST(a_wrong_argument_adds_nothing) {
  mjSpec* s = with_body();
  const int nbody = spec_count(spec_tree(s), mjOBJ_BODY);
  static const struct {
    const char* type;
    int dim, count[3];
    const char* message;
  } cases[] = {
      {"zz", 2, {3, 3, 1}, "invalid keyword: 'zz'"},
      {"grid", 4, {3, 3, 1}, "Invalid dim, must be between 1 and 3"},
      {"grid", 2, {0, 3, 1}, "Count too small"},
      {"mesh", 2, {3, 3, 1}, "File is required"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_null(make(s, cases[i].type, cases[i].dim, cases[i].count, 0));
    if (!strstr(mjs_getError(s), cases[i].message)) {
      fail_msg("expected \"%s\", got \"%s\"", cases[i].message, mjs_getError(s));
    }
    assert_int_equal(spec_count(spec_tree(s), mjOBJ_BODY), nbody);
    assert_int_equal(spec_count(spec_tree(s), mjOBJ_FLEX), 0);
  }
  assert_non_null(make(s, NULL, 2, (const int[]){3, 3, 1}, 0));
  assert_null(make(s, NULL, 2, (const int[]){3, 3, 1}, 0));
  assert_non_null(strstr(mjs_getError(s), "repeated name 'f' in flex"));
  assert_int_equal(spec_count(spec_tree(s), mjOBJ_FLEX), 1);
}

#define ASSET(mesh, flex)                            \
  "<mujoco><asset><mesh name='m' " mesh              \
  "/></asset><worldbody><body name='b' pos='0 0 1'>" \
  "<flexcomp name='f' mesh='m' " flex "/></body></worldbody></mujoco>"
#define SHEET "builtin='grid' params='3 3 1 .1 .1 .1 2'"

TEST(a_flex_is_where_a_geom_with_its_mesh_would_be) {
  static const struct {
    const char* xml;
    int nvert, nelem, dim;
    double first[3];  // in the world
  } cases[] = {
      {ASSET(SHEET, "dim='2'"), 9, 8, 2, {-.1, -.1, 1}},
      {ASSET(SHEET, "type='gmsh' dim='2'"), 9, 8, 2, {-.1, -.1, 1}},
      {ASSET(SHEET, "dim='1'"), 8, 8, 1, {-.1, -.1, 1}},
      {ASSET(SHEET " scale='2 3 4' refpos='1 0 0' refquat='0 0 0 1'", "dim='2'"),
       9,
       8,
       2,
       {2.2, .3, 1}},
      {ASSET("builtin='grid' params='2 2 2 .1 .1 .1' scale='2 3 4' refpos='1 0 0'",
             "dim='3' scale='10 1 1'"),
       8,
       6,
       3,
       {-21, -.15, .8}},
      {ASSET("builtin='grid' params='2 2 2 .1 .1 .1' refquat='1 1 1 1.5' scale='1 2 3' "
             "refpos='1 2 3'",
             "dim='3'"),
       8,
       6,
       3,
       {-2.2833333333333, -4.4333333333333, -5.35}},
      {ASSET("vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 1 2 3 0 3 2' scale='2 2 2'",
             "dim='3' origin='.1 .1 .1'"),
       5,
       4,
       3,
       {.1, .1, 1.1}},
      {ASSET("vertex='0 0 0 1 0 0 0 1 0 0 0 1 .1 .1 .1'", "dim='2'"), 4, 4, 2, {0, 0, 1}},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const mjModel* m = test_model(cases[i].xml);
    mjData* d = test_data(m);
    mj_kinematics(m, d);
    mj_flex(m, d);
    assert_int_equal(m->flex_vertnum[0], cases[i].nvert);
    assert_int_equal(m->flex_elemnum[0], cases[i].nelem);
    assert_int_equal(m->flex_dim[0], cases[i].dim);
    assert_close(d->flexvert_xpos, cases[i].first, 3, 1e-6);
    mjtNum mass = 0;
    for (int b = 0; b < m->nbody; b++) {
      mass += m->body_mass[b];
    }
    assert_near(mass, 1, 1e-5);
  }
}

TEST(a_mesh_that_does_not_fit_the_flex_is_refused) {
  static const struct {
    const char *xml, *message;
  } cases[] = {
      {ASSET("builtin='grid' params='2 2 2 .1 .1 .1'", "dim='2'"),
       "flexcomp dim does not match mesh dimensionality"},
      {ASSET(SHEET, "dim='3'"), "origin must be specified for mesh flexcomps if dim=3"},
      {ASSET(SHEET, "type='grid' dim='2'"),
       "mesh asset can only be used with flexcomp type mesh or gmsh"},
      {ASSET(SHEET, "type='mesh' file='x.stl' dim='2'"), "both 'file' and 'mesh' specified"},
      {ASSET("vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'", "dim='2'"), "at least 4 vertices"},
      {"<mujoco><worldbody><body name='b'><flexcomp name='f' mesh='zz' dim='2'/></body>"
       "</worldbody></mujoco>",
       "mesh 'zz' not found"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[500] = "";
    assert_null(mj_parseXMLString(cases[i].xml, NULL, error, sizeof(error)));
    if (!strstr(error, cases[i].message)) {
      fail_msg("expected \"%s\", got \"%s\"", cases[i].message, error);
    }
  }
}

TEST(a_flex_may_be_made_from_a_mesh_of_the_spec) {
  mjSpec* s = test_spec("<mujoco><asset><mesh name='m' " SHEET
                        "/></asset><worldbody><body name='b'/></worldbody></mujoco>");
  const mjsFlex* flex =
      mjs_makeFlex(mjs_findBody(s, "b"), "f", NULL, 2, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 1, 0,
                   1, 0, (const double[]){1, 2, 3}, NULL, NULL, "m", NULL);
  assert_non_null(flex);
  const mjModel* m = test_compile(s);
  assert_int_equal(m->flex_vertnum[0], 9);
  assert_int_equal(m->flex_flatskin[0], 1);
  assert_int_equal(m->neq, 1);
  assert_near(m->body_pos[6], 0.9, 1e-7);
}
