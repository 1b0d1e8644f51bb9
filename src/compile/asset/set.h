// set.h: all assets of a model that take work: meshes, height fields, pictures of textures.
//
//   list of jobs, one per file --several threads: digest -> cache, or load -> process -> cache-->
//   finished assets, by id; then problems are reported in the order of ids
//
// The jobs don't depend on each other, so the result is the same for any number of threads.

#ifndef CONDYLE_COMPILE_ASSET_SET_H_
#define CONDYLE_COMPILE_ASSET_SET_H_

#include <mujoco/mjspec.h>

#include "compile/asset/hfield.h"
#include "compile/context.h"
#include "compile/mesh/mesh.h"
#include "compile/texture/cube.h"
#include "compile/texture/image.h"

struct AssetSet_ {
  Mesh** mesh;      // by id; NULL if it could not be made
  HField** hfield;  // by id
  Image** image;    // CUBE_FACES per texture; a single picture is the first
};

// Makes all assets; c->nerror tells whether all could be made.
void assets_make(Compile* c);

void assets_free(Compile* c);

// The mesh that an object refers to by name, NULL if there is none.
const Mesh* assets_mesh(const Compile* c, const mjString* name);

// Does a geom of this type collide, or fill space, as its mesh?
int assets_usesmesh(mjtGeom type);

// Sizes of what the assets hold, added to m's; 0 and an error if there is too much.
int assets_sizes(Compile* c, mjModel* m);

// Rows of meshes and height fields in the draft; heavy data in the final model.
void compile_meshes(Compile* c);
void compile_hfields(Compile* c);
void assets_write(Compile* c);

// Nodes of the box trees of meshes, behind `start` nodes of bodies; returns how many there are now.
int assets_writetrees(Compile* c, int start);

#endif  // CONDYLE_COMPILE_ASSET_SET_H_
