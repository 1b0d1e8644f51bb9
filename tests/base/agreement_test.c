// Every utility beside the reference's, on special numbers: zeros of both signs, ones, powers of
// two, denormals, infinities and NaN, alone and among ordinary ones. Results are equal to 1e-12,
// and are not finite where the reference's are not.

#include "base/trials.h"
#include "support/near.h"

enum {
  ROOM = 64
};

// The inputs of a call lie one behind the other in `in`; its outputs go to `out`. A function that
// changes its input gets a copy of it in out.
typedef struct Case_ {
  const char* name;
  AnyFunction ours;
  int nin, nout;
  void (*call)(AnyFunction function, mjtNum* out, const mjtNum* in);
} Case;

static const mjtNum* copied(mjtNum* out, const mjtNum* in, int n) {
  memcpy(out, in, (size_t)n * sizeof(mjtNum));
  return out;
}

// X(function, numbers in, numbers out, call)
#define CASES(X)                                                                  \
  X(mju_scl3, 4, 3, f(out, in, in[3]))                                            \
  X(mju_addToScl3, 7, 3, copied(out, in, 3); f(out, in + 3, in[6]))               \
  X(mju_addScl3, 7, 3, f(out, in, in + 3, in[6]))                                 \
  X(mju_normalize3, 3, 4, copied(out, in, 3); out[3] = f(out))                    \
  X(mju_normalize4, 4, 5, copied(out, in, 4); out[4] = f(out))                    \
  X(mju_normalize, 5, 6, copied(out, in, 5); out[5] = f(out, 5))                  \
  X(mju_norm3, 3, 1, out[0] = f(in))                                              \
  X(mju_norm, 5, 1, out[0] = f(in, 5))                                            \
  X(mju_dot3, 6, 1, out[0] = f(in, in + 3))                                       \
  X(mju_dot, 14, 1, out[0] = f(in, in + 7, 7))                                    \
  X(mju_dist3, 6, 1, out[0] = f(in, in + 3))                                      \
  X(mju_sum, 7, 1, out[0] = f(in, 7))                                             \
  X(mju_L1, 7, 1, out[0] = f(in, 7))                                              \
  X(mju_scl, 6, 5, f(out, in, in[5], 5))                                          \
  X(mju_addToScl, 11, 5, copied(out, in, 5); f(out, in + 5, in[10], 5))           \
  X(mju_addScl, 11, 5, f(out, in, in + 5, in[10], 5))                             \
  X(mju_isZero, 2, 1, out[0] = f(in, 2))                                          \
  X(mju_cross, 6, 3, f(out, in, in + 3))                                          \
  X(mju_mulMatVec3, 12, 3, f(out, in, in + 9))                                    \
  X(mju_mulMatTVec3, 12, 3, f(out, in, in + 9))                                   \
  X(mju_mulMatVec, 16, 4, f(out, in, in + 12, 4, 3))                              \
  X(mju_mulMatTVec, 16, 4, f(out, in, in + 12, 3, 4))                             \
  X(mju_mulVecMatVec, 15, 1, out[0] = f(in, in + 3, in + 12, 3))                  \
  X(mju_mulMatMat, 18, 9, f(out, in, in + 9, 3, 3, 3))                            \
  X(mju_mulMatMatT, 18, 9, f(out, in, in + 9, 3, 3, 3))                           \
  X(mju_mulMatTMat, 18, 9, f(out, in, in + 9, 3, 3, 3))                           \
  X(mju_sqrMatTD, 15, 9, f(out, in, in + 12, 3, 3))                               \
  X(mju_symmetrize, 9, 9, f(out, in, 3))                                          \
  X(mju_transformSpatial, 21, 6, f(out, in, in[0] > 0, in + 6, in + 9, in + 12))  \
  X(mju_rotVecQuat, 7, 3, f(out, in, in + 3))                                     \
  X(mju_mulQuat, 8, 4, f(out, in, in + 4))                                        \
  X(mju_mulQuatAxis, 7, 4, f(out, in, in + 4))                                    \
  X(mju_derivQuat, 7, 4, f(out, in, in + 4))                                      \
  X(mju_axisAngle2Quat, 4, 4, f(out, in, in[3]))                                  \
  X(mju_quat2Vel, 5, 3, f(out, in, in[4]))                                        \
  X(mju_subQuat, 8, 3, f(out, in, in + 4))                                        \
  X(mju_quat2Mat, 4, 9, f(out, in))                                               \
  X(mju_mat2Quat, 9, 4, f(out, in))                                               \
  X(mju_quatIntegrate, 8, 4, copied(out, in, 4); f(out, in + 4, in[7]))           \
  X(mju_quatZ2Vec, 3, 4, f(out, in))                                              \
  X(mju_euler2Quat, 3, 4, f(out, in, "xYz"))                                      \
  X(mjd_subQuat, 8, 18, f(in, in + 4, out, out + 9))                              \
  X(mjd_quatIntegrate, 4, 21, f(in, in[3], out, out + 9, out + 18))               \
  X(mju_mulPose, 14, 7, f(out, out + 3, in, in + 3, in + 7, in + 10))             \
  X(mju_negPose, 7, 7, f(out, out + 3, in, in + 3))                               \
  X(mju_trnVecPose, 10, 3, f(out, in, in + 3, in + 7))                            \
  X(mju_cholFactor, 9, 10, copied(out, in, 9); out[9] = f(out, 3, (mjtNum)1e-10)) \
  X(mju_bandMulMatVec, 16, 4, f(out, in, in + 12, 4, 2, 1, 1, 1))                 \
  X(mju_encodePyramid, 5, 4, f(out, in, in + 3, 3))                               \
  X(mju_decodePyramid, 6, 3, f(out, in, in + 4, 3))                               \
  X(mju_min, 2, 1, out[0] = f(in[0], in[1]))                                      \
  X(mju_max, 2, 1, out[0] = f(in[0], in[1]))                                      \
  X(mju_clip, 3, 1, out[0] = f(in[0], in[1], in[2]))                              \
  X(mju_sign, 1, 1, out[0] = f(in[0]))                                            \
  X(mju_round, 1, 1, out[0] = f(in[0]))                                           \
  X(mju_isBad, 1, 1, out[0] = f(in[0]))                                           \
  X(mju_sigmoid, 1, 1, out[0] = f(in[0]))                                         \
  X(mju_springDamper, 5, 1, out[0] = f(in[0], in[1], in[2], in[3], in[4]))        \
  X(mju_muscleDynamics, 5, 1, out[0] = f(in[0], in[1], in + 2))                   \
  X(mju_muscleGain, 14, 1, out[0] = f(in[0], in[1], in + 2, in[4], in + 5))       \
  X(mju_muscleBias, 13, 1, out[0] = f(in[0], in + 1, in[3], in + 4))

