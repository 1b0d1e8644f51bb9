// Mass properties: closed forms against sums over small pieces, the principal frame's promises, and
// the reference's numbers.

#include "compile/tree/inertia.h"

#include "base/pose.h"
#include "support/near.h"
#include "support/test.h"

static double random_number(void) {
  return 2.0 * rand() / RAND_MAX - 1;
}

// 1 if a point is inside the shape
static int inside(mjtGeom type, const double s[3], const double p[3]) {
  double rr = p[0] * p[0] + p[1] * p[1];
  switch (type) {
    case mjGEOM_SPHERE:
      return rr + p[2] * p[2] <= s[0] * s[0];
    case mjGEOM_CAPSULE: {
      double dz = fmax(0, fabs(p[2]) - s[1]);
      return rr + dz * dz <= s[0] * s[0];
    }
    case mjGEOM_CYLINDER:
      return rr <= s[0] * s[0] && fabs(p[2]) <= s[1];
    case mjGEOM_ELLIPSOID:
      return p[0] * p[0] / (s[0] * s[0]) + p[1] * p[1] / (s[1] * s[1]) +
                 p[2] * p[2] / (s[2] * s[2]) <=
             1;
    default:
      return 1;
  }
}

static const struct {
  mjtGeom type;
  double size[3];
  double half[3];  // of the box around it
} shapes[] = {
    {mjGEOM_SPHERE, {0.3, 0, 0}, {0.3, 0.3, 0.3}},
    {mjGEOM_CAPSULE, {0.2, 0.3, 0}, {0.2, 0.2, 0.5}},
    {mjGEOM_CYLINDER, {0.2, 0.3, 0}, {0.2, 0.2, 0.3}},
    {mjGEOM_ELLIPSOID, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}},
    {mjGEOM_BOX, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}},
};
enum {
  NSHAPE = sizeof(shapes) / sizeof(shapes[0])
};

TEST(solid_shapes_weigh_what_their_pieces_do) {
  enum {
    N = 60
  };
  for (int k = 0; k < NSHAPE; k++) {
    const double* half = shapes[k].half;
    double cell = 8 * half[0] * half[1] * half[2] / (N * N * N), volume = 0, sum[3] = {0};
    for (int i = 0; i < N * N * N; i++) {
      int index[3] = {i % N, i / N % N, i / (N * N)};
      double p[3];
      for (int a = 0; a < 3; a++) {
        p[a] = half[a] * ((2 * index[a] + 1.0) / N - 1);
      }
      if (inside(shapes[k].type, shapes[k].size, p)) {
        volume += cell;
        sum[0] += cell * (p[1] * p[1] + p[2] * p[2]);
        sum[1] += cell * (p[0] * p[0] + p[2] * p[2]);
        sum[2] += cell * (p[0] * p[0] + p[1] * p[1]);
      }
    }
    double exact = inertia_volume(shapes[k].type, shapes[k].size, mjINERTIA_VOLUME);
    assert_relative(exact, volume, 0.01, 1e-12);
    double inertia[3];
    inertia_of_geom(inertia, shapes[k].type, shapes[k].size, mjINERTIA_VOLUME, exact);
    for (int a = 0; a < 3; a++) {
      assert_relative(inertia[a], sum[a], 0.015, 1e-12);
    }
  }
}

// A shell is the limit of the difference of two solids; these shapes grow by their own kind when
// every surface moves out.
TEST(shells_are_thin_differences_of_solids) {
  const double e = 1e-5;
  for (int k = 0; k < NSHAPE; k++) {
    mjtGeom type = shapes[k].type;
    const double* s = shapes[k].size;
    if (type == mjGEOM_ELLIPSOID) {
      continue;  // its area is an approximation
    }
    double out[3] = {s[0] + e, s[1] + (type == mjGEOM_CAPSULE ? 0 : e), s[2] + e};
    double in[3] = {s[0] - e, s[1] - (type == mjGEOM_CAPSULE ? 0 : e), s[2] - e};
    double v_out = inertia_volume(type, out, mjINERTIA_VOLUME);
    double v_in = inertia_volume(type, in, mjINERTIA_VOLUME);
    double area = inertia_volume(type, s, mjINERTIA_SHELL);
    assert_relative(area, (v_out - v_in) / (2 * e), 1e-6, 1e-12);

    double i_out[3], i_in[3], i_shell[3];
    inertia_of_geom(i_out, type, out, mjINERTIA_VOLUME, v_out);
    inertia_of_geom(i_in, type, in, mjINERTIA_VOLUME, v_in);
    inertia_of_geom(i_shell, type, s, mjINERTIA_SHELL, area);
    for (int a = 0; a < 3; a++) {
      assert_relative(i_shell[a], (i_out[a] - i_in[a]) / (2 * e), 1e-6, 1e-12);
    }
  }
}

