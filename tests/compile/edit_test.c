// Fusing static bodies, discarding what is seen and adopting masses. Expected numbers are 4.0.0's.

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#define ROOT "<body name='b'><freejoint/><geom name='g' size='.1'/>"
#define SEEN "<geom name='v' size='.2' contype='0' conaffinity='0' pos='.1 0 0'/>"
#define HEAVY "<inertial pos='0 0 .1' mass='2' diaginertia='.1 .2 .25'/>"

static mjSpec* world(const char* settings, const char* content) {
  char text[2000];
  snprintf(text, sizeof(text), "<mujoco>%s<worldbody>%s</worldbody></mujoco>", settings, content);
  return test_spec(text);
}

// Names of a type in their order, each followed by a space.
static const char* names(const mjModel* m, mjtObj type, int count) {
  static char text[300];
  text[0] = 0;
  for (int i = 0; i < count; i++) {
    const char* name = mj_id2name(m, type, i);
    snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ", name ? name : "-");
  }
  return text;
}

TEST(content_of_a_fused_body_comes_last_but_its_bodies) {
  mjSpec* s = world("",
                    "<body name='b'><freejoint/><body name='s' pos='1 0 0'><geom name='g1' "
                    "size='.1'/><site name='s1'/><body name='k'><joint/><geom name='gk' "
                    "size='.1'/></body><geom name='g1b' size='.1'/></body><geom name='g' "
                    "size='.1'/><site name='s0'/><body name='k2'><joint/><geom name='gk2' "
                    "size='.1'/></body></body>");
  assert_int_equal(mjs_fuseStatic(s, NULL), 1);
  const mjModel* m = test_compile(s);
  assert_string_equal(names(m, mjOBJ_BODY, m->nbody), "world b k k2 ");
  assert_string_equal(names(m, mjOBJ_GEOM, m->ngeom), "g g1 g1b gk gk2 ");
  assert_string_equal(names(m, mjOBJ_SITE, m->nsite), "s0 s1 ");
  assert_near(m->body_mass[1], 12.566370614359, 1e-11);
  assert_near(m->body_inertia[3], 2.8427922856483643, 1e-9);
  assert_int_equal(mjs_findBody(s, "b")->explicitinertial, 0);
  assert_int_equal(mjs_fuseStatic(s, NULL), 0);
}

