// report.h: handlers of mju_error and mju_warning for one thread.

#pragma once

// A function called with the message of an error or warning.
typedef void (*ErrorHandler)(const char* message);

enum {
  REPORT_BYTES = 1024  // longest message, terminator included
};

// Sets this thread's handler of errors, which comes before the program's and must not return; NULL
// removes it. Returns the previous handler.
ErrorHandler error_handle(ErrorHandler handler);

// Sets this thread's handler of warnings, which comes before the program's; NULL removes it.
// Returns the previous handler.
ErrorHandler warning_handle(ErrorHandler handler);
