#pragma once
// Worst and best series of a collection: a filter by id above a table that selects windows.

#include <set>

#include <QWidget>

#include "figures/figure.h"
#include "panels/forecasts/series_model.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace casp::widgets {

/// GUI thread.
class SeriesPanel : public QWidget {
    Q_OBJECT
public:
    explicit SeriesPanel(QWidget* parent = nullptr);

    /// As SeriesModel::set_runs().
    void set_runs(const std::vector<std::string>& ids, const std::vector<SeriesModel::Run>& runs);
    /// Highlights these windows, the first one in view.
    void show_selected(const std::set<std::int64_t>& windows);
    [[nodiscard]] SeriesModel* model() const { return model_; }
    [[nodiscard]] QTableView* table() const { return table_; }
    [[nodiscard]] QLineEdit* filter() const { return filter_; }
    /// The listed series as numbers for the CSV.
    [[nodiscard]] figures::Figure figure() const;

Q_SIGNALS:
    void chosen(const std::set<std::int64_t>& windows);

private:
    void take_selection();
    void highlight();
    void filter_rows(const QString& text);
    void show_counts();

    SeriesModel* model_;
    QLineEdit* filter_;
    QLabel* counts_;
    QTableView* table_;
    std::set<std::int64_t> selected_;
};

}  // namespace casp::widgets
