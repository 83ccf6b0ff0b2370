#pragma once
// Inline message with a problem and its remedies, used instead of a dialog.

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "panels/data/data_model.h"

namespace casp::widgets {

/// A framed message with buttons; hidden while empty. Colours follow the palette.
class DataProblemBox : public QFrame {
    Q_OBJECT
public:
    explicit DataProblemBox(QWidget* parent = nullptr);
    /// Shows the problem, or hides the box if it is not set.
    void set_problem(const DataProblem& problem);
    [[nodiscard]] const DataProblem& problem() const { return problem_; }
    /// Adds a button below the text, in the order of calls.
    QPushButton* add_button(const QString& text, const QString& tip);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    DataProblem problem_;
    bool refreshing_ = false;
    QLabel* text_;
    QHBoxLayout* buttons_;
};

}  // namespace casp::widgets
