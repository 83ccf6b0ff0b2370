#pragma once
// Details of one anchor: its nearest words, its neighbours in the pool, the windows that choose it, and its
// usage over training.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QStringList>
#include <QWidget>

#include "analysis/anchor_inspector.h"
#include "figures/recipe_input.h"
#include "state/embedding_set.h"
#include "state/job.h"

class QGridLayout;
class QLabel;
class QLayout;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace casp::widgets {

class FigureView;
class ViewFrame;

/// Words and neighbours are looked up in the background. GUI thread.
class AnchorInspector : public QWidget {
    Q_OBJECT
public:
    explicit AnchorInspector(QWidget* parent = nullptr);
    ~AnchorInspector() override;

    void join(ViewFrame& frame);
    /// Shows a run with `vectors` (its anchors; null: unknown) and `choices` (which window chooses which
    /// anchor; null: unknown). No run: the panel explains what it will show.
    void set_run(const figures::RunInput* run, std::shared_ptr<const EmbeddingSet> vectors,
                 std::shared_ptr<const EmbeddingSet> choices);
    /// Shows an anchor; none: the panel explains how to choose one.
    void set_anchor(std::optional<std::int64_t> anchor);
    [[nodiscard]] std::optional<std::int64_t> anchor() const { return anchor_; }
    [[nodiscard]] const QString& run() const { return folder_; }
    /// Rows of the tables, for tests.
    [[nodiscard]] QTableWidget& tokens() const { return *tokens_; }
    [[nodiscard]] QTableWidget& neighbours() const { return *neighbours_; }
    [[nodiscard]] QTableWidget& windows() const { return *windows_; }
    [[nodiscard]] FigureView& usage() const { return *usage_; }
    [[nodiscard]] QString note() const;
    /// Whether words are being looked up.
    [[nodiscard]] bool is_busy() const { return texts_job_.is_running(); }
    [[nodiscard]] const std::shared_ptr<const EmbeddingSet>& choices() const { return choices_; }

Q_SIGNALS:
    void anchor_chosen(std::int64_t anchor);
    /// Windows with their channels, of choices().
    void windows_chosen(const std::vector<casp::widgets::WindowChannel>& pairs);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Found {
        std::vector<analysis::NearToken> tokens;
        QString remark;
    };
    /// The token table of one run, cached for the next lookup. Used by the pool's thread only.
    struct Table;

    QLayout* make_head();
    void make_boxes();
    void connect_parts();
    void show_anchor();
    void show_windows();
    void look_up();
    void take(const Found& found);
    void show_neighbours(const std::vector<analysis::NearAnchor>& near);
    void arrange();

    QSpinBox* number_;
    QLabel *title_, *note_;
    QTableWidget *tokens_, *neighbours_, *windows_;
    QPushButton* all_windows_;
    FigureView* usage_;
    QGridLayout* grid_;
    QWidget* boxes_[4]{};
    int columns_ = 0;

    QString folder_, label_;
    QColor colour_;
    store::AnchorHistory history_;
    QStringList channels_;
    std::shared_ptr<const EmbeddingSet> vectors_, choices_;
    std::vector<analysis::RetrievingRow> chosen_by_;
    std::optional<std::int64_t> anchor_;
    std::shared_ptr<Table> table_;
    WorkPool pool_{1};
    Job<std::vector<analysis::NearAnchor>> neighbours_job_{pool_};
    Job<Found> texts_job_{pool_};
};

}  // namespace casp::widgets
