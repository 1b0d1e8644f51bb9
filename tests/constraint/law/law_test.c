// The force law: forces are minus the gradient of the cost, blocks are its curvature, zones meet
// without a jump.

#include "constraint/law/law.h"
#include "constraint/solver/cone_lines.h"

#include "support/near.h"
#include "support/test.h"

enum {
  NROW = 12  // 1 equality, 2 friction loss, 2 limits, a cone of dim 4, a cone of dim 3
};

typedef struct {
  Rows rows;
  mjContact contact[2];
  int type[NROW], id[NROW];
  mjtNum D[NROW], R[NROW], frictionloss[NROW];
  mjtNum force[NROW], jar[NROW];
  int state[NROW];
} Sample;

static mjtNum uniform(mjtNum low, mjtNum high) {
  return low + (high - low) * (mjtNum)rand() / (mjtNum)RAND_MAX;
}

// a cone whose D agrees with its friction, as in mj_makeConstraint
static void set_cone(Sample* s, int row, int id, int dim) {
  mjContact* contact = s->contact + id;
  contact->dim = dim;
  for (int j = 0; j < 5; j++) {
    contact->friction[j] = uniform((mjtNum)0.2, 1);
  }
  mjtNum ratio = uniform((mjtNum)0.5, 2);
  contact->mu = contact->friction[0] / (mjtNum)sqrt((double)ratio);
  for (int j = 0; j < dim; j++) {
    s->type[row + j] = mjCNSTR_CONTACT_ELLIPTIC;
    s->id[row + j] = id;
    mjtNum share = j ? contact->friction[0] / contact->friction[j - 1] : 1;
    s->R[row + j] = j ? s->R[row] / ratio * share * share : s->R[row];
  }
}

static void make_sample(Sample* s) {
  memset(s, 0, sizeof *s);
  const int type[NROW] = {mjCNSTR_EQUALITY, mjCNSTR_FRICTION_DOF, mjCNSTR_FRICTION_TENDON,
                          mjCNSTR_LIMIT_JOINT, mjCNSTR_LIMIT_TENDON};
  memcpy(s->type, type, sizeof type);
  for (int i = 0; i < NROW; i++) {
    s->R[i] = uniform((mjtNum)0.1, 1);
    s->frictionloss[i] = i == 1 || i == 2 ? uniform((mjtNum)0.5, 2) : 0;
    s->jar[i] = uniform(-2, 2);
  }
  set_cone(s, 5, 0, 4);
  set_cone(s, 9, 1, 3);
  for (int i = 0; i < NROW; i++) {
    s->D[i] = 1 / s->R[i];
  }
  s->rows = (Rows){.nefc = NROW,
                   .ne = 1,
                   .nf = 2,
                   .type = s->type,
                   .id = s->id,
                   .D = s->D,
                   .R = s->R,
                   .frictionloss = s->frictionloss,
                   .contact = s->contact,
                   .elliptic = 1};
}

static mjtNum cost_at(Sample* s, int hessian) {
  return law_cost(s->force, s->state, &s->rows, s->jar, hessian);
}

#define STEP (sizeof(mjtNum) == 8 ? (mjtNum)1e-6 : (mjtNum)1e-2)
#define CLOSE (sizeof(mjtNum) == 8 ? (mjtNum)1e-5 : (mjtNum)5e-2)

TEST(force_is_minus_the_gradient) {
  for (int trial = 0; trial < 300; trial++) {
    Sample s;
    make_sample(&s);
    cost_at(&s, 0);
    mjtNum force[NROW];
    memcpy(force, s.force, sizeof force);
    for (int i = 0; i < NROW; i++) {
      mjtNum x = s.jar[i];
      s.jar[i] = x + STEP;
      mjtNum up = cost_at(&s, 0);
      s.jar[i] = x - STEP;
      mjtNum down = cost_at(&s, 0);
      s.jar[i] = x;
      assert_relative((down - up) / (2 * STEP), force[i], CLOSE, 1);
    }
  }
}

TEST(cone_hessian_is_the_curvature) {
  int tested = 0;
  for (int trial = 0; trial < 300; trial++) {
    Sample s;
    make_sample(&s);
    cost_at(&s, 1);
    if (s.state[5] != mjCNSTRSTATE_CONE) {
      continue;
    }
    tested++;
    mjtNum H[16], force[NROW];
    memcpy(H, s.contact[0].H, sizeof H);
    memcpy(force, s.force, sizeof force);
    for (int k = 0; k < 4; k++) {
      mjtNum x = s.jar[5 + k], up[4], product = 0;
      s.jar[5 + k] = x + STEP;
      cost_at(&s, 0);
      memcpy(up, s.force + 5, sizeof up);
      s.jar[5 + k] = x - STEP;
      cost_at(&s, 0);
      s.jar[5 + k] = x;
      for (int j = 0; j < 4; j++) {
        assert_relative((s.force[5 + j] - up[j]) / (2 * STEP), H[j * 4 + k], 10 * CLOSE, 1);
        product += H[k * 4 + j] * s.jar[5 + j];
      }
      // the cost is homogeneous of degree two
      assert_relative(product, -force[5 + k], (mjtNum)1e-4, 1);
    }
  }
  assert_that(tested, >, 30);
}

