// flex_layout.cc: finds the numbers of each flex and puts them in the order of release 4.0.

#include "base/flex_layout.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace {

// Rows of `width` numbers, each with zeros behind it up to `room`.
struct Piece {
  const mjtNum* from = nullptr;
  size_t rows = 0, width = 0, room = 0;
  size_t size() const {
    return rows * room;
  }
};

bool any(const mjtNum* x, size_t n) {
  return std::any_of(x, x + n, [](mjtNum value) { return value != 0; });
}

size_t square(size_t x) {
  return x * x;
}

size_t cells_of(const mjModel* m, int flex) {
  const int* n = m->flex_cellnum + 3 * flex;
  return static_cast<size_t>(n[0]) * n[1] * n[2];
}

size_t outer_faces(const mjModel* m, int flex) {
  const int* n = m->flex_cellnum + 3 * flex;
  return 2 * (static_cast<size_t>(n[0]) * n[1] + static_cast<size_t>(n[1]) * n[2] +
              static_cast<size_t>(n[2]) * n[0]);
}

// Nodes of a cell along one side.
size_t nodes_of(const mjModel* m, int flex) {
  return static_cast<size_t>(std::abs(m->flex_interp[flex])) + 1;
}

Piece bending(const mjModel* m, int flex) {
  const mjtNum* own = m->flex_bending + 17 * static_cast<size_t>(m->flex_edgeadr[flex]);
  size_t edges = static_cast<size_t>(m->flex_edgenum[flex]);
  if (m->cnd_flex_shell[flex]) {
    const mjtNum* hinges = m->cnd_flex_cell + m->cnd_flex_celladr[flex] +
                           outer_faces(m, flex) * square(3 * square(nodes_of(m, flex)));
    size_t count = 1 + 10 * static_cast<size_t>(hinges[0]);
    return {hinges, hinges[0] > 0, count, count};
  }
  if (m->flex_dim[flex] == 1) {
    size_t count = edges ? 1 + 10 * static_cast<size_t>(own[0]) : 1;
    return {own, count > 1, count, count};
  }
  return {own, any(own, 17 * edges) ? edges : 0, 17, 17};
}

Piece stiffness(const mjModel* m, int flex) {
  const mjtNum* own = m->flex_stiffness + 21 * static_cast<size_t>(m->flex_elemadr[flex]);
  size_t elements = static_cast<size_t>(m->flex_elemnum[flex]), nodes = nodes_of(m, flex);
  if (m->cnd_flex_celladr[flex] >= 0) {
    bool shell = m->cnd_flex_shell[flex];
    const mjtNum* cell = m->cnd_flex_cell + m->cnd_flex_celladr[flex];
    size_t width = square(3 * nodes * nodes * (shell ? 1 : nodes));
    size_t rows = shell ? outer_faces(m, flex) : cells_of(m, flex);
    return {cell, any(cell, rows * width) ? rows : 0, width, width};
  }
  if (m->flex_interp[flex]) {  // one cage of eight nodes, by the rules of 3.3.7
    size_t width = square(24);
    return {own, any(own, 21 * elements) && 21 * elements >= width, width, width};
  }
  bool stretches = any(own, 21 * elements);
  switch (m->flex_dim[flex]) {
    case 2:
      return {own, stretches || bending(m, flex).rows ? elements : 0, 21, 21};
    case 3:
      return {own, stretches ? elements : 0, 21, 24};
    default:
      return {};
  }
}

Piece piece_of(const mjModel* m, int flex, bool bends) {
  return bends ? bending(m, flex) : stiffness(m, flex);
}

size_t total(const mjModel* m, bool bends) {
  size_t sum = 0;
  for (int f = 0; f < m->nflex; f++) {
    sum += piece_of(m, f, bends).size();
  }
  return sum;
}

// Do the pieces follow each other in memory, from its start?
bool is_same(const mjModel* m, bool bends, const mjtNum* memory) {
  const mjtNum* at = memory;
  for (int f = 0; f < m->nflex; f++) {
    Piece piece = piece_of(m, f, bends);
    if (piece.rows && (piece.from != at || piece.width != piece.room)) {
      return false;
    }
    at += piece.size();
  }
  return true;
}

