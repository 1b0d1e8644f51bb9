// Contacts that are found before they happen: numbers of release 4.0.0, bullets that must not pass,
// and all that the flag leaves alone.

#include "collision/speculative/speculative.h"

#include <condyle/batch.h>
#include <condyle/behaviour.h>
#include <condyle/derivative.h>
#include <math.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "support/caught.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/starve.h"
#include "support/test.h"

#define FLAG "<flag speculative='enable'/>"

// recorded pairs: see record_speculative in tests/reference/since/record.py

enum {
  CASES = 432
};

static uint32_t drawn;

static double draw(double low, double high) {
  drawn = 1664525u * drawn + 1013904223u;
  return low + (high - low) * (drawn / 4294967296.0);
}

static void meet_only(mjModel* m, const int pair[2], mjtNum margin) {
  memset(m->geom_contype, 0, (size_t)m->ngeom * sizeof(int));
  memset(m->geom_conaffinity, 0, (size_t)m->ngeom * sizeof(int));
  memset(m->body_contype, 0, (size_t)m->nbody * sizeof(int));
  memset(m->body_conaffinity, 0, (size_t)m->nbody * sizeof(int));
  mju_zero(m->geom_margin, (int)m->ngeom);
  for (int k = 0; k < 2; k++) {
    int body = m->geom_bodyid[pair[k]];
    m->geom_contype[pair[k]] = m->geom_conaffinity[pair[k]] = 1;
    m->body_contype[body] = m->body_conaffinity[body] = 1;
    m->geom_margin[pair[k]] = margin;
  }
}

static void recorded_state(mjModel* m, mjData* d, int number) {
  drawn = 12345u + 1000003u * (uint32_t)number;
  int target = number / 8 % 9, is_plane = target == 8;
  const int pair[2] = {1 + number % 8, is_plane ? 0 : 9 + target};
  meet_only(m, pair, number % 5 == 4 ? (mjtNum)0.005 : 0);
  mju_copy(d->qpos, m->qpos0, m->nq);
  mju_zero(d->qvel, m->nv);
  double tilt = number / 72 % 3 == 0 ? 0.06 : 4;
  for (int k = 0; k < 2 - is_plane; k++) {
    mjtNum *q = d->qpos + 7 * (pair[k] - 1), *v = d->qvel + 6 * (pair[k] - 1);
    double way[3] = {draw(-0.5, 0.5), 0, 1};
    way[1] = draw(-0.5, 0.5);
    for (int i = 0; i < 3; i++) {
      q[i] = (mjtNum)(draw(-0.02, 0.02) + (k == 0 ? 0.45 * way[i] : 0));
      v[i] = (mjtNum)(k == 0 ? -40 * way[i] : draw(-5, 5));
      v[3 + i] = (mjtNum)(number % 2 ? draw(-8, 8) : 0);
    }
    q[3] = 1;
    for (int i = 0; i < 3; i++) {
      q[4 + i] = (mjtNum)(tilt * draw(-1, 1));
    }
  }
}

// How far the farthest of n points is from all of the others.
static mjtNum set_distance(const mjContact* con, const mjtNum* point, int n) {
  mjtNum most = 0;
  for (int i = 0; i < n; i++) {
    mjtNum least = INFINITY;
    for (int k = 0; k < n; k++) {
      least = num_min(least, v3_dist(con[k].pos, point + 3 * i));
    }
    most = num_max(most, least);
  }
  return most;
}

