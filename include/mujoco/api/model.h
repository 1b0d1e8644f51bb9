// model.h: the functions of the interface for models, data and what they are made of; files, hooks
// and plugins: those that src/model defines. Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_MODEL_H_
#define MUJOCO_API_MODEL_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjversion.h>

#ifdef __cplusplus
extern "C" {
#endif

// hooks

// Called by the stages; NULL does nothing.
MJAPI extern mjfGeneric mjcb_passive;        // may add to qfrc_passive
MJAPI extern mjfGeneric mjcb_control;        // may set ctrl and applied forces
MJAPI extern mjfConFilt mjcb_contactfilter;  // may forbid a collision of two geoms
MJAPI extern mjfSensor mjcb_sensor;          // fills user sensors
MJAPI extern mjfTime mjcb_time;              // gives the time for timers
MJAPI extern mjfAct mjcb_act_dyn;            // activation rate of user actuators
MJAPI extern mjfAct mjcb_act_gain;           // gain of user actuators
MJAPI extern mjfAct mjcb_act_bias;           // bias of user actuators

// Sets all mjcb_ pointers to NULL.
MJAPI void mj_resetCallbacks(void);

// Names of the flags and timers, in the order of their enums.
MJAPI extern const char* mjTIMERSTRING[mjNTIMER];
MJAPI extern const char* cnd_DISABLESTRING[20];  // with those of later releases
MJAPI extern const char* cnd_ENABLESTRING[9];
#if mjVERSION_API >= 400
#define mjDISABLESTRING cnd_DISABLESTRING
#define mjENABLESTRING cnd_ENABLESTRING
#else
MJAPI extern const char* mjDISABLESTRING[mjNDISABLE];
MJAPI extern const char* mjENABLESTRING[mjNENABLE];
#endif

// files in memory

// Makes an empty set of files; free with mj_deleteVFS.
MJAPI void mj_defaultVFS(mjVFS* vfs);

// Reads a file from directory (may be NULL) into the set, under its base name in lower case.
// Returns 0, 2 if that name exists already, -1 if the file can't be read or is empty.
MJAPI int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename);

// Copies nbuffer bytes into the set, under the name as given. Returns 0, 2 if the name exists
// already, -1 on failure.
MJAPI int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer);

// Takes a file out of the set. Returns 0, or -1 if there is none of that name.
MJAPI int mj_deleteFileVFS(mjVFS* vfs, const char* filename);

// Is there a file with exactly this name, or the one that mj_addFileVFS makes of a file's?
MJAPI int mj_containsBufferVFS(mjVFS* vfs, const char* name);
MJAPI int mj_containsFileVFS(mjVFS* vfs, const char* directory, const char* filename);

// Lets a provider open all files at and below a path of the set. Returns 0, 2 if the path is taken,
// -1 if the provider is incomplete or its mounting fails. The provider must outlive the set.
MJAPI int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider);

// Ends that. Returns 0, or -1 if nothing has this name; a file is deleted.
MJAPI int mj_unmountVFS(mjVFS* vfs, const char* filename);

// Frees a set of files.
MJAPI void mj_deleteVFS(mjVFS* vfs);

// From now on loading with these files reads no others: neither the disk nor resource providers.
// For models of strangers, whose files' names could be any of this machine.
MJAPI void cnd_sealVFS(mjVFS* vfs);

// From now on these files are found as since release 3.5: by their exact name, else by the base
// name in any case of letters, the one added last. mj_defaultVFS finds them by the base name in
// lower case first, else by the whole path.
MJAPI void cnd_matchLastVFS(mjVFS* vfs);

// default settings

// Fills in the default settings for finding length ranges.
MJAPI void mj_defaultLROpt(mjLROpt* opt);

// Fills in the default solref[mjNREF] and solimp[mjNIMP]; either may be NULL.
MJAPI void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp);

// Fills in the default settings of the physics.
MJAPI void mj_defaultOption(mjOption* opt);

// Fills in the default settings of the picture.
MJAPI void mj_defaultVisual(mjVisual* vis);

// models and data

// Copies src to dest, which must have the same sizes (an error leaves it as it was); makes a new
// model if dest is NULL. Returns it, or NULL with a warning if memory runs out.
MJAPI mjModel* mj_copyModel(mjModel* dest, const mjModel* src);

