// Quaternions, poses and spatial vectors.

#include "base/trials.h"
#include "support/caught.h"

// in long double

static void exact_mul(Exact out[4], const Exact a[4], const Exact b[4]) {
  out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void exact_copy(Exact* out, const mjtNum* in, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = in[i];
  }
}

static void exact_unit(Exact out[4], const mjtNum q[4]) {
  Exact norm = exact_norm(q, 4);
  for (int i = 0; i < 4; i++) {
    out[i] = norm > 0 ? q[i] / norm : !i;
  }
}

static void exact_cross(Exact out[3], const Exact a[3], const Exact b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// out = v + 2 u x (w v + u x v), with q = (w, u)
static void exact_rotate(Exact out[3], const Exact v[3], const Exact q[4]) {
  Exact inner[3], outer[3];
  exact_cross(inner, q + 1, v);
  for (int i = 0; i < 3; i++) {
    inner[i] += q[0] * v[i];
  }
  exact_cross(outer, q + 1, inner);
  for (int i = 0; i < 3; i++) {
    out[i] = v[i] + 2 * outer[i];
  }
}

// the rotation of a unit quaternion
static void exact_matrix(Exact out[9], const Exact q[4]) {
  for (int c = 0; c < 3; c++) {
    Exact axis[3] = {c == 0, c == 1, c == 2}, column[3];
    exact_rotate(column, axis, q);
    for (int r = 0; r < 3; r++) {
      out[3 * r + c] = column[r];
    }
  }
}

// (cos |s|/2, sin |s|/2 s/|s|)
static void exact_exp(Exact out[4], const Exact s[3]) {
  Exact angle = sqrtl(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  out[0] = cosl(angle / 2);
  for (int i = 0; i < 3; i++) {
    out[1 + i] = angle > 0 ? sinl(angle / 2) * s[i] / angle : 0;
  }
}

// q or -q, whichever is closer to the numbers
static void nearer_sign(Exact q[4], const mjtNum numbers[4]) {
  Exact dot = 0;
  for (int i = 0; i < 4; i++) {
    dot += q[i] * numbers[i];
  }
  for (int i = 0; i < 4; i++) {
    q[i] = dot < 0 ? -q[i] : q[i];
  }
}

// any quaternion, mostly of unit length
static void draw_any_quat(mjtNum out[4]) {
  draw_quat(out);
  if (draw_int(4) == 0) {
    mju_scl(out, out, draw_scale(-10, 10), 4);
  }
}

// products

TEST(quaternions_multiply_by_hamiltons_rule) {
  TRIALS(mju_mulQuat) {
    mjtNum a[4], b[4], out[4], again[4];
    Exact p[4], q[4], expected[4];
    draw(a, 4);
    draw_related(b, a, 4);
    exact_copy(p, a, 4);
    exact_copy(q, b, 4);
    exact_mul(expected, p, q);
    f(out, a, b);
    check_exact(out, expected, 4, 6 * exact_norm(a, 4) * exact_norm(b, 4));
    mju_copy4(again, a);
    f(again, again, b);
    check_same(again, out, 4);
    f(b, a, b);
    check_same(b, out, 4);
  }
  TRIALS(mju_mulQuatAxis) {
    mjtNum a[4], v[3], out[4];
    Exact p[4], q[4] = {0}, expected[4];
    draw(a, 4);
    draw_related(v, a + 1, 3);
    exact_copy(p, a, 4);
    exact_copy(q + 1, v, 3);
    exact_mul(expected, p, q);
    f(out, a, v);
    check_exact(out, expected, 4, 6 * exact_norm(a, 4) * exact_norm(v, 3));
    f(a, a, v);
    check_same(a, out, 4);
  }
  TRIALS(mju_derivQuat) {
    mjtNum a[4], v[3], out[4];
    Exact p[4] = {0}, q[4], expected[4];
    draw(a, 4);
    draw(v, 3);
    for (int i = 0; i < 3; i++) {
      p[1 + i] = (Exact)v[i] / 2;
    }
    exact_copy(q, a, 4);
    exact_mul(expected, p, q);
    f(out, a, v);
    check_exact(out, expected, 4, 6 * exact_norm(a, 4) * exact_norm(v, 3) + exact_lost(a, 4));
  }
  TRIALS(mju_negQuat) {
    mjtNum a[4], out[4];
    draw(a, 4);
    f(out, a);
    for (int i = 0; i < 4; i++) {
      check_that(out[i] == (i ? -a[i] : a[i]));
    }
    f(a, a);
    check_same(a, out, 4);
  }
}

// rotations of vectors

TEST(a_vector_is_turned_by_the_sandwich_product) {
  TRIALS(mju_rotVecQuat) {
    mjtNum a[4], v[3], out[3];
    Exact q[4], x[3], expected[3];
    draw_any_quat(a);
    draw_related(v, a + 1, 3);
    exact_copy(q, a, 4);
    exact_copy(x, v, 3);
    exact_rotate(expected, x, q);
    f(out, v, a);
    Exact size = 1 + exact_norm(a, 4);
    check_exact(out, expected, 3, 8 * size * size * exact_norm(v, 3) + exact_lost(a, 4));
    if (a[0] == 1 && mju_isZero(a + 1, 3)) {
      check_same(out, v, 3);
    }
    f(v, v, a);
    check_same(v, out, 3);
  }
}

TEST(a_matrix_is_that_of_its_quaternion) {
  TRIALS(mju_quat2Mat) {
    mjtNum a[4], out[9];
    Exact q[4], expected[9];
    draw_any_quat(a);
    exact_unit(q, a);
    exact_matrix(expected, q);
    Exact square = exact_dot(a, a, 4);
    for (int i = 0; i < 9; i++) {
      expected[i] *= square;
    }
    f(out, a);
    check_exact(out, expected, 9, 8 * square);
  }
}

TEST(a_rotation_matrix_gives_its_quaternion_back) {
  TRIALS(mju_mat2Quat) {
    mjtNum a[4], mat[9], out[4];
    Exact q[4], exact[9];
    draw_quat(a);
    exact_unit(q, a);
    exact_matrix(exact, q);
    for (int i = 0; i < 9; i++) {
      mat[i] = (mjtNum)exact[i];
    }
    f(out, mat);
    nearer_sign(q, out);
    check_exact(out, q, 4, 20);
  }
}

TEST(an_axis_and_an_angle_make_a_quaternion) {
  TRIALS(mju_axisAngle2Quat) {
    mjtNum axis[3], out[4], angle = 4 * draw_unit();
    if (draw_int(8) == 0) {
      angle = draw_int(2) ? 0 : 100 * draw_unit();
    }
    draw(axis, 3);
    f(out, axis, angle);
    Exact half = (Exact)angle / 2, expected[4] = {cosl(half)};
    for (int i = 0; i < 3; i++) {
      expected[1 + i] = sinl(half) * axis[i];
    }
    check_exact(out, expected, 1, 2);
    check_exact(out + 1, expected + 1, 3, 4 * exact_norm(axis, 3));
    check_that(angle != 0 || (out[0] == 1 && mju_isZero(out + 1, 3)));
  }
}

// rotation vectors

// res turns by at most pi and leads where the quaternion does
TEST(a_rotation_vector_is_the_short_way) {
  TRIALS(mju_quat2Vel) {
    mjtNum a[4], out[3], dt = draw_scale(-10, 10);
    Exact q[4], turn[3], expected[4];
    draw_any_quat(a);
    f(out, a, dt);
    for (int i = 0; i < 3; i++) {
      turn[i] = (Exact)out[i] * dt;
    }
    check_that(exact_norm(out, 3) * dt <= acosl(-1) * (1 + 8 * ROUNDING));
    exact_exp(expected, turn);
    exact_unit(q, a);
    nearer_sign(expected, (mjtNum[]){(mjtNum)q[0], (mjtNum)q[1], (mjtNum)q[2], (mjtNum)q[3]});
    // below mjMINVAL the axis is lost
    Exact lost = exact_norm(a + 1, 3) < mjMINVAL ? 2 * mjMINVAL / exact_norm(a, 4) : 0;
    for (int i = 0; i < 4; i++) {
      check_exact1((mjtNum)(expected[i] - q[i]), 0, 12 + lost / ROUNDING);
    }
  }
  TRIALS(mju_subQuat) {
    mjtNum a[4], b[4], out[3];
    Exact p[4], q[4], turn[3], step[4], expected[4];
    draw_quat(a);
    if (draw_int(8)) {
      draw_quat(b);
    } else {
      mju_scl(b, a, draw_int(2) ? 1 : -1, 4);
    }
    f(out, a, b);
    check_that(exact_norm(out, 3) <= acosl(-1) * (1 + 8 * ROUNDING));
    exact_copy(turn, out, 3);
    exact_exp(step, turn);
    exact_unit(p, a);
    exact_unit(q, b);
    exact_mul(expected, q, step);
    nearer_sign(expected, a);
    for (int i = 0; i < 4; i++) {
      check_exact1((mjtNum)(expected[i] - p[i]), 0, 30 + 2 * mjMINVAL / ROUNDING);
    }
  }
}

TEST(a_quaternion_is_turned_about_its_own_axes) {
  TRIALS(mju_quatIntegrate) {
    mjtNum a[4], v[3], scale = draw_scale(-8, 2) * (mjtNum)(draw_int(2) ? 1 : -1);
    Exact q[4], turn[3], step[4], expected[4];
    draw_any_quat(a);
    draw_scaled(v, 3, draw_int(16) ? draw_scale(-20, 6) : 0);
    exact_unit(q, a);
    Exact norm = exact_norm(a, 4), kept = fabsl(norm - 1) < 2 * mjMINVAL ? norm : 1;
    for (int i = 0; i < 3; i++) {
      turn[i] = (Exact)v[i] * scale;
    }
    exact_exp(step, turn);
    exact_mul(expected, q, step);
    for (int i = 0; i < 4; i++) {
      expected[i] *= kept;
    }
    Exact angle = exact_norm(v, 3) * fabsl(scale);
    f(a, v, scale);
    check_exact(a, expected, 4, 16 + 4 * angle + 2 * mjMINVAL / ROUNDING);
  }
  mjtNum zero[4] = {0};
  mju_quatIntegrate(zero, (mjtNum[]){0, 0, 0}, 1);
  assert_memory_equal(zero, ((mjtNum[]){1, 0, 0, 0}), sizeof(zero));
}

// the derivative of a turn by differences of long double numbers
TEST(derivatives_on_the_rotations_are_the_limits_of_differences) {
  const Exact h = 1e-6L;
  TRIALS(mjd_quatIntegrate) {
    mjtNum v[3], scale = draw_scale(-8, 2), Dquat[9], Dvel[9], Dscale[3];
    Exact turn[3], step[4], back[4], expected[9];
    draw_scaled(v, 3, draw_int(16) ? draw_scale(-12, 2) : 0);
    f(v, scale, Dquat, Dvel, Dscale);
    for (int i = 0; i < 3; i++) {
      turn[i] = (Exact)v[i] * scale;
    }
    exact_exp(step, turn);
    for (int i = 0; i < 4; i++) {
      back[i] = i ? -step[i] : step[i];
    }
    exact_matrix(expected, back);
    Exact x = exact_norm(v, 3) * scale;
    check_exact(Dquat, expected, 9, 1e4 + 10 * x * x);

    // column j: the rotation exp(-s) exp(s + h e_j) over h
    for (int j = 0; j < 3; j++) {
      Exact ends[2][4], column[3];
      for (int side = 0; side < 2; side++) {
        Exact moved[3] = {turn[0], turn[1], turn[2]}, forward[4];
        moved[j] += side ? h : -h;
        exact_exp(forward, moved);
        exact_mul(ends[side], back, forward);
      }
      for (int i = 0; i < 3; i++) {
        column[i] = (ends[1][1 + i] - ends[0][1 + i]) / h;
        check_exact1(Dvel[3 * i + j], column[i], fmaxl(1e-9L / ROUNDING, 4e3L));
      }
    }
    for (int i = 0; i < 3; i++) {
      check_exact1(Dscale[i], exact_dot(Dvel + 3 * i, v, 3), 6 * exact_size(Dvel + 3 * i, v, 3));
    }
    mjtNum alone[9];
    f(v, scale, alone, NULL, NULL);
    check_same(alone, Dquat, 9);
    f(v, scale, NULL, alone, NULL);
    check_same(alone, Dvel, 9);
    f(v, scale, NULL, NULL, alone);
    check_same(alone, Dscale, 3);
  }
}

// Da maps a turn of qa to the change of the rotation vector: its inverse is the derivative of exp.
TEST(the_derivative_of_a_difference_inverts_that_of_the_exponential) {
  TRIALS(mjd_subQuat) {
    mjtNum a[4], b[4], Da[9], Db[9], vector[3], Dvel[9];
    draw_quat(a);
    draw_quat(b);
    f(a, b, Da, Db);
    mju_subQuat(vector, a, b);
    mjd_quatIntegrate(vector, 1, NULL, Dvel, NULL);
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) {
        const mjtNum column[3] = {Dvel[c], Dvel[3 + c], Dvel[6 + c]};
        check_exact1((mjtNum)exact_dot(Da + 3 * r, column, 3), r == c, 1e4);
        check_that(Db[3 * r + c] == -Da[3 * c + r]);
      }
    }
    mjtNum alone[9];
    f(a, b, alone, NULL);
    check_same(alone, Da, 9);
    f(a, b, NULL, alone);
    check_same(alone, Db, 9);
  }
}

