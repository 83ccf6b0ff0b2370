#include "panels/forecasts_page.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <QCheckBox>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "charts/figure_view.h"
#include "panels/view_flow.h"
#include "panels/view_step_bar.h"

namespace casp::widgets {

namespace {

constexpr std::size_t most_windows = 6;
constexpr std::int64_t block_bytes = 4 << 20;

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

}  // namespace

ForecastsPage::ForecastsPage(RunLibrary* library, Selection* selection, QWidget* parent)
    : ViewPage(library, selection, parent) {
    make_source_controls();
    make_window_controls();
    make_channel_controls();
    note_ = new QLabel;
    note_->setWordWrap(true);
    note_->setAccessibleName(tr("Note on the forecasts"));
    note_->hide();
    add_header(note_);
    make_views();
    part_changed(RunPart::everything);
    selection_changed();
}

void ForecastsPage::make_source_controls() {
    source_ = new QComboBox;
    source_->addItems(
        {tr("automatic"), tr("probe windows (live)"), tr("test"), tr("validation"), tr("train")});
    source_->setAccessibleName(tr("Windows"));
    source_->setToolTip(
        tr("Where forecasts come from: a handful of validation windows seen at each snapshot, or all windows "
           "of a split at the best checkpoint (run.store_forecasts)"));
    connect(source_, &QComboBox::currentIndexChanged, this,
            [this](int index) { set_source(static_cast<ForecastSource>(index)); });
    labelled(tr("&Windows"), source_);
}

void ForecastsPage::make_window_controls() {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    const auto button = [&](const QString& text, const QString& tip) {
        auto* b = new QToolButton;
        b->setText(text);
        b->setAutoRaise(true);
        b->setToolTip(tip);
        b->setAccessibleName(tip);
        b->setFocusPolicy(Qt::TabFocus);
        row->addWidget(b);
        return b;
    };
    previous_ = button(QString(), tr("Previous window ([)"));
    previous_->setArrowType(Qt::LeftArrow);
    number_ = new QSpinBox;
    number_->setAccessibleName(tr("Number of the window"));
    number_->setToolTip(tr("Number of the window within its split, from 0"));
    number_->setKeyboardTracking(false);
    row->addWidget(number_);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setMinimumWidth(110);
    slider_->setAccessibleName(tr("Window"));
    slider_->setToolTip(tr("Goes through the windows of the split in file order"));
    row->addWidget(slider_);
    next_ = button(QString(), tr("Next window (])"));
    next_->setArrowType(Qt::RightArrow);
    using figures::Pick;
    const std::array<std::tuple<Pick, QString, QString>, 4> picks{
        {{Pick::worst, tr("worst"), tr("The window with the highest MSE of the first run")},
         {Pick::median, tr("median"), tr("The window with the median MSE of the first run")},
         {Pick::best, tr("best"), tr("The window with the lowest MSE of the first run")},
         {Pick::random, tr("random"), tr("Any window")}}};
    for (const auto& [what, text, tip] : picks) {
        auto* b = button(text, tip);
        connect(b, &QToolButton::clicked, this, [this, what = what] { pick(what); });
    }
    bar()->addWidget(box);
    connect(previous_, &QToolButton::clicked, this, [this] { step_window(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step_window(1); });
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        if (source() == ForecastSource::probe) {
            const auto all = probe_windows();
            if (value >= 0 && value < static_cast<int>(all.size()))
                show_window(all[static_cast<std::size_t>(value)]);
        } else {
            show_window(value);
        }
    });
    connect(number_, &QSpinBox::valueChanged, this, [this](int value) {
        if (source() != ForecastSource::probe) {
            show_window(value);
            return;
        }
        // Only some windows are probed: the arrows lead from one to the next, a typed number to the nearest.
        const auto all = probe_windows();
        const auto now = windows();
        if (all.empty()) return;
        const auto before = now.empty() ? all.front() : now.front();
        if (value == before + 1 || value == before - 1) {
            step_window(value > before ? 1 : -1);
            return;
        }
        show_window(*std::min_element(all.begin(), all.end(), [&](std::int64_t a, std::int64_t b) {
            return std::abs(a - value) < std::abs(b - value);
        }));
    });
    for (const auto& [key, by] : {std::pair{Qt::Key_BracketLeft, -1}, std::pair{Qt::Key_BracketRight, 1}}) {
        auto* shortcut = new QShortcut(QKeySequence(key), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, by = by] { step_window(by); });
    }
    steps_ = new StepBar;
    connect(steps_, &StepBar::step_chosen, this,
            [this](std::optional<std::int64_t> step) { selection()->set_step(step); });
    bar()->addWidget(steps_);
}

