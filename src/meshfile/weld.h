// weld.h: making corners at the same place one vertex.

#pragma once

#include <stddef.h>

// Keeps one of the points (npoint x 3) at each place, numbered by first occurrence, and moves these
// to the front. vertex[i] receives the vertex of point i. Returns the number of vertices, -1 if
// memory runs out (heap_take).
int weld_points(int* vertex, float* point, size_t npoint);
