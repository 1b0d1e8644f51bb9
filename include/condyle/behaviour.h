// behaviour.h: dialects, the generation of MuJoCo by whose rules a model is simulated.
//
// Releases after 3.3.7 changed some rules, so that the same model moves differently. Each of these
// rules is a behaviour with a name (condyle/behaviour_table.h), and a model says which it wants: by
// <compiler dialect="4.0"> all up to that release, by <option><behaviour actearly="enable"/> one by
// one. A model that says nothing has those of 3.3.7, unless the program asked for more
// (cnd_setDefaultDialect, mjVERSION_API). The choice is kept in the model (mjOption.behaviour), in
// its MJCF and in binary files.                                            theory/model/dialects.md

#ifndef CONDYLE_BEHAVIOUR_H_
#define CONDYLE_BEHAVIOUR_H_

#include <condyle/behaviour_table.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjspec.h>

#ifdef __cplusplus
extern "C" {
#endif

// Indices of behaviours; the bit of one in mjOption.behaviour is 1 << index.
typedef enum cndBehaviour_ {
#define CND_INDEX(name, release, meaning) cndBEHAVIOUR_##name,
  CND_BEHAVIOURS(CND_INDEX)
#undef CND_INDEX
  cndNBEHAVIOUR
} cndBehaviour;

// A row of the table.
typedef struct cndBehaviourRow_ {
  const char* name;
  const char* release;  // that brought the rule, e.g. "3.5"
  const char* meaning;
} cndBehaviourRow;

// The row of a behaviour; NULL if i is out of range.
MJAPI const cndBehaviourRow* cnd_behaviour(int i);

// The index of a name, -1 if there is none.
MJAPI int cnd_behaviourByName(const char* name);

// The number of a dialect: 303 for "3.3" and "3.3.7", 312 for "3.12", 400 for "4.0" and "4.0.0"; 0
// if the text is none from 3.3 to 4.0.
MJAPI int cnd_dialect(const char* text);

// The bits of all behaviours up to a dialect (its number).
MJAPI int cnd_dialectBehaviour(int dialect);

// Whether a behaviour can change a result of this model at all: 0 if it uses nothing of what the
// rule is about.
MJAPI int cnd_behaviourMatters(const mjModel* m, int behaviour);

// Makes a spec one of the given dialect (its number): sets compiler.dialect and option.behaviour.
MJAPI void cnd_setDialect(mjSpec* s, int dialect);

// Sets the dialect of models that name none, for all files read and specs made from now on by all
// threads; 303 at the start. Returns the one before.
MJAPI int cnd_setDefaultDialect(int dialect);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_BEHAVIOUR_H_