// Frees a model; NULL is fine.
MJAPI void mj_deleteModel(mjModel* m);

// Bytes that the model takes in the binary format.
MJAPI int64_t cnd_sizeModel(const mjModel* m);

// Writes the model in the binary format: to buffer (buffer_sz bytes, at least its size) if it is
// not NULL, else to a file.
MJAPI void cnd_saveModel(const mjModel* m, const char* filename, void* buffer, int64_t buffer_sz);

#if mjVERSION_API >= 400
static inline mjtSize mj_sizeModel(const mjModel* m) {
  return cnd_sizeModel(m);
}
static inline void mj_saveModel(const mjModel* m, const char* filename, void* buffer,
                                mjtSize buffer_sz) {
  cnd_saveModel(m, filename, buffer, buffer_sz);
}
#else
// Bytes that the model takes in the binary format; an error if an int can't hold them.
MJAPI int mj_sizeModel(const mjModel* m);

// Writes the model in the binary format: to buffer (buffer_sz bytes, at least mj_sizeModel) if it
// is not NULL, else to a file.
MJAPI void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz);
#endif

// Copies src to dest, made for the same model; makes new data if dest is NULL. The stack of src
// must be empty. Returns the copy, or NULL with a warning if memory runs out.
MJAPI mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src);

// Frees the data of a simulation; NULL is fine.
MJAPI void mj_deleteData(mjData* d);

// Copies the state to keyframe k.
MJAPI void mj_setKeyframe(mjModel* m, const mjData* d, int k);

// The parts of sig, bits of mjtState as programs of a dialect number them, in the numbers of 3.3.7.
// Unknown bits are an error.
MJAPI unsigned int cnd_stateSignature(int dialect, int sig);

// The functions of states below, with such bits.
MJAPI int cnd_stateSizeAs(int dialect, const mjModel* m, int sig);
MJAPI void cnd_getStateAs(int dialect, const mjModel* m, const mjData* d, mjtNum* state, int sig);
MJAPI void cnd_setStateAs(int dialect, const mjModel* m, mjData* d, const mjtNum* state, int sig);
MJAPI void cnd_extractStateAs(int dialect, const mjModel* m, const mjtNum* src, int srcsig,
                              mjtNum* dst, int dstsig);
MJAPI void cnd_copyStateAs(int dialect, const mjModel* m, const mjData* src, mjData* dst, int sig);

#if mjVERSION_API >= 400
static inline int mj_stateSize(const mjModel* m, int sig) {
  return cnd_stateSizeAs(mjVERSION_API, m, sig);
}
static inline void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig) {
  cnd_getStateAs(mjVERSION_API, m, d, state, sig);
}
static inline void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig) {
  cnd_setStateAs(mjVERSION_API, m, d, state, sig);
}
static inline void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst,
                                   int dstsig) {
  cnd_extractStateAs(mjVERSION_API, m, src, srcsig, dst, dstsig);
}
static inline void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig) {
  cnd_copyStateAs(mjVERSION_API, m, src, dst, sig);
}
#else
// Length of a state vector; sig combines bits of mjtState.
MJAPI int mj_stateSize(const mjModel* m, unsigned int sig);

// Gathers parts of the state, in the order of the bits of mjtState.
MJAPI void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig);

// Sets the parts of the state from a vector of mj_getState.
MJAPI void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig);

// Takes the parts dstsig out of a state vector of the parts srcsig, as mj_getState has gathered it.
// A part that src doesn't have is an error. Of 3.4.
MJAPI void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst,
                           int dstsig);

// Copies parts of the state from src to dst, both data of m; recomputes nothing. Of 3.4.
MJAPI void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig);
#endif

// functions added by MuJoCo releases after 3.3.7: history (3.5), threads (3.10), inputs (3.11)

// Sets all controls to their neutral value, 0.
MJAPI void mj_resetCtrl(const mjModel* m, mjData* d);

// The control that an actuator acts on at a time, its delay before that. Returns a place in its
// buffer, or NULL if it is between two samples and written to result; without a buffer the place of
// the present one in d->ctrl. interp: 0 the earlier sample, 1 linear, 2 cubic, -1 as the model
// says.
MJAPI const mjtNum* mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time,
                                mjtNum* result, int interp);

