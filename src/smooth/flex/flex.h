// flex.h: deformables at run time: positions of vertices, rows of the edge Jacobian, elastic
// forces.
//
// A flex has no coordinates of its own: vertices are points of bodies, or follow the eight nodes of
// a box. So positions, velocities and forces go through bodies. Only edges have an array of
// derivatives, d->flexedge_J, because constraints and dampers act along them.
//
//   mj_flex --positions, boxes--> collision, elasticity
//      `----edges, Jacobian----> edge constraints, springs, dampers
//                                                 theory/smooth/deformables.md, Positions and edges

#pragma once

#include <mujoco/api/model.h>
#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "base/algebra/sparse_row.h"
#include "model/cage.h"
#include "smooth/tendon.h"

enum {
  FLEX_NODES = 8,                          // nodes of a flex whose vertices follow a box
  FLEX_SIDE_BODIES = 4 * FLEX_CELL_NODES,  // most bodies of one side of a contact
};

// Nodes whose weight in a vertex is less than this are left out of contacts, but for the behaviour
// flex.
#define FLEX_SHARE_MIN ((mjtNum)1e-5)

// Stiffness of passive contacts, N/m.
#define FLEX_PASSIVE_STIFFNESS ((mjtNum)1e4)

// Row of an edge (counted through all flexes) in d->flexedge_J.
INLINE TendonRow flex_row(const mjModel* m, const mjData* d, int edge) {
  if (!mj_isSparse(m)) {
    return (TendonRow){d->flexedge_J + (size_t)edge * (size_t)m->nv, NULL, m->nv};
  }
  int adr = d->flexedge_J_rowadr[edge];
  return (TendonRow){d->flexedge_J + adr, d->flexedge_J_colind + adr, d->flexedge_J_rownnz[edge]};
}

// Rows of n edges from `first` on, if they are sparse.
INLINE SparseRows flex_rows(const mjData* d, int first, int n) {
  return (SparseRows){n,
                      d->flexedge_J_rownnz + first,
                      d->flexedge_J_rowadr + first,
                      d->flexedge_J_colind,
                      d->flexedge_J,
                      NULL};
}

// Weights of the nodes in a vertex that follows nodes: x = sum w_i node_i. vert0 are the vertex's
// coordinates in the box, 0 to 1 inside.
void flex_node_weights(mjtNum w[FLEX_NODES], const mjtNum vert0[3]);

// Whether a cage is a single linear cell, a box of eight nodes.
static inline int flex_is_box(const mjModel* m, int flex) {
  return m->flex_nodenum[flex] == FLEX_NODES;
}

// Whether forces of the cells of a cage are to be computed, and these forces.           cage.c
static inline int flex_has_cells(const mjModel* m, int flex) {
  return m->cnd_flex_celladr[flex] >= 0;
}
void flex_cell_forces(const mjModel* m, mjData* d, int flex, int spring, int damper);

// The corners of the whole cage at rest.                                                 cage.c
void flex_cage_corners(mjtNum out[3 * FLEX_NODES], const mjModel* m, int flex);

// Positions and velocities of all nodes of a flex.                                       cage.c
void flex_node_states(mjtNum* x, mjtNum* v, const mjModel* m, const mjData* d, int flex);

// The forces of the outer faces of a shell.                                               shell.c
void flex_shell_forces(const mjModel* m, mjData* d, int flex, int spring, int damper);

// A cell in a frame that turns with it: quat turns the axes of the cage to the world. away is the
// way of each node from where it is at rest, but for a translation.
typedef struct FlexCell_ {
  int n, node[FLEX_CELL_NODES];
  mjtNum quat[4], x[FLEX_CELL_NODES][3], away[3 * FLEX_CELL_NODES];
} FlexCell;
void flex_cell_state(FlexCell* cell, const mjModel* m, const mjData* d, int flex, int index);

