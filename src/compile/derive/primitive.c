// primitive.c: volumes, inertias and bounds of primitive shapes, shape by shape, and their table.
//                                                             theory/model/shapes.md, Solid inertia

#include "compile/derive/primitive.h"

#include <math.h>
#include <string.h>

#include "base/algebra/elementary.h"

// Inertias of a body of revolution about z: `across` about x and y, `along` about z.
static void revolve(double inertia[3], double across, double along) {
  inertia[0] = inertia[1] = across;
  inertia[2] = along;
}

// m/divisor (b^2 + c^2, a^2 + c^2, a^2 + b^2): ellipsoid 5, box of half sizes 3
static void three_axes(double inertia[3], double mass, const double s[3], double divisor) {
  inertia[0] = mass * (s[1] * s[1] + s[2] * s[2]) / divisor;
  inertia[1] = mass * (s[0] * s[0] + s[2] * s[2]) / divisor;
  inertia[2] = mass * (s[0] * s[0] + s[1] * s[1]) / divisor;
}

static void copy_half(double half[3], const double s[3]) {
  memcpy(half, s, 3 * sizeof(double));
}

static void copy_fit(double size[3], const double box[3], int encloses) {
  (void)encloses;
  memcpy(size, box, 3 * sizeof(double));
}

// Bounding radii from the half sizes of the box: the distance of its corner, or its longest half.
static double corner(const double half[3]) {
  return sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
}

static double longest(const double half[3]) {
  return fmax(fmax(half[0], half[1]), half[2]);
}

// For types without a shape of their own: planes, and shapes that come from an asset.
static double no_measure(const double s[3]) {
  (void)s;
  return 0;
}

static void no_inertia(double inertia[3], const double s[3], double mass) {
  (void)s, (void)mass;
  revolve(inertia, 0, 0);
}

// sphere: volume 4/3 pi r^3, area 4 pi r^2
static double sphere_volume(const double s[3]) {
  return 4 * mjPI * s[0] * s[0] * s[0] / 3;
}

static double sphere_area(const double s[3]) {
  return 4 * mjPI * s[0] * s[0];
}

static void sphere_solid(double inertia[3], const double s[3], double mass) {
  double I = 2 * mass * s[0] * s[0] / 5;
  revolve(inertia, I, I);
}

static void sphere_shell(double inertia[3], const double s[3], double mass) {
  double I = 2 * mass * s[0] * s[0] / 3;
  revolve(inertia, I, I);
}

static void sphere_half(double half[3], const double s[3]) {
  half[0] = half[1] = half[2] = s[0];
}

static void sphere_fit(double size[3], const double box[3], int encloses) {
  size[0] = encloses ? longest(box) : (box[0] + box[1] + box[2]) / 3;
}

// cylinder, h = 2 l: volume pi r^2 h, area 2 pi r^2 + 2 pi r h
static double cylinder_volume(const double s[3]) {
  return mjPI * s[0] * s[0] * (2 * s[1]);
}

static double cylinder_area(const double s[3]) {
  return 2 * mjPI * s[0] * s[0] + 2 * mjPI * s[0] * (2 * s[1]);
}

static void cylinder_solid(double inertia[3], const double s[3], double mass) {
  double r = s[0], h = 2 * s[1];
  revolve(inertia, mass * (3 * r * r + h * h) / 12, mass * r * r / 2);
}

//         about a diameter                           about the axis
// tube    m (6 r^2 + h^2)/12                         m r^2
// disk    m r^2/4 + m l^2, at the distance l         m r^2/2
static void cylinder_shell(double inertia[3], const double s[3], double mass) {
  double r = s[0], l = s[1], h = 2 * l;
  double disk_area = mjPI * r * r, tube_area = 2 * mjPI * r * h;
  double disk = mass * disk_area / (2 * disk_area + tube_area);
  double tube = mass - 2 * disk;
  revolve(inertia, tube * (6 * r * r + h * h) / 12 + 2 * (disk * r * r / 4 + disk * l * l),
          tube * r * r + disk * r * r);
}

