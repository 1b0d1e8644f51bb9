// The total energy changes exactly by what the forces that have no potential do: dampers, media,
// compensation of gravity, actuators, and forces from outside.

#include "support/models.h"
#include "support/zoo.h"

// E(t) - E(-t) along velocity and acceleration: the odd part of the energy, which begins with 2 t
// dE/dt.
static double odd_part(const mjModel* m, const mjData* d, mjData* moved, double t) {
  double end[2];
  mjtNum* mean = calloc((size_t)m->nv, sizeof *mean);
  for (int side = 0; side < 2; side++) {
    mjtNum time = (mjtNum)(side ? t : -t);
    mju_addScl(mean, d->qvel, d->qacc, time / 2, m->nv);
    mju_copy(moved->qpos, d->qpos, m->nq);
    mj_integratePos(m, moved->qpos, mean, time);
    mju_addScl(moved->qvel, d->qvel, d->qacc, time, m->nv);
    mj_fwdPosition(m, moved);
    mj_fwdVelocity(m, moved);
    mj_energyPos(m, moved);
    mj_energyVel(m, moved);
    end[side] = (double)(moved->energy[0] + moved->energy[1]);
  }
  free(mean);
  return end[1] - end[0];
}

// dE/dt; the errors of t^2 of both steps cancel
static double energy_rate(const mjModel* m, const mjData* d, mjData* moved) {
  const double t = 2e-4;
  return (8 * odd_part(m, d, moved, t / 2) - odd_part(m, d, moved, t)) / (6 * t);
}

// What each kind of force does, W.
enum {
  kDampers,
  kMedium,
  kCompensation,
  kActuators,
  kOutside,
  kKinds
};

static void powers(double out[kKinds], const mjModel* m, mjData* d) {
  mjtNum* outside = calloc((size_t)m->nv, sizeof *outside);
  mju_copy(outside, d->qfrc_applied, m->nv);
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* xfrc = d->xfrc_applied + 6 * i;
    mj_applyFT(m, d, xfrc, xfrc + 3, d->xipos + 3 * i, i, outside);
  }
  const mjtNum* force[kKinds] = {d->qfrc_damper, d->qfrc_fluid, d->qfrc_gravcomp, d->qfrc_actuator,
                                 outside};
  for (int k = 0; k < kKinds; k++) {
    out[k] = (double)mju_dot(force[k], d->qvel, m->nv);
  }
  free(outside);
}

static double largest[kKinds];
static int balanced;

// The inertia of a tendon between two branches doesn't fit in M: part of its energy is not counted.
static int has_tendon_inertia(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_armature[i] > 0) {
      return 1;
    }
  }
  return 0;
}

// Lift that actuators carry would count twice: here they carry none.
static void check_balance(const char* path) {
  mjModel* m = test_model_file("%s", path);
  mjData *d = test_data(m), *moved = test_data(m);
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  memset(m->jnt_actgravcomp, 0, (size_t)m->njnt);
  for (uint64_t seed = 1; seed <= 3 && m->nv && !has_tendon_inertia(m); seed++) {
    uint64_t forces = seed;
    zoo_randomize(m, d, seed);
    for (int i = 6; i < 6 * m->nbody; i++) {
      d->xfrc_applied[i] = uniform_random(&forces) * mju_min(1, m->body_mass[i / 6]);
    }
    mj_forward(m, d);
    double power[kKinds], sum = 0, size = 1;
    powers(power, m, d);
    size = fmax(size, largest_of(power, kKinds));
    for (int k = 0; k < kKinds; k++) {
      sum += power[k];
      largest[k] = fmax(largest[k], fabs(power[k]));
    }
    // energies move to and fro as well, between places and kinds
    for (int i = 0; i < m->nv; i++) {
      size = fmax(size, fabs((double)(d->qfrc_bias[i] * d->qvel[i])));
      size = fmax(size, fabs((double)(d->qfrc_spring[i] * d->qvel[i])));
    }
    double rate = energy_rate(m, d, moved);
    char label[200];
    snprintf(label, sizeof label, "%s, state %d: change of energy and power", path, (int)seed);
    assert_false(near_apart(label, rate, sum, 1e-6 * size));
    balanced++;
  }
}

TEST(energy_changes_by_what_forces_do) {
  DOUBLE_ONLY();
  models_each("fluid_", check_balance);
  models_each("integrator_", check_balance);
  models_each("tendon_", check_balance);
  models_each("actuator_", check_balance);
  models_each("joint_", check_balance);

  // every kind has had its share
  static const char* const names[kKinds] = {"dampers", "medium", "compensation", "actuators",
                                            "outside"};
  for (int k = 0; k < kKinds; k++) {
    print_message("largest power of %s: %.3g W\n", names[k], largest[k]);
    assert_that(largest[k], >, 0.01);
  }
  print_message("%d states\n", balanced);
}