void ForecastsPage::make_channel_controls() {
    channels_ = new QToolButton;
    channels_->setPopupMode(QToolButton::InstantPopup);
    channels_->setAccessibleName(tr("Channels"));
    channels_->setToolTip(tr("Channels that are drawn; none chosen: the last one"));
    channels_->setFocusPolicy(Qt::StrongFocus);
    channel_menu_ = new QMenu(channels_);
    channels_->setMenu(channel_menu_);
    labelled(tr("C&hannels"), channels_);

    const auto combo = [&](const QString& label, const QStringList& items, const QString& name,
                           const QString& tip, auto changed) {
        auto* box = new QComboBox;
        box->addItems(items);
        box->setAccessibleName(name);
        box->setToolTip(tip);
        connect(box, &QComboBox::currentIndexChanged, this, changed);
        labelled(label, box);
        return box;
    };
    units_ =
        combo(tr("&Units"), {tr("scaled"), tr("original")}, tr("Units of values"),
              tr("Standard deviations of the training split, or the units of the file"), [this](int index) {
                  options_.original = index == 1;
                  rebuild({QStringLiteral("forecasts")});
              });
    lookback_ = combo(tr("&Lookback"), {tr("all"), tr("as long as H"), tr("2 H")}, tr("Shown lookback"),
                      tr("How much of the lookback window (length τ) is drawn before the forecast"),
                      [this](int) { rebuild({QStringLiteral("forecasts")}); });
    metric_ = combo(tr("E&rror"), {QStringLiteral("MSE"), QStringLiteral("MAE")}, tr("Error measure"),
                    tr("Measure in the error plots: mean squared or mean absolute error"), [this](int index) {
                        mae_ = index == 1;
                        rebuild({QStringLiteral("error-per-step"), QStringLiteral("error-per-channel")});
                    });
    error_ = new QCheckBox(tr("&error beside"));
    error_->setToolTip(tr("Draw prediction − truth beside each window"));
    last_value_ = new QCheckBox(tr("last &value"));
    last_value_->setToolTip(tr("Draw the forecast that repeats the last value of the lookback"));
    for (auto* control : {error_, last_value_}) {
        control->setAccessibleName(control->toolTip());
        connect(control, &QCheckBox::toggled, this, [this] {
            options_.errors = error_->isChecked();
            options_.last_value = last_value_->isChecked();
            rebuild({QStringLiteral("forecasts")});
        });
        bar()->addWidget(control);
    }
}

void ForecastsPage::make_views() {
    using figures::RunInput;
    const QString help = QStringLiteral("forecasts");
    const std::set<RunPart> parts{RunPart::probe, RunPart::forecasts};
    add_view(
        QStringLiteral("forecasts"), tr("Forecasts"), help, parts,
        [this](const std::vector<RunInput>& runs) { return make_forecasts(runs); }, 380, 2);
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
        QStringLiteral("window-errors"), tr("Errors of the windows"), help, {RunPart::forecasts},
        [this](const std::vector<RunInput>& runs) { return make_window_errors(runs); }, 270, 2);
    connect(errors, &FigureView::picked, this, [this](const auto& ids, Qt::KeyboardModifiers modifiers) {
        const auto& state = selection()->state();
        const auto before = state.split == split() ? state.windows : std::set<std::int64_t>{};
        selection()->set_windows(combined(before, ids, modifiers), split());
    });
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
    const auto runs = shown_data();
    // Links to forecasts exist once a run was evaluated; the configuration says for which splits.
    for (const auto& run : inputs()) {
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
    const auto all_store = [&](const QString& split) {
        return !runs.empty() && std::all_of(runs.begin(), runs.end(), [&](const auto* shown) {
            const auto found = facts.stored.find(shown->folder());
            return found != facts.stored.end() && found->second.contains(split);
        });
    };
    const bool probes =
        std::any_of(runs.begin(), runs.end(), [](const auto* shown) { return !shown->probes().empty(); });
    facts.source = [&] {
        const auto& wanted = selection()->state().split;
        for (const auto source : {ForecastSource::test, ForecastSource::val, ForecastSource::train})
            if (wanted == split_of(source) && all_store(wanted)) return source;
        if (wanted == QStringLiteral("val") && probes) return ForecastSource::probe;
        for (const auto source : {ForecastSource::test, ForecastSource::val, ForecastSource::train})
            if (all_store(split_of(source))) return source;
        return probes || runs.empty() ? ForecastSource::probe : ForecastSource::test;
    }();
    return facts;
}

