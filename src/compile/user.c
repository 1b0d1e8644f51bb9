// user.c: compiles user data, arrays that an author attaches to elements, with one length per type.
//                                                                  theory/model/model.md, User data
#include <mujoco/mjspec.h>
#include <stddef.h>

#include "compile/context.h"
#include "compile/stages.h"

// offsets of a type's user data: requested length, vector of an element, length and array of the
// model
static const struct {
  mjtObj type;
  const char* size_name;
  size_t asked;   // int in mjSpec
  size_t vector;  // mjDoubleVec* in the public struct
  size_t length;  // int in mjModel
  size_t array;   // mjtNum* in mjModel
} table[USER_TYPES] = {
#define ROW(TYPE, Type, member, short)                                                             \
  {                                                                                                \
    mjOBJ_##TYPE, "nuser_" #short, offsetof(mjSpec, nuser_##short), offsetof(mjs##Type, userdata), \
        offsetof(mjModel, nuser_##short), offsetof(mjModel, member)                                \
  }
    ROW(BODY, Body, body_user, body),
    ROW(JOINT, Joint, jnt_user, jnt),
    ROW(GEOM, Geom, geom_user, geom),
    ROW(SITE, Site, site_user, site),
    ROW(CAMERA, Camera, cam_user, cam),
    ROW(TENDON, Tendon, tendon_user, tendon),
    ROW(ACTUATOR, Actuator, actuator_user, actuator),
    ROW(SENSOR, Sensor, sensor_user, sensor),
#undef ROW
};
static const mjDoubleVec* user_data(SpecObject* object, size_t offset) {
  return *(mjDoubleVec**)((char*)spec_public(object) + offset);
}

void compile_usersizes(Compile* c, mjModel* m) {
  for (int k = 0; k < USER_TYPES; k++) {
    int asked = *(const int*)((const char*)&c->tree->spec + table[k].asked);
    int* length = (int*)((char*)m + table[k].length);
    *length = asked < 0 ? c->user_least[k] : asked;
    for (int i = 0; i < c->count[table[k].type]; i++) {
      SpecObject* object = c->list[table[k].type][i];
      int given = (int)user_data(object, table[k].vector)->num;
      if (asked < 0 && given > *length) {
        *length = given;
      } else if (asked >= 0 && given > asked) {
        compile_error(c, object, "user has more values than %s in %s '%s' (id = %d)",
                      table[k].size_name, spec_typename(table[k].type), spec_name(object), i);
      }
    }
    c->user_least[k] = *length;
  }
}

void compile_user(Compile* c) {
  for (int k = 0; k < USER_TYPES; k++) {
    int length = *(const int*)((const char*)c->m + table[k].length);
    mjtNum* array = *(mjtNum**)((char*)c->m + table[k].array);
    for (int i = 0; i < c->count[table[k].type]; i++) {
      const mjDoubleVec* user = user_data(c->list[table[k].type][i], table[k].vector);
      compile_store(array + (size_t)i * (size_t)length, user->ptr, (int)user->num);
    }
  }
}
