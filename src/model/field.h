// field.h: loops over the arrays of mjModel and mjData.
//
// The table that declares an array also gives, at run time, the offset of its pointer and its shape
// for given sizes. So making, copying and measuring are one loop each. (400 statements expanded
// from the table each time took compilers minutes with sanitizers.)

#pragma once

#include <condyle/condyle.h>
#include <mujoco/mjdata.h>
#include <stdint.h>

// A number of rows or columns: factor, or factor times the int at `offset` in mjModel or mjData, an
// mjtSize if owner has the bit COUNT_WIDE.
typedef struct Count_ {
  int factor;
  int owner;  // one of the COUNT_
  size_t offset;
} Count;

enum {
  COUNT_FIXED = 0,
  COUNT_MODEL = 1,
  COUNT_DATA = 2,
  COUNT_WIDE = 4
};

typedef struct FieldShape_ {
  Count rows, columns;
  int heavy;  // an array that drawing does not need
} FieldShape;

// Fields in the order of their table: of a kind those of 3.3.7, those of later releases, private
// ones.
typedef struct FieldList_ {
  const cndField* field;
  const FieldShape* shape;
  int count;
} FieldList;

extern const FieldList field_model;  // arrays of mjModel
extern const FieldList field_data;   // scalars, vectors, arrays of the buffer and of the arena

// Value of a count. d may be NULL for arrays of the model and of the buffer of the data.
int64_t field_count(const Count* count, const mjModel* m, const mjData* d);

// Bytes of all elements of list->field[i]. The caller has checked that the shape is valid.
size_t field_bytes(const FieldList* list, int i, const mjModel* m, const mjData* d);

// Gets and sets the pointer to an array in the struct at owner.
void* field_pointer(const void* owner, const cndField* field);
void field_point(void* owner, const cndField* field, void* place);

// Lays out the non-arena arrays of the struct at `owner` in one memory block at `base` and sets its
// pointers. base NULL: only computes sizes (owner may be NULL). Returns the total bytes for m, 0 on
// overflow; *nbuffer: bytes of the arrays of 3.3.7, which come first.
size_t field_layout(const FieldList* list, void* owner, size_t* nbuffer, const mjModel* m,
                    char* base);

// Writes the value of an unused feature to all arrays of later releases, except for computed ones.
void field_write_absent(const FieldList* list, void* owner, const mjModel* m);

// Has array i of a later release the value of an unused feature, or is it computed?
int field_is_absent(const FieldList* list, int i, const void* owner, const mjModel* m);

// The name of the first array of a later release that m uses (is not absent) and that a step reads;
// NULL if there is none. What computes steps in its own way refuses such a model.
const char* field_later(const mjModel* m);

// The same of arrays that are not among n known ones.
const char* field_later_but(const mjModel* m, const char* const* known, int n);
