// The axis of least overlap against all fifteen, one by one: no edges are dropped that count.

#include "collision/primitive/box_axis.h"

#include "base/algebra/vec.h"
#include "collision/pair_case.h"
#include "support/test.h"

typedef struct BoxPair {
  mjtNum W[9], c21[3], c12[3];
  const mjtNum *s1, *s2;
  mjtNum margin;
} BoxPair;

static BoxPair boxes_of(const PairCase* p) {
  BoxPair b = {.s1 = p->size, .s2 = p->size + 3, .margin = p->margin};
  v3_tolocal(b.c21, p->pos + 3, p->pos, p->mat);
  v3_tolocal(b.c12, p->pos, p->pos + 3, p->mat + 9);
  m3_tmul(b.W, p->mat, p->mat + 9);
  return b;
}

// The overlap along a unit vector in the frame of box 1.
static double boxes_overlap(const BoxPair* b, const double n[3]) {
  double reach = 0, along = 0;
  for (int k = 0; k < 3; k++) {
    double second = b->W[k] * n[0] + b->W[3 + k] * n[1] + b->W[6 + k] * n[2];
    reach += b->s1[k] * fabs(n[k]) + b->s2[k] * fabs(second);
    along += b->c21[k] * n[k];
  }
  return reach - fabs(along);
}

// The least overlap along face normals and products of edges that aren't parallel.
static double boxes_least(const BoxPair* b) {
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    const double first[3] = {i == 0, i == 1, i == 2};
    const double second[3] = {b->W[i], b->W[3 + i], b->W[6 + i]};
    least = fmin(least, fmin(boxes_overlap(b, first), boxes_overlap(b, second)));
    for (int j = 0; j < 3; j++) {
      int k = (i + 1) % 3, l = (i + 2) % 3;
      double n[3] = {0};
      n[k] = -b->W[3 * l + j];
      n[l] = b->W[3 * k + j];
      double size = sqrt(n[k] * n[k] + n[l] * n[l]);
      n[k] /= size;
      n[l] /= size;
      least = size > 1e-4 ? fmin(least, boxes_overlap(b, n)) : least;
    }
  }
  return least;
}

TEST(the_axis_has_the_least_overlap_of_fifteen) {
  const double error = sizeof(mjtNum) == 8 ? 1e-9 : 1e-4;
  uint64_t seed = 88172645463325252u;
  int edges = 0, faces = 0, apart = 0;
  for (int k = 0; k < 20000; k++) {
    PairCase p = pair_case(&seed, k % 3);
    p.margin = (mjtNum)(k % 7 ? p.margin : -0.02);  // a negative one lets boxes sink in
    BoxPair b = boxes_of(&p);
    double least = boxes_least(&b);
    BoxAxis axis;
    if (!box_axis(&axis, b.W, b.c21, b.c12, b.s1, b.s2, b.margin)) {
      assert_that(least, <, -b.margin + error);
      apart++;
      continue;
    }
    assert_that(least, >, -b.margin - error);
    assert_that(fabs(axis.overlap - least), <, error);
    edges += axis.kind == AXIS_EDGES;
    faces += axis.kind != AXIS_EDGES;
  }
  assert_that(edges, >, 500);
  assert_that(faces, >, 5000);
  assert_that(apart, >, 500);
}

// boxes that just touch, or are huge or tiny: bit by bit what they are at another scale
TEST(powers_of_two_scale_the_overlap_exactly) {
  const mjtNum scales[] = {1, 0x1p-40f, 0x1p40f};
  uint64_t seed = 88172645463325252u;
  for (int k = 0; k < 3000; k++) {
    PairCase p = pair_case(&seed, k % 3);
    p.margin = 0;
    BoxAxis axis[3];
    int found[3];
    for (int i = 0; i < 3; i++) {
      PairCase q = p;
      for (int l = 0; l < 6; l++) {
        q.size[l] *= scales[i];
        q.pos[l] *= scales[i];
      }
      BoxPair b = boxes_of(&q);
      found[i] = box_axis(axis + i, b.W, b.c21, b.c12, b.s1, b.s2, b.margin);
      assert_that(found[i], ==, found[0]);
      if (found[i]) {
        assert_that(axis[i].kind, ==, axis[0].kind);
        assert_that(axis[i].i, ==, axis[0].i);
        assert_that(axis[i].overlap / scales[i], ==, axis[0].overlap);
      }
    }
  }
}
