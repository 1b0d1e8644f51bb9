// hold.h: warnings of threads that help with a stage.
//
// Warnings are counted in mjData and reported to the program, both in the order of a step without
// other threads. A helper can do neither: it notes that there was one.

#pragma once

// From now on warnings of this thread are not reported, but *held becomes 1; NULL: they are again.
// Returns what was set before.
int* warning_hold(int* held);

// Whether warnings of this thread are held. If they are, notes that there was one.
int warning_is_held(void);
