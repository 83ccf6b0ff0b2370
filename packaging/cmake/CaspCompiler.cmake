# Warnings, sanitizers, coverage and ccache; casp_warnings is the interface target for this project's code.
add_library(casp_warnings INTERFACE)
target_compile_options(casp_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # g++ 12 reports a std::string joined with a literal as overlapping memory (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Local names of two files compiled together may shadow each other.
  "$<$<BOOL:${CASP_UNITY}>:-Wno-shadow>"
  "$<$<AND:$<BOOL:${CASP_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>"
  $<$<BOOL:${CASP_WERROR}>:-Werror>)

if(CASP_SANITIZE)
  # Every finding ends the program, because a passing test would hide its output.
  add_compile_options(-fsanitize=${CASP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${CASP_SANITIZE})
  # g++ and clang have different names for this.
  if(CASP_SANITIZE MATCHES address)
    add_compile_definitions(CASP_SANITIZES_MEMORY)
  elseif(CASP_SANITIZE MATCHES thread)
    add_compile_definitions(CASP_SANITIZES_THREADS)
  endif()
endif()

if(CASP_COVERAGE)
  # -Og keeps lines apart that -O2 would merge. Counts are atomic: threads share them.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--coverage;-fprofile-update=atomic;-fprofile-abs-path;-Og;-g1>")
  add_link_options(--coverage)
endif()

find_program(CASP_CCACHE ccache)
if(CASP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header is cacheable only with these two sloppiness flags (ccache manual).
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CASP_CCACHE})
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
endif()

include(CaspTidy)
