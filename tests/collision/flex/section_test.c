// Contacts of rods with box sections: numbers of release 4.0.0, sections by geometry, and sections
// that roll out of a plane's reach.

#include <mujoco/mujoco.h>
#include <string.h>

#include "model/flex/rod_frame.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

// The state that tests/reference/since/record.py starts from.
static mjData* in_motion(const mjModel* m) {
  mjData* d = test_data(m);
  mjtNum* move = malloc((size_t)m->nv * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    move[i] = (mjtNum)0.01 * mju_sin((mjtNum)(1 + i));
    d->qvel[i] = (mjtNum)0.5 * mju_cos((mjtNum)(2 * i));
  }
  mj_integratePos(m, d->qpos, move, 1);
  free(move);
  return d;
}

enum {
  NUMBERS = 15
};

// Objects, distance, position and normal of each contact, as they are recorded.
static size_t write_contacts(mjtNum* out, const mjData* d) {
  for (int i = 0; i < d->ncon; i++, out += NUMBERS) {
    const mjContact* con = d->contact + i;
    for (int k = 0; k < 2; k++) {
      out[k] = con->geom[k];
      out[2 + k] = con->flex[k];
      out[4 + k] = con->elem[k];
      out[6 + k] = con->vert[k];
    }
    out[8] = con->dist;
    mju_copy3(out + 9, con->pos);
    mju_copy3(out + 12, con->frame);
  }
  return NUMBERS * (size_t)d->ncon;
}

TEST(contacts_are_as_recorded_before_and_after_a_step) {
  DOUBLE_ONLY();
  static mjtNum contacts[NUMBERS * 200];
  mjModel* m = test_model_file("tests/models/since/boxrods.xml");
  mjData* d = in_motion(m);
  for (int later = 0; later < 2; later++) {
    mj_forward(m, d);
    assert_that(d->ncon, >, 10);
    assert_that(d->ncon, <=, 200);
    size_t n = write_contacts(contacts, d);
    assert_recorded_near(later ? "boxrods_later" : "boxrods_first", contacts, n, 1e-6);
    assert_recorded_near(later ? "boxrods_later_vel" : "boxrods_first_vel", d->efc_vel,
                         (size_t)d->nefc, 1e-6);
    mj_step(m, d);
  }
}

#define PLATE(attributes)                                                             \
  "<mujoco><compiler dialect='4.0'/><worldbody>"                                      \
  "<geom type='plane' size='1 1 1' pos='0 0 -.0151'/>"                                \
  "<flexcomp name='f' type='grid' dim='1' count='3 1 1' spacing='.1 .1 .1' mass='1'>" \
  "<contact selfcollide='none'/><elasticity young='1e5' " attributes                  \
  "/></flexcomp>"                                                                     \
  "</worldbody></mujoco>"

// The lowest corner of a section (a, b) at angle s is a sin(s) + b cos(s) below its vertex.
TEST(a_section_touches_a_plane_with_its_corners) {
  mjModel* m = test_model(PLATE("section='box' sectionsize='.02 .01'"));
  mjData* d = test_data(m);
  for (int i = 1; i < 16; i++) {
    mjtNum angle = (mjtNum)0.1 * (mjtNum)i;
    for (int j = 0; j < m->njnt; j++) {
      if (m->jnt_type[j] == mjJNT_HINGE) {
        d->qpos[m->jnt_qposadr[j]] = angle;
      }
    }
    mj_forward(m, d);
    mjtNum depth = (mjtNum)0.02 * mju_sin(angle) + (mjtNum)0.01 * mju_cos(angle);
    int touches = depth > (mjtNum)0.0151;
    assert_int_equal(d->ncon > 0, touches);
    for (int k = 0; k < d->ncon; k += d->ncon / 3) {
      assert_near(d->contact[k].dist, (mjtNum)0.0151 - depth, 1e-6);
    }
  }
}

TEST(elements_reach_as_far_as_the_corners_of_their_section) {
  mjModel* m = test_model(PLATE("section='box' sectionsize='.02 .01'"));
  mjData* d = test_data(m);
  mj_forward(m, d);
  assert_near(d->flexelem_aabb[4], mju_sqrt((mjtNum)5e-4), 1e-6);
  assert_near(flex_girth(m, 0), mju_sqrt((mjtNum)5e-4), 1e-6);
}

TEST(round_rods_have_no_section) {
  mjModel* m = test_model(PLATE(""));
  mjtNum half[2];
  assert_int_equal(rod_section(half, m, 0), 0);
  assert_near(flex_girth(m, 0), m->flex_radius[0], 0);
}

// Frames before the first step go from edge to edge, later from their own past: both are the same
// rotation for a rod that is bent in a plane.
TEST(boxes_of_single_edges_are_those_of_all) {
  mjModel* m = test_model_file("tests/models/since/boxrods.xml");
  mjData* d = in_motion(m);
  for (int later = 0; later < 2; later++) {
    mj_forward(m, d);
    mjtNum half[2];
    Rod rod;
    RodBox all[10], one;
    assert_true(rod_section(half, m, 0) && rod_of(&rod, m, 0));
    rod_boxes(all, m, d, &rod, 0, 0, rod.nedge, half);
    for (int e = 0; e < rod.nedge; e++) {
      rod_boxes(&one, m, d, &rod, 0, e, 1, half);
      assert_memory_equal(&one, all + e, sizeof(one));
    }
    mj_step(m, d);
  }
}
