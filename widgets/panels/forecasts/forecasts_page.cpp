#include "panels/forecasts/forecasts_page.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>

#include <QCheckBox>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "charts/figure_view.h"
#include "figures/recipe_input.h"
#include "panels/forecasts/forecasts_channels.h"
#include "panels/view/view_flow.h"
#include "panels/view/view_step_bar.h"
#include "state/run_names.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

constexpr std::size_t max_windows = 6;
constexpr std::size_t max_bands = 300;  ///< of selected windows in the course of errors

QString split_of(ForecastSource source) {
    switch (source) {
        case ForecastSource::test:
            return QStringLiteral("test");
        case ForecastSource::train:
            return QStringLiteral("train");
        default:
            return QStringLiteral("val");
    }
}

/// The latest probe with forecasts (stored probes have none). Null if there is none.
std::shared_ptr<const train::Probe> last_forecast(const RunData& run) {
    const auto& probes = run.probes();
    const auto last = std::find_if(probes.rbegin(), probes.rend(),
                                   [](const auto& probe) { return !probe->prediction.empty(); });
    return last == probes.rend() ? nullptr : *last;
}

}  // namespace

ForecastsPage::ForecastsPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : ViewPage(library, selection, parent), strata_([this](bool progress_only) {
          if (!progress_only) rebuild({QStringLiteral("strata")});
          show_strata_status();
      }) {
    make_source_controls();
    make_window_controls();
    make_channel_controls();
    note_ = note_label(this, tr("Notes on the forecasts"));
    add_header(note_);
    paging_ = new QLabel;
    paging_->setAccessibleName(tr("Plotted windows"));
    bar()->addWidget(paging_);
    make_views();
    part_changed(RunPart::everything);
    selection_changed();
}

void ForecastsPage::make_views() {
    using figures::RunInput;
    const QString help = QStringLiteral("forecasts");
    const std::set<RunPart> parts{RunPart::probe, RunPart::forecasts};
    make_ahead_view();
    add_view(
        QStringLiteral("forecasts"), tr("Forecasts"), help, parts,
        [this](const std::vector<RunInput>& runs) { return make_forecasts(runs); }, 460, 2);
    make_ahead_button();
    add_view(
        QStringLiteral("error-per-step"), tr("Error by forecast step"), help, {RunPart::probe},
        [this](const std::vector<RunInput>& runs) {
            return figures::error_per_step(runs, mae_, options_step());
        },
        270, 1);
    auto* channel = add_view(
        QStringLiteral("error-per-channel"), tr("Error by channel"), help, {RunPart::probe},
        [this](const std::vector<RunInput>& runs) {
            return figures::error_per_channel(runs, mae_, options_step());
        },
        270, 1);
    connect(channel, &FigureView::picked, this, [this](const auto& ids, Qt::KeyboardModifiers modifiers) {
        selection()->set_channels(combined(selection()->state().channels, ids, modifiers));
    });
    auto* errors = add_view(
        QStringLiteral("window-errors"), tr("Window errors"), help, {RunPart::forecasts},
        [this](const std::vector<RunInput>& runs) { return make_window_errors(runs); }, 270, 2);
    connect(errors, &FigureView::picked, this, [this](const auto& ids, Qt::KeyboardModifiers modifiers) {
        const auto& state = selection()->state();
        const auto before = state.split == split() ? state.windows : std::set<std::int64_t>{};
        selection()->set_windows(combined(before, ids, modifiers), split());
    });
    auto* by_difficulty = add_view(
        QStringLiteral("strata"), tr("Error by difficulty"), help, {RunPart::embeddings},
        [this](const std::vector<RunInput>& runs) { return make_strata(runs); }, 280, 2);
    connect(by_difficulty, &FigureView::x_picked, this,
            [this](double x, Qt::KeyboardModifiers modifiers) { pick_stratum(x, modifiers); });
    make_strata_controls();
    make_series_views();
}

std::optional<std::int64_t> ForecastsPage::options_step() const { return selection()->state().step; }

bool ForecastsPage::stores(const RunData& shown, const QString& split) const {
    const auto& stored = facts().stored;
    const auto found = stored.find(shown.folder());
    return found != stored.end() && found->second.contains(split);
}

