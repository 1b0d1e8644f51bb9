// print.c: models and data as text for people, from the tables of fields.
//
// An object of the model shows every array that has a row for it, named in the left column. Data
// shows its arrays one by one, a row on a line. Layout and format follow the reference, so that
// scripts which read such files go on working.                              spec 07, section 6.2

#include <condyle/condyle.h>
#include <ctype.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

enum {
  FORMAT_BYTES = 32,  // room for a format and a blank
  MAX_SPARSE_ROWS = 300,
  NAME_COLUMNS = 21,
};

static const char default_format[] = "% -9.2g";

// Where text goes, and how numbers look.
typedef struct Print_ {
  FILE* file;
  char format[FORMAT_BYTES];
} Print;

// %[flags][width][.precision][L](f|e|g|E|G), each flag once: nothing else may reach printf.
static int format_valid(const char* format) {
  static const char flags[] = "-+ #0";
  int used[sizeof(flags)] = {0};
  size_t longest = 20;
  if (strlen(format) > longest || *format++ != '%') {
    return 0;
  }
  for (const char* flag; *format && (flag = strchr(flags, *format)); format++) {
    if (used[flag - flags]++) {
      return 0;
    }
  }
  format += strspn(format, "0123456789");
  if (*format == '.') {
    format++;
    format += strspn(format, "0123456789");
  }
  return *format && strchr("fgGeE", *format) && !format[1];
}

// 0 if the file can't be opened.
static int open_print(Print* print, const char* filename, const char* format) {
  if (!format_valid(format)) {
    mju_warning("WARNING: Received invalid float_format. Using default.");
    format = default_format;
  }
  snprintf(print->format, sizeof(print->format), "%s", format);
  print->file = filename ? fopen(filename, "wt") : stdout;
  if (!print->file) {
    mju_warning("Could not open file '%s' for writing", filename);
  }
  return print->file != NULL;
}

static void close_print(Print* print) {
  if (print->file != stdout && fclose(print->file)) {
    mju_warning("Could not write the file");
  }
}

static void put_real(const Print* print, double value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  fprintf(print->file, print->format, value);  // checked by format_valid
#pragma GCC diagnostic pop
}

static int isreal(const cndField* field) {
  return !strcmp(field->type, "mjtNum") || !strcmp(field->type, "float");
}

static double real_at(const cndArray* array, size_t i) {
  return array->field->size == sizeof(double) && !strcmp(array->field->type, "mjtNum")
             ? ((const double*)array->data)[i]
             : (double)((const float*)array->data)[i];
}

static int isint(const cndField* field) {
  return !strcmp(field->type, "int") || !strcmp(field->type, "mjtByte") ||
         !strcmp(field->type, "char");
}

static long long int_at(const cndArray* array, size_t i) {
  return array->field->size == sizeof(int) ? ((const int*)array->data)[i]
                                           : ((const unsigned char*)array->data)[i];
}

// Bytes in the largest unit that keeps them above one.
static void put_memory(const Print* print, const char* indent, size_t bytes) {
  static const char* const units[] = {"KB", "MB", "GB"};
  if (bytes < 1024) {
    fprintf(print->file, "%s%5zu bytes", indent, bytes);
    return;
  }
  double size = (double)bytes / 1024;
  int unit = 0;
  while (size >= 1024 && unit < 2) {
    size /= 1024;
    unit++;
  }
  fprintf(print->file, "%s%5.1f %s", indent, size, units[unit]);
}

// model

// Numbers of one row of an array.
static void put_row(const Print* print, const cndArray* array, size_t row) {
  for (size_t i = row * array->columns; i < (row + 1) * array->columns; i++) {
    if (isreal(array->field)) {
      put_real(print, real_at(array, i));
      fprintf(print->file, " ");
    } else {
      fprintf(print->file, " %lld ", int_at(array, i));
    }
  }
}

static void put_name(const Print* print, const char* name) {
  fprintf(print->file, "%-*s", NAME_COLUMNS + 2, name);
}

// One class of objects: title, its count, what its arrays' names begin with, its type of object.
typedef struct Kind_ {
  const char* title;
  const char* count;
  const char* prefix;
  mjtObj type;
} Kind;

