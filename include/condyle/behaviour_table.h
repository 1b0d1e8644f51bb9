// behaviour_table.h: the rules whose results differ between MuJoCo 3.3.7 and later releases,
// written once. A model has one bit for each (mjOption.behaviour): 0 is the rule of 3.3.7, 1 the
// later one.
//
//   BEHAVIOUR(name, release, meaning)
//
// release is the one that brought the rule; a dialect is the set of all rules up to its release.
// The meaning says what changes, and for which models.

#ifndef CONDYLE_BEHAVIOUR_TABLE_H_
#define CONDYLE_BEHAVIOUR_TABLE_H_

// clang-format off
#define CND_BEHAVIOURS(BEHAVIOUR) \
  BEHAVIOUR(actearly, "3.5", \
        "implicit integrators take the derivative of an actuator with actearly at its next " \
        "activation, not at the present one")
// clang-format on

#endif  // CONDYLE_BEHAVIOUR_TABLE_H_