ForecastSource ForecastsPage::source() const { return facts().source; }

QString ForecastsPage::split() const { return split_of(source()); }

void ForecastsPage::set_source(ForecastSource source) {
    chosen_ = source;
    facts_.reset();
    const QSignalBlocker block(source_);
    source_->setCurrentIndex(static_cast<int>(source));
    update_controls();
    rebuild();
}

std::vector<std::int64_t> ForecastsPage::probe_windows() const {
    for (const auto* shown : shown_data())
        if (!shown->probes().empty()) return shown->probes().back()->windows;
    return {};
}

std::int64_t ForecastsPage::stored_windows() const {
    for (auto* shown : shown_data())
        if (stores(*shown, split())) {
            const auto errors = shown->window_errors(split());  // asking reads them: the first run will do
            return errors ? errors->windows : 0;
        }
    return 0;
}

std::vector<std::int64_t> ForecastsPage::windows() const {
    const auto& state = selection()->state();
    std::vector<std::int64_t> list;
    const bool probe = source() == ForecastSource::probe;
    const auto probed = probe ? probe_windows() : std::vector<std::int64_t>{};
    if (state.split.isEmpty() || state.split == split())
        for (const auto number : state.windows) {
            if (probe && std::find(probed.begin(), probed.end(), number) == probed.end()) continue;
            list.push_back(number);
            if (list.size() == most_windows) break;
        }
    if (!list.empty()) return list;
    if (probe) return probed.empty() ? list : std::vector<std::int64_t>{probed.front()};
    return {0};
}

void ForecastsPage::show_window(std::int64_t number) {
    auto state = selection()->state();
    state.windows = {number};
    state.split = split();
    selection()->set(state, QStringLiteral("window"));
}