static const Kind kinds[] = {
    {"BODY", "nbody", "body_", mjOBJ_BODY},
    {"JOINT", "njnt", "jnt_", mjOBJ_JOINT},
    {"DOF", "nv", "dof_", mjOBJ_UNKNOWN},
    {"GEOM", "ngeom", "geom_", mjOBJ_GEOM},
    {"SITE", "nsite", "site_", mjOBJ_SITE},
    {"CAMERA", "ncam", "cam_", mjOBJ_CAMERA},
    {"LIGHT", "nlight", "light_", mjOBJ_LIGHT},
    {"FLEX", "nflex", "flex_", mjOBJ_FLEX},
    {"MESH", "nmesh", "mesh_", mjOBJ_MESH},
    {"SKIN", "nskin", "skin_", mjOBJ_SKIN},
    {"HEIGHTFIELD", "nhfield", "hfield_", mjOBJ_HFIELD},
    {"TEXTURE", "ntex", "tex_", mjOBJ_TEXTURE},
    {"MATERIAL", "nmat", "mat_", mjOBJ_MATERIAL},
    {"PAIR", "npair", "pair_", mjOBJ_PAIR},
    {"EXCLUDE", "nexclude", "exclude_", mjOBJ_EXCLUDE},
    {"EQUALITY", "neq", "eq_", mjOBJ_EQUALITY},
    {"TENDON", "ntendon", "tendon_", mjOBJ_TENDON},
    {"ACTUATOR", "nu", "actuator_", mjOBJ_ACTUATOR},
    {"SENSOR", "nsensor", "sensor_", mjOBJ_SENSOR},
};

static void print_path(const Print* print, const mjModel* m, int tendon) {
  fprintf(print->file, "  path\n    type  objid  prm\n");
  for (int i = 0; i < m->tendon_num[tendon]; i++) {
    int k = m->tendon_adr[tendon] + i;
    fprintf(print->file, "    %d     %d     ", m->wrap_type[k], m->wrap_objid[k]);
    put_real(print, m->wrap_prm[k]);
    fprintf(print->file, "\n");
  }
  fprintf(print->file, "\n");
}

static void print_hull(const Print* print, const mjModel* m, int mesh) {
  int adr = m->mesh_graphadr[mesh];
  if (adr >= 0) {
    put_name(print, "  qhull face");
    fprintf(print->file, " %d\n", m->mesh_graph[adr + 1]);
    put_name(print, "  qhull vert");
    fprintf(print->file, " %d\n", m->mesh_graph[adr]);
  }
}

static void print_object(const Print* print, const mjModel* m, const Kind* kind, int i) {
  fprintf(print->file, "\n%s %d:\n", kind->title, i);
  if (kind->type != mjOBJ_UNKNOWN) {
    const char* name = mj_id2name(m, (int)kind->type, i);
    put_name(print, "  name");
    fprintf(print->file, " %s\n", name ? name : "");
  }
  for (int k = 0; k < cnd_modelFieldCount(); k++) {
    const cndField* field = cnd_modelField(k);
    cndArray array;
    int own = !strcmp(field->rows, kind->count) && !field->hidden &&
              !strncmp(field->name, kind->prefix, strlen(kind->prefix));
    if (own && cnd_modelArray(&array, m, field->name) && array.columns) {
      fprintf(print->file, "  %-*s", NAME_COLUMNS, field->name);
      put_row(print, &array, (size_t)i);
      fprintf(print->file, "\n");
    }
  }
  if (kind->type == mjOBJ_TENDON) {
    print_path(print, m, i);
  } else if (kind->type == mjOBJ_MESH) {
    print_hull(print, m, i);
  }
}

static void print_kinds(const Print* print, const mjModel* m) {
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    cndArray count;
    cnd_modelArray(&count, m, kinds[k].count);
    int n = *(const int*)count.data;
    for (int i = 0; i < n; i++) {
      print_object(print, m, &kinds[k], i);
    }
    if (n) {
      fprintf(print->file, "\n");
    }
  }
}

