// Equality constraints. eq_data is copied as given; mj_setConst fills in what depends on qpos0.
//                                                          theory/model.md, Reference configuration
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>

#include "compile/compile.h"

// What a constraint type relates; connect and weld leave the choice between bodies and sites to the
// element.
static mjtObj related(Compile* c, const SpecObject* object) {
  const mjsEquality* spec = &object->as.equality;
  switch (spec->type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      if (spec->objtype != mjOBJ_BODY && spec->objtype != mjOBJ_SITE) {
        compile_error(c, object, "%s constraint supports only sites and bodies",
                      spec->type == mjEQ_CONNECT ? "connect" : "weld");
        return mjOBJ_UNKNOWN;
      }
      return spec->objtype;
    case mjEQ_JOINT:
      return mjOBJ_JOINT;
    case mjEQ_TENDON:
      return mjOBJ_TENDON;
    case mjEQ_FLEX:
      return mjOBJ_FLEX;
    default:
      compile_error(c, object, "invalid type in equality constraint");
      return mjOBJ_UNKNOWN;
  }
}

// id of a named object, `missing` if there is no name; -2 and an error if the name is unknown
static int find(Compile* c, const SpecObject* object, mjtObj type, const mjString* name,
                int missing) {
  if (string_empty(name) && missing != -2) {
    return missing;
  }
  int id = compile_find(c, type, name);
  if (id < 0) {
    compile_error(c, object, "unknown element '%s' in equality constraint %d", string_text(name),
                  object->id);
    return -2;
  }
  return id;
}

static void check_scalar(Compile* c, const SpecObject* object, int joint) {
  if (joint < 0) {
    return;
  }
  int type = c->m->jnt_type[joint];
  if (type != mjJNT_HINGE && type != mjJNT_SLIDE) {
    compile_error(c, object, "only HINGE and SLIDE joint allowed in constraint");
  }
}

void compile_equalities(Compile* c) {
  mjModel* m = c->m;
  for (int i = 0; i < c->count[mjOBJ_EQUALITY]; i++) {
    const SpecObject* object = c->list[mjOBJ_EQUALITY][i];
    const mjsEquality* spec = &object->as.equality;
    mjtObj type = related(c, object);
    if (type == mjOBJ_UNKNOWN) {
      continue;
    }
    int id1 = find(c, object, type, spec->name1, -2);
    int id2 = find(c, object, type, spec->name2, type == mjOBJ_BODY ? 0 : -1);
    if (id1 < 0 || id2 < -1) {
      continue;
    }
    if (id1 == id2) {
      compile_error(c, object, "element '%s' is repeated in equality constraint %d",
                    string_text(spec->name1), i);
    }
    if (type == mjOBJ_JOINT) {
      check_scalar(c, object, id1);
      check_scalar(c, object, id2);
    }
    if (type == mjOBJ_SITE && id2 < 0) {
      compile_error(c, object, "unknown element '' in equality constraint %d", i);
    }

    m->eq_type[i] = spec->type;
    m->eq_obj1id[i] = id1;
    m->eq_obj2id[i] = id2;
    m->eq_objtype[i] = spec->objtype;
    m->eq_active0[i] = spec->active;
    mju_copy(m->eq_solref + mjNREF * i, spec->solref, mjNREF);
    mju_copy(m->eq_solimp + mjNIMP * i, spec->solimp, mjNIMP);
    compile_store(m->eq_data + mjNEQDATA * i, spec->data, mjNEQDATA);
  }
}
