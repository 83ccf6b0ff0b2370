#pragma once
// The other side of a remote folder: caspstudio --serve FOLDER.

#include <filesystem>
#include <string>

namespace casp::remote {

/// Answers the requests of a mirror (mirror.h) that arrive on the descriptor `in`, on `out`, until `in` ends
/// or `out` is closed. "~/" in `folder` is the home folder. Reads only files of runs below the folder, and
/// writes only control.json of running runs and, for runs that are started, <folder>/.remote/. `program`
/// trains those: `program --batch FILE --out FOLDER`, detached.
///
/// Throws an input Error if the folder cannot be opened (after sending the reason), and a run Error if
/// the requests cannot be understood. Uses a thread, which ends before it returns.
void serve(const std::string& folder, int in, int out, const std::filesystem::path& program);

}  // namespace casp::remote
