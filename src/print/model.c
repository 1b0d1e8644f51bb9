// model.c: mj_printModel, a model as text.
//
// Each object is printed with its row of every array, whose name is in the left column. Layout and
// format follow the reference, so that scripts which read such files keep working.
//                                                           theory/data.md, Printed models and data

#include <condyle/condyle.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <mujoco/api/print.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/check.h"
#include "print/print.h"

enum {
  NAME_COLUMNS = 21,
};

// Prints the numbers of one row of an array.
static void put_row(const Print* print, const cndArray* array, size_t row) {
  for (size_t i = row * array->columns; i < (row + 1) * array->columns; i++) {
    if (print_isreal(array->field)) {
      print_real(print, print_realat(array, i));
      fprintf(print->file, " ");
    } else {
      fprintf(print->file, " %lld ", print_intat(array, i));
    }
  }
}

static void put_name(const Print* print, const char* name) {
  fprintf(print->file, "%-*s", NAME_COLUMNS + 2, name);
}

// One kind of object: title, name of its count, prefix of its arrays' names, object type.
typedef struct Kind_ {
  const char* title;
  const char* count;
  const char* prefix;
  mjtObj type;
} Kind;

static const Kind objects[] = {
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
    {"ACTUATOR", "nactuator", "actuator_", mjOBJ_ACTUATOR},
    {"SENSOR", "nsensor", "sensor_", mjOBJ_SENSOR},
};

