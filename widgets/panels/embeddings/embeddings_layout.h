#pragma once
// How embedded points are laid out, and the buttons of a t-SNE: start, pause, go on, stop and keep.

#include <vector>

#include <QJsonObject>
#include <QWidget>

#include "state/layout_work.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace casp::widgets {

/// Controls of a LayoutWork; what is laid out is the page's. GUI thread.
class LayoutBar : public QWidget {
    Q_OBJECT
public:
    explicit LayoutBar(LayoutWork* work, QWidget* parent = nullptr);

    [[nodiscard]] LayoutMethod method() const;
    void set_method(LayoutMethod method);
    /// One layout of all runs together.
    [[nodiscard]] bool common() const;
    [[nodiscard]] LayoutOptions options() const;
    /// How many points a start would lay out; none: it cannot be started, and why.
    void set_points(std::int64_t points, const QString& why_not = {});
    /// The work's picture is of other points than those that are shown.
    void set_elsewhere(bool elsewhere);
    /// Several runs are shown: whether they share a layout is a question.
    void set_several(bool several);
    void save(QJsonObject& object) const;
    void restore(const QJsonObject& object);

Q_SIGNALS:
    /// Method or sharing: other layouts are to be shown.
    void changed();
    void start_requested();
    void store_requested();

private:
    void refresh();

    LayoutWork* work_;
    std::int64_t points_ = 0;
    QString why_not_;
    bool elsewhere_ = false;
    QComboBox *method_, *components_;
    QCheckBox* common_;
    QDoubleSpinBox *perplexity_, *exaggeration_;
    QSpinBox *iterations_, *seed_;
    QPushButton *start_, *pause_, *stop_, *store_;
    QLabel* text_;
    std::vector<QWidget*> tsne_;  ///< controls of a t-SNE alone
};

}  // namespace casp::widgets