// particular rotations

TEST(z_is_turned_onto_a_vector_by_the_least_rotation) {
  TRIALS(mju_quatZ2Vec) {
    mjtNum v[3], out[4];
    Exact q[4], turned[3];
    const Exact z[3] = {0, 0, 1};
    draw(v, 3);
    if (draw_int(4) == 0) {
      // nearly straight up or down
      v[2] = (draw_int(2) ? 1 : -1) * mju_norm3(v) * draw_scale(10, sizeof(mjtNum) == 8 ? 60 : 12);
    }
    f(out, v);
    Exact norm = exact_norm(v, 3);
    if (norm < mjMINVAL || fabsl(norm / mjMINVAL - 1) < 1e-5L) {
      check_that(norm > mjMINVAL || out[0] == 1);
      continue;
    }
    exact_copy(q, out, 4);
    exact_rotate(turned, z, q);
    for (int i = 0; i < 3; i++) {
      check_exact1((mjtNum)(turned[i] - v[i] / norm), 0, 40 + 2 * mjMINVAL / ROUNDING);
    }
    check_that(out[3] == 0 && out[0] >= -ROUNDING);
    check_exact1((mjtNum)exact_norm(out, 4), 1, 8);
  }
}

// A = R S with a symmetric S near the identity: the rotation nearest to A is R
TEST(the_rotation_in_a_stretched_one_is_found) {
  TRIALS(mju_mat2Rot) {
    mjtNum a[4], rot[9], stretch[9], mat[9], found[4];
    Exact q[4];
    draw_quat(a);
    mju_quat2Mat(rot, a);
    draw_scaled(stretch, 9, (mjtNum)0.2);
    mju_symmetrize(stretch, stretch, 3);
    for (int i = 0; i < 9; i += 4) {
      stretch[i] += 1;
    }
    mju_mulMatMat(mat, rot, stretch, 3, 3, 3);
    mju_copy4(found, a);
    for (int i = 0; i < 4; i++) {
      found[i] += (mjtNum)0.3 * draw_unit();
    }
    mju_normalize4(found);
    int iterations = f(found, mat);
    check_that(iterations >= 0 && iterations < 500);
    exact_unit(q, a);
    nearer_sign(q, found);
    check_exact(found, q, 4, sizeof(mjtNum) == 8 ? 1e-8L / ROUNDING : 1e-5L / ROUNDING);
  }
  mjtNum q[4] = {0, 1, 0, 0};
  assert_int_equal(mju_mat2Rot(q, (mjtNum[9]){0}), 0);
  assert_that(q[1], ==, 1);
}

