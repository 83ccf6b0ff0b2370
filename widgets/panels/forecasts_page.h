#pragma once
// The forecasts page: chosen windows and channels with lookback, truth and prediction, and where the errors
// are. Live from the probe windows, stored from the run's files.

#include <array>
#include <map>
#include <optional>

#include "figures/recipe_forecasts.h"
#include "panels/view_page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QSlider;
class QSpinBox;
class QToolButton;

namespace casp::widgets {

class StepBar;

/// Where the forecasts that are shown come from.
enum class ForecastSource { automatic, probe, test, val, train };

class ForecastsPage : public ViewPage {
    Q_OBJECT
public:
    ForecastsPage(RunLibrary* library, Selection* selection, QWidget* parent = nullptr);

    /// Where they come from now: never automatic.
    [[nodiscard]] ForecastSource source() const;
    /// "val" for the probe.
    [[nodiscard]] QString split() const;
    void set_source(ForecastSource source);

    /// Numbers of the windows that are shown.
    [[nodiscard]] std::vector<std::int64_t> windows() const;
    /// Chooses a window as the previous/next buttons (keys: [ and ]) and the pick buttons do.
    void step_window(int by);
    void pick(figures::Pick pick);

protected:
    void selection_changed() override;
    void part_changed(RunPart part) override;
    void save(QJsonObject& object) const override;
    void restore(const QJsonObject& object) override;
    void showEvent(QShowEvent* event) override;

private:
    /// What the runs make of the choice; computed once per change.
    struct Facts {
        std::map<QString, QStringList> stored;  ///< run folder → splits whose forecasts it stores
        ForecastSource source = ForecastSource::probe;
    };

    [[nodiscard]] const Facts& facts() const;
    [[nodiscard]] Facts find_facts() const;
    void make_source_controls();
    void make_window_controls();
    void make_channel_controls();
    void make_views();
    void fill_channels();
    /// Not while hidden: showEvent() catches up.
    void update_controls();
    void show_window(std::int64_t number);
    /// All window numbers there are: a range (stored) or the probe's.
    [[nodiscard]] std::vector<std::int64_t> probe_windows() const;
    [[nodiscard]] std::int64_t stored_windows() const;
    [[nodiscard]] std::vector<double> errors_for_picking() const;
    [[nodiscard]] figures::Figure make_forecasts(const std::vector<figures::RunInput>& runs);
    [[nodiscard]] figures::Figure make_window_errors(const std::vector<figures::RunInput>& runs);
    [[nodiscard]] std::vector<figures::ForecastWindow> stored_window(const figures::RunInput& run,
                                                                     RunData& shown, std::int64_t number);
    [[nodiscard]] std::optional<std::int64_t> options_step() const;
    [[nodiscard]] bool stores(const RunData& shown, const QString& split) const;

    ForecastSource chosen_ = ForecastSource::automatic;
    figures::ForecastOptions options_;
    bool mae_ = false;
    std::uint64_t random_ = 0;
    QString data_problem_;
    mutable std::optional<Facts> facts_;  ///< empty: something has changed
    bool controls_stale_ = false;

    QComboBox* source_;
    QSlider* slider_;
    QSpinBox* number_;
    QToolButton *previous_, *next_, *channels_;
    QMenu* channel_menu_;
    QComboBox *units_, *lookback_, *metric_;
    QCheckBox *error_, *last_value_;
    QLabel* note_;
    StepBar* steps_;
};

}  // namespace casp::widgets
