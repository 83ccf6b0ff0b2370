#pragma once
// The channels of a file over its whole length, with the split borders.

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
#include "state/job.h"

namespace casp::widgets {

/// The *Channels* page: a check list and a zoomable figure. It stays responsive with millions of rows: a
/// background job reduces the visible range to its extremes per pixel column, again after each zoom.
/// More than 25 methods: accessors for its controls, and Qt events.
class DataChannels : public QWidget {
    Q_OBJECT
public:
    explicit DataChannels(QWidget* parent = nullptr);

    /// Shows a table; null: none.
    void set_table(std::shared_ptr<const data::Table> table);
    /// Split borders and scaler statistics; null while they are computed (the figure stays).
    void set_review(std::optional<DataReview> review);

    [[nodiscard]] std::vector<int> checked() const;
    [[nodiscard]] FigureView* view() { return view_; }
    [[nodiscard]] ViewFrame* frame() { return frame_; }
    [[nodiscard]] QListWidget* list() { return list_; }
    [[nodiscard]] QComboBox* arrangement() { return arrangement_; }  ///< stacked, overlay
    [[nodiscard]] QComboBox* units() { return units_; }              ///< original, scaled
    [[nodiscard]] QComboBox* axis() { return axis_choice_; }         ///< time, rows
    /// Draws sentinels, listed or suspected, as gaps; shown if the file has any.
    [[nodiscard]] QCheckBox* no_markers() { return no_markers_; }
    [[nodiscard]] bool is_settled() const { return !timer_.isActive() && !job_.is_running(); }
    /// Draws the selected channels even if the page is hidden; false: still running, call again.
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
    struct Drawn {
        std::shared_ptr<const ChannelAxis> axis;
        figures::Figure figure;
    };
    void build_list(QWidget* side);
    void build_controls();
    void fill_list();
    void filter_list(const QString& text);
    [[nodiscard]] std::vector<double> markers() const;
    void check_all(bool on);
    void plan();  ///< redraws after a short delay
    void draw(int min_columns = 200);
    void take(Drawn drawn, const std::optional<std::pair<double, double>>& range);
    void show_figure(figures::Figure figure);
    [[nodiscard]] std::optional<std::pair<double, double>> visible() const;

    std::shared_ptr<const data::Table> table_;
    std::shared_ptr<const DataReview> review_;
    std::shared_ptr<const ChannelAxis> chart_axis_;  ///< null until computed
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
    bool stale_ = true;                               ///< changed since the last drawing began
    std::optional<std::pair<double, double>> drawn_;  ///< the range drawn in detail
    Job<Drawn> job_;
};

}  // namespace casp::widgets
