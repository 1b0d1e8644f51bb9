// More rows than 16 bits count, so that rows times rows and rows times dofs are more than an int
// counts: each step has all rows, or warns and has none.

#include "support/zoo.h"

#define SLIDE "<joint type='slide' limited='true' range='1 2' axis="

// 3 violated limits on each of 21846 bodies
#define LIMITS                                                                \
  "<replicate count='21846'><body>" SLIDE "'1 0 0'/>" SLIDE "'0 1 0'/>" SLIDE \
  "'0 0 1'/>"                                                                 \
  "<geom size='.1' contype='0' conaffinity='0'/></body></replicate>"

#define PLANE "<geom type='plane' size='0 0 1'/>"

// 10 rows (6 in an elliptic cone) on each of 6554 spheres on the ground: as many bodies, or a
// single one
#define BODIES                                                              \
  PLANE                                                                     \
  "<replicate count='6554' offset='1 0 0'><body pos='0 0 .09'><freejoint/>" \
  "<geom size='.1' condim='6'/></body></replicate>"
#define ONE_BODY                                                            \
  PLANE                                                                     \
  "<body pos='0 0 .09'><freejoint/><replicate count='6554' offset='1 0 0'>" \
  "<geom size='.1' condim='6'/></replicate></body>"

// Compiled with dense rows: the trial step is the first that meets them.
static mjModel* compile(const char* world, const char* memory, const char* solver) {
  char xml[2000];
  snprintf(xml, sizeof xml,
           "<mujoco><size memory='%s'/><option jacobian='dense' solver='%s' timestep='1e-4' "
           "iterations='2' noslip_iterations='0'/><worldbody>%s</worldbody></mujoco>",
           memory, solver, world);
  mju_user_warning = silent;
  return test_model(xml);
}

// One step with the options of m: nrow rows, or none and a warning.
static void check_step(const mjModel* m, mjData* d, int nrow) {
  mj_resetData(m, d);
  mj_step(m, d);
  assert_int_equal(d->warning[mjWARN_CNSTRFULL].number, nrow ? 0 : 1);
  assert_int_equal(d->nefc, nrow);
  assert_that(!d->efc_J, ==, !nrow);
  for (int i = 0; i < m->nv; i++) {
    assert_finite_number((double)d->qacc[i]);
  }
}

// the copies of a body move alike
static void check_copies(const mjModel* m, const mjData* d, int n) {
  for (int i = n; i < m->nv; i++) {
    double first = (double)d->qacc[i % n], gap = fabs((double)d->qacc[i] - first);
    if (!(gap <= rounding(1e-9) * (1 + fabs(first)))) {
      fail_msg("dof %d accelerates by %g, that of the first copy by %g", i, (double)d->qacc[i],
               first);
    }
  }
}

typedef struct {
  int solver, cone, noslip, islands;
} Way;

// every solver, cone, island setting and noslip, not all of their combinations
static const Way ways[] = {
    {mjSOL_PGS, mjCONE_PYRAMIDAL, 0, 0},    {mjSOL_PGS, mjCONE_ELLIPTIC, 1, 1},
    {mjSOL_CG, mjCONE_PYRAMIDAL, 0, 1},     {mjSOL_CG, mjCONE_ELLIPTIC, 0, 0},
    {mjSOL_NEWTON, mjCONE_PYRAMIDAL, 0, 0}, {mjSOL_NEWTON, mjCONE_ELLIPTIC, 0, 1},
    {mjSOL_NEWTON, mjCONE_PYRAMIDAL, 1, 1},
};
enum {
  NWAY = sizeof ways / sizeof *ways
};

static void choose(mjModel* m, const Way* way, int jacobian) {
  m->opt.solver = way->solver;
  m->opt.cone = way->cone;
  m->opt.noslip_iterations = way->noslip;
  m->opt.jacobian = jacobian;
  m->opt.disableflags = way->islands ? 0 : mjDSBL_ISLAND;
}

// The dense Jacobian of so many dofs has more entries than an int counts.
static void check_ways(mjModel* m, int ndof, const int nrow[2]) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < NWAY; i++) {
    choose(m, ways + i, mjJAC_DENSE);
    check_step(m, d, 0);
    choose(m, ways + i, mjJAC_SPARSE);
    check_step(m, d, nrow[m->opt.cone]);
    check_copies(m, d, ndof);
  }
  mj_deleteData(d);
  test_release(m);
}

TEST(limits_of_many_joints) {
  check_ways(compile(LIMITS, "1G", "PGS"), 3, (const int[2]){65538, 65538});
}

TEST(contacts_of_many_bodies) {
  check_ways(compile(BODIES, "1G", "PGS"), 6, (const int[2]){65540, 39324});
}

// Few dofs have room for all rows, but rows times rows have none.
TEST(contacts_of_one_body) {
  mjModel* m = compile(ONE_BODY, "100M", "PGS");
  mjData* d = test_data(m);
  for (int i = 0; i < NWAY; i++) {
    int dual = ways[i].solver == mjSOL_PGS || ways[i].noslip;
    int nrow = ways[i].cone == mjCONE_ELLIPTIC ? 39324 : 65540;
    choose(m, ways + i, mjJAC_DENSE);
    check_step(m, d, dual ? 0 : nrow);
    choose(m, ways + i, mjJAC_SPARSE);
    check_step(m, d, dual ? 0 : nrow);
  }
}

TEST(small_arena_has_no_rows) {
  // room for the contacts
  mjModel* m = compile(BODIES, sizeof(mjtNum) == 8 ? "20M" : "8M", "Newton");
  mjData* d = test_data(m);
  for (int jacobian = mjJAC_DENSE; jacobian <= mjJAC_SPARSE; jacobian++) {
    m->opt.jacobian = jacobian;
    check_step(m, d, 0);
    assert_int_equal(d->ncon, 6554);
  }
}
