#pragma once
// The view "Forecast ahead" of the Forecasts page: a finished run forecasts the rows after the last one of a
// file.

#include <vector>

#include <QObject>
#include <QStringList>

#include "figures/recipe_ahead.h"
#include "figures/recipe_input.h"
#include "panels/forecasts/ahead_work.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace casp::widgets {

class RunLibrary;
class ViewFrame;

/// Controls in the view's frame, its figure, and saving. Nothing is computed before start(). GUI thread.
class ForecastAhead : public QObject {
    Q_OBJECT
public:
    /// `library` and `frame` must outlive it.
    ForecastAhead(RunLibrary* library, ViewFrame* frame, QObject* parent);

    /// The shown runs. A result of another run is dropped.
    void set_runs(const std::vector<figures::RunInput>& runs);
    /// Chooses this run where it can forecast; a forecast that is shown stays until the next start().
    void choose(const QString& run_folder);
    /// Whether a shown run can forecast: finished ones on tables can, except for imported forecasts.
    [[nodiscard]] bool has_runs() const { return !runs_.empty(); }
    /// "Forecasts the 96 rows after the last one of new.csv with DLinear"; empty: has_runs() is false.
    [[nodiscard]] QString offer_text(const QString& file) const;

    /// Computes with the chosen run; `file` empty: the chosen file, by default the run's data set.
    void start(const QString& file = {});
    [[nodiscard]] bool is_busy() const { return work_.is_busy(); }
    [[nodiscard]] const AheadWork& work() const { return work_; }

    /// Without plots while there is no forecast.
    [[nodiscard]] figures::Figure figure(const figures::AheadOptions& options) const;
    /// Writes the forecast in the form of the input.
    void save_to(const QString& path);

Q_SIGNALS:
    /// The figure has changed.
    void changed();
    void closed();
    void message(const QString& text, bool is_error = false);

private:
    struct Run {
        QString folder;
        QString label;  ///< among the shown runs
        QString name;   ///< by itself
        QString data;   ///< file or "catalog:NAME"; empty: not known
        QColor colour;
        std::int64_t horizon = 0;
    };

    void make_controls();
    void choose_file();
    void choose_place();
    void show_state();
    void fill_files();
    /// The run to forecast with; null: there is none.
    [[nodiscard]] const Run* chosen() const;
    /// The run of the work; null: there is none.
    [[nodiscard]] const Run* of_work() const;
    [[nodiscard]] QString note() const;

    RunLibrary* library_;
    ViewFrame* frame_;
    std::vector<Run> runs_;
    QStringList files_;  ///< dropped or chosen, latest first
    QString file_;       ///< empty: the run's data set
    QComboBox *run_ = nullptr, *source_ = nullptr;
    QLabel* note_ = nullptr;
    QToolButton *compute_ = nullptr, *cancel_ = nullptr, *save_ = nullptr;
    AheadWork work_;
    Job<QString> saving_;
};

}  // namespace casp::widgets
