// model.h: making and checking models.
//
//   m->buffer
//   | pad | qpos0 . qpos_spring . body_parentid ... mapD2M | cnd_ arrays |
//         <---------------------- nbuffer --------------->
//
// One block holds all arrays in the order of condyle/model_table.h. nbuffer counts the public
// arrays only, because other tools expect that number.            theory/data.md, Memory of a model

#pragma once

#include <mujoco/mjdata.h>

// Largest depth of a bounding volume tree, which sizes the stacks of tree walks. The compiler
// halves the leaves, so a tree of n leaves is ceil(log2 n) deep.
enum {
  MODEL_TREE_DEPTH = 64
};

// Makes a model with the public and private sizes of `sizes`, default options and zeros in all
// arrays. Other members of `sizes` are ignored. NULL if a size is invalid or memory runs out. Free
// with mj_deleteModel.
mjModel* model_make(const mjModel* sizes);

// A model with other sizes that has the settings of m, and its arrays as far as they are as long
// there. NULL as above.
mjModel* model_resize(const mjModel* m, const mjModel* sizes);

// Checks every id and address that stages use as an index. Returns NULL if all are valid, else the
// problem, as a text that is valid until the next call in the same thread.
//                                                           theory/model/model.md, Model validation
const char* model_validate(const mjModel* m);

// Like model_validate, for structure within arrays: the kinematic tree, BVHs, vertices of
// faces and hulls. Call it after model_validate, for models that did not come from the compiler.
const char* model_validate_contents(const mjModel* m);

// Makes a model from bytes that mj_saveModel wrote. NULL and a warning if the bytes are invalid.
mjModel* model_read(const char* bytes, size_t size);