const ForecastsPage::Facts& ForecastsPage::facts() const {
    if (!facts_) facts_ = find_facts();
    return *facts_;
}

ForecastsPage::Facts ForecastsPage::find_facts() const {
    Facts facts;
    const auto runs = shown_runs().data();
    // Links to forecasts exist after the evaluation, for the splits given by the configuration.
    for (const auto& run : shown_runs().inputs()) {
        const auto* shown = library()->data(run.folder);
        if (!shown || !shown->record().test) continue;
        auto& splits = facts.stored[run.folder];
        if (!run.config) {
            splits << QStringLiteral("test");  // written by another version: the default
            continue;
        }
        for (const auto& stored : run.config->run.store_forecasts) splits << QString::fromStdString(stored);
    }
    facts.source = chosen_;
    if (chosen_ != ForecastSource::automatic) return facts;
    const auto storing = [&](const QString& split) {
        return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [&](const auto* shown) {
            const auto found = facts.stored.find(shown->folder());
            return found != facts.stored.end() && found->second.contains(split);
        }));
    };
    const auto all_store = [&](const QString& split) {
        return !runs.empty() && storing(split) == runs.size();
    };
    const bool probes = std::any_of(runs.begin(), runs.end(),
                                    [](const auto* shown) { return last_forecast(*shown) != nullptr; });
    facts.source = [&] {
        constexpr std::array stored{ForecastSource::test, ForecastSource::val, ForecastSource::train};
        const auto& wanted = selection()->state().split;
        // Selected windows are shown for the runs that have them, also beside a running one.
        const bool chosen = !selection()->state().windows.empty();
        for (const auto source : stored)
            if (wanted == split_of(source) && (all_store(wanted) || (chosen && storing(wanted) > 0)))
                return source;
        if (wanted == QStringLiteral("val") && probes) return ForecastSource::probe;
        for (const auto source : stored)
            if (all_store(split_of(source))) return source;
        if (probes || runs.empty()) return ForecastSource::probe;
        for (const auto source : stored)
            if (storing(split_of(source)) > 0) return source;
        return ForecastSource::test;
    }();
    return facts;
}

ForecastSource ForecastsPage::source() const { return facts().source; }

QString ForecastsPage::split() const { return split_of(source()); }

void ForecastsPage::set_source(ForecastSource source) {
    chosen_ = source;
    facts_.reset();
    picked_ = {};
    const QSignalBlocker block(source_);
    source_->setCurrentIndex(static_cast<int>(source));
    update_controls();
    rebuild();
}

std::vector<std::int64_t> ForecastsPage::probe_windows() const {
    for (const auto* shown : shown_runs().data())
        if (const auto probe = last_forecast(*shown)) return probe->windows;
    return {};
}

std::int64_t ForecastsPage::stored_windows() const {
    // Access reads them: of runs with windows of the same data, the first suffices.
    std::set<std::tuple<std::string, std::int64_t, std::int64_t>> asked;
    std::int64_t most = 0;
    for (const auto& run : shown_runs().inputs()) {
        auto* shown = library()->data(run.folder);
        if (!shown || !run.record || !stores(*shown, split())) continue;
        const auto lookback = run.config ? run.config->data.lookback : 0;
        const auto horizon = run.config ? run.config->data.horizon : 0;
        if (!asked.emplace(run.record->attributes.dataset_sha256, lookback, horizon).second) continue;
        if (const auto errors = shown->window_errors(split())) most = std::max(most, errors->windows);
    }
    return most;
}

const std::vector<std::int64_t>& ForecastsPage::chosen_windows() const {
    (void)facts();
    auto& facts = *facts_;
    if (facts.chosen) return *facts.chosen;
    auto& chosen = facts.chosen.emplace();
    const auto& state = selection()->state();
    auto runs = shown_runs().data();
    links_.keep_only(runs);
    std::erase_if(runs, [&](const auto* run) {
        return !shown_runs().have_same_start(run->folder(), state.anchors_of);
    });
    const auto linked = links_.windows(state, runs, split());
    if (!linked.split.isEmpty() && linked.split != split()) return chosen;
    facts.follow_anchors = linked.follow_anchors;
    const auto& windows = linked.windows;
    if (source() == ForecastSource::probe) {
        for (const auto number : probe_windows())
            if (windows.count(number) > 0) chosen.push_back(number);
    } else {
        chosen.assign(windows.begin(), windows.end());
    }
    return chosen;
}

