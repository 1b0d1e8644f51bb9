// mujoco.h: the functions of the library. Include this one; it brings all types.
//
// Source-compatible with MuJoCo 3.3.7: a program written for it compiles here unchanged, except
// that a function which does not exist yet is not declared. What only Condyle has is in
// condyle/condyle.h.
//
// Conventions: SI units and radians; outputs come before inputs where a name says nothing else;
// matrices are row-major; quaternions are (w, x, y, z); a rotation matrix has the axes of the local
// frame as columns; 6D vectors are rotation first, then translation. Pointers may be NULL only
// where the text says so. Misuse (an index out of range, say) ends in mju_error, which does not
// return.

#ifndef MUJOCO_MUJOCO_H_
#define MUJOCO_MUJOCO_H_

#define mjVERSION_HEADER 337  // the version of the interface that this header describes

#include <math.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjsan.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjui.h>
#include <mujoco/mjvisualize.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

// hooks

// Called instead of the built-in reaction to an error or a warning, with the message. An error
// handler must not return.
MJAPI extern void (*mju_user_error)(const char*);
MJAPI extern void (*mju_user_warning)(const char*);

// Called instead of the built-in allocator; memory must be aligned to 64 bytes.
MJAPI extern void* (*mju_user_malloc)(size_t);
MJAPI extern void (*mju_user_free)(void*);

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

// The function that finds contacts of each pair of shapes, smaller type first; NULL for none.
MJAPI extern mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES];

// Names of the flags and timers, in the order of their enums.
MJAPI extern const char* mjDISABLESTRING[mjNDISABLE];
MJAPI extern const char* mjENABLESTRING[mjNENABLE];
MJAPI extern const char* mjTIMERSTRING[mjNTIMER];

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

// Frees a set of files.
MJAPI void mj_deleteVFS(mjVFS* vfs);

// reading and compiling

// Reads MJCF or URDF from a file and compiles it. Returns NULL if that fails and writes the first
// error to error (error_sz bytes); a warning is written there too. vfs, error: may be NULL. Free
// with mj_deleteModel.
MJAPI mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Reads MJCF or URDF from a file into an editable model; otherwise like mj_loadXML. Free with
// mj_deleteSpec.
MJAPI mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// The same for a text in memory.
MJAPI mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz);

// Compiles an editable model. Returns NULL if that fails; mjs_getError tells why. vfs: may be NULL.
MJAPI mjModel* mj_compile(mjSpec* s, const mjVFS* vfs);

// The finished meshes, height fields and pictures that the compiler keeps for models to come; one
// for the whole program. Bytes it holds and may hold. A new capacity, which is returned, drops what
// was not used for longest; 0 turns the cache off.
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

// Writes the model that mj_loadXML last read to an MJCF file (standard output if
// filename is NULL or empty); m (may be NULL) gives the numbers if it has its structure.
// Returns 1, or 0 and an error.
MJAPI int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz);

// Forgets the model that mj_loadXML last read.
MJAPI void mj_freeLastXML(void);

// Writes an editable model, as last compiled, to MJCF: every number as the shortest text that reads
// back the same. Returns 0, or -1 and an error (error_sz bytes, may be NULL).
MJAPI int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz);

// The same to xml (xml_sz bytes). If that is too short, returns the length of the text without its
// terminator.
MJAPI int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz);

// Fills dependencies with the names of all files that an MJCF file depends on, itself first,
// through includes, assets and sub-models.
MJAPI void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies);

// Makes an empty editable model: a world and nothing else.
MJAPI mjSpec* mj_makeSpec(void);

// Makes a deep copy of an editable model; NULL, with a warning, if memory is out.
MJAPI mjSpec* mj_copySpec(const mjSpec* s);

// Frees an editable model; NULL is fine.
MJAPI void mj_deleteSpec(mjSpec* s);

// editable model

// Functions mjs_* make, find and change the parts of an editable model; their types are in
// mjspec.h. Parts belong to their spec. An element handle is the `element` member of every part.

// Text of the last error or warning; empty if there was none. Valid until the spec changes.
MJAPI const char* mjs_getError(mjSpec* s);

// Is the last message only a warning?
MJAPI int mjs_isWarning(mjSpec* s);

// Lets elements use a registered plugin. Returns 0, -1 if no plugin of this name is registered.
MJAPI int mjs_activatePlugin(mjSpec* s, const char* name);

// Should mjs_attach copy the child (1) or move it (0, from the start)? Returns 0.
MJAPI int mjs_setDeepCopy(mjSpec* s, int deepcopy);

// editable model: bodies and what they hold

// Adds a body, joint, ... to a body. It starts from a default class, if def is NULL from the body's
// childclass, else from the main class. Returns NULL on failure.
MJAPI mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def);
MJAPI mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def);
MJAPI mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def);
MJAPI mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def);
MJAPI mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def);
MJAPI mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def);

// Adds a free joint, untouched by default classes.
MJAPI mjsJoint* mjs_addFreeJoint(mjsBody* body);

// Adds a frame to a body, inside another frame of the same body (NULL: none).
MJAPI mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe);

// Puts a body, a frame or a whole model under a frame, body or site of another model (or, with deep
// copy, of the same). Every name gets prefix and suffix. Actuators, sensors, ... that refer to the
// attached part come along, so do all assets. Returns the attached body or frame; NULL on failure.
MJAPI mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                             const char* suffix);

// Removes an element with all it holds. Removing a body also removes what no longer has a meaning
// without it (actuators, sensors, ...). Returns 0, -1 on failure.
MJAPI int mjs_delete(mjSpec* spec, mjsElement* element);

// Turns a body into a frame of its parent, to which all it holds moves, and sets *body to NULL.
// Returns NULL on failure.
MJAPI mjsFrame* mjs_bodyToFrame(mjsBody** body);

// editable model: everything else

