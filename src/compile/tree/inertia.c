#include "compile/tree/inertia.h"

#include <math.h>
#include <mujoco/mjmodel.h>

#include "base/eig3.h"
#include "base/pose.h"

// sizes: sphere r; capsule and cylinder radius r, half-length l, h = 2l; ellipsoid semi-axes and
// box half sizes a, b, c

static double square(double x) {
  return x * x;
}

static double ellipsoid_volume(const double s[3]) {
  return 4 * mjPI * s[0] * s[1] * s[2] / 3;
}

// sphere 4/3 pi r^3, capsule pi (r^2 h + 4/3 r^3), cylinder pi r^2 h, ellipsoid 4/3 pi abc, box 8
// abc
static double volume_solid(mjtGeom type, const double s[3]) {
  double h = 2 * s[1];
  switch (type) {
    case mjGEOM_SPHERE:
      return 4 * mjPI * s[0] * s[0] * s[0] / 3;
    case mjGEOM_CAPSULE:
      return mjPI * (s[0] * s[0] * h + 4 * s[0] * s[0] * s[0] / 3);
    case mjGEOM_CYLINDER:
      return mjPI * s[0] * s[0] * h;
    case mjGEOM_ELLIPSOID:
      return ellipsoid_volume(s);
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      return 8 * s[0] * s[1] * s[2];
    default:
      return 0;
  }
}

// sphere 4 pi r^2, capsule 4 pi r^2 + 2 pi r h, cylinder 2 pi r^2 + 2 pi r h, box 8 (ab + bc + ca),
// ellipsoid 4 pi (((ab)^p + (bc)^p + (ca)^p)/3)^(1/p).
// The ellipsoid's surface has no closed form; p = 1.6075 keeps the error below 1.1% (Thomsen's
// formula).
static double area_shell(mjtGeom type, const double s[3]) {
  const double p = 1.6075;
  double h = 2 * s[1];
  switch (type) {
    case mjGEOM_SPHERE:
      return 4 * mjPI * s[0] * s[0];
    case mjGEOM_CAPSULE:
      return 4 * mjPI * s[0] * s[0] + 2 * mjPI * s[0] * h;
    case mjGEOM_CYLINDER:
      return 2 * mjPI * s[0] * s[0] + 2 * mjPI * s[0] * h;
    case mjGEOM_ELLIPSOID:
      return 4 * mjPI *
             pow((pow(s[0] * s[1], p) + pow(s[1] * s[2], p) + pow(s[2] * s[0], p)) / 3, 1 / p);
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      return 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    default:
      return 0;
  }
}

double inertia_volume(mjtGeom type, const double size[3], mjtGeomInertia distribution) {
  return distribution == mjINERTIA_SHELL ? area_shell(type, size) : volume_solid(type, size);
}

// m/divisor (b^2 + c^2, a^2 + c^2, a^2 + b^2): ellipsoid 5, box of half sizes 3
static void three_axes(double inertia[3], double mass, const double s[3], double divisor) {
  inertia[0] = mass * (s[1] * s[1] + s[2] * s[2]) / divisor;
  inertia[1] = mass * (s[0] * s[0] + s[2] * s[2]) / divisor;
  inertia[2] = mass * (s[0] * s[0] + s[1] * s[1]) / divisor;
}

