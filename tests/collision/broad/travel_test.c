// Which geoms are fast, and whether their bounds hold all that they sweep.

#include "collision/broad/travel.h"

#include <math.h>

#include "base/algebra/vec.h"
#include "model/data/arena.h"
#include "support/draw.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/test.h"

#define FLAG "<option timestep='.01'><flag speculative='enable'/></option>"

// The travel of all geoms for a velocity of the first dofs; lives until the test ends.
static int open_at(Travel* travel, const mjModel* m, mjData* d, const double* qvel, int n) {
  for (int i = 0; i < n; i++) {
    d->qvel[i] = (mjtNum)qvel[i];
  }
  mj_kinematics(m, d);
  mj_comPos(m, d);
  return travel_open(travel, m, d);
}

// Whether a geom that moves is fast above a plane, or above a plate this thin.
static int is_fast(const char* geom, double vz, double wx, double thin) {
  char xml[600];
  snprintf(xml, sizeof(xml),
           "<mujoco>" FLAG
           "<worldbody><geom %s size='1 1 %g'/><body pos='0 0 2'><freejoint/>"
           "<geom %s/></body></worldbody></mujoco>",
           thin > 0 ? "type='box'" : "type='plane'", thin > 0 ? thin : 1, geom);
  const mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  Travel travel;
  return open_at(&travel, m, d, (const double[]){0, 0, vz, wx}, 4) &&
         travel_geoms_fast(&travel, 0, 1) && travel_bodies_fast(&travel, 1, 0);
}

TEST(a_geom_is_fast_if_it_travels_as_far_as_it_is_thin) {
  const char* box = "type='box' size='.1 .1 .02'";
  assert_int_equal(is_fast(box, 1.9, 0, 0), 0);
  assert_int_equal(is_fast(box, 2.001, 0, 0), 1);
  assert_int_equal(is_fast(box, 0, 13, 0), 0);
  assert_int_equal(is_fast(box, 0, 15, 0), 1);
  assert_int_equal(is_fast("type='capsule' size='.02 .1'", 0, 16, 0), 0);
  assert_int_equal(is_fast("type='capsule' size='.02 .1'", 0, 17, 0), 1);
}

TEST(a_geom_is_fast_if_it_travels_as_far_as_the_other_is_thin) {
  assert_int_equal(is_fast("size='.1'", 0.49, 0, 0.005), 0);
  assert_int_equal(is_fast("size='.1'", 0.5001, 0, 0.005), 1);
  assert_int_equal(is_fast("size='.1'", 9.9, 0, 0.2), 0);
  assert_int_equal(is_fast("size='.1'", 10.001, 0, 0.2), 1);
}

// Not the sum of both ways, but the longer one.
TEST(both_ways_do_not_add_up) {
  const mjModel* m = test_model("<mujoco>" FLAG
                                "<worldbody><body><freejoint/><geom size='.1'/></body>"
                                "<body pos='0 0 1'><freejoint/><geom size='.1'/></body>"
                                "<body pos='9 0 0'><freejoint/><geom size='.001'/></body>"
                                "</worldbody></mujoco>");
  mjData* d = test_data(m);
  Travel travel;
  assert_int_equal(open_at(&travel, m, d, (const double[]){0, 0, 9, 0, 0, 0, 0, 0, -9}, 9), 1);
  assert_int_equal(travel_geoms_fast(&travel, 0, 1), 0);
  assert_int_equal(open_at(&travel, m, d, (const double[]){0, 0, 9, 0, 0, 0, 0, 0, -10.1}, 9), 1);
  assert_int_equal(travel_geoms_fast(&travel, 0, 1), 1);
}

TEST(a_sphere_is_not_fast_because_it_spins) {
  assert_int_equal(is_fast("size='.1'", 0, 1e5, 0), 0);
}

