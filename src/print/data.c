// data.c: mj_printData writes mjData as text.
//
// Every array of real numbers is printed with one row per line, in the order of the field table.
// Some arrays have a special form. Layout and format follow the reference, so that scripts
// which read such files keep working.                       theory/data.md, Printed models and data

#include <condyle/condyle.h>
#include <mujoco/api/base.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/model.h>
#include <mujoco/api/print.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/memory.h"
#include "model/checks/pair.h"
#include "model/data/jacobian.h"
#include "print/print.h"

// head

static void print_sizes(const Print* print, const mjModel* m, const mjData* d) {
  static const char hidden[] = " pstack pbase parena ";
  const size_t buffer = (size_t)d->nbuffer, arena = (size_t)d->narena;
  fprintf(print->file, "MEMORY");
  print_memory(print, 16, "total", sizeof(mjData) + buffer + arena);
  print_memory(print, 16, "struct", sizeof(mjData));
  print_memory(print, 16, "buffer", buffer);
  print_memory(print, 16, "arena", arena);
  fprintf(print->file, ", used %.1f%%\n\nSIZES\n",
          arena ? 100 * (double)d->maxuse_arena / (double)arena : 0);
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    cndArray array = {0};
    char name[40];
    snprintf(name, sizeof(name), " %s ", field->name);
    if (field->pointer || strcmp(field->rows, "1") || print_isreal(field) || field->hidden ||
        strstr(hidden, name)) {
      continue;
    }
    cnd_dataArray(&array, m, d, field->name);
    fprintf(print->file, "  %-21s %lld\n", field->name, print_intat(&array, 0));
  }
  fprintf(print->file, "\n");
}

// The counts of warnings and the timers that are not 0.
static void print_log(const Print* print, const mjData* d) {
  const char* title = "WARNING\n";
  for (int i = 0; i < mjNWARNING; i++) {
    if (d->warning[i].number) {
      fprintf(print->file, "%s    %d:  lastinfo = %d   number = %d\n", title, i,
              d->warning[i].lastinfo, d->warning[i].number);
      title = "";
    }
  }
  fprintf(print->file, *title ? "" : "\n");
  title = "TIMER\n";
  for (int i = 0; i < mjNTIMER; i++) {
    if (d->timer[i].duration > 0) {
      fprintf(print->file, "%s    %d:  duration = ", title, i);
      print_real(print, d->timer[i].duration);
      fprintf(print->file, "  number = %d\n", d->timer[i].number);
      title = "";
    }
  }
  fprintf(print->file, *title ? "" : "\n");
}

static void put_reals(const Print* print, const mjtNum* v, int n) {
  for (int i = 0; i < n; i++) {
    fprintf(print->file, " ");
    print_real(print, v[i]);
  }
}

static void print_solver(const Print* print, const mjData* d) {
  if (!d->nefc) {
    return;
  }
  fprintf(print->file, "SOLVER STAT\n  solver_fwdinv = ");
  put_reals(print, d->solver_fwdinv, 2);
  fprintf(print->file, "\n");
  int nisland = d->nisland < 1 ? 1 : d->nisland < mjNISLAND ? d->nisland : mjNISLAND;
  for (int i = 0; i < nisland; i++) {
    if (i > 0 && !d->solver_niter[i]) {
      continue;
    }
    int niter = d->solver_niter[i] < mjNSOLVER ? d->solver_niter[i] : mjNSOLVER;
    fprintf(print->file, "  ISLAND %d\n    solver_niter = %d\n    solver_nnz = %d\n", i,
            d->solver_niter[i], d->solver_nnz[i]);
    for (int k = 0; k < niter; k++) {
      const mjSolverStat* stat = d->solver + i * mjNSOLVER + k;
      fprintf(print->file, "      %d:  improvement = ", k);
      print_real(print, stat->improvement);
      fprintf(print->file, "    gradient = ");
      print_real(print, stat->gradient);
      fprintf(print->file, "    lineslope = ");
      print_real(print, stat->lineslope);
      fprintf(print->file, "\n          nactive = %d   nchange = %d   neval = %d   nupdate = %d\n",
              stat->nactive, stat->nchange, stat->neval, stat->nupdate);
    }
    fprintf(print->file, "\n");
  }
}

