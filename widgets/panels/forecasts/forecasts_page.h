#pragma once
// The Forecasts page: selected windows and channels with look-back, truth and prediction, and errors. Live
// from the probe windows, stored from the run's files.

#include <map>
#include <optional>

#include "figures/recipe_forecasts.h"
#include "panels/forecasts/strata_work.h"
#include "panels/view/selection_links.h"
#include "panels/view/view_page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;
class QToolButton;

namespace casp::widgets {

class ChannelChooser;
class ForecastAhead;
class SeriesPanel;
class StepBar;

/// Source of the shown forecasts.
enum class ForecastSource { automatic, probe, test, val, train };

/// More than 25 methods: eight views with their controls and clicks, which share the selected windows.
class ForecastsPage : public ViewPage {
    Q_OBJECT
public:
    ForecastsPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);

    /// The current source: never automatic.
    [[nodiscard]] ForecastSource source() const;
    /// "val" for the probe.
    [[nodiscard]] QString split() const;
    void set_source(ForecastSource source);

    /// Numbers of the shown windows.
    [[nodiscard]] std::vector<std::int64_t> windows() const;
    /// Windows of stratum `number` (0: the easiest) of the reference run; empty: no embeddings available.
    [[nodiscard]] std::vector<std::int64_t> windows_of_stratum(int number) const;
    /// Selects a window like the previous/next buttons (keys: [ and ]) and the pick buttons. If more windows
    /// are selected than plotted, previous and next show others of them.
    void step_window(int by);
    void pick(figures::Pick pick);
    [[nodiscard]] StrataWork& strata_work() { return strata_; }
    /// Opens the view "Forecast ahead" and computes it; `file` empty: continues the file chosen there, by
    /// default the run's data set.
    void forecast_ahead(const QString& file = {});
    [[nodiscard]] ForecastAhead& ahead() { return *ahead_; }

    /// A file dropped while a finished run is shown is continued by it: what dropping it here does, shown
    /// while it is dragged over the page. Empty: nothing special, the window opens it.
    [[nodiscard]] QString drop_text(const QStringList& paths) const;
    /// Only if drop_text() is not empty.
    void drop(const QStringList& paths);

protected:
    void selection_changed() override;
    void part_changed(RunPart part) override;
    void save(QJsonObject& object) const override;
    void restore(const QJsonObject& object) override;
    void showEvent(QShowEvent* event) override;

private:
    /// Data derived from runs and selection, computed once per change.
    struct Facts {
        std::map<QString, QStringList> stored;  ///< run folder → splits whose forecasts it stores
        ForecastSource source = ForecastSource::probe;
        /// Windows to show of the current split: the selected ones, or those that retrieve the selected
        /// anchors. Ascending; looked up on request.
        std::optional<std::vector<std::int64_t>> chosen;
        bool follow_anchors = false;
    };

