#pragma once
// All channels of a file over its whole length, with the borders of the split.

#include <memory>
#include <optional>

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>
#include <QWidget>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "data/table.h"
#include "panels/data/data_figure.h"
#include "panels/data/data_review.h"
#include "state/background.h"

namespace casp::widgets {

class WhenShown;

/// The *Channels* page: a list to tick and a picture that zooms. Millions of rows stay fluent: a worker
/// reduces what is visible to its extremes per pixel column, again after each zoom.
class DataChannels : public QWidget {
    Q_OBJECT
public:
    explicit DataChannels(QWidget* parent = nullptr);

    /// Shows another table, or none.
    void set_table(std::shared_ptr<const data::Table> table);
    /// Borders and the numbers that scale; null while they are computed (the picture stays).
    void set_review(std::optional<DataReview> review);

    void set_checked(const std::vector<int>& channels);
    [[nodiscard]] std::vector<int> checked() const;
    [[nodiscard]] FigureView* view() { return view_; }
    [[nodiscard]] ViewFrame* frame() { return frame_; }
    [[nodiscard]] QListWidget* list() { return list_; }
    [[nodiscard]] QComboBox* arrangement() { return arrangement_; }  ///< stacked, overlay
    [[nodiscard]] QComboBox* units() { return units_; }              ///< original, scaled
    [[nodiscard]] QComboBox* axis() { return axis_choice_; }         ///< time, rows
    /// Sentinels, listed or suspicious, as gaps; shown where the file has some.
    [[nodiscard]] QCheckBox* no_markers() { return no_markers_; }
    [[nodiscard]] bool is_settled() const { return !timer_.isActive() && running_ == 0; }
    /// Draws what is chosen also where the page is not visible; false: that goes on, ask again.
    bool prepare();

    [[nodiscard]] QByteArray save_state() const;
    bool restore_state(const QByteArray& state);

Q_SIGNALS:
    void message(const QString& text, bool is_error);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build_list(QWidget* side);
    void build_controls();
    void fill_list();
    void colour_list();  ///< as the lines are in this theme
    void filter_list(const QString& text);
    [[nodiscard]] std::vector<double> markers() const;
    void check_all(bool on);
    void plan();  ///< draws it in a moment, once
    void draw(int least_columns = 200);
    void show_figure(figures::Figure figure);
    [[nodiscard]] std::optional<std::pair<double, double>> visible() const;

    std::shared_ptr<const data::Table> table_;
    std::shared_ptr<const DataReview> review_;
    std::shared_ptr<const ChannelAxis> chart_axis_;  ///< null until the worker made it
    QSplitter* splitter_;
    QLineEdit* search_;
    QListWidget* list_;
    QPushButton *all_, *none_, *whole_;
    QComboBox *arrangement_, *units_, *axis_choice_;
    QCheckBox* no_markers_;
    ViewFrame* frame_;
    QScrollArea* scroll_;
    FigureView* view_;
    QTimer timer_;
    std::int64_t number_ = 0;  ///< of the latest drawing; others are stale
    int running_ = 0;
    WhenShown* new_theme_ = nullptr;
    bool stale_ = true;                               ///< something was chosen since the last drawing began
    std::optional<std::pair<double, double>> drawn_;  ///< the stretch that was drawn closely
    Inbox inbox_;
    WorkPool pool_;
};

}  // namespace casp::widgets
