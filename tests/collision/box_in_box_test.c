// Boxes inside each other. Soft contacts are the reference's, which has none in some poses. Rigid
// and sticking contacts always exist and are as deep as the penetration search says.

#include <math.h>

#include "support/models.h"
#include "support/near.h"
#include "support/random.h"

static mjModel* in_mode(const char* mode, const char* bodies) {
  char xml[4000];
  snprintf(xml, sizeof xml,
           "<mujoco><custom><text name='condyle.contact' data='%s'/></custom>%s</mujoco>", mode,
           bodies);
  return test_model(xml);
}

static const char* const kModes[] = {"soft", "hard", "stick"};

static const char kPlateInBox[] =
    "<worldbody><geom type='box' size='.65 .48 .04' pos='.5 0 .74' euler='0 0 40'/>"
    "<body pos='0 0 .5'><freejoint/><geom type='box' size='.3 .25 .5'/></body></worldbody>";

TEST(a_plate_through_a_box_is_found_unless_it_is_soft) {
  static const int contacts[] = {0, 6, 6};
  for (int mode = 0; mode < 3; mode++) {
    mjModel* m = in_mode(kModes[mode], kPlateInBox);
    mjData* d = test_data(m);
    mj_forward(m, d);
    assert_int_equal(d->ncon, contacts[mode]);
    for (int i = 0; i < d->ncon; i++) {
      const mjtNum up[3] = {0, 0, -1};
      assert_near(d->contact[i].dist, -.3, 1e-6);
      assert_close(d->contact[i].frame, up, 3, 1e-6);
    }
  }
}

static const char kTwo[] =
    "<worldbody><geom type='box' size='1 1 1'/>"
    "<body><freejoint/><geom type='box' size='1 1 1'/></body></worldbody>";

// Sizes over two decades, centres and turns at random; each tenth pair is aligned.
static void scatter(mjModel* m, mjData* d, uint64_t* seed, int k) {
  mjtNum* size = m->geom_size;
  for (int i = 0; i < 6; i++) {
    size[i] = (mjtNum)pow(10, uniform_between(seed, -2, 0));
  }
  m->geom_rbound[0] = mju_norm3(size);
  m->geom_rbound[1] = mju_norm3(size + 3);
  for (int i = 0; i < 3; i++) {
    d->qpos[i] = (mjtNum)uniform_random(seed) * (size[i] + (mjtNum).3 * size[3 + i]);
  }
  for (int i = 3; i < 7; i++) {
    d->qpos[i] = k % 10 ? (mjtNum)uniform_random(seed) : (mjtNum)(i == 3);
  }
  mju_normalize4(d->qpos + 3);
  mj_fwdPosition(m, d);
}

// Of 20000 random pairs: those that overlap, those of them without a contact, and those whose
// deepest contact is less than 0.45 of the depth or along another way.
typedef struct Count {
  int overlap, none, shallow, off;
} Count;

static Count count(const char* mode) {
  Count n = {0};
  mjModel* m = in_mode(mode, kTwo);
  mjData* d = test_data(m);
  uint64_t seed = 5;
  for (int k = 0; k < 20000; k++) {
    scatter(m, d, &seed, k);
    mjtNum fromto[6], way[3], dist = mj_geomDistance(m, d, 0, 1, 1, fromto);
    if (dist > (mjtNum)-1e-6) {
      continue;
    }
    n.overlap++;
    const mjContact* deepest = d->contact;
    for (int i = 1; i < d->ncon; i++) {
      deepest = d->contact[i].dist < deepest->dist ? d->contact + i : deepest;
    }
    mju_sub3(way, fromto, fromto + 3);
    mju_normalize3(way);
    n.none += !d->ncon;
    n.shallow += d->ncon && deepest->dist > (mjtNum).45 * dist;
    n.off += d->ncon && mju_dot3(way, deepest->frame) < (mjtNum).9;
  }
  return n;
}

TEST(boxes_that_overlap_have_contacts_unless_they_are_soft) {
  if (sizeof(mjtNum) == sizeof(float)) {
    test_skip("rounding to single precision makes other contacts");
  }
  for (int mode = 0; mode < 3; mode++) {
    Count n = count(kModes[mode]);
    printf("%s: of %d overlaps %d without contact, %d shallow, %d along another way\n",
           kModes[mode], n.overlap, n.none, n.shallow, n.off);
    assert_int_equal(n.overlap > 15000, 1);
    assert_int_equal(n.none > 500, mode == 0);
    if (mode) {
      assert_int_equal(n.none, 0);
      assert_int_equal(n.shallow, 0);
      assert_int_equal(n.off < 5, 1);  // two ways out that are equally short
    }
  }
}

static const char kCube[] =
    "<asset><mesh name='c' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 "
    "-.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1'/></asset><worldbody>"
    "<geom type='box' size='1 1 .1'/><body pos='.03 .05 .25' euler='3 2 0'><freejoint/>"
    "<geom type='mesh' mesh='c'/></body></worldbody>";

TEST(mesh_cubes_come_to_rest_on_boxes_unless_they_are_soft) {
  for (int mode = 1; mode < 3; mode++) {
    mjModel* m = in_mode(kModes[mode], kCube);
    mjData* d = test_data(m);
    while (d->time < 4) {
      mj_step(m, d);
    }
    assert_int_equal(d->ncon, 4);
    assert_near(d->qpos[2], .2, 2e-4);
    assert_near(mju_norm(d->qvel, 6), 0, 1e-4);
  }
}

// Flat height fields of 2 m, struck at 3 m/s by a ball of 2 cm: beside a line of samples, on one
// and anywhere.
static double rest_height(const char* mode, int n, double x, double y) {
  char xml[2000];
  snprintf(xml, sizeof xml,
           "<asset><hfield name='h' nrow='%d' ncol='%d' size='1 1 .1 .1'/></asset>"
           "<worldbody><geom type='hfield' hfield='h'/><body pos='%g %g .5'>"
           "<freejoint/><geom size='.02'/></body></worldbody>",
           n, n, x, y);
  mjModel* m = in_mode(mode, xml);
  mjData* d = test_data(m);
  while (d->time < 4) {
    mj_step(m, d);
  }
  return (double)d->qpos[2];
}

TEST(balls_dropped_on_flat_height_fields_rest_on_them) {
  static const int samples[] = {2, 3, 10, 20, 50, 100};
  static const double place[][2] = {{0, 0}, {.03, .05}, {.1, -.1}, {-.37, .21}};
  for (int mode = 1; mode < 3; mode++) {
    for (int i = 0; i < 6; i++) {
      for (int k = 0; k < 4; k++) {
        assert_near(rest_height(kModes[mode], samples[i], place[k][0], place[k][1]), .02, 1e-3);
      }
    }
  }
}