// Distances and normals agree as far as searches of round shapes end; which of equally large sets
// of four points is taken is decided by rounding.
TEST(contacts_of_fast_pairs_are_recorded) {
  DOUBLE_ONLY();
  mjModel* m = test_model_file("tests/models/since/speculative.xml");
  m->opt.behaviour = cnd_dialectBehaviour(400);
  mjData* d = test_data(m);
  mjtNum *counts = recorded("speculative_counts", CASES), sum = 0;
  for (int i = 0; i < CASES; i++) {
    sum += counts[i];
  }
  mjtNum* dists = recorded("speculative_dists", (size_t)sum);
  mjtNum* normals = recorded("speculative_normals", 3 * (size_t)sum);
  mjtNum* points = recorded("speculative_points", 3 * (size_t)sum);
  int others = 0, same = 0;
  for (int i = 0, at = 0; i < CASES; i++) {
    int n = (int)counts[i];
    recorded_state(m, d, i);
    mj_forward(m, d);
    if (d->ncon != n) {
      others++;
    } else if (n) {
      assert_near(d->contact->dist, dists[at], 2e-5);
      assert_numbers(d->contact->frame, normals + 3 * at, 3, 2e-4, 1);
      others += set_distance(d->contact, points + 3 * at, n) > (mjtNum)2e-4;
      same++;
    }
    at += n;
  }
  assert_that(same, >, 400);
  assert_that(others, <=, 8);
  free(counts);
  free(dists);
  free(normals);
  free(points);
}

// a ball above a plane

#define BALL(option, attributes)                                                             \
  "<mujoco><option timestep='.01' " option ">" FLAG "</option><default><geom " attributes    \
  "/></default><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .2'><freejoint/>" \
  "<geom size='.1' mass='1'/></body></worldbody></mujoco>"

static mjData* falling(const mjModel* m, double vz) {
  mjData* d = test_data(m);
  d->qvel[2] = (mjtNum)vz;
  return d;
}

static void falls_to(const char* xml, double dist, double z, double v) {
  const mjModel* m = test_model(xml);
  mjData* d = falling(m, -20);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_near(d->contact->dist, dist, 1e-9);
  assert_that(d->contact->exclude, ==, 0);
  assert_close(d->contact->pos, ((const mjtNum[]){0, 0, (mjtNum)0.1}), 3, 1e-9);
  mj_step(m, d);
  if (!isnan(z)) {
    assert_near(d->qpos[2], z, 1e-6);
    assert_near(d->qvel[2], v, 1e-4);
  }
}

// Without gravity, the ball ends the step 2 percent of its gap above the plane.
TEST(a_ball_comes_to_just_above_the_plane) {
  DOUBLE_ONLY();
  falls_to(BALL("gravity='0 0 0'", ""), 0.392, 0.102, -9.8);
  falls_to(BALL("gravity='0 0 0'", "solref='.05 1'"), -0.55, 0.102, -9.8);
  falls_to(BALL("gravity='0 0 0'", "solref='.1 1'"), -6.2, 0.102, -9.8);
  falls_to(BALL("gravity='0 0 0'", "solref='-100 -50' solimp='.9 .9 .001'"), -0.2, 0.102, -9.8);
  falls_to(BALL("gravity='0 0 0'", "solref='0 -199'"), -0.001, NAN, 0);
  falls_to(BALL("gravity='0 0 0'", "solref='.005 1'"), 0.392, 0.102, -9.8);
  falls_to(BALL("gravity='0 0 0'", "solimp='.5 .8 1'"), 0.392, NAN, 0);
}

// Also of release 4.0.0; springs beyond the time step are those of one step.
TEST(discrete_steps_have_distances_of_their_own) {
  DOUBLE_ONLY();
#define DISCRETE "gravity='0 0 0' integrator='discrete'"
  falls_to(BALL(DISCRETE, ""), 0.082, 0.102, -9.8);
  falls_to(BALL(DISCRETE, "solref='.1 1'"), -8.142, NAN, 0);
  falls_to(BALL(DISCRETE, "solref='-100 -50' solimp='.9 .9 .001'"), -5.202, NAN, 0);
  falls_to(BALL(DISCRETE, "solref='.005 1'"), 0.191723335956, NAN, 0);
  falls_to(BALL(DISCRETE, "solref='0 -199'"), -0.001, NAN, 0);
}

TEST(a_gap_that_the_bounding_spheres_do_not_close_has_no_contact) {
  const mjModel* m = test_model(BALL("gravity='0 0 0'", ""));
  mjData* d = falling(m, -20);
  d->qpos[2] = (mjtNum)0.2999;
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  d->qpos[2] = (mjtNum)0.3019;
  mj_forward(m, d);
  assert_that(d->ncon, ==, 0);
}