// Adds an element outside the body tree. Where there is a default class, NULL is the main class.
MJAPI mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def);
MJAPI mjsSensor* mjs_addSensor(mjSpec* s);
MJAPI mjsFlex* mjs_addFlex(mjSpec* s);
MJAPI mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def);
MJAPI mjsExclude* mjs_addExclude(mjSpec* s);
MJAPI mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def);
MJAPI mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def);
MJAPI mjsNumeric* mjs_addNumeric(mjSpec* s);
MJAPI mjsText* mjs_addText(mjSpec* s);
MJAPI mjsTuple* mjs_addTuple(mjSpec* s);
MJAPI mjsKey* mjs_addKey(mjSpec* s);
MJAPI mjsPlugin* mjs_addPlugin(mjSpec* s);
MJAPI mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def);
MJAPI mjsHField* mjs_addHField(mjSpec* s);
MJAPI mjsSkin* mjs_addSkin(mjSpec* s);
MJAPI mjsTexture* mjs_addTexture(mjSpec* s);
MJAPI mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def);

// Writes vertices, normals and faces of a generated shape into a mesh. Returns 0, -1 if the
// parameters are wrong (mjs_getError tells why), 1 if there is no such shape.
MJAPI int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams);

// Adds a default class: a copy of parent (NULL: main) as it is now. NULL if the name exists.
MJAPI mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent);

// Adds a station to a tendon's path: through a site, around a geom (sidesite: NULL or the side to
// pass on), a joint with its coefficient, a pulley with its divisor.
MJAPI mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name);
MJAPI mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite);
MJAPI mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef);
MJAPI mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor);

// Sets an actuator's parameters to those of a simple kind. Returns "" or what is wrong. Arguments
// in arrays may be NULL: not given.
MJAPI const char* mjs_setToMotor(mjsActuator* actuator);
MJAPI const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1],
                                    double dampratio[1], double timeconst[1], double inheritrange);
MJAPI const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1],
                                       double dampratio[1], double timeconst[1],
                                       double inheritrange);
MJAPI const char* mjs_setToVelocity(mjsActuator* actuator, double kv);
MJAPI const char* mjs_setToDamper(mjsActuator* actuator, double kv);
MJAPI const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias,
                                    double area, double diameter);
MJAPI const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth,
                                  double range[2], double force, double scale, double lmin,
                                  double lmax, double vmax, double fpmax, double fvmax);
MJAPI const char* mjs_setToAdhesion(mjsActuator* actuator, double gain);

// editable model: finding

// The spec of an element; a spec attached to this one (or this one) by its model name.
MJAPI mjSpec* mjs_getSpec(mjsElement* element);
MJAPI mjSpec* mjs_findSpec(mjSpec* spec, const char* name);

// An element by name; NULL if there is none.
MJAPI mjsBody* mjs_findBody(mjSpec* s, const char* name);
MJAPI mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name);
MJAPI mjsFrame* mjs_findFrame(mjSpec* s, const char* name);
MJAPI mjsDefault* mjs_findDefault(mjSpec* s, const char* classname);

// A body by name in the subtree of a body, itself included; NULL if there is none.
MJAPI mjsBody* mjs_findChild(mjsBody* body, const char* name);

// The body and the frame around an element; NULL if there is none.
MJAPI mjsBody* mjs_getParent(mjsElement* element);
MJAPI mjsFrame* mjs_getFrame(mjsElement* element);

// The default class of an element (NULL if its type has none), and the main class.
MJAPI mjsDefault* mjs_getDefault(mjsElement* element);
MJAPI mjsDefault* mjs_getSpecDefault(mjSpec* s);

// Index in the compiled model; -1 before an element of a body is first compiled.
MJAPI int mjs_getId(mjsElement* element);

// First element of a type in a body, and the one after child, which has the same type; recurse:
// also in the bodies below. NULL at the end.
MJAPI mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse);
MJAPI mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse);

// First element of a type in the order of a compiled model, and the one after it; NULL at the end.
MJAPI mjsElement* mjs_firstElement(mjSpec* s, mjtObj type);
MJAPI mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element);

// editable model: names, texts, arrays

// Sets the name of an element. Returns -1 if another one of its type has it, or memory is out.
MJAPI int mjs_setName(mjsElement* element, const char* name);
MJAPI mjString* mjs_getName(mjsElement* element);

// Replace the content of texts and arrays by copies; mjs_setStringVec splits text at blanks. If memory
// is out they warn and change nothing.
MJAPI void mjs_setBuffer(mjByteVec* dest, const void* array, int size);
MJAPI void mjs_setString(mjString* dest, const char* text);
MJAPI void mjs_setStringVec(mjStringVec* dest, const char* text);
MJAPI mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text);
MJAPI void mjs_setInt(mjIntVec* dest, const int* array, int size);
MJAPI void mjs_setFloat(mjFloatVec* dest, const float* array, int size);
MJAPI void mjs_setDouble(mjDoubleVec* dest, const double* array, int size);

// Append one item.
MJAPI void mjs_appendString(mjStringVec* dest, const char* text);
MJAPI void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size);
MJAPI void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size);

// The content of texts and arrays, valid until they change. size: may be NULL.
MJAPI const char* mjs_getString(const mjString* source);
MJAPI const double* mjs_getDouble(const mjDoubleVec* source, int* size);

// Records another default class for an element; its values stay.
MJAPI void mjs_setDefault(mjsElement* element, const mjsDefault* def);

// Moves an element into a frame of its body. Returns 0, -1 on failure.
MJAPI int mjs_setFrame(mjsElement* dest, mjsFrame* frame);

// Turns an alternative orientation into a quaternion; quat stays if none is given. degree: angles
// are in degrees; sequence: axes of Euler angles. Returns NULL or what is wrong.
MJAPI const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                         const mjsOrientation* orientation);