// The same of a sensor; result takes its sensor_dim values.
MJAPI const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time,
                                  mjtNum* result, int interp);

// Sets the history of an actuator or a sensor with nsample samples: times must increase, and NULL
// keeps the present ones; row k of values is the k-th oldest. phase is the time at which an
// interval sensor was due last. Ends in mju_error if it has no history.
MJAPI void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                              const mjtNum* values);
MJAPI void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times,
                                const mjtNum* values, mjtNum phase);

// What input 0 of an actuator stands for, inferred from its force law: "pos", "vel", "pressure".
// NULL if it is none of these, and for other inputs.
MJAPI const char* mj_actuatorInputName(const mjModel* m, int id, int input);

// Gives d a pool of nthread threads of its own instead of the pool it has (mju_bindThreadPool), or
// no pool if nthread is 0. With the caller's thread they share the loops of a step that are long
// enough: contacts, rows, islands, large solves; and columns of derivatives, for which differences
// copy d once for each thread. No bit depends on it. Callbacks and plugins stay on the caller's
// thread. Resets keep the pool, copies have their own or none, and it ends with d.
MJAPI void mju_threadpool(mjData* d, int nthread);

// stack of temporaries

// Opens a frame on the stack of d.
MJAPI void mj_markStack(mjData* d);

// Closes the last frame of mj_markStack and frees all that was taken from the stack since.
MJAPI void mj_freeStack(mjData* d);

// Takes memory of the stack, aligned to a power of two. NULL for 0 bytes; a full stack is an error.
MJAPI void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment);

// Takes an array of numbers of the stack.
MJAPI mjtNum* mj_stackAllocNum(mjData* d, size_t size);

// Takes an array of integers of the stack.
MJAPI int* mj_stackAllocInt(mjData* d, size_t size);

// questions

// 1 if friction cones are pyramids.
MJAPI int mj_isPyramidal(const mjModel* m);

// 1 if the constraint Jacobian is sparse.
MJAPI int mj_isSparse(const mjModel* m);

// 1 if the solver (or its no-slip pass) works in force space.
MJAPI int mj_isDual(const mjModel* m);

// The id of a named object, type is mjtObj; -1 if there is none.
MJAPI int mj_name2id(const mjModel* m, int type, const char* name);

// The name of an object; NULL if the id is out of range or the object has no name.
MJAPI const char* mj_id2name(const mjModel* m, int type, int id);

// Sum of the masses of all bodies, kg.
MJAPI mjtNum mj_getTotalmass(const mjModel* m);

// Scales all masses and inertias so that they sum up to newmass. Derived constants stay as they
// are.
MJAPI void mj_setTotalmass(mjModel* m, mjtNum newmass);

#if mjVERSION_API >= 400
static inline int mj_version(void) {
  return mjVERSION_HEADER;
}
static inline const char* mj_versionString(void) {
  return "4.0.0";
}
#else
// The version of the interface: 337; 4000000 for programs of 4.0.0.
MJAPI int mj_version(void);

// The version of the interface as text: "3.3.7"; "4.0.0" for programs of 4.0.0.
MJAPI const char* mj_versionString(void);
#endif

// errors and memory

// Counts a warning (mjtWarning) in d and reports the first of its kind. info: an index or a size.
MJAPI void mj_warning(mjData* d, int warning, int info);

// The text of a warning; valid until the next call in the same thread.
MJAPI const char* mju_warningText(int warning, size_t info);

// plugins

// Sets all members to 0.
MJAPI void mjp_defaultPlugin(mjpPlugin* plugin);

// Registers a plugin under its name; its texts are copied. Returns its slot: the slot of an
// identical plugin if there is one. A different plugin of the same name is an error. Thread-safe.
MJAPI int mjp_registerPlugin(const mjpPlugin* plugin);

// Number of registered plugins; slots are 0, 1, ... in order of registration.
MJAPI int mjp_pluginCount(void);

// A plugin by its name, in any case of letters; NULL if there is none. slot (may be NULL) receives
// its slot or -1.
MJAPI const mjpPlugin* mjp_getPlugin(const char* name, int* slot);

