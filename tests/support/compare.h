// compare.h: comparisons that print what they compared.
//
//   assert_that(residual, <, 1e-10);     fails with: residual < 1e-10: 3.2e-05 < 1e-10
//   assert_has(error, "line 3");         fails with the whole text
//
// Sides are evaluated once and compared in their own types. Every test has this through test.h.

#pragma once

// A number or an address, for printing.
typedef struct Compared_ {
  enum {
    COMPARED_REAL,
    COMPARED_SIGNED,
    COMPARED_UNSIGNED,
    COMPARED_ADDRESS
  } kind;
  union {
    double real;
    long long integer;
    unsigned long long size;
    const void* address;
  };
} Compared;

static inline Compared compared_real(long double x) {
  return (Compared){.kind = COMPARED_REAL, .real = (double)x};
}

static inline Compared compared_signed(long long x) {
  return (Compared){.kind = COMPARED_SIGNED, .integer = x};
}

static inline Compared compared_unsigned(unsigned long long x) {
  return (Compared){.kind = COMPARED_UNSIGNED, .size = x};
}

static inline Compared compared_address(const void* x) {
  return (Compared){.kind = COMPARED_ADDRESS, .address = x};
}

#define COMPARED(x)                                \
  _Generic((x), float                              \
           : compared_real, double                 \
           : compared_real, long double            \
           : compared_real, _Bool                  \
           : compared_signed, char                 \
           : compared_signed, signed char          \
           : compared_signed, short                \
           : compared_signed, int                  \
           : compared_signed, long                 \
           : compared_signed, long long            \
           : compared_signed, unsigned char        \
           : compared_unsigned, unsigned short     \
           : compared_unsigned, unsigned           \
           : compared_unsigned, unsigned long      \
           : compared_unsigned, unsigned long long \
           : compared_unsigned, default            \
           : compared_address)(x)

// Fails the running test unless a and b are in the relation (an operator of C: <, <=, ==, ...).
#define assert_that(a, relation, b)                                                   \
  do {                                                                                \
    __auto_type a_ = (a);                                                             \
    __auto_type b_ = (b);                                                             \
    if (!(a_ relation b_)) {                                                          \
      compared_print(#a " " #relation " " #b, COMPARED(a_), #relation, COMPARED(b_)); \
      _fail(__FILE__, __LINE__);                                                      \
    }                                                                                 \
  } while (0)

// Fails unless the number is neither infinite nor NaN.
#define assert_finite_number(x)                               \
  do {                                                        \
    if (!isfinite(x)) {                                       \
      print_error("%s is not finite: %g\n", #x, (double)(x)); \
      _fail(__FILE__, __LINE__);                              \
    }                                                         \
  } while (0)

// Fails unless the text contains the part.
#define assert_has(text, part)          \
  do {                                  \
    if (!text_has(#text, text, part)) { \
      _fail(__FILE__, __LINE__);        \
    }                                   \
  } while (0)

// What the macros call.
void compared_print(const char* what, Compared a, const char* relation, Compared b);
int text_has(const char* name, const char* text, const char* part);