static void print_path(const Print* print, const mjModel* m, int tendon) {
  fprintf(print->file, "  path\n    type  objid  prm\n");
  for (int i = 0; i < m->tendon_num[tendon]; i++) {
    int k = m->tendon_adr[tendon] + i;
    fprintf(print->file, "    %d     %d     ", m->wrap_type[k], m->wrap_objid[k]);
    print_real(print, m->wrap_prm[k]);
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

// The rows of an array that belong to an object: one, of actuators one for each control or force.
static int rows_of(int* first, const mjModel* m, const Kind* kind, const cndField* field, int i) {
  int is_actuator = kind->type == mjOBJ_ACTUATOR;
  if (is_actuator && !strcmp(field->rows, "nu")) {
    *first = m->actuator_ctrladr[i];
    return m->actuator_ctrlnum[i];
  }
  if (is_actuator && !strcmp(field->rows, "nout")) {
    *first = m->actuator_outadr[i];
    return m->actuator_outnum[i];
  }
  *first = i;
  return !strcmp(field->rows, kind->count);
}

static void print_object(const Print* print, const mjModel* m, const Kind* kind, int i) {
  fprintf(print->file, "\n%s %d:\n", kind->title, i);
  if (kind->type != mjOBJ_UNKNOWN) {
    const char* name = mj_id2name(m, (int)kind->type, i);
    put_name(print, "  name");
    fprintf(print->file, "%s %s\n", kind->type == mjOBJ_HFIELD ? " " : "", name ? name : "");
  }
  for (int k = 0; k < cnd_modelFieldCount(); k++) {
    const cndField* field = cnd_modelField(k);
    cndArray array;
    int first = 0, num = 0;
    if (!field->hidden && !strncmp(field->name, kind->prefix, strlen(kind->prefix))) {
      num = rows_of(&first, m, kind, field, i);
    }
    if (num && cnd_modelArray(&array, m, field->name) && array.columns && print_isused(&array)) {
      fprintf(print->file, "  %-*s", NAME_COLUMNS, field->name);
      for (int row = first; row < first + num; row++) {
        put_row(print, &array, (size_t)row);
      }
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
  for (size_t k = 0; k < sizeof(objects) / sizeof(objects[0]); k++) {
    cndArray count;
    cnd_modelArray(&count, m, objects[k].count);
    int n = (int)print_intat(&count, 0);
    for (int i = 0; i < n; i++) {
      print_object(print, m, &objects[k], i);
    }
    if (n) {
      fprintf(print->file, "\n");
    }
  }
}

// Sizes of arrays that follow from others, which tell of them.
static int size_follows(const char* name) {
  static const char* const names[] = {"nJten",        "nJfe",        "nflexstiffness",
                                      "nflexbending", "npolygonmax", "nmeshdegmax",
                                      "flg_gravcomp"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(name, names[i])) {
      return 1;
    }
  }
  return 0;
}

static void print_modelmemory(const Print* print, const mjModel* m) {
  size_t meshes = (size_t)m->nmeshvert * 3 * sizeof(float) +
                  (size_t)m->nmeshnormal * 3 * sizeof(float) +
                  (size_t)m->nmeshtexcoord * 2 * sizeof(float) +
                  (size_t)m->nmeshface * 9 * sizeof(int) + (size_t)m->nmeshgraph * sizeof(int);
  fprintf(print->file, "MEMORY");
  print_memory(print, 14, "total", (size_t)mj_sizeModel(m));
  if (meshes) {
    print_memory(print, 14, "meshes", meshes);
  }
  if (m->ntexdata) {
    print_memory(print, 14, "textures", (size_t)m->ntexdata);
  }
  fprintf(print->file, "\n\nSIZES\n");
  for (int i = 0; i < cnd_sizeFieldCount(); i++) {
    const cndField* field = cnd_sizeField(i);
    cndArray array;
    cnd_modelArray(&array, m, field->name);
    long long value = print_intat(&array, 0);
    int is_usual = !strcmp(field->name, "nactuator") || !strcmp(field->name, "nout");
    if (value && !field->hidden && !(is_usual && value == m->nu) && !size_follows(field->name)) {
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
      if (pass != (vector                ? 2
                   : print_isreal(field) ? 0
                                         : 1) ||
          (field->since && !m->opt.behaviour)) {
        continue;
      }
      cnd_modelArray(&array, m, field->name);
      fprintf(print->file, "  %-19s", field->name);
      for (size_t k = 0; k < array.rows * array.columns; k++) {
        if (print_isreal(field)) {
          print_real(print, print_realat(&array, k));
          fprintf(print->file, vector ? " " : "");
        } else {
          fprintf(print->file, " %lld", print_intat(&array, k));
        }
      }
      fprintf(print->file, "\n");
    }
  }
}

static void put_scalar(const Print* print, const char* name, double value) {
  fprintf(print->file, "%-21s", name);
  print_real(print, value);
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
    print_real(print, m->stat.center[i]);
  }
  fprintf(print->file, "\n");
}

static void put_custom(const Print* print, const mjModel* m, const char* title, mjtObj type, int i,
                       int size) {
  const char* name = mj_id2name(m, (int)type, i);
  fprintf(print->file, "\n%s %d:\n  name         %s\n  size         %d\n", title, i,
          name ? name : "", size);
}

static void print_custom(const Print* print, const mjModel* m) {
  for (int i = 0; i < m->nnumeric; i++) {
    put_custom(print, m, "NUMERIC", mjOBJ_NUMERIC, i, m->numeric_size[i]);
    print_vector(print, "  value       ", m->numeric_data + m->numeric_adr[i], m->numeric_size[i],
                 0);
  }
  fprintf(print->file, m->nnumeric ? "\n" : "");
  for (int i = 0; i < m->ntext; i++) {
    put_custom(print, m, "TEXT", mjOBJ_TEXT, i, m->text_size[i]);
    fprintf(print->file, "  value        %.*s\n", m->text_size[i], m->text_data + m->text_adr[i]);
  }
  fprintf(print->file, m->ntext ? "\n" : "");
  for (int i = 0; i < m->ntuple; i++) {
    put_custom(print, m, "TUPLE", mjOBJ_TUPLE, i, m->tuple_size[i]);
    fprintf(print->file, "  elements\n");
    for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
      const char* type = mju_type2Str(m->tuple_objtype[k]);
      fprintf(print->file, "       %s %d, prm = ", type ? type : "", m->tuple_objid[k]);
      print_real(print, m->tuple_objprm[k]);
      fprintf(print->file, "\n");
    }
  }
  fprintf(print->file, m->ntuple ? "\n" : "");
}

// Prints the n numbers of a keyframe from the array of all keyframes, unless they have the usual
// values. Returns 1 if it printed them.
static int print_keyvector(const Print* print, const char* name, int key, const mjtNum* all,
                           const mjtNum* usual, int n) {
  const mjtNum* v = all + (size_t)key * (size_t)n;
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
    int nmocap = m->nmocap, moved = 0, printed = name || m->key_time[i] != 0;
    if (name) {
      fprintf(print->file, "key_name%d    %s\n", i, name);
    }
    if (m->key_time[i] != 0) {
      fprintf(print->file, "key_time%d    %.4f\n", i, m->key_time[i]);
    }
    printed |= print_keyvector(print, "qpos", i, m->key_qpos, m->qpos0, m->nq);
    printed |= print_keyvector(print, "qvel", i, m->key_qvel, NULL, m->nv);
    printed |= print_keyvector(print, "act", i, m->key_act, NULL, m->na);
    for (int b = 0; b < m->nbody; b++) {
      int id = m->body_mocapid[b];
      if (id >= 0) {
        size_t place = (size_t)i * (size_t)nmocap + (size_t)id;
        const mjtNum *pos = m->key_mpos + 3 * place, *quat = m->key_mquat + 4 * place;
        moved |= memcmp(pos, m->body_pos + 3 * b, 3 * sizeof(mjtNum)) ? 1 : 0;
        moved |= memcmp(quat, m->body_quat + 4 * b, 4 * sizeof(mjtNum)) ? 2 : 0;
      }
    }
    if (moved & 1) {
      printed |= print_keyvector(print, "mpos", i, m->key_mpos, NULL, 3 * nmocap);
    }
    if (moved & 2) {
      printed |= print_keyvector(print, "mquat", i, m->key_mquat, NULL, 4 * nmocap);
    }
    printed |= print_keyvector(print, "ctrl", i, m->key_ctrl, NULL, m->nu);
    printed |= print_keyvector(print, "plastic", i, m->key_plastic, NULL, (int)m->nplastic);
    fprintf(print->file, printed ? "\n" : "");
  }
}