// A pointer of the user's under a key. cleanup is called with it when it is replaced, deleted, or
// the element goes. mjs_getUserValue is NULL if the key is unknown.
MJAPI void mjs_setUserValue(mjsElement* element, const char* key, const void* data);
MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data,
                                       void (*cleanup)(const void*));
MJAPI const void* mjs_getUserValue(mjsElement* element, const char* key);
MJAPI void mjs_deleteUserValue(mjsElement* element, const char* key);

// Numbers a sensor will give; 0 if only compiling can tell.
MJAPI int mjs_sensorDim(const mjsSensor* sensor);

// editable model: defaults

// Set a struct to what its type starts from; its texts and arrays become NULL.
MJAPI void mjs_defaultSpec(mjSpec* spec);
MJAPI void mjs_defaultOrientation(mjsOrientation* orient);
MJAPI void mjs_defaultBody(mjsBody* body);
MJAPI void mjs_defaultFrame(mjsFrame* frame);
MJAPI void mjs_defaultJoint(mjsJoint* joint);
MJAPI void mjs_defaultGeom(mjsGeom* geom);
MJAPI void mjs_defaultSite(mjsSite* site);
MJAPI void mjs_defaultCamera(mjsCamera* camera);
MJAPI void mjs_defaultLight(mjsLight* light);
MJAPI void mjs_defaultFlex(mjsFlex* flex);
MJAPI void mjs_defaultMesh(mjsMesh* mesh);
MJAPI void mjs_defaultHField(mjsHField* hfield);
MJAPI void mjs_defaultSkin(mjsSkin* skin);
MJAPI void mjs_defaultTexture(mjsTexture* texture);
MJAPI void mjs_defaultMaterial(mjsMaterial* material);
MJAPI void mjs_defaultPair(mjsPair* pair);
MJAPI void mjs_defaultEquality(mjsEquality* equality);
MJAPI void mjs_defaultTendon(mjsTendon* tendon);
MJAPI void mjs_defaultActuator(mjsActuator* actuator);
MJAPI void mjs_defaultSensor(mjsSensor* sensor);
MJAPI void mjs_defaultNumeric(mjsNumeric* numeric);
MJAPI void mjs_defaultText(mjsText* text);
MJAPI void mjs_defaultTuple(mjsTuple* tuple);
MJAPI void mjs_defaultKey(mjsKey* key);
MJAPI void mjs_defaultPlugin(mjsPlugin* plugin);

// editable model: from handles to structs

// The struct of an element; NULL if it is of another type.
MJAPI mjsBody* mjs_asBody(mjsElement* element);
MJAPI mjsGeom* mjs_asGeom(mjsElement* element);
MJAPI mjsJoint* mjs_asJoint(mjsElement* element);
MJAPI mjsSite* mjs_asSite(mjsElement* element);
MJAPI mjsCamera* mjs_asCamera(mjsElement* element);
MJAPI mjsLight* mjs_asLight(mjsElement* element);
MJAPI mjsFrame* mjs_asFrame(mjsElement* element);
MJAPI mjsActuator* mjs_asActuator(mjsElement* element);
MJAPI mjsSensor* mjs_asSensor(mjsElement* element);
MJAPI mjsFlex* mjs_asFlex(mjsElement* element);
MJAPI mjsPair* mjs_asPair(mjsElement* element);
MJAPI mjsEquality* mjs_asEquality(mjsElement* element);
MJAPI mjsExclude* mjs_asExclude(mjsElement* element);
MJAPI mjsTendon* mjs_asTendon(mjsElement* element);
MJAPI mjsNumeric* mjs_asNumeric(mjsElement* element);
MJAPI mjsText* mjs_asText(mjsElement* element);
MJAPI mjsTuple* mjs_asTuple(mjsElement* element);
MJAPI mjsKey* mjs_asKey(mjsElement* element);
MJAPI mjsMesh* mjs_asMesh(mjsElement* element);
MJAPI mjsHField* mjs_asHField(mjsElement* element);
MJAPI mjsSkin* mjs_asSkin(mjsElement* element);
MJAPI mjsTexture* mjs_asTexture(mjsElement* element);
MJAPI mjsMaterial* mjs_asMaterial(mjsElement* element);
MJAPI mjsPlugin* mjs_asPlugin(mjsElement* element);

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

// Copies src to dest, which must have the same sizes; makes a new model if dest is NULL. Returns
// it, or NULL with a warning if memory is out.
MJAPI mjModel* mj_copyModel(mjModel* dest, const mjModel* src);

// Frees a model; NULL is fine.
MJAPI void mj_deleteModel(mjModel* m);

// Bytes that the model takes in the binary format.
MJAPI int mj_sizeModel(const mjModel* m);

// Writes the model in the binary format: to buffer (buffer_sz bytes, at least mj_sizeModel) if it
// is not NULL, else to a file.
MJAPI void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz);

// Reads a model in the binary format. Returns NULL with a warning if the file is not one that this
// library could have written. vfs may be NULL. Free with mj_deleteModel.
MJAPI mjModel* mj_loadModel(const char* filename, const mjVFS* vfs);

// Writes all of a model as text to a file, NULL for standard output.
MJAPI void mj_printModel(const mjModel* m, const char* filename);

// The same with a format for reals, e.g. "%.17g".
MJAPI void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format);

// Writes all of the data of a simulation as text to a file, NULL for standard output.
MJAPI void mj_printData(const mjModel* m, const mjData* d, const char* filename);

// The same with a format for reals.
MJAPI void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                                 const char* float_format);

// Writes the grammar of MJCF, as text or (flg_html) as an HTML table, to a file and to buffer, as
// far as it has room; either may be NULL. flg_pad: indentation in HTML by style, not by blanks.
// Returns the length of the text.
MJAPI int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html,
                         int flg_pad);

