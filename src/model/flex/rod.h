// rod.h: where the numbers of a flex of dim 1 that bends and twists are.
//
// They lie in its part of flex_bending, which has 17 numbers for each edge, from its beginning:
//
//   n, n records of ten      one vertex   v0 v1 v2 -1  k1  k2-k1  |kb|  joint  kt  b
//                            two of them  v0 v1 v2 v3  w0  w1  |kb0|  |kb1|  kd cos  kd sin
//   and if its edges twist   n rest curvatures of four, tangent and axis of the first edge at
//                            rest, axis of the last edge, place in the chain of each edge
//
// A chain of edges that twist has one record for each inner vertex, in order from its end. Each
// edge has a frame in mjData.plastic, (tangent, axis), that moves without spin, and a hinge whose
// angle turns the material in it; n reference twists follow.
//                                                            theory/smooth/deformables.md, Rods

#pragma once

#include <mujoco/mjmodel.h>

enum {
  ROD_EDGE = 17,    // numbers of an edge in flex_bending
  ROD_RECORD = 10,  // numbers of a record
  ROD_REST = 4,     // rest curvatures of a vertex: two components in the frames of two edges
  ROD_FIRST = 6,    // tangent and axis of the first edge
  ROD_LAST = 3,     // axis of the last edge
  ROD_FRAME = 6     // tangent and axis of an edge in mjData.plastic
};

typedef struct Rod_ {
  int n, nedge;               // records, edges
  int twists;                 // do its edges twist?
  const mjtNum* record;       // n x ROD_RECORD
  const mjtNum* rest;         // n x ROD_REST, if it twists, as what follows
  const mjtNum* first;        // ROD_FIRST, in the world or, if a body holds the edge, its axes
  const mjtNum* last;         // ROD_LAST, in the axes of the body that holds the last edge
  const mjtNum* place;        // nedge places in the chain
  int held_first, held_last;  // bodies that hold both vertices of an end, -1: none
} Rod;

// The numbers of a flex. Returns 0 if it is no rod.
int rod_of(Rod* rod, const mjModel* m, int flex);

// Does the flex have edges that twist?
static inline int rod_twists(const mjModel* m, int flex) {
  return m->flex_dim[flex] == 1 && m->flex_plasticadr[flex] >= 0;
}

// Vertices of an edge of the chain, and its hinge, -1 if a body holds it.
void rod_edge(int vert[2], const Rod* rod, int edge);
int rod_joint(const Rod* rod, int edge);

// Half sizes of a box section along the material axes m1 and m2, from the first record: the major
// one a = b sqrt(k2 / k1), and the minor one b. Returns 0 if the flex has no box section.
int rod_section(mjtNum half[2], const mjModel* m, int flex);

// How far a flex reaches from its elements: its radius, or half the diagonal of its box section.
mjtNum flex_girth(const mjModel* m, int flex);

// The edge of the chain that an element is, and the one that a vertex is the beginning of; the last
// edge has both its vertices.
int rod_element(const mjModel* m, const Rod* rod, int flex, int elem);
int rod_vertex(const Rod* rod, int vert);

// Numbers of a rod with that many edges in flex_bending, and in mjData.plastic.
static inline int rod_numbers(int nedge) {
  return 1 + (ROD_RECORD + ROD_REST) * (nedge - 1) + ROD_FIRST + ROD_LAST + nedge;
}

static inline mjtSize rod_state(int nedge) {
  return ROD_FRAME * (mjtSize)nedge + nedge - 1;
}

// Are the numbers of a rod within the model?
int rod_valid(const mjModel* m, int flex);