TEST(euler_angles_turn_about_moving_or_fixed_axes) {
  TRIALS(mju_euler2Quat) {
    char sequence[4] = "";
    mjtNum angle[3], out[4];
    Exact total[4] = {1, 0, 0, 0};
    draw_scaled(angle, 3, draw_int(8) ? 4 : 0);
    for (int i = 0; i < 3; i++) {
      sequence[i] = "xyzXYZ"[draw_int(6)];
      Exact turn[4] = {cosl((Exact)angle[i] / 2)},
            before[4] = {total[0], total[1], total[2], total[3]};
      turn[1 + ((sequence[i] | 32) - 'x')] = sinl((Exact)angle[i] / 2);
      if (sequence[i] >= 'x') {
        exact_mul(total, before, turn);
      } else {
        exact_mul(total, turn, before);
      }
    }
    f(out, angle, sequence);
    check_exact(out, total, 4, 16);
  }
}

TEST(a_sequence_that_is_not_three_axes_is_an_error) {
  mjtNum q[4];
  const mjtNum angles[3] = {0, 0, 0};
  assert_error(mju_euler2Quat(q, angles, "xy"),
               "mju_euler2Quat: seq must contain exactly 3 characters");
  assert_error(mju_euler2Quat(q, angles, "xyzx"),
               "mju_euler2Quat: seq must contain exactly 3 characters");
  assert_error(mju_euler2Quat(q, angles, "xyw"),
               "mju_euler2Quat: seq[2] is 'w', should be one of x, y, z, X, Y, Z");
  assert_error(mju_euler2Quat(q, angles, ""),
               "mju_euler2Quat: seq must contain exactly 3 characters");
}