static void print_modelmemory(const Print* print, const mjModel* m) {
  size_t meshes = (size_t)m->nmeshvert * 3 * sizeof(float) +
                  (size_t)m->nmeshnormal * 3 * sizeof(float) +
                  (size_t)m->nmeshtexcoord * 2 * sizeof(float) +
                  (size_t)m->nmeshface * 9 * sizeof(int) + (size_t)m->nmeshgraph * sizeof(int);
  size_t textures = (size_t)m->ntexdata;
  fprintf(print->file, "MEMORY\n  total        ");
  put_memory(print, " ", (size_t)mj_sizeModel(m));
  if (meshes) {
    fprintf(print->file, "\n  meshes       ");
    put_memory(print, " ", meshes);
  }
  if (textures) {
    fprintf(print->file, "\n  textures     ");
    put_memory(print, " ", textures);
  }
  fprintf(print->file, "\n\nSIZES\n");
  for (int i = 0; i < cnd_sizeFieldCount(); i++) {
    const cndField* field = cnd_sizeField(i);
    const void* place = (const char*)m + field->offset;
    long long value =
        field->size == sizeof(int) ? *(const int*)place : (long long)*(const mjtSize*)place;
    if (value && !field->hidden) {
      fprintf(print->file, "  %-19s %lld\n", field->name, value);
    }
  }
}

// numbers, then flags, then vectors
static void print_option(const Print* print, const mjModel* m) {
  fprintf(print->file, "\nOPTION\n");
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < cnd_optionFieldCount(); i++) {
      const cndField* field = cnd_optionField(i);
      cndArray array = {(char*)(uintptr_t)&m->opt + field->offset, 0, 1, field};
      int vector = strcmp(field->rows, "1") != 0;
      if (pass != (vector ? 2 : isreal(field) ? 0 : 1)) {
        continue;
      }
      cnd_modelArray(&array, m, field->name);
      fprintf(print->file, "  %-19s", field->name);
      for (size_t k = 0; k < array.rows * array.columns; k++) {
        if (isreal(field)) {
          put_real(print, real_at(&array, k));
          fprintf(print->file, vector ? " " : "");
        } else {
          fprintf(print->file, " %lld", int_at(&array, k));
        }
      }
      fprintf(print->file, "\n");
    }
  }
}

static void put_scalar(const Print* print, const char* name, double value) {
  fprintf(print->file, "%-21s", name);
  put_real(print, value);
  fprintf(print->file, "\n");
}

static void print_statistic(const Print* print, const mjModel* m) {
  fprintf(print->file, "\n");
  put_scalar(print, "totalmass", mj_getTotalmass(m));
  fprintf(print->file, "\nSTATISTIC\n");
  put_scalar(print, "  meaninertia", m->stat.meaninertia);
  put_scalar(print, "  meanmass", m->stat.meanmass);
  put_scalar(print, "  meansize", m->stat.meansize);
  put_scalar(print, "  extent", m->stat.extent);
  fprintf(print->file, "%-21s", "  center");
  for (int i = 0; i < 3; i++) {
    put_real(print, m->stat.center[i]);
  }
  fprintf(print->file, "\n");
}

static void print_vector(const Print* print, const char* name, const mjtNum* v, int n, int blank) {
  fprintf(print->file, "%s", name);
  for (int i = 0; i < n; i++) {
    put_real(print, v[i]);
    fprintf(print->file, blank ? " " : "");
  }
  fprintf(print->file, blank ? "\n\n" : "\n");
}

static void print_custom(const Print* print, const mjModel* m) {
  for (int i = 0; i < m->nnumeric; i++) {
    const char* name = mj_id2name(m, mjOBJ_NUMERIC, i);
    fprintf(print->file, "\nNUMERIC %d:\n  name         %s\n  size         %d\n", i,
            name ? name : "", m->numeric_size[i]);
    print_vector(print, "  value       ", m->numeric_data + m->numeric_adr[i], m->numeric_size[i],
                 0);
  }
  fprintf(print->file, m->nnumeric ? "\n" : "");
  for (int i = 0; i < m->ntext; i++) {
    const char* name = mj_id2name(m, mjOBJ_TEXT, i);
    fprintf(print->file, "\nTEXT %d:\n  name         %s\n  size         %d\n  value        %.*s\n",
            i, name ? name : "", m->text_size[i], m->text_size[i], m->text_data + m->text_adr[i]);
  }
  fprintf(print->file, m->ntext ? "\n" : "");
  for (int i = 0; i < m->ntuple; i++) {
    const char* name = mj_id2name(m, mjOBJ_TUPLE, i);
    fprintf(print->file, "\nTUPLE %d:\n  name         %s\n  size         %d\n  elements\n", i,
            name ? name : "", m->tuple_size[i]);
    for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
      const char* type = mju_type2Str(m->tuple_objtype[k]);
      fprintf(print->file, "       %s %d, prm = ", type ? type : "", m->tuple_objid[k]);
      put_real(print, m->tuple_objprm[k]);
      fprintf(print->file, "\n");
    }
  }
  fprintf(print->file, m->ntuple ? "\n" : "");
}

