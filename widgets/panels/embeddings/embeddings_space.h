#pragma once
// Clouds of embedded points side by side, up to four runs: one camera, one pair of axes, one highlight.

#include <cstdint>
#include <set>
#include <vector>

#include <QWidget>

#include "vtk/embedding_points.h"

class QGridLayout;
class QToolButton;

namespace casp::widgets {

class EmbeddingView;
class ViewFrame;
class WhenShown;

/// Embedding views and their controls. GUI thread.
class EmbeddingsSpace : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t most_views = 4;
    explicit EmbeddingsSpace(QWidget* parent = nullptr);

    struct Cloud {
        QString folder;          ///< of its run
        EmbeddingPoints points;  ///< in the colours of the kinds, before they are made readable
    };
    /// Puts the controls into the frame's header and the picture into its menu.
    void join(ViewFrame& frame);
    /// A view per cloud (four at most), all on the same axes. The camera keeps its direction; it shows all
    /// points where the runs are others, and where it showed all before. None: one view with `empty_text`.
    void show_clouds(std::vector<Cloud> clouds, const QString& empty_text = {});
    /// Of the cloud with that number.
    void set_highlight(std::size_t cloud, std::set<std::int64_t> ids);

    /// Views that show a cloud; at least 1.
    [[nodiscard]] std::size_t shown() const { return shown_; }
    [[nodiscard]] EmbeddingView& view(std::size_t number = 0) const { return *views_[number]; }
    /// Takes the theme's colours, where that was put off: somebody reads the clouds for a file.
    void follow_theme();
    /// All pictures side by side as they are, for files.
    [[nodiscard]] QImage picture(double ratio = 2) const;
    /// What was chosen; clouds of two components are flat whatever that is.
    [[nodiscard]] bool is_flat() const { return wants_flat_; }
    void set_flat(bool flat);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    /// As EmbeddingView::picked, in the cloud with that number.
    void picked(int cloud, const std::vector<std::int64_t>& ids, Qt::KeyboardModifiers modifiers);
    /// The views stand in another number of rows: minimumHeight() is another.
    void rows_changed();

private:
    void add_view();
    void arrange();
    void hand_over(std::size_t number);
    void hand_over_all();

    QGridLayout* grid_;
    std::vector<EmbeddingView*> views_;  ///< made when they are needed, then kept
    std::vector<Cloud> clouds_;          ///< as they were given
    std::size_t shown_ = 1;
    int columns_ = 0;
    QToolButton *space_, *lasso_, *all_;
    bool wants_flat_ = false;
    QStringList runs_;  ///< folders that are shown
    WhenShown* new_theme_ = nullptr;
};

}  // namespace casp::widgets
