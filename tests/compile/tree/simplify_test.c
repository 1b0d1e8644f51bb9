// fusestatic and discardvisual: what is fused, what stays, and the numbers of the reference.

#include "support/models.h"
#include "support/near.h"
#include "support/test.h"

static mjModel* compile(const char* settings, const char* world) {
  char text[3000];
  snprintf(text, sizeof(text), "<mujoco>%s<worldbody>%s</worldbody></mujoco>", settings, world);
  mjSpec* spec = test_spec(text);
  mjModel* m = test_compile(spec);

  // once more: what was simplified stays as it is
  const mjModel* again = test_compile(spec);
  assert_int_equal(again->nbody, m->nbody);
  assert_int_equal(again->ngeom, m->ngeom);
  for (int i = 0; i < m->nbody; i++) {
    assert_that(again->body_mass[i], ==, m->body_mass[i]);
    assert_that(again->body_inertia[3 * i], ==, m->body_inertia[3 * i]);
  }
  return m;
}

static const char chain[] =
    "<body name='p' pos='1 2 3' euler='10 20 30'><joint/>"
    "<geom name='pg' size='1 .5 .3' type='box'/>"
    "<body name='s' pos='.4 .5 .6' euler='40 50 60'>"
    "<geom name='sg' type='capsule' size='.2 .3' pos='.1 0 0' euler='5 6 7'/><site name='t'/>"
    "<body name='m' pos='1 0 0'><joint type='slide'/><geom name='mg' size='.1'/></body></body>"
    "<geom name='pg2' size='.1' pos='2 2 2'/>"
    "<body name='q' pos='3 3 3'><joint/><geom name='qg' size='.3'/></body></body>";

#define FUSE "<compiler fusestatic='true'/>"

TEST(a_static_body_becomes_part_of_its_parent) {
  mjModel* m = compile(FUSE, chain);
  assert_int_equal(m->nbody, 4);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "m"), 2);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "sg"), 2);
  assert_close(m->body_mass + 1,
               ((const double[]){1313.0973355292324, 4.188790204786391, 113.09733552923255}), 3,
               1e-9);
  assert_close(m->body_inertia + 3,
               ((const double[]){612.1475242032702, 521.5236141695493, 224.00900907540435}), 3,
               1e-9);
  assert_close(m->body_ipos + 3,
               ((const double[]){0.0475979531620017, 0.04735260880081506, 0.05672035845617408}), 3,
               1e-9);
  assert_close(m->body_pos + 6,
               ((const double[]){0.7213938048432698, 1.4096158864219903, 0.8632583548096866}), 3,
               1e-9);
  assert_close(m->geom_pos + 6,
               ((const double[]){0.432139380484327, 0.590961588642199, 0.6263258354809687}), 3,
               1e-9);
}

TEST(a_body_whose_name_is_needed_stays) {
  static const char* const users[] = {
      FUSE "<contact><exclude body1='s' body2='q'/></contact>",
      FUSE "<sensor><framepos objtype='body' objname='s'/></sensor>",
      FUSE "<sensor><force site='t'/></sensor>",
      FUSE "<custom><tuple name='t'><element objtype='body' objname='s'/></tuple></custom>",
      "",
  };
  for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
    mjModel* m = compile(users[i], chain);
    assert_int_equal(m->nbody, 5);
    test_release(m);
  }
}

// u and a are fused, and the body around b: c, which was the fifth, is the third of four by then
TEST(a_needed_body_holds_named_ones_before_it) {
  static const char text[] = "<mujoco>" FUSE
                             "<worldbody><body/><body name='a'/><body><body name='b'/></body>"
                             "<body name='c'/><body name='d'/></worldbody>"
                             "<contact><exclude body1='c' body2='world'/></contact></mujoco>";
  mjModel* m = test_model(text);
  assert_int_equal(m->nbody, 3);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "b"), 1);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "c"), 2);
}

TEST(a_free_body_may_stand_on_bodies_that_are_fused) {
  mjModel* m = compile(FUSE,
                       "<body pos='1 0 0'><geom size='1'/><body pos='0 1 0'><geom size='1'/>"
                       "<body pos='0 0 1'><freejoint/><geom size='1'/></body></body></body>");
  assert_int_equal(m->nbody, 2);
  assert_close(m->qpos0, ((const double[]){1, 1, 1, 1, 0, 0, 0}), 7, 1e-9);
}

TEST(what_is_only_seen_goes_but_its_mass_stays) {
  mjModel* m = compile(
      "<compiler discardvisual='true'/><asset>"
      "<texture name='t' builtin='flat' type='2d' width='4' height='4'/>"
      "<material name='m' texture='t'/></asset>"
      "<sensor><framepos objtype='geom' objname='measured'/></sensor>",
      "<body><joint/><geom name='seen' size='.1' contype='0' conaffinity='0' material='m'/>"
      "<geom name='solid' size='.1' material='m'/><site material='m'/>"
      "<geom name='measured' size='.1' pos='1 0 0' contype='0' conaffinity='0'/></body>");
  assert_int_equal(m->ngeom, 2);
  assert_int_equal(m->nmat + m->ntex, 0);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "seen"), -1);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "measured"), 1);
  assert_close(m->body_mass + 1, ((const double[]){3 * 4.188790204786391}), 1, 1e-9);
}
