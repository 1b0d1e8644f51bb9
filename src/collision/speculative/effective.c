// The law of a soft contact, solved for its distance.
//                                            theory/contact/speculative.md, The effective distance

#include "collision/speculative/effective.h"

// With k = h^2 K dm, b = h B and the closing velocity c / h, dist = margin - delta:
//
//     dm (b + k delta / c) = 1 - t       delta = c ((1 - t) / dm - b) / k
//
// or, if the spring acts at the end of the step, s = 1 + b + k, de = 1 / (1 + (1 - dm) / (dm s)):
//
//     de (b + k + k delta / c) / s = 1 - t       delta = c (s (1 - t) / de - b - k) / k
//
// Without a spring the distance doesn't matter: any at which the impedance has its full strength.
mjtNum effective_distance(const EffectiveLaw* law, mjtNum margin, mjtNum closing, mjtNum t) {
  mjtNum dm = law->strength, k = law->h * law->h * law->K * dm, b = law->h * law->B;
  if (!(k > 0)) {
    return margin - law->width;
  }
  if (law->is_discrete) {
    mjtNum s = 1 + b + k, de = 1 / (1 + (1 - dm) / (dm * s));
    return margin - closing / k * (s * (1 - t) / de - b - k);
  }
  return margin - closing / k * ((1 - t) / dm - b);
}
