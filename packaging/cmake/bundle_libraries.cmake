# A step of `cmake --install`: copies libraries of this system beside the installed program, as CASP_BUNDLE says, and strips them.
cmake_policy(VERSION 3.25)
set(programs $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${CASP_PROGRAMS})
file(GLOB_RECURSE plugins ${programs}/plugins/*.so)

# Never beside the program: LibTorch, which is there, the C and C++ libraries, and what must fit the drivers and the display.
set(from_system "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|mvec|anl)\\.so" "^libnss_" "^lib(stdc\\+\\+|gcc_s)\\.so"
    "^lib(torch_cpu|c10|gomp|cudart|cupti)[.-]" "^lib(GL|GLX|GLdispatch|EGL|OpenGL|drm|gbm|glapi)\\.so"
    "^libX" "^libxcb\\.so" "^libICE" "^libSM" "^lib(fontconfig|freetype|harfbuzz|expat|z)\\.so" "^libwayland-client")
set(unstable "^libvtk" "^libhdf5" "^lib(sz|aec|date-tz|spdlog|fmt|tomlplusplus|tbb|GLEW|double-conversion)\\.so")
if(CASP_BUNDLE STREQUAL "unstable")
  set(filters PRE_INCLUDE_REGEXES ${unstable} PRE_EXCLUDE_REGEXES ".*")
elseif(CASP_BUNDLE STREQUAL "all")
  set(filters PRE_EXCLUDE_REGEXES ${from_system})
elseif(CASP_BUNDLE)
  message(FATAL_ERROR "CASP_BUNDLE=${CASP_BUNDLE}: OFF, unstable or all")
endif()

find_program(strip strip REQUIRED)
if(CASP_BUNDLE)
  find_program(patchelf patchelf REQUIRED)
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs}/caspstudio ${programs}/caspstudio-bin MODULES ${plugins}
       RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing ${filters})
  if(missing)
    message(FATAL_ERROR "These libraries are needed and not here: ${missing}")
  endif()
  foreach(library IN LISTS found)
    # Under the name that programs ask for, without the links of development packages.
    get_filename_component(name ${library} NAME)
    file(REAL_PATH ${library} file)
    file(COPY_FILE ${file} ${programs}/${name})
    list(APPEND copied ${programs}/${name})
    string(APPEND sources "${name}\t${library}\n")
  endforeach()
  execute_process(COMMAND ${patchelf} --set-rpath "\$ORIGIN" ${copied} COMMAND_ERROR_IS_FATAL ANY)
  if(plugins)
    execute_process(COMMAND ${patchelf} --set-rpath "\$ORIGIN/../.." ${plugins} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
file(GLOB_RECURSE libraries ${programs}/*.so ${programs}/*.so.*)
foreach(file IN LISTS libraries)
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
# Those of patchelf are stripped already; strip would break them.
execute_process(COMMAND ${strip} --strip-unneeded ${programs}/libtorch_cpu.so ${programs}/libc10.so ${programs}/libcudart.so.13
  ${programs}/libcupti.so.13 ${programs}/caspstudio ${programs}/caspstudio-bin COMMAND_ERROR_IS_FATAL ANY)

# The C library of the build machine, for systems whose own is older (packaging/portable/caspstudio).
if(CASP_BUNDLE STREQUAL "all")
  set(glibc ${programs}/glibc)
  if(plugins)  # Qt needs newer ones than such a system has
    set(fonts libharfbuzz.so.0 libgraphite2.so.3 libfreetype.so.6 libfontconfig.so.1 libexpat.so.1)
  endif()
  foreach(name ${fonts} ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libmvec.so.1 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2
          libutil.so.1 libanl.so.1 libnss_dns.so.2 libnss_files.so.2 libnss_compat.so.2 libstdc++.so.6 libgcc_s.so.1 libz.so.1)
    find_file(found_${name} ${name} PATHS /lib64 /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu NO_DEFAULT_PATH REQUIRED)
    file(REAL_PATH ${found_${name}} file)
    file(MAKE_DIRECTORY ${glibc})
    file(COPY_FILE ${file} ${glibc}/${name})
    string(APPEND sources "glibc/${name}\t${file}\n")
  endforeach()
endif()

# What was copied, and its licences.
find_program(python3 python3)
foreach(plugin IN LISTS plugins)
  file(RELATIVE_PATH name ${programs} ${plugin})
  string(REPLACE "plugins/" "${CASP_QT_PLUGINS}/" path ${name})
  string(APPEND sources "${name}\t${path}\n")
endforeach()
if(plugins)
  set(appimage --appimage)
endif()
if(CASP_BUNDLE AND python3)
  file(WRITE ${CASP_BINARY_DIR}/bundled.txt "${sources}")
  execute_process(COMMAND ${python3} ${CASP_SOURCE_DIR}/packaging/sbom.py --programs ${programs} --libtorch ${CASP_LIBTORCH}
    --sources ${CASP_BINARY_DIR}/bundled.txt --version ${CASP_VERSION}
    --out $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/doc/caspstudio ${appimage} COMMAND_ERROR_IS_FATAL ANY)
endif()
