// compile.c: condyle compile MODEL: all problems of a model, or what it is made of.

#include <condyle/load.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

static const char* name_or(const mjModel* m, int type, int id, const char* fallback) {
  const char* name = mj_id2name(m, type, id);
  return name && *name ? name : fallback;
}

static void print_sizes(const mjModel* m) {
  static const char* const joint_types[4] = {"free", "ball", "slide", "hinge"};
  int joints[4] = {0};
  for (int i = 0; i < m->njnt; i++) {
    joints[m->jnt_type[i]]++;
  }
  printf("model '%s'\n", m->names);
  printf("  positions %d, degrees of freedom %d, controls %d, activations %d\n", (int)m->nq,
         (int)m->nv, (int)m->nu, (int)m->na);
  printf("  bodies %d in %d trees, geoms %d, sites %d, cameras %d, lights %d\n", (int)m->nbody,
         (int)m->ntree, (int)m->ngeom, (int)m->nsite, (int)m->ncam, (int)m->nlight);
  printf("  joints %d:", (int)m->njnt);
  for (int i = 0; i < 4; i++) {
    printf(" %s %d%s", joint_types[i], joints[i], i < 3 ? "," : "\n");
  }
  printf("  tendons %d, equalities %d, contact pairs %d, exclusions %d\n", (int)m->ntendon,
         (int)m->neq, (int)m->npair, (int)m->nexclude);
  printf("  meshes %d, height fields %d, textures %d, materials %d, keyframes %d\n", (int)m->nmesh,
         (int)m->nhfield, (int)m->ntex, (int)m->nmat, (int)m->nkey);
  printf("  total mass %.6g kg, extent %.4g m, timestep %g s\n", (double)m->body_subtreemass[0],
         (double)m->stat.extent, (double)m->opt.timestep);
  printf("  model %.1f KB, arena %.1f KB\n", (double)m->nbuffer / 1024, (double)m->narena / 1024);
}

static void print_bodies(const mjModel* m) {
  printf("\n%-24s %-20s %12s %12s   %s\n", "body", "parent", "mass kg", "subtree kg",
         "principal inertia kg m2");
  for (int i = 1; i < m->nbody; i++) {
    const mjtNum* inertia = m->body_inertia + 3 * i;
    printf("%-24s %-20s %12.5g %12.5g   %.4g %.4g %.4g\n", name_or(m, mjOBJ_BODY, i, "-"),
           name_or(m, mjOBJ_BODY, m->body_parentid[i], "-"), (double)m->body_mass[i],
           (double)m->body_subtreemass[i], (double)inertia[0], (double)inertia[1],
           (double)inertia[2]);
  }
}

static void print_dofs(const mjModel* m) {
  if (!m->nv) {
    return;
  }
  printf("\n%-32s %-20s %11s %11s %11s   %s\n", "degree of freedom", "body", "inertia", "armature",
         "damping", "range");
  for (int i = 0; i < m->nv; i++) {
    char name[100];
    dof_name(name, sizeof name, m, i);
    printf("%-32s %-20s %11.4g %11.4g %11.4g   ", name,
           name_or(m, mjOBJ_BODY, m->dof_bodyid[i], "-"), (double)m->dof_M0[i],
           (double)m->dof_armature[i], (double)m->dof_damping[i]);
    int joint = m->dof_jntid[i];
    if (m->jnt_limited[joint] && m->jnt_type[joint] != mjJNT_FREE) {
      printf("%.4g .. %.4g\n", (double)m->jnt_range[2 * joint],
             (double)m->jnt_range[2 * joint + 1]);
    } else {
      printf("-\n");
    }
  }
}

int command_compile(int argc, char** argv) {
  if (argc != 1 || argv[0][0] == '-') {
    return usage_error("compile", "exactly one MODEL is needed");
  }
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* m = cnd_loadXML(argv[0], NULL, problems);
  int count = cnd_diagnosticCount(problems, cndSEVERITY_WARNING);
  for (int i = 0; i < count; i++) {
    const cndDiagnostic* problem = cnd_diagnostic(problems, i);
    char line[2000];
    cnd_formatDiagnostic(line, sizeof line, problem);
    fprintf(stderr, "%s%s\n", problem->severity == cndSEVERITY_ERROR ? "" : "warning: ", line);
  }
  cnd_deleteDiagnostics(problems);
  if (!m) {
    return STATUS_INPUT;
  }
  print_sizes(m);
  print_bodies(m);
  print_dofs(m);
  mj_deleteModel(m);
  return STATUS_OK;
}
