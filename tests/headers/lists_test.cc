// The lists of mjspecmacro.h and mjxmacro.h that programs for 4.0.0 have: all members of each
// struct, in their order, with their types.

#define mjVERSION_API 400
#include <mujoco/mjspecmacro.h>
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

#include <cstdio>
#include <type_traits>

// a struct of the members in a list, and its comparison with the one that has them
#define X(type, name, n)                                              \
  static_assert(std::is_same<decltype(S::name), type>::value, #name); \
  type name;
#define XVEC(type, name, n)                                              \
  static_assert(std::is_same<decltype(S::name), type[n]>::value, #name); \
  type name[n];
#define COMPARE(Struct, FIELDS)                                                           \
  namespace of_##FIELDS {                                                                 \
    using S = Struct;                                                                     \
    struct Listed {                                                                       \
      FIELDS                                                                              \
    };                                                                                    \
    static_assert(sizeof(Listed) == sizeof(S), #FIELDS " lacks members or has too many"); \
  }

COMPARE(mjsElement, MJSELEMENT_FIELDS)
COMPARE(mjsCompiler, MJSCOMPILER_FIELDS)
COMPARE(mjSpec, MJSPEC_FIELDS)
COMPARE(mjsOrientation, MJSORIENTATION_FIELDS)
COMPARE(mjsPlugin, MJSPLUGIN_FIELDS)
COMPARE(mjsBody, MJSBODY_FIELDS)
COMPARE(mjsFrame, MJSFRAME_FIELDS)
COMPARE(mjsJoint, MJSJOINT_FIELDS)
COMPARE(mjsGeom, MJSGEOM_FIELDS)
COMPARE(mjsSite, MJSSITE_FIELDS)
COMPARE(mjsCamera, MJSCAMERA_FIELDS)
COMPARE(mjsLight, MJSLIGHT_FIELDS)
COMPARE(mjsFlex, MJSFLEX_FIELDS)
COMPARE(mjsMesh, MJSMESH_FIELDS)
COMPARE(mjsHField, MJSHFIELD_FIELDS)
COMPARE(mjsSkin, MJSSKIN_FIELDS)
COMPARE(mjsTexture, MJSTEXTURE_FIELDS)
COMPARE(mjsMaterial, MJSMATERIAL_FIELDS)
COMPARE(mjsPair, MJSPAIR_FIELDS)
COMPARE(mjsExclude, MJSEXCLUDE_FIELDS)
COMPARE(mjsEquality, MJSEQUALITY_FIELDS)
COMPARE(mjsTendon, MJSTENDON_FIELDS)
COMPARE(mjsWrap, MJSWRAP_FIELDS)
COMPARE(mjsActuator, MJSACTUATOR_FIELDS)
COMPARE(mjsSensor, MJSSENSOR_FIELDS)
COMPARE(mjsNumeric, MJSNUMERIC_FIELDS)
COMPARE(mjsText, MJSTEXT_FIELDS)
COMPARE(mjsTuple, MJSTUPLE_FIELDS)
COMPARE(mjsKey, MJSKEY_FIELDS)
COMPARE(mjsDefault, MJSDEFAULT_FIELDS)
COMPARE(mjOption, MJOPTION_FIELDS)
COMPARE(decltype(mjVisual::global), MJVISUAL_GLOBAL_FIELDS)
COMPARE(decltype(mjVisual::quality), MJVISUAL_QUALITY_FIELDS)
COMPARE(decltype(mjVisual::headlight), MJVISUAL_HEADLIGHT_FIELDS)
COMPARE(decltype(mjVisual::map), MJVISUAL_MAP_FIELDS)
COMPARE(decltype(mjVisual::scale), MJVISUAL_SCALE_FIELDS)
COMPARE(decltype(mjVisual::rgba), MJVISUAL_RGBA_FIELDS)

#undef X
#undef XVEC
#define X(name, n) +1
#define XVEC(name, n) +n
static_assert(sizeof(mjStatistic) == (0 MJSTATISTIC_FIELDS) * sizeof(mjtNum), "MJSTATISTIC_FIELDS");

int main() {
  std::puts("the lists have all members");
  return 0;
}
