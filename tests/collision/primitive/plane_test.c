// A box on a plane, whose corners are found four at a time: bit by bit what one corner after the
// other gives.

#include "base/algebra/vec.h"
#include "collision/collide.h"
#include "collision/pair_case.h"
#include "support/test.h"

typedef struct Corner {
  mjtNum dist, pos[3];
} Corner;

// The first four corners, counted in binary, that are in the lower half and near the plane.
static int corners_of(Corner corner[4], const PairCase* p) {
  const mjtNum *size = p->size + 3, *pos = p->pos + 3, *mat = p->mat + 9;
  mjtNum n[3], gap[3];
  m3_column(n, p->mat, 2);
  v3_sub(gap, pos, p->pos);
  mjtNum height = v3_dot(gap, n);
  int num = 0;
  for (int i = 0; i < 8 && num < 4; i++) {
    mjtNum local[3], at[3];
    for (int k = 0; k < 3; k++) {
      local[k] = i >> k & 1 ? size[k] : -size[k];
    }
    m3_mulv(at, mat, local);
    mjtNum rise = v3_dot(n, at), dist = height + rise;
    if (rise <= 0 && dist <= p->margin) {
      v3_addto(at, pos);
      corner[num].dist = dist;
      v3_addscl(corner[num++].pos, at, n, -dist / 2);
    }
  }
  return num;
}

// Returns the number of contacts.
static int compare(const PairCase* p) {
  mjContact con[mjMAXCONPAIR];
  Corner corner[4];
  int num = case_collide(con, p, mjGEOM_PLANE, mjGEOM_BOX,
                         mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_BOX], 0, 0);
  assert_that(num, ==, corners_of(corner, p));
  for (int i = 0; i < num; i++) {
    mjtNum frame[6] = {p->mat[2], p->mat[5], p->mat[8]};
    assert_memory_equal(&con[i].dist, &corner[i].dist, sizeof(mjtNum));
    assert_memory_equal(con[i].pos, corner[i].pos, sizeof(corner[i].pos));
    assert_memory_equal(con[i].frame, frame, sizeof(frame));
  }
  return num;
}

TEST(random_boxes_have_the_corners_of_the_formula) {
  uint64_t seed = 88172645463325252u;
  int with[5] = {0};
  for (int k = 0; k < 3000; k++) {
    PairCase p = pair_case(&seed, k % 3);
    with[compare(&p)]++;
  }
  for (int n = 0; n < 5; n++) {
    assert_that(with[n], >, 0);
  }
}

// a box with axes along the plane's, its lower face as high as the margin
static PairCase level_box(mjtNum size, mjtNum lift, mjtNum margin) {
  PairCase p = {.margin = margin};
  for (int k = 0; k < 3; k++) {
    p.size[3 + k] = size;
    p.mat[4 * k] = p.mat[9 + 4 * k] = 1;
  }
  p.pos[5] = size + lift;
  return p;
}

TEST(a_box_that_just_touches_has_four_contacts) {
  PairCase p = level_box((mjtNum)0.125, 0, 0),
           near = level_box((mjtNum)0.125, (mjtNum)0.0625, (mjtNum)0.0625);
  assert_that(compare(&p), ==, 4);
  assert_that(compare(&near), ==, 4);
  near.pos[5] = nextafter(near.pos[5], 1);
  assert_that(compare(&near), ==, 0);
}

TEST(a_box_upside_down_stands_on_its_upper_corners) {
  PairCase p = level_box((mjtNum)0.125, 0, 0);
  p.mat[9 + 4] = p.mat[9 + 8] = -1;
  assert_that(compare(&p), ==, 4);
}

// corners as high as the centre count, so four of the eight are found by their order alone
TEST(a_plate_of_no_thickness_has_its_first_four_corners) {
  PairCase p = level_box((mjtNum)0.125, 0, (mjtNum)0.01);
  p.size[5] = p.pos[5] = 0;
  assert_that(compare(&p), ==, 4);
}

TEST(boxes_of_any_size_have_the_corners_of_the_formula) {
  const mjtNum sizes[] = {0, (mjtNum)1e-30, (mjtNum)1e-9, (mjtNum)1e9, (mjtNum)1e30, INFINITY, NAN};
  uint64_t seed = 88172645463325252u;
  for (int k = 0; k < 7 * 100; k++) {
    PairCase p = pair_case(&seed, 2);
    p.size[3 + k % 3] = sizes[k % 7];
    p.pos[3 + k / 7 % 3] *= k & 1 ? sizes[k / 3 % 7] : 1;
    compare(&p);
  }
}