// What is in the gap is no contact yet, so the coming one takes its place; what acts stays alone.
TEST(contacts_in_the_gap_are_replaced_and_those_that_act_are_not) {
  DOUBLE_ONLY();
  mjModel* m = test_model(BALL("gravity='0 0 0'", "solref='.05 1' margin='.02' gap='.2'"));
  m->opt.behaviour = cnd_dialectBehaviour(400);
  m->geom_margin[0] = m->geom_gap[0] = 0;
  mjData* d = falling(m, -25);
  d->qpos[2] = (mjtNum)0.13;
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_near(d->contact->dist, -3.485, 1e-9);
  d->qpos[2] = (mjtNum)0.115;
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_near(d->contact->dist, 0.015, 1e-9);
  d->qvel[2] = 1;
  d->qpos[2] = (mjtNum)0.13;
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_that(d->contact->exclude, ==, 1);
}

TEST(the_legacy_pipeline_foresees_nothing) {
  mjModel* m = test_model(BALL("", ""));
  m->opt.disableflags = mjDSBL_NATIVECCD;
  mjData* d = falling(m, -20);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 0);
}

TEST(explicit_pairs_and_overrides_have_their_own_parameters) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><option timestep='.01' gravity='0 0 0'>" FLAG
      "</option><worldbody><geom type='plane' size='1 1 .1' name='p' contype='0' conaffinity='0'/>"
      "<body pos='0 0 .2'><freejoint/><geom size='.1' name='s'/></body></worldbody><contact>"
      "<pair geom1='p' geom2='s' margin='.02' condim='4' solref='.07 1'/></contact></mujoco>");
  mjData* d = falling(m, -20);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_that(d->contact->dim, ==, 4);
  assert_near(d->contact->dist, -3.1384, 1e-9);
  m->opt.enableflags |= mjENBL_OVERRIDE;
  m->opt.o_margin = (mjtNum)0.01;
  m->opt.o_solref[0] = (mjtNum)0.05;
  mj_forward(m, d);
  assert_near(d->contact->dist, -0.785, 1e-9);
}

TEST(what_adheres_is_foreseen_with_its_friction) {
  mjModel* m = test_model(BALL("", "adhesion='5'"));
  m->opt.behaviour = cnd_dialectBehaviour(400);
  mjData* d = falling(m, -20);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_that(d->contact->dim, ==, 3);
  assert_that(d->contact->exclude, ==, 0);
}

// a thin box that falls flat on a plane has four contacts, without multiccd one on a box
TEST(flat_faces_have_several_points) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><option timestep='.01' gravity='0 0 0'>" FLAG
      "</option><worldbody><geom type='box' size='1 1 .1' pos='0 0 -.1'/><body pos='0 0 .2'>"
      "<freejoint/><geom type='box' size='.1 .1 .02'/></body></worldbody></mujoco>");
  mjData* d = falling(m, -30);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_near(d->contact->dist, 0.7056, 1e-6);
  m->opt.enableflags |= mjENBL_MULTICCD;
  mj_forward(m, d);
  assert_that(d->ncon, ==, 4);
  for (int i = 0; i < 4; i++) {
    assert_near(d->contact[i].dist, 0.7056, 1e-6);
    assert_near(mju_abs(d->contact[i].pos[0]), 0.1, 1e-9);
    assert_near(d->contact[i].pos[2], 0.18, 1e-9);
  }
}

// bullets

static const char bullet_scene[] =
    "<mujoco><option timestep='.002' %s>" FLAG
    "</option><custom><text name='condyle.contact' data='%s'/></custom><asset>"
    "<mesh name='m' vertex='.01 0 0 -.01 0 0 0 .01 0 0 -.01 0 0 0 .01 0 0 -.01'/></asset>"
    "<worldbody>"
    "<body pos='%g 0 0'>%s<geom type='box' size='.0005 .5 .5' mass='2'/></body>"
    "<body pos='0 0 0'><freejoint/><geom %s mass='.01'/></body></worldbody></mujoco>";

