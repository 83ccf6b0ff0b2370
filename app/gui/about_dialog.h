#pragma once
// Version, licences and how to cite.

#include <QDialog>

namespace casp::gui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent = nullptr);
    /// What the dialog says, for tests and for copying into a report.
    [[nodiscard]] static QString text();
};

}  // namespace casp::gui
