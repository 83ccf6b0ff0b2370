#pragma once
// Dialog of "Fit to this computer…": proposed settings with what each gives up.

#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

#include <QDialog>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "run/fit.h"

namespace casp::widgets {

/// Makes a proposal; called on a worker thread. Exceptions are shown in the dialog.
using FitFunction = std::function<run::Fit(const config::Config&, const std::stop_token&)>;

/// Window-modal, does not block. Esc closes it without effect.
class FitDialog : public QDialog {
    Q_OBJECT
public:
    using Values = std::vector<std::pair<std::string, config::Value>>;

    explicit FitDialog(QWidget* parent = nullptr);

    void show_waiting();
    void show_fit(const run::Fit& fit);
    void show_problem(const QString& text);

    [[nodiscard]] QString summary() const { return summary_->text(); }
    /// One line a change: "backbone.layers: 6 → 2, fewer transformer blocks: less capacity".
    [[nodiscard]] QStringList changes() const;
    [[nodiscard]] QPushButton* apply_button() const { return apply_; }

Q_SIGNALS:
    void applied(const Values& values);

private:
    void clear();

    QLabel* summary_;
    QWidget* table_;
    QGridLayout* rows_;
    QPushButton* apply_;
    std::vector<run::FitChange> proposed_;
};

}  // namespace casp::widgets