std::vector<std::int64_t> ForecastsPage::windows() const {
    const auto& chosen = chosen_windows();
    if (!chosen.empty()) {
        const auto first = std::min(first_shown_, chosen.size() - 1);
        const auto last = std::min(first + max_windows, chosen.size());
        return {chosen.begin() + static_cast<std::ptrdiff_t>(first),
                chosen.begin() + static_cast<std::ptrdiff_t>(last)};
    }
    if (source() != ForecastSource::probe) return {0};
    const auto probed = probe_windows();
    return probed.empty() ? probed : std::vector<std::int64_t>{probed.front()};
}

QString ForecastsPage::paging_text() const {
    if (!picked_.note.isEmpty()) return picked_.note;
    const auto& chosen = chosen_windows();
    const auto count = static_cast<std::int64_t>(chosen.size());
    const auto& anchors = selection()->state().anchors;
    const auto why = !facts_->follow_anchors ? tr("selected windows")
                     : anchors.size() == 1
                         ? tr("windows that retrieve anchor %1").arg(*anchors.begin())
                         : tr("windows that retrieve one of %1 anchors").arg(anchors.size());
    if (chosen.size() <= max_windows)
        return facts_->follow_anchors && count > 0 ? tr("%1 %2").arg(counted(count), why) : QString();
    const auto first = static_cast<std::int64_t>(std::min(first_shown_, chosen.size() - 1));
    return tr("%1 to %2 of %3 %4 · [ and ] show others")
        .arg(counted(first + 1), counted(std::min<std::int64_t>(first + max_windows, count)), counted(count),
             why);
}

bool ForecastsPage::is_drawn(const RunData& shown) const {
    return source() == ForecastSource::probe ? last_forecast(shown) != nullptr : stores(shown, split());
}

void ForecastsPage::show_window(std::int64_t number) {
    auto state = selection()->state();
    state.windows = {number};
    state.split = split();
    selection()->set(state, QStringLiteral("window"));
}

void ForecastsPage::step_window(int by) {
    if (const auto count = chosen_windows().size(); count > max_windows) {
        // Keep the selection, but plot other windows of it.
        const auto step = static_cast<std::ptrdiff_t>(max_windows) * by;
        const auto last = static_cast<std::ptrdiff_t>((count - 1) / max_windows * max_windows);
        first_shown_ = static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(first_shown_) + step, 0, last));
        update_controls();
        rebuild({QStringLiteral("forecasts"), QStringLiteral("window-errors")});
        return;
    }
    const auto now = windows();
    if (source() == ForecastSource::probe) {
        const auto all = probe_windows();
        if (all.empty()) return;
        const auto at = now.empty() ? 0 : std::find(all.begin(), all.end(), now.front()) - all.begin();
        const auto next = std::clamp<std::ptrdiff_t>(at + by, 0, static_cast<std::ptrdiff_t>(all.size()) - 1);
        show_window(all[static_cast<std::size_t>(next)]);
        return;
    }
    const auto count = stored_windows();
    if (count <= 0) return;
    show_window(std::clamp<std::int64_t>((now.empty() ? 0 : now.front()) + by, 0, count - 1));
}

std::pair<QString, std::vector<double>> ForecastsPage::errors_for_picking() const {
    const auto& state = selection()->state();
    auto runs = shown_runs().inputs();
    std::stable_partition(runs.begin(), runs.end(),
                          [&](const auto& run) { return run.folder == selection()->highlighted(); });
    const std::vector<std::int64_t> selected(state.channels.begin(), state.channels.end());
    for (const auto& run : runs) {
        auto* shown = library()->data(run.folder);
        if (!shown || !run.record) continue;
        if (source() != ForecastSource::probe) {
            if (!stores(*shown, split())) continue;
            const auto errors = shown->window_errors(split());
            if (!errors && shown->problem().isEmpty()) return {};  // being read
            if (!errors) continue;
            const auto channels = figures::plotted_channels(selected, errors->channels);
            if (!channels.empty()) return {run.label, figures::window_errors_of(run, *errors, channels).mse};
            continue;
        }
        const auto probe = figures::forecast_probe_at(run, state.step);
        if (!probe) continue;
        const auto channels = figures::plotted_channels(selected, std::ssize(probe->channels));
        if (channels.empty()) continue;
        std::vector<double> mse;
        for (std::size_t w = 0; w < probe->windows.size(); ++w) {
            const auto window = figures::window_of(run, *probe, static_cast<std::int64_t>(w));
            double sum = 0;
            for (std::int64_t t = 0; window && t < window->horizon; ++t)
                for (const auto c : channels) {
                    const auto i = static_cast<std::size_t>(t * window->channels + c);
                    const double e =
                        static_cast<double>(window->prediction[i]) - static_cast<double>(window->truth[i]);
                    sum += e * e;
                }
            mse.push_back(window ? sum : std::nan(""));  // all have the same number of values
        }
        return {run.label, mse};
    }
    return {};
}

