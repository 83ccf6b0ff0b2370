#pragma once
// Heatmap of the similarity of anchors and windows: the top 100 anchors or the whole pool against up to
// 20,000 pairs of window and channel.

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
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

namespace casp::widgets {

class FigureView;
class ViewFrame;

/// The matrix is computed in the background; the old one stays until then. GUI thread.
class AnchorScores : public QWidget {
    Q_OBJECT
public:
    explicit AnchorScores(QWidget* parent = nullptr);

    /// Adds the controls to the frame's header, and the export to its menu.
    void join(ViewFrame& frame);
    /// Shows the similarities of `set`; null or a set without: `empty_text`. `channels`: names for tooltips.
    void show_set(std::shared_ptr<const EmbeddingSet> set, const QString& title, const QStringList& channels,
                  const QString& empty_text);
    /// Highlights anchors and the columns of these windows and channels.
    void set_highlight(const std::set<std::int64_t>& anchors, const std::vector<WindowChannel>& pairs);

    [[nodiscard]] const std::shared_ptr<const EmbeddingSet>& set() const { return set_; }
    [[nodiscard]] FigureView& view() const { return *view_; }
    /// The shown matrix; null: none.
    [[nodiscard]] const figures::Heatmap* matrix() const;
    /// The heatmap for files, with the matrix's numbers: of very many columns, a figure draws some.
    [[nodiscard]] figures::Figure figure() const;
    [[nodiscard]] bool is_busy() const { return job_.is_running(); }
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
    void compute();
    /// Null matrix: `text` says why there is none.
    void show_figure(std::optional<figures::Heatmap> matrix, const QString& text);

    FigureView* view_;
    QComboBox *anchors_, *order_;
    QLabel* text_;
    std::shared_ptr<const EmbeddingSet> set_;
    QString title_;
    QStringList channels_;
    analysis::ScoreOptions options_;
    Job<std::pair<figures::Heatmap, QString>> job_;
};

}  // namespace casp::widgets