// Makes the data of a simulation of m, in the state after a reset; NULL, with a warning, if memory
// is out.
MJAPI mjData* mj_makeData(const mjModel* m);

// Copies src to dest, made for the same model; makes new data if dest is NULL. The stack of src
// must be empty. Returns the copy, or NULL with a warning if memory is out.
MJAPI mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src);

// Frees the data of a simulation; NULL is fine.
MJAPI void mj_deleteData(mjData* d);

// Sets the state to qpos0, everything else to zero.
MJAPI void mj_resetData(const mjModel* m, mjData* d);

// The same, but fills whatever is not state or input with a byte, to make the use of stale results
// visible.
MJAPI void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value);

// Resets, then takes the state of a keyframe; any other number than 0 <= key < nkey only resets.
MJAPI void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key);

// Copies the state to keyframe k.
MJAPI void mj_setKeyframe(mjModel* m, const mjData* d, int k);

// Length of a state vector; sig combines bits of mjtState.
MJAPI int mj_stateSize(const mjModel* m, unsigned int sig);

// Gathers parts of the state, in the order of the bits of mjtState.
MJAPI void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig);

// Scatters what mj_getState gathered.
MJAPI void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig);

// Recomputes all constants of m that follow from others at qpos0; d is working memory and ends up
// at qpos_spring. To be called after a change of masses, sizes, poses or qpos0. Memory that is out
// is an error (mju_error).
MJAPI void mj_setConst(mjModel* m, mjData* d);

// Finds the lengths between which an actuator can move, by pulling at it in a simulation with the
// options of m, and writes actuator_lengthrange. Returns 1, or 0 with the reason in error.
MJAPI int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error,
                            int error_sz);

// stack of temporaries

// Opens a frame on the stack of d.
MJAPI void mj_markStack(mjData* d);

// Gives back all that was taken since the last mj_markStack.
MJAPI void mj_freeStack(mjData* d);

// Takes memory of the stack, aligned to a power of two. NULL for 0 bytes; a full stack is an error.
MJAPI void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment);

// Takes an array of numbers of the stack.
MJAPI mjtNum* mj_stackAllocNum(mjData* d, size_t size);

// Takes an array of integers of the stack.
MJAPI int* mj_stackAllocInt(mjData* d, size_t size);

// simulation

// One step in time: forward dynamics, then integration. Calls mjcb_control.
MJAPI void mj_step(const mjModel* m, mjData* d);

// The first half of a step, up to what depends on velocity; afterwards the user sets controls.
MJAPI void mj_step1(const mjModel* m, mjData* d);

// The second half of a step: actuation, acceleration, integration (never Runge-Kutta).
MJAPI void mj_step2(const mjModel* m, mjData* d);

// Forward dynamics: acceleration and everything else that follows from state and inputs.
MJAPI void mj_forward(const mjModel* m, mjData* d);

// Inverse dynamics: from qacc to qfrc_inverse.
MJAPI void mj_inverse(const mjModel* m, mjData* d);

// Forward dynamics, leaving out stages up to skipstage (mjtStage), whose results are still valid,
// and sensors and energy if skipsensor is set.
MJAPI void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// Inverse dynamics with the same shortcuts.
MJAPI void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// stages

// All that depends on position: kinematics, inertia, collision, constraint rows.
MJAPI void mj_fwdPosition(const mjModel* m, mjData* d);

// All that depends on velocity: velocities, passive forces, bias, reference accelerations.
MJAPI void mj_fwdVelocity(const mjModel* m, mjData* d);

// Actuator forces and qfrc_actuator.
MJAPI void mj_fwdActuation(const mjModel* m, mjData* d);

// qfrc_smooth and qacc_smooth: motion without constraints.
MJAPI void mj_fwdAcceleration(const mjModel* m, mjData* d);

// Constraint forces and qacc.
MJAPI void mj_fwdConstraint(const mjModel* m, mjData* d);

// Integrates one step, semi-implicit Euler.
MJAPI void mj_Euler(const mjModel* m, mjData* d);

// Integrates one step, Runge-Kutta of order N (4).
MJAPI void mj_RungeKutta(const mjModel* m, mjData* d, int N);

// Integrates one step, implicit in velocity (both kinds).
MJAPI void mj_implicit(const mjModel* m, mjData* d);

// The parts of mj_inverse.
MJAPI void mj_invPosition(const mjModel* m, mjData* d);
MJAPI void mj_invVelocity(const mjModel* m, mjData* d);
MJAPI void mj_invConstraint(const mjModel* m, mjData* d);

// Runs inverse dynamics after forward dynamics and stores their disagreement in solver_fwdinv.
MJAPI void mj_compareFwdInv(const mjModel* m, mjData* d);

// Potential energy into energy[0]: gravity and springs.
MJAPI void mj_energyPos(const mjModel* m, mjData* d);

// Kinetic energy into energy[1].
MJAPI void mj_energyVel(const mjModel* m, mjData* d);

// Look for nan or huge numbers in qpos, qvel, qacc; warn and, unless disabled, reset. After a reset
// mj_checkAcc also runs forward dynamics.
MJAPI void mj_checkPos(const mjModel* m, mjData* d);
MJAPI void mj_checkVel(const mjModel* m, mjData* d);
MJAPI void mj_checkAcc(const mjModel* m, mjData* d);

// Poses of bodies, joints, geoms and sites from qpos.
MJAPI void mj_kinematics(const mjModel* m, mjData* d);

// Centers of mass of subtrees; inertias and motion axes about them.
MJAPI void mj_comPos(const mjModel* m, mjData* d);

// Poses of cameras and lights.
MJAPI void mj_camlight(const mjModel* m, mjData* d);

// Paths, lengths and moment arms of tendons.
MJAPI void mj_tendon(const mjModel* m, mjData* d);

// Lengths and moments of actuators.
MJAPI void mj_transmission(const mjModel* m, mjData* d);

