// report.c: what a model is made of, body by body, as a table.

#include "report/report.h"

#include <condyle/load.h>
#include <condyle/spec.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// collecting

// Is a geom drawn by default?
static int is_seen(const mjModel* m, int geom) {
  enum {
    MOST_SHOWN = 2  // the group up to which mjv_defaultOption shows geoms
  };
  int material = m->geom_matid[geom];
  float alpha = material >= 0 ? m->mat_rgba[4 * material + 3] : m->geom_rgba[4 * geom + 3];
  return m->geom_group[geom] <= MOST_SHOWN && alpha > 0;
}

static void find_uses(Report* report) {
  const mjModel* m = report->m;
  for (int g = 0; g < m->ngeom; g++) {
    report->seen[g] = (unsigned char)is_seen(m, g);
    report->collides[g] = m->geom_contype[g] || m->geom_conaffinity[g];
  }
  for (int i = 0; i < m->npair; i++) {
    report->collides[m->pair_geom1[i]] = report->collides[m->pair_geom2[i]] = 1;
  }
}

static void add_notes(Report* report, const mjSpec* spec, const cndDiagnostics* list) {
  const cndDiagnostic* problem;
  for (int i = 0; (problem = cnd_diagnostic(list, i)); i++) {
    int body = spec ? cnd_diagnosticBody(spec, problem) : -1;
    report->notes[report->nnote++] = (ReportNote){problem, body < report->m->nbody ? body : -1};
  }
}

int report_make(Report* report, const char* path, const LoadedModel* loaded) {
  const cndDiagnostics* compiling = loaded->spec ? cnd_specDiagnostics(loaded->spec) : NULL;
  size_t most = (size_t)cnd_diagnosticCount(loaded->reading, cndSEVERITY_WARNING) +
                (size_t)cnd_diagnosticCount(compiling, cndSEVERITY_WARNING);
  *report = (Report){.path = path, .m = loaded->m};
  report->notes = malloc((most + 1) * sizeof(ReportNote));
  report->seen = calloc((size_t)loaded->m->ngeom + 1, 1);
  report->collides = calloc((size_t)loaded->m->ngeom + 1, 1);
  if (!report->notes || !report->seen || !report->collides) {
    report_free(report);
    return 0;
  }
  find_uses(report);
  add_notes(report, loaded->spec, loaded->reading);
  add_notes(report, loaded->spec, compiling);
  return 1;
}

void report_free(Report* report) {
  free(report->notes);
  free(report->seen);
  free(report->collides);
}

// geoms

const char* report_bodyname(const mjModel* m, int body) {
  static char number[32];
  const char* name = mj_id2name(m, mjOBJ_BODY, body);
  snprintf(number, sizeof number, "body %d", body);
  return name && *name ? name : number;
}

const char* report_geomname(const mjModel* m, int geom) {
  const char* name = mj_id2name(m, mjOBJ_GEOM, geom);
  int type = m->geom_type[geom], data = m->geom_dataid[geom];
  if (!(name && *name) && data >= 0) {
    name =
        type == mjGEOM_HFIELD ? mj_id2name(m, mjOBJ_HFIELD, data) : mj_id2name(m, mjOBJ_MESH, data);
  }
  return name ? name : "";
}

const char* report_kind(const mjModel* m, int geom) {
  static const char* const kinds[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                      "cylinder", "box",    "mesh",   "sdf"};
  int type = m->geom_type[geom];
  return type >= 0 && type < (int)(sizeof kinds / sizeof *kinds) ? kinds[type] : "shape";
}

const char* report_use(const Report* report, int geom) {
  static const char* const uses[2][2] = {{"hidden", "collides"}, {"seen", "both"}};
  return uses[report->seen[geom]][report->collides[geom]];
}

void report_size(char text[48], const mjModel* m, int geom) {
  const mjtNum* half = m->geom_aabb + 6 * geom + 3;
  if (m->geom_type[geom] == mjGEOM_PLANE) {
    strcpy(text, "-");
  } else {
    snprintf(text, 48, "%.3g x %.3g x %.3g", 2 * (double)half[0], 2 * (double)half[1],
             2 * (double)half[2]);
  }
}

int report_vertices(const mjModel* m, int geom) {
  int is_mesh = m->geom_type[geom] == mjGEOM_MESH || m->geom_type[geom] == mjGEOM_SDF;
  return is_mesh && m->geom_dataid[geom] >= 0 ? m->mesh_vertnum[m->geom_dataid[geom]] : 0;
}

int report_hullvertices(const mjModel* m, int geom) {
  int graph = report_vertices(m, geom) ? m->mesh_graphadr[m->geom_dataid[geom]] : -1;
  return graph >= 0 ? m->mesh_graph[graph] : 0;
}

// Measured, each kind with its like in deep contact. Of n vertices of a hull those on a way across
// it are visited, about sqrt(n), in each step of a search whose length hardly depends on n.
double report_cost(const Report* report, int geom) {
  static const double costs[mjNGEOMTYPES] = {
      [mjGEOM_PLANE] = 1,      [mjGEOM_SPHERE] = 1,    [mjGEOM_CAPSULE] = 1,
      [mjGEOM_ELLIPSOID] = 45, [mjGEOM_CYLINDER] = 45, [mjGEOM_BOX] = 4};
  static const double mesh_cost = 12;
  const mjModel* m = report->m;
  int type = m->geom_type[geom];
  if (!report->collides[geom] || type < 0 || type >= mjNGEOMTYPES) {
    return 0;
  }
  int hull = report_hullvertices(m, geom);
  return type == mjGEOM_MESH ? mesh_cost * sqrt(hull ? hull : report_vertices(m, geom))
                             : costs[type];
}

