// report.h: what stands behind mju_error and mju_warning.

#ifndef CONDYLE_BASE_REPORT_H_
#define CONDYLE_BASE_REPORT_H_

// A reaction to a message.
typedef void (*ErrorHandler)(const char* message);

enum {
  REPORT_BYTES = 1024  // longest message, terminator included
};

// Sets the reaction of this thread to errors, which must not return; NULL for none. Returns the one
// before.
ErrorHandler error_handle(ErrorHandler handler);

// Sets the reaction of this thread to warnings, which comes before that of the program; NULL for
// none. Returns the one before.
ErrorHandler warning_handle(ErrorHandler handler);

#endif  // CONDYLE_BASE_REPORT_H_
