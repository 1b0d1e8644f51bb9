// signature.c: the signature, a number that tells whether two models have the same structure.
//                                                                  theory/model/model.md, Signature
#include <mujoco/mjmodel.h>
#include <stdint.h>

#include "compile/context.h"
#include "compile/stages.h"

// h <- 33 h xor number, like the hash of names
static uint64_t mix(uint64_t h, int number) {
  return (33 * h) ^ (uint64_t)(unsigned)(number + 1);
}

uint64_t compile_signature(const Compile* c) {
  const mjModel* m = c->m;
  uint64_t h = 5381;
  for (int type = 0; type < mjNOBJECT; type++) {
    h = mix(h, c->count[type]);
  }
  for (int i = 0; i < m->nbody; i++) {
    h = mix(h, m->body_parentid[i]);
    h = mix(h, m->body_geomnum[i]);
    h = mix(h, m->body_mocapid[i]);
  }
  for (int i = 0; i < m->njnt; i++) {
    h = mix(mix(h, m->jnt_bodyid[i]), m->jnt_type[i]);
  }
  const int* list[] = {m->site_bodyid, m->cam_bodyid, m->light_bodyid, m->actuator_actnum};
  const int n[] = {m->nsite, m->ncam, m->nlight, (int)m->nactuator};
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < n[k]; i++) {
      h = mix(h, list[k][i]);
    }
  }
  return h ? h : 1;
}