TEST(fields_of_heights_are_not_fast) {
  const mjModel* m =
      test_model("<mujoco>" FLAG
                 "<asset><hfield name='h' nrow='2' ncol='2' size='1 1 .1 .1'/></asset>"
                 "<worldbody><geom size='1' contype='0' conaffinity='0'/><body><freejoint/>"
                 "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                 "<geom type='hfield' hfield='h'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  Travel travel;
  assert_int_equal(open_at(&travel, m, d, (const double[]){0, 0, 500}, 3), 0);
}

TEST(what_is_not_asked_for_has_no_travel) {
  mjModel* m = test_model("<mujoco>" FLAG
                          "<worldbody><geom size='.1'/><body><freejoint/><geom size='.1'/></body>"
                          "</worldbody></mujoco>");
  mjData* d = test_data(m);
  const double qvel[] = {0, 0, 50};
  Travel travel;
  assert_int_equal(open_at(&travel, m, d, qvel, 3), 1);
  assert_true(travel_geoms_fast(&travel, 0, 1) && travel_bodies_fast(&travel, 1, 0));
  assert_true(!travel_geoms_fast(&travel, 0, 0) && !travel_geoms_fast(NULL, 0, 1));
  size_t top = d->pstack;
  m->opt.disableflags = mjDSBL_NATIVECCD;
  assert_int_equal(open_at(&travel, m, d, qvel, 3), 0);
  m->opt.disableflags = 0;
  m->opt.enableflags = 0;
  assert_int_equal(open_at(&travel, m, d, qvel, 3), 0);
  assert_int_equal(d->pstack, top);
}

static const char arm[] =
    "<mujoco>" FLAG
    "<worldbody><body pos='.3 .2 1'><joint type='ball'/><geom type='capsule' size='.03' "
    "fromto='0 0 0 1 0 0'/><body pos='1 0 0'><joint axis='0 1 0'/><joint type='slide' "
    "axis='1 1 0'/><geom type='box' size='.2 .05 .02' pos='.2 0 .1' euler='10 20 30'/></body>"
    "</body></worldbody></mujoco>";

TEST(travel_is_that_of_the_geoms) {
  const mjModel* m = test_model(arm);
  mjData* d = test_data(m);
  d->qpos[4] = 0.7;
  Travel travel;
  assert_int_equal(open_at(&travel, m, d, (const double[]){3, -5, 7, 11, 4}, 5), 1);
  mj_forward(m, d);
  for (int g = 0; g < 2; g++) {
    mjtNum v[6], h = m->opt.timestep;
    mj_objectVelocity(m, d, mjOBJ_GEOM, g, v, 0);
    for (int k = 0; k < 3; k++) {
      assert_near(travel.geom[g].turn[k], h * v[k], 1e-12);
      assert_near(travel.geom[g].move[k], h * v[3 + k], 1e-12);
    }
  }
}

// Points of a geom all along its way.
TEST(extended_boxes_hold_all_that_is_swept) {
  const mjModel* m = test_model(arm);
  mjData* d = test_data(m);
  draw_scene(3);
  for (int i = 0; i < 200; i++) {
    double qvel[5];
    for (int k = 0; k < 5; k++) {
      qvel[k] = real(-300, 300);
    }
    size_t top = d->pstack;
    Travel travel;
    assert_int_equal(open_at(&travel, m, d, qvel, 5), 1);
    const GeomTravel* way = travel.geom + 1;
    GeomBox box;
    geom_box(&box, m, d, 1);
    travel_extend(&box, &travel, m, 1);
    for (int n = 0; n < 50; n++) {
      mjtNum t = (mjtNum)real(0, 1), q[4], axis[3], p[3], local[3];
      for (int k = 0; k < 3; k++) {
        local[k] = (whole(2) ? 1 : -1) * m->geom_size[3 + k];
      }
      v3_scl(axis, way->turn, 1 / way->angle);
      mju_axisAngle2Quat(q, axis, t * way->angle);
      m3_mulv(local, d->geom_xmat + 9, local);
      mju_rotVecQuat(p, local, q);
      v3_addto(p, d->geom_xpos + 3);
      v3_addtoscl(p, way->move, t);
      for (int k = 0; k < 3; k++) {
        assert_that(p[k], >=, (mjtNum)box.lo[k]);
        assert_that(p[k], <=, (mjtNum)box.hi[k]);
      }
    }
    arena_pop(d, top);
  }
}

TEST(spheres_are_apart_all_along_their_way) {
  const mjModel* m = test_model("<mujoco>" FLAG
                                "<worldbody><geom type='plane' size='1 1 .1' pos='0 0 -2'/>"
                                "<geom size='.1'/><body pos='1 0 0'><freejoint/><geom size='.2'/>"
                                "</body></worldbody></mujoco>");
  mjData* d = test_data(m);
  Travel travel;
  // passes at a distance of .3
  assert_int_equal(open_at(&travel, m, d, (const double[]){-200, 0, 0}, 3), 1);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 1, 2, 0), 0);
  assert_int_equal(open_at(&travel, m, d, (const double[]){-69.9, 0, 0}, 3), 1);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 1, 2, 0), 1);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 1, 2, (mjtNum)0.01), 0);
  assert_int_equal(open_at(&travel, m, d, (const double[]){-200, 65, 0}, 3), 1);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 1, 2, 0), 1);
  // down to the plane, and away from it
  assert_int_equal(open_at(&travel, m, d, (const double[]){0, 0, -181}, 3), 1);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 0, 2, 0), 0);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 2, 0, 0), 0);
  assert_int_equal(open_at(&travel, m, d, (const double[]){0, 0, -179}, 3), 1);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 0, 2, 0), 1);
  assert_int_equal(open_at(&travel, m, d, (const double[]){0, 0, 500}, 3), 1);
  assert_int_equal(travel_spheres_apart(&travel, m, d, 2, 0, 0), 1);
}

TEST(velocities_without_bounds_are_not_followed) {
  const mjModel* m = test_model(arm);
  mjData* d = test_data(m);
  Travel travel;
  assert_int_equal(open_at(&travel, m, d, (const double[]){0, 0, 0, 0, NAN}, 5), 0);
  open_at(&travel, m, d, (const double[]){0, 0, 0, 0, 1e300}, 5);
  assert_int_equal(travel_geoms_fast(&travel, 0, 1), 0);
}
