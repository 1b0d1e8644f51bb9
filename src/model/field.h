// field.h: walking over the arrays of mjModel and mjData in loops.
//
// The same table that declares an array says at run time where its pointer stands in the struct and
// how many elements it has for given sizes, so that making, copying and measuring are a loop each.
// (Expanding the table into 400 statements each time took compilers minutes with sanitizers.)

#ifndef CONDYLE_MODEL_FIELD_H_
#define CONDYLE_MODEL_FIELD_H_

#include <condyle/condyle.h>
#include <mujoco/mjdata.h>
#include <stdint.h>

// A number of rows or columns: factor, times the int at an offset in mjModel or mjData if there is
// one.
typedef struct Count_ {
  int factor;
  int owner;  // one of the COUNT_
  size_t offset;
} Count;

enum {
  COUNT_FIXED = 0,
  COUNT_MODEL = 1,
  COUNT_DATA = 2
};

typedef struct FieldShape_ {
  Count rows, columns;
} FieldShape;

// Fields in the order of their table, public ones of a kind before private ones.
typedef struct FieldList_ {
  const cndField* field;
  const FieldShape* shape;
  int count;
} FieldList;

extern const FieldList field_model;  // arrays of mjModel
extern const FieldList field_data;   // scalars, vectors, arrays of the buffer and of the arena

// Value of a count; d may be NULL for those of the model and of the buffer of the data.
int64_t field_count(const Count* count, const mjModel* m, const mjData* d);

// Bytes of all elements of list->field[i]; its shape must be possible.
size_t field_bytes(const FieldList* list, int i, const mjModel* m, const mjData* d);

// The pointer that a field of the struct at owner is, and setting it.
void* field_pointer(const void* owner, const cndField* field);
void field_point(void* owner, const cndField* field, void* place);

// Sets the pointers of the struct at owner to places in the block at base, but those to the arena;
// NULL only measures, and owner may be NULL. Returns the bytes of all arrays for m, 0 on overflow,
// and writes those of the public ones, which come first, to nbuffer.
size_t field_layout(const FieldList* list, void* owner, size_t* nbuffer, const mjModel* m,
                    char* base);

#endif  // CONDYLE_MODEL_FIELD_H_
