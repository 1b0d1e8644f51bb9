// Volumes, inertias and bounds of shapes: closed forms against sums over small pieces and against
// what the words say, and the reference's numbers.

#include "compile/derive/primitive.h"

#include "support/near.h"
#include "support/test.h"

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
    const Primitive* shape = primitive(shapes[k].type);
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
    double exact = shape->solid.measure(shapes[k].size);
    assert_relative(exact, volume, 0.01, 1e-12);
    double inertia[3];
    shape->solid.inertia(inertia, shapes[k].size, exact);
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
    const Primitive* shape = primitive(type);
    const double* s = shapes[k].size;
    if (type == mjGEOM_ELLIPSOID) {
      continue;  // its area is an approximation
    }
    double out[3] = {s[0] + e, s[1] + (type == mjGEOM_CAPSULE ? 0 : e), s[2] + e};
    double in[3] = {s[0] - e, s[1] - (type == mjGEOM_CAPSULE ? 0 : e), s[2] - e};
    double v_out = shape->solid.measure(out);
    double v_in = shape->solid.measure(in);
    double area = shape->shell.measure(s);
    assert_relative(area, (v_out - v_in) / (2 * e), 1e-6, 1e-12);

    double i_out[3], i_in[3], i_shell[3];
    shape->solid.inertia(i_out, out, v_out);
    shape->solid.inertia(i_in, in, v_in);
    shape->shell.inertia(i_shell, s, area);
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
    const PrimitiveMass* shell = &primitive(recorded[k].type)->shell;
    double mass = 1000 * shell->measure(recorded[k].size);
    double inertia[3];
    assert_relative(mass, recorded[k].mass, 1e-12, 1e-12);
    shell->inertia(inertia, recorded[k].size, mass);
    for (int a = 0; a < 3; a++) {
      assert_relative(inertia[a], recorded[k].inertia[a], 1e-9, 1e-12);
    }
  }
}

TEST(a_sphere_of_the_bounding_radius_holds_the_shape_but_none_smaller) {
  for (int k = 0; k < NSHAPE; k++) {
    const Primitive* shape = primitive(shapes[k].type);
    const double* s = shapes[k].size;
    double radius = shape->radius(shapes[k].half), farthest = 0, p[3];
    for (int i = 0; i < 40 * 40 * 40; i++) {
      const int index[3] = {i % 40, i / 40 % 40, i / 1600};
      for (int a = 0; a < 3; a++) {
        p[a] = shapes[k].half[a] * index[a] / 39;
      }
      if (inside(shapes[k].type, s, p)) {
        farthest = fmax(farthest, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      }
    }
    assert_that(sqrt(farthest), <=, radius * (1 + 1e-12));
    assert_relative(sqrt(farthest), radius, 0.02, 0);
  }
}

TEST(a_shape_fitted_into_its_own_box_is_itself) {
  for (int k = 0; k < NSHAPE; k++) {
    const Primitive* shape = primitive(shapes[k].type);
    double half[3], size[3] = {0};
    shape->half(half, shapes[k].size);
    shape->fit(size, half, 1);
    for (int a = 0; a < 3; a++) {
      assert_near(half[a], shapes[k].half[a], 1e-15);
      assert_near(size[a], a < shape->nsize ? shapes[k].size[a] : 0, 1e-15);
    }
  }
}

// planes, meshes, and numbers that are no type at all
TEST(what_is_no_shape_has_neither_sizes_nor_mass) {
  static const int none[] = {mjGEOM_PLANE, mjGEOM_MESH, mjGEOM_SDF, mjGEOM_ARROW, -1, 1 << 30};
  const double size[3] = {1, 1, 1};
  for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
    const Primitive* shape = primitive((mjtGeom)none[k]);
    double inertia[3];
    shape->shell.inertia(inertia, size, 1);
    assert_int_equal(shape->nsize, 0);
    assert_that(shape->solid.measure(size), ==, 0);
    assert_that(shape->shell.measure(size), ==, 0);
    assert_that(inertia[0], ==, 0);
    assert_that(inertia[1], ==, 0);
    assert_that(inertia[2], ==, 0);
    assert_that(shape->radius(size), ==, 0);
  }
}
