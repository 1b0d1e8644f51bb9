// contradiction.h: whether hard constraints contradict each other: no motion obeys them all.
//                                                   theory/contact/hard-contacts.md, Contradictions

#pragma once

#include "constraint/hard/problem.h"

// Whether a proof was found that the listed blocks have no solution. The problem isn't changed.
int contradiction_proved(const HardProblem* p, const int* list, int nlist, mjtNum need);