static void print_head(const Print* print, const mjModel* m, const mjData* d) {
  print_sizes(print, m, d);
  print_log(print, d);
  print_solver(print, d);
  fprintf(print->file, "ENERGY = ");
  put_reals(print, d->energy, 2);
  fprintf(print->file, "\n\nTIME = ");
  print_real(print, d->time);
  fprintf(print->file, "\n\n");
}

// blocks

static void put_title(const Print* print, const char* name) {
  print_upper(print, name);
  fprintf(print->file, "\n");
}

static void print_rows(const Print* print, const char* title, const cndArray* array) {
  put_title(print, title);
  for (size_t r = 0; r < array->rows; r++) {
    fprintf(print->file, " ");
    for (size_t i = r * array->columns; i < (r + 1) * array->columns; i++) {
      fprintf(print->file, " ");
      if (print_isreal(array->field)) {
        print_real(print, print_realat(array, i));
      } else {
        fprintf(print->file, "%lld", print_intat(array, i));
      }
    }
    fprintf(print->file, "\n");
  }
  fprintf(print->file, "\n");
}

static void print_array(const Print* print, const mjModel* m, const mjData* d, const char* name) {
  cndArray array;
  cnd_dataArray(&array, m, d, name);
  print_rows(print, name, &array);
}

// Prints integers on one line, with a bar before each island but the first and before index `end`.
// part: the index at which each island starts.
static void print_line(const Print* print, const cndArray* array, const int* part, int npart,
                       int end) {
  char title[40];
  size_t n = array->rows * array->columns;
  int next = 1;
  print_upper(print, array->field->name);
  snprintf(title, sizeof(title), "%-*s", 21 - (int)strlen(array->field->name), "");
  fprintf(print->file, "%s", title);
  for (size_t i = 0; i < n; i++) {
    int is_next = next < npart && part[next] == (int)i;
    int barred = is_next || (end >= 0 && end == (int)i);
    next += is_next;
    fprintf(print->file, barred ? " | %lld" : " %lld", print_intat(array, i));
  }
  fprintf(print->file, "\n\n");
}

// Prints a matrix in compressed rows: column and value of each entry.
static void print_sparse(const Print* print, const char* name, const mjtNum* value,
                         const PrintPattern* p) {
  put_title(print, name);
  for (int r = 0; r < p->rows; r++) {
    fprintf(print->file, "  ");
    for (int k = p->rowadr[r]; k < p->rowadr[r] + p->rownnz[r]; k++) {
      fprintf(print->file, "  %2d: ", p->colind[k]);
      print_real(print, value[k]);
    }
    fprintf(print->file, "\n");
  }
  fprintf(print->file, "\n");
}

// Number of characters of a printed number.
static int width_of(const Print* print) {
  char text[400];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return snprintf(text, sizeof(text), print->format, 0.0);  // checked by print_open
#pragma GCC diagnostic pop
}

static void put_filled(const Print* print, char fill) {
  for (int i = width_of(print); i > 0; i--) {
    fprintf(print->file, "%c", fill);
  }
  fprintf(print->file, " ");
}

// The entry of qM for a dof and an earlier dof `before`; NULL if it is not stored. A row of qM goes
// from its dof to the root.
static const mjtNum* inertia_at(const mjModel* m, const mjData* d, int dof, int before) {
  const mjtNum* element = d->qM + m->dof_Madr[dof];
  for (; dof > before; dof = m->dof_parentid[dof]) {
    element++;
  }
  return dof == before ? element : NULL;
}

static void print_inertia(const Print* print, const mjModel* m, const mjData* d) {
  put_title(print, "qM");
  for (int i = 0; i < m->nv; i++) {
    fprintf(print->file, " ");
    for (int j = 0; j <= i; j++) {
      const mjtNum* element = inertia_at(m, d, i, j);
      if (element) {
        put_reals(print, element, 1);
      } else {
        put_filled(print, ' ');
      }
    }
    fprintf(print->file, "\n");
  }
  fprintf(print->file, "\n");
}

