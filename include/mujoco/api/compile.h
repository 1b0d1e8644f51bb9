// compile.h: the functions of the interface that make an mjModel from the editable model: those
// that src/compile defines. Those that need no editable model are in derive.h. Programs include
// mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_COMPILE_H_
#define MUJOCO_API_COMPILE_H_

#include <mujoco/api/derive.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>

#ifdef __cplusplus
extern "C" {
#endif

// reading and compiling

// Compiles an editable model. Returns NULL if that fails; mjs_getError tells why. vfs: may be NULL.
MJAPI mjModel* mj_compile(mjSpec* s, const mjVFS* vfs);

// The cache of finished meshes, height fields and pictures that the compiler keeps for later
// models, one for the whole program; the bytes that it holds; the bytes that it may hold. A new
// capacity, which is returned, drops what was not used for longest; 0 turns the cache off.
MJAPI mjCache* mj_getCache(void);
MJAPI size_t mj_getCacheSize(const mjCache* cache);
MJAPI size_t mj_getCacheCapacity(const mjCache* cache);
MJAPI size_t mj_setCacheCapacity(mjCache* cache, size_t size);

// Drops everything from the cache.
MJAPI void mj_clearCache(mjCache* cache);

// Compiles an edited model into the same m and d and carries the state over. Returns 0 on success;
// else -1, and m and d are freed. vfs: may be NULL.
MJAPI int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d);

// Copies the real-valued arrays of m, a model compiled from s and changed since, to the values that
// s is written with. Returns 1, or 0 if sizes or structure differ.
MJAPI int mj_copyBack(mjSpec* s, const mjModel* m);

// editable model: everything else

// Writes vertices, normals and faces of a generated shape into a mesh. Returns 0, -1 if the
// parameters are wrong (mjs_getError tells why), 1 if there is no such shape.
MJAPI int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams);

// additions of later releases

// Turns static bodies, which have no joints, into frames of their parents, with all they hold.
// Bodies stay that others refer to, that hold the site of a force or torque sensor, that must not
// be fused (mjsBody.fuse), or on which forces would differ. Returns the number of fused bodies; -1,
// with nothing changed, if the model doesn't compile. vfs: where its files are; may be NULL.
MJAPI int mjs_fuseStatic(mjSpec* s, const mjVFS* vfs);

// Deletes materials, textures, geoms that can't collide and meshes that nobody uses then, except
// those that others refer to by name. Masses that followed from deleted geoms become explicit.
// Returns the number of deleted elements; -1, with nothing changed, if the model doesn't compile.
MJAPI int mjs_discardVisual(mjSpec* s, const mjVFS* vfs);

// Makes the mass and inertia that follow from a body's geoms its explicit inertial; an explicit one
// stays. Returns 0; -1 if there can be none (the world, inertiafromgeom "true"), or if the model
// doesn't compile.
MJAPI int mjs_adoptInertial(mjsBody* body, const mjVFS* vfs);

// Merges meshes and textures with the same file, or the same arrays, and the same parameters: the
// first one stays, and whatever referred to the others refers to it. Assets without a name and
// meshes with a plugin are left alone; no file is read. Returns the number of deleted assets, -1 if
// memory runs out.
MJAPI int mjs_dedupAssets(mjSpec* s);

// Reads the pixels of a texture: of its file, if the model has only the path of that, as compiling
// would have stored them, else a copy. data: height x width x tex_nchannel bytes, to be freed with
// mju_free; colorspace: mjtColorSpace, not auto. Returns 0 on success. All but m and data may be
// NULL.
MJAPI int mj_loadTexture(const mjModel* m, int id, mjtByte** data, int* width, int* height,
                         int* colorspace, char* error, int error_sz);

// A copy of m with the pixels of all textures whose files alone it names. Returns NULL, with an
// error, if one can't be read. Free with mj_deleteModel. error: may be NULL.
MJAPI mjModel* mj_embedAssets(const mjModel* m, char* error, int error_sz);

// editable model: names, texts, arrays

// Number of values that a sensor will give; 0 if only compiling can tell.
MJAPI int mjs_sensorDim(const mjsSensor* sensor);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_COMPILE_H_