// Whether a bullet at 300 m/s, whose hit doesn't turn it, stays in front of a plate of 1 mm that is
// somewhere in its way.
static int stays_in_front(const char* option, const char* contact, const char* shape, double at,
                          const char* joint) {
  char xml[1500];
  snprintf(xml, sizeof(xml), bullet_scene, option, contact, at, joint, shape);
  mjModel* m = test_model(xml);
  m->opt.behaviour = cnd_dialectBehaviour(400);
  mjData* d = test_data(m);
  d->qvel[*joint ? 6 : 0] = 300;
  int in_front = 1;
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
    mjtNum gap[3], local[3];
    v3_sub(gap, d->qpos + (*joint ? 7 : 0), *joint ? d->qpos : m->body_pos + 3);
    if (*joint) {
      mjtNum back[4];
      mju_negQuat(back, d->qpos + 3);
      mju_rotVecQuat(local, gap, back);
    } else {
      v3_copy(local, gap);
    }
    in_front &= local[0] < 0;
  }
  test_release(d);
  test_release(m);
  return in_front;
}

static const char* const bullets[] = {
    "size='.01'",
    "type='capsule' size='.01 .01'",
    "type='ellipsoid' size='.01 .015 .012'",
    "type='cylinder' size='.01 .01'",
    "type='box' size='.01 .01 .01'",
    "type='mesh' mesh='m'",
};

// Whether the hit doesn't turn a bullet. The point of a round one nearest to a face is known to the
// root of the rounding: 0.1 mm in single precision, an arm by which a hit turns it at 380 rad/s.
static int stays_straight(const char* shape) {
  int is_round = strstr(shape, "ellipsoid") || strstr(shape, "cylinder");
  return sizeof(mjtNum) == sizeof(double) || !is_round;
}

static void none_passes(const char* option, const char* contact, const char* joint) {
  for (int i = 0; i < 6; i++) {
    if (!stays_straight(bullets[i])) {
      continue;
    }
    for (double at = 0.05; at < 1.5; at += 0.137) {
      if (!stays_in_front(option, contact, bullets[i], at, joint)) {
        fail_msg("%s passes a plate at %g (%s %s %s)", bullets[i], at, option, contact, joint);
      }
    }
  }
}

TEST(bullets_do_not_pass_a_fixed_plate) {
  none_passes("", "soft", "");
}

TEST(bullets_do_not_pass_a_free_plate) {
  none_passes("", "soft", "<freejoint/>");
}

TEST(bullets_do_not_pass_with_elliptic_cones_and_implicit_integrators) {
  none_passes("cone='elliptic' integrator='implicitfast'", "soft", "");
}

TEST(bullets_do_not_pass_rigid_plates) {
  none_passes("", "hard", "");
  none_passes("", "hard", "<freejoint/>");
}

TEST(bullets_do_not_pass_plates_that_stick) {
  none_passes("", "stick", "");
}

TEST(without_the_flag_they_pass) {
  int stay = 0;
  for (double at = 0.05; at < 1.5; at += 0.137) {
    char xml[1500];
    snprintf(xml, sizeof(xml), bullet_scene, "", "soft", at, "", bullets[0]);
    mjModel* m = test_model(xml);
    m->opt.enableflags = 0;
    mjData* d = test_data(m);
    d->qvel[0] = 300;
    for (int i = 0; i < 20; i++) {
      mj_step(m, d);
    }
    stay += d->qpos[0] < at;
  }
  assert_that(stay, <=, 1);
}

// Rigid contacts close by 98 percent of their gap, and rebound as they always do.
TEST(rigid_contacts_end_or_rebound_near_the_surface) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.01' gravity='0 0 0'>" FLAG
      "</option><custom><text name='condyle.contact' data='hard'/>"
      "<numeric name='condyle.restitution' data='.5'/></custom><worldbody>"
      "<geom type='plane' size='1 1 .1'/><body pos='0 0 .2'><freejoint/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  mjData* d = falling(m, -20);
  mj_forward(m, d);
  assert_that(d->ncon, ==, 1);
  assert_near(d->contact->dist, 0.098, 1e-9);
  mj_step(m, d);
  assert_near(d->qvel[2], 10, 1e-6);
  m = test_model(
      "<mujoco><option timestep='.01' gravity='0 0 0'>" FLAG
      "</option><custom><text name='condyle.contact' data='hard'/></custom><worldbody>"
      "<geom type='plane' size='1 1 .1'/><body pos='0 0 .2'><freejoint/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  d = falling(m, -20);
  mj_step(m, d);
  assert_near(d->qpos[2], 0.102, 1e-6);
}

