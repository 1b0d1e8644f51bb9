// dofs.h: Newton's equations of hard constraints in the velocities of bodies, not in the forces.
//
// Linearized, every law says how its forces change with its own velocities: df = r - B dw, B and r
// of one block each (a tangent). With half-solved rows Y, K = Y Y', the change of motion is
// dz = Y' df, and dw = Y dz, so
//
//   (1 + Y' B Y) dz = Y' r,   df = r - B Y dz
//
// There is one equation per dof of the island, however many contacts hold its bodies: a stack of 12
// boxes has 72 of them for 144 forces. Bodies far apart in the island don't meet in a row, so the
// matrix is a band:
//
//   boxes     a b c d          bodies are numbered by their distance in contacts from one end
//         a   # #
//         b   # # #
//         c     # # #
//         d       # #
//                                                theory/contact/hard-contacts.md, Equations of dofs

#pragma once

#include "constraint/hard/problem.h"

enum {
  TANGENT_DIM = 6
};

// df = r - B dw of a block, entry (i, j) of B at B[i * dim + j].
typedef struct HardTangent_ {
  mjtNum B[TANGENT_DIM * TANGENT_DIM], r[TANGENT_DIM];
} HardTangent;

// The half-solved rows of a block on one of its trees, whose n dofs begin at place `dof`.
typedef struct HardPart_ {
  int dof, n;
  mjtNum* Y;  // dim x n
} HardPart;

typedef struct HardDofs_ {
  HardProblem* p;
  const int* list;  // of blocks (nlist)
  int nlist;
  int n, band, ld;     // dofs; A_ij = 0 for |i - j| > band; stride of A
  const int* partadr;  // parts of block list[l]: part[partadr[l]] .. (nlist + 1)
  HardPart* part;
  HardTangent* tangent;  // for its users to fill (nlist)
  mjtNum *A, *z, *T;     // T: B Y of a part (6 n)
  int* swap;
  int factors;  // made so far: a measure of the work
} HardDofs;

// The equations of the listed blocks, on the stack. Returns 0 if there is no room for them, or the
// problem has no system.
int dofs_make(HardDofs* e, HardProblem* p, const int* list, int nlist);

// Factors 1 + Y' B Y with the tangents' B. Returns 0 if it is singular.
int dofs_factor(HardDofs* e);

// With that factor, solves for the changes df and dw = K df of the rows of the blocks by the
// tangents' r. Returns 0 if they are not finite.
int dofs_solve(HardDofs* e, mjtNum* df, mjtNum* dw);
