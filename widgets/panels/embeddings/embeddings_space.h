#pragma once
// Embedding views of up to four runs side by side, with common camera, axes and highlight.

#include <cstdint>
#include <set>
#include <vector>

#include <QWidget>

#include "vtk/embedding_scene.h"

class QGridLayout;
class QToolButton;

namespace casp::widgets {

class EmbeddingView;
class ViewFrame;

/// Embedding views and their controls. GUI thread.
class EmbeddingsSpace : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t max_views = 4;
    explicit EmbeddingsSpace(QWidget* parent = nullptr);

    struct Cloud {
        QString folder;          ///< of its run
        EmbeddingPoints points;  ///< in the kinds' colours, before contrast adjustment
    };
    /// Puts the controls into the frame's header and the picture into its menu.
    void join(ViewFrame& frame);
    /// A view per cloud (at most four), all on the same axes. The camera keeps its direction, and shows all
    /// points if the runs have changed or if it showed all before. None: one view with `empty_text`.
    void show_clouds(std::vector<Cloud> clouds, const QString& empty_text = {});
    /// The view of the cloud with this index.
    void set_highlight(std::size_t cloud, std::set<std::int64_t> ids);

    /// Views that show a cloud; at least 1.
    [[nodiscard]] std::size_t shown() const { return shown_; }
    [[nodiscard]] EmbeddingView& view(std::size_t number = 0) const { return *views_[number]; }
    /// All current pictures side by side, for files.
    [[nodiscard]] QImage picture(double ratio = 2) const;
    /// Whether 3D is selected; clouds of two components are always 2D.
    [[nodiscard]] bool is_flat() const { return wants_flat_; }
    void set_flat(bool flat);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    /// As EmbeddingView::picked, with the index of the cloud.
    void picked(int cloud, const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    /// The number of rows of views, and so minimumHeight(), has changed.
    void rows_changed();

private:
    void add_view();
    void arrange();
    void hand_over(std::size_t number);

    QGridLayout* grid_;
    std::vector<EmbeddingView*> views_;  ///< created on demand, then kept
    std::vector<Cloud> clouds_;          ///< as given
    std::size_t shown_ = 1;
    int columns_ = 0;
    QToolButton *space_, *lasso_, *all_;
    bool wants_flat_ = false;
    QStringList runs_;  ///< folders of the shown runs
};

}  // namespace casp::widgets
