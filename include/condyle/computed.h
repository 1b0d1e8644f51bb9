// computed.h: arrays that are computed on demand: those that later releases of the compatible
// interface (3.4 to 4.0.0) have added to mjModel and mjData, and that are no members of these here.
//
// Programs written for later releases ask for them by name. Each has one row here: its type, its
// shape, what it means, and whether it belongs to the model or to data. Its values are computed
// from the model and data, and equal those of the same model in a later release. Arrays of features
// that don't exist here have the values of a model that doesn't use the feature. So a binding to
// another language can offer every name:
//
//   cndArray array = {0};
//   if (cnd_computedArray(&array, m, d, name)) {                             // shape
//     array.data = malloc(array.rows * array.columns * array.field->size);
//     cnd_computedArray(&array, m, d, name);                                 // values
//   }

#ifndef CONDYLE_COMPUTED_H_
#define CONDYLE_COMPUTED_H_

#include <condyle/condyle.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

// What values are computed from, and so how long they stay valid.
typedef enum cndOrigin_ {
  cndORIGIN_CONSTANT = 0,  // nothing: the feature doesn't exist here
  cndORIGIN_MODEL,         // the model
  cndORIGIN_DATA           // the data, as of their last position stage
} cndOrigin;

// One array or number. Its field has no offset. A vector has columns "1", a number also rows "1".
// rows names a size of mjModel or another row of this table ("nJten").
typedef struct cndComputed_ {
  cndField field;
  int is_data;  // 1 if it is a member of mjData, 0 if of mjModel; names are unique in each
  int origin;   // cndOrigin
} cndComputed;

// Number of rows: first those of the model, then those of data.
MJAPI int cnd_computedCount(void);

// The i-th row; NULL if i is out of range. It lives as long as the program.
MJAPI const cndComputed* cnd_computedField(int i);

// Writes shape and field of an array, and its values to array->data if that is not NULL: room for
// rows * columns elements of field->size bytes. Returns 1, or 0 and an empty array if the name is
// unknown. d may be NULL where the values don't follow from it.
MJAPI int cnd_computedArray(cndArray* array, const mjModel* m, const mjData* d, const char* name);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_COMPUTED_H_
