// cage.h: the cage of a flex whose vertices follow nodes: a grid of cells around all vertices, with
// (order c + 1) nodes along an axis of c cells.
//
//   order 1:  o---o---o      order 2:  o-o-o-o-o      node (i, j, k) has number (i ny + j) nz + k,
//             |   |   |                o o o o o      cell (i, j, k) has number (i cy + j) cz + k
//             o---o---o                o-o-o-o-o
//
// The body of the flex may fill a cell only in part, or leave it empty. What matters of its shape
// are integrals of polynomials over its part of each cell, from which mass and stiffness follow.
//                                                              theory/smooth/deformables.md, Cages

#pragma once

#include <stddef.h>

#include "compile/flex/work.h"

enum {
  CAGE_ORDER_MAX = 2,
  CAGE_AXIS_MAX = 2 * CAGE_ORDER_MAX + 1,
  CAGE_POINTS_MAX = CAGE_AXIS_MAX * CAGE_AXIS_MAX * CAGE_AXIS_MAX,
};

// A cell of which less than this part is filled is empty.
#define CAGE_LEAST_VOLUME 1e-12

// Lamé's constants.
typedef struct Material_ {
  double mu, la;
} Material;

typedef struct Cage_ {
  int order;       // of the interpolation in a cell: 1 or 2
  int count[3];    // cells along each axis
  double side[3];  // of a cell, m
  double*
      weight;  // for each cell weights of the points of a grid (CageGrid), the last axis fastest:
               // sums of polynomials with them are integrals over the part that is filled, over
               // the volume of the cell; up to degree 2 order along each axis
} Cage;

// Points of the grid of a cell, along an axis and all.
static inline int cage_axis_points(const Cage* cage) {
  return 2 * cage->order + 1;
}

static inline int cage_points(const Cage* cage) {
  int n = cage_axis_points(cage);
  return n * n * n;
}

// The points of Gauss along an axis of a cell, from 0 to 1, and their weights.
typedef struct CageGrid_ {
  int n;
  double x[CAGE_AXIS_MAX], w[CAGE_AXIS_MAX];
} CageGrid;
void cage_grid(CageGrid* grid, const Cage* cage);

// For each point of an axis the polynomial that is 1 there and 0 at the others, at x.
void cage_lagrange(double out[CAGE_AXIS_MAX], const CageGrid* grid, double x);

// Numbers of nodes and cells; 0 if there are too many, or if the order or a count is no such.
int cage_nodes(int order, const int count[3]);
int cage_cells(const int count[3]);

// Would the stiffness of the cells have too many numbers?
int cage_is_large(int order, const int count[3]);

// Nodes of a cell, and its numbers in its stiffness matrix.
int cage_cell_nodes(int order);

// Numbers of the nodes of a cell, in the order of the rows of its stiffness.
void cage_cell_node(int* node, int order, const int count[3], int cell);

// Measures the cells that simplices of dim + 1 points fill. lower and upper: corners of the cage.
// Triangles fill what they enclose; where a surface isn't closed, points of a grid in each cell are
// inside that it winds around half a time or more. Where nothing is filled all cells count as full.
void cage_measure(Cage* cage, const double* point, const int* elem, int nelem, int dim,
                  const double lower[3], const double upper[3]);
void cage_free(Cage* cage);

// Whether a cell has nothing of the flex in it.
int cage_is_empty(const Cage* cage, int cell);

// Whether a cell is filled as the one before, but for rounding.
int cage_is_same(const Cage* cage, int cell);

// Masses of all nodes as parts of the whole, 0 for those of empty cells only.
void cage_masses(double* mass, const Cage* cage);

// The same of a shell, in which nodes inside have no mass. (shell.c)
void shell_masses(double* mass, int order, const int count[3]);

// Stiffness of a cell: 3 rows and columns per node. It has the minus sign.
void cage_stiffen(double* K, const Cage* cage, int cell, Material material);

// The ways in which a cell deforms, instead of its stiffness: their number, then each as 3 numbers
// per node. They are the eigenvectors of the stiffness of a material with E = 10 and nu = 0.3, each
// as long as the root of its eigenvalue, in the order in which Jacobi's method leaves them.
void cage_find_modes(double* out, const Cage* cage, int cell);