// Prints a pattern in the order of islands. The columns of a row count from the first dof of its
// island. Entries are printed as island ids.
static void print_blocks(const Print* print, const mjData* d, const char* title, PrintPattern p,
                         const int* island_of, const int* original) {
  int* first = heap_take(2 * (size_t)p.rows * sizeof(int));
  if (!first) {
    mju_warning("out of memory: %s is not printed", title);
    return;
  }
  int* island = first + p.rows;
  for (int i = 0; i < p.rows; i++) {
    island[i] = island_of[original[i]];
    first[i] = d->island_idofadr[island[i]];
  }
  p.rowfirst = first;
  p.rowdigit = island;
  print_picture(print, title, &p);
  heap_free(first);
}

static void print_structure(const Print* print, const mjModel* m, const mjData* d) {
  if (d->nisland) {
    PrintPattern inertia = PRINT_PATTERN(m->nv, m->nv, m->M);
    PrintPattern blocks = PRINT_PATTERN(d->nidof, d->nidof, d->iM);
    print_picture(print, "M: inertia structure", &inertia);
    print_blocks(print, d, "iM: block-diagonal inertia (nnzs are island ids)", blocks,
                 d->dof_island, d->map_idof2dof);
  }
}

static void put_named(const Print* print, const char* title, const mjtNum* v, int n) {
  fprintf(print->file, "     %-13s", title);
  put_reals(print, v, n);
  fprintf(print->file, "\n");
}

static void put_geom(const Print* print, const mjModel* m, int geom, int flex) {
  const char* name = mj_id2name(m, geom >= 0 ? mjOBJ_GEOM : mjOBJ_FLEX, geom >= 0 ? geom : flex);
  if (name) {
    fprintf(print->file, "%s", name);
  } else {
    fprintf(print->file, "%d", geom >= 0 ? geom : flex);
  }
}

static void print_contacts(const Print* print, const mjModel* m, const mjData* d) {
  put_title(print, "contact");
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* contact = d->contact + i;
    mjtNum force[6];
    fprintf(print->file, "  %d:\n     dim           %d\n     geoms         ", i, contact->dim);
    put_geom(print, m, contact->geom[0], contact->flex[0]);
    fprintf(print->file, " : ");
    put_geom(print, m, contact->geom[1], contact->flex[1]);
    fprintf(print->file, "\n     exclude       %d\n     efc_address   %d\n", contact->exclude,
            contact->efc_address);
    put_named(print, "solref", contact->solref, mjNREF);
    put_named(print, "solimp", contact->solimp, mjNIMP);
    put_named(print, "dist", &contact->dist, 1);
    put_named(print, "includemargin", &contact->includemargin, 1);
    put_named(print, "pos", contact->pos, 3);
    put_named(print, "frame", contact->frame, 9);
    put_named(print, "friction", contact->friction, 5);
    put_named(print, "mu", &contact->mu, 1);
    mj_contactForce(m, d, i, force);
    put_named(print, "force", force, 6);
  }
  fprintf(print->file, d->ncon ? "\n" : "");
}

static void print_tendons(const Print* print, const mjModel* m, const mjData* d) {
  if (mj_isSparse(m)) {
    PrintPattern moments = PRINT_PATTERN(m->ntendon, m->nv, d->ten_J);
    print_picture(print, "TEN_J: tendon moments", &moments);
    print_array(print, m, d, "ten_J_rownnz");
    print_array(print, m, d, "ten_J_rowadr");
    print_sparse(print, "ten_J", d->ten_J, &moments);
  } else {
    cndArray moments;
    cnd_dataArray(&moments, m, d, "ten_J");
    print_rows(print, "ten_moment", &moments);
  }
  for (int i = 0; i < m->ntendon; i++) {
    fprintf(print->file, "TENDON %d: %d wrap points\n", i, d->ten_wrapnum[i]);
    for (int k = d->ten_wrapadr[i]; k < d->ten_wrapadr[i] + d->ten_wrapnum[i]; k++) {
      fprintf(print->file, "    %d:  ", d->wrap_obj[k]);
      put_reals(print, d->wrap_xpos + 3 * k, 3);
      fprintf(print->file, "\n");
    }
    fprintf(print->file, "\n");
  }
}

