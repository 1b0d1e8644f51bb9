// replicas.h: copies of one mjData, for threads that evaluate steps beside each other.
//
// A step of one mjData shares out only what its stages can. Finite differences need many steps from
// one state, so each thread of the data's pool takes steps of its own, in a copy:
//
//   thread 0 (the caller)   the data itself       workers 1, 2, ...   copies, with all stages
//
// Which thread takes a step can't be seen in its result. What can't be shared out so (callbacks,
// plugins, a step that warns) is left to the caller, in order.
//                                                   theory/data.md, Threads within one step

#pragma once

#include <mujoco/mjdata.h>

typedef struct {
  int n;  // copies, besides the data; 0: nothing is shared out
  mjData* d;
  mjData** copy;
} Replicas;

// Copies d for the workers of its pool; the array of copies is on its stack. There are none without
// a pool, where a program's code takes part in a step, or if memory is out.
Replicas replicas_make(const mjModel* m, mjData* d);
void replicas_free(Replicas* all);

// Calls call(argument, thread, i) for every 0 <= i < n, on the threads of the pool; a thread > 0
// has copy[thread - 1]. Returns 0 if a call warned or ended in mju_error, of which nobody is
// told: then the caller does all again.
int replicas_run(const Replicas* all, int n, void (*call)(void* argument, int thread, int i),
                 void* argument);
