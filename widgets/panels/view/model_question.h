#pragma once
// The question before the Python file of a run that came from elsewhere is executed.

#include <functional>

#include <QString>

class QWidget;

namespace casp::widgets {

/// Calls `then` at once if the run's model is no Python file, or one that was run here before; else asks,
/// showing the file, and calls it after consent, which is remembered. GUI thread.
void with_trusted_model(QWidget* parent, const QString& run_folder, const std::function<void()>& then);

}  // namespace casp::widgets
