// handles.c: for each type a table of the vector-valued members of its public struct, with the type
// of object that each one names. Copying, freeing and renaming all walk these tables, so a new
// string in a public struct is one line here.

#include <mujoco/mjspec.h>
#include <stddef.h>

#include "spec/spec.h"

#define PLAIN(type, member, kind) \
  { offsetof(type, member), kind, SPEC_REF_NONE, mjOBJ_UNKNOWN, 0 }
#define STRING(type, member) PLAIN(type, member, VECTOR_STRING)
#define NAMES(type, member, object, foreign) \
  { offsetof(type, member), VECTOR_STRING, SPEC_REF_TYPE, object, foreign }
#define NAMELIST(type, member, object) \
  { offsetof(type, member), VECTOR_STRINGS, SPEC_REF_TYPE, object, 0 }
#define FOREIGNLIST(type, member, object) \
  { offsetof(type, member), VECTOR_STRINGS, SPEC_REF_TYPE, object, 1 }
#define CLASS(type, member) \
  { offsetof(type, member), VECTOR_STRING, SPEC_REF_CLASS, mjOBJ_DEFAULT, 1 }
#define DYNAMIC(type, member, kind) \
  { offsetof(type, member), kind, SPEC_REF_DYNAMIC, mjOBJ_UNKNOWN, 0 }
#define PLUGIN(type) \
  STRING(type, plugin.name), STRING(type, plugin.plugin_name), STRING(type, plugin.info)

static const SpecHandle body_handles[] = {
    CLASS(mjsBody, childclass),
    PLAIN(mjsBody, userdata, VECTOR_DOUBLES),
    PLUGIN(mjsBody),
    STRING(mjsBody, info),
};

static const SpecHandle frame_handles[] = {
    CLASS(mjsFrame, childclass),
    STRING(mjsFrame, info),
};

static const SpecHandle joint_handles[] = {
    PLAIN(mjsJoint, userdata, VECTOR_DOUBLES),
    STRING(mjsJoint, info),
};

static const SpecHandle geom_handles[] = {
    NAMES(mjsGeom, material, mjOBJ_MATERIAL, 1),
    NAMES(mjsGeom, hfieldname, mjOBJ_HFIELD, 1),
    NAMES(mjsGeom, meshname, mjOBJ_MESH, 1),
    PLAIN(mjsGeom, userdata, VECTOR_DOUBLES),
    PLUGIN(mjsGeom),
    STRING(mjsGeom, info),
};

static const SpecHandle site_handles[] = {
    NAMES(mjsSite, material, mjOBJ_MATERIAL, 1),
    NAMES(mjsSite, meshname, mjOBJ_MESH, 1),
    PLAIN(mjsSite, userdata, VECTOR_DOUBLES),
    STRING(mjsSite, info),
};

static const SpecHandle camera_handles[] = {
    NAMES(mjsCamera, targetbody, mjOBJ_BODY, 0),
    PLAIN(mjsCamera, userdata, VECTOR_DOUBLES),
    STRING(mjsCamera, info),
};

static const SpecHandle light_handles[] = {
    NAMES(mjsLight, targetbody, mjOBJ_BODY, 0),
    NAMES(mjsLight, texture, mjOBJ_TEXTURE, 0),
    STRING(mjsLight, info),
};

static const SpecHandle flex_handles[] = {
    NAMES(mjsFlex, material, mjOBJ_MATERIAL, 1), FOREIGNLIST(mjsFlex, materials, mjOBJ_MATERIAL),
    NAMELIST(mjsFlex, nodebody, mjOBJ_BODY),     NAMELIST(mjsFlex, vertbody, mjOBJ_BODY),
    PLAIN(mjsFlex, node, VECTOR_DOUBLES),        PLAIN(mjsFlex, vert, VECTOR_DOUBLES),
    PLAIN(mjsFlex, elem, VECTOR_INTS),           PLAIN(mjsFlex, texcoord, VECTOR_FLOATS),
    PLAIN(mjsFlex, elemtexcoord, VECTOR_INTS),   STRING(mjsFlex, info),
};

static const SpecHandle mesh_handles[] = {
    STRING(mjsMesh, content_type),
    STRING(mjsMesh, file),
    PLAIN(mjsMesh, uservert, VECTOR_FLOATS),
    PLAIN(mjsMesh, usernormal, VECTOR_FLOATS),
    PLAIN(mjsMesh, usertexcoord, VECTOR_FLOATS),
    PLAIN(mjsMesh, userface, VECTOR_INTS),
    PLAIN(mjsMesh, userfacenormal, VECTOR_INTS),
    PLAIN(mjsMesh, userfacetexcoord, VECTOR_INTS),
    PLAIN(mjsMesh, usernode, VECTOR_DOUBLES),
    PLAIN(mjsMesh, usertet, VECTOR_INTS),
    PLUGIN(mjsMesh),
    NAMES(mjsMesh, material, mjOBJ_MATERIAL, 1),
    STRING(mjsMesh, info),
};

static const SpecHandle hfield_handles[] = {
    STRING(mjsHField, content_type),
    STRING(mjsHField, file),
    PLAIN(mjsHField, userdata, VECTOR_FLOATS),
    STRING(mjsHField, info),
};

