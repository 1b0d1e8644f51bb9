// structure.h: what follows from which body hangs on which, and by which joints.
//
//   body_parentid, body_jntnum, jnt_type  ->  addresses, roots, welds, trees, the chains of dofs
//   and which dofs are simple             ->  patterns of the matrices B, M, D over the dofs
//
// The compiler derives it. A model that comes as numbers is held against it, because every stage
// follows these numbers without looking.                            spec 03, sections 5.6, 6, 16.3

#ifndef CONDYLE_MODEL_STRUCTURE_H_
#define CONDYLE_MODEL_STRUCTURE_H_

#include <mujoco/mujoco.h>

// Writes body_{rootid, weldid, treeid, dofnum, dofadr}, jnt_{qposadr, dofadr}, dof_{bodyid, jntid,
// parentid, treeid, Madr} and ntree. Bodies are numbered depth first, joints in their order.
void structure_tree(mjModel* m);

// Writes B_*, M_*, D_*, mapM2M, mapM2D, mapD2M, whose sizes must be right. Needs structure_tree and
// dof_simplenum.
void structure_patterns(mjModel* m);

// The name of the first field that is not what follows from the others; NULL if all are. Ids and
// addresses must be in bounds.
const char* structure_check(const mjModel* m);

#endif  // CONDYLE_MODEL_STRUCTURE_H_
