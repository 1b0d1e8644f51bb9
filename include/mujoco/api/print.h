// print.h: the functions of the interface for models, data and scenes as text: those that src/print
// defines. Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_PRINT_H_
#define MUJOCO_API_PRINT_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

// models and data

// Writes all of a model as text to a file, NULL for standard output.
MJAPI void mj_printModel(const mjModel* m, const char* filename);

// mj_printModel with a format for reals, e.g. "%.17g". An invalid format, or NULL, is replaced,
// with a warning.
MJAPI void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format);

// Writes all of the data of a simulation as text to a file, NULL for standard output.
MJAPI void mj_printData(const mjModel* m, const mjData* d, const char* filename);

// mj_printData with a format for reals.
MJAPI void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                                 const char* float_format);

// scenes

// Writes a scene as text to a file, NULL for standard output; arrays of flexes and skins are left
// out.
MJAPI void mj_printScene(const mjvScene* s, const char* filename);

// mj_printScene with a format for reals.
MJAPI void mj_printFormattedScene(const mjvScene* s, const char* filename,
                                  const char* float_format);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_PRINT_H_
