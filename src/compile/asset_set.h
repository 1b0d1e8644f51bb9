// asset_set.h: making all meshes, height fields and texture pictures of a model.
//
//   list of jobs, one per file --several threads: digest -> cache, or load -> process -> cache-->
//   finished assets, by id; then problems are reported in the order of ids
//
// The jobs don't depend on each other, so the result is the same for any number of threads.

#pragma once

#include <mujoco/mjspec.h>

#include "compile/asset/hfield.h"
#include "compile/context.h"
#include "compile/mesh/mesh.h"
#include "compile/texture/cube.h"
#include "compile/texture/image.h"

struct AssetSet_ {
  Mesh** mesh;      // by id; NULL if one could not be made
  Mesh* written;    // what the model gets of it, by id; its arrays are those of `mesh`
  HField** hfield;  // by id
  Image** image;    // CUBE_FACES per texture; a single picture comes first
};

// Makes all assets. Failures increase c->nerror.
void assets_make(Compile* c);

void assets_free(Compile* c);

// The mesh that an object refers to by name, NULL if there is none.
const Mesh* assets_mesh(const Compile* c, const mjString* name);

// Largest distance of a mesh from the origin of its frame along each axis: the size of geoms and
// sites with its shape.
void assets_meshsize(double out[3], const Mesh* mesh);

// Makes one mesh of a spec by itself, with its hull where it has no faces. asset_release drops it.
// NULL, with the reason in error, if it can't be made.
Mesh* assets_makemesh(SpecObject* mesh, const mjVFS* vfs, char* error, size_t error_size);

// Does a geom of this type have the shape of its mesh (not one fitted to it)?
int assets_usesmesh(mjtGeom type);

// Adds the sizes of the assets' arrays to m's. Returns 0, with an error, if there is too much.
int assets_sizes(Compile* c, mjModel* m);

// compile_meshes and compile_hfields write the rows of assets to the draft. assets_write writes the
// heavy arrays of the final model.
void compile_meshes(Compile* c);
void compile_hfields(Compile* c);
void assets_write(Compile* c);

// Writes the nodes of the BVHs of meshes behind the `start` nodes of bodies. Returns the new
// number of nodes.
int assets_writetrees(Compile* c, int start);
