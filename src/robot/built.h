// built.h: what is being made of a robot, and what all that make parts of it share.
//
// A link is a body, or part of one. A mesh file is read once for the eye and once to collide, for
// each scale; each of its parts is a mesh of the model.

#pragma once

#include <mujoco/mjspec.h>

#include "robot/mesh_files.h"
#include "robot/robot.h"

typedef enum RobotGroup_ {
  ROBOT_GROUP_VISUAL = 2,
  ROBOT_GROUP_COLLISION = 3,
  ROBOT_GROUP_FRAME = 4,
} RobotGroup;

// Where a link is: in a body, which may have several.
typedef struct BuiltLink_ {
  mjsBody* body;
  Pose pose;  // of the link in the body
} BuiltLink;

// A mesh file that was read, for the eye or to collide: one mesh for each part.
typedef struct BuiltMesh_ {
  char* path;
  double scale[3];
  int is_visual;
  int file;          // that it was read from
  int first, count;  // parts; first is -1 until they are made
} BuiltMesh;

typedef struct BuiltPart_ {
  const char* mesh;      // name of the asset
  const char* material;  // name of the asset, NULL if it has no texture
  float rgba[4];
  int has_color;
} BuiltPart;

// A texture that was made, with the material of its name.
typedef struct BuiltTexture_ {
  const char* source;    // its file, or the mesh file and the number of its material
  const char* material;  // name of both
} BuiltTexture;

typedef struct Builder_ {
  RobotDescription* robot;
  mjSpec* spec;
  const cndRobotOptions* options;
  const char* directory;  // of the robot's file
  BuiltLink* links;
  RobotFile* files;
  int nfile;
  BuiltMesh* meshes;
  int nmesh;
  BuiltPart* parts;
  int npart;
  BuiltTexture* textures;
  int ntexture;
} Builder;

// Gives an element the place of a node, and a name that no other element of its type has: `name`,
// or that with a number. Returns the name, which lives as long as the spec.
void built_place(const Builder* b, mjsElement* element, const Node* node);
const char* built_name(const Builder* b, mjsElement* element, const char* name);

// The name of a file without folders and ending.
void built_base(char out[100], const char* path);

// The name of the material that shows a picture: a file, or one inside of a mesh file, where it
// belongs to the material of that number. Another time it is the same one. NULL, after a warning,
// if the picture can't be used.
const char* robot_addtexture(Builder* b, const Node* node, const char* path, const float rgba[4]);
const char* robot_addimage(Builder* b, const Node* node, const char* path, int number,
                           const MeshMaterial* material, const float rgba[4]);

// Finds and reads the mesh files of all shapes, before their geoms are added.
void robot_readmeshes(Builder* b);

// Adds the geoms of a shape to the body of its link.
void robot_addgeom(Builder* b, const RobotGeom* geom, const BuiltLink* link);

// Sets mass, centre and inertia of every body from those of its links.
void robot_addinertia(Builder* b);

// Adds actuators, sensors, excluded pairs, the scene: what needs the tree of bodies, or a compiled
// model. Returns 0 after an error.
int robot_equip(Builder* b);