static void print_ints(const Print* print, const mjModel* m, const char* name) {
  cndArray array;
  if (!cnd_modelArray(&array, m, name) || !array.rows) {
    return;
  }
  print_upper(print, name);
  fprintf(print->file, "\n ");
  for (size_t i = 0; i < array.rows * array.columns; i++) {
    fprintf(print->file, " %lld", print_intat(&array, i));
  }
  fprintf(print->file, "\n\n");
}

static void print_patterns(const Print* print, const mjModel* m) {
  const struct {
    const char* title;
    PrintPattern pattern;
    const char* ints[6];
  } kinds[] = {
      {"B: body-dof matrix",
       PRINT_PATTERN(m->nbody, m->nv, m->B),
       {"B_rownnz", "B_rowadr", "B_colind"}},
      {"M: reduced inertia matrix",
       PRINT_PATTERN(m->nv, m->nv, m->M),
       {"M_rownnz", "M_rowadr", "M_colind", "mapM2M"}},
      {"D: dof-dof matrix",
       {.rows = m->nv, .columns = m->nv, m->D_rownnz, m->D_rowadr, m->D_colind, .diagonal = 'D'},
       {"D_rownnz", "D_rowadr", "D_colind", "mapM2D", "mapD2M"}},
  };
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    print_picture(print, kinds[k].title, &kinds[k].pattern);
    for (int i = 0; kinds[k].ints[i]; i++) {
      print_ints(print, m, kinds[k].ints[i]);
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

static void print_whole(const Print* print, const mjModel* m) {
  fprintf(print->file, "MuJoCo version %s\nmodel name     %s\n\n", mj_versionString(), m->names);
  print_modelmemory(print, m);
  print_option(print, m);
  print_statistic(print, m);
  fprintf(print->file, "\n");
  print_vector(print, "qpos0                ", m->qpos0, m->nq, 1);
  print_vector(print, "qpos_spring          ", m->qpos_spring, m->nq, 1);
  print_kinds(print, m);
  print_custom(print, m);
  print_keys(print, m);
  print_patterns(print, m);
  print_trees(print, m);
}

void print_modelto(FILE* file, const mjModel* m) {
  Print print = {.file = file};
  snprintf(print.format, sizeof(print.format), "%s", print_defaultformat);
  print_whole(&print, m);
}

void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format) {
  check_given(m);
  Print print;
  if (!print_open(&print, filename, float_format)) {
    return;
  }
  print_whole(&print, m);
  print_close(&print);
}

void mj_printModel(const mjModel* m, const char* filename) {
  check_given(m);
  mj_printFormattedModel(m, filename, print_defaultformat);
}
