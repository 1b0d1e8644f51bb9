// render.h: the library that draws, condyle_render, which is loaded when it is first asked for.
//
// The extension doesn't link with it: machines without it import the package all the same.

#ifndef CONDYLE_PYTHON_RENDER_H_
#define CONDYLE_PYTHON_RENDER_H_

// The address of a function of the library. Without the library, or the function in it, the call
// ends in mju_error with the reason, so it belongs under a guard.
void* render_function(const char* name);

#define RENDER(function) (reinterpret_cast<decltype(&(function))>(render_function(#function)))

#endif  // CONDYLE_PYTHON_RENDER_H_
