// stamp.c: the hash of a model's structure. It is asked for in every call of a batch, so it reads
// only the arrays that say how bodies, joints, geoms and what acts on them hang together.

#include "lanes/setup/stamp.h"

#include <stddef.h>
#include <string.h>

#include "lanes/setup/paths.h"

// (array, length)
#define STAMPED(X)                    \
  X(body_parentid, m->nbody)          \
  X(body_rootid, m->nbody)            \
  X(body_weldid, m->nbody)            \
  X(body_mocapid, m->nbody)           \
  X(body_jntnum, m->nbody)            \
  X(body_jntadr, m->nbody)            \
  X(body_dofnum, m->nbody)            \
  X(body_dofadr, m->nbody)            \
  X(jnt_type, m->njnt)                \
  X(jnt_qposadr, m->njnt)             \
  X(jnt_dofadr, m->njnt)              \
  X(jnt_bodyid, m->njnt)              \
  X(jnt_limited, m->njnt)             \
  X(dof_bodyid, m->nv)                \
  X(dof_jntid, m->nv)                 \
  X(dof_parentid, m->nv)              \
  X(dof_simplenum, m->nv)             \
  X(geom_type, m->ngeom)              \
  X(geom_contype, m->ngeom)           \
  X(geom_conaffinity, m->ngeom)       \
  X(geom_condim, m->ngeom)            \
  X(geom_bodyid, m->ngeom)            \
  X(geom_dataid, m->ngeom)            \
  X(geom_priority, m->ngeom)          \
  X(site_bodyid, m->nsite)            \
  X(cam_bodyid, m->ncam)              \
  X(cam_mode, m->ncam)                \
  X(pair_dim, m->npair)               \
  X(pair_geom1, m->npair)             \
  X(pair_geom2, m->npair)             \
  X(exclude_signature, m->nexclude)   \
  X(eq_type, m->neq)                  \
  X(eq_obj1id, m->neq)                \
  X(eq_obj2id, m->neq)                \
  X(eq_objtype, m->neq)               \
  X(tendon_adr, m->ntendon)           \
  X(tendon_num, m->ntendon)           \
  X(tendon_limited, m->ntendon)       \
  X(tendon_actfrclimited, m->ntendon) \
  X(wrap_type, m->nwrap)              \
  X(wrap_objid, m->nwrap)             \
  X(actuator_trntype, m->nu)          \
  X(actuator_dyntype, m->nu)          \
  X(actuator_gaintype, m->nu)         \
  X(actuator_biastype, m->nu)         \
  X(actuator_trnid, 2 * m->nu)        \
  X(actuator_actadr, m->nu)           \
  X(actuator_actnum, m->nu)           \
  X(sensor_type, m->nsensor)          \
  X(sensor_objtype, m->nsensor)       \
  X(sensor_objid, m->nsensor)         \
  X(sensor_reftype, m->nsensor)       \
  X(sensor_refid, m->nsensor)         \
  X(sensor_adr, m->nsensor)

// FNV-1a on words of 64 bits, the last one filled with zeros.
static uint64_t add_bytes(uint64_t hash, const void* data, size_t bytes) {
  const uint64_t prime = 0x100000001b3;
  const char* at = data;
  for (; bytes; bytes -= bytes < 8 ? bytes : 8, at += 8) {
    uint64_t word = 0;
    memcpy(&word, at, bytes < 8 ? bytes : 8);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 32;
  }
  return hash;
}

// Which of some numbers are not zero.
static uint64_t add_nonzero(uint64_t hash, const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    mjtByte is = x[i] != 0;
    hash = add_bytes(hash, &is, 1);
  }
  return hash;
}

// The sites that paths pass by.
static uint64_t stamp_sides(uint64_t hash, const mjModel* m) {
  for (int w = 0; w < m->nwrap; w++) {
    int side = path_side(m, w);
    hash = add_bytes(hash, &side, sizeof(side));
  }
  return hash;
}

uint64_t structure_stamp(const mjModel* m) {
  uint64_t hash = 0xcbf29ce484222325;
#define ADD(name, n) hash = add_bytes(hash, m->name, (size_t)(n) * sizeof(*m->name));
  STAMPED(ADD)
#undef ADD
  hash = stamp_sides(hash, m);
  hash = add_nonzero(hash, m->dof_frictionloss, m->nv);
  for (int g = 0; g < m->ngeom; g++) {
    hash = add_nonzero(hash, m->geom_fluid + mjNFLUID * g, 1);
  }
  hash = add_nonzero(hash, m->tendon_frictionloss, m->ntendon);
  hash = add_nonzero(hash, m->tendon_stiffness, m->ntendon);
  hash = add_nonzero(hash, m->tendon_damping, m->ntendon);
  return add_nonzero(hash, m->tendon_armature, m->ntendon);
}
