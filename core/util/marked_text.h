#pragma once
// Mark of texts of core/ that the window translates: packaging/core_texts.py lists them for lupdate.

/// The text itself.
#define CASP_TEXT(text) text
