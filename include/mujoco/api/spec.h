// spec.h: the functions of the interface for the editable model: those that src/spec defines.
// Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_SPEC_H_
#define MUJOCO_API_SPEC_H_

#include <mujoco/mjexport.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjversion.h>

#ifdef __cplusplus
extern "C" {
#endif

// reading and compiling

// mj_makeSpec as a program of the given dialect calls it (condyle/behaviour.h).
MJAPI mjSpec* cnd_makeSpecAs(int dialect);

#if mjVERSION_API >= 400
static inline mjSpec* mj_makeSpec(void) {
  return cnd_makeSpecAs(mjVERSION_API);
}
#else
// Makes an empty editable model: a world and nothing else.
MJAPI mjSpec* mj_makeSpec(void);
#endif

// Makes a deep copy of an editable model; NULL, with a warning, if memory runs out.
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

// Lets elements use a registered plugin, as <extension> does. Returns 0, -1 if no plugin of this
// name is registered.
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
MJAPI mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def);
MJAPI mjsTexture* cnd_addTexture(mjSpec* s, const mjsDefault* def);

#if mjVERSION_API >= 400
static inline mjsTexture* mjs_addTexture(mjSpec* s, const mjsDefault* def) {
  return cnd_addTexture(s, def);
}
#else
// Adds a texture that starts from the main class.
MJAPI mjsTexture* mjs_addTexture(mjSpec* s);
#endif

// Adds a default class: a copy of parent (NULL: main) as it is now. NULL if the name exists.
MJAPI mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent);

// Adds a station to a tendon's path: through a site, around a geom (sidesite: NULL or the side to
// pass on), a joint with its coefficient, a pulley with its divisor.
MJAPI mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name);
MJAPI mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite);
MJAPI mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef);
MJAPI mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor);

// additions of later releases

// Number of stations of a tendon's path, and the i-th; an error if there is none.
MJAPI int mjs_getWrapNum(const mjsTendon* tendon);
MJAPI mjsWrap* mjs_getWrap(const mjsTendon* tendon, int i);

// The joint, site or geom of a station, and the site on whose side it passes a geom; NULL if it has
// none or there is none of that name.
MJAPI mjsElement* mjs_getWrapTarget(const mjsWrap* wrap);
MJAPI mjsSite* mjs_getWrapSideSite(const mjsWrap* wrap);

// Divisor of a pulley, coefficient of a joint; of other stations 1, with a warning.
MJAPI double mjs_getWrapDivisor(const mjsWrap* wrap);
MJAPI double mjs_getWrapCoef(const mjsWrap* wrap);

// The spec that an element was made in, whatever it has been attached to, and that spec's compiler
// settings, by which its numbers are understood.
MJAPI mjSpec* mjs_getOriginSpec(const mjsElement* element);
MJAPI mjsCompiler* mjs_getCompiler(const mjsElement* element);

// Number of warnings of a spec, and the i-th (NULL: none): what differed when models were attached,
// as long as the spec lives; then what was found when it was last read or compiled.
MJAPI int mjs_numWarnings(const mjSpec* spec);
MJAPI const char* mjs_getWarning(const mjSpec* spec, int index);

// Seconds that the last compilation took, by mjtCTimer (mjNCTIMER numbers).
MJAPI const double* mjs_getTimer(mjSpec* s);

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

// The same for actuators of several inputs, since 3.7, 3.11 and 3.12: a controller, a servo of an
// orientation, a direct-current motor. ctrlspec tells which inputs (mjtCtrlInput, mjtCtrlChart), 0
// the usual ones. The damping of the actuator counts for the nominal speed of a motor.
MJAPI const char* mjs_setToPID(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                               double ki[1], double imax[1], double slewmax[1], double inheritrange,
                               int ctrlspec);
MJAPI const char* mjs_setToOrientation(mjsActuator* actuator, double kp, double kv[1],
                                       double dampratio[1], int ctrlspec);
MJAPI const char* mjs_setToDCMotor(mjsActuator* actuator, double motorconst[2], double resistance,
                                   double nominal[3], double saturation[3], double inductance[2],
                                   double cogging[3], double controller[6], double thermal[6],
                                   double lugre[5], int ctrlspec);

