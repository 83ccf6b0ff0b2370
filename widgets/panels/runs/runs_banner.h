#pragma once
// Notification line at the bottom of a panel, with an action button (undo) and a close button.

#include <functional>

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace casp::widgets {

/// "1 run", "17 runs".
[[nodiscard]] QString runs_text(qsizetype count);

class RunsBanner : public QWidget {
    Q_OBJECT
public:
    explicit RunsBanner(QWidget* parent = nullptr);

    /// Shows `text`; with `action`, a button of that name that calls `act` and closes the line. `warning`:
    /// with a warning sign.
    void show_text(const QString& text, bool warning = false, const QString& action = {},
                   std::function<void()> act = {});
    [[nodiscard]] QString text() const { return label_->text(); }
    [[nodiscard]] QPushButton* button() const { return button_; }

private:
    QLabel* sign_;
    QLabel* label_;
    QPushButton* button_;
    QToolButton* close_;
    std::function<void()> act_;
};

}  // namespace casp::widgets
