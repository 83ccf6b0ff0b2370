# casp_embed(TARGET casp_base FILES a.toml b/c.json): puts files of resources/ and datasets/ into the program, so that
# it works from any folder. They are read with casp::embedded_file("resources/presets/etth1-96.toml") (util/embedded.h).
function(casp_embed)
  cmake_parse_arguments(E "" "TARGET" "FILES" ${ARGN})
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${E_TARGET}_embedded.cpp")
  set(declarations "")
  set(rows "")
  set(index 0)
  foreach(file ${E_FILES})
    set(symbol "casp_embedded_${index}")
    # A compiler cache does not see what .incbin reads: the digest makes another file another source.
    file(SHA256 "${PROJECT_SOURCE_DIR}/${file}" digest)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
    string(APPEND declarations
      "asm(\".section .rodata\\n.balign 16\\n.hidden ${symbol}\\n.hidden ${symbol}_end\\n.globl ${symbol}\\n.globl ${symbol}_end\\n"
      "${symbol}: /* ${digest} */\\n.incbin \\\"${PROJECT_SOURCE_DIR}/${file}\\\"\\n${symbol}_end:\\n.byte 0\\n.previous\\n\");\n"
      "extern \"C\" { extern const char ${symbol}[]; extern const char ${symbol}_end[]; }\n")
    string(APPEND rows "    {\"${file}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"// Made by CaspEmbed.cmake.
#include \"util/embedded.h\"

${declarations}
namespace casp {
const std::vector<EmbeddedFile>& embedded_files() {
    static const std::vector<EmbeddedFile> files{
${rows}    };
    return files;
}
}  // namespace casp
")
  foreach(file ${E_FILES})
    list(APPEND absolute "${PROJECT_SOURCE_DIR}/${file}")
  endforeach()
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${absolute}")
  target_sources(${E_TARGET} PRIVATE ${source})
endfunction()
