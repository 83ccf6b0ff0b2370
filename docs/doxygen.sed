# Doxygen reads our headers through this (INPUT_FILTER in docs/Doxyfile).
# The comment below #pragma once describes the file.
/^#pragma once$/,/^$/ {
    s!^#pragma once$!/// @file!
    s!^//($| )!///\1!
}
# Indented blocks are code as they stand.
/^ *\/\/\/ {4}/b
# Comments use neither Doxygen's commands nor HTML: '\n' and <name> outside of code spans and strings are plain text.
/\/\/\// {
    s!'\\([a-z0-9])'!'\\\\\1'!g
    :placeholder
    s!(///<? ([^`"]*(`[^`]*`|"[^"]*"))*[^`"]*)<([A-Za-z][^<>`]*)>!\1\&lt;\4\&gt;!
    t placeholder
}
# casp::config::Config gets its members from this list.
/^#include "config\/options.def"$/ {
    r core/config/options.def
    d
}
