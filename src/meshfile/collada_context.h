// collada_context.h: what the files of the Collada reader share. Of Collada 1.4 and 1.5 they know
// what makes triangles and colours.
//
//   scene -> visual_scene -> node* -> instance_geometry -> geometry -> sources, primitives
//                             |  \--> instance_controller -> skin ---^
//                             \--> instance_node -> node*
//   instance_material -> material -> effect

#pragma once

#include "meshfile/corners.h"
#include "meshfile/xml.h"

typedef struct Collada_ {
  MeshBuild* build;
  XmlTree tree;
  Corners corners;
} Collada;

// The primitives of a geometry in its own frame.
typedef struct ColladaGeometry_ {
  MeshPart* part;       // one for each primitive; names belong to the tree
  const char** symbol;  // name of the material of each, NULL if none
  size_t npart, room;
} ColladaGeometry;

// The primitives of a <geometry>, read when it is first asked for.
const ColladaGeometry* collada_geometry(Collada* collada, XmlNode* geometry);

// Index of the material that a symbol means for an instance (<instance_geometry>, NULL if there is
// none), -1 if it means none.
int collada_material(Collada* collada, const XmlNode* instance, const char* symbol);