// U - 1 of a cell whose nodes, those of the whole flex, are at x; F = R U is its deformation at its
// center, in the axes of the cage.                                                       cage.c
void flex_cell_strain(mjtNum out[9], const mjModel* m, int flex, int index, const mjtNum* x);

// Generalized force of a force at a point of a body: qfrc += J' force.                   point.c
void flex_push(mjtNum* qfrc, const mjModel* m, const mjData* d, const mjtNum force[3],
               const mjtNum point[3], int body);

// Velocity of a point of a body.                                                           point.c
void flex_point_velocity(mjtNum out[3], const mjModel* m, const mjData* d, const mjtNum point[3],
                         int body);

// The turn of the box of a flex whose vertices follow eight nodes, from its axes at rest to the
// rotation nearest to its deformation.                                                 passive.c
void flex_box_turn(mjtNum quat[4], const mjModel* m, const mjData* d, int flex);

// World position of node i of a flex whose vertices follow nodes.
void flex_node_position(mjtNum out[3], const mjModel* m, const mjData* d, int flex, int i);

// Orientation of the box of eight nodes at rest: the axes of its mean edges, if these are at right
// angles, right-handed, and differ from the world's axes by more than rounding; else the identity.
void flex_box_axes(mjtNum quat[4], const mjtNum node0[3 * FLEX_NODES]);

// Number of edges of an element, and its local vertices at the two ends of each.
int flex_element_edges(int dim);
const int (*flex_edge_ends(int dim))[2];

// Computes d->flexedge_velocity of all edges.
void flex_velocity(const mjModel* m, mjData* d);

// Adds elastic and damping forces to d->qfrc_spring and d->qfrc_damper; spring and damper say
// whether each is enabled.                                                        passive.c
void flex_forces(const mjModel* m, mjData* d, int spring, int damper);

// The vertices on one side of a contact: one, or the corners of an element. The weights of the
// corners of an element are w_i ~ 1/|pos - x_i| with |w| = 1 or, with the behaviour flex, those
// with which the corners make the point of the element that is closest to the contact. A corner has
// weight 0 if it is the vertex on the other side.
typedef struct FlexCorners_ {
  int n, vert[4];  // of the flex
  mjtNum weight[4];
} FlexCorners;

// The vertices of a side that is a flex.                                                  contact.c
void flex_contact_corners(FlexCorners* of, const mjModel* m, const mjData* d, const mjContact* con,
                          int side);

// Whether a corner counts. lastonly: only the last corner with a weight counts.
int flex_is_counted(const FlexCorners* of, int corner, int lastonly);

// The bodies that a contact acts on, with their weights, which are positive on the second side. A
// side has one body (of a geom), the bodies of up to four vertices, or those of the nodes of their
// cells. On an edge of a rod that twists (rod.h) it has both vertices and, with weight 0, the body
// of the hinge.
typedef struct FlexBodies_ {
  int n, second;  // where the second side begins
  int body[2 * FLEX_SIDE_BODIES];
  mjtNum weight[2 * FLEX_SIDE_BODIES];
} FlexBodies;

// Finds the bodies of a contact, from positions. lastonly: of an element interpolated from nodes
// only the last vertex counts, as it does in the weights of constraint rows.
//                                                                                         contact.c
void flex_contact_bodies(FlexBodies* of, const mjModel* m, const mjData* d, const mjContact* con,
                         int lastonly);

// Whether a contact is a spring instead of a constraint.
int flex_is_passive(const mjModel* m, const mjContact* con);

// Adds the forces of contacts that are springs.
void flex_contact_forces(mjtNum* qfrc, const mjModel* m, const mjData* d);

// Energy of the springs of edges.                                                   passive.c
mjtNum flex_energy(const mjModel* m, const mjData* d);

// Bounding boxes of the elements of a flex, and of the nodes of its BVH.              boxes.c
void flex_box_elements(const mjModel* m, mjData* d, int flex);
void flex_box_tree(const mjModel* m, mjData* d, int flex);