// The configuration of a plugin instance, or of the one that an element uses: an mjStringVec of
// keys and values in turn, which belongs to the instance; NULL if there is no instance. Setting
// copies it (NULL: none). In C++, mjs_setPluginAttributes takes a std::map of strings as well.
MJAPI const void* mjs_getPluginAttributes(const mjsPlugin* plugin);
MJAPI void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes);

// editable model: finding

// The spec of an element; a spec that was attached to this one, or is an asset of its file, by its
// model name (NULL: none). That of an asset is the name given to the asset, or else its own.
MJAPI mjSpec* mjs_getSpec(CND_API(, const) mjsElement* element);
MJAPI mjSpec* mjs_findSpec(CND_API(, const) mjSpec* spec, const char* name);

// An element by name; NULL if there is none.
MJAPI mjsBody* mjs_findBody(CND_API(, const) mjSpec* s, const char* name);
MJAPI mjsElement* mjs_findElement(CND_API(, const) mjSpec* s, mjtObj type, const char* name);
MJAPI mjsFrame* mjs_findFrame(CND_API(, const) mjSpec* s, const char* name);
MJAPI mjsDefault* mjs_findDefault(CND_API(, const) mjSpec* s, const char* classname);

// A body by name in the subtree of a body, itself included; NULL if there is none.
MJAPI mjsBody* mjs_findChild(CND_API(, const) mjsBody* body, const char* name);

// The body and the frame that enclose an element; NULL if there is none.
MJAPI mjsBody* mjs_getParent(CND_API(, const) mjsElement* element);
MJAPI mjsFrame* mjs_getFrame(CND_API(, const) mjsElement* element);

// The default class of an element (NULL if its type has none), and the main class.
MJAPI mjsDefault* mjs_getDefault(CND_API(, const) mjsElement* element);
MJAPI mjsDefault* mjs_getSpecDefault(CND_API(, const) mjSpec* s);

// Index in the compiled model; -1 before an element of a body is first compiled.
MJAPI int mjs_getId(CND_API(, const) mjsElement* element);

// First element of a type in a body, and the one after child, which has the same type; recurse:
// also in the bodies below. NULL at the end.
MJAPI mjsElement* mjs_firstChild(CND_API(, const) mjsBody* body, mjtObj type, int recurse);
MJAPI mjsElement* mjs_nextChild(CND_API(, const) mjsBody* body, CND_API(, const) mjsElement* child,
                                int recurse);

// First element of a type in the order of a compiled model, and the one after it; NULL at the end.
MJAPI mjsElement* mjs_firstElement(CND_API(, const) mjSpec* s, mjtObj type);
MJAPI mjsElement* mjs_nextElement(CND_API(, const) mjSpec* s, CND_API(, const) mjsElement* element);

// editable model: names, texts, arrays

// Sets the name of an element. Returns -1 if another one of its type has it, or memory runs out.
MJAPI int mjs_setName(mjsElement* element, const char* name);
MJAPI mjString* mjs_getName(mjsElement* element);

// Replace the content of texts and arrays by copies; mjs_setStringVec splits text at blanks. If
// memory runs out they warn and change nothing.
MJAPI void mjs_setBuffer(mjByteVec* dest, const void* array, int size);
MJAPI void mjs_setString(mjString* dest, const char* text);
MJAPI void mjs_setStringVec(mjStringVec* dest, const char* text);
MJAPI CND_BOOL mjs_setInStringVec(mjStringVec* dest, int i, const char* text);
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

#ifdef __cplusplus
}

#include <map>

// A configuration as a map from keys to values.
template <class Compare>
void mjs_setPluginAttributes(mjsPlugin* plugin,
                             std::map<std::string, std::string, Compare>* attributes) {
  mjStringVec config;
  for (const auto& item : *attributes) {
    config.push_back(item.first);
    config.push_back(item.second);
  }
  mjs_setPluginAttributes(plugin, static_cast<void*>(&config));
}
#endif

#endif  // MUJOCO_API_SPEC_H_
