#pragma once
// Heatmap of the similarity of anchors and windows: the top 100 anchors or the whole pool against up to
// 20,000 pairs of window and channel.

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include <QJsonObject>
#include <QStringList>
#include <QWidget>

#include "analysis/scores.h"
#include "figures/figure.h"
#include "state/embedding_set.h"
#include "state/job.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace casp::widgets {

class HeatmapView;
class ViewFrame;

/// The matrix is computed in the background; the old one stays until then. GUI thread.
class AnchorScores : public QWidget {
    Q_OBJECT
public:
    explicit AnchorScores(QWidget* parent = nullptr);

    /// Adds the controls to the frame's header, and the export of image and numbers to its menu.
    void join(ViewFrame& frame);
    /// Shows the similarities of `set`; null or a set without: `empty_text`. `channels`: names for tooltips.
    void show_set(std::shared_ptr<const EmbeddingSet> set, const QString& title, const QStringList& channels,
                  const QString& empty_text);
    /// Highlights anchors and the columns of these windows and channels.
    void set_highlight(const std::set<std::int64_t>& anchors, const std::vector<WindowChannel>& pairs);

    [[nodiscard]] const std::shared_ptr<const EmbeddingSet>& set() const { return set_; }
    [[nodiscard]] HeatmapView& view() const { return *view_; }
    /// Meaning of the columns, and how many are omitted.
    [[nodiscard]] QString note() const { return note_; }
    /// The heatmap as a figure, with the matrix's numbers.
    [[nodiscard]] figures::Figure figure() const;
    [[nodiscard]] bool is_busy() const { return job_.is_running(); }
    /// Cancels the computation. The shown matrix keeps its order, with the current channel names; for another
    /// set the order that takes no time is computed instead.
    void cancel();
    /// Progress is shown for work that takes longer than this.
    void set_progress_delay(qint64 ms) { progress_delay_ms_ = ms; }
    [[nodiscard]] const analysis::ScoreOptions& options() const { return options_; }
    void set_options(const analysis::ScoreOptions& options);
    void save(QJsonObject& object) const;
    void restore(const QJsonObject& object);

Q_SIGNALS:
    /// Anchors, and rows (window · M + channel) of set(); one of them may be empty.
    void picked(const std::vector<std::int64_t>& anchors, const std::vector<std::int64_t>& rows,
                Qt::KeyboardModifiers modifiers);
    /// A new matrix is shown.
    void shown();

private:
    struct Made {
        figures::Heatmap matrix;
        QString note;  ///< or the problem
    };
    void compute();
    void show_progress();
    void take(Made made);
    void name_columns();

    HeatmapView* view_;
    QComboBox *anchors_, *order_, *map_;
    QLabel* text_;
    QToolButton* cancel_;
    std::shared_ptr<const EmbeddingSet> set_, shown_set_;  ///< requested; of the shown matrix
    QString title_, note_;
    QStringList channels_, shown_channels_;           ///< likewise
    analysis::ScoreOptions options_, shown_options_;  ///< likewise
    qint64 progress_delay_ms_ = 500;
    Job<Made> job_;
};

}  // namespace casp::widgets