// poses

TEST(poses_are_applied_one_after_the_other) {
  TRIALS(mju_mulPose) {
    mjtNum pos[3][3], quat[3][4];
    Exact p[3], v[3], q[2][4], expected[4];
    for (int k = 0; k < 2; k++) {
      draw(pos[k], 3);
      draw_quat(quat[k]);
      exact_copy(q[k], quat[k], 4);
    }
    f(pos[2], quat[2], pos[0], quat[0], pos[1], quat[1]);
    exact_copy(v, pos[1], 3);
    exact_rotate(p, v, q[0]);
    for (int i = 0; i < 3; i++) {
      p[i] += pos[0][i];
    }
    check_exact(pos[2], p, 3, 40 * (exact_norm(pos[0], 3) + exact_norm(pos[1], 3)));
    exact_mul(expected, q[0], q[1]);
    check_exact(quat[2], expected, 4, 20 + 2 * mjMINVAL / ROUNDING);
  }
  TRIALS(mju_negPose) {
    mjtNum pos[3], quat[4], ipos[3], iquat[4];
    Exact v[3], q[4], expected[3];
    draw(pos, 3);
    draw_quat(quat);
    f(ipos, iquat, pos, quat);
    exact_copy(v, pos, 3);
    for (int i = 0; i < 4; i++) {
      check_that(iquat[i] == (i ? -quat[i] : quat[i]));
      q[i] = iquat[i];
    }
    exact_rotate(expected, v, q);
    for (int i = 0; i < 3; i++) {
      expected[i] = -expected[i];
    }
    check_exact(ipos, expected, 3, 40 * exact_norm(pos, 3));
  }
  TRIALS(mju_trnVecPose) {
    mjtNum pos[3], quat[4], vec[3], out[3];
    Exact v[3], q[4], expected[3];
    draw(pos, 3);
    draw_quat(quat);
    draw_related(vec, pos, 3);
    f(out, pos, quat, vec);
    exact_copy(v, vec, 3);
    exact_copy(q, quat, 4);
    exact_rotate(expected, v, q);
    for (int i = 0; i < 3; i++) {
      expected[i] += pos[i];
    }
    check_exact(out, expected, 3, 40 * (exact_norm(pos, 3) + exact_norm(vec, 3)));
  }
}

