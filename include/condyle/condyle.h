// condyle.h: functions of Condyle beyond the compatible interface.
//
// The fields of mjOption, mjModel and mjData can be listed at run time: the name, type, shape,
// meaning and address of each. Tools that print, compare or bind fields to another language need no
// list of their own.

#ifndef CONDYLE_CONDYLE_H_
#define CONDYLE_CONDYLE_H_

#include <condyle/diagnostic.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of Condyle, e.g. "0.1.0". mj_version gives that of the compatible interface.
MJAPI const char* cnd_version(void);

// Sets the most bytes that one model, or the buffer or the arena of one mjData, may take in this
// process, for programs that load untrusted files. 0, the initial value, means no limit. A larger
// block is refused as if memory were out; for a model file the reason is reported. Returns the
// previous limit.
MJAPI size_t cnd_limitMemory(size_t bytes);

// One field of a struct. Strings live as long as the program.
typedef struct cndField_ {
  const char* name;     // e.g. "body_pos"
  const char* type;     // type of an element, e.g. "mjtNum"
  const char* rows;     // number of rows as written in the table, e.g. "nbody"; "1" for a scalar
  const char* columns;  // numbers per row, e.g. "3" or "nuser_body"; "1" for a scalar
  const char* meaning;  // one line with units and frames
  size_t offset;        // offset of the field in its struct
  size_t size;          // bytes per element
  int pointer;          // 1 if the field points to its elements, 0 if they are in the struct
  int arena;            // 1 if the elements are in the arena, valid only after a position stage
  int hidden;           // 1 if it is Condyle's own (cnd_), not in mjxmacro.h
  const char* since;    // release of MuJoCo that brought the field; NULL for those of 3.3.7
  double absent;        // of such an array: its elements in models that don't use the feature; NAN
                        // if they are computed from other fields
} cndField;

// The elements of a field in a given struct. data is NULL if there are none.
typedef struct cndArray_ {
  void* data;      // rows*columns elements, row-major
  size_t rows;     // rows at present
  size_t columns;  // numbers per row at present
  const cndField* field;
} cndArray;

// Numbers of sizes, arrays and options of mjModel, and of fields of mjData.
MJAPI int cnd_sizeFieldCount(void);
MJAPI int cnd_modelFieldCount(void);
MJAPI int cnd_optionFieldCount(void);
MJAPI int cnd_dataFieldCount(void);

// The i-th field in the order of the tables; NULL if i is out of range.
MJAPI const cndField* cnd_sizeField(int i);    // counts of mjModel: nq, nv, ...
MJAPI const cndField* cnd_modelField(int i);   // arrays of mjModel
MJAPI const cndField* cnd_optionField(int i);  // members of mjOption
MJAPI const cndField* cnd_dataField(int i);    // scalars, then arrays of mjData

// mj_setConst as it is since 4.0: it also computes anew what follows from changed sizes, frames,
// margins, contact bits and weights (geom_aabb, geom_rbound, geom_fluid, *_sameframe, bvh_aabb,
// body_margin, body_contype, body_conaffinity, ngravcomp), and leaves alone what stands for words
// of an author: damping ratios, open lengths of tendon springs, statistics. Poses of cameras and
// lights in d stay. Ends in mju_error if a body was compiled as one with a diagonal inertia and has
// none now, or has more geoms that collide than when it was compiled.
MJAPI void cnd_setConst(mjModel* m, mjData* d);

// Finds a size, array or option ("opt.timestep" or "timestep") of a model. Returns 1, or 0 and an
// empty array if the name is unknown.
MJAPI int cnd_modelArray(cndArray* array, const mjModel* m, const char* name);

// Finds a field of the data of a simulation of m. Returns 1, or 0 and an empty array if the name is
// unknown.
MJAPI int cnd_dataArray(cndArray* array, const mjModel* m, const mjData* d, const char* name);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_CONDYLE_H_