// what the flag leaves alone

static void assert_same_contacts(const mjData* a, const mjData* b) {
  assert_that(a->ncon, ==, b->ncon);
  for (int i = 0; i < a->ncon; i++) {
    const mjContact *x = a->contact + i, *y = b->contact + i;
    assert_memory_equal(&x->dist, &y->dist, sizeof(mjtNum));
    assert_memory_equal(x->pos, y->pos, sizeof(x->pos));
    assert_memory_equal(x->frame, y->frame, sizeof(x->frame));
    assert_memory_equal(x->geom, y->geom, sizeof(x->geom));
    assert_that(x->exclude, ==, y->exclude);
  }
}

static void assert_same_run(mjModel* m, int steps) {
  mjData *with = test_data(m), *without = test_data(m);
  for (int i = 0; i < steps; i++) {
    m->opt.enableflags |= mjENBL_SPECULATIVE;
    mj_step(m, with);
    m->opt.enableflags &= ~mjENBL_SPECULATIVE;
    mj_step(m, without);
  }
  assert_that(with->ncon, ==, without->ncon);
  assert_memory_equal(with->qpos, without->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(with->qvel, without->qvel, (size_t)m->nv * sizeof(mjtNum));
  assert_same_contacts(with, without);
}

TEST(slow_scenes_are_the_same_bit_by_bit) {
  const char* const files[] = {"models/humanoid.xml", "models/rubble.xml", "models/hand.xml"};
  for (int i = 0; i < 3; i++) {
    assert_same_run(test_model_file("%s", files[i]), 100);
  }
}

TEST(a_pile_at_rest_does_not_feel_a_bullet_elsewhere) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>"
      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='3 0 5'><freejoint/><geom size='.01'/></body></worldbody></mujoco>");
  mjData *with = test_data(m), *without = test_data(m);
  with->qvel[12] = without->qvel[12] = 300;
  for (int i = 0; i < 50; i++) {
    m->opt.enableflags = mjENBL_SPECULATIVE;
    mj_step(m, with);
    m->opt.enableflags = 0;
    mj_step(m, without);
  }
  assert_memory_equal(with->qpos, without->qpos, (size_t)m->nq * sizeof(mjtNum));
}

// The order of contacts doesn't depend on which broad phase has found them.
TEST(fast_geoms_meet_in_the_order_of_others) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='9 9 .1'/>"
      "<body pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/><geom size='.1' "
      "pos='.3 0 0'/></body><body pos='0 0 .298'><freejoint/><geom type='box' size='.1 .1 .1'/>"
      "<geom type='capsule' size='.1 .1' pos='.3 0 0'/></body>"
      "<body pos='5 0 5'><freejoint/><geom size='.01'/></body></worldbody></mujoco>");
  mjData *with = test_data(m), *without = test_data(m);
  with->qvel[12] = without->qvel[12] = 300;
  mj_forward(m, without);
  m->opt.enableflags = mjENBL_SPECULATIVE;
  mj_forward(m, with);
  assert_that(with->ncon, >, 5);
  assert_that(with->ncon, ==, without->ncon);
  assert_same_contacts(with, without);
}

// A fixed body with so many geoms that its tree of boxes stands for them.
TEST(bullets_hit_walls_of_many_bricks) {
  char xml[12000] =
      "<mujoco><option timestep='.002' gravity='0 0 0'>" FLAG "</option><worldbody><body>";
  for (int i = 0; i < 81; i++) {
    snprintf(xml + strlen(xml), sizeof(xml) - strlen(xml),
             "<geom type='box' size='.0005 .05 .05' pos='0 %g %g'/>", 0.1 * (i % 9 - 4),
             0.1 * (i / 9 - 4));
  }
  strcat(xml,
         "</body><body pos='-.2 .13 .22'><freejoint/><geom size='.01'/></body></worldbody>"
         "</mujoco>");
  const mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  d->qvel[0] = 300;
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
  }
  assert_that(d->qpos[0], <, 0);
}

