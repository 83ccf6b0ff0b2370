#pragma once
// Worst and best series of a collection: a filter by id above a table that selects windows.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <QColor>
#include <QSortFilterProxyModel>
#include <QString>
#include <QWidget>

#include "figures/figure.h"
#include "store/run_record.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace casp::widgets {

/// Rows are the series whose id contains the filter. Column 0 is the id, sorted in the order of the file;
/// then two columns per run, sorted by the first at the beginning, worst first. Series without a score come
/// last in either order. GUI thread.
class SeriesModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    struct Run {
        QString label;
        QColor colour;
        std::shared_ptr<const store::SeriesScores> scores;  ///< a value per id; not null
        bool operator==(const Run&) const = default;
    };
    explicit SeriesModel(QObject* parent = nullptr);

    /// All runs are on one collection, whose ids are in the order of the windows. Keeps order and filter; no
    /// effect if the runs are the same as before.
    void set_runs(const std::vector<std::string>& ids, const std::vector<Run>& runs);

    /// Only series whose id contains the text, as one reset.
    void set_filter(const QString& text);

    /// Number of all series, including those that are filtered out.
    [[nodiscard]] std::int64_t total() const;
    [[nodiscard]] const QString& id(std::int64_t window) const;
    [[nodiscard]] std::int64_t window(int row) const { return mapToSource(index(row, 0)).row(); }
    /// −1: filtered out.
    [[nodiscard]] int row_of(std::int64_t window) const;
    [[nodiscard]] const std::vector<Run>& runs() const;
    /// NaN for column 0.
    [[nodiscard]] double score(std::int64_t window, int column) const;
    /// "sMAPE (%)", "MASE"
    [[nodiscard]] static QString score_name(int column);

protected:
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

private:
    class Table;
    Table* table_;
};

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
