// Scalars, friction pyramids, springs, sequences and sorting.

#include <condyle/dynamics.h>
#include <limits.h>

#include "base/trials.h"

// a number, one in 8 of them infinite or not a number
static mjtNum draw_special(void) {
  const mjtNum special[] = {(mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)-INFINITY, 0, (mjtNum)-0.0, 1};
  return draw_int(8) ? draw_number() : special[draw_int(6)];
}

// comparisons

TEST(extremes_take_the_second_number_if_the_first_is_none) {
  TRIALS(mju_min) {
    mjtNum a = draw_special(), b = draw_int(8) ? draw_special() : a;
    check_same(&(mjtNum){f(a, b)}, &(mjtNum){a <= b ? a : b}, 1);
  }
  TRIALS(mju_max) {
    mjtNum a = draw_special(), b = draw_int(8) ? draw_special() : a;
    check_same(&(mjtNum){f(a, b)}, &(mjtNum){a >= b ? a : b}, 1);
  }
}

TEST(clipping_takes_the_nearer_end) {
  TRIALS(mju_clip) {
    mjtNum x = draw_special(), a = draw_number(), b = draw_number();
    mjtNum lower = a < b ? a : b, upper = a < b ? b : a, out = f(x, lower, upper);
    if (isnan(x)) {
      check_that(isnan(out));
    } else {
      check_that(out >= lower && out <= upper);
      check_that(out == x || (x < lower && out == lower) || (x > upper && out == upper));
    }
  }
}

TEST(a_sign_is_one_of_three) {
  TRIALS(mju_sign) {
    mjtNum x = draw_special();
    check_that(f(x) == (x > 0) - (x < 0));
  }
}

TEST(halves_are_rounded_up) {
  TRIALS(mju_round) {
    int whole = (int)(draw_scale(0, 20) * draw_unit());
    mjtNum part = draw_int(4) ? draw_unit() / 2 : (mjtNum)0.5;
    mjtNum x = (mjtNum)whole + part;
    check_that(f(x) == (int)floorl((Exact)x + 0.5L));
  }
  assert_int_equal(mju_round((mjtNum)3e9), INT_MIN);
  assert_int_equal(mju_round((mjtNum)-1e30), INT_MIN);
  assert_int_equal(mju_round((mjtNum)NAN), INT_MIN);
#ifndef mjUSESINGLE
  assert_int_equal(cnd_roundAway(-2147483647.3), -INT_MAX);
  assert_int_equal(cnd_roundAway(2147483647.3), INT_MAX);
#endif
  assert_int_equal(cnd_roundAway((mjtNum)-3e9), INT_MIN);
}

TEST(bad_is_what_is_not_a_number_or_too_large) {
  TRIALS(mju_isBad) {
    mjtNum x = draw_int(8) ? draw_special() : (mjtNum)mjMAXVAL * (1 + (mjtNum)1e-6 * draw_unit());
    check_that(f(x) == !(fabsl(x) <= (Exact)mjMAXVAL));
  }
  assert_false(mju_isBad((mjtNum)mjMAXVAL) || mju_isBad((mjtNum)-mjMAXVAL));
}

// curves

TEST(the_sigmoid_is_its_polynomial_between_0_and_1) {
  TRIALS(mju_sigmoid) {
    mjtNum x = draw_int(4) ? (draw_unit() + 1) / 2 : draw_special();
    if (isnan(x)) {
      continue;
    }
    Exact t = fminl(fmaxl(x, 0), 1);
    check_exact1(f(x), t * t * t * (6 * t * t - 15 * t + 10), 40 * t * t * t);
  }
}

