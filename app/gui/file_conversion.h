#pragma once
// Files of other formats (Parquet, spreadsheets, PyTorch), which the user's Python converts.

#include <string>
#include <vector>

#include <QObject>
#include <QStringList>

#include "fetch/conversion.h"
#include "state/job.h"

class QWidget;

namespace casp::gui {

class Notices;

class FileConversion : public QObject {
    Q_OBJECT
public:
    /// Both outlive it; the window is the parent of dialogs.
    FileConversion(QWidget& window, Notices& notices);

    /// Asks once for all, then converts with this Python.
    void ask(const std::vector<fetch::Conversion>& conversions, const std::string& interpreter);

Q_SIGNALS:
    void converted(const QStringList& files);

private:
    struct Result {
        QStringList files, notes, problems;
    };
    void start(const std::vector<fetch::Conversion>& conversions, const std::string& interpreter);
    void show(const Result& result);

    QWidget& window_;
    Notices& notices_;
    widgets::Job<Result> job_;  ///< the last member
};

}  // namespace casp::gui
