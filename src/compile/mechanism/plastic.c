// plastic.c: compiles springs that yield: checks, and the place of each rest in mjData.plastic,
// joints before tendons.                                  theory/smooth/passive.md, Plastic springs

#include "model/data/plastic.h"

#include "compile/context.h"
#include "compile/mechanism/mechanism.h"

int plastic_count(const Compile* c) {
  int n = 0;
  for (int i = 0; i < c->count[mjOBJ_JOINT]; i++) {
    const mjsJoint* joint = &c->list[mjOBJ_JOINT][i]->as.joint;
    n += joint->springyield > 0 ? plastic_numbers(joint->type) : 0;
  }
  for (int i = 0; i < c->count[mjOBJ_TENDON]; i++) {
    n += c->list[mjOBJ_TENDON][i]->as.tendon.springyield > 0 ? PLASTIC_LENGTHS : 0;
  }
  return n;
}

static void check_yield(Compile* c, const SpecObject* object, double yield) {
  if (!(yield >= 0)) {
    compile_error(c, object, "springyield cannot be negative in %s: it is %g",
                  object->element.elemtype == mjOBJ_JOINT ? "joint" : "tendon", yield);
  }
}

void compile_plastics(Compile* c) {
  mjModel* m = c->m;
  int adr = 0;
  for (int i = 0; i < m->njnt; i++) {
    const SpecObject* object = c->list[mjOBJ_JOINT][i];
    const mjsJoint* spec = &object->as.joint;
    check_yield(c, object, spec->springyield);
    if (spec->springyield > 0 && spec->type == mjJNT_FREE) {
      compile_error(c, object, "springyield should not be defined in free joint: it is %g",
                    spec->springyield);
    }
    int turns = spec->type != mjJNT_SLIDE && compile_options(object)->degree;
    m->jnt_springyield[i] = (mjtNum)(spec->springyield * (turns ? mjPI / 180 : 1));
    if (m->jnt_springyield[i] > 0 && plastic_numbers(spec->type)) {
      m->jnt_plasticadr[i] = adr;
      adr += plastic_numbers(spec->type);
    }
  }
  for (int i = 0; i < m->ntendon; i++) {
    const SpecObject* object = c->list[mjOBJ_TENDON][i];
    check_yield(c, object, object->as.tendon.springyield);
    m->tendon_springyield[i] = (mjtNum)object->as.tendon.springyield;
    if (m->tendon_springyield[i] > 0) {
      m->tendon_plasticadr[i] = adr;
      adr += PLASTIC_LENGTHS;
    }
  }
}
