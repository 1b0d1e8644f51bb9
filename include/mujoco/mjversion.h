// mjversion.h: the generation of the interface that a program is written for.
//
//   #define mjVERSION_API 400
//   #include <mujoco/mujoco.h>
//
// asks for names, signatures and lists of fields as MuJoCo 4.0.0 has them; without it they are
// those of 3.3.7. The library is the same for both, and so are all values of enums and layouts of
// structs: the headers map names. A program that asks for 4.0.0 has models that name no dialect
// loaded as its generation means them.

#ifndef MUJOCO_MJVERSION_H_
#define MUJOCO_MJVERSION_H_

#ifndef mjVERSION_API
#define mjVERSION_API 337
#endif

#if mjVERSION_API != 337 && mjVERSION_API != 400
#error "mjVERSION_API is 337 (MuJoCo 3.3.7) or 400 (MuJoCo 4.0.0)"
#endif

// the version of the interface that these headers describe, as that release counts it
#if mjVERSION_API >= 400
#define mjVERSION_HEADER 4000000
#else
#define mjVERSION_HEADER 337
#endif

// What the two generations spell differently: a type, a qualifier, a number; a truth value.
#if mjVERSION_API >= 400
#define CND_API(of337, of400) of400
#define CND_BOOL mjtBool
#else
#define CND_API(of337, of400) of337
#define CND_BOOL mjtByte
#endif

#endif  // MUJOCO_MJVERSION_H_