TEST(masses_of_fused_bodies_are_added_rightly) {
  static const struct {
    const char *parent, *child;
    double mass, ipos[3], inertia[3];
    int explicit;
  } cases[] = {
      {"",
       "",
       52.188790204786,
       {1.0025293583026, .3403633263391, .2951408207712},
       {7.1258938808725, 6.7110669373653, 1.6967545508174},
       0},
      {"",
       HEAVY,
       6.188790204786,
       {.3342178293692, .0593597141946, .0299062190760},
       {1.7550124965303, 1.7098003126847, .1456820071306},
       1},
      {HEAVY,
       "",
       50,
       {1.0464158870919, .3552630046343, .3120608475219},
       {4.4434265688798, 4.0382847444159, 1.8239879128367},
       1},
      {HEAVY,
       HEAVY,
       4,
       {.5171010071663, .0918412044417, .0962708289199},
       {1.5932073991791, 1.4875725516447, .2259573704772},
       1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[1000];
    snprintf(text, sizeof(text),
             "<body name='b'><freejoint/>%s<geom name='g' size='.1'/><body name='s' pos='1 .2 0' "
             "euler='10 20 30'>%s<geom name='g1' type='box' size='.1 .2 .3' pos='.1 .2 .3'/>"
             "</body></body>",
             cases[i].parent, cases[i].child);
    mjSpec* s = world("", text);
    assert_int_equal(mjs_fuseStatic(s, NULL), 1);
    const mjModel* m = test_compile(s);
    assert_int_equal(m->nbody, 2);
    assert_near(m->body_mass[1], cases[i].mass, 1e-9);
    assert_close(m->body_ipos + 3, cases[i].ipos, 3, 1e-9);
    assert_close(m->body_inertia + 3, cases[i].inertia, 3, 1e-9);
    assert_int_equal(mjs_findBody(s, "b")->explicitinertial, cases[i].explicit);
  }
}

TEST(a_chain_of_static_bodies_is_fused_into_one) {
  mjSpec* s = world("", ROOT "<body name='s' pos='1 0 0'>" HEAVY
                             "<geom size='.1'/><body name='s2' pos='0 1 0'><geom size='.1'/>"
                             "</body></body></body>");
  assert_int_equal(mjs_fuseStatic(s, NULL), 2);
  const mjModel* m = test_compile(s);
  assert_near(m->body_mass[1], 10.377580409573, 1e-11);
  assert_close(m->body_inertia + 3,
               ((const double[]){5.293980273531816, 4.37478298431823, 1.0061928878681023}), 3,
               1e-9);
}

#define CHILD(attributes)                   \
  ROOT "<body name='s' " attributes         \
       "><site name='x'/><geom size='.1'/>" \
       "</body></body>"

TEST(bodies_stay_where_something_would_change) {
  static const struct {
    const char *settings, *content;
    int fused;
  } cases[] = {
      {"", CHILD(""), 1},
      {"", CHILD("fuse='false'"), 0},
      {"", CHILD("gravcomp='1'"), 0},
      {"", "<body gravcomp='1'><geom size='.1'/></body>", 1},
      {"<option density='1'/>", CHILD(""), 0},
      {"<option viscosity='1'/>", CHILD(""), 0},
      {"<option density='1'/>", "<body><geom size='.1'/></body>", 1},
      {"<sensor><force site='x'/></sensor>", CHILD(""), 0},
      {"<sensor><accelerometer site='x'/></sensor>", CHILD(""), 1},
      {"<contact><exclude body1='s' body2='b'/></contact>", CHILD(""), 0},
      {"", "<body mocap='true'><geom size='.1'/></body>", 0},
      {"<compiler inertiafromgeom='true'/>", CHILD(""), 1},
      {"<compiler inertiafromgeom='true' boundmass='10'/>", CHILD(""), 0},
      {"<compiler boundmass='10'/>", CHILD(""), 1},
      {"", "<body name='s'><body><freejoint/><geom size='.1'/></body></body>", 1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjSpec* s = world(cases[i].settings, cases[i].content);
    int fused = mjs_fuseStatic(s, NULL);
    if (fused != cases[i].fused) {
      fail_msg("%d: %d bodies are fused", (int)i, fused);
    }
  }
  mjSpec* s = world("<compiler boundmass='10'/>", CHILD("pos='1 0 0'"));
  mjs_fuseStatic(s, NULL);
  assert_near(test_compile(s)->body_mass[1], 20, 1e-12);
}

TEST(nothing_is_fused_in_a_model_that_does_not_compile) {
  mjSpec* s = world("", CHILD(""));
  mjs_setString(mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"))->meshname, "none");
  assert_int_equal(mjs_fuseStatic(s, NULL), -1);
  assert_non_null(strstr(mjs_getError(s), "none"));
  assert_non_null(mjs_findBody(s, "s"));
}

TEST(what_is_only_seen_goes_and_its_mass_stays) {
  mjSpec* s = world("", ROOT SEEN "</body>");
  assert_int_equal(mjs_discardVisual(s, NULL), 1);
  const mjModel* m = test_compile(s);
  assert_int_equal(m->ngeom, 1);
  assert_near(m->body_mass[1], 37.699111843078, 1e-11);
  assert_close(m->body_inertia + 3,
               ((const double[]){0.5901539977410162, 0.5901539977410162, 0.5529203070318037}), 3,
               1e-9);
  assert_int_equal(mjs_findBody(s, "b")->explicitinertial, 1);
  assert_int_equal(mjs_discardVisual(s, NULL), 0);

  s = world("", ROOT "<geom size='.2' mass='0' contype='0' conaffinity='0'/></body>");
  assert_int_equal(mjs_discardVisual(s, NULL), 1);
  assert_int_equal(mjs_findBody(s, "b")->explicitinertial, 0);
}

TEST(looks_and_unused_meshes_go_with_the_geoms) {
  mjSpec* s = world(
      "<asset><texture name='t' type='2d' builtin='flat' width='2' height='2'/>"
      "<material name='m' texture='t'/><mesh name='e' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
      "<mesh name='f' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
      "<default><geom material='m'/></default>",
      ROOT SEEN
      "<geom type='mesh' mesh='e' contype='0' conaffinity='0'/><site material='m'/></body>");
  assert_int_equal(mjs_discardVisual(s, NULL), 6);
  const mjModel* m = test_compile(s);
  assert_int_equal(m->ngeom, 1);
  assert_int_equal(m->nmesh + m->nmat + m->ntex, 0);
  assert_near(m->body_mass[1], 204.365778509744, 1e-8);
}

TEST(what_others_name_is_not_discarded) {
  mjSpec* s = world(
      "<asset><texture name='t' type='2d' builtin='flat' width='2' height='2'/>"
      "<material name='m' texture='t'/></asset><custom><tuple name='T'><element "
      "objtype='material' objname='m'/><element objtype='geom' objname='v'/></tuple></custom>",
      ROOT SEEN "</body>");
  assert_int_equal(mjs_discardVisual(s, NULL), 1);
  const mjModel* m = test_compile(s);
  assert_int_equal(m->ngeom, 2);
  assert_int_equal(m->nmat, 1);
  assert_int_equal(m->ntex, 0);
  s = world("", ROOT "<geom size='.2' fluidshape='ellipsoid' contype='0' conaffinity='0'/></body>");
  assert_int_equal(mjs_discardVisual(s, NULL), 0);
}

TEST(a_mass_that_must_follow_the_geoms_cannot_lose_one) {
  mjSpec* s = world("<compiler inertiafromgeom='true'/>", ROOT SEEN "</body>");
  assert_int_equal(mjs_discardVisual(s, NULL), -1);
  assert_non_null(strstr(mjs_getError(s), "discarding visual geoms would change the inertia"));
  assert_int_equal(test_compile(s)->ngeom, 2);
  assert_int_equal(mjs_adoptInertial(mjs_findBody(s, "b"), NULL), -1);
  assert_non_null(strstr(mjs_getError(s), "an inertial cannot be adopted"));
}

TEST(an_adopted_inertial_compiles_to_the_same_model) {
  mjSpec* s = world("", ROOT
                    "<geom type='box' size='.1 .2 .3' pos='.3 .1 0' euler='10 20 30'/>"
                    "</body>");
  const mjModel* before = test_compile(s);
  mjsBody* body = mjs_findBody(s, "b");
  assert_int_equal(mjs_adoptInertial(body, NULL), 0);
  assert_int_equal(body->explicitinertial, 1);
  const mjModel* after = test_compile(s);
  assert_close(after->body_inertia + 3, before->body_inertia + 3, 3, 1e-14);
  assert_close(after->body_ipos + 3, before->body_ipos + 3, 3, 1e-14);
  assert_that(after->body_mass[1], ==, before->body_mass[1]);

  // geoms no longer matter, and a second time changes nothing
  mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "g"))->size[0] = 5;
  assert_int_equal(mjs_adoptInertial(body, NULL), 0);
  assert_that(test_compile(s)->body_mass[1], ==, before->body_mass[1]);
  assert_int_equal(mjs_adoptInertial(mjs_findBody(s, "world"), NULL), -1);
  assert_non_null(strstr(mjs_getError(s), "the world body has no inertial"));
}