static const SpecHandle skin_handles[] = {
    STRING(mjsSkin, file),
    NAMES(mjsSkin, material, mjOBJ_MATERIAL, 1),
    PLAIN(mjsSkin, vert, VECTOR_FLOATS),
    PLAIN(mjsSkin, texcoord, VECTOR_FLOATS),
    PLAIN(mjsSkin, face, VECTOR_INTS),
    NAMELIST(mjsSkin, bodyname, mjOBJ_BODY),
    PLAIN(mjsSkin, bindpos, VECTOR_FLOATS),
    PLAIN(mjsSkin, bindquat, VECTOR_FLOATS),
    PLAIN(mjsSkin, vertid, VECTOR_INTLISTS),
    PLAIN(mjsSkin, vertweight, VECTOR_FLOATLISTS),
    STRING(mjsSkin, info),
};

static const SpecHandle texture_handles[] = {
    STRING(mjsTexture, content_type),
    STRING(mjsTexture, file),
    PLAIN(mjsTexture, cubefiles, VECTOR_STRINGS),
    PLAIN(mjsTexture, data, VECTOR_BYTES),
    STRING(mjsTexture, info),
};

static const SpecHandle material_handles[] = {
    NAMELIST(mjsMaterial, textures, mjOBJ_TEXTURE),
    STRING(mjsMaterial, info),
};

static const SpecHandle pair_handles[] = {
    NAMES(mjsPair, geomname1, mjOBJ_GEOM, 0),
    NAMES(mjsPair, geomname2, mjOBJ_GEOM, 0),
    STRING(mjsPair, info),
};

static const SpecHandle exclude_handles[] = {
    NAMES(mjsExclude, bodyname1, mjOBJ_BODY, 0),
    NAMES(mjsExclude, bodyname2, mjOBJ_BODY, 0),
    STRING(mjsExclude, info),
};

static const SpecHandle equality_handles[] = {
    DYNAMIC(mjsEquality, name1, VECTOR_STRING),
    DYNAMIC(mjsEquality, name2, VECTOR_STRING),
    STRING(mjsEquality, info),
};

static const SpecHandle tendon_handles[] = {
    NAMES(mjsTendon, material, mjOBJ_MATERIAL, 1),
    PLAIN(mjsTendon, userdata, VECTOR_DOUBLES),
    STRING(mjsTendon, info),
};

static const SpecHandle wrap_handles[] = {
    STRING(mjsWrap, info),
};

static const SpecHandle actuator_handles[] = {
    DYNAMIC(mjsActuator, target, VECTOR_STRING),
    NAMES(mjsActuator, refsite, mjOBJ_SITE, 0),
    NAMES(mjsActuator, slidersite, mjOBJ_SITE, 0),
    PLAIN(mjsActuator, userdata, VECTOR_DOUBLES),
    PLUGIN(mjsActuator),
    STRING(mjsActuator, info),
};

static const SpecHandle sensor_handles[] = {
    DYNAMIC(mjsSensor, objname, VECTOR_STRING),
    DYNAMIC(mjsSensor, refname, VECTOR_STRING),
    PLAIN(mjsSensor, userdata, VECTOR_DOUBLES),
    PLUGIN(mjsSensor),
    STRING(mjsSensor, info),
};

static const SpecHandle numeric_handles[] = {
    PLAIN(mjsNumeric, data, VECTOR_DOUBLES),
    STRING(mjsNumeric, info),
};

static const SpecHandle text_handles[] = {
    STRING(mjsText, data),
    STRING(mjsText, info),
};

static const SpecHandle tuple_handles[] = {
    PLAIN(mjsTuple, objtype, VECTOR_INTS),
    DYNAMIC(mjsTuple, objname, VECTOR_STRINGS),
    PLAIN(mjsTuple, objprm, VECTOR_DOUBLES),
    STRING(mjsTuple, info),
};

// arrays in the order of KEY_QPOS, ...
static const SpecHandle key_handles[] = {
    PLAIN(mjsKey, qpos, VECTOR_DOUBLES),    PLAIN(mjsKey, qvel, VECTOR_DOUBLES),
    PLAIN(mjsKey, act, VECTOR_DOUBLES),     PLAIN(mjsKey, mpos, VECTOR_DOUBLES),
    PLAIN(mjsKey, mquat, VECTOR_DOUBLES),   PLAIN(mjsKey, ctrl, VECTOR_DOUBLES),
    PLAIN(mjsKey, plastic, VECTOR_DOUBLES), STRING(mjsKey, info),
};

// the name of the instance is not here: it is the name of its object
static const SpecHandle plugin_handles[] = {
    STRING(mjsPlugin, plugin_name),
    STRING(mjsPlugin, info),
};

static const SpecHandle model_handles[] = {
    STRING(mjSpec, modelname),           STRING(mjSpec, compiler.meshdir),
    STRING(mjSpec, compiler.texturedir), STRING(mjSpec, comment),
    STRING(mjSpec, modelfiledir),
};

typedef struct HandleTable_ {
  const SpecHandle* handles;
  int count;
} HandleTable;

#define TABLE(name) \
  { name, (int)(sizeof(name) / sizeof(SpecHandle)) }

const SpecHandle* spec_handles(mjtObj type, int* count) {
#define KIND(type, Name, member) [type] = TABLE(member##_handles),
  static const HandleTable tables[] = {[mjOBJ_UNKNOWN] = TABLE(wrap_handles),
                                       [mjOBJ_EXCLUDE] = TABLE(exclude_handles),
                                       [mjOBJ_PLUGIN] = TABLE(plugin_handles),
                                       [mjOBJ_MODEL] = TABLE(model_handles),
                                       SPEC_KINDS(KIND)};
#undef KIND
  *count = tables[type].count;
  return tables[type].handles;
}
