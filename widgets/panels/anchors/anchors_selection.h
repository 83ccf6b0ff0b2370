#pragma once
// Table of the retrieval statistics of the shown runs, with the pairwise overlap of retrieved anchors.

#include <cstdint>
#include <vector>

#include <QJsonObject>
#include <QWidget>

#include "panels/anchors/anchors_selection_data.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QTableWidget;

namespace casp::widgets {

class FigureView;
class ViewFrame;

/// GUI thread. Computed from records in memory within a few milliseconds.
class AnchorSelection : public QWidget {
    Q_OBJECT
public:
    explicit AnchorSelection(QWidget* parent = nullptr);

    /// Puts the controls into the frame's header, and table, picture and numbers into its menu.
    void join(ViewFrame& frame);
    /// `empty_text`: shown if no run has retrieval counts yet.
    void show_runs(const std::vector<figures::RunInput>& runs, figures::UsageOf of,
                   std::optional<std::int64_t> step, const QString& empty_text);

    [[nodiscard]] const RetrievalStatistics& statistics() const { return statistics_; }
    [[nodiscard]] figures::Figure figure() const { return retrieval_figure(statistics_); }
    [[nodiscard]] std::size_t reference() const;
    [[nodiscard]] QTableWidget& table() const { return *table_; }
    [[nodiscard]] FigureView& overlaps() const { return *overlaps_; }
    void save(QJsonObject& object) const;
    void restore(const QJsonObject& object);

public Q_SLOTS:
    void copy_markdown();
    void copy_latex();

Q_SIGNALS:
    /// The selected usages have changed: call show_runs() again.
    void options_changed();
    /// Anchors of a run's table row, or those common to both rows of an overlap cell. None: a click beside
    /// all.
    void picked(const QString& run, const std::vector<std::int64_t>& anchors,
                Qt::KeyboardModifiers modifiers);
    void message(const QString& text);
    /// minimumHeight() has changed with the rows of the table or the heatmaps.
    void height_changed();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill();
    void fit_table();
    void fit_height();
    void fill_references();
    void fill_table();
    void copy(const QString& text, const QString& what);
    void pick_cells(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& columns,
                    Qt::KeyboardModifiers modifiers);

    QCheckBox* both_;
    QComboBox* reference_;
    QTableWidget* table_ = nullptr;
    QLabel *text_, *note_;
    FigureView* overlaps_;
    QString wanted_reference_;  ///< its key(), kept while its run is hidden
    RetrievalStatistics statistics_;
};

}  // namespace casp::widgets