double report_bodycost(const Report* report, int body) {
  double sum = 0;
  for (int k = 0; k < report->m->body_geomnum[body]; k++) {
    sum += report_cost(report, report->m->body_geomadr[body] + k);
  }
  return sum;
}

double report_allcost(const Report* report) {
  double sum = 0;
  for (int g = 0; g < report->m->ngeom; g++) {
    sum += report_cost(report, g);
  }
  return sum;
}

int report_partner(int* at, const mjModel* m, int body) {
  while (*at < m->nexclude) {
    int signature = m->exclude_signature[(*at)++], one = signature >> 16, two = signature & 0xFFFF;
    if (one == body || two == body) {
      return one == body ? two : one;
    }
  }
  return -1;
}

int report_has(const Report* report, int body) {
  int at = 0, has = body > 0 || report->m->body_geomnum[body];
  for (int i = 0; i < report->nnote && !has; i++) {
    has = report->notes[i].body == body;
  }
  return has || report_partner(&at, report->m, body) >= 0;
}

void report_place(char text[200], const cndDiagnostic* problem) {
  const char *slash = strrchr(problem->file, '/'), *element = problem->element;
  const char* file = slash ? slash + 1 : problem->file;
  char line[16] = "";
  if (problem->line > 0) {
    snprintf(line, sizeof line, ":%d", problem->line);
  }
  snprintf(text, 200, "%.90s%s%s%s%.60s%s", file, line, *file || *line ? ": " : "",
           *element ? "<" : "", element, *element ? ">: " : "");
}

// the table

// Prints a text from a file; what a terminal would obey becomes '?'.
static void print_plain(const char* text) {
  for (const unsigned char* c = (const unsigned char*)text; *c; c++) {
    int is_control = *c < ' ' || *c == 127 || (*c == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0);
    c += *c == 0xC2 && is_control;
    putchar(is_control ? '?' : *c);
  }
}

// Prints a text in a column.
static void print_column(const char* text, int width) {
  int length = 0;
  for (const char* c = text; *c; c++) {
    length += ((unsigned char)*c & 0xC0) != 0x80;
  }
  print_plain(text);
  printf("%*s", length < width ? width - length : 0, "");
}

static void print_count(int count) {
  char text[16] = "-";
  if (count) {
    snprintf(text, sizeof text, "%d", count);
  }
  printf(" %9s", text);
}

static void print_cost(double cost) {
  char text[32] = "-";
  if (cost > 0) {
    snprintf(text, sizeof text, "%.0f", ceil(cost));
  }
  printf(" %9s", text);
}

static void print_geom(const Report* report, int geom, int width) {
  const mjModel* m = report->m;
  char size[48];
  report_size(size, m, geom);
  printf("  ");
  print_column(report_geomname(m, geom), width - 2);
  printf(" %10s   %-9s %-9s %-24s", "", report_use(report, geom), report_kind(m, geom), size);
  print_count(report_vertices(m, geom));
  print_count(report_hullvertices(m, geom));
  print_cost(report_cost(report, geom));
  printf("\n");
}

static void print_note(const cndDiagnostic* problem) {
  char place[200];
  report_place(place, problem);
  printf("  ! ");
  print_plain(place);
  print_plain(problem->message);
  if (problem->hint[0]) {
    printf(" (");
    print_plain(problem->hint);
    printf(")");
  }
  printf("\n");
}

static void print_partners(const mjModel* m, int body) {
  for (int at = 0, first = 1, partner; (partner = report_partner(&at, m, body)) >= 0; first = 0) {
    printf("%s", first ? "  ! never collides with " : ", ");
    print_plain(report_bodyname(m, partner));
  }
  int at = 0;
  printf("%s", report_partner(&at, m, body) >= 0 ? "\n" : "");
}

static void print_body(const Report* report, int body, int width) {
  const mjModel* m = report->m;
  print_column(report_bodyname(m, body), width);
  printf(" %10.5g   %-9s %-9s %-24s %9s %9s", (double)m->body_mass[body], "", "", "", "", "");
  print_cost(report_bodycost(report, body));
  printf("\n");
  for (int k = 0; k < m->body_geomnum[body]; k++) {
    print_geom(report, m->body_geomadr[body] + k, width);
  }
  print_partners(m, body);
  for (int i = 0; i < report->nnote; i++) {
    if (report->notes[i].body == body) {
      print_note(report->notes[i].problem);
    }
  }
}

void report_print(const Report* report) {
  enum {
    WIDTH = 32
  };
  const mjModel* m = report->m;
  int seen = 0, collide = 0;
  for (int g = 0; g < m->ngeom; g++) {
    seen += report->seen[g];
    collide += report->collides[g];
  }
  printf("model '");
  print_plain(m->names);
  printf("': %d bodies of %.6g kg; %d geoms, %d seen, %d collide at a cost of %.0f\n\n",
         (int)m->nbody - 1, (double)m->body_subtreemass[0], (int)m->ngeom, seen, collide,
         ceil(report_allcost(report)));
  printf("%-*s %10s   %-9s %-9s %-24s %9s %9s %9s\n", WIDTH, "body, its geoms", "mass kg", "use",
         "kind", "size m", "vertices", "of hull", "cost");
  for (int body = 0; body < m->nbody; body++) {
    if (report_has(report, body)) {
      print_body(report, body, WIDTH);
    }
  }
  int general = 0;
  for (int i = 0; i < report->nnote; i++) {
    if (report->notes[i].body < 0) {
      printf("%s", general++ ? "" : "the whole model\n");
      print_note(report->notes[i].problem);
    }
  }
}
