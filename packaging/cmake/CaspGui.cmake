# Qt 6, Qt Charts and VTK for the window, and a precompiled Qt header that its targets share.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Charts Svg OpenGL OpenGLWidgets PrintSupport)
# Do not use Debian's VTK::GUISupportQt: it is built with Qt 5 (docs/decisions/0007-window.md).
find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel CommonColor CommonTransforms FiltersGeneral FiltersSources
             RenderingCore RenderingOpenGL2 RenderingFreeType RenderingAnnotation)

add_library(casp_qt INTERFACE)
target_link_libraries(casp_qt INTERFACE Qt6::Core Qt6::Gui Qt6::Widgets Qt6::Charts Qt6::Svg)
# Without the macros `signals`, `slots` and `emit`, which clash with names in other libraries' headers.
target_compile_definitions(casp_qt INTERFACE QT_NO_KEYWORDS QT_DISABLE_DEPRECATED_BEFORE=0x060400)

# casp_gui_library(NAME SOURCES… LIBRARIES…): a static library of the window's code.
function(casp_gui_library name)
  cmake_parse_arguments(G "" "" "SOURCES;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(${name} STATIC ${G_SOURCES})
  # AUTOMOC does not depend on our other libraries; without this it waits for all linked ones.
  set_target_properties(${name} PROPERTIES AUTOMOC ON AUTOGEN_ORIGIN_DEPENDS OFF)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/widgets ${CMAKE_SOURCE_DIR}/app)
  target_link_libraries(${name} PUBLIC casp_qt casp_base ${G_LIBRARIES} PRIVATE casp_warnings ${G_PRIVATE_LIBRARIES})
  if(NOT name STREQUAL casp_figures)
    target_precompile_headers(${name} REUSE_FROM casp_figures)
  endif()
endfunction()

# casp_translations(VARIABLE): compiles resources/translations/*.ts, and sets VARIABLE to a source file that embeds them as Qt
# resources ":/translations/caspstudio_zh_CN.qm", with the .ts beside it, from which the patterns of messages are read.
# Debian's path first: lrelease in PATH may be Qt 5's.
function(casp_translations variable)
  find_program(CASP_LRELEASE NAMES lrelease lrelease6 lrelease-qt6 HINTS /usr/lib/qt6/bin ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_BINS} NO_DEFAULT_PATH)
  find_program(CASP_LRELEASE NAMES lrelease6 lrelease-qt6 lrelease REQUIRED)
  file(GLOB _files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/translations/*.ts)
  set(_folder ${CMAKE_BINARY_DIR}/translations)
  file(MAKE_DIRECTORY ${_folder})
  set(_list "")
  foreach(_file ${_files})
    get_filename_component(_name ${_file} NAME_WE)
    set(_compiled ${_folder}/${_name}.qm)
    add_custom_command(OUTPUT ${_compiled} DEPENDS ${_file} VERBATIM COMMAND ${CASP_LRELEASE} -silent ${_file} -qm ${_compiled})
    string(APPEND _list "  <file alias=\"${_name}.qm\">${_compiled}</file>\n  <file alias=\"${_name}.ts\">${_file}</file>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${_folder}/translations.qrc @ONLY CONTENT
    "<RCC><qresource prefix=\"/translations\">\n${_list}</qresource></RCC>\n")
  qt_add_resources(_source ${_folder}/translations.qrc)
  set_source_files_properties(${_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set(${variable} ${_source} PARENT_SCOPE)
endfunction()
