// fluid.c: coefficients of added mass. Lamb's integral for an ellipsoid with semi-axes (a, b, c),
// along a:
//
//   kappa(a, b, c) = a b c  integral over l from 0 to infinity of  dl / ((a^2 + l) root(l))
//   root(l) = sqrt((a^2 + l) (b^2 + l) (c^2 + l))
//
// substituted to a finite interval, l = s x^3 / (1 - x)^2, and summed with 15 Gauss-Kronrod nodes.
// The scale s makes the rule exact to the same relative error for every ellipsoid. The truncated
// literals are part of the format.

#include "compile/derive/fluid.h"

#include <math.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "compile/derive/inertia.h"
#include "compile/derive/primitive.h"

#define NODES 15

static double kappa(double a, double b, double c) {
  static const double weight[NODES] = {0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236,
                                       0.09517529, 0.10221647, 0.10474107, 0.10221647, 0.09517529,
                                       0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766};
  static const double node[NODES] = {
      7.865151709349917e-08, 1.7347976913907274e-05, 0.0003548008144506193, 0.002846636252924549,
      0.014094260903596077,  0.053063261727396636,   0.17041978741317773,   0.5,
      1.4036301548686991,    3.9353484827022642,     11.644841677041734,    39.53187807410903,
      177.5711362220801,     1429.4772912937397,     54087.416549217705};
  static const double jacobian[NODES] = {
      5.538677720489877e-05, 0.002080868285293228, 0.016514126520723166, 0.07261900344370877,
      0.23985243401862602,   0.6868318249020725,   1.8551129519182894,   5.0,
      14.060031152313941,    43.28941239611009,    156.58546376397112,   747.9826085305024,
      5827.4042950027115,    116754.0197944512,    25482945.327264845};
  double scale = portable_pow(a * a * a * b * c, 0.4);
  double sum = 0;
  for (int i = 0; i < NODES; i++) {
    double lambda = scale * node[i];
    double fa = 1 + lambda / (a * a), fb = 1 + lambda / (b * b), fc = 1 + lambda / (c * c);
    sum += scale * jacobian[i] * weight[i] / (fa * sqrt(fa * fb * fc));
  }
  return sum / (a * a);
}

// V/5 (b^2 - c^2)^2 |kc - kb| / |2 (b^2 - c^2) + (b^2 + c^2)(kb - kc)|: about the first axis
static double virtual_inertia(double volume, double b, double c, double kb, double kc) {
  double minus = b * b - c * c, plus = b * b + c * c;
  double denominator = fabs(2 * minus + plus * (kb - kc));
  return volume / 5 * minus * minus * fabs(kc - kb) / fmax(COMPILE_EPS, denominator);
}

// After the five coefficients, per unit density: virtual mass = volume k / (2 - k), where k is
// kappa of the axis (2/3 for a sphere, whose added mass is half the displaced mass), and virtual
// inertia.
void fluid_coefficients(double fluid[mjNFLUID], double interaction, const mjtNum coefs[5],
                        mjtGeom type, const double size[3]) {
  memset(fluid, 0, mjNFLUID * sizeof(double));
  if (interaction <= 0) {
    return;
  }

  // semi-axes of the enclosing ellipsoid
  double d[3];
  primitive(type)->half(d, size);
  double volume = 4.0 / 3.0 * mjPI * d[0] * d[1] * d[2];
  double k[3] = {kappa(d[0], d[1], d[2]), kappa(d[1], d[2], d[0]), kappa(d[2], d[0], d[1])};
  fluid[0] = interaction;
  for (int i = 0; i < 5; i++) {
    fluid[1 + i] = coefs[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    fluid[6 + i] = volume * k[i] / fmax(COMPILE_EPS, 2 - k[i]);
    fluid[9 + i] = virtual_inertia(volume, d[j], d[l], k[j], k[l]);
  }
}