PyObject* numbers(const mjModel* m, bool bends, PyObject* owner) {
  mjtNum* memory = bends ? m->flex_bending : m->flex_stiffness;
  auto size = static_cast<Py_ssize_t>(total(m, bends));
  Number type = sizeof(mjtNum) == 8 ? Number::kFloat64 : Number::kFloat32;
  if (is_same(m, bends, memory)) {
    return array_view(memory, type, 1, &size, owner);
  }
  npy_intp shape[1] = {size};
  PyObject* array = PyArray_ZEROS(1, shape, number_dtype(type), 0);
  if (!array) {
    return nullptr;
  }
  auto* view = reinterpret_cast<PyArrayObject*>(array);
  auto* to = static_cast<mjtNum*>(PyArray_DATA(view));
  for (int f = 0; f < m->nflex; f++) {
    Piece piece = piece_of(m, f, bends);
    for (size_t i = 0; i < piece.rows; i++, to += piece.room) {
      memcpy(to, piece.from + i * piece.width, piece.width * sizeof(mjtNum));
    }
  }
  PyArray_CLEARFLAGS(view, NPY_ARRAY_WRITEABLE);
  return array;
}

PyObject* addresses(const mjModel* m, bool bends) {
  npy_intp shape[1] = {m->nflex};
  PyObject* array = PyArray_ZEROS(1, shape, number_dtype(Number::kInt32), 0);
  if (!array) {
    return nullptr;
  }
  auto* view = reinterpret_cast<PyArrayObject*>(array);
  auto* to = static_cast<int*>(PyArray_DATA(view));
  size_t at = 0;
  for (int f = 0; f < m->nflex; f++) {
    size_t size = piece_of(m, f, bends).size();
    to[f] = size ? static_cast<int>(at) : -1;
    at += size;
  }
  PyArray_CLEARFLAGS(view, NPY_ARRAY_WRITEABLE);
  return array;
}

// Elements that have the material of their flex get it as their own, so that the array says all.
PyObject* materials(const mjModel* m, PyObject* owner) {
  for (int f = 0; f < m->nflex; f++) {
    int* own = m->cnd_flex_elemmatid + m->flex_elemadr[f];
    for (int e = 0; e < m->flex_elemnum[f]; e++) {
      own[e] = own[e] >= 0 ? own[e] : m->flex_matid[f];
    }
    m->flex_matid[f] = -1;
  }
  auto size = static_cast<Py_ssize_t>(m->nflexelem);
  return array_view(m->cnd_flex_elemmatid, Number::kInt32, 1, &size, owner);
}

// Cages whose outer faces alone are elastic have negative orders.
PyObject* orders(const mjModel* m, PyObject* owner) {
  auto size = static_cast<Py_ssize_t>(m->nflex);
  const int* shell = m->cnd_flex_shell;
  bool solid = std::none_of(shell, shell + m->nflex, [](int is_shell) { return is_shell; });
  if (solid) {
    return array_view(m->flex_interp, Number::kInt32, 1, &size, owner);
  }
  npy_intp shape[1] = {size};
  PyObject* array = PyArray_ZEROS(1, shape, number_dtype(Number::kInt32), 0);
  if (!array) {
    return nullptr;
  }
  auto* view = reinterpret_cast<PyArrayObject*>(array);
  auto* to = static_cast<int*>(PyArray_DATA(view));
  for (int f = 0; f < m->nflex; f++) {
    to[f] = m->flex_interp[f] * (shell[f] ? -1 : 1);
  }
  PyArray_CLEARFLAGS(view, NPY_ARRAY_WRITEABLE);
  return array;
}

bool is(const char* a, const char* b) {
  return !strcmp(a, b);
}

}  // namespace

bool flex_is_laid_out(const char* name) {
  return is(name, "flex_stiffness") || is(name, "flex_bending") || is(name, "flex_matid") ||
         is(name, "flex_stiffnessadr") || is(name, "flex_bendingadr") || is(name, "flex_interp");
}

PyObject* flex_laid_out(const char* name, const mjModel* m, PyObject* owner) {
  if (is(name, "flex_matid")) {
    return materials(m, owner);
  }
  if (is(name, "flex_interp")) {
    return orders(m, owner);
  }
  bool bends = !strncmp(name, "flex_bending", strlen("flex_bending"));
  return strstr(name, "adr") ? addresses(m, bends) : numbers(m, bends, owner);
}

Py_ssize_t flex_layout_size(const char* name, const mjModel* m) {
  return static_cast<Py_ssize_t>(total(m, is(name, "nflexbending")));
}
