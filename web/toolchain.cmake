# Compiles for WebAssembly with the clang that emscripten calls, and links with emscripten. Calling clang itself saves the start of
# a Python program for each of 500 files, and lets ccache work.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(EMCC emcc REQUIRED)
# emcc knows which; distributions put the version behind the names
foreach(key LLVM_ROOT CLANG_ADD_VERSION CACHE)
  execute_process(COMMAND em-config ${key} OUTPUT_VARIABLE ${key} OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE unknown
    ERROR_QUIET)
  if(unknown)
    set(${key} "")
  endif()
endforeach()
if(CLANG_ADD_VERSION)
  set(llvm_version -${CLANG_ADD_VERSION})
endif()
find_program(WASM_CLANG NAMES clang${llvm_version} HINTS ${LLVM_ROOT} REQUIRED)
set(CMAKE_C_COMPILER ${WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-unknown-emscripten)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_SYSROOT ${CACHE}/sysroot)
find_program(CMAKE_AR NAMES llvm-ar${llvm_version} HINTS ${LLVM_ROOT} REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib${llvm_version} HINTS ${LLVM_ROOT} REQUIRED)
set(CMAKE_C_FLAGS_INIT "-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -DEMSCRIPTEN -fvisibility=hidden -mllvm -combiner-global-alias-analysis=false -mllvm -enable-emscripten-sjlj -mllvm -disable-lsr")
# the optimizer of its JavaScript is a program for Node, which needs the package acorn
set(CMAKE_C_LINK_EXECUTABLE "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs:$ENV{NODE_PATH} ${EMCC} <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