TEST(shells_agree_with_the_reference) {
  static const struct {
    mjtGeom type;
    double size[3];
    double mass;
    double inertia[3];
  } recorded[] = {
      {mjGEOM_SPHERE,
       {0.3, 0, 0},
       1130.9733552923256,
       {67.85840131753953, 67.85840131753953, 67.85840131753953}},
      {mjGEOM_CAPSULE,
       {0.2, 0.3, 0},
       1256.6370614359173,
       {126.50146418454904, 126.50146418454904, 43.56341812977847}},
      {mjGEOM_CYLINDER,
       {0.2, 0.3, 0},
       1005.3096491487339,
       {62.83185307179587, 62.83185307179587, 35.18583772020569}},
      {mjGEOM_ELLIPSOID,
       {0.1, 0.2, 0.3},
       489.7193333371731,
       {18.075174882542342, 14.068366576335393, 8.102680936804973}},
      {mjGEOM_BOX,
       {0.1, 0.2, 0.3},
       880.0,
       {54.13333333333334, 42.13333333333334, 24.266666666666673}},
  };
  for (size_t k = 0; k < sizeof(recorded) / sizeof(recorded[0]); k++) {
    double mass = 1000 * inertia_volume(recorded[k].type, recorded[k].size, mjINERTIA_SHELL);
    double inertia[3];
    assert_relative(mass, recorded[k].mass, 1e-12, 1e-12);
    inertia_of_geom(inertia, recorded[k].type, recorded[k].size, mjINERTIA_SHELL, mass);
    for (int a = 0; a < 3; a++) {
      assert_relative(inertia[a], recorded[k].inertia[a], 1e-9, 1e-12);
    }
  }
}

TEST(planes_have_no_mass) {
  const double size[3] = {1, 1, 1};
  assert_true(inertia_volume(mjGEOM_PLANE, size, mjINERTIA_VOLUME) == 0);
  assert_true(inertia_volume(mjGEOM_PLANE, size, mjINERTIA_SHELL) == 0);
}

TEST(pieces_moved_and_turned_add_up_like_points) {
  // two opposite masses on the y axis, seen from the origin, as one piece turned by a quarter about
  // z
  const double quat[4] = {sqrt(0.5), 0, 0, sqrt(0.5)}, offset[3] = {0, 0, 2};
  const double pair[3] = {0, 2, 2};  // two unit masses at x = +-1
  double full[6] = {0};
  inertia_accumulate(full, 2, offset, quat, pair);
  const double expected[6] = {2 + 8, 0 + 8, 2, 0, 0, 0};
  for (int i = 0; i < 6; i++) {
    assert_true(fabs(full[i] - expected[i]) < 1e-14);
  }
}

TEST(the_principal_frame_rebuilds_the_matrix) {
  const double zero[3] = {0};
  for (int trial = 0; trial < 1000; trial++) {
    double full[6], scale = pow(10, 3 * random_number());
    for (int i = 0; i < 6; i++) {
      full[i] = scale * random_number();
    }
    double eigenvalue[3], quat[4], rebuilt[6] = {0};
    inertia_eigen3(eigenvalue, quat, full);
    assert_true(eigenvalue[0] + 1e-12 >= eigenvalue[1] && eigenvalue[1] + 1e-12 >= eigenvalue[2]);
    double norm = 0;
    for (int i = 0; i < 4; i++) {
      norm += quat[i] * quat[i];
    }
    assert_relative(norm, 1, 1e-12, 1e-12);
    inertia_accumulate(rebuilt, 0, zero, quat, eigenvalue);
    // the iteration ends with turns below 1.5e-6 rad left undone
    for (int i = 0; i < 6; i++) {
      assert_true(fabs(rebuilt[i] - full[i]) < 1e-5 * scale);
    }
  }
}

TEST(tiny_matrices_are_neither_turned_nor_sorted) {
  const double full[6] = {1e-14, 2e-14, 3e-14, 5e-13, -5e-13, 5e-13};
  double eigenvalue[3], quat[4];
  inertia_eigen3(eigenvalue, quat, full);
  assert_true(quat[0] == 1 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0);
  assert_true(eigenvalue[0] == 1e-14 && eigenvalue[2] == 3e-14);
}

TEST(the_principal_frame_is_the_one_of_the_reference) {
  const double full[6] = {2, 3, 2.5, 0.3, -0.2, 0.4};
  const double expected[3] = {3.24571571208011, 2.477757399714229, 1.7765268882056624},
               frame[4] = {0.5609866479498551, 0.5069955533504193, 0.17885098004587707,
                           0.6294933015064734};
  double eigenvalue[3], quat[4];
  inertia_eigen3(eigenvalue, quat, full);
  for (int i = 0; i < 3; i++) {
    assert_relative(eigenvalue[i], expected[i], 1e-12, 1e-12);
  }
  for (int i = 0; i < 4; i++) {
    assert_relative(quat[i], frame[i], 1e-10, 1e-12);
  }
}
