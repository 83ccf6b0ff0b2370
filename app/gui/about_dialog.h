#pragma once
// The About dialog: version, commit and their age, licences, citation.

#include <QDate>
#include <QDialog>

#include "util/build_info.h"

namespace casp::gui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent = nullptr);
    /// The dialog's text (Markdown), also for copying into a report.
    [[nodiscard]] static QString text();
    /// Commit and age of this version in a sentence, without asking the network.
    [[nodiscard]] static QString age_text(const BuildInfo& build, const QDate& today);
};

}  // namespace casp::gui
