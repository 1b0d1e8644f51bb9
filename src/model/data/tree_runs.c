// Cuts runs where trees begin.

#include "model/data/tree_runs.h"

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"

enum {
  PART = 64  // bodies of a part, besides what its last tree has more
};

typedef struct {
  const mjModel* m;
  const AwakeRun* run;
  RunCall call;
  void* argument;
} CutRun;

// The first body from b on that a tree begins with, or the end of the run.
static int first_of_tree(const CutRun* s, int b) {
  while (b > s->run->body && b < s->run->body_end && s->m->body_parentid[b]) {
    b++;
  }
  return b;
}

// The address of the first element of the bodies from b on.
static int first_element(const CutRun* s, const int* adr, const int* num, int b, int end) {
  while (b < s->run->body_end && !num[b]) {
    b++;
  }
  return b < s->run->body_end ? adr[b] : end;
}

static void call_part(void* argument, int begin, int end) {
  const CutRun* s = argument;
  const mjModel* m = s->m;
  const AwakeRun* run = s->run;
  int first = run->body + begin * PART, last = run->body + end * PART;
  int body = first_of_tree(s, first);
  int body_end = last < run->body_end ? first_of_tree(s, last) : run->body_end;
  AwakeRun part = {
      .body = body,
      .body_end = body_end,
      .joint = first_element(s, m->body_jntadr, m->body_jntnum, body, run->joint_end),
      .joint_end = first_element(s, m->body_jntadr, m->body_jntnum, body_end, run->joint_end),
      .dof = first_element(s, m->body_dofadr, m->body_dofnum, body, run->dof_end),
      .dof_end = first_element(s, m->body_dofadr, m->body_dofnum, body_end, run->dof_end),
      .geom = first_element(s, m->body_geomadr, m->body_geomnum, body, run->geom_end),
      .geom_end = first_element(s, m->body_geomadr, m->body_geomnum, body_end, run->geom_end),
      .site = run->site,
      .site_end = run->site,
  };
  if (body < body_end) {
    s->call(s->argument, &part);
  }
}

void run_cut(const mjModel* m, mjData* d, const AwakeRun* run, RunCall call, void* argument) {
  CutRun cut = {m, run, call, argument};
  share_for(d, (run->body_end - run->body + PART - 1) / PART, 1, call_part, &cut);
}

typedef struct {
  const TreeGroups* groups;
  GroupCall call;
  void* argument;
} CutGroups;

static void call_groups(void* argument, int begin, int end) {
  const CutGroups* s = argument;
  s->call(s->argument, s->groups, begin, end);
}

void groups_cut(const mjModel* m, mjData* d, const TreeGroups* groups, GroupCall beside,
                void* argument) {
  int n = groups->n;
  int bodies = SIMD_N * m->tree_bodynum[groups->tree[0]];  // of the first group, about as of all
  if (share_pays(d, n * bodies, RUN_LEAST)) {
    CutGroups cut = {groups, beside, argument};
    share_for(d, n, int_max(1, PART / bodies), call_groups, &cut);
  } else {
    beside(argument, groups, 0, n);
  }
}
