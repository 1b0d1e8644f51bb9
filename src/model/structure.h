// structure.h: quantities that follow from the tree of bodies and their joints.
//
//   body_parentid, body_jntnum, jnt_type  ->  addresses, roots, welds, trees, the chains of dofs
//   and which dofs are simple             ->  patterns of the matrices B, M, D over the dofs
//
// The compiler derives these quantities. Those of a binary model are compared with them, because
// stages use them as indices without checks.                    theory/model/model.md, Tree numbers

#pragma once

#include <mujoco/mjmodel.h>
#include <stdint.h>

// Sizes that follow from bodies and joints. They are 64-bit, because long chains have more entries
// than an int counts.
typedef struct StructureCounts_ {
  int64_t nq;
  int64_t nv;
  int64_t ntree;
  int64_t nM;
  int64_t nC;
  int64_t nB;
  int64_t nD;
} StructureCounts;

// Reads nbody, body_{parentid, jntnum} and jnt_type; simple[nbody] has the values of body_simple.
void structure_count(StructureCounts* out, const mjModel* m, const mjtByte* simple);

// Writes body_{rootid, weldid, treeid, dofnum, dofadr}, jnt_{qposadr, dofadr}, dof_{bodyid, jntid,
// parentid, treeid, Madr} and ntree. Bodies are numbered depth first, joints in their order.
void structure_tree(mjModel* m);

// Writes dof_simplenum from body_simple: the number of consecutive simple dofs that begin with this
// one. Needs dof_bodyid.
void structure_runs(mjModel* m);

// Writes B_*, M_*, D_*, mapM2M, mapM2D, mapD2M, whose sizes must be right. Needs structure_tree and
// dof_simplenum.
void structure_patterns(mjModel* m);

// Returns the name of the first field that differs from its derived value, NULL if none does. Ids
// and addresses must be in bounds.
const char* structure_check(const mjModel* m);
