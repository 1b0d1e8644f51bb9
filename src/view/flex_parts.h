// flex_parts.h: the elements of a flex by their materials.
//
// Elements may have materials of their own. Such a flex is drawn in parts, one for each material,
// in the order of their first elements; the faces of a part follow each other.
//
//   elements   0 1 2 3      materials  g r g r
//   faces      0 2 | 1 3    parts      0: g, 1: r
//
// Each part is a shape of the scene: dataid is its number, size (radius, first face, faces). Flexes
// of dim 1 without faces have the places of their edges there.
//                                                             theory/scenes.md, Surfaces of flexes

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

// What is drawn of one part, by its place in the lists.
typedef struct FlexPart_ {
  int material;
  int elem, nelem;    // in FlexParts.elem
  int shell, nshell;  // in FlexParts.shell
  int face, nface;    // faces of the surface that is shown
} FlexPart;

typedef struct FlexParts_ {
  int n;             // 0: all elements have the material of the flex
  FlexPart* part;    // n
  const int* elem;   // elements by part
  const int* shell;  // fragments of the shell by part, each with the element that it is of
} FlexParts;

// The parts of a flex, on the stack of d. Without parts nothing is taken.
FlexParts flex_parts(const mjModel* m, mjData* d, int flex, const mjvOption* opt);