static void cylinder_half(double half[3], const double s[3]) {
  half[0] = half[1] = s[0];
  half[2] = s[1];
}

static double cylinder_radius(const double half[3]) {
  return sqrt(half[0] * half[0] + half[2] * half[2]);
}

static void cylinder_fit(double size[3], const double box[3], int encloses) {
  size[0] = encloses ? fmax(box[0], box[1]) : (box[0] + box[1]) / 2;
  size[1] = box[2];
}

// capsule: volume pi (r^2 h + 4/3 r^3), area 4 pi r^2 + 2 pi r h
static double capsule_volume(const double s[3]) {
  return mjPI * (s[0] * s[0] * (2 * s[1]) + 4 * s[0] * s[0] * s[0] / 3);
}

static double capsule_area(const double s[3]) {
  return 4 * mjPI * s[0] * s[0] + 2 * mjPI * s[0] * (2 * s[1]);
}

// A cylinder between the two halves of a sphere of mass m_s. A half's centre is 3r/8 above its cut.
// Moving the halves apart adds to the inertia about a diameter
//   m_s ((h/2 + 3r/8)^2 - (3r/8)^2) = m_s h (3r + 2h)/8
static void capsule_solid(double inertia[3], const double s[3], double mass) {
  double r = s[0], h = 2 * s[1];
  double ball = mass * 4 * r / (4 * r + 3 * h);
  double tube = mass - ball;
  revolve(inertia,
          tube * (3 * r * r + h * h) / 12 + 2 * ball * r * r / 5 + ball * h * (3 * r + 2 * h) / 8,
          tube * r * r / 2 + 2 * ball * r * r / 5);
}

// The same for a tube between half spherical shells, whose centres are r/2 away from their rims.
static void capsule_shell(double inertia[3], const double s[3], double mass) {
  double r = s[0], l = s[1], h = 2 * l;
  double ball_area = 4 * mjPI * r * r, tube_area = 2 * mjPI * r * h;
  double ball = mass * ball_area / (ball_area + tube_area);
  double tube = mass - ball, far = l + r / 2;
  revolve(
      inertia,
      tube * (6 * r * r + h * h) / 12 + 2 * ball * r * r / 3 + ball * (far * far - r / 2 * (r / 2)),
      tube * r * r + 2 * ball * r * r / 3);
}

static void capsule_half(double half[3], const double s[3]) {
  cylinder_half(half, s);
  half[2] += s[0];
}

static void capsule_fit(double size[3], const double box[3], int encloses) {
  cylinder_fit(size, box, encloses);
  size[1] = encloses ? box[2] - size[0] : fmax(0, box[2] - size[0] / 2);
}

// ellipsoid: volume 4/3 pi abc, area 4 pi (((ab)^p + (bc)^p + (ca)^p)/3)^(1/p)
static double ellipsoid_volume(const double s[3]) {
  return 4 * mjPI * s[0] * s[1] * s[2] / 3;
}

// The surface has no closed form; p = 1.6075 keeps the error below 1.1% (Thomsen's formula).
static double ellipsoid_area(const double s[3]) {
  const double p = 1.6075;
  return 4 * mjPI *
         portable_pow((portable_pow(s[0] * s[1], p) + portable_pow(s[1] * s[2], p) +
                       portable_pow(s[2] * s[0], p)) /
                          3,
                      1 / p);
}

static void ellipsoid_solid(double inertia[3], const double s[3], double mass) {
  three_axes(inertia, mass, s, 5);
}

