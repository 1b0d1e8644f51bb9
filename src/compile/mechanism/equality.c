// equality.c: compiles equality constraints. eq_data is copied as given; mj_setConst computes the
// part that depends on qpos0.
//                                                    theory/model/model.md, Reference configuration
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>

#include "base/joint.h"
#include "compile/context.h"
#include "compile/mechanism/mechanism.h"
#include "spec/reference.h"

// Checks the type of object. Connect and weld may have bodies or sites.
static int check_type(Compile* c, const SpecObject* object, mjtObj type) {
  mjtEq kind = object->as.equality.type;
  int choice = kind == mjEQ_CONNECT || kind == mjEQ_WELD;
  if (choice && type != mjOBJ_BODY && type != mjOBJ_SITE) {
    return compile_error(c, object, "%s constraint supports only sites and bodies",
                         kind == mjEQ_CONNECT ? "connect" : "weld");
  }
  return choice || type != mjOBJ_UNKNOWN ||
         compile_error(c, object, "invalid type in equality constraint");
}

static void check_scalar(Compile* c, const SpecObject* object, int joint) {
  if (joint >= 0 && joint_has_quat(c->m->jnt_type[joint])) {
    compile_error(c, object, "only HINGE and SLIDE joint allowed in constraint");
  }
}

static void check_cell(Compile* c, const SpecObject* object, const int count[3]) {
  const double* cell = object->as.equality.data;
  for (int k = 0; k < 3; k++) {
    if (!(cell[k] >= 0 && cell[k] < count[k])) {
      compile_error(c, object, "flexstrain has cell %g %g %g, the flex has %d x %d x %d cells",
                    cell[0], cell[1], cell[2], count[0], count[1], count[2]);
      return;
    }
  }
}

void compile_equalities(Compile* c) {
  mjModel* m = c->m;
  for (int i = 0; i < c->count[mjOBJ_EQUALITY]; i++) {
    const SpecObject* object = c->list[mjOBJ_EQUALITY][i];
    const mjsEquality* spec = &object->as.equality;
    mjtObj type = reference_equality(spec);
    if (!check_type(c, object, type)) {
      continue;
    }
    const char* unknown = "unknown element '%s' in equality constraint %d";
    int single = string_empty(spec->name2);
    int id1 = compile_named(c, object, type, spec->name1, unknown);
    int id2 = single && type == mjOBJ_BODY ? 0 : -1;
    if (!single) {
      id2 = compile_named(c, object, type, spec->name2, unknown);
    }
    if (id1 < 0 || (!single && id2 < 0)) {
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
    if (type == mjOBJ_FLEX) {
      int strain = spec->type == mjEQ_FLEXSTRAIN;
      m->flex_edgeequality[id1] = (mjtByte)(strain ? 3 : 1);
      if (strain) {
        check_cell(c, object, m->flex_cellnum + 3 * id1);
      }
      if (m->flex_rigid[id1]) {
        compile_error(c, object, "rigid flex '%s' in equality constraint %d",
                      string_text(spec->name1), i);
      }
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