// One vector of a keyframe, if it is not what it would be anyway; 1 if it was printed.
static int print_keyvector(const Print* print, const char* name, int key, const mjtNum* v,
                           const mjtNum* usual, int n) {
  int differ = 0;
  for (int i = 0; i < n; i++) {
    differ |= v[i] != (usual ? usual[i] : 0);
  }
  if (differ) {
    char title[40];
    snprintf(title, sizeof(title), "key_%s%d   ", name, key);
    print_vector(print, title, v, n, 0);
  }
  return differ;
}

static void print_keys(const Print* print, const mjModel* m) {
  for (int i = 0; i < m->nkey; i++) {
    const char* name = mj_id2name(m, mjOBJ_KEY, i);
    size_t k = (size_t)i;
    int nmocap = m->nmocap, moved = 0;
    int printed = 0;
    if (name && name[0]) {
      fprintf(print->file, "key_name%d    %s\n", i, name);
    }
    if (m->key_time[i] != 0) {
      fprintf(print->file, "key_time%d    %.4f\n", i, m->key_time[i]);
    }
    printed |= print_keyvector(print, "qpos", i, m->key_qpos + k * (size_t)m->nq, m->qpos0, m->nq);
    printed |= print_keyvector(print, "qvel", i, m->key_qvel + k * (size_t)m->nv, NULL, m->nv);
    printed |= print_keyvector(print, "act", i, m->key_act + k * (size_t)m->na, NULL, m->na);
    for (int b = 0; b < m->nbody; b++) {
      int id = m->body_mocapid[b];
      if (id >= 0) {
        const mjtNum* pos = m->key_mpos + 3 * (k * (size_t)nmocap + (size_t)id);
        const mjtNum* quat = m->key_mquat + 4 * (k * (size_t)nmocap + (size_t)id);
        moved |= memcmp(pos, m->body_pos + 3 * b, 3 * sizeof(mjtNum)) ? 1 : 0;
        moved |= memcmp(quat, m->body_quat + 4 * b, 4 * sizeof(mjtNum)) ? 2 : 0;
      }
    }
    if (moved & 1) {
      printed |=
          print_keyvector(print, "mpos", i, m->key_mpos + 3 * k * (size_t)nmocap, NULL, 3 * nmocap);
    }
    if (moved & 2) {
      printed |= print_keyvector(print, "mquat", i, m->key_mquat + 4 * k * (size_t)nmocap, NULL,
                                 4 * nmocap);
    }
    printed |= print_keyvector(print, "ctrl", i, m->key_ctrl + k * (size_t)m->nu, NULL, m->nu);
    printed |= (name && name[0]) || m->key_time[i] != 0;
    fprintf(print->file, printed ? "\n" : "");
  }
}

// A sparse pattern as a picture: x where there is an entry, the diagonal apart if it is marked.
static void print_picture(const Print* print, const char* title, int rows, int columns,
                          const int* rownnz, const int* rowadr, const int* colind, char diagonal) {
  if (!rows || !columns || rows > MAX_SPARSE_ROWS || columns > MAX_SPARSE_ROWS) {
    return;
  }
  fprintf(print->file, "%s\n", title);
  for (int i = 0; i < columns + 2; i++) {
    fprintf(print->file, "-");
  }
  fprintf(print->file, "\n");
  for (int r = 0; r < rows; r++) {
    int next = 0;
    fprintf(print->file, " ");
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      fprintf(print->file, "%*s%c", colind[k] - next, "", colind[k] == r ? diagonal : 'x');
      next = colind[k] + 1;
    }
    fprintf(print->file, "%*s |\n", columns - next, "");
  }
  for (int i = 0; i < columns + 2; i++) {
    fprintf(print->file, "-");
  }
  fprintf(print->file, "\n\n");
}

static void put_upper(const Print* print, const char* name) {
  for (; *name; name++) {
    fputc(toupper((unsigned char)*name), print->file);
  }
}

static void print_ints(const Print* print, const mjModel* m, const char* name) {
  cndArray array;
  if (!cnd_modelArray(&array, m, name) || !array.rows) {
    return;
  }
  put_upper(print, name);
  fprintf(print->file, "\n ");
  for (size_t i = 0; i < array.rows * array.columns; i++) {
    fprintf(print->file, " %lld", int_at(&array, i));
  }
  fprintf(print->file, "\n\n");
}