void ForecastsPage::step_window(int by) {
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

std::vector<double> ForecastsPage::errors_for_picking() const {
    const auto& chosen = selection()->state().channels;
    const std::int64_t channel = chosen.size() == 1 ? *chosen.begin() : -1;
    for (const auto& run : inputs()) {
        auto* shown = library()->data(run.folder);
        if (!shown) continue;
        if (source() != ForecastSource::probe) {
            if (!stores(*shown, split())) continue;
            const auto errors = shown->window_errors(split());
            if (errors) return figures::window_errors_of(run, *errors, channel).mse;
            continue;
        }
        const auto probe = figures::probe_at(run, selection()->state().step);
        if (!probe) continue;
        std::vector<double> mse;
        for (std::size_t w = 0; w < probe->windows.size(); ++w) {
            const auto window = figures::window_of(run, *probe, static_cast<std::int64_t>(w));
            double sum = 0;
            std::int64_t count = 0;
            for (std::size_t i = 0; window && i < window->truth.size(); ++i) {
                if (channel >= 0 && static_cast<std::int64_t>(i) % probe->channels != channel) continue;
                const double e =
                    static_cast<double>(window->prediction[i]) - static_cast<double>(window->truth[i]);
                sum += e * e;
                ++count;
            }
            mse.push_back(count > 0 ? sum / static_cast<double>(count) : std::nan(""));
        }
        return mse;
    }
    return {};
}

void ForecastsPage::pick(figures::Pick what) {
    const auto index = figures::pick_window(errors_for_picking(), what, ++random_ * 0x9E3779B97F4A7C15ULL);
    if (index < 0) {
        Q_EMIT message(tr("The errors of the windows are not there yet"));
        return;
    }
    if (source() != ForecastSource::probe) {
        show_window(index);
        return;
    }
    const auto all = probe_windows();
    if (index < static_cast<std::int64_t>(all.size())) show_window(all[static_cast<std::size_t>(index)]);
}

std::vector<figures::ForecastWindow> ForecastsPage::stored_window(const figures::RunInput& run,
                                                                  RunData& shown, std::int64_t number) {
    auto lookback = run.config ? run.config->data.lookback : 0;
    const auto horizon = run.config ? run.config->data.horizon : 1;
    const auto channels =
        static_cast<std::int64_t>(std::max<std::size_t>(1, run.record->data.channel_names.size()));
    const auto errors = shown.window_errors(split());
    if (!errors) {
        wait_for(QStringLiteral("forecasts"));
        return {};
    }
    if (number >= errors->windows) return {};
    // Neighbours come along, so that going through the windows does not wait at each.
    const auto per_window = static_cast<std::int64_t>(sizeof(float)) * (lookback + 2 * horizon) * channels;
    const auto block = std::clamp<std::int64_t>(block_bytes / std::max<std::int64_t>(1, per_window), 1, 64);
    const auto first = number / block * block, count = std::min(block, errors->windows - first);
    const auto arrays = shown.forecasts(split(), first, count);
    const auto lookbacks = shown.lookbacks(split(), first, count);
    if (!arrays || !lookbacks) wait_for(QStringLiteral("forecasts"));
    if (!arrays) return {};
    if (!shown.problem_with_data().isEmpty()) data_problem_ = shown.problem_with_data();
    if (lookback == 0 && lookbacks)
        lookback = static_cast<std::int64_t>(lookbacks->size()) / std::max<std::int64_t>(1, count * channels);
    auto window = figures::window_of(run, *arrays, first, number - first, lookbacks.get(), lookback);
    if (!window) return {};
    return {*window};
}

figures::Figure ForecastsPage::make_forecasts(const std::vector<figures::RunInput>& runs) {
    auto options = options_;
    options.split = source() == ForecastSource::probe  ? QStringLiteral("validation")
                    : split() == QStringLiteral("val") ? QStringLiteral("validation")
                                                       : split();
    const auto& chosen = selection()->state().channels;
    options.channels.assign(chosen.begin(), chosen.end());
    std::vector<figures::ForecastWindow> shown;
    static const store::DataSection nothing;
    const store::DataSection* section = &nothing;
    bool missing = false;
    data_problem_.clear();
    for (const auto number : windows())
        for (const auto& run : runs) {
            if (!run.record) continue;
            std::vector<figures::ForecastWindow> found;
            if (source() == ForecastSource::probe) {
                if (const auto probe = figures::probe_at(run, selection()->state().step)) {
                    const auto at = std::find(probe->windows.begin(), probe->windows.end(), number);
                    if (at != probe->windows.end())
                        if (auto window = figures::window_of(run, *probe, at - probe->windows.begin()))
                            found.push_back(std::move(*window));
                }
            } else if (auto* stored = library()->data(run.folder); stored && stores(*stored, split())) {
                found = stored_window(run, *stored, number);
            }
            missing = missing || found.empty();
            for (auto& window : found) {
                if (section == &nothing) section = &run.record->data;
                if (lookback_->currentIndex() > 0)
                    options.lookback_shown = lookback_->currentIndex() * window.horizon;
                shown.push_back(std::move(window));
            }
        }
    auto figure = figures::forecast_windows(shown, *section, options);
    if (shown.empty() && std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.record; }))
        figure.empty_text = source() == ForecastSource::probe
                                ? tr("Forecasts of the probe windows appear here with the first snapshot of "
                                     "a run that this window "
                                     "starts. Stored runs show their test windows when they are evaluated.")
                                : tr("No forecasts of the %1 split are stored in these runs "
                                     "(run.store_forecasts), or they are not "
                                     "evaluated yet.")
                                      .arg(options.split);
    note_->setText(data_problem_.isEmpty() ? QString()
                                           : tr("Lookbacks are not drawn: %1").arg(data_problem_));
    note_->setVisible(!note_->text().isEmpty());
    return figure;
}

