#pragma once
// Anchors, series and prompts of one snapshot along their first three principal components, to be turned.

#include <cstdint>
#include <set>
#include <vector>

#include <QWidget>

#include "figures/recipe_embeddings.h"
#include "vtk/embedding_points.h"

class QToolButton;

namespace casp::widgets {

class EmbeddingView;
class ViewFrame;

/// Whether a probe holds a PCA of at least two components.
[[nodiscard]] bool has_layout(const train::Probe& probe);

/// The cloud of `probe`, one of the run's, as figures::embedding_plane draws it (kinds, colours, directions),
/// with the third component, labels ("anchor 12", "window 37, OT") and ids of figures::point_id. Kinds that
/// `options` leaves out are not in it. Plain function.
[[nodiscard]] EmbeddingPoints embedding_points(const figures::RunInput& run, const train::Probe& probe,
                                               const figures::EmbeddingOptions& options);

/// An embedding view and its controls. GUI thread.
class EmbeddingsSpace : public QWidget {
    Q_OBJECT
public:
    explicit EmbeddingsSpace(QWidget* parent = nullptr);

    /// Puts the controls into the frame's header and the picture into its menu.
    void join(ViewFrame& frame);
    /// Shows the cloud of the first run with a probe that can be drawn. The camera keeps its direction; it
    /// shows all points of another run, and of another snapshot where it showed all before. `problem` stands
    /// there where nothing can be drawn; empty: what to do.
    void show_runs(const std::vector<figures::RunInput>& runs, const figures::EmbeddingOptions& options,
                   const QString& problem = {});
    void set_highlight(std::set<std::int64_t> ids);

    [[nodiscard]] EmbeddingView& view() const { return *view_; }
    /// What was chosen; a cloud of two components is flat whatever that is.
    [[nodiscard]] bool is_flat() const { return wants_flat_; }
    void set_flat(bool flat);

protected:
    void changeEvent(QEvent* event) override;

Q_SIGNALS:
    /// As EmbeddingView::picked.
    void picked(const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);

private:
    void hand_over();

    EmbeddingView* view_;
    EmbeddingPoints cloud_;  ///< in the colours of the kinds, before they are made readable
    QToolButton *space_, *lasso_, *all_;
    bool wants_flat_ = false;
    QString run_;  ///< folder of the run that is shown
};

}  // namespace casp::widgets
