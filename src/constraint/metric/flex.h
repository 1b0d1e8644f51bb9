// flex.h: elastic flexes in the metric.

#pragma once

#include "constraint/metric/layout.h"

// Calls visit for the dofs that each element couples.
void metric_flex_visit(const mjModel* m, mjData* d, MetricVisitor* visit, void* arg);

// Adds their part of Mhat - M to a matrix with the metric's pattern, their part of - h K v to a
// vector. The former also writes flexvert_hessian and flexedge_hessian, under the behaviour flex.
void metric_flex_add(mjtNum* matrix, const mjModel* m, mjData* d);
void metric_flex_shift(mjtNum* shift, const mjModel* m, mjData* d);

// The bodies of points of elastic flexes, as release 4.0 lists them (efm_dofid): the first dofs of
// those that slide along three axes, ascending; none if there are other ones that move. dof may be
// NULL. Returns their number.
int metric_flex_dofs(int* dof, const mjModel* m, mjData* d);
