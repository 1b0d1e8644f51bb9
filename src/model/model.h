// model.h: making models.
//
//   m->buffer
//   | pad | qpos0 . qpos_spring . body_parentid ... mapD2M | cnd_ arrays |
//         <---------------------- nbuffer --------------->
//
// One block holds all arrays in the order of condyle/model_table.h. nbuffer counts the public ones
// only, so that it is the number which other tools expect.        theory/data.md, Memory of a model

#ifndef CONDYLE_MODEL_MODEL_H_
#define CONDYLE_MODEL_MODEL_H_

#include <mujoco/mjdata.h>

// Trees of boxes are at most so deep, so that walks through them have room for what they put off.
// The compiler halves, which makes a tree of n leaves ceil(log2 n) deep.
enum {
  MODEL_TREE_DEPTH = 64
};

// Makes a model with the counts of sizes (public and private; its other members are not looked at),
// default settings and all arrays zero. NULL if a count is impossible or memory is out. Free with
// mj_deleteModel.
mjModel* model_make(const mjModel* sizes);

// Checks every id and address that a stage will follow without looking. Returns NULL if all is
// well, else what is wrong, valid until the next call in the same thread.
//                                                                 theory/model.md, Model validation
const char* model_validate(const mjModel* m);

// The same for what lies within the arrays, after model_validate: the structure of the tree, boxes
// in boxes, vertices of faces and hulls. A compiler gets these right; a file may not.
const char* model_validate_contents(const mjModel* m);

// Makes a model from bytes that mj_saveModel wrote; NULL and a warning if they are not such.
mjModel* model_read(const char* bytes, size_t size);

#endif  // CONDYLE_MODEL_MODEL_H_
