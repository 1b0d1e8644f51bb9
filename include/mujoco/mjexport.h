// mjexport.h: which symbols a shared library shows to programs (MJAPI) and which it hides
// (MJLOCAL).
//
// The library itself is compiled with MUJOCO_DLL_EXPORTS; programs that link it statically define
// MJ_STATIC.

#ifndef MUJOCO_MJEXPORT_H_
#define MUJOCO_MJEXPORT_H_

#if defined(_WIN32) || defined(__CYGWIN__)
#define MUJOCO_HELPER_DLL_IMPORT __declspec(dllimport)
#define MUJOCO_HELPER_DLL_EXPORT __declspec(dllexport)
#define MUJOCO_HELPER_DLL_LOCAL
#elif defined(__GNUC__)
#define MUJOCO_HELPER_DLL_IMPORT __attribute__((visibility("default")))
#define MUJOCO_HELPER_DLL_EXPORT __attribute__((visibility("default")))
#define MUJOCO_HELPER_DLL_LOCAL __attribute__((visibility("hidden")))
#else
#define MUJOCO_HELPER_DLL_IMPORT
#define MUJOCO_HELPER_DLL_EXPORT
#define MUJOCO_HELPER_DLL_LOCAL
#endif

#if defined(MJ_STATIC)
#define MJAPI
#define MJLOCAL
#elif defined(MUJOCO_DLL_EXPORTS)
#define MJAPI MUJOCO_HELPER_DLL_EXPORT
#define MJLOCAL MUJOCO_HELPER_DLL_LOCAL
#else
#define MJAPI MUJOCO_HELPER_DLL_IMPORT
#define MJLOCAL MUJOCO_HELPER_DLL_LOCAL
#endif

#endif  // MUJOCO_MJEXPORT_H_