// The plugin in a slot; NULL if the slot is free.
MJAPI const mjpPlugin* mjp_getPluginAtSlot(int slot);

// Loads a shared library, whose constructor registers its plugins. Failing is an error.
MJAPI void mj_loadPluginLibrary(const char* path);

// Loads every shared library in a directory and tells callback (may be NULL) about each: the file,
// its first new slot (-1 if it has none) and how many it registered.
MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback);

// Lets the stages of d use a thread pool: each worker gets a stack of its own, and islands of
// constraints are solved side by side. Results are the same bits as without. A second pool is an
// error. Copies are bound to the same pool; the pool must outlive them all.
MJAPI void mju_bindThreadPool(mjData* d, void* thread_pool);

// The value that a plugin instance of a model has for one of its attributes, "" if it was given
// none; NULL if there is no such instance, or no such attribute in its plugin.
MJAPI const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib);

// sources of files

// Sets all members to 0. Both names of a function do the same.
MJAPI void mjp_defaultProvider(mjpResourceProvider* provider);
MJAPI void mjp_defaultResourceProvider(mjpResourceProvider* provider);

// Registers who provides files named "prefix:...". Returns its slot, from 1 on: the slot of an
// identical provider if there is one; -1 and a warning if it is incomplete or its prefix is no
// scheme. A different provider of the same prefix is an error. Thread-safe.
MJAPI int mjp_registerProvider(const mjpResourceProvider* provider);
MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider);

// Number of registered providers.
MJAPI int mjp_providerCount(void);
MJAPI int mjp_resourceProviderCount(void);

// The provider whose prefix stands before the first ':' of a name, in any case of letters; NULL if
// there is none.
MJAPI const mjpResourceProvider* mjp_findProvider(const char* resource_name);
MJAPI const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name);

// The provider in a slot; NULL if the slot is free.
MJAPI const mjpResourceProvider* mjp_getProviderAtSlot(int slot);
MJAPI const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot);

// Registers who opens files in archives: those named "x.ext/..." for the extensions ".ext" (several
// as ".a|.b") in its prefix. A different one of the same extension is an error. Thread-safe.
MJAPI void mjp_registerArchiveProvider(const mjpResourceProvider* provider);

// The provider of archives whose extension a name ends with, in any case of letters; NULL if there
// is none. Those of ".mjz" and ".zip" come with the engine.
MJAPI const mjpResourceProvider* mjp_findArchiveProvider(const char* resource_name);

// Number of extensions of archives.
MJAPI int mjp_archiveProviderCount(void);

// Sets all members to 0.
MJAPI void mjp_defaultDecoder(mjpDecoder* decoder);
MJAPI void mjp_defaultEncoder(mjpEncoder* encoder);

// Registers who reads or writes models of a format; does nothing if it is registered already, and
// warns if it is incomplete. A different one of the same extension or type is an error.
// Thread-safe.
MJAPI void mjp_registerDecoder(const mjpDecoder* decoder);
MJAPI void mjp_registerEncoder(const mjpEncoder* encoder);

// Opens a file by name, in a directory (may be NULL) unless it is a full path: a virtual one, one
// of a provider, one in an archive, or one on disk. Returns NULL, with the reason in error, if it
// can't be. vfs and error may be NULL. Free with mju_closeResource.
MJAPI mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error,
                                   size_t nerror);

// Closes a resource; NULL is fine.
MJAPI void mju_closeResource(mjResource* resource);

// Points buffer at the content, valid until the resource is closed, and returns its length in
// bytes, negative on failure.
MJAPI int mju_readResource(mjResource* resource, const void** buffer);

// Writes a file: to the provider of its name, or to disk. Returns its length in bytes, or -1 with
// the reason in error. vfs, whose mounted providers count, and error may be NULL.
MJAPI int64_t mju_writeResource(const char* name, const void* buffer, mjtSize nbytes,
                                const mjVFS* vfs, char* error, size_t nerror);

// Points dir at the directory part of the name, with its last separator, and sets its length.
MJAPI void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir);

// Compares the version of a resource with a timestamp: 0 the same, positive newer, negative older.
MJAPI int mju_isModifiedResource(const mjResource* resource, const char* timestamp);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_MODEL_H_
