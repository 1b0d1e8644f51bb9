// direction_tree.c: groups triangles by the cosine between their normals, the rule of 3.3.7.
//
// Of two groups the one comes first whose first triangle's normal has the larger x, or y, or z,
// unless n . n' > cos .0016 says that they are equal. This is no order, as a may equal b and b
// equal c where a is far from c. The groups are in a red-black tree, and which of them a triangle
// finds, if any, depends on the turns that the tree takes; so the tree has to be that of the
// reference. Cormen et al., Introduction to Algorithms, chapter 13.
//                                                                  theory/model/meshes.md, Polygons
#include "compile/mesh/direction.h"

#include <math.h>

#include "base/memory/memory.h"

// directions with a larger cosine, less than 0.0016 rad apart, count as equal
static const double same_cosine = 0.99999872;
static const double same_component = 1e-15;  // closer components are equal when they are compared

enum {
  LEFT,
  RIGHT,
  NONE = -1
};

// A group.
typedef struct Node_ {
  double normal[3];  // of its first triangle
  int child[2], parent;
  int is_red;
} Node;

typedef struct Tree_ {
  Node* node;
  int nnode, root;
} Tree;

// Negative if direction a comes before b, positive if after, 0 if they count as equal.
static int compare(const double a[3], const double b[3]) {
  if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > same_cosine) {
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    double difference = a[k] - b[k];
    if (fabs(difference) > same_component) {
      return difference > 0 ? -1 : 1;
    }
  }
  return 0;
}

// Turns the tree at x: its child on the other side takes its place, x goes down to `side`.
static void turn(Tree* t, int x, int side) {
  Node* node = t->node;
  int rises = node[x].child[!side], above = node[x].parent, inner = node[rises].child[side];
  node[x].child[!side] = inner;
  if (inner != NONE) {
    node[inner].parent = x;
  }
  node[rises].parent = above;
  if (above == NONE) {
    t->root = rises;
  } else {
    node[above].child[node[above].child[RIGHT] == x] = rises;
  }
  node[rises].child[side] = x;
  node[x].parent = rises;
}

// Balances the tree after red x was added: no red node has a red child.
static void balance(Tree* t, int x) {
  Node* node = t->node;
  for (int p; (p = node[x].parent) != NONE && node[p].is_red;) {
    int top = node[p].parent, side = node[top].child[RIGHT] == p;
    int uncle = node[top].child[!side];
    if (uncle != NONE && node[uncle].is_red) {
      node[p].is_red = node[uncle].is_red = 0;
      node[top].is_red = 1;
      x = top;
      continue;
    }
    if (node[p].child[!side] == x) {
      turn(t, p, side);
      p = x;
    }
    node[p].is_red = 0;
    node[top].is_red = 1;
    turn(t, top, !side);
    break;
  }
  node[t->root].is_red = 0;
}

// The group of a direction, a new one if none is found. The search walks down to the first group
// that is not before n, and takes it if it is equal. Else n is added, unless the walk met an equal
// group; then it is lost.
static int find_group(Tree* t, const double n[3]) {
  int at = t->root, last = NONE, side = LEFT, lower = NONE, is_equal = 0, met_equal = 0;
  while (at != NONE) {
    int order = compare(n, t->node[at].normal);
    last = at;
    side = order > 0;
    if (order <= 0) {
      lower = at;
      is_equal = order == 0;
      met_equal |= is_equal;
    }
    at = t->node[at].child[side];
  }
  if (met_equal) {
    return is_equal ? lower : NONE;
  }
  int x = t->nnode++;
  t->node[x] = (Node){{n[0], n[1], n[2]}, {NONE, NONE}, last, 1};
  if (last == NONE) {
    t->root = x;
  } else {
    t->node[last].child[side] = x;
  }
  balance(t, x);
  return x;
}

// The outermost node below x.
static int outermost(const Tree* t, int x, int side) {
  while (t->node[x].child[side] != NONE) {
    x = t->node[x].child[side];
  }
  return x;
}

// The node after x, NONE after the last.
static int next_of(const Tree* t, int x) {
  if (t->node[x].child[RIGHT] != NONE) {
    return outermost(t, t->node[x].child[RIGHT], LEFT);
  }
  int above = t->node[x].parent;
  while (above != NONE && t->node[above].child[RIGHT] == x) {
    x = above;
    above = t->node[x].parent;
  }
  return above;
}

int directions_bytree(int* group, int* order, const FaceNormal* facing, int nface) {
  Tree t = {mesh_take((size_t)nface, sizeof(Node)), 0, NONE};
  for (int i = 0; i < nface; i++) {
    group[i] = find_group(&t, facing[i].normal);
  }
  int n = 0;
  for (int x = outermost(&t, t.root, LEFT); x != NONE; x = next_of(&t, x)) {
    order[n++] = x;
  }
  heap_free(t.node);
  return n;
}