void ForecastsPage::pick(figures::Pick what) {
    const auto [run, errors] = errors_for_picking();
    const auto index = figures::pick_window(errors, what, ++random_ * 0x9E3779B97F4A7C15ULL);
    if (index < 0) {
        Q_EMIT message(tr("The window errors are not available yet"));
        return;
    }
    auto number = index;
    if (source() == ForecastSource::probe) {
        const auto all = probe_windows();
        if (index >= static_cast<std::int64_t>(all.size())) return;
        number = all[static_cast<std::size_t>(index)];
    }
    show_window(number);
    picked_ = {};
    const auto name_it = [this, name = run](const QString& note, const char* which) {
        picked_ = {note.arg(name),
                   QStringLiteral(" This window has the %1 MSE over the plotted channels for %2.")
                       .arg(QLatin1String(which), name)};
    };
    if (what == figures::Pick::worst) name_it(tr("highest MSE of %1"), "highest");
    if (what == figures::Pick::median) name_it(tr("median MSE of %1"), "median");
    if (what == figures::Pick::best) name_it(tr("lowest MSE of %1"), "lowest");
    update_controls();
    rebuild({QStringLiteral("forecasts")});
}

figures::Figure ForecastsPage::make_window_errors(const std::vector<figures::RunInput>& runs) {
    std::vector<figures::WindowErrors> list;
    const auto of = source() == ForecastSource::probe ? QStringLiteral("test") : split();
    const auto& state = selection()->state();
    const std::vector<std::int64_t> chosen(state.channels.begin(), state.channels.end());
    for (const auto& run : runs) {
        auto* shown = run.record ? library()->data(run.folder) : nullptr;
        if (!shown || !stores(*shown, of)) continue;
        const auto errors = shown->window_errors(of);
        if (!errors) {
            wait_for(QStringLiteral("window-errors"));
            continue;
        }
        const auto channels = figures::plotted_channels(chosen, errors->channels);
        if (chosen.empty() || !channels.empty())
            list.push_back(figures::window_errors_of(
                run, *errors, chosen.empty() ? std::vector<std::int64_t>() : channels));
    }
    const bool same = of == split();
    auto figure =
        figures::window_errors(list, split_name(of), same ? windows() : std::vector<std::int64_t>{});
    if (same && !chosen_windows().empty() && figure.plots.size() > 1) {
        // All selected windows, as ranges of the course.
        const auto& all = chosen_windows();
        auto& bands = figure.plots.back().bands;
        for (std::size_t i = 0; i < all.size() && bands.size() < max_bands;) {
            auto end = i + 1;
            while (end < all.size() && all[end] == all[end - 1] + 1) ++end;
            figures::Band band;
            band.from = static_cast<double>(all[i]) - 0.5;
            band.to = static_cast<double>(all[end - 1]) + 0.5;
            band.colour = figures::neutral_colour();
            band.opacity = 0.25;
            bands.push_back(std::move(band));
            i = end;
        }
    }
    return figure;
}

void ForecastsPage::selection_changed() {
    facts_.reset();
    picked_ = {};
    first_shown_ = 0;
    update_controls();
    // The views of series depend on the runs only.
    rebuild({QStringLiteral("forecast-ahead"), QStringLiteral("forecasts"), QStringLiteral("error-per-step"),
             QStringLiteral("error-per-channel"), QStringLiteral("window-errors"), QStringLiteral("strata")});
}

