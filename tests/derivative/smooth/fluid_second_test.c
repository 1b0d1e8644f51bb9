// Second derivatives of fluid forces, against differences of the first.

#include "derivative/smooth/fluid_second.h"

#include "derivative/scene.h"

// An ellipsoid with all its coefficients, and a box.
static const char kFluid[] =
    "<mujoco><option density='90' viscosity='2' wind='1 2 3'/><worldbody><body><freejoint/>"
    "<geom type='ellipsoid' size='.1 .2 .3' fluidshape='ellipsoid' fluidcoef='.5 .25 1.5 1 1'/>"
    "</body><body pos='2 0 0'><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody>"
    "</mujoco>";

typedef struct {
  const mjModel* m;
  FluidPart part;
} Piece;

static void wrench_at(mjtNum* y, const mjtNum v[6], void* of) {
  Piece piece = *(Piece*)of;
  mju_copy(piece.part.velocity, v, 6);
  fluid_wrench(y, piece.m, &piece.part);
}

static void derivative_at(mjtNum* y, const mjtNum v[6], void* of) {
  Piece piece = *(Piece*)of;
  mju_copy(piece.part.velocity, v, 6);
  fluid_derivative(y, piece.m, &piece.part);
}

static void check_part(const mjModel* m, mjData* d, const FluidPart* part, void* of) {
  (void)d;
  mjtNum B[36], T[216], J[36], expected[216];
  Piece piece = {m, *part};
  ++*(int*)of;
  fluid_wrench_derivative(B, m, part);
  differences(J, wrench_at, &piece, part->velocity, 6, 6, (mjtNum)1e-3);
  assert_numbers(B, J, 36, 1e-8, largest_of(J, 36));
  // T[36 i + 6 m + n] is row 6 i + m of the derivative of B, by component n
  fluid_second_derivative(T, m, part);
  differences(expected, derivative_at, &piece, part->velocity, 36, 6, (mjtNum)1e-3);
  assert_numbers(T, expected, 216, 1e-8, largest_of(expected, 216));
}

TEST(derivatives_by_velocity_are_those_of_wrenches) {
  DOUBLE_ONLY();
  Scene s = scene_make(kFluid, 2);
  int parts = 0;
  fluid_visit(s.m, s.d, check_part, &parts);
  assert_int_equal(parts, 2);
  scene_free(&s);
}

// At rest a box has no second derivative but its sign's, and nothing is infinite.
TEST(derivatives_at_rest_are_finite) {
  mjModel* m = test_model(kFluid);
  mjtNum B[36], T[216], mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, pos[3] = {0, 0, 0},
                        box[3] = {1, 1, 1};
  for (int geom = -1; geom < 1; geom++) {
    FluidPart part = {.body = 1, .geom = geom, .pos = pos, .mat = mat, .box = box};
    fluid_wrench_derivative(B, m, &part);
    fluid_second_derivative(T, m, &part);
    assert_that(largest_of(B, 36), <, 1e6);
    assert_that(largest_of(T, 216), <, 1e6);
  }
}
