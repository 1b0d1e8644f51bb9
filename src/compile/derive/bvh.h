// bvh.h: building a tree of bounding boxes over geoms, faces or elements.
//
// A tree of n leaves has 2n-1 nodes in depth-first order, the lower half first:
//
//            0            Node 0 holds all leaves. child[2i], child[2i+1] count from the
//          /   \          tree's first node, -1 at leaves. nodeid is the BvhLeaf.id of a leaf, else
//         1     4         -1. Leaves are halved at the median of their positions along the
//        / \   / \        longest side, so the depth is ceil(log2 n).
//       2   3 5   6
//
// The tree decides only which boxes are tested, never which contacts exist.
//                                                                  theory/model/model.md, Box trees

#pragma once

#include <mujoco/mjtnum.h>

// A leaf of the tree. All coordinates are in the frame of the tree.
typedef struct BvhLeaf_ {
  mjtNum lower[3];  // box
  mjtNum upper[3];
  mjtNum pos[3];  // position that decides the side of a split
  int id;         // geom, face or element
} BvhLeaf;

// Output arrays for 2n-1 nodes. aabb (center, half sizes) may be NULL for trees whose boxes move.
typedef struct BvhNodes_ {
  int* depth;
  int* child;
  int* nodeid;
  mjtNum* aabb;
} BvhNodes;

// Builds the tree over leaf[n]. Leaves at the same position keep their order. Returns the number of
// nodes (0 if n is 0).
int bvh_build(const BvhNodes* out, const BvhLeaf* leaf, int n);
