// The measure of a cage: what mass and stiffness follow from the part of each cell that is filled.
//                                                              theory/smooth/deformables.md, Cages

#include "compile/flex/cage.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/memory/memory.h"

enum {
  NODES_MAX = 1 << 20,         // of a cage
  NUMBERS_MAX = INT_MAX / 32,  // of the stiffness of its cells
};

// The part of a cell without material has this part of its stiffness and mass.
static const double VOID = 1e-6;

// A node has at least this part of its mass in a full cell, so that none is without inertia.
static const double LEAST_MASS = 0.02;

static int count_places(const int count[3], int order, int more) {
  int64_t n = 1;
  for (int k = 0; k < 3; k++) {
    if (count[k] < 1 || count[k] > NODES_MAX) {
      return 0;
    }
    n *= (int64_t)order * count[k] + more;
    if (n > NODES_MAX) {
      return 0;
    }
  }
  return (int)n;
}

int cage_nodes(int order, const int count[3]) {
  return order >= 1 && order <= CAGE_ORDER_MAX ? count_places(count, order, 1) : 0;
}

int cage_cells(const int count[3]) {
  return count_places(count, 1, 0);
}

int cage_is_large(int order, const int count[3]) {
  int64_t size = 3 * (int64_t)cage_cell_nodes(order);
  return cage_cells(count) > NUMBERS_MAX / (size * size);
}

int cage_cell_nodes(int order) {
  return (order + 1) * (order + 1) * (order + 1);
}

static void cell_place(int at[3], const int count[3], int cell) {
  at[0] = cell / (count[1] * count[2]);
  at[1] = cell / count[2] % count[1];
  at[2] = cell % count[2];
}

void cage_cell_node(int* node, int order, const int count[3], int cell) {
  int at[3], ny = order * count[1] + 1, nz = order * count[2] + 1, n = 0;
  cell_place(at, count, cell);
  for (int i = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++) {
      for (int k = 0; k <= order; k++) {
        node[n++] = ((order * at[0] + i) * ny + order * at[1] + j) * nz + order * at[2] + k;
      }
    }
  }
}

// Gauss-Legendre points and weights on [0, 1], by Newton's method on the Legendre polynomial.
static void gauss(double* x, double* w, int n) {
  for (int i = 0; i < n; i++) {
    double z = portable_cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 100; step++) {
      double p0 = 1, p1 = z;
      for (int k = 2; k <= n; k++) {
        double p2 = ((2 * k - 1) * z * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
      }
      if (n == 1) {
        p0 = 1;
        p1 = z;
      }
      slope = n * (z * p1 - p0) / (z * z - 1);
      double change = p1 / slope;
      z -= change;
      if (fabs(change) < 1e-16) {
        break;
      }
    }
    x[i] = (1 - z) / 2;
    w[i] = 1 / ((1 - z * z) * slope * slope);
  }
}

void cage_free(Cage* cage) {
  heap_free(cage->weight);
  cage->weight = NULL;
}

// mass and stiffness

int cage_is_empty(const Cage* cage, int cell) {
  const double* weight = cage->weight + (size_t)cell * (size_t)cage_points(cage);
  double volume = 0;
  for (int i = 0; i < cage_points(cage); i++) {
    volume += weight[i];
  }
  return !(volume > CAGE_LEAST_VOLUME);
}

int cage_is_same(const Cage* cage, int cell) {
  size_t n = (size_t)cage_points(cage);
  const double* own = cage->weight + (size_t)cell * n;
  for (size_t i = 0; cell && i < n; i++) {
    if (!(fabs(own[i] - own[i - n]) < CAGE_LEAST_VOLUME)) {
      return 0;
    }
  }
  return cell > 0;
}

void cage_grid(CageGrid* grid, const Cage* cage) {
  grid->n = cage_axis_points(cage);
  gauss(grid->x, grid->w, grid->n);
}

void cage_lagrange(double out[CAGE_AXIS_MAX], const CageGrid* grid, double x) {
  for (int p = 0; p < grid->n; p++) {
    out[p] = 1;
    for (int q = 0; q < grid->n; q++) {
      out[p] *= q == p ? 1 : (x - grid->x[q]) / (grid->x[p] - grid->x[q]);
    }
  }
}

