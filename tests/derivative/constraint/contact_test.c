// Contacts of two bodies: forces against differences, measures and pushes against their sums.

#include "derivative/constraint/contact.h"

#include "derivative/constraint/contact_scenes.h"

static void partials(Couplings* of, Load* loads, const RowLaw* law) {
  (void)loads;
  for (int i = 0; i < of->d->ncon; i++) {
    assert_int_equal(contact_partials(of, law, of->d->contact + i), 0);
  }
}

TEST(forces_of_contacts_change_as_differences_say) {
  DOUBLE_ONLY();
  for (int i = 0; i < NCONTACT_SCENE; i++) {
    Scene s = contact_scene(i);
    check_partials(&s, partials, 1e-6);
    scene_free(&s);
  }
}

// A contact of the scene, and accelerations
typedef struct {
  int contact;
  const mjtNum* x;
} Measured;

// its forces along its directions, and its distance
static void measure(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const Measured* measured = of;
  const mjContact* con = d->contact + measured->contact;
  mjtNum F[200];
  assert_that(m->nv, <=, 200);
  rows_force(F, m, d, (void*)(uintptr_t)measured->x);
  mj_markStack(d);
  RowLaw law = row_law_make(m, d, measured->x);
  mjtNum Hs[36], damping[6];
  contact_law(y, Hs, damping, &law, con);
  y[6] = con->dist;
  mj_freeStack(d);
}

TEST(what_a_contact_measures_changes_as_differences_say) {
  DOUBLE_ONLY();
  for (int i = 1; i < NCONTACT_SCENE; i++) {
    Scene s = contact_scene(i);
    Measured of = {.x = near_accelerations(&s)};
    RowLaw law = row_law_make(s.m, s.d, of.x);
    Couplings couplings = couplings_make(s.m, s.d, of.x, NULL, NULL, NULL);
    for (of.contact = 0; of.contact < s.d->ncon; of.contact++) {
      int dim = s.d->contact[of.contact].dim, nv = s.nv;
      ContactMotion* motion = calloc((size_t)nv, sizeof(ContactMotion));
      mjtNum *expected = scene_zeros(&s, 7 * nv), *all = scene_zeros(&s, 18 * nv);
      ContactRows rows = {.forces = dim, .motion = motion};
      for (int k = 0; k < 6; k++) {
        rows.q[k] = all + k * nv;
        rows.v[k] = all + (6 + k) * nv;
        rows.x[k] = all + (12 + k) * nv;
      }
      assert_int_equal(contact_measures(&rows, &couplings, &law, s.d->contact + of.contact), 0);
      differences_by_dofs(expected, measure, &of, s.m, s.d, 7, (mjtNum)1e-4);
      assert_numbers(all, expected, dim * nv, 1e-6, largest_of(expected, dim * nv) + 1e-9);
      for (int j = 0; j < nv; j++) {
        assert_near(motion[j].dist, expected[6 * nv + j], 1e-7);
      }
      free(motion);
    }
    scene_free(&s);
  }
}

// constant forces along the normals
static void push(mjtNum* y, const mjModel* m, mjData* d, void* of) {
  const mjtNum* force = of;
  const mjtNum zero[3] = {0, 0, 0};
  update_positions(m, d);
  mj_collision(m, d);
  mju_zero(y, m->nv);
  for (int i = 0; i < d->ncon; i++) {
    for (int side = 0; side < 2; side++) {
      mjtNum f[3];
      mju_scl3(f, d->contact[i].frame, side ? force[i] : -force[i]);
      mj_applyFT(m, d, f, zero, d->contact[i].pos, m->geom_bodyid[d->contact[i].geom[side]], y);
    }
  }
}

// Leaves numbers that are none where the next call has its own: what it doesn't set shows.
static __attribute__((noinline)) void spoil_stack(void) {
  volatile mjtNum spoiled[4000];
  for (int i = 0; i < 4000; i++) {
    spoiled[i] = (mjtNum)NAN;
  }
  (void)spoiled[0];
}

TEST(constant_pushes_change_as_differences_say) {
  DOUBLE_ONLY();
  Scene s = contact_scene(0);
  int n = s.nv * s.nv;
  mjtNum force[4] = {2, -3, 5, 7};
  mjtNum *G = scene_zeros(&s, n), *unused = scene_zeros(&s, n), *expected = scene_zeros(&s, n);
  Couplings of = couplings_make(s.m, s.d, s.d->qacc, G, unused, unused);
  for (int i = 0; i < s.d->ncon; i++) {
    spoil_stack();
    assert_int_equal(contact_push(&of, s.d->contact + i, force[i], 0), 0);
  }
  couplings_finish(&of);
  differences_by_dofs(expected, push, force, s.m, s.d, s.nv, (mjtNum)1e-4);
  assert_numbers(G, expected, n, 1e-7, largest_of(expected, n));
  assert_near(largest_of(unused, n), 0, 0);
  scene_free(&s);
}