static void print_patterns(const Print* print, const mjModel* m) {
  static const char* const ints[3][6] = {
      {"B_rownnz", "B_rowadr", "B_colind"},
      {"M_rownnz", "M_rowadr", "M_colind", "mapM2M"},
      {"D_rownnz", "D_rowadr", "D_colind", "mapM2D", "mapD2M"},
  };
  for (int k = 0; k < 3; k++) {
    if (k == 0) {
      print_picture(print, "B: body-dof matrix", m->nbody, m->nv, m->B_rownnz, m->B_rowadr,
                    m->B_colind, 'x');
    } else if (k == 1) {
      print_picture(print, "M: reduced inertia matrix", m->nv, m->nv, m->M_rownnz, m->M_rowadr,
                    m->M_colind, 'x');
    } else {
      print_picture(print, "D: dof-dof matrix", m->nv, m->nv, m->D_rownnz, m->D_rowadr, m->D_colind,
                    'D');
    }
    for (int i = 0; i < 6 && ints[k][i]; i++) {
      print_ints(print, m, ints[k][i]);
    }
  }
}

static void print_trees(const Print* print, const mjModel* m) {
  fprintf(print->file, "\nSIGNATURE\n  %llu\n", (unsigned long long)m->signature);
  fprintf(print->file, "\nBVH:\n  id      depth   nodeid  child[0]  child[1]\n");
  for (int i = 0; i < m->nbvh; i++) {
    fprintf(print->file, "  %-6d  %-6d  % -6d  % -8d  % d\n", i, m->bvh_depth[i], m->bvh_nodeid[i],
            m->bvh_child[2 * i], m->bvh_child[2 * i + 1]);
  }
  fprintf(print->file, "\n");
}

void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format) {
  Print print;
  if (!open_print(&print, filename, float_format)) {
    return;
  }
  fprintf(print.file, "MuJoCo version %s\nmodel name     %s\n\n", mj_versionString(), m->names);
  print_modelmemory(&print, m);
  print_option(&print, m);
  print_statistic(&print, m);
  fprintf(print.file, "\n");
  print_vector(&print, "qpos0                ", m->qpos0, m->nq, 1);
  print_vector(&print, "qpos_spring          ", m->qpos_spring, m->nq, 1);
  print_kinds(&print, m);
  print_custom(&print, m);
  print_keys(&print, m);
  print_patterns(&print, m);
  print_trees(&print, m);
  close_print(&print);
}

void mj_printModel(const mjModel* m, const char* filename) {
  mj_printFormattedModel(m, filename, default_format);
}

// data

static void print_datahead(const Print* print, const mjModel* m, const mjData* d) {
  fprintf(print->file, "MEMORY\n  total          ");
  put_memory(print, "", sizeof(mjData) + (size_t)d->nbuffer + (size_t)d->narena);
  fprintf(print->file, "\n  struct         ");
  put_memory(print, "", sizeof(mjData));
  fprintf(print->file, "\n  buffer         ");
  put_memory(print, "", (size_t)d->nbuffer);
  fprintf(print->file, "\n  arena          ");
  put_memory(print, "", (size_t)d->narena);
  fprintf(print->file, ", used %.1f%%\n\nSIZES\n",
          d->narena ? 100 * (double)d->maxuse_arena / (double)d->narena : 0);
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    cndArray array = {0};
    if (field->pointer || strcmp(field->rows, "1") || isreal(field) || field->hidden) {
      continue;
    }
    cnd_dataArray(&array, m, d, field->name);
    long long value = field->size == sizeof(int) ? *(const int*)array.data
                                                 : (long long)*(const mjtSize*)array.data;
    fprintf(print->file, "  %-21s %lld\n", field->name, value);
  }

  int titled = 0;
  for (int i = 0; i < mjNWARNING; i++) {
    if (d->warning[i].number) {
      fprintf(print->file, "%s    %d:  lastinfo = %d   number = %d\n", titled ? "" : "\nWARNING\n",
              i, d->warning[i].lastinfo, d->warning[i].number);
      titled = 1;
    }
  }
  titled = 0;
  for (int i = 0; i < mjNTIMER; i++) {
    if (d->timer[i].number) {
      fprintf(print->file, "%s    %d:  duration = ", titled ? "" : "\nTIMER\n", i);
      put_real(print, d->timer[i].duration);
      fprintf(print->file, "  number = %d\n", d->timer[i].number);
      titled = 1;
    }
  }
  fprintf(print->file, "\nENERGY = ");
  put_real(print, d->energy[0]);
  put_real(print, d->energy[1]);
  fprintf(print->file, "\n\nTIME = ");
  put_real(print, d->time);
  fprintf(print->file, "\n\n");
}

