// Products with one number's weights: the transposed Jacobian times what was added.

#include "derivative/tree/vjp.h"

#include "derivative/tree/twist_rates.h"

// y += A' x for a 6 x nv matrix.
static void add_transposed(mjtNum* y, const Scene* s, const mjtNum* A, const mjtNum x[6]) {
  mjtNum* product = scene_zeros(s, s->nv);
  mju_mulMatTVec(product, A, x, 6, s->nv);
  mju_addTo(y, product, s->nv);
}

TEST(products_are_those_of_transposed_jacobians) {
  DOUBLE_ONLY();
  static const char* const names[4] = {"wrist", "shin", "base", "pole"};
  Scene s = scene_make(ZOO_XML, 1);
  const mjtNum *lambda = scene_numbers(&s, s.nv, 1), *x = scene_numbers(&s, s.nv, 2);
  mjtNum *out[3], *expected[3], *J = scene_zeros(&s, 6 * s.nv), *rate = scene_zeros(&s, 6 * s.nv);
  for (int i = 0; i < 3; i++) {
    out[i] = scene_zeros(&s, s.nv);
    expected[i] = scene_zeros(&s, s.nv);
  }
  uint64_t seed = 3;
  ConstraintVjp of = vjp_make(s.m, s.d, NULL, x, lambda, out[0], out[1], out[2]);
  for (int k = 0; k < 4; k++) {
    mjtNum motion[6], rates[NVJP][6];
    Seen seen = {.body = scene_id(&s, mjOBJ_BODY, names[k])};
    random_fill(seen.point, 3, &seed);
    random_fill(motion, 6, &seed);
    random_fill(rates[0], 6 * NVJP, &seed);
    body_twists(J, s.m, s.d, seen.body, seen.point);
    add_transposed(expected[0], &s, J, motion);
    const mjtNum* z[NVJP] = {[VJP_LAMBDA] = lambda, [VJP_X] = x, [VJP_V] = s.d->qvel};
    for (int i = 0; i < NVJP; i++) {
      seen.z = z[i];
      twist_rates(rate, &s, &seen, J);
      add_transposed(expected[0], &s, rate, rates[i]);
    }
    add_transposed(expected[1], &s, J, rates[VJP_V]);
    add_transposed(expected[2], &s, J, rates[VJP_X]);
    vjp_add(&of, seen.body, seen.point, motion, rates);
  }
  vjp_finish(&of);
  assert_close(out[1], expected[1], s.nv, 1e-11);
  assert_close(out[2], expected[2], s.nv, 1e-11);
  assert_close(out[0], expected[0], s.nv, 1e-8);
  scene_free(&s);
}