// sphere     2/5 m r^2
// cylinder   x, y: m (3 r^2 + h^2)/12                  z: m r^2/2
// capsule    both, and half a sphere's centre is 3r/8 above its cut:
//            x, y: ... + m_s ((h/2 + 3r/8)^2 - (3r/8)^2) = ... + m_s h (3r + 2h)/8
static void solid(double inertia[3], mjtGeom type, const double s[3], double mass) {
  double r = s[0], h = 2 * s[1];
  switch (type) {
    case mjGEOM_SPHERE:
      inertia[0] = inertia[1] = inertia[2] = 2 * mass * r * r / 5;
      break;
    case mjGEOM_CAPSULE: {
      // a sphere cut in two halves, and a cylinder between them
      double ball = mass * 4 * r / (4 * r + 3 * h);
      double tube = mass - ball;
      inertia[0] = inertia[1] =
          tube * (3 * r * r + h * h) / 12 + 2 * ball * r * r / 5 + ball * h * (3 * r + 2 * h) / 8;
      inertia[2] = tube * r * r / 2 + 2 * ball * r * r / 5;
      break;
    }
    case mjGEOM_CYLINDER:
      inertia[0] = inertia[1] = mass * (3 * r * r + h * h) / 12;
      inertia[2] = mass * r * r / 2;
      break;
    case mjGEOM_ELLIPSOID:
      three_axes(inertia, mass, s, 5);
      break;
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      three_axes(inertia, mass, s, 3);
      break;
    default:
      inertia[0] = inertia[1] = inertia[2] = 0;
  }
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

// sphere     2/3 m r^2
// tube       x, y: m (6 r^2 + h^2)/12                  z: m r^2
// disk       x, y: m r^2/4 + m l^2, l its distance      z: m r^2/2
// capsule    tube and sphere, whose halves are moved apart: + m_s ((l + r/2)^2 - (r/2)^2)
static void shell(double inertia[3], mjtGeom type, const double s[3], double mass) {
  double r = s[0], l = s[1], h = 2 * l;
  double tube_area = 2 * mjPI * r * h;
  switch (type) {
    case mjGEOM_SPHERE:
      inertia[0] = inertia[1] = inertia[2] = 2 * mass * r * r / 3;
      break;
    case mjGEOM_CAPSULE: {
      // each half sphere has its centre of mass r/2 away from its rim
      double ball_area = 4 * mjPI * r * r;
      double ball = mass * ball_area / (ball_area + tube_area);
      double tube = mass - ball;
      inertia[0] = inertia[1] = tube * (6 * r * r + h * h) / 12 + 2 * ball * r * r / 3 +
                                ball * (square(l + r / 2) - square(r / 2));
      inertia[2] = tube * r * r + 2 * ball * r * r / 3;
      break;
    }
    case mjGEOM_CYLINDER: {
      double disk_area = mjPI * r * r;
      double disk = mass * disk_area / (2 * disk_area + tube_area);
      double tube = mass - 2 * disk;
      inertia[0] = inertia[1] =
          tube * (6 * r * r + h * h) / 12 + 2 * (disk * r * r / 4 + disk * l * l);
      inertia[2] = tube * r * r + disk * r * r;
      break;
    }
    case mjGEOM_ELLIPSOID:
      ellipsoid_shell(inertia, s, mass);
      break;
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      box_shell(inertia, s, mass);
      break;
    default:
      inertia[0] = inertia[1] = inertia[2] = 0;
  }
}

void inertia_of_geom(double inertia[3], mjtGeom type, const double size[3],
                     mjtGeomInertia distribution, double mass) {
  if (distribution == mjINERTIA_SHELL) {
    shell(inertia, type, size, mass);
  } else {
    solid(inertia, type, size, mass);
  }
}

// R diag(I) R' + m (d'd 1 - d d')
void inertia_accumulate(double full[6], double mass, const double offset[3], const double quat[4],
                        const double inertia[3]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double r[9];
  pose_matrix(r, quat);
  double dd = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
  for (int k = 0; k < 6; k++) {
    const double *a = r + 3 * row[k], *b = r + 3 * column[k];
    full[k] += a[0] * inertia[0] * b[0] + a[1] * inertia[1] * b[1] + a[2] * inertia[2] * b[2];
    full[k] += mass * ((k < 3 ? dd : 0) - offset[row[k]] * offset[column[k]]);
  }
}

// The threshold is absolute: a matrix whose off-diagonal elements are below 1e-12 counts as
// diagonal, however small it is. In single precision shapes are where rounding puts them, and the
// threshold is what that does to the matrix.
void inertia_eigen3(double eigenvalue[3], double quat[4], const double full[6]) {
  const double eps = 1e-12, trace = full[0] + full[1] + full[2];
  const double a[9] = {full[0], full[3], full[4], full[3], full[1],
                       full[5], full[4], full[5], full[2]};
  eig3(eigenvalue, quat, a, sizeof(mjtNum) == sizeof(double) ? eps : fmax(eps, 1e-6 * trace));
}
