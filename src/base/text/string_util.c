// string_util.c: the public functions of names of object types, sizes as text and bounded copies.

#include <mujoco/api/base.h>
#include <stdio.h>
#include <string.h>

// names of the mjtObj types; "frame" is no member here because mju_str2Type does not know it
static const char* const type_name[mjNOBJECT] = {
    [mjOBJ_BODY] = "body",         [mjOBJ_XBODY] = "xbody",       [mjOBJ_JOINT] = "joint",
    [mjOBJ_DOF] = "dof",           [mjOBJ_GEOM] = "geom",         [mjOBJ_SITE] = "site",
    [mjOBJ_CAMERA] = "camera",     [mjOBJ_LIGHT] = "light",       [mjOBJ_FLEX] = "flex",
    [mjOBJ_MESH] = "mesh",         [mjOBJ_SKIN] = "skin",         [mjOBJ_HFIELD] = "hfield",
    [mjOBJ_TEXTURE] = "texture",   [mjOBJ_MATERIAL] = "material", [mjOBJ_PAIR] = "pair",
    [mjOBJ_EXCLUDE] = "exclude",   [mjOBJ_EQUALITY] = "equality", [mjOBJ_TENDON] = "tendon",
    [mjOBJ_ACTUATOR] = "actuator", [mjOBJ_SENSOR] = "sensor",     [mjOBJ_NUMERIC] = "numeric",
    [mjOBJ_TEXT] = "text",         [mjOBJ_TUPLE] = "tuple",       [mjOBJ_KEY] = "key",
    [mjOBJ_PLUGIN] = "plugin",
};

const char* mju_type2Str(int type) {
  if (type == mjOBJ_FRAME) {
    return "frame";
  }
  return type > mjOBJ_UNKNOWN && type < mjNOBJECT ? type_name[type] : NULL;
}

int mju_str2Type(const char* str) {
  for (int type = mjOBJ_UNKNOWN + 1; str && type < mjNOBJECT; type++) {
    if (strcmp(str, type_name[type]) == 0) {
      return type;
    }
  }
  return mjOBJ_UNKNOWN;
}

// Uses the largest unit of which nbytes is a whole multiple.
const char* mju_writeNumBytes(size_t nbytes) {
  static _Thread_local char text[32];
  const char* units = "KMGTPE";
  int unit = -1;
  while (nbytes && unit < 5 && nbytes % 1024 == 0) {
    nbytes /= 1024;
    unit++;
  }
  if (unit < 0) {
    snprintf(text, sizeof(text), "%zu", nbytes);
  } else {
    snprintf(text, sizeof(text), "%zu%c", nbytes, units[unit]);
  }
  return text;
}

char* mju_strncpy(char* dst, const char* src, int n) {
  if (dst && src && n > 0) {
    int length = 0;
    for (; length < n - 1 && src[length]; length++) {
      dst[length] = src[length];
    }
    memset(dst + length, 0, (size_t)(n - length));
  }
  return dst;
}
