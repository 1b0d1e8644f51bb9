// flex.h: elastic flexes in the metric.

#pragma once

#include "constraint/metric/layout.h"

// Calls visit for the dofs that each element couples.
void metric_flex_visit(const mjModel* m, mjData* d, MetricVisitor* visit, void* arg);

// Adds their part of Mhat - M to a matrix with the metric's pattern, their part of - h K v to a
// vector.
void metric_flex_add(mjtNum* matrix, const mjModel* m, mjData* d);
void metric_flex_shift(mjtNum* shift, const mjModel* m, mjData* d);
