// mjmacro.h: small macros for programs. The flag tests expect a variable m of type mjModel* in
// scope.

#ifndef MUJOCO_MJMACRO_H_
#define MUJOCO_MJMACRO_H_

// larger and smaller of two numbers; an argument may be evaluated twice
#define mjMAX(a, b) (((a) > (b)) ? (a) : (b))
#define mjMIN(a, b) (((a) < (b)) ? (a) : (b))

// nonzero if a default feature is switched off (mjtDisableBit) or an optional one on (mjtEnableBit)
#define mjDISABLED(x) (m->opt.disableflags & (x))
#define mjENABLED(x) (m->opt.enableflags & (x))

// nonzero if the group of actuator i is switched off
#define mjACTUATORDISABLED(i) (m->opt.disableactuator & (1 << m->actuator_group[i]))

// lets compilers check the arguments of printf-like functions: format is argument n, values from m
// on
#ifndef mjPRINTFLIKE
#if defined(__MINGW32__)
#define mjPRINTFLIKE(n, m) __attribute__((format(gnu_printf, n, m)))
#elif defined(__GNUC__)
#define mjPRINTFLIKE(n, m) __attribute__((format(printf, n, m)))
#else
#define mjPRINTFLIKE(n, m)
#endif
#endif

#endif  // MUJOCO_MJMACRO_H_
