// Vectors of 3, 4 and n numbers.

#include "base/trials.h"

enum {
  LENGTH = 24
};

// elementwise functions, all linear in a and b

static Exact nothing(Exact a, Exact b, Exact s) {
  return 0 * a * b * s;
}

static Exact left(Exact a, Exact b, Exact s) {
  return a + 0 * b * s;
}

static Exact scaled(Exact a, Exact b, Exact s) {
  return a * s + 0 * b;
}

static Exact sum(Exact a, Exact b, Exact s) {
  return a + b + 0 * s;
}

static Exact difference(Exact a, Exact b, Exact s) {
  return a - b + 0 * s;
}

static Exact scaled_sum(Exact a, Exact b, Exact s) {
  return a + s * b;
}

// What a function takes: three letters at most of a, b, s behind its result, which is the first
// argument; t: the result is a from before; n: a length.
typedef enum {
  T_R,
  T_RA,
  T_RAS,
  T_RAB,
  T_TB,
  T_TBS,
  T_RABS,
  T_RN,
  T_RSN,
  T_RAN,
  T_RASN,
  T_RABN,
  T_TBN,
  T_TBSN,
  T_RABSN
} Takes;

typedef struct Elementwise_ {
  const char* name;
  AnyFunction ours;
  Takes takes;
  int length;  // 0: any
  Exact (*formula)(Exact a, Exact b, Exact s);
} Elementwise;