// spatial vectors

TEST(a_spatial_vector_is_moved_then_turned) {
  TRIALS(mju_transformSpatial) {
    mjtNum vec[6], to[3], from[3], mat[9], out[6];
    Exact d[3], rotation[3], translation[3], cross[3], expected[6];
    int force = draw_int(2), turned = draw_int(2);
    draw(vec, 3);
    draw(vec + 3, 3);
    draw(to, 3);
    draw_related(from, to, 3);
    draw(mat, 9);
    f(out, vec, force, to, from, turned ? mat : NULL);

    for (int i = 0; i < 3; i++) {
      d[i] = (Exact)to[i] - from[i];
    }
    exact_copy(rotation, vec, 3);
    exact_copy(translation, vec + 3, 3);
    exact_cross(cross, d, force ? translation : rotation);
    Exact arm = sqrtl(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    Exact size = exact_norm(vec, 3) + exact_norm(vec + 3, 3);
    for (int i = 0; i < 3; i++) {
      (force ? rotation : translation)[i] -= cross[i];
    }
    for (int i = 0; i < 3; i++) {
      expected[i] = turned ? 0 : rotation[i];
      expected[3 + i] = turned ? 0 : translation[i];
      for (int k = 0; turned && k < 3; k++) {
        expected[i] += mat[3 * k + i] * rotation[k];
        expected[3 + i] += mat[3 * k + i] * translation[k];
      }
    }
    Exact stretch = turned ? exact_norm(mat, 9) : 1;
    check_exact(out, expected, 6, 12 * stretch * (1 + arm) * size + exact_lost(mat, 9));
    f(vec, vec, force, to, from, turned ? mat : NULL);
    check_same(vec, out, 6);
  }
}

// power = force . motion is the same seen from anywhere
TEST(power_does_not_depend_on_the_frame) {
  for (int i = 0; i < 1000; i++) {
    mjtNum motion[6], force[6], from[3], to[3], q[4], rot[9], motion2[6], force2[6];
    random_numbers(motion, 6);
    random_numbers(force, 6);
    random_numbers(from, 3);
    random_numbers(to, 3);
    random_quat(q);
    mju_quat2Mat(rot, q);
    mju_transformSpatial(motion2, motion, 0, to, from, rot);
    mju_transformSpatial(force2, force, 1, to, from, rot);
    check_number(mju_dot(motion2, force2, 6), mju_dot(motion, force, 6), 20);
  }
}
