// moves.c: the factors of tendons and actuators, and whether their lengths are lengths or angles.
//                                                        theory/model/scaling.md, References

#include "base/memory/memory.h"
#include "compile/scale/steps.h"

// A tendon is scaled as the innermost scaled frame around all that it follows.
Scale scale_oftendon(const Scaling* s, const SpecObject* tendon, int linear[1]) {
  SpecObject** targets = NULL;
  int n = 0;
  *linear = 0;
  for (SPEC_EACH_CHILD(it, tendon, mjOBJ_UNKNOWN)) {
    const SpecWrap* wrap = &it->as.wrap;
    mjtObj type = wrap->pub.type == mjWRAP_JOINT  ? mjOBJ_JOINT
                  : wrap->pub.type == mjWRAP_SITE ? mjOBJ_SITE
                                                  : mjOBJ_GEOM;
    SpecObject* target = wrap->pub.type == mjWRAP_PULLEY
                             ? NULL
                             : spec_find(tendon->tree, type, string_text(&wrap->target));
    if (target) {
      targets = heap_resize(targets, (size_t)(n + 1) * sizeof(SpecObject*));
      targets[n++] = target;
      *linear |= type != mjOBJ_JOINT || target->as.joint.type == mjJNT_SLIDE;
    }
  }
  Scale scale = factor_common(s, targets, n);
  heap_free(targets);
  return scale;
}

// Does a gear of six numbers push along some direction?
static int pushes(const double gear[6]) {
  return gear[0] != 0 || gear[1] != 0 || gear[2] != 0;
}

Scale scale_ofactuator(const Scaling* s, const SpecObject* object, int linear[1]) {
  const mjsActuator* spec = &object->as.actuator;
  *linear = 1;
  switch (spec->trntype) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT: {
      const SpecObject* joint = spec_find(object->tree, mjOBJ_JOINT, string_text(spec->target));
      mjtJoint type = joint ? joint->as.joint.type : mjJNT_SLIDE;
      *linear = type == mjJNT_SLIDE || (type == mjJNT_FREE && pushes(spec->gear));
      return factor_named(s, object, mjOBJ_JOINT, spec->target);
    }
    case mjTRN_TENDON: {
      const SpecObject* tendon = spec_find(object->tree, mjOBJ_TENDON, string_text(spec->target));
      return tendon ? scale_oftendon(s, tendon, linear) : (Scale){1, 1, 1, 1};
    }
    case mjTRN_SLIDERCRANK:
      return factor_mean(factor_named(s, object, mjOBJ_SITE, spec->target),
                         factor_named(s, object, mjOBJ_SITE, spec->slidersite));
    case mjTRN_SITE:
      *linear = pushes(spec->gear) && spec->gaintype != mjGAIN_SO3;
      return factor_named(s, object, mjOBJ_SITE, spec->target);
    case mjTRN_BODY:
      return factor_named(s, object, mjOBJ_BODY, spec->target);
    default:
      return (Scale){1, 1, 1, 1};
  }
}
