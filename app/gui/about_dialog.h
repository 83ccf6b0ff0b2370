#pragma once
// The About dialog: version, commit, licences, citation.

#include <QDialog>

namespace casp::gui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent = nullptr);
    /// The dialog's text (Markdown), also for copying into a report.
    [[nodiscard]] static QString text();
};

}  // namespace casp::gui
