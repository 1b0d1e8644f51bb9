// sleep.c: which trees may sleep: the words of authors, and what follows from everything else.
//                                                       theory/time/sleep.md, Which trees may sleep

#include "compile/mechanism/mechanism.h"
#include "model/terms.h"
#include "model/tree/alike.h"
#include "model/tree/trees.h"

static void take_policy(Compile* c, const SpecObject* object) {
  mjModel* m = c->m;
  mjtSleepPolicy policy = object->as.body.sleep;
  int body = object->id, tree = m->body_treeid[body];
  if (policy == mjSLEEP_AUTO) {
    return;
  }
  if (policy != mjSLEEP_NEVER && policy != mjSLEEP_ALLOWED && policy != mjSLEEP_INIT) {
    compile_error(c, object, "sleep of body '%s' is %d, must be auto, never, allowed or init",
                  spec_name(object), (int)policy);
  } else if (tree < 0 || m->tree_bodyadr[tree] != body) {
    compile_error(c, object,
                  "body '%s' has the attribute sleep, which only the first body of a tree may have "
                  "that can move",
                  spec_name(object));
  } else {
    m->tree_sleep_policy[tree] = policy;
  }
}

static void check_tendons(Compile* c) {
  int tree, tendon = trees_conflict(&tree, c->m);
  if (tendon < 0) {
    return;
  }
  const SpecObject* body = c->list[mjOBJ_BODY][c->m->tree_bodyadr[tree]];
  const SpecObject* object = c->list[mjOBJ_TENDON][tendon];
  compile_error(c, body, "body '%s' can't sleep: tendon '%s' (id = %d) ties it to %s",
                spec_name(body), spec_name(object), tendon,
                c->m->tendon_treenum[tendon] > 2 ? "more than one other tree"
                                                 : "another tree by a spring or damper");
}

void compile_sleep(Compile* c) {
  mjModel* m = c->m;
  trees_write(m);
  alike_write(m);
  for (int t = 0; t < m->ntree; t++) {
    m->tree_sleep_policy[t] = mjSLEEP_AUTO;
  }
  for (int b = 0; b < m->nbody; b++) {
    take_policy(c, c->list[mjOBJ_BODY][b]);
  }
  terms_index(m);
  trees_decide(m);
  check_tendons(c);
  if (m->opt.enableflags & mjENBL_SLEEP && m->cnd_contact.mode != cndCONTACT_SOFT) {
    compile_error(c, NULL, "the flag sleep can't be used with %s contacts (condyle.contact)",
                  m->cnd_contact.mode == cndCONTACT_HARD ? "hard" : "sticking");
  }
}