// The weights of a cell, with the part that is void at its low weight.
static void weigh(double* out, const Cage* cage, const CageGrid* grid, int cell) {
  const double* part = cage->weight + (size_t)cell * (size_t)cage_points(cage);
  int n = grid->n;
  for (int i = 0; i < n * n * n; i++) {
    double full = grid->w[i / (n * n)] * grid->w[i / n % n] * grid->w[i % n];
    out[i] = (1 - VOID) * part[i] + VOID * full;
  }
}

// Polynomials along an axis, by power.
static const double linear[2][3] = {{1, -1, 0}, {0, 1, 0}};
static const double quadratic[3][3] = {{1, -3, 2}, {0, 4, -4}, {0, -1, 2}};

// Nonnegative functions with the sum 1 and the integrals of the quadratic shape functions, 1/6,
// 2/3, 1/6: these are negative somewhere, so that masses from them could be, too.
static const double shares[3][3] = {{0.5, -1, 0.5}, {0.5, 1, -1}, {0, 0, 0.5}};

static double quadratic_at(const double f[3], double x) {
  return f[0] + x * (f[1] + x * f[2]);
}

// Integral of a product of three polynomials of degree 2.
static double integrate(const double* weight, const CageGrid* grid, const double f[3],
                        const double g[3], const double h[3]) {
  double sum = 0;
  for (int a = 0; a < grid->n; a++) {
    for (int b = 0; b < grid->n; b++) {
      double both = quadratic_at(f, grid->x[a]) * quadratic_at(g, grid->x[b]);
      for (int c = 0; c < grid->n; c++) {
        sum += *weight++ * both * quadratic_at(h, grid->x[c]);
      }
    }
  }
  return sum;
}

void cage_masses(double* mass, const Cage* cage) {
  int order = cage->order, nnode = cage_nodes(order, cage->count);
  int ncell = cage_cells(cage->count), n = order + 1;
  const double(*share)[3] = order == 1 ? linear : shares;
  const double whole[2][2] = {{0.5, 0}, {1.0 / 6, 2.0 / 3}};
  double weight[CAGE_POINTS_MAX], sum = 0;
  CageGrid grid;
  cage_grid(&grid, cage);
  memset(mass, 0, (size_t)nnode * sizeof(double));
  for (int cell = 0; cell < ncell; cell++) {
    int node[27];
    if (cage_is_empty(cage, cell)) {
      continue;
    }
    weigh(weight, cage, &grid, cell);
    cage_cell_node(node, order, cage->count, cell);
    for (int i = 0; i < n * n * n; i++) {
      const int at[3] = {i / (n * n), i / n % n, i % n};
      double least = LEAST_MASS;
      for (int k = 0; k < 3; k++) {
        least *= whole[order - 1][order == 2 && at[k] == 1];
      }
      double own = integrate(weight, &grid, share[at[0]], share[at[1]], share[at[2]]);
      mass[node[i]] += fmax(own, least);
      sum += fmax(own, least);
    }
  }
  for (int i = 0; i < nnode; i++) {
    mass[i] = sum > 0 ? mass[i] / sum : 0;
  }
}

// Gradients of the shape functions of all nodes of a cell at a point of it.
static void gradients(double (*g)[3], const Cage* cage, const double x[3]) {
  int n = cage->order + 1;
  const double(*shape)[3] = cage->order == 1 ? linear : quadratic;
  double value[3][3], slope[3][3];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) {
      value[k][i] = shape[i][0] + x[k] * (shape[i][1] + x[k] * shape[i][2]);
      slope[k][i] = (shape[i][1] + 2 * x[k] * shape[i][2]) / cage->side[k];
    }
  }
  for (int i = 0; i < n * n * n; i++) {
    const int at[3] = {i / (n * n), i / n % n, i % n};
    for (int k = 0; k < 3; k++) {
      g[i][k] = slope[k][at[k]] * value[(k + 1) % 3][at[(k + 1) % 3]] *
                value[(k + 2) % 3][at[(k + 2) % 3]];
    }
  }
}