#define ROW(name, takes, length, formula) \
  { #name, (AnyFunction)&name, takes, length, formula }

static Exact fill_value(Exact a, Exact b, Exact s) {
  return s + 0 * a * b;
}

static const Elementwise elementwise[] = {
    ROW(mju_zero3, T_R, 3, nothing),         ROW(mju_copy3, T_RA, 3, left),
    ROW(mju_scl3, T_RAS, 3, scaled),         ROW(mju_add3, T_RAB, 3, sum),
    ROW(mju_sub3, T_RAB, 3, difference),     ROW(mju_addTo3, T_TB, 3, sum),
    ROW(mju_subFrom3, T_TB, 3, difference),  ROW(mju_addToScl3, T_TBS, 3, scaled_sum),
    ROW(mju_addScl3, T_RABS, 3, scaled_sum), ROW(mju_zero4, T_R, 4, nothing),
    ROW(mju_copy4, T_RA, 4, left),           ROW(mju_zero, T_RN, 0, nothing),
    ROW(mju_fill, T_RSN, 0, fill_value),     ROW(mju_copy, T_RAN, 0, left),
    ROW(mju_scl, T_RASN, 0, scaled),         ROW(mju_add, T_RABN, 0, sum),
    ROW(mju_sub, T_RABN, 0, difference),     ROW(mju_addTo, T_TBN, 0, sum),
    ROW(mju_subFrom, T_TBN, 0, difference),  ROW(mju_addToScl, T_TBSN, 0, scaled_sum),
    ROW(mju_addScl, T_RABSN, 0, scaled_sum),
};

typedef mjtNum* Out;
typedef const mjtNum* In;

static void call(AnyFunction f, Takes takes, Out r, In a, In b, mjtNum s, int n) {
  switch (takes) {
    case T_R:
      ((void (*)(Out))f)(r);
      break;
    case T_RA:
      ((void (*)(Out, In))f)(r, a);
      break;
    case T_RAS:
      ((void (*)(Out, In, mjtNum))f)(r, a, s);
      break;
    case T_RAB:
      ((void (*)(Out, In, In))f)(r, a, b);
      break;
    case T_TB:
      ((void (*)(Out, In))f)(r, b);
      break;
    case T_TBS:
      ((void (*)(Out, In, mjtNum))f)(r, b, s);
      break;
    case T_RABS:
      ((void (*)(Out, In, In, mjtNum))f)(r, a, b, s);
      break;
    case T_RN:
      ((void (*)(Out, int))f)(r, n);
      break;
    case T_RSN:
      ((void (*)(Out, mjtNum, int))f)(r, s, n);
      break;
    case T_RAN:
      ((void (*)(Out, In, int))f)(r, a, n);
      break;
    case T_RASN:
      ((void (*)(Out, In, mjtNum, int))f)(r, a, s, n);
      break;
    case T_RABN:
      ((void (*)(Out, In, In, int))f)(r, a, b, n);
      break;
    case T_TBN:
      ((void (*)(Out, In, int))f)(r, b, n);
      break;
    case T_TBSN:
      ((void (*)(Out, In, mjtNum, int))f)(r, b, s, n);
      break;
    case T_RABSN:
      ((void (*)(Out, In, In, mjtNum, int))f)(r, a, b, s, n);
      break;
  }
}

static int result_is_input(Takes takes) {
  return takes == T_TB || takes == T_TBS || takes == T_TBN || takes == T_TBSN;
}

// each element is its formula to the last digit; the one behind the end is not touched
TEST(elements_are_combined_one_by_one) {
  const int nrow = sizeof(elementwise) / sizeof(*elementwise);
  for (const Elementwise* row = elementwise; row < elementwise + nrow; row++) {
    while (trial_next(row->name, row->ours)) {
      mjtNum a[LENGTH], b[LENGTH], out[LENGTH + 1], s = draw_number();
      int n = row->length ? row->length : draw_int(LENGTH);
      draw(a, n);
      draw_related(b, a, n);
      draw(out, n);
      out[n] = 7;
      if (result_is_input(row->takes)) {
        mju_copy(out, a, n);
      }
      call(trial.function, row->takes, out, a, b, s, n);
      for (int i = 0; i < n; i++) {
        Exact size = fabsl(row->formula(a[i], 0, s)) + fabsl(row->formula(0, b[i], s));
        check_exact1(out[i], row->formula(a[i], b[i], s), 2 * size);
      }
      check_that(out[n] == 7);

      // in place
      mjtNum again[LENGTH];
      mju_copy(again, a, n);
      call(trial.function, row->takes, again, again, b, s, n);
      check_same(again, out, n);
    }
  }
}

// lengths

TEST(a_length_is_the_root_of_the_sum_of_squares) {
  TRIALS(mju_norm3) {
    mjtNum a[3];
    draw(a, 3);
    check_exact1(f(a), exact_norm(a, 3), 4 * exact_norm(a, 3) + sqrtl(SMALLEST) / ROUNDING);
  }
  TRIALS(mju_norm) {
    mjtNum a[LENGTH];
    int n = draw_int(LENGTH);
    draw(a, n);
    check_exact1(f(a, n), exact_norm(a, n),
                 (n + 2) * exact_norm(a, n) + 2 * sqrtl(n * (Exact)SMALLEST) / ROUNDING);
  }
  TRIALS(mju_dist3) {
    mjtNum a[3], b[3];
    draw(a, 3);
    draw_related(b, a, 3);
    Exact square = 0;
    for (int i = 0; i < 3; i++) {
      square += ((Exact)a[i] - b[i]) * ((Exact)a[i] - b[i]);
    }
    check_exact1(f(a, b), sqrtl(square), 6 * sqrtl(square) + sqrtl(SMALLEST) / ROUNDING);
  }
}

// The unit vector and the length before, or the first axis if there is hardly any; at a length
// between the bounds either may come out.
static void check_unit(const mjtNum* out, mjtNum norm, const mjtNum* in, int n, int whole) {
  Exact length = exact_norm(in, n);
  check_exact1(norm, length, (n + 2) * length + 2 * sqrtl(n * (Exact)SMALLEST) / ROUNDING);
  if (norm < mjMINVAL) {
    for (int i = 0; i < n; i++) {
      check_that(out[i] == (i == 0 ? 1 : 0));
    }
    return;
  }
  if (whole && mju_abs(norm - 1) <= mjMINVAL) {
    check_same(out, in, n);
    return;
  }
  for (int i = 0; i < n; i++) {
    check_exact1(out[i], in[i] / length, (n + 6) * fabsl(in[i]) / length);
  }
}

TEST(a_vector_is_made_as_long_as_1) {
  TRIALS(mju_normalize3) {
    mjtNum a[3], before[3];
    draw(a, 3);
    mju_copy3(before, a);
    mjtNum norm = f(a);
    check_unit(a, norm, before, 3, 0);
  }
  TRIALS(mju_normalize4) {
    mjtNum a[4], before[4];
    if (draw_int(4)) {
      draw(a, 4);
    } else {
      draw_quat(a);
      a[0] += draw_int(2) ? (mjtNum)8 * (mjtNum)ROUNDING * draw_unit() : 0;
    }
    mju_copy4(before, a);
    mjtNum norm = f(a);
    check_unit(a, norm, before, 4, 1);
  }
  TRIALS(mju_normalize) {
    mjtNum a[LENGTH], before[LENGTH];
    int n = 1 + draw_int(LENGTH - 1);
    draw(a, n);
    mju_copy(before, a, n);
    mjtNum norm = f(a, n);
    check_unit(a, norm, before, n, 0);
  }
}

// sums

TEST(products_and_sums_are_those_of_their_terms) {
  TRIALS(mju_dot3) {
    mjtNum a[3], b[3];
    draw(a, 3);
    draw_related(b, a, 3);
    check_exact1(f(a, b), exact_dot(a, b, 3), 3 * exact_size(a, b, 3));
  }
  TRIALS(mju_dot) {
    mjtNum a[LENGTH], b[LENGTH];
    int n = draw_int(LENGTH);
    draw(a, n);
    draw_related(b, a, n);
    check_exact1(f(a, b, n), exact_dot(a, b, n), n * exact_size(a, b, n));
  }
  mjtNum ones[LENGTH];
  mju_fill(ones, 1, LENGTH);
  TRIALS(mju_sum) {
    mjtNum a[LENGTH];
    int n = draw_int(LENGTH);
    draw(a, n);
    check_exact1(f(a, n), exact_dot(a, ones, n), n * exact_size(a, ones, n));
  }
  TRIALS(mju_L1) {
    mjtNum a[LENGTH];
    int n = draw_int(LENGTH);
    draw(a, n);
    check_exact1(f(a, n), exact_size(a, ones, n), n * exact_size(a, ones, n));
  }
}

TEST(a_cross_product_is_perpendicular_and_its_formula) {
  TRIALS(mju_cross) {
    mjtNum a[3], b[3], out[3], again[3];
    draw(a, 3);
    draw_related(b, a, 3);
    f(out, a, b);
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      Exact plus = (Exact)a[j] * b[k], minus = (Exact)a[k] * b[j];
      check_exact1(out[i], plus - minus, 2 * (fabsl(plus) + fabsl(minus)));
    }
    mju_copy3(again, a);
    f(again, again, b);
    check_same(again, out, 3);
    mju_copy3(again, b);
    f(again, a, again);
    check_same(again, out, 3);
  }
}

