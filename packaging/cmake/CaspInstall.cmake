# `cmake --install` and CPack (docs/decisions/0035-packages.md). All of it lies in lib/caspstudio, share/ and one link, so that
# the tree can be moved.
#
#   CASP_BUNDLE  which libraries are installed beside the program, in addition to LibTorch:
#                OFF       none: for this machine
#                unstable  those without a stable interface between distributions (VTK, HDF5, …): the Debian package
#                all       everything but the C library and the drivers: tarball and AppImage
set(CASP_BUNDLE "OFF" CACHE STRING "Libraries installed beside the program: OFF, unstable or all")
set_property(CACHE CASP_BUNDLE PROPERTY STRINGS OFF unstable all)
set(CASP_PROGRAMS lib/caspstudio/bin)  # below lib/caspstudio: CPack calls ldconfig for libraries in lib/*/
set(CASP_MAINTAINER "CASP Studio developers <caspstudio@users.noreply.github.com>" CACHE STRING "Maintainer of the Debian package")

# LibTorch's profiler asks for CUDA's runtime, which packages must not contain.
foreach(_name cudart cupti)
  string(TOUPPER ${_name} _macro)
  set(_versions ${PROJECT_BINARY_DIR}/no_${_name}.map)
  file(CONFIGURE OUTPUT ${_versions} CONTENT "lib${_name}.so.13 { *; };\n")
  add_library(casp_no_${_name} SHARED ${PROJECT_SOURCE_DIR}/packaging/cmake/no_cuda.c)
  target_compile_definitions(casp_no_${_name} PRIVATE ${_macro})
  target_compile_options(casp_no_${_name} PRIVATE -fvisibility=default)
  target_link_options(casp_no_${_name} PRIVATE -Wl,--version-script=${_versions})
  set_target_properties(casp_no_${_name} PROPERTIES OUTPUT_NAME ${_name} SOVERSION 13
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/no_cuda)
endforeach()
add_custom_target(package_parts DEPENDS casp_no_cudart casp_no_cupti caspstudio desktop_files)
# Whatever a build made, packaging/run.sh the program alone: first the rest.
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target package_parts COMMAND_ERROR_IS_FATAL ANY)")

set_target_properties(caspstudio caspstudio_bin PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS caspstudio caspstudio_bin RUNTIME DESTINATION ${CASP_PROGRAMS})
install(FILES ${PROJECT_BINARY_DIR}/no_cuda/libcudart.so.13 ${PROJECT_BINARY_DIR}/no_cuda/libcupti.so.13
              ${CASP_LIBTORCH}/lib/libtorch_cpu.so ${CASP_LIBTORCH}/lib/libc10.so ${_casp_gomp}
        DESTINATION ${CASP_PROGRAMS})
set(CASP_QT_PLUGINS "${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS}")
if(CASP_GUI AND CASP_BUNDLE STREQUAL "all")
  foreach(_plugin platforms/libqxcb platforms/libqoffscreen imageformats/libqsvg iconengines/libqsvgicon
          xcbglintegrations/libqxcb-glx-integration xcbglintegrations/libqxcb-egl-integration
          platforminputcontexts/libcomposeplatforminputcontextplugin platforminputcontexts/libibusplatforminputcontextplugin)
    get_filename_component(_kind ${_plugin} DIRECTORY)
    install(FILES ${CASP_QT_PLUGINS}/${_plugin}.so DESTINATION ${CASP_PROGRAMS}/plugins/${_kind})
  endforeach()
  # Qt looks beside the program, or beside the loader that started it.
  install(FILES packaging/portable/qt.conf DESTINATION ${CASP_PROGRAMS})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/loader/qt.conf CONTENT "[Paths]\nPrefix = ..\nPlugins = plugins\nTranslations = translations\n")
  install(FILES ${PROJECT_BINARY_DIR}/loader/qt.conf DESTINATION ${CASP_PROGRAMS}/glibc)
  install(FILES ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_TRANSLATIONS}/qtbase_zh_CN.qm DESTINATION ${CASP_PROGRAMS}/translations)
endif()
# Experiments to start from, which name the sample data relative to themselves.
install(DIRECTORY resources/experiments DESTINATION share/caspstudio/resources)
install(DIRECTORY resources/python/examples DESTINATION share/caspstudio/resources/python PATTERN __pycache__ EXCLUDE)
install(FILES datasets/sample.csv DESTINATION share/caspstudio/datasets)
if(CASP_BUNDLE STREQUAL "all")
  install(PROGRAMS packaging/portable/caspstudio DESTINATION .)
else()
  install(CODE "file(MAKE_DIRECTORY \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin)
file(CREATE_LINK ../${CASP_PROGRAMS}/caspstudio \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/caspstudio SYMBOLIC)")
endif()
# The man page, completions and what a desktop reads (CaspDesktop.cmake).
install(DIRECTORY ${CASP_DESKTOP_FILES}/share DESTINATION .)
set(_casp_doc share/doc/caspstudio)
install(FILES LICENSE-EXCEPTION.md CITATION.cff DESTINATION ${_casp_doc})
if(CASP_BUNDLE STREQUAL "unstable")
  # Debian policy: copyright, and a compressed changelog in its format (the time is SOURCE_DATE_EPOCH's).
  string(TIMESTAMP _casp_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/changelog CONTENT
"caspstudio (${PROJECT_VERSION}) unstable; urgency=medium

  * Release ${PROJECT_VERSION}: see CHANGELOG.md of the source.

 -- ${CASP_MAINTAINER}  ${_casp_date}
")
  install(CODE "execute_process(COMMAND gzip -9nkf ${PROJECT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz packaging/deb/copyright DESTINATION ${_casp_doc})
  install(CODE "execute_process(COMMAND gzip -9nf \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/man/man1/caspstudio.1 COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES packaging/deb/caspstudio.lintian-overrides DESTINATION share/lintian/overrides RENAME caspstudio)
else()
  install(FILES LICENSE CHANGELOG.md DESTINATION ${_casp_doc})
endif()
foreach(_name CASP_BUNDLE CASP_PROGRAMS CASP_LIBTORCH CASP_QT_PLUGINS)
  install(CODE "set(${_name} \"${${_name}}\")")
endforeach()
install(CODE "set(CASP_SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")\nset(CASP_BINARY_DIR \"${PROJECT_BINARY_DIR}\")\nset(CASP_VERSION ${PROJECT_VERSION})")
install(SCRIPT packaging/cmake/bundle_libraries.cmake)

# Debian 12 and 13, Ubuntu 24.04: libraries with a stable interface come from the system, under the names that all three have.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME caspstudio)
set(CPACK_PACKAGE_VENDOR "CASP Studio developers")
set(CPACK_PACKAGE_CONTACT "${CASP_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "time-series forecasting with language models")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "CASP Studio trains, evaluates and examines CASP-LLM, a forecaster of
multivariate series that is built on a frozen GPT-2, and the models it is
compared with: live in a window, or in batches on clusters. LibTorch is
included, for the processor; with an NVIDIA GPU, caspstudio --fetch cuda
downloads the rest.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)  # done by the install step
set(CPACK_THREADS 2)  # the bytes do not depend on the machine: one thread packs differently from several
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/no_cuda ${CASP_LIBTORCH}/lib)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-dejavu-core, libegl1, libgl1, libxcb-cursor0, tzdata, qt6-qpa-plugins | libqt6gui6 (>= 6.8)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, libgl1-mesa-dri, qt6-wayland, qt6-translations-l10n")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openssh-client, slurm-client, fonts-noto-cjk, python3-pip")
include(CPack)