figures::Figure ForecastsPage::make_window_errors(const std::vector<figures::RunInput>& runs) {
    std::vector<figures::WindowErrors> list;
    const auto of = source() == ForecastSource::probe ? QStringLiteral("test") : split();
    const auto& chosen = selection()->state().channels;
    for (const auto& run : runs) {
        auto* shown = run.record ? library()->data(run.folder) : nullptr;
        if (!shown || !stores(*shown, of)) continue;
        if (const auto errors = shown->window_errors(of))
            list.push_back(
                figures::window_errors_of(run, *errors, chosen.size() == 1 ? *chosen.begin() : -1));
        else
            wait_for(QStringLiteral("window-errors"));
    }
    return figures::window_errors(list, of, of == split() ? windows() : std::vector<std::int64_t>{});
}

void ForecastsPage::selection_changed() {
    facts_.reset();
    update_controls();
    rebuild();
}

void ForecastsPage::part_changed(RunPart part) {
    if (part == RunPart::curves || part == RunPart::anchors) return;
    facts_.reset();
    update_controls();
}

void ForecastsPage::fill_channels() {
    QStringList names;
    for (const auto& run : inputs())
        if (run.record && run.record->data.channel_names.size() > static_cast<std::size_t>(names.size())) {
            names.clear();
            for (const auto& name : run.record->data.channel_names) names << QString::fromStdString(name);
        }
    if (names.size() == channel_menu_->actions().size()) {
        bool same = true;
        for (int i = 0; i < names.size(); ++i)
            same = same && channel_menu_->actions()[i]->data().toString() == names[i];
        if (same) return;
    }
    channel_menu_->clear();
    for (int i = 0; i < names.size(); ++i) {
        auto text = names[i];
        auto* action = channel_menu_->addAction(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setData(names[i]);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, i](bool on) {
            auto channels = selection()->state().channels;
            if (on)
                channels.insert(i);
            else
                channels.erase(i);
            selection()->set_channels(channels);
        });
    }
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
    for (QWidget* control : std::initializer_list<QWidget*>{slider_, number_, previous_, next_})
        control->setEnabled(count > 1);

    std::set<std::int64_t> steps;
    for (const auto* shown : shown_data())
        for (const auto& p : shown->probes()) steps.insert(p->step);
    steps_->set_steps({steps.begin(), steps.end()});
    steps_->set_step(selection()->state().step);
    steps_->setVisible(probe);

    const auto& chosen = selection()->state().channels;
    QStringList texts;
    const auto actions = channel_menu_->actions();
    for (int i = 0; i < actions.size(); ++i) {
        const bool on = chosen.count(i) > 0 || (chosen.empty() && i + 1 == actions.size());
        actions[i]->setChecked(on);
        if (on) texts << actions[i]->data().toString();
    }
    channels_->setText(texts.isEmpty()     ? tr("all")
                       : texts.size() <= 2 ? texts.join(QStringLiteral(", "))
                                           : tr("%1 channels").arg(texts.size()));
    channels_->setEnabled(!actions.isEmpty());
}

void ForecastsPage::save(QJsonObject& object) const {
    object[QStringLiteral("source")] = static_cast<int>(chosen_);
    object[QStringLiteral("original")] = options_.original;
    object[QStringLiteral("errors")] = options_.errors;
    object[QStringLiteral("last_value")] = options_.last_value;
    object[QStringLiteral("lookback")] = lookback_->currentIndex();
    object[QStringLiteral("mae")] = mae_;
}

void ForecastsPage::restore(const QJsonObject& object) {
    units_->setCurrentIndex(object.value(QStringLiteral("original")).toBool(options_.original) ? 1 : 0);
    metric_->setCurrentIndex(object.value(QStringLiteral("mae")).toBool(mae_) ? 1 : 0);
    error_->setChecked(object.value(QStringLiteral("errors")).toBool(options_.errors));
    last_value_->setChecked(object.value(QStringLiteral("last_value")).toBool(options_.last_value));
    lookback_->setCurrentIndex(std::clamp(object.value(QStringLiteral("lookback")).toInt(), 0, 2));
    set_source(static_cast<ForecastSource>(std::clamp(object.value(QStringLiteral("source")).toInt(), 0, 4)));
}

}  // namespace casp::widgets
