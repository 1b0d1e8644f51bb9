// write.h: writing an editable model and its compiled model to MJCF.
//
// Structure, names, classes and files come from the spec. Numbers come from the compiled model, so
// frames are composed, angles are radians, shortcuts are expanded, and later changes by a program
// are included. An element is written by the rows of the schema: its public struct is copied, the
// copy is filled with the model's numbers, and every row whose value differs from the class's value
// is written.
//
//   spec object --copy--> mjsGeom <--numbers-- mjModel
//                            | rows of <geom>          differs from the class's mjsGeom?
//                            v
//                     <geom name=".." size=".."/>
//                                                                   theory/model/format.md, Writing

#pragma once

#include <mujoco/mjspec.h>

#include "mjcf/write/context.h"

// The document as text, which the caller frees (heap_free). NULL, with an error, if it can't be
// written. error and files may be NULL.
char* write_spec(const mjSpec* s, const FileNames* files, char* error, int error_sz);

// Do assets of the specs that a spec was made of have different directories?
int write_joins(const SpecTree* tree);

// Takes ownership of a spec for mj_saveLastXML and frees the previous one. NULL only frees.
void write_keeplast(mjSpec* spec);
