#include "compile/signature.h"

#include <mujoco/mjmodel.h>

// h = 33 h xor number: the hash of names, taken over numbers
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
  for (int i = 0; i < m->nsite; i++) {
    h = mix(h, m->site_bodyid[i]);
  }
  for (int i = 0; i < m->ncam; i++) {
    h = mix(h, m->cam_bodyid[i]);
  }
  for (int i = 0; i < m->nlight; i++) {
    h = mix(h, m->light_bodyid[i]);
  }
  for (int i = 0; i < m->nu; i++) {
    h = mix(h, m->actuator_actnum[i]);
  }
  return h ? h : 1;
}