// Inertia matrix qM by composite bodies.
MJAPI void mj_crb(const mjModel* m, mjData* d);

// The whole inertia matrix: composite bodies, tendon armature, and its compressed form M.
MJAPI void mj_makeM(const mjModel* m, mjData* d);

// Factors M = L'DL without fill-in.
MJAPI void mj_factorM(const mjModel* m, mjData* d);

// x = inv(M) y for n row vectors of length nv; x and y may be the same.
MJAPI void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n);

// x = sqrt(inv(D)) inv(L') y for n row vectors; sqrtInvD has length nv.
MJAPI void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y,
                      const mjtNum* sqrtInvD, int n);

// Velocities of bodies and rates of motion axes.
MJAPI void mj_comVel(const mjModel* m, mjData* d);

// Passive forces: springs, dampers, gravity compensation, medium.
MJAPI void mj_passive(const mjModel* m, mjData* d);

// Velocities and angular momenta of subtrees.
MJAPI void mj_subtreeVel(const mjModel* m, mjData* d);

// result[nv] = M qacc + bias by recursive Newton-Euler; without the first term if flg_acc is 0.
MJAPI void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);

// Accelerations of bodies and the forces between them, after the constraints are solved.
MJAPI void mj_rnePostConstraint(const mjModel* m, mjData* d);

// Contacts.
MJAPI void mj_collision(const mjModel* m, mjData* d);

// Constraint rows of equalities, friction loss, limits and contacts.
MJAPI void mj_makeConstraint(const mjModel* m, mjData* d);

// Constraint islands.
MJAPI void mj_island(const mjModel* m, mjData* d);

// The rows in force space (efc_AR), for solvers that need them.
MJAPI void mj_projectConstraint(const mjModel* m, mjData* d);

// Velocities and reference accelerations of the rows.
MJAPI void mj_referenceConstraint(const mjModel* m, mjData* d);

// States and forces of the rows and qfrc_constraint, from jar[nefc] = J qacc - efc_aref. Writes the
// cost to cost unless NULL, and the Hessians of elliptic contacts if flg_coneHessian is set.
MJAPI void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                               int flg_coneHessian);

// questions

// Evaluates the sensors of the stages position, velocity and acceleration, into sensordata. Those
// of the velocity stage compute the velocities of subtrees, those of the acceleration stage cacc,
// cfrc_int and cfrc_ext, each if a sensor needs them.
MJAPI void mj_sensorPos(const mjModel* m, mjData* d);
MJAPI void mj_sensorVel(const mjModel* m, mjData* d);
MJAPI void mj_sensorAcc(const mjModel* m, mjData* d);

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

// The version of the interface: 337.
MJAPI int mj_version(void);

// The same as text: "3.3.7".
MJAPI const char* mj_versionString(void);

// support functions

// Appends a contact and drops the constraint rows. Returns 1 with a warning if memory is out, else
// 0.
MJAPI int mj_addContact(const mjModel* m, mjData* d, const mjContact* con);

// res[nefc] = J vec[nv], J dense or sparse as it is.
MJAPI void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// res[nv] = J' vec[nefc].
MJAPI void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Jacobians (3 x nv) of a point fixed to a body, given in the world frame: translation jacp,
// rotation jacr; either may be NULL.
MJAPI void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                  const mjtNum point[3], int body);

// The same at the origin of the body frame.
MJAPI void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// The same at the body's center of mass.
MJAPI void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// Jacobian (3 x nv) of the center of mass of a subtree.
MJAPI void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body);

// Jacobians at the center of a geom; either may be NULL.
MJAPI void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom);

// Jacobians at a site; either may be NULL.
MJAPI void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site);

// Jacobians (3 x nv) of a point and of a direction fixed to a body; either may be NULL.
MJAPI void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis,
                           const mjtNum point[3], const mjtNum axis[3], int body);

// Time derivatives of the Jacobians of mj_jac; either may be NULL.
MJAPI void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr,
                     const mjtNum point[3], int body);

// The matrix (3 x nv) that maps qvel to the angular momentum of a subtree about its center of mass.
MJAPI void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body);

// dst (nv x nv) = the full inertia matrix from M given in the layout of mjData.qM.
MJAPI void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M);

// res[nv] = M vec[nv].
MJAPI void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// res[nv] = sqrt(D) L vec[nv], whose squared norm is vec' M vec.
MJAPI void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Adds M to dst: sparse rows if the three patterns are given (room for the union is needed), else
// the lower triangle of a dense matrix.
MJAPI void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind);

// Adds to qfrc_target[nv] what a force and a torque, given in the world frame, do at a point of a
// body; either may be NULL.
MJAPI void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                      const mjtNum point[3], int body, mjtNum* qfrc_target);

// Velocity (angular rad/s, linear m/s) of an object at its origin, in its own axes if flg_local,
// else in world axes. objtype: body (at its center of mass), xbody, geom, site or camera; others
// are an error. Zero for what is fixed to the world.
MJAPI void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid,
                             mjtNum res[6], int flg_local);

// Acceleration likewise, gravity subtracted. Needs mj_rnePostConstraint.
MJAPI void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid,
                                 mjtNum res[6], int flg_local);

// Force (N) and torque (N m) of contact id in its frame, acting on the second object; zeros if
// there is no such contact or it has no constraint rows.
MJAPI void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]);

// Signed distance of two geoms if it is less than distmax, else distmax. fromto, which may be NULL,
// is the shortest segment from surface to surface; zeros if there is none. Uses the stack of d, so
// not from two threads at once.
MJAPI mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2,
                             mjtNum distmax, mjtNum fromto[6]);