    [[nodiscard]] const Facts& facts() const;
    [[nodiscard]] const std::vector<std::int64_t>& chosen_windows() const;
    /// Whether the run has any of the shown windows.
    [[nodiscard]] bool is_drawn(const RunData& shown) const;
    /// Notes, a line each: runs without forecasts, windows missing from a run, selected windows not shown.
    [[nodiscard]] QString left_out(const std::vector<figures::RunInput>& runs) const;
    /// "7 to 12 of 1,203 windows that retrieve anchor 12"; empty if all selected windows are plotted.
    [[nodiscard]] QString paging_text() const;
    [[nodiscard]] figures::Figure make_strata(const std::vector<figures::RunInput>& runs);
    void make_strata_controls();
    /// Shows the strata by this label.
    void set_strata_axis(const analysis::StrataAxis& axis);
    void show_strata_status();
    /// Sorts the windows of `unsorted_`, the same ones as of the runs that are sorted.
    void sort_windows();
    void pick_stratum(double x, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] Facts find_facts() const;
    void make_source_controls();
    void make_window_controls();
    void make_channel_controls();
    void make_views();
    void fill_channels();
    /// Skipped while hidden: showEvent() updates the page.
    void update_controls();
    void show_window(std::int64_t number);
    /// All available window numbers: a range (stored) or the probe's.
    [[nodiscard]] std::vector<std::int64_t> probe_windows() const;
    /// Number of windows of the largest data set; beyond its end, plots of smaller ones are omitted.
    [[nodiscard]] std::int64_t stored_windows() const;
    /// Of the highlighted run if it is plotted, else of the first plotted one: its label, and the MSE of each
    /// window over the plotted channels.
    [[nodiscard]] std::pair<QString, std::vector<double>> errors_for_picking() const;
    [[nodiscard]] figures::Figure make_forecasts(const std::vector<figures::RunInput>& runs);
    [[nodiscard]] figures::Figure make_window_errors(const std::vector<figures::RunInput>& runs);
    void make_ahead_view();
    void make_ahead_button();
    void update_ahead(const std::vector<figures::RunInput>& runs);
    void show_ahead_offer();  ///< in the button's tooltip
    [[nodiscard]] figures::Figure make_ahead();
    /// Plotted look-back in horizons; 0: all.
    [[nodiscard]] std::int64_t plotted_horizons() const;
    void make_series_views();
    /// Shows the views of series if a shown run has any.
    void offer_series_views();
    void highlight_series();
    /// Scores of the run's series; null: it has none, or they are being read.
    [[nodiscard]] std::shared_ptr<const store::SeriesScores> scores_of(const figures::RunInput& run,
                                                                       const QString& view);
    [[nodiscard]] figures::Figure make_series_errors(const std::vector<figures::RunInput>& runs);
    /// Series of the first run's collection, with the scores of all runs on it.
    void list_series(const std::vector<figures::RunInput>& runs);
    /// The windows() that the run has and that are already read; missing ones are noted.
    [[nodiscard]] std::vector<figures::ForecastWindow> windows_of(const figures::RunInput& run);
    [[nodiscard]] std::optional<figures::ForecastWindow> probed_window(const figures::RunInput& run,
                                                                       std::int64_t number);
    [[nodiscard]] std::optional<figures::ForecastWindow> stored_window(const figures::RunInput& run,
                                                                       RunData& shown, std::int64_t number);
    /// Why nothing is plotted, and what to do.
    [[nodiscard]] QString why_no_forecasts() const;
    /// Runs whose truth differs from the first one's, and missing look-backs; a line each.
    [[nodiscard]] QString notes_on(const std::vector<figures::ForecastGroup>& groups) const;
    [[nodiscard]] std::optional<std::int64_t> options_step() const;
    [[nodiscard]] bool stores(const RunData& shown, const QString& split) const;

    ForecastSource chosen_ = ForecastSource::automatic;
    figures::ForecastOptions options_;
    bool mae_ = false;
    std::uint64_t random_ = 0;
    /// Why the shown window was chosen, for the bar and the caption; empty: otherwise than by its error.
    struct Picked {
        QString note, caption;
    } picked_;
    QString data_problem_;
    std::map<QString, std::vector<std::int64_t>> lacking_;  ///< by label: windows plotted for other runs only
    mutable std::optional<Facts> facts_;                    ///< empty: something has changed
    mutable SelectionLinks links_;
    std::size_t first_shown_ = 0;  ///< index within the selected windows
    /// Computes the strata of `set` and their comparison with the reference, unless done; starts long work on
    /// a thread.
    const StrataWork::Of& strata_of(const figures::RunInput& run,
                                    const std::shared_ptr<const EmbeddingSet>& set,
                                    const figures::RunInput* base);
    StrataWork strata_;
    QString strata_base_;   ///< the reference run: smallest λ_cov
    QStringList unsorted_;  ///< finished runs of models without embeddings whose windows can be sorted
    bool controls_stale_ = false;

    QComboBox* source_;
    QSlider* slider_;
    QSpinBox* number_;
    QToolButton *previous_, *next_;
    ChannelChooser* channels_;
    QComboBox *units_, *lookback_, *metric_;
    QComboBox *strata_axis_, *strata_penalty_;
    QCheckBox *error_, *last_value_;
    QLabel *note_, *paging_, *strata_text_;
    QLabel* strata_contrast_ = nullptr;  ///< below the strata: the change in the outer ones
    QToolButton* strata_button_;         ///< sorts the windows of `unsorted_`
    StepBar* steps_;
    SeriesPanel* series_panel_ = nullptr;
    ForecastAhead* ahead_ = nullptr;
    QToolButton* ahead_button_ = nullptr;
};

}  // namespace casp::widgets
