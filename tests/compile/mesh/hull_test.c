// Convex hulls: which points are corners, and the layout of the graph.

#include "compile/mesh/hull.h"
#include "base/memory/memory.h"
#include "support/test.h"

// Points of a grid of n^3 in the unit cube.
static double* grid(int n, int* count) {
  double* p = malloc((size_t)(n * n * n) * 3 * sizeof(double));
  *count = 0;
  for (int i = 0; i < n * n * n; i++) {
    p[3 * *count] = (double)(i % n) / (n - 1);
    p[3 * *count + 1] = (double)(i / n % n) / (n - 1);
    p[3 * *count + 2] = (double)(i / n / n) / (n - 1);
    (*count)++;
  }
  return p;
}

TEST(points_inside_flat_faces_are_no_corners) {
  int n, length, *graph;
  char message[200];
  double* p = grid(4, &n);
  assert_int_equal(hull_make(&graph, &length, message, sizeof(message), p, n, -1, 0), HULL_OK);
  assert_int_equal(graph[0], 8);
  assert_int_equal(graph[1], 12);
  assert_int_equal(length, HULL_LENGTH(8, 12));
  for (int i = 0; i < 8; i++) {
    const double* v = p + 3 * graph[HULL_VERTEX + 8 + i];
    for (int k = 0; k < 3; k++) {
      assert_true(v[k] == 0 || v[k] == 1);
    }
  }
  heap_free(graph);
  free(p);
}

TEST(triangles_look_outside_and_edges_end_lists) {
  int n, length, *graph;
  char message[200];
  double* p = grid(2, &n);
  assert_int_equal(hull_make(&graph, &length, message, sizeof(message), p, n, -1, 0), HULL_OK);
  const int* face = graph + HULL_FACE(graph[0], graph[1]);
  for (int i = 0; i < graph[1]; i++) {
    const double *a = p + 3 * face[3 * i], *b = p + 3 * face[3 * i + 1],
                 *c = p + 3 * face[3 * i + 2];
    double u[3], v[3], outward = 0;
    for (int k = 0; k < 3; k++) {
      u[k] = b[k] - a[k];
      v[k] = c[k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
      outward += (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) * (a[k] - 0.5);
    }
    assert_that(outward, >, 0);
  }
  const int* edge = graph + HULL_VERTEX + 2 * graph[0];
  int ends = 0;
  for (int i = 0; i < graph[0] + 3 * graph[1]; i++) {
    assert_in_range(edge[i] + 1, 0, graph[0]);
    ends += edge[i] < 0;
  }
  assert_int_equal(ends, graph[0]);
  heap_free(graph);
  free(p);
}

TEST(flat_points_have_no_hull_and_the_reason_is_told) {
  const double p[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  int length, *graph;
  char message[200];
  assert_int_equal(hull_make(&graph, &length, message, sizeof(message), p, 4, -1, 0), HULL_FAILED);
  assert_null(graph);
  assert_that(message[0], !=, 0);
}

TEST(the_number_of_corners_can_be_bounded) {
  double p[300];
  unsigned seed = 1;
  for (int i = 0; i < 300; i++) {
    seed = seed * 1664525u + 1013904223u;
    p[i] = seed / 4294967296.0 - 0.5;
  }
  int length, *graph;
  char message[200];
  assert_int_equal(hull_make(&graph, &length, message, sizeof(message), p, 100, 7, 0), HULL_OK);
  assert_in_range(graph[0], 4, 7);
  heap_free(graph);
}
