// flex_layout.h: arrays of flexes as release 4.0 lays them out.
//
//                 3.3.7, and here                  4.0
//   stiffness     21 numbers of each element       of flexes that stretch: 21 of a triangle, 24 of
//                 (cells of cages: cnd_flex_cell)  a tetrahedron; matrices of cells
//   bending       17 numbers of each edge          of flexes that bend: 17 of an edge; records of
//                                                  rods and shells
//   materials     one of each flex (of elements:   one of each element
//                 cnd_flex_elemmatid)

#ifndef CONDYLE_PYTHON_FLEX_LAYOUT_H_
#define CONDYLE_PYTHON_FLEX_LAYOUT_H_

#include "base/number.h"

// Is it such an array or number of a model?
bool flex_is_laid_out(const char* name);

// The array of that name: a view if the model has the same numbers in the same order, else a copy
// that can't be written.
PyObject* flex_laid_out(const char* name, const mjModel* m, PyObject* owner);

// The value of a number of that name, nflexstiffness or nflexbending.
Py_ssize_t flex_layout_size(const char* name, const mjModel* m);

#endif  // CONDYLE_PYTHON_FLEX_LAYOUT_H_
