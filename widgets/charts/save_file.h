#pragma once
// Checked commit of a QSaveFile.

#include <QSaveFile>

namespace casp::widgets {

/// As file.commit(), which (Qt 6.4) does not notice that the last buffered bytes do not fit on the disk and
/// would replace the existing file with a truncated one. False: the existing file is kept, and errorString()
/// gives the reason.
[[nodiscard]] inline bool commit_whole(QSaveFile& file) { return file.flush() && file.commit(); }

}  // namespace casp::widgets