// x(t) = e^(-b t / 2) (x0 C + (v0 + b x0 / 2) S),  w^2 = b^2 / 4 - k:
// C = cosh wt, S = sinh wt / w where w^2 > 0, cos and sin of |w| t where it is < 0, 1 and t at 0.
TEST(a_spring_with_any_damping_follows_its_equation) {
  TRIALS(mju_springDamper) {
    mjtNum x0 = draw_scale(-10, 10) * draw_unit(), v0 = draw_scale(-10, 10) * draw_unit();
    mjtNum k = draw_scale(-6, 6), b = draw_scale(-6, 6), t = draw_scale(-8, 2);
    switch (draw_int(8)) {
      case 0:
        b = 2 * mju_sqrt(k);
        break;
      case 1:
        b = 2 * mju_sqrt(k) * (1 + (mjtNum)1e-6 * draw_unit());
        break;
      case 2:
        b = 0;
        break;
      default:
        break;
    }
    Exact square = (Exact)b * b / 4 - k, w = sqrtl(fabsl(square)), wt = w * t;
    Exact C = square > 0 ? coshl(wt) : cosl(wt), S = t;
    if (wt > 1e-9L) {
      S = (square > 0 ? sinhl(wt) : sinl(wt)) / w;
    }
    Exact decay = expl(-(Exact)b * t / 2), slope = v0 + (Exact)b * x0 / 2;
    // two exponentials cancel where their roots nearly meet; within mjMINVAL they count as one
    Exact growth = square > 0 ? coshl(wt) : 1;
    Exact size = (fabsl(x0) + fabsl(slope) * t) * decay * growth;
    Exact terms = square > 0 ? (fabsl(v0) + (b + 2 * w) * fabsl(x0)) / w * decay * growth : size;
    Exact bound = terms * (20 + 20 * (b * t + wt));
    bound += size * ((Exact)b * b + k + mjMINVAL / ROUNDING) * t * t;
    check_exact1(f(x0, v0, k, b, t), decay * (x0 * C + slope * S), bound);
  }
}

// friction pyramids

TEST(a_contact_without_friction_has_no_pyramid) {
  mjtNum force = 5, mu = 1, pyramid = 9;
  mju_encodePyramid(&pyramid, &force, &mu, 1);
  assert_that(pyramid, ==, 9);
  mju_decodePyramid(&force, &pyramid, &mu, 1);
  assert_that(force, ==, 9);
}

TEST(a_pyramid_holds_the_force_as_far_as_friction_allows) {
  const int dims[4] = {2, 3, 4, 6};
  TRIALS(mju_encodePyramid) {
    int dim = dims[draw_int(4)];
    mjtNum force[6], mu[5], pyramid[11];
    force[0] = mju_abs(draw_number());
    draw_scaled(force + 1, dim - 1, draw_scale(-4, 2) * force[0]);
    for (int i = 0; i < dim - 1; i++) {
      mu[i] = draw_scale(-6, 3);
    }
    pyramid[2 * (dim - 1)] = 7;
    f(pyramid, force, mu, dim);
    for (int i = 0; i < dim - 1; i++) {
      Exact share = (Exact)force[0] / (dim - 1);
      Exact pull = fminl(share, (Exact)force[i + 1] / mu[i]);
      Exact size = fabsl(share) + fabsl(pull);
      check_exact1(pyramid[2 * i], (share + pull) / 2, 3 * size);
      check_exact1(pyramid[2 * i + 1], (share - pull) / 2, 3 * size);
    }
    check_that(pyramid[2 * (dim - 1)] == 7);
  }
}

TEST(a_force_is_the_sum_over_the_edges_of_its_pyramid) {
  const int dims[4] = {1, 3, 4, 6};
  TRIALS(mju_decodePyramid) {
    int dim = dims[draw_int(4)], edges = dim == 1 ? 1 : 2 * (dim - 1);
    mjtNum force[7], mu[5], pyramid[10];
    draw(pyramid, edges);
    draw(mu, 5);
    force[dim] = 7;
    f(force, pyramid, mu, dim);
    Exact sum = 0, size = 0;
    for (int e = 0; e < edges; e++) {
      sum += pyramid[e];
      size += fabsl(pyramid[e]);
    }
    check_exact1(force[0], sum, edges * size);
    for (int i = 0; i < dim - 1; i++) {
      Exact plus = pyramid[2 * i], minus = pyramid[2 * i + 1];
      check_exact1(force[i + 1], (plus - minus) * mu[i],
                   4 * (fabsl(plus) + fabsl(minus)) * fabsl(mu[i]));
    }
    check_that(force[dim] == 7);
  }
}

