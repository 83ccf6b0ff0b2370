#pragma once
// Controls for the layout of embedded points: method, t-SNE options, and buttons to start, pause, continue,
// stop and store.

#include <vector>

#include <QJsonObject>
#include <QWidget>

#include "panels/embeddings/layout_work.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLayout;
class QPushButton;
class QSpinBox;

namespace casp::widgets {

/// Controls of a LayoutWork; the page provides the points. GUI thread.
class LayoutBar : public QWidget {
    Q_OBJECT
public:
    explicit LayoutBar(LayoutWork* work, QWidget* parent = nullptr);

    [[nodiscard]] LayoutMethod method() const;
    void set_method(LayoutMethod method);
    /// One layout of all runs together.
    [[nodiscard]] bool common() const;
    [[nodiscard]] LayoutOptions options() const;
    /// Number of points to lay out; none: it cannot be started, with the reason.
    void set_points(std::int64_t points, const QString& why_not = {});
    /// The work's layout is of other points than the shown ones.
    void set_elsewhere(bool elsewhere);
    /// Several runs are shown: offers the choice of a common layout, unless `why_not` is given.
    void set_several(bool several, const QString& why_not = {});
    void save(QJsonObject& object) const;
    void restore(const QJsonObject& object);

Q_SIGNALS:
    /// Method or common layout changed: other layouts are to be shown.
    void changed();
    void start_requested();
    void store_requested();

private:
    void make_tsne_fields(QLayout& flow);
    void make_buttons(QLayout& flow);
    void connect_parts();
    void refresh();

    LayoutWork* work_;
    std::int64_t points_ = 0;
    QString why_not_;
    bool elsewhere_ = false;
    bool wants_common_ = true;  ///< where it is possible
    QComboBox *method_, *components_;
    QCheckBox* common_;
    QDoubleSpinBox *perplexity_, *exaggeration_;
    QSpinBox *iterations_, *seed_;
    QPushButton *start_, *pause_, *stop_, *store_;
    QLabel* text_;
    std::vector<QWidget*> tsne_;  ///< controls used only by t-SNE
};

}  // namespace casp::widgets