TEST(forces_lie_in_their_sets) {
  int stuck = 0, limits = 0, cones = 0;
  for (int trial = 0; trial < 1000; trial++) {
    Sample s;
    make_sample(&s);
    cost_at(&s, 0);
    for (int i = 1; i < 3; i++) {
      assert_that(fabs((double)s.force[i]), <=, (double)s.frictionloss[i]);
      stuck += s.force[i] != 0;
    }
    limits += s.force[3] > 0;
    assert_that(s.force[3], >=, 0);
    assert_that(s.force[4], >=, 0);
    for (int c = 0; c < 2; c++) {
      const mjtNum* f = s.force + (c ? 9 : 5);
      double square = 0;
      for (int j = 1; j < s.contact[c].dim; j++) {
        square += pow((double)(f[j] / s.contact[c].friction[j - 1]), 2);
      }
      assert_that(f[0], >=, 0);
      assert_that(sqrt(square), <=, (double)f[0] * (1 + 1e-5));
      cones += square > 0;
    }
  }
  assert_that(stuck, >, 100);
  assert_that(limits, >, 100);
  assert_that(cones, >, 100);
}

TEST(zones_meet_without_a_jump) {
  for (int trial = 0; trial < 100; trial++) {
    Sample s;
    make_sample(&s);
    mjtNum before = 0;
    int zones = 0;
    for (int j = 6; j < 9; j++) {
      s.jar[j] /= 50;
    }
    for (int i = 0; i <= 4000; i++) {
      s.jar[5] = (mjtNum)(i - 2000) / 400;
      mjtNum cost = cost_at(&s, 0);
      zones |= 1 << s.state[5];
      if (i) {
        mjtNum slope = (mjtNum)fabs((double)s.force[5]) + s.D[5] / 100;
        assert_that(fabs((double)(cost - before)), <=, (double)slope / 400 * 1.5);
      }
      before = cost;
    }
    assert_int_equal(
        zones, 1 << mjCNSTRSTATE_SATISFIED | 1 << mjCNSTRSTATE_QUADRATIC | 1 << mjCNSTRSTATE_CONE);
  }
}

// the cost at alpha along x + alpha v, its slope -f.v, its curvature by differences
TEST(laws_along_a_line_are_those_of_points) {
  int zones = 0;
  for (int trial = 0; trial < 300; trial++) {
    Sample s;
    make_sample(&s);
    mjtNum v[4], cost = 0, slope = 0;
    LawPoint sum = {0}, up = {0}, down = {0}, beside = {0};
    ConePoint at = cone_point(s.contact, s.jar + 5);
    cost = cone_cost(s.force + 5, &at, s.contact, s.D + 5, s.jar + 5);
    for (int j = 0; j < 4; j++) {
      v[j] = uniform(-1, 1);
      slope -= s.force[5 + j] * v[j];
    }
    const mjtNum* phi = s.contact->friction;
    ConeRows cone = {0, 4, {s.contact->mu, phi[0], phi[1], phi[2]}};
    ConeLines lines;
    cone_lines_make(&lines, &cone, 1, s.D + 5);
    cone_lines_turn(&lines, &cone, 1, s.D + 5, s.jar + 5, v);
    cone_lines_add(&sum, &lines, 1, 0);
    assert_near(sum.cost, cost, (mjtNum)1e-5);
    assert_near(sum.slope, slope, (mjtNum)1e-4);
    cone_lines_add(&up, &lines, 1, STEP);
    cone_lines_add(&down, &lines, 1, -STEP);
    assert_near((up.slope - down.slope) / (2 * STEP), sum.curvature, 10 * CLOSE);

    // far from where the line begins
    mjtNum alpha = uniform(-3, 3), x[4];
    for (int j = 0; j < 4; j++) {
      x[j] = s.jar[5 + j] + alpha * v[j];
    }
    ConePoint there = cone_point(s.contact, x);
    cone_lines_add(&beside, &lines, 1, alpha);
    assert_near(beside.cost, cone_cost(s.force + 5, &there, s.contact, s.D + 5, x), (mjtNum)1e-4);
    zones |= 1 << at.zone;
  }
  assert_int_equal(
      zones, 1 << mjCNSTRSTATE_SATISFIED | 1 << mjCNSTRSTATE_QUADRATIC | 1 << mjCNSTRSTATE_CONE);
}

// what a residual makes of a row is in its set of forces and tells its zone
TEST(forces_tell_the_zone_of_their_residual) {
  for (int trial = 0; trial < 1000; trial++) {
    Sample s;
    make_sample(&s);
    cost_at(&s, 0);
    for (int i = 0; i < 5; i++) {
      LawKind kind = law_kind(&s.rows, i);
      assert_int_equal(kind, i == 0 ? LAW_EQUALITY : i < 3 ? LAW_FRICTIONLOSS : LAW_ONESIDED);
      assert_that(law_admissible(kind, s.frictionloss[i], s.force[i]), ==, s.force[i]);
      assert_int_equal(law_force_zone(kind, s.frictionloss[i], s.force[i]), s.state[i]);
      mjtNum far = law_admissible(kind, s.frictionloss[i], -1e6);
      assert_that(far, ==, (i == 0 ? (mjtNum)-1e6 : -s.frictionloss[i]));
    }
    // a force in the middle of the cone's surface is rounded to either side of it
    assert_int_equal(law_kind(&s.rows, 5), LAW_CONE);
    assert_int_equal(law_rows(&s.rows, 5), 4);
    mjtNum stuck[4] = {1, 0, 0, 0}, drawn[4] = {-1, 0, 0, 0};
    assert_int_equal(cone_force_zone(s.contact, stuck), mjCNSTRSTATE_SATISFIED);
    assert_int_equal(cone_force_zone(s.contact, drawn), mjCNSTRSTATE_QUADRATIC);
    mjtNum slide[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, square = 0;
    cone_to_surface(slide, s.contact[0].friction, 2, 3);
    for (int j = 0; j < 3; j++) {
      square += slide[j] * slide[j] / (s.contact[0].friction[j] * s.contact[0].friction[j]);
    }
    assert_near(square, 4, (mjtNum)1e-5);
  }
}