// sequences

TEST(halton_numbers_are_mirrored_digits) {
  TRIALS(mju_Halton) {
    const int primes[] = {2, 3, 5, 7, 11, 97};
    int index = draw_int(3) ? draw_int(100) - 5 : draw_int(INT_MAX), base = primes[draw_int(6)];
    Exact sum = 0, weight = 1;
    for (int rest = index; rest > 0; rest /= base) {
      weight /= base;
      sum += rest % base * weight;
    }
    check_exact1(f(index, base), sum, 40 * sum);
    check_that(sum >= 0 && sum < 1);
  }
}

TEST(normal_numbers_have_mean_0_and_variance_1) {
  double moment[2][4] = {{0}}, product = 0;
  const int n = 100000;
  for (int i = 0; i < n; i++) {
    mjtNum number[2];
    number[0] = mju_standardNormal(i % 10 ? &number[1] : NULL);
    number[1] = i % 10 ? number[1] : mju_standardNormal(NULL);
    for (int k = 0; k < 2; k++) {
      double x = (double)number[k];
      moment[k][0] += x / n;
      moment[k][1] += x * x / n;
      moment[k][2] += x * x * x / n;
      moment[k][3] += x * x * x * x / n;
    }
    product += (double)(number[0] * number[1]) / n;
  }
  // five standard deviations of the mean of each power
  for (int k = 0; k < 2; k++) {
    assert_that(fabs(moment[k][0]), <, 5 * sqrt(1.0 / n));
    assert_that(fabs(moment[k][1] - 1), <, 5 * sqrt(2.0 / n));
    assert_that(fabs(moment[k][2]), <, 5 * sqrt(15.0 / n));
    assert_that(fabs(moment[k][3] - 3), <, 5 * sqrt(96.0 / n));
  }
  assert_that(fabs(product), <, 5 * sqrt(1.0 / n));
}

// both draw from rand(), in the same order
TEST(normal_numbers_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  __typeof__(&mju_standardNormal) reference =
      (__typeof__(reference))(uintptr_t)bridge_function("mju_standardNormal");
  for (int i = 0; i < 1000; i++) {
    mjtNum ours[2], theirs[2];
    srand((unsigned)i);
    ours[0] = mju_standardNormal(&ours[1]);
    srand((unsigned)i);
    theirs[0] = reference(&theirs[1]);
    check_near(ours, theirs, 2, 10);
  }
}

static int ascending(const void* a, const void* b) {
  mjtNum x = *(const mjtNum*)a, y = *(const mjtNum*)b;
  return (x > y) - (x < y);
}

TEST(sorting_is_that_of_the_c_library) {
  TRIALS(mju_insertionSort) {
    mjtNum list[12], sorted[12];
    int n = draw_int(12);
    draw(list, n);
    for (int i = 1; i < n; i++) {
      list[i] = draw_int(4) ? list[i] : list[i - 1];
    }
    memcpy(sorted, list, sizeof(list));
    qsort(sorted, (size_t)n, sizeof(mjtNum), ascending);
    f(list, n);
    check_same(list, sorted, n);
  }
  TRIALS(mju_insertionSortInt) {
    int list[12], count[20] = {0}, n = draw_int(12);
    for (int i = 0; i < n; i++) {
      list[i] = draw_int(20) - 10;
      count[list[i] + 10]++;
    }
    f(list, n);
    for (int i = 0; i < n; i++) {
      check_that(i == 0 || list[i - 1] <= list[i]);
      count[list[i] + 10]--;
    }
    for (int i = 0; i < 20; i++) {
      check_that(count[i] == 0);
    }
  }
  int extreme[3] = {INT_MAX, INT_MIN, 0};
  mju_insertionSortInt(extreme, 3);
  assert_that(extreme[0], ==, INT_MIN);
  assert_that(extreme[2], ==, INT_MAX);
}
