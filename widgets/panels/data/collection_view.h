#pragma once
// A collection of series on the Data page: the list of series, the selected one as a curve, and the lengths.

#include <cstdint>
#include <memory>
#include <vector>

#include <QLabel>
#include <QLineEdit>
#include <QList>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

#include "charts/figure_view.h"
#include "charts/view_frame.h"
#include "data/series_collection.h"

namespace casp::widgets {

/// More than 25 methods: accessors, and a function for each part of the layout.
class CollectionView : public QWidget {
    Q_OBJECT
public:
    explicit CollectionView(QWidget* parent = nullptr);

    /// Shows a collection and its first series; null: none. Another reading of the shown file keeps the
    /// filter and the selected series.
    void set_collection(std::shared_ptr<const data::SeriesCollection> collection);
    /// Whether early stopping watches the last H training values (data.m4_stopping): they are shaded.
    void set_holds_out(bool holds_out);
    /// Shows a button that applies this preset; empty: no button.
    void offer_preset(const QString& name);
    /// Moves the focus to the filter.
    void take_keyboard();

    [[nodiscard]] QTableView* list() { return list_; }
    [[nodiscard]] QLineEdit* filter() { return filter_; }
    [[nodiscard]] QPushButton* preset() { return preset_; }
    [[nodiscard]] QString count_text() const { return count_->text(); }
    [[nodiscard]] QString warnings() const { return warnings_->text(); }
    [[nodiscard]] QString readings() const { return readings_->text(); }
    [[nodiscard]] FigureView* curve() { return curve_; }
    [[nodiscard]] FigureView* lengths() { return lengths_; }
    [[nodiscard]] const QList<ViewFrame*>& frames() const { return frames_; }

Q_SIGNALS:
    void preset_requested(const QString& name);
    void message(const QString& text, bool is_error);

private:
    QWidget* build_offer();
    QWidget* build_readings();
    QWidget* build_list();
    QWidget* build_figures();
    FigureView* add_figure(const QString& title, QWidget* parent);
    void show_warnings();
    void show_readings();
    void show_count();
    /// Selects the series that was selected before the list changed, else the first one.
    void select_again();
    /// Plots the selected series; the former one if the list is empty.
    void show_series();
    [[nodiscard]] figures::Figure curve_figure() const;
    [[nodiscard]] figures::Figure lengths_figure() const;

    std::shared_ptr<const data::SeriesCollection> collection_;
    std::vector<std::int64_t> all_lengths_;  ///< [series] training values
    std::int64_t series_ = -1;               ///< the selected one; −1: none
    bool holds_out_ = true;

    class Table;
    class List;
    Table* table_;  ///< all series
    List* model_;   ///< the listed ones
    QLabel *warnings_, *readings_, *offer_text_, *count_;
    QWidget* offer_;
    QPushButton* preset_;
    QString preset_name_;
    QLineEdit* filter_;
    QTableView* list_;
    FigureView *curve_, *lengths_;
    QList<ViewFrame*> frames_;  ///< of curve and lengths
};

}  // namespace casp::widgets