// K = - integral of la (d_k N_i)(d_l N_j) + mu (delta_kl grad N_i . grad N_j + d_l N_i d_k N_j)
void cage_stiffen(double* K, const Cage* cage, int cell, Material material) {
  int n = cage_axis_points(cage), nodes = cage_cell_nodes(cage->order), size = 3 * nodes;
  double weight[CAGE_POINTS_MAX], g[27][3];
  CageGrid grid;
  cage_grid(&grid, cage);
  weigh(weight, cage, &grid, cell);
  memset(K, 0, (size_t)size * (size_t)size * sizeof(double));
  double volume = cage->side[0] * cage->side[1] * cage->side[2];
  for (int p = 0; p < n * n * n; p++) {
    const double x[3] = {grid.x[p / (n * n)], grid.x[p / n % n], grid.x[p % n]};
    gradients(g, cage, x);
    double la = weight[p] * volume * material.la, mu = weight[p] * volume * material.mu;
    for (int i = 0; i < nodes; i++) {
      for (int j = 0; j < nodes; j++) {
        double along = g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2];
        for (int k = 0; k < 3; k++) {
          double* row = K + (size_t)(3 * i + k) * (size_t)size + 3 * (size_t)j;
          for (int l = 0; l < 3; l++) {
            row[l] -= la * g[i][k] * g[j][l] + mu * g[i][l] * g[j][k];
          }
          row[k] -= mu * along;
        }
      }
    }
  }
}

// modes

// Turns columns p and q of a symmetric matrix A of n rows, and of V, so that A_pq vanishes.
static void turn(double* A, double* V, int n, int p, int q) {
  double apq = A[(size_t)p * n + q];
  double theta = (A[(size_t)q * n + q] - A[(size_t)p * n + p]) / (2 * apq);
  double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    double a = A[(size_t)k * n + p], b = A[(size_t)k * n + q];
    A[(size_t)k * n + p] = c * a - s * b;
    A[(size_t)k * n + q] = s * a + c * b;
  }
  for (int k = 0; k < n; k++) {
    double a = A[(size_t)p * n + k], b = A[(size_t)q * n + k];
    A[(size_t)p * n + k] = c * a - s * b;
    A[(size_t)q * n + k] = s * a + c * b;
    a = V[(size_t)k * n + p];
    b = V[(size_t)k * n + q];
    V[(size_t)k * n + p] = c * a - s * b;
    V[(size_t)k * n + q] = s * a + c * b;
  }
}

// Jacobi's method: the columns of V become the eigenvectors of A, whose diagonal the eigenvalues.
static void find_eigenvectors(double* A, double* V, int n) {
  double size = 0, rest = 1;
  for (int i = 0; i < n * n; i++) {
    V[i] = i % (n + 1) == 0;
    size += A[i] * A[i];
  }
  for (int sweep = 0; sweep < 60 && rest > 1e-30 * size; sweep++) {
    rest = 0;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        double apq = A[(size_t)p * n + q];
        rest += apq * apq;
        if (apq * apq > 1e-36 * size) {
          turn(A, V, n, p, q);
        }
      }
    }
  }
}

void cage_find_modes(double* out, const Cage* cage, int cell) {
  static const Material usual = {10 / (2 * 1.3), 10 * 0.3 / (1.3 * 0.4)};
  int n = 3 * cage_cell_nodes(cage->order);
  double *A = heap_take(2 * (size_t)n * (size_t)n * sizeof(double)), *V = A + (size_t)n * (size_t)n;
  cage_stiffen(A, cage, cell, usual);
  for (int i = 0; i < n * n; i++) {
    A[i] = -A[i];
  }
  find_eigenvectors(A, V, n);
  memset(out, 0, (size_t)n * (size_t)n * sizeof(double));
  out[0] = n - 6;
  // all but the six motions of a rigid body, which are the softest
  for (int r = 0; r < 6; r++) {
    int least = 0;
    for (int k = 1; k < n; k++) {
      least = A[(size_t)k * (n + 1)] < A[(size_t)least * (n + 1)] ? k : least;
    }
    A[(size_t)least * (n + 1)] = INFINITY;
  }
  double* to = out + 1;
  for (int k = 0; k < n; k++) {
    double value = A[(size_t)k * (n + 1)];
    for (int i = 0; i < n && value < INFINITY; i++) {
      *to++ = sqrt(fmax(0, value)) * V[(size_t)i * n + (size_t)k];
    }
  }
  heap_free(A);
}
