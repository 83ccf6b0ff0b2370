# ninja tidy: clang-tidy on all of our own sources, those that include LibTorch too.
# packaging/tidy.py without --all, as .ci/run calls it, leaves these out.
find_program(CASP_PYTHON3 python3)
if(CASP_PYTHON3)
  add_custom_target(tidy
    COMMAND ${CASP_PYTHON3} ${PROJECT_SOURCE_DIR}/packaging/tidy.py --all --build ${CMAKE_BINARY_DIR}
    USES_TERMINAL VERBATIM COMMENT "clang-tidy on all files")
endif()