// A solid ellipsoid grown by a millionth of a metre, minus the ellipsoid. Cancellation leaves about
// nine digits: the arithmetic itself is the definition, a better one gives other numbers.
static void ellipsoid_shell(double inertia[3], const double s[3], double mass) {
  const double thickness = 1e-6;
  double outer[3] = {s[0] + thickness, s[1] + thickness, s[2] + thickness};
  double v_inner = ellipsoid_volume(s), v_outer = ellipsoid_volume(outer);
  double density = mass / (v_outer - v_inner);
  double i_inner[3], i_outer[3];
  three_axes(i_inner, v_inner * density, s, 5);
  three_axes(i_outer, v_outer * density, outer, 5);
  for (int i = 0; i < 3; i++) {
    inertia[i] = i_outer[i] - i_inner[i];
  }
}

// box: volume 8 abc, area 8 (ab + bc + ca)
static double box_volume(const double s[3]) {
  return 8 * s[0] * s[1] * s[2];
}

static double box_area(const double s[3]) {
  return 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
}

static void box_solid(double inertia[3], const double s[3], double mass) {
  three_axes(inertia, mass, s, 3);
}

// Six thin plates, masses proportional to their areas: mz, mx, my each of the two plates with that
// normal.
static void box_shell(double inertia[3], const double s[3], double mass) {
  double lx = 2 * s[0], ly = 2 * s[1], lz = 2 * s[2];
  double area = 2 * (lx * ly + ly * lz + lz * lx);
  double mz = mass * lx * ly / area, mx = mass * ly * lz / area, my = mass * lz * lx / area;
  double xx = lx * lx, yy = ly * ly, zz = lz * lz;
  inertia[0] =
      2 * (mz * s[2] * s[2] + my * s[1] * s[1] + mz * yy / 12 + mx * (yy + zz) / 12 + my * zz / 12);
  inertia[1] =
      2 * (mz * s[2] * s[2] + mx * s[0] * s[0] + mz * xx / 12 + mx * zz / 12 + my * (xx + zz) / 12);
  inertia[2] =
      2 * (mx * s[0] * s[0] + my * s[1] * s[1] + mz * (xx + yy) / 12 + mx * yy / 12 + my * xx / 12);
}

// clang-format off
static const Primitive kShapes[mjNGEOMTYPES] = {
    [mjGEOM_SPHERE] = {1, {sphere_volume, sphere_solid}, {sphere_area, sphere_shell},
                       sphere_half, longest, sphere_fit},
    [mjGEOM_CAPSULE] = {2, {capsule_volume, capsule_solid}, {capsule_area, capsule_shell},
                        capsule_half, longest, capsule_fit},
    [mjGEOM_ELLIPSOID] = {3, {ellipsoid_volume, ellipsoid_solid}, {ellipsoid_area, ellipsoid_shell},
                          copy_half, longest, copy_fit},
    [mjGEOM_CYLINDER] = {2, {cylinder_volume, cylinder_solid}, {cylinder_area, cylinder_shell},
                         cylinder_half, cylinder_radius, cylinder_fit},
    [mjGEOM_BOX] = {3, {box_volume, box_solid}, {box_area, box_shell},
                    copy_half, corner, copy_fit},
    [mjGEOM_HFIELD] = {0, {box_volume, box_solid}, {box_area, box_shell},
                       copy_half, no_measure, copy_fit},
};
// clang-format on

static const Primitive kNone = {
    0, {no_measure, no_inertia}, {no_measure, no_inertia}, copy_half, no_measure, copy_fit};

const Primitive* primitive(mjtGeom type) {
  return (unsigned)type < mjNGEOMTYPES && kShapes[type].half ? kShapes + type : &kNone;
}

void primitive_aabb(double aabb[6], mjtGeom type, const double size[3]) {
  const double infinite = 1e10;
  memset(aabb, 0, 3 * sizeof(double));
  primitive(type)->half(aabb + 3, size);
  if (type == mjGEOM_PLANE) {
    aabb[3] = aabb[4] = infinite;
    aabb[5] = infinite / 2;
    aabb[2] = -infinite / 2;
  }
}
