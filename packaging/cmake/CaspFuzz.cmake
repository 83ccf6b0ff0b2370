# Coverage instrumentation of all objects for libFuzzer; the fuzz targets are in tests/fuzz/.
if(CASP_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CASP_FUZZ needs clang with libFuzzer (Debian: clang-14 libclang-rt-14-dev): "
                        "cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
