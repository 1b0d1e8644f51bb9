# What the engine is built on. A missing package ends the configuration with the command that installs it.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(EXPAT QUIET)
if(NOT EXPAT_FOUND)
  message(FATAL_ERROR "Expat is missing; on Debian: apt-get install libexpat1-dev")
endif()