#define CALLER(name, nin, nout, ...)                                             \
  static void call_##name(AnyFunction function, mjtNum* out, const mjtNum* in) { \
    __typeof__(&name) f = (__typeof__(f))function;                               \
    __VA_ARGS__;                                                                 \
  }
#define ROW(name, nin, nout, ...) {#name, (AnyFunction)&name, nin, nout, call_##name},
CASES(CALLER)
static const Case cases[] = {CASES(ROW)};

// Without neighbours: a sum or a product of two of them has no rounding, or makes no difference.
static mjtNum draw_lonely(void) {
  const mjtNum lonely[] = {0,  0, 0,           (mjtNum)-0.0,     1,
                           -1, 2, -2,          (mjtNum)0.5,      (mjtNum)SMALLEST,
                           -1, 1, (mjtNum)NAN, (mjtNum)INFINITY, (mjtNum)-INFINITY};
  return lonely[draw_int(sizeof(lonely) / sizeof(*lonely))];
}

// Where an input is infinite, the order of operations decides between an infinite result and none.
static int agree(mjtNum a, mjtNum b, mjtNum scale, int infinite) {
  return (infinite && !isfinite(a) && !isfinite(b)) ||
         near_gap((double)a, (double)b) <= 1e-12 * (1 + (double)scale);
}

static void compare(const Case* c, AnyFunction reference, int* differ) {
  mjtNum in[ROOM], out[2][ROOM], scale = 0;
  int odds = draw_int(4), infinite = 0;
  for (int i = 0; i < c->nin; i++) {
    in[i] = draw_int(4) < odds ? draw_lonely() : draw_unit();
    infinite |= isinf(in[i]) != 0;
  }
  memset(out, 0, sizeof(out));
  c->call(c->ours, out[0], in);
  c->call(reference, out[1], in);
  for (int i = 0; i < c->nout; i++) {
    scale = mju_max(scale, isfinite(out[1][i]) ? mju_abs(out[1][i]) : 0);
  }
  for (int i = 0; i < c->nout; i++) {
    if (!agree(out[0][i], out[1][i], scale, infinite) && !*differ) {
      *differ = 1;
      print_error("%s, output %d: %.17g, the reference's %.17g, for", c->name, i, (double)out[0][i],
                  (double)out[1][i]);
      for (int k = 0; k < c->nin; k++) {
        print_error(" %.17g", (double)in[k]);
      }
      print_error("\n");
    }
  }
}

TEST(every_utility_agrees_with_the_reference) {
  BRIDGE_OR_SKIP();
  int differ = 0;
  trial_state = 88172645463325252u;
  for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
    AnyFunction reference = (AnyFunction)(uintptr_t)bridge_function(cases[k].name);
    assert_non_null(reference);
    int differs = 0;
    for (int i = 0; i < NTRIALS; i++) {
      compare(&cases[k], reference, &differs);
    }
    differ += differs;
  }
  assert_int_equal(differ, 0);
}
