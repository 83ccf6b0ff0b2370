# Third-party libraries. LibTorch comes from the wheel fetched by packaging/, or from any folder with lib/ and include/ of
# LibTorch >= 2.9.
#
# The wheel's find_package(Torch) requires a CUDA toolkit, so the necessary libraries are imported by name.
# libtorch_cuda is not linked: it is loaded on demand (core/util/device.h).
# Order: -DCASP_LIBTORCH=DIR, the environment variable CASP_LIBTORCH, the user's cache.
set(CASP_TORCH_VERSION 2.11.0)
if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(_casp_cache "$ENV{XDG_CACHE_HOME}")
else()
  set(_casp_cache "$ENV{HOME}/.cache")
endif()
set(_casp_libtorch "${_casp_cache}/caspstudio/libtorch-${CASP_TORCH_VERSION}/torch")
if(DEFINED ENV{CASP_LIBTORCH} AND NOT "$ENV{CASP_LIBTORCH}" STREQUAL "")
  set(_casp_libtorch "$ENV{CASP_LIBTORCH}")
endif()
set(CASP_LIBTORCH "${_casp_libtorch}" CACHE PATH
    "Folder of LibTorch >= 2.9 (contains include/ and lib/)")
if(NOT EXISTS "${CASP_LIBTORCH}/lib/libtorch_cpu.so")
  message(FATAL_ERROR
    "No LibTorch in ${CASP_LIBTORCH}. Run packaging/run.sh or packaging/test.sh, which fetch it, "
    "or set -DCASP_LIBTORCH=DIR to a LibTorch >= 2.9 (the folder that contains include/ and lib/).")
endif()
# The version is defined by macros, which moved to another header in 2.10.
set(_casp_torch_version "")
foreach(_header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
  if(EXISTS "${CASP_LIBTORCH}/include/${_header}")
    file(STRINGS "${CASP_LIBTORCH}/include/${_header}" _lines REGEX "^#define TORCH_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
    string(REGEX REPLACE "[^;0-9]" "" _numbers "${_lines}")
    string(REPLACE ";" "." _casp_torch_version "${_numbers}")
  endif()
  if(_casp_torch_version)
    break()
  endif()
endforeach()
if(NOT _casp_torch_version VERSION_GREATER_EQUAL 2.9)
  message(FATAL_ERROR
    "The LibTorch in ${CASP_LIBTORCH} is of version \"${_casp_torch_version}\"; 2.9 or later is needed. "
    "Unset CASP_LIBTORCH and run packaging/run.sh, which fetches ${CASP_TORCH_VERSION}, or set -DCASP_LIBTORCH=DIR.")
endif()

foreach(_lib c10 torch_cpu)
  add_library(casp_${_lib} SHARED IMPORTED)
  set_target_properties(casp_${_lib} PROPERTIES
    IMPORTED_LOCATION "${CASP_LIBTORCH}/lib/lib${_lib}.so"
    INTERFACE_INCLUDE_DIRECTORIES "${CASP_LIBTORCH}/include;${CASP_LIBTORCH}/include/torch/csrc/api/include")
endforeach()
add_library(casp_torch INTERFACE)
target_link_libraries(casp_torch INTERFACE casp_torch_cpu casp_c10)
# at::parallel_for is a template whose loop is serial unless its caller is compiled with OpenMP. The library must be
# LibTorch's own: it has the threads that at::set_num_threads() counts.
file(GLOB _casp_gomp "${CASP_LIBTORCH}/lib/libgomp*.so*")
if(NOT _casp_gomp OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(STATUS "Own loops over tensors run on one thread: they need g++ and LibTorch's libgomp")
elseif(NOT CASP_SANITIZE MATCHES thread)  # which does not see libgomp's barriers
  list(GET _casp_gomp 0 _casp_gomp)
  add_library(casp_gomp SHARED IMPORTED)
  set_target_properties(casp_gomp PROPERTIES IMPORTED_LOCATION "${_casp_gomp}")
  target_compile_options(casp_torch INTERFACE -fopenmp)
  target_link_libraries(casp_torch INTERFACE casp_gomp)
endif()

find_package(HDF5 REQUIRED COMPONENTS C)
add_library(casp_hdf5 INTERFACE)
target_include_directories(casp_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(casp_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
target_compile_definitions(casp_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})

find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(CURL REQUIRED)
find_package(LibArchive REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(spdlog REQUIRED)
find_package(FastFloat REQUIRED)
find_package(date REQUIRED)  # date::date-tz
