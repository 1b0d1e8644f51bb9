// Sizes of the patterns, where they are more than an int counts.

#include "model/structure.h"

#include "support/test.h"

enum {
  CHAIN = 70000,
  MOST_BODIES = 65000,  // of a model, about
};

// A chain of hinges: dof i has i ancestors, body i as many dofs above and the rest from it on.
TEST(a_chain_of_70000_hinges_is_counted_in_64_bits) {
  mjModel m = {.nbody = CHAIN + 1, .njnt = CHAIN};
  m.body_parentid = calloc(CHAIN + 1, sizeof(int));
  m.body_jntnum = calloc(CHAIN + 1, sizeof(int));
  m.jnt_type = calloc(CHAIN, sizeof(int));
  mjtByte* simple = calloc(CHAIN + 1, 1);
  for (int b = 1; b <= CHAIN; b++) {
    m.body_parentid[b] = b - 1;
    m.body_jntnum[b] = 1;
    m.jnt_type[b - 1] = mjJNT_HINGE;
  }
  StructureCounts n;
  structure_count(&n, &m, simple);
  int64_t nv = CHAIN, nM = nv * (nv + 1) / 2;
  assert_int_equal(n.nq, nv);
  assert_int_equal(n.nv, nv);
  assert_int_equal(n.ntree, 1);
  assert_int_equal(n.nM, nM);
  assert_int_equal(n.nC, nM);
  assert_int_equal(n.nD, nv * nv);
  assert_int_equal(n.nB, nv * (nv + 1));

  simple[CHAIN] = 1;
  structure_count(&n, &m, simple);
  assert_int_equal(n.nC, nM - (nv - 1));
  free(m.body_parentid);
  free(m.body_jntnum);
  free(m.jnt_type);
  free(simple);
}

TEST(a_chain_too_long_for_its_matrix_is_refused) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = mjs_findBody(spec, "world");
  for (int i = 0; i < MOST_BODIES; i++) {
    body = mjs_addBody(body, NULL);
    body->explicitinertial = 1;
    body->mass = 1;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 1;
    mjs_addJoint(body, NULL);
  }
  assert_null(mj_compile(spec, NULL));
  assert_non_null(strstr(mjs_getError(spec), "chains of bodies are too long"));
  mj_deleteSpec(spec);
}
