// write.h: from an editable model and what it compiles to, back to MJCF.
//
// Structure, names, classes and files come from the spec; numbers come from the compiled model, so
// that frames are composed, angles are radians, shortcuts are expanded and whatever a program has
// changed in the model since is in the file. An element is written by the rows of the same schema
// that reads it: its public struct is copied, the copy is filled with the model's numbers, and
// every row whose value is not what the element would have from its class is written.
//
//   spec object --copy--> mjsGeom <--numbers-- mjModel
//                            | rows of <geom>          differs from the class's mjsGeom?
//                            v
//                     <geom name=".." size=".."/>
//                                                                         theory/format.md, Writing

#ifndef CONDYLE_MJCF_WRITE_WRITE_H_
#define CONDYLE_MJCF_WRITE_WRITE_H_

#include <mujoco/mjspec.h>

// Takes a spec over, for mj_saveLastXML, and frees the one before; NULL: only that.
void write_keeplast(mjSpec* spec);

#endif  // CONDYLE_MJCF_WRITE_WRITE_H_
