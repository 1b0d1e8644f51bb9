// Contacts of deformables, which act on several bodies, against differences.

#include "derivative/constraint/contact.h"
#include "derivative/constraint/rows.h"
#include "smooth/flex/flex.h"

// A sheet whose corners lie on a tilted plane, and the middle of its elements on a ball.
#define SHEET(CONE, PASSIVE)                                                                \
  "<mujoco><option cone='" CONE                                                             \
  "'/><default><geom solimp='.5 .9 .2 .5 3'/></default><worldbody>"                         \
  "<geom type='plane' size='3 3 1' euler='2 3 0' conaffinity='0'/><body pos='.1 .02 -.05'>" \
  "<joint axis='1 2 0' pos='0 0 -.1'/><geom size='.07' conaffinity='0'/></body>"            \
  "<flexcomp type='grid' count='2 2 1' spacing='.2 .2 .1' dim='2' mass='.4' name='cloth' "  \
  "radius='.03' pos='.05 .05 .02'><contact selfcollide='none' internal='false' condim='4' " \
  "solimp='.5 .9 .2 .5 3' passive='" PASSIVE                                                \
  "'/><edge damping='.05'/></flexcomp></worldbody>"                                         \
  "</mujoco>"

static const char* const cones[2] = {SHEET("pyramidal", "false"), SHEET("elliptic", "false")};

static Scene sheet_scene(const char* xml) {
  Scene s = scene_make(xml, 0.005);
  int corners = 0, elements = 0;
  for (int i = 0; i < s.d->ncon; i++) {
    corners += s.d->contact[i].vert[1] >= 0;
    elements += s.d->contact[i].elem[1] >= 0;
  }
  assert_that(corners, >, 0);
  assert_that(elements, >, 0);
  return s;
}

static void partials(Couplings* of, Load* loads, const RowLaw* law) {
  (void)loads;
  for (int i = 0; i < of->d->ncon; i++) {
    assert_int_equal(contact_partials(of, law, of->d->contact + i), 0);
  }
}

static void vjp(ConstraintVjp* of) {
  for (int i = 0; i < of->d->ncon; i++) {
    assert_int_equal(contact_vjp(of, of->d->contact + i), 0);
  }
}

TEST(forces_change_as_differences_say) {
  DOUBLE_ONLY();
  for (int i = 0; i < 2; i++) {
    Scene s = sheet_scene(cones[i]);
    check_partials(&s, partials, 1e-5);
    scene_free(&s);
  }
}

TEST(one_number_changes_as_differences_say) {
  DOUBLE_ONLY();
  for (int i = 0; i < 2; i++) {
    Scene s = sheet_scene(cones[i]);
    check_vjp(&s, vjp, 1e-5);
    scene_free(&s);
  }
}

static void springs(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  (void)of;
  update_positions(m, d);
  mj_flex(m, d);
  mj_collision(m, d);
  mju_zero(y, m->nv);
  flex_contact_forces(y, m, d);
}

TEST(springs_between_sides_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = sheet_scene(SHEET("elliptic", "true"));
  int n = s.nv * s.nv;
  mjtNum *G = scene_zeros(&s, n), *unused = scene_zeros(&s, n), *expected = scene_zeros(&s, n);
  Couplings of = couplings_make(s.m, s.d, s.d->qvel, G, unused, unused);
  for (int i = 0; i < s.d->ncon; i++) {
    mjtNum k = FLEX_PASSIVE_STIFFNESS;
    assert_int_equal(contact_push(&of, s.d->contact + i, -k * s.d->contact[i].dist, -k), 0);
  }
  couplings_finish(&of);
  differences_by_dofs(expected, springs, NULL, s.m, s.d, s.nv, (mjtNum)1e-4);
  assert_that(largest_of(expected, n), >, 1);
  assert_numbers(G, expected, n, 1e-5, largest_of(expected, n));
  scene_free(&s);
}