static void print_contacts(const Print* print, const mjModel* m, const mjData* d) {
  fprintf(print->file, "CONTACT\n");
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* contact = d->contact + i;
    const char *name1 = NULL, *name2 = NULL;
    if (contact->geom[0] >= 0 && contact->geom[1] >= 0) {
      name1 = mj_id2name(m, mjOBJ_GEOM, contact->geom[0]);
      name2 = mj_id2name(m, mjOBJ_GEOM, contact->geom[1]);
    }
    fprintf(print->file, "  %d:\n     dim           %d\n     geom          %d %d (%s, %s)\n", i,
            contact->dim, contact->geom[0], contact->geom[1], name1 ? name1 : "",
            name2 ? name2 : "");
    fprintf(print->file, "     exclude       %d\n     efc_address   %d\n", contact->exclude,
            contact->efc_address);
    print_vector(print, "     dist         ", &contact->dist, 1, 0);
    print_vector(print, "     pos          ", contact->pos, 3, 0);
    print_vector(print, "     frame        ", contact->frame, 9, 0);
    print_vector(print, "     friction     ", contact->friction, 5, 0);
    print_vector(print, "     solref       ", contact->solref, mjNREF, 0);
    print_vector(print, "     solimp       ", contact->solimp, mjNIMP, 0);
  }
  fprintf(print->file, "\n");
}

// A matrix in compressed rows: column and value of each entry.
static void print_sparse(const Print* print, const char* name, const mjtNum* value, int rows,
                         const int* rownnz, const int* rowadr, const int* colind) {
  put_upper(print, name);
  fprintf(print->file, "\n");
  for (int r = 0; r < rows && r < MAX_SPARSE_ROWS; r++) {
    fprintf(print->file, "  ");
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      fprintf(print->file, "%2d: ", colind[k]);
      put_real(print, value[k]);
    }
    fprintf(print->file, "\n");
  }
  fprintf(print->file, "\n");
}

static void print_array(const Print* print, const cndArray* array) {
  put_upper(print, array->field->name);
  fprintf(print->file, "\n");
  for (size_t r = 0; r < array->rows; r++) {
    fprintf(print->file, "  ");
    for (size_t i = r * array->columns; i < (r + 1) * array->columns; i++) {
      if (isreal(array->field)) {
        put_real(print, real_at(array, i));
      } else {
        fprintf(print->file, " %lld", int_at(array, i));
      }
    }
    fprintf(print->file, "\n");
  }
  fprintf(print->file, "\n");
}

void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename,
                           const char* float_format) {
  if (d->pstack) {
    mju_error("attempting to print mjData when stack is in use");
    return;
  }
  Print print;
  if (!open_print(&print, filename, float_format)) {
    return;
  }
  print_datahead(&print, m, d);
  int sparse = mj_isSparse(m);
  for (int i = 0; i < cnd_dataFieldCount(); i++) {
    const cndField* field = cnd_dataField(i);
    cndArray array = {0};
    if (!field->pointer || field->hidden || !cnd_dataArray(&array, m, d, field->name) ||
        !array.data || !array.rows || !array.columns) {
      continue;
    }
    if (!strcmp(field->name, "contact")) {
      print_contacts(&print, m, d);
    } else if (!strcmp(field->name, "efc_J") && sparse) {
      print_sparse(&print, field->name, d->efc_J, d->nefc, d->efc_J_rownnz, d->efc_J_rowadr,
                   d->efc_J_colind);
    } else if (!strcmp(field->name, "M")) {
      print_sparse(&print, field->name, d->M, m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
    } else if (!strcmp(field->name, "actuator_moment")) {
      print_sparse(&print, field->name, d->actuator_moment, m->nu, d->moment_rownnz,
                   d->moment_rowadr, d->moment_colind);
    } else if (isreal(field) || isint(field)) {
      print_array(&print, &array);
    }
  }
  close_print(&print);
}

void mj_printData(const mjModel* m, const mjData* d, const char* filename) {
  mj_printFormattedData(m, d, filename, default_format);
}
