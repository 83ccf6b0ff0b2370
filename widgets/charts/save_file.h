#pragma once
// The end of writing a file under a temporary name.

#include <QSaveFile>

namespace casp::widgets {

/// As file.commit(), which by itself (Qt 6.4) does not notice that the last bytes, which wait in memory, do
/// not fit on the disk, and puts a cut or empty file in the place of the one that was there. False: that one
/// stays, and errorString() says why.
[[nodiscard]] inline bool commit_whole(QSaveFile& file) { return file.flush() && file.commit(); }

}  // namespace casp::widgets
