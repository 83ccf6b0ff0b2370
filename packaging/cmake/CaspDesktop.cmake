# Files that an installation has besides the program: man page, shell completions and, with the window, menu entry, AppStream
# metadata, file type and icons. The target desktop_files makes them in CASP_DESKTOP_FILES as they are installed below the
# prefix (share/man/man1/caspstudio.1, …).
set(CASP_DESKTOP_FILES ${CMAKE_BINARY_DIR}/desktop)
set(CASP_ZSH_COMPLETIONS share/zsh/vendor-completions CACHE STRING "Folder of zsh completions below the prefix; elsewhere than in Debian: share/zsh/site-functions")
set(CASP_ICON_SIZES 16 22 24 32 48 64 128 256 512)

set(_files "")
# casp_printed(FILE ARGUMENT...): what the program prints with these arguments.
macro(casp_printed file)
  get_filename_component(_folder ${CASP_DESKTOP_FILES}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${_folder})
  add_custom_command(OUTPUT ${CASP_DESKTOP_FILES}/${file} DEPENDS caspstudio VERBATIM
                     COMMAND caspstudio ${ARGN} > ${CASP_DESKTOP_FILES}/${file})
  list(APPEND _files ${CASP_DESKTOP_FILES}/${file})
endmacro()
# casp_copied(SOURCE FOLDER)
macro(casp_copied source folder)
  get_filename_component(_name ${source} NAME)
  file(MAKE_DIRECTORY ${CASP_DESKTOP_FILES}/${folder})
  add_custom_command(OUTPUT ${CASP_DESKTOP_FILES}/${folder}/${_name} DEPENDS ${PROJECT_SOURCE_DIR}/${source} VERBATIM
                     COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/${source} ${CASP_DESKTOP_FILES}/${folder}/${_name})
  list(APPEND _files ${CASP_DESKTOP_FILES}/${folder}/${_name})
endmacro()

casp_printed(share/man/man1/caspstudio.1 --man)
casp_printed(share/bash-completion/completions/caspstudio --completion bash)
casp_printed(${CASP_ZSH_COMPLETIONS}/_caspstudio --completion zsh)
if(CASP_GUI)
  casp_copied(resources/desktop/caspstudio.desktop share/applications)
  casp_copied(resources/desktop/org.caspstudio.caspstudio.metainfo.xml share/metainfo)
  casp_copied(resources/desktop/caspstudio-mime.xml share/mime/packages)
  casp_copied(resources/icons/app/caspstudio.svg share/icons/hicolor/scalable/apps)
  add_executable(render_icon packaging/render_icon.cpp)
  target_link_libraries(render_icon PRIVATE Qt6::Gui Qt6::Svg casp_warnings)
  foreach(_size ${CASP_ICON_SIZES})
    set(_folder ${CASP_DESKTOP_FILES}/share/icons/hicolor/${_size}x${_size}/apps)
    file(MAKE_DIRECTORY ${_folder})
    add_custom_command(OUTPUT ${_folder}/caspstudio.png DEPENDS render_icon resources/icons/app/caspstudio.svg VERBATIM
                       COMMAND render_icon ${PROJECT_SOURCE_DIR}/resources/icons/app/caspstudio.svg ${_size} ${_folder}/caspstudio.png)
    list(APPEND _files ${_folder}/caspstudio.png)
  endforeach()
endif()
add_custom_target(desktop_files ALL DEPENDS ${_files})
