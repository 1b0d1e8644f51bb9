// octree.h: cells around a surface, fine near it and coarse away from it, with the signed distance
// to the surface at their corners. Between corners it is interpolated (theory/meshes.md, Octree).
//
// A cell with a triangle in it is cut in eight, down to OCT_DEPTH; then cells are cut until face
// neighbours differ by one level, as far as they are looked at. All cells are cells of one of the
// grids with 2^level cells a side, all corners points of the finest grid, so a cell is found by its
// level and integer place and a corner by its integer place:
//
//     4-------5-------+
//     | 2   3 |       |     A corner inside a side of a larger neighbour (o) hangs: the neighbour
//     |   o   o       |     does not know it, so its value is the mean of the ends of that side.
//     +---+---o       |     Distances are continuous then.
//     | 0 | 1 |       |
//     +---+---+-------+     Of the eight subcells, bit 0, 1, 2 is the upper half in x, y, z.

#ifndef CONDYLE_COMPILE_MESH_OCTREE_H_
#define CONDYLE_COMPILE_MESH_OCTREE_H_

enum {
  OCT_DEPTH = 6,
  OCT_NPOINT = (1 << OCT_DEPTH) + 1,  // points of the finest grid along a side
  OCT_NCORNER = OCT_NPOINT * OCT_NPOINT * OCT_NPOINT,
};

typedef struct Octree_ Octree;

// Cuts the box around lower, upper (10% larger about its centre) along the triangles face[3*nface]
// of point. Free it with octree_free.                                      theory/meshes.md, Octree
Octree* octree_make(const double* point, const int* face, int nface, const double lower[3],
                    const double upper[3]);
void octree_free(Octree* tree);

int octree_count(const Octree* tree);

// Number of a corner among the points of the finest grid, and where it is. Corners are those of the
// cells: slot 0..7 by the bits of subcells.
int octree_corner(const Octree* tree, int cell, int slot);
void octree_point(double out[3], const Octree* tree, int corner);

// For a corner that hangs, the corners whose mean it takes (2 or 4), else 0.
int octree_ends(int end[4], const Octree* tree, int corner);

// The cell as mjModel has it: depth, first subcell (the others follow) or -1, centre and half sizes.
void octree_cell(int* depth, int* child, double aabb[6], const Octree* tree, int cell);

#endif  // CONDYLE_COMPILE_MESH_OCTREE_H_