// Prints the Jacobian in the order of islands. Columns that belong to other islands are dots.
// iefc_J stores the block of an island, row by row, from entry nidof * (first row of the island)
// on.
static void print_islandrows(const Print* print, const mjData* d) {
  put_title(print, "iefc_J");
  for (int r = 0; r < d->nefc; r++) {
    int island = d->efc_island[d->map_iefc2efc[r]];
    int row = d->island_iefcadr[island], first = d->island_idofadr[island];
    int n = d->island_nv[island];
    fprintf(print->file, " ");
    for (int c = 0; c < d->nidof; c++) {
      if (c == first) {
        put_reals(print, d->iefc_J + (size_t)d->nidof * (size_t)row + (size_t)n * (size_t)(r - row),
                  n);
      } else if (c < first || c >= first + n) {
        put_filled(print, '.');
      }
    }
    fprintf(print->file, "\n");
  }
  fprintf(print->file, "\n");
}

static void print_jacobian(const Print* print, const mjModel* m, const mjData* d) {
  if (!rows_are_sparse(m, d)) {
    cndArray array;
    cnd_dataArray(&array, m, d, "efc_J");
    array.rows = (size_t)d->nefc;
    array.columns = (size_t)m->nv;
    print_rows(print, "efc_J", &array);
    if (d->nisland) {
      print_islandrows(print, d);
    }
    return;
  }
  print_array(print, m, d, "efc_J_rownnz");
  print_array(print, m, d, "efc_J_rowadr");
  PrintPattern rows = PRINT_PATTERN(d->nefc, m->nv, d->efc_J);
  rows.rowsuper = d->efc_J_rowsuper;
  print_sparse(print, "efc_J", d->efc_J, &rows);
  print_picture(print, "J: constraint Jacobian", &rows);
  if (d->nisland) {
    PrintPattern blocks = PRINT_PATTERN(d->nefc, d->nidof, d->iefc_J);
    blocks.rowsuper = d->iefc_J_rowsuper;
    print_blocks(print, d, "IEFC_J: block-diagonalized constraint Jacobian (nnzs are island ids)",
                 blocks, d->efc_island, d->map_iefc2efc);
  }
}

static void print_projection(const Print* print, const mjModel* m, const mjData* d) {
  cndArray array;
  if (rows_are_sparse(m, d)) {
    PrintPattern pattern = PRINT_PATTERN(d->nefc, d->nefc, d->efc_AR);
    print_sparse(print, "efc_AR", d->efc_AR, &pattern);
  } else if (cnd_dataArray(&array, m, d, "efc_AR")) {
    array.rows = array.columns = (size_t)d->nefc;
    print_rows(print, "efc_AR", &array);
  }
}

// Prints a field that has a special form, with related fields. Returns 0 for ordinary fields.
static int print_special(const Print* print, const cndArray* array, const mjModel* m,
                         const mjData* d) {
  const char* name = array->field->name;
  const mjtNum* value = array->data;
  const PrintPattern inertia = PRINT_PATTERN(m->nv, m->nv, m->M);
  const PrintPattern derivative = PRINT_PATTERN(m->nv, m->nv, m->D);
  const PrintPattern moments = PRINT_PATTERN((int)m->nout, m->nv, d->moment);
  static const char hidden[] =
      " ten_wrapadr ten_wrapnum ten_J_rownnz ten_J_rowadr ten_J_colind ten_J wrap_obj wrap_xpos "
      "moment_rownnz moment_rowadr moment_colind M ";
  char word[40];
  snprintf(word, sizeof(word), " %s ", name);
  if (strstr(hidden, word)) {
    return 1;
  }

  // these arrays are zero, and not printed, unless the integrator treats damping implicitly
  int factor = !strcmp(name, "qH");
  if ((factor || strstr(" qHDiagInv qDeriv qLU ", word)) &&
      mju_isZero(factor ? d->qHDiagInv : value, factor ? m->nv : (int)array->rows)) {
    return 1;
  }
  if (!strcmp(name, "sensordata")) {
    print_rows(print, "sensor", array);
  } else if (!strcmp(name, "ten_length")) {
    print_rows(print, name, array);
    print_tendons(print, m, d);
  } else if (!strcmp(name, "actuator_moment")) {
    print_picture(print, name, &moments);
    print_sparse(print, name, value, &moments);
  } else if (!strcmp(name, "qM")) {
    print_inertia(print, m, d);
    print_sparse(print, "M", d->M, &inertia);
  } else if (factor || !strcmp(name, "qLD")) {
    print_sparse(print, name, value, &inertia);
  } else if (!strcmp(name, "qLDiagInv")) {
    print_rows(print, name, array);
    print_structure(print, m, d);
  } else if (!strcmp(name, "qDeriv") || !strcmp(name, "qLU")) {
    print_sparse(print, name, value, &derivative);
  } else if (!strcmp(name, "efc_J")) {
    print_jacobian(print, m, d);
  } else if (!strcmp(name, "efc_AR")) {
    print_projection(print, m, d);
  } else if (!strcmp(name, "map_idof2dof")) {
    print_line(print, array, d->island_idofadr, d->nisland, d->nidof);
  } else if (!strcmp(name, "map_iefc2efc")) {
    print_line(print, array, d->island_iefcadr, d->nisland, d->nefc);
  } else {
    return 0;
  }
  return 1;
}