void ForecastsPage::part_changed(RunPart part) {
    if (part == RunPart::curves || part == RunPart::anchors || part == RunPart::embedding_work) return;
    facts_.reset();
    update_controls();
}

void ForecastsPage::fill_channels() {
    std::vector<const store::DataSection*> sets;
    for (const auto& run : shown_runs().inputs())
        if (run.record) sets.push_back(&run.record->data);
    channels_->set_channels(figures::channel_names_of(sets));
    channels_->set_chosen(selection()->state().channels);
}

void ForecastsPage::showEvent(QShowEvent* event) {
    ViewPage::showEvent(event);
    if (controls_stale_) update_controls();
}

void ForecastsPage::update_controls() {
    controls_stale_ = !isVisible();
    if (controls_stale_) return;
    fill_channels();
    const bool probe = source() == ForecastSource::probe;
    const auto now = windows();
    const auto probed = probe_windows();
    const auto count = probe ? static_cast<std::int64_t>(probed.size()) : stored_windows();
    const auto number = now.empty() ? 0 : now.front();
    const QSignalBlocker a(slider_), b(number_);
    slider_->setRange(0, static_cast<int>(std::max<std::int64_t>(0, count - 1)));
    if (probe) {
        slider_->setValue(static_cast<int>(std::find(probed.begin(), probed.end(), number) - probed.begin()));
        number_->setRange(
            0, probed.empty() ? 0 : static_cast<int>(*std::max_element(probed.begin(), probed.end())));
    } else {
        slider_->setValue(static_cast<int>(number));
        number_->setRange(0, static_cast<int>(std::max<std::int64_t>(0, count - 1)));
    }
    number_->setValue(static_cast<int>(number));
    offer_series_views();
    highlight_series();
    const auto runs = shown_runs().inputs();
    update_ahead(runs);
    const auto is_scaled = [](const figures::RunInput& run) {
        return !run.record || !figures::is_collection(run.record->data);
    };
    units_->setEnabled(runs.empty() || std::any_of(runs.begin(), runs.end(), is_scaled));
    for (QWidget* control : std::initializer_list<QWidget*>{slider_, number_, previous_, next_})
        control->setEnabled(count > 1);
    paging_->setText(paging_text());
    paging_->setVisible(!paging_->text().isEmpty());

    std::set<std::int64_t> steps;
    for (const auto* shown : shown_runs().data())
        for (const auto& p : shown->probes())
            if (!p->prediction.empty()) steps.insert(p->step);
    steps_->set_steps({steps.begin(), steps.end()});
    steps_->set_step(selection()->state().step);
    steps_->setVisible(probe);
}

void ForecastsPage::save(QJsonObject& object) const {
    object[QStringLiteral("source")] = static_cast<int>(chosen_);
    object[QStringLiteral("original")] = options_.original;
    object[QStringLiteral("errors")] = options_.errors;
    object[QStringLiteral("last_value")] = options_.last_value;
    object[QStringLiteral("lookback")] = lookback_->currentIndex();
    object[QStringLiteral("mae")] = mae_;
    object[QStringLiteral("strata_of")] = QString::fromStdString(analysis::name_of(strata_.axis()));
}

void ForecastsPage::restore(const QJsonObject& object) {
    units_->setCurrentIndex(object.value(QStringLiteral("original")).toBool(options_.original) ? 1 : 0);
    metric_->setCurrentIndex(object.value(QStringLiteral("mae")).toBool(mae_) ? 1 : 0);
    error_->setChecked(object.value(QStringLiteral("errors")).toBool(options_.errors));
    last_value_->setChecked(object.value(QStringLiteral("last_value")).toBool(options_.last_value));
    lookback_->setCurrentIndex(std::clamp(object.value(QStringLiteral("lookback")).toInt(), 0, 2));
    try {
        set_strata_axis(analysis::parse_strata_axis(
            object.value(QStringLiteral("strata_of")).toString(QStringLiteral("residual")).toStdString(),
            "session"));
    } catch (const Error&) {
        set_strata_axis({});  // of a later version
    }
    set_source(static_cast<ForecastSource>(std::clamp(object.value(QStringLiteral("source")).toInt(), 0, 4)));
}

}  // namespace casp::widgets