TEST(a_matrix_turns_a_vector_and_its_transpose_back) {
  TRIALS(mju_mulMatVec3) {
    mjtNum mat[9], v[3], out[3];
    draw(mat, 9);
    draw(v, 3);
    f(out, mat, v);
    for (int r = 0; r < 3; r++) {
      check_exact1(out[r], exact_dot(mat + 3 * r, v, 3), 3 * exact_size(mat + 3 * r, v, 3));
    }
    f(v, mat, v);
    check_same(v, out, 3);
  }
  TRIALS(mju_mulMatTVec3) {
    mjtNum mat[9], v[3], out[3];
    draw(mat, 9);
    draw(v, 3);
    f(out, mat, v);
    for (int c = 0; c < 3; c++) {
      mjtNum column[3] = {mat[c], mat[3 + c], mat[6 + c]};
      check_exact1(out[c], exact_dot(column, v, 3), 3 * exact_size(column, v, 3));
    }
    f(v, mat, v);
    check_same(v, out, 3);
  }
}

// other

TEST(the_unit_quaternion_is_1_0_0_0) {
  mjtNum q[4] = {5, 5, 5, 5};
  mju_unit4(q);
  assert_memory_equal(q, ((mjtNum[]){1, 0, 0, 0}), sizeof(q));
}

TEST(a_vector_is_zero_if_all_its_elements_are) {
  TRIALS(mju_isZero) {
    mjtNum a[LENGTH] = {0};
    int n = draw_int(LENGTH), at = draw_int(LENGTH);
    a[at] = draw_int(2) ? draw_number() : (mjtNum)-0.0;
    check_that(f(a, n) == !(at < n && a[at] != 0));
  }
  assert_false(mju_isZero((mjtNum[]){0, (mjtNum)NAN}, 2));
}

TEST(numbers_keep_their_value_in_another_type) {
  TRIALS(mju_d2n) {
    double in[LENGTH];
    mjtNum out[LENGTH + 1];
    int n = draw_int(LENGTH);
    for (int i = 0; i < n; i++) {
      in[i] = (double)draw_number();
    }
    out[n] = 7;
    f(out, in, n);
    for (int i = 0; i < n; i++) {
      check_that(out[i] == (mjtNum)in[i]);
    }
    check_that(out[n] == 7);
  }
  TRIALS(mju_n2d) {
    mjtNum in[LENGTH];
    double out[LENGTH + 1];
    int n = draw_int(LENGTH);
    draw(in, n);
    out[n] = 7;
    f(out, in, n);
    for (int i = 0; i < n; i++) {
      check_that(out[i] == (double)in[i]);
    }
    check_that(out[n] == 7);
  }
  TRIALS(mju_f2n) {
    float in[LENGTH];
    mjtNum out[LENGTH + 1];
    int n = draw_int(LENGTH);
    for (int i = 0; i < n; i++) {
      in[i] = (float)draw_number();
    }
    out[n] = 7;
    f(out, in, n);
    for (int i = 0; i < n; i++) {
      check_that(out[i] == (mjtNum)in[i]);
    }
    check_that(out[n] == 7);
  }
  TRIALS(mju_n2f) {
    mjtNum in[LENGTH];
    float out[LENGTH + 1];
    int n = draw_int(LENGTH);
    draw(in, n);
    out[n] = 7;
    f(out, in, n);
    for (int i = 0; i < n; i++) {
      check_that(out[i] == (float)in[i]);
    }
    check_that(out[n] == 7);
  }
}
