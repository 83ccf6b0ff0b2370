#pragma once
// What is wrong and how to repair it, shown where it belongs instead of in a dialog.

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "state/data_model.h"

namespace casp::widgets {

/// A framed message with buttons; hidden while there is nothing to say. Colours follow the palette.
class DataProblemBox : public QFrame {
    Q_OBJECT
public:
    explicit DataProblemBox(QWidget* parent = nullptr);
    /// Shows it, or hides the box where it is not set. `serious`: red, else amber.
    void set_problem(const DataProblem& problem, bool serious = true);
    [[nodiscard]] const DataProblem& problem() const { return problem_; }
    /// Buttons stand in the order of the calls, below the text.
    QPushButton* add_button(const QString& text, const QString& tip);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    DataProblem problem_;
    bool serious_ = true, refreshing_ = false;
    QLabel* text_;
    QHBoxLayout* buttons_;
};

}  // namespace casp::widgets