// Where the ray pnt + x vec first meets a geom: the smallest x >= 0, -1 if it meets none. It passes
// through geoms that are drawn fully transparent, those of body bodyexclude (-1: none), those of
// groups whose geomgroup is 0 (NULL: all groups count) and, without flg_static, what can't move.
// geomid, which may be NULL, becomes the geom that is hit, or -1.
MJAPI mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                    const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1]);

// The same for one primitive shape (mjtGeom) with a pose and a size.
MJAPI mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                         const mjtNum pnt[3], const mjtNum vec[3], int geomtype);

// qvel[nv] that leads from qpos1[nq] to qpos2[nq] in time dt (s); turns go the shorter way.
MJAPI void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1,
                               const mjtNum* qpos2);

// Moves qpos[nq] along qvel[nv] for the time dt (s).
MJAPI void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt);

// Makes every quaternion in qpos[nq] a unit quaternion.
MJAPI void mj_normalizeQuat(const mjModel* m, mjtNum* qpos);

// From the frame of a body to the world: position xpos and matrix xmat of a frame at (pos, quat).
// sameframe (mjtSameFrame) tells which products can be left out. xpos or xmat may be NULL, and then
// pos or quat.
MJAPI void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                           const mjtNum quat[4], int body, mjtByte sameframe);

// errors and memory

// Reports a fatal error, formatted like printf, at most 1024 bytes: to mju_user_error if set, else
// to the log and the screen, after which the program ends.
MJAPI void mju_error(const char* msg, ...) mjPRINTFLIKE(1, 2);

// The same with one integer or one string; mju_error is enough.
MJAPI void mju_error_i(const char* msg, int i);
MJAPI void mju_error_s(const char* msg, const char* text);

// Reports a warning likewise and returns.
MJAPI void mju_warning(const char* msg, ...) mjPRINTFLIKE(1, 2);

// The same with one integer or one string; mju_warning is enough.
MJAPI void mju_warning_i(const char* msg, int i);
MJAPI void mju_warning_s(const char* msg, const char* text);

// Takes back all user hooks for errors, warnings and memory.
MJAPI void mju_clearHandlers(void);

// Memory aligned to 64 bytes; running out is an error.
MJAPI void* mju_malloc(size_t size);

// Gives it back; NULL is fine.
MJAPI void mju_free(void* ptr);

// Counts a warning (mjtWarning) in d and reports the first of its kind. info: an index or a size.
MJAPI void mj_warning(mjData* d, int warning, int info);

// The text of a warning; valid until the next call in the same thread.
MJAPI const char* mju_warningText(int warning, size_t info);

// Appends date, type and message to the file MUJOCO_LOG.TXT in the working directory.
MJAPI void mju_writeLog(const char* type, const char* msg);

// elementary functions

#ifndef mjUSESINGLE
#define mju_sqrt sqrt
#define mju_exp exp
#define mju_sin sin
#define mju_cos cos
#define mju_tan tan
#define mju_asin asin
#define mju_acos acos
#define mju_atan2 atan2
#define mju_tanh tanh
#define mju_pow pow
#define mju_abs fabs
#define mju_log log
#define mju_log10 log10
#define mju_floor floor
#define mju_ceil ceil
#else
#define mju_sqrt sqrtf
#define mju_exp expf
#define mju_sin sinf
#define mju_cos cosf
#define mju_tan tanf
#define mju_asin asinf
#define mju_acos acosf
#define mju_atan2 atan2f
#define mju_tanh tanhf
#define mju_pow powf
#define mju_abs fabsf
#define mju_log logf
#define mju_log10 log10f
#define mju_floor floorf
#define mju_ceil ceilf
#endif

// 3-vectors

MJAPI void mju_zero3(mjtNum res[3]);                                             // res = 0
MJAPI void mju_copy3(mjtNum res[3], const mjtNum data[3]);                       // res = data
MJAPI void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);             // res = vec scl
MJAPI void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);  // vec1 + vec2
MJAPI void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);  // vec1 - vec2
MJAPI void mju_addTo3(mjtNum res[3], const mjtNum vec[3]);                       // res += vec
MJAPI void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]);                     // res -= vec
MJAPI void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);        // res += vec scl

// res = vec1 + vec2 scl.
MJAPI void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl);

// Makes vec a unit vector and returns its length before; (1, 0, 0) if that is below mjMINVAL.
MJAPI mjtNum mju_normalize3(mjtNum vec[3]);

// Length of vec.
MJAPI mjtNum mju_norm3(const mjtNum vec[3]);

// vec1' vec2.
MJAPI mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]);

// Distance of two points.
MJAPI mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]);

// res = mat vec.
MJAPI void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = mat' vec.
MJAPI void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = a x b.
MJAPI void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]);

// 4-vectors

MJAPI void mju_zero4(mjtNum res[4]);                        // res = 0
MJAPI void mju_unit4(mjtNum res[4]);                        // res = (1, 0, 0, 0)
MJAPI void mju_copy4(mjtNum res[4], const mjtNum data[4]);  // res = data

// Makes vec a unit vector and returns its length before; (1, 0, 0, 0) if that is below mjMINVAL. A
// unit vector is left as it is, to the bit.
MJAPI mjtNum mju_normalize4(mjtNum vec[4]);

// vectors of any length

MJAPI void mju_zero(mjtNum* res, int n);                                // res = 0
MJAPI void mju_fill(mjtNum* res, mjtNum val, int n);                    // res = val everywhere
MJAPI void mju_copy(mjtNum* res, const mjtNum* vec, int n);             // res = vec
MJAPI mjtNum mju_sum(const mjtNum* vec, int n);                         // sum of entries
MJAPI mjtNum mju_L1(const mjtNum* vec, int n);                          // sum of magnitudes
MJAPI void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);  // res = vec scl
MJAPI void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);  // vec1 + vec2
MJAPI void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);  // vec1 - vec2
MJAPI void mju_addTo(mjtNum* res, const mjtNum* vec, int n);                     // res += vec
MJAPI void mju_subFrom(mjtNum* res, const mjtNum* vec, int n);                   // res -= vec
MJAPI void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);      // res += vec scl

