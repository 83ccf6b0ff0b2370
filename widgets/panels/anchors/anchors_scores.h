#pragma once
// The similarity of anchors and windows as one large heatmap: the top 100 or the whole pool against up to
// 20,000 windows and channels.

#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include <QElapsedTimer>
#include <QJsonObject>
#include <QStringList>
#include <QWidget>

#include "analysis/scores.h"
#include "figures/figure.h"
#include "state/background.h"
#include "state/embedding_set.h"
#include "util/progress.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace casp::widgets {

class HeatmapView;
class ViewFrame;

/// The matrix is put together beside the GUI thread; the old picture stays until then. GUI thread.
class AnchorScores : public QWidget {
    Q_OBJECT
public:
    explicit AnchorScores(QWidget* parent = nullptr);
    ~AnchorScores() override;

    /// Puts the controls into the frame's header, and picture and numbers into its menu.
    void join(ViewFrame& frame);
    /// Shows the similarities of `set`; null or none in it: `empty_text`. `channels`: names for the pointer.
    void show_set(std::shared_ptr<const EmbeddingSet> set, const QString& title, const QStringList& channels,
                  const QString& empty_text);
    /// Marks anchors and the columns of these windows with their channels.
    void set_highlight(const std::set<std::int64_t>& anchors, const std::vector<WindowChannel>& pairs);

    [[nodiscard]] const std::shared_ptr<const EmbeddingSet>& set() const { return set_; }
    [[nodiscard]] HeatmapView& view() const { return *view_; }
    /// What the columns mean and how many were left out.
    [[nodiscard]] QString note() const { return note_; }
    /// The picture as a figure; the numbers are those of the matrix.
    [[nodiscard]] figures::Figure figure() const;
    [[nodiscard]] bool is_busy() const { return busy_; }
    /// Gives up a matrix that is being put together: what is shown stays, with its order, under the names
    /// that its channels have now; of another set the order that takes no time is shown.
    void cancel();
    /// Work that ends sooner is not told.
    void set_told_after(qint64 ms) { told_after_ms_ = ms; }
    [[nodiscard]] const analysis::ScoreOptions& options() const { return options_; }
    void set_options(const analysis::ScoreOptions& options);
    void save(QJsonObject& object) const;
    void restore(const QJsonObject& object);

Q_SIGNALS:
    /// Anchors, and rows (window · M + channel) of set(); either may be empty.
    void picked(const std::vector<std::int64_t>& anchors, const std::vector<std::int64_t>& rows,
                Qt::KeyboardModifiers modifiers);
    /// A new matrix is shown.
    void shown();

private:
    struct Made {
        figures::Heatmap matrix;
        QString note, problem;
    };
    void compute();
    void tell(const Progress& progress);
    void take(Made made);
    void name_columns();

    HeatmapView* view_;
    QComboBox *anchors_, *order_, *map_;
    QLabel* text_;
    QToolButton* cancel_;
    std::shared_ptr<const EmbeddingSet> set_, shown_set_;  ///< asked for; of the matrix that is shown
    QString title_, note_;
    QStringList channels_, shown_channels_;           ///< likewise
    analysis::ScoreOptions options_, shown_options_;  ///< likewise
    bool busy_ = false;
    QElapsedTimer since_begin_;
    qint64 told_after_ms_ = 500;
    std::uint64_t number_ = 0;
    std::stop_source stop_;
    Inbox inbox_;
    WorkPool pool_{1};
};

}  // namespace casp::widgets