TEST(a_bullet_wakes_what_it_will_hit) {
  mjModel* m = test_model(
      "<mujoco><option timestep='.002'><flag speculative='enable' sleep='enable'/></option>"
      "<worldbody><geom type='plane' size='9 9 .1'/><body pos='0 0 .1'><freejoint/>"
      "<geom type='box' size='.1 .1 .1'/></body><body pos='-5 0 .1'><freejoint/>"
      "<geom size='.01' mass='.5'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  for (int i = 0; i < 1000 && d->ntree_awake == 2; i++) {
    d->qvel[6] = 0.5;  // the ball stays awake
    mj_step(m, d);
  }
  assert_that(d->tree_asleep[0], >=, 0);
  assert_that(d->tree_asleep[1], <, 0);
  d->qpos[7] = (mjtNum)-0.5;
  d->qpos[8] = 0;
  d->qpos[9] = (mjtNum)0.1;
  d->qvel[6] = 300;
  mj_step(m, d);
  assert_that(d->tree_asleep[0], <, 0);
  assert_that(d->qvel[0], >, 0.1);
  assert_that(d->qpos[7], <, (mjtNum)-0.1);
}

// who knows of it

TEST(worlds_of_a_batch_are_steps_without_lanes) {
  const mjModel* m = test_model(BALL("", "solref='.05 1'"));
  mjData *d = falling(m, -20), *world = falling(m, -20);
  cndBatch* batch = cnd_makeBatch(m, 3, 1);
  assert_non_null(batch);
  cnd_batchLanes(batch, cndLANES_DOUBLE);
  assert_non_null(strstr(cnd_batchWhy(batch), "speculative"));
  cnd_batchSetData(batch, 1, world);
  mj_step(m, d);
  assert_int_equal(cnd_batchStep(batch, NULL, NULL, 1), cndRUN_DONE);
  cnd_batchGetData(batch, 1, world);
  assert_memory_equal(world->qpos, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  assert_memory_equal(world->qvel, d->qvel, (size_t)m->nv * sizeof(mjtNum));
  cnd_deleteBatch(batch);
}

TEST(exact_derivatives_refuse_it) {
  const mjModel* m = test_model(BALL("", ""));
  mjData* d = falling(m, -20);
  mjtNum A[144];
  assert_error(cnd_transitionExact(m, d, A, NULL, NULL, NULL), "flag speculative");
}

// The velocity after the step follows from the one before through the distance of the contact.
TEST(differences_see_that_contacts_follow_from_velocities) {
  DOUBLE_ONLY();
  const mjModel* m = test_model(BALL("gravity='0 0 0'", "solref='.05 1'"));
  mjData* d = falling(m, -20);
  mjtNum A[144], eps = (mjtNum)1e-6, after[2];
  mjd_transitionFD(m, d, eps, 1, A, NULL, NULL, NULL);
  for (int i = 0; i < 2; i++) {
    mjData* moved = falling(m, -20 + (double)(i ? eps : -eps));
    mj_step(m, moved);
    after[i] = moved->qvel[2];
  }
  assert_near(A[8 * 12 + 8], (after[1] - after[0]) / (2 * eps), 1e-4);
}

TEST(stepping_touches_no_heap) {
  STARVE_OR_SKIP();
  char xml[1500];
  snprintf(xml, sizeof(xml), bullet_scene, "", "soft", 0.2, "<freejoint/>", bullets[5]);
  const mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  d->qvel[6] = 300;
  starve_after(0, 0);
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
  }
  int refused = starve_pause();
  starve_end();
  assert_int_equal(refused, 0);
}

// However small the arena, contacts are left out with a warning.
TEST(any_arena_will_do) {
  char xml[1500];
  snprintf(xml, sizeof(xml), bullet_scene, "", "soft", 0.2, "<freejoint/>", bullets[4]);
  for (int bytes = 0; bytes < 60000; bytes += 500) {
    mjModel* m = test_model(xml);
    m->narena = bytes;
    mjData* d = test_data(m);
    d->qvel[6] = 300;
    mj_step(m, d);
    test_release(d);
    test_release(m);
  }
}
