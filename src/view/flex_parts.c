// Parts of flexes by the materials of their elements.       theory/scenes.md, Surfaces of flexes

#include "view/flex_parts.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "model/flex/rod.h"

static int material_of(const mjModel* m, int flex, int elem) {
  int own = m->cnd_flex_elemmatid[m->flex_elemadr[flex] + elem];
  return own >= 0 ? own : m->flex_matid[flex];
}

// Do all elements have one material?
static int is_plain(const mjModel* m, int flex) {
  int n = m->flex_elemnum[flex], same = 1;
  for (int e = 1; same && e < n; e++) {
    same = material_of(m, flex, e) == material_of(m, flex, 0);
  }
  return same;
}

// Numbers the parts: writes the part of each element, and the material of each part.
static int number_parts(int* part, int* material, const mjModel* m, int flex) {
  int n = 0;
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    int id = material_of(m, flex, e), p = 0;
    while (p < n && material[p] != id) {
      p++;
    }
    if (p == n) {
      material[n++] = id;
    }
    part[e] = p;
  }
  return n;
}

static int has_vertices(const int* elem, int dim, const int* fragment) {
  int found = 0;
  for (int i = 0; i < dim; i++) {
    for (int k = 0; k <= dim; k++) {
      found += elem[k] == fragment[i];
    }
  }
  return found == dim;
}

// The part of each fragment of the shell: that of the element which has its vertices. Elements are
// listed at their vertices: start has two numbers more than there are vertices.
static void find_shell(int* out, int* start, int* at, const int* part, const mjModel* m, int flex) {
  int dim = m->flex_dim[flex], nelem = m->flex_elemnum[flex], nvert = m->flex_vertnum[flex];
  const int* elem = m->flex_elem + m->flex_elemdataadr[flex];
  const int* shell = m->flex_shell + m->flex_shelldataadr[flex];
  memset(start, 0, ((size_t)nvert + 2) * sizeof(int));
  for (int i = 0; i < nelem * (dim + 1); i++) {
    start[elem[i] + 2]++;
  }
  for (int v = 0; v < nvert; v++) {
    start[v + 2] += start[v + 1];
  }
  for (int i = 0; i < nelem * (dim + 1); i++) {
    at[start[elem[i] + 1]++] = i / (dim + 1);
  }
  for (int i = 0; i < m->flex_shellnum[flex]; i++, shell += dim) {
    out[i] = 0;
    for (int k = start[shell[0]]; k < start[shell[0] + 1]; k++) {
      if (has_vertices(elem + (dim + 1) * at[k], dim, shell)) {
        out[i] = part[at[k]];
        break;
      }
    }
  }
}

// Faces of a part: of the skin, of a rod's boxes, or of the elements of a layer. Of other flexes of
// dim 1: edges.
static int count_faces(const mjModel* m, int flex, const mjvOption* opt, const FlexParts* parts,
                       const FlexPart* part) {
  int dim = m->flex_dim[flex], elements = 0;
  mjtNum half[2];
  if (opt->flags[mjVIS_FLEXSKIN]) {
    return dim == 3   ? part->nshell
           : dim == 2 ? 2 * (part->nelem + part->nshell)
                      : (rod_section(half, m, flex) ? 12 : 1) * part->nelem;
  }
  if (dim == 1) {
    return part->nelem;
  }
  if (!opt->flags[mjVIS_FLEXFACE]) {
    return 0;
  }
  const int* layer = m->flex_elemlayer + m->flex_elemadr[flex];
  for (int i = 0; i < part->nelem; i++) {
    elements += dim == 2 || layer[parts->elem[part->elem + i]] == opt->flex_layer;
  }
  return (dim == 3 ? 4 : 2) * elements;
}

// Sorts elements and fragments of the shell by part, and says where those of each part are.
static void sort_parts(FlexParts* out, int* elem, int* shell, const int* part, const int* shellpart,
                       const mjModel* m, int flex) {
  FlexPart* of = out->part;
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    of[part[e]].nelem++;
  }
  for (int s = 0; s < m->flex_shellnum[flex]; s++) {
    of[shellpart[s]].nshell++;
  }
  for (int p = 1; p < out->n; p++) {
    of[p].elem = of[p - 1].elem + of[p - 1].nelem;
    of[p].shell = of[p - 1].shell + of[p - 1].nshell;
  }

  // the places move on while they are filled, and back afterwards
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    elem[of[part[e]].elem++] = e;
  }
  for (int s = 0; s < m->flex_shellnum[flex]; s++) {
    shell[of[shellpart[s]].shell++] = s;
  }
  for (int p = 0; p < out->n; p++) {
    of[p].elem -= of[p].nelem;
    of[p].shell -= of[p].nshell;
  }
}

FlexParts flex_parts(const mjModel* m, mjData* d, int flex, const mjvOption* opt) {
  FlexParts out = {0};
  int elements = m->flex_elemnum[flex];
  if (elements < 2 || is_plain(m, flex)) {
    return out;
  }
  size_t nelem = (size_t)elements, nshell = (size_t)m->flex_shellnum[flex],
         nvert = (size_t)m->flex_vertnum[flex] + 2,
         corners = nelem * (size_t)(m->flex_dim[flex] + 1);
  int* elem = mj_stackAllocInt(d, 3 * nelem + 2 * nshell + nvert + corners);
  if (!elem) {
    return out;
  }
  int *shell = elem + nelem, *part = shell + nshell, *shellpart = part + nelem,
      *material = shellpart + nshell, *start = material + nelem, *at = start + nvert;
  int n = number_parts(part, material, m, flex);
  out.part = mj_stackAllocByte(d, (size_t)n * sizeof(FlexPart), _Alignof(FlexPart));
  if (!out.part) {
    return out;
  }
  out.n = n;
  out.elem = elem;
  out.shell = shell;
  for (int p = 0; p < n; p++) {
    out.part[p] = (FlexPart){.material = material[p]};
  }
  find_shell(shellpart, start, at, part, m, flex);
  sort_parts(&out, elem, shell, part, shellpart, m, flex);
  for (int p = 0; p < n; p++) {
    out.part[p].face = p ? out.part[p - 1].face + out.part[p - 1].nface : 0;
    out.part[p].nface = count_faces(m, flex, opt, &out, out.part + p);
  }
  return out;
}