// res = vec1 + vec2 scl.
MJAPI void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n);

// Makes res a unit vector and returns its length before; (1, 0, ...) if that is below mjMINVAL.
MJAPI mjtNum mju_normalize(mjtNum* res, int n);

// Length of the vector.
MJAPI mjtNum mju_norm(const mjtNum* res, int n);

// vec1' vec2.
MJAPI mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n);

// dense matrices

// res[nr] = mat (nr x nc) vec[nc].
MJAPI void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// res[nc] = mat' vec[nr], mat is nr x nc.
MJAPI void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// vec1' mat vec2, mat is n x n.
MJAPI mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n);

// res (nc x nr) = mat', mat is nr x nc.
MJAPI void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc);

// res = (mat + mat') / 2, n x n.
MJAPI void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n);

// mat = identity, n x n.
MJAPI void mju_eye(mjtNum* mat, int n);

// res (r1 x c2) = mat1 (r1 x c1) mat2 (c1 x c2).
MJAPI void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                         int c2);

// res (r1 x r2) = mat1 (r1 x c1) mat2', mat2 is r2 x c1.
MJAPI void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                          int r2);

// res (c1 x c2) = mat1' mat2, mat1 is r1 x c1, mat2 is r1 x c2.
MJAPI void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                          int c2);

// res (nc x nc) = mat' diag mat, mat is nr x nc; NULL stands for diag = 1.
MJAPI void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc);

// A 6D motion (flg_force 0) or force (1) about oldpos, expressed about newpos and, unless
// rotnew2old is NULL, in the axes that rotnew2old maps to the old ones.
MJAPI void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force,
                                const mjtNum newpos[3], const mjtNum oldpos[3],
                                const mjtNum rotnew2old[9]);

// sparse matrices

// Compressed rows of a dense matrix (nr x nc): row r holds rownnz[r] numbers and their columns,
// ascending, from rowadr[r] on. res and colind have room for nnz. Returns 0, or 1 if more is needed
// or nnz is not positive.
MJAPI int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                           int* colind, int nnz);

// The dense matrix (nr x nc) of compressed rows.
MJAPI void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                            const int* rowadr, const int* colind);

// quaternions

// res = vec rotated by the unit quaternion quat.
MJAPI void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]);

// res = conjugate: the inverse rotation.
MJAPI void mju_negQuat(mjtNum res[4], const mjtNum quat[4]);

// res = quat1 quat2: first quat2, then quat1.
MJAPI void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]);

// res = quat (0, axis).
MJAPI void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]);

// Rotation by an angle (rad) about a unit axis.
MJAPI void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle);

// The angular velocity (rad/s) that reaches rotation quat, of any length, in time dt (s) by the
// shorter way: the angle is in (-pi, pi].
MJAPI void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt);

// The rotation vector from qb to qa, in the axes of qb: qb exp(res) = qa.
MJAPI void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]);

// Rotation matrix of a quaternion; for one of length s it is s^2 times a rotation.
MJAPI void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]);

// Unit quaternion of a rotation matrix; of the two, the one whose w (if the trace is positive) or
// whose largest of x, y and z is positive.
MJAPI void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]);

// Rate (1/s) of a quaternion turning with vel (rad/s), in world axes.
MJAPI void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]);

// Makes quat a unit quaternion and turns it with vel (rad/s), in its own axes, for the time scale
// (s).
MJAPI void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale);

// Derivatives (3 x 3) of mju_subQuat by small rotations of qa and of qb, each in its own axes;
// either may be NULL. Db = -Da'.
MJAPI void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]);

// Derivatives of the quaternion that mju_quatIntegrate makes, as a small rotation in its own axes:
// by a small rotation of quat in its own axes (Dquat, 3 x 3), by scale*vel (Dvel, 3 x 3), by scale
// (Dscale). Each may be NULL.
MJAPI void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9],
                             mjtNum Dscale[3]);

// The smallest rotation that takes the z-axis to the direction of vec: none for a zero vector, the
// half turn about x for the opposite direction.
MJAPI void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]);

// Turns the unit quaternion quat to the rotation nearest to mat = rotation * symmetric positive, to
// 1e-9 rad, in at most 500 iterations. Returns their number.
MJAPI int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]);

// Three rotations (rad) about the axes of seq: three letters of xyz (moving axes) and XYZ (fixed
// axes); any other text is an error.
MJAPI void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq);

// poses

// (posres, quatres) = pose 1 after pose 2: a point x goes to pose1(pose2(x)). quatres has unit
// length.
MJAPI void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3],
                       const mjtNum quat1[4], const mjtNum pos2[3], const mjtNum quat2[4]);

// The inverse of a pose.
MJAPI void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3],
                       const mjtNum quat[4]);

// res = pos + quat applied to vec.
MJAPI void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4],
                          const mjtNum vec[3]);

// factorizations

// mat = L L' in place, lower triangle, n x n. Pivots below mindiag become mindiag; returns n minus
// their number.
MJAPI int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag);

// res[n] = inv(L L') vec[n]; mat (n x n) holds L. res may be vec.
MJAPI void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n);

// L becomes the factor of L L' + x x' (flg_plus) or minus, n x n; destroys x[n]. Squared pivots
// below mjMINVAL become mjMINVAL; returns n minus their number.
MJAPI int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus);

// Factors a symmetric matrix of ntotal - ndense rows within a band (nband entries up to the
// diagonal, each) and ndense full rows (ntotal entries each), in place; diag becomes diag (1 +
// diagmul) + diagadd first. Returns the smallest squared pivot; 0, the matrix half done, if one is
// below mjMINVAL.
MJAPI mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                                mjtNum diagmul);