static void print_field(const Print* print, const mjModel* m, const mjData* d, const char* name) {
  static const char columns[] = " efc_type efc_id efc_state ";
  static const char lines[] =
      " eq_active dof_island island_nv island_idofadr efc_island island_nefc island_iefcadr "
      "tendon_efcadr ";
  cndArray array = {0};
  char word[40];
  snprintf(word, sizeof(word), " %s ", name);
  if (!strcmp(name, "contact")) {
    print_contacts(print, m, d);
    return;
  }
  if (!cnd_dataArray(&array, m, d, name) || !array.field->pointer || array.field->hidden ||
      !print_isused(&array) || !array.data || !array.rows || !array.columns ||
      print_special(print, &array, m, d)) {
    return;
  }
  if (strstr(lines, word)) {
    print_line(print, &array, NULL, 0, -1);
  } else if (print_isreal(array.field) || strstr(columns, word)) {
    print_rows(print, name, &array);
  }
}

static void print_fields(const Print* print, const mjModel* m, const mjData* d,
                         const char* const* names) {
  for (; *names; names++) {
    print_field(print, m, d, *names);
  }
}

// Fields that are printed before another field: arrays of the arena and factors follow the order of
// computation, not that of the table. Arrays of islands are printed last.
static const struct {
  const char* before;
  const char* fields[17];
} reordered[] = {
    {"ten_velocity",
     {"qH", "qHDiagInv", "qDeriv", "qLU", "contact", "efc_type", "efc_id", "efc_J", "efc_AR",
      "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagApprox", "efc_KBIP", "efc_D", "efc_R"}},
    {"subtree_linvel", {"efc_vel", "efc_aref"}},
    {"qfrc_constraint", {"efc_b", "efc_force", "efc_state"}},
};
static const char* const islands[] = {
    "dof_island",  "island_nv",      "island_idofadr", "map_idof2dof",  "efc_island",
    "island_nefc", "island_iefcadr", "map_iefc2efc",   "tendon_efcadr", NULL,
};

static int is_reordered(const char* name) {
  for (size_t k = 0; k < sizeof(reordered) / sizeof(reordered[0]); k++) {
    for (int i = 0; reordered[k].fields[i]; i++) {
      if (!strcmp(reordered[k].fields[i], name)) {
        return 1;
      }
    }
  }
  return 0;
}

void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                           const char* float_format) {
  check_pair(m, d);
  if (d->pstack) {
    mju_error("attempting to print mjData when stack is in use");
    return;
  }
  Print print;
  if (!print_open(&print, filename, float_format)) {
    return;
  }
  print_head(&print, m, d);
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    for (size_t k = 0; k < sizeof(reordered) / sizeof(reordered[0]); k++) {
      if (!strcmp(reordered[k].before, field->name)) {
        print_fields(&print, m, d, reordered[k].fields);
      }
    }
    if (!field->arena && !is_reordered(field->name)) {
      print_field(&print, m, d, field->name);
    }
  }
  print_fields(&print, m, d, islands);
  print_close(&print);
}

void mj_printData(const mjModel* m, const mjData* d, const char* filename) {
  check_pair(m, d);
  mj_printFormattedData(m, d, filename, print_defaultformat);
}