// res[ntotal] = inv(L L') vec[ntotal] for such a factor. res may be vec.
MJAPI void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal,
                             int nband, int ndense);

// Such a matrix as a dense one (ntotal x ntotal); flg_sym mirrors it to the upper triangle, which
// is zero else.
MJAPI void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense,
                          mjtByte flg_sym);

// The lower triangle of a dense matrix in banded form.
MJAPI void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense);

// res = mat vec for nvec vectors of ntotal numbers one after the other; flg_sym counts the upper
// triangle too.
MJAPI void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal,
                             int nband, int ndense, int nvec, mjtByte flg_sym);

// Where diagonal entry i stands in banded form.
MJAPI int mju_bandDiag(int i, int ntotal, int nband, int ndense);

// Eigenvalues (falling) and eigenvectors (columns, right-handed) of a symmetric matrix, and the
// eigenvectors as a rotation. Returns the number of Jacobi steps, at most 500.
MJAPI int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]);

// Minimizes x'Hx/2 + x'g within bounds, starting at res. Returns the number of free variables at
// the solution, -1 if H restricted to free variables is not positive definite. A size below 1 or a
// lower bound that is not below the upper one is an error.
//   in:  H (n x n, positive definite), g[n], lower[n], upper[n] (either may be NULL)
//   out: res[n]; R, lower Cholesky factor of the free part, room for n*(n+7);
//        index[n], the free variables (may be NULL)
MJAPI int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
                    const mjtNum* lower, const mjtNum* upper);

// Allocates the arrays of mju_boxQP by mju_malloc, to be freed by mju_free; index, lower, upper:
// may be NULL.
MJAPI void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                           mjtNum** lower, mjtNum** upper);

// miscellaneous

// Active force (N, negative: it pulls) of a muscle at full activation, at a length (m) and a
// velocity (m/s) of its actuator whose lengths have the range lengthrange. acc0: acceleration by
// unit force.
// prm = (range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax).
MJAPI mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                            const mjtNum prm[9]);

// Passive force (N, negative: it pulls) of a muscle; all else as above.
MJAPI mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                            const mjtNum prm[9]);

// Activation rate (1/s) of a muscle with activation act, driven by ctrl, which is clipped to [0,
// 1].
// prm = (time constant up, time constant down, width of controls in which one blends into the
// other).
MJAPI mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]);

// From a contact force (dim >= 2 numbers, normal first) to forces on the 2*(dim-1) edges of its
// pyramid with friction coefficients mu[dim-1]; positive tangential forces are cut to what it
// holds.
MJAPI void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim);

// From forces on the edges to the contact force; without friction (dim 1) both are one number.
MJAPI void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim);

// Position after the time dt of a unit mass on a spring Kp and a damper Kv, from pos0 and vel0.
MJAPI mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt);

MJAPI mjtNum mju_min(mjtNum a, mjtNum b);                 // the smaller one
MJAPI mjtNum mju_max(mjtNum a, mjtNum b);                 // the larger one
MJAPI mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max);  // x moved into [min, max]
MJAPI mjtNum mju_sign(mjtNum x);                          // 1, 0 or -1
MJAPI int mju_round(mjtNum x);                            // nearest integer, halves up
MJAPI int mju_isBad(mjtNum x);                            // 1 if nan or beyond mjMAXVAL
MJAPI int mju_isZero(const mjtNum* vec, int n);           // 1 if all entries are 0

// Name of a kind of object (mjtObj) and back; NULL and mjOBJ_UNKNOWN if there is none.
MJAPI const char* mju_type2Str(int type);
MJAPI int mju_str2Type(const char* str);

// A number of bytes as text in the largest of the units K, M, G, T, P, E of which it is a whole
// multiple; valid until the next call in the same thread.
MJAPI const char* mju_writeNumBytes(size_t nbytes);

// Two independent standard normal random numbers; num2 may be NULL. Uses rand().
MJAPI mjtNum mju_standardNormal(mjtNum* num2);

// Copies between number types.
MJAPI void mju_f2n(mjtNum* res, const float* vec, int n);
MJAPI void mju_n2f(float* res, const mjtNum* vec, int n);
MJAPI void mju_d2n(mjtNum* res, const double* vec, int n);
MJAPI void mju_n2d(double* res, const mjtNum* vec, int n);

// Sort upwards; fast for short or nearly sorted lists.
MJAPI void mju_insertionSort(mjtNum* list, int n);
MJAPI void mju_insertionSortInt(int* list, int n);

// Element of the Halton sequence with a prime base: in (0, 1), 0 for index <= 0.
MJAPI mjtNum mju_Halton(int index, int base);

// Copies at most n - 1 bytes and fills up with 0. Returns dst; nothing happens if a pointer is NULL
// or n is not positive.
MJAPI char* mju_strncpy(char* dst, const char* src, int n);

// 6x^5 - 15x^4 + 10x^3 between 0 and 1, constant beyond.
MJAPI mjtNum mju_sigmoid(mjtNum x);

// Prints a matrix (nr x nc) to the screen.
MJAPI void mju_printMat(const mjtNum* mat, int nr, int nc);

// Prints the entries of a sparse matrix to the screen.
MJAPI void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr,
                              const int* colind);

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

// sources of files

// Sets all members to 0.
MJAPI void mjp_defaultResourceProvider(mjpResourceProvider* provider);

// Registers who provides files named "prefix:...". Returns its slot, from 1 on: the slot of an
// identical provider if there is one; -1 and a warning if it is incomplete or its prefix is no
// scheme. A different provider of the same prefix is an error. Thread-safe.
MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider);

// Number of registered providers.
MJAPI int mjp_resourceProviderCount(void);

// The provider whose prefix stands before the first ':' of a name, in any case of letters; NULL if
// there is none.
MJAPI const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name);

// The provider in a slot; NULL if the slot is free.
MJAPI const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_MUJOCO_H_
