// Controls of the Forecasts page.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QShortcut>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "panels/forecasts/forecasts_channels.h"
#include "panels/forecasts/forecasts_page.h"
#include "panels/view/view_flow.h"
#include "panels/view/view_step_bar.h"

namespace casp::widgets {

void ForecastsPage::make_source_controls() {
    source_ = new QComboBox;
    source_->addItems(
        {tr("Automatic"), tr("Probe windows (live)"), tr("Test"), tr("Validation"), tr("Training")});
    named(source_, tr("Windows"),
          tr("Source of the forecasts: a few validation windows, probed at and between snapshots, or all "
             "windows of a split at the best checkpoint (run.store_forecasts)"));
    connect(source_, &QComboBox::currentIndexChanged, this,
            [this](int index) { set_source(static_cast<ForecastSource>(index)); });
    labelled(tr("&Windows"), source_);
}

void ForecastsPage::make_window_controls() {
    auto* box = new QWidget;
    auto* row = make_layout<QHBoxLayout>(box, {}, 4);
    const auto button = [&](const QString& text, const QString& tip) {
        auto* b = named(new QToolButton, tip, tip);
        b->setText(text);
        b->setAutoRaise(true);
        row->addWidget(b);
        return b;
    };
    previous_ = button(QString(), tr("Previous window ([)"));
    previous_->setArrowType(Qt::LeftArrow);
    number_ = named(new QSpinBox, tr("Window number"), tr("Window number within its split, counted from 0"));
    number_->setKeyboardTracking(false);
    row->addWidget(number_);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setMinimumWidth(110);
    named(slider_, tr("Window"), tr("Steps through the windows of the split in file order"));
    row->addWidget(slider_);
    next_ = button(QString(), tr("Next window (])"));
    next_->setArrowType(Qt::RightArrow);
    using figures::Pick;
    const std::array<std::tuple<Pick, QString, QString>, 4> picks{
        {{Pick::worst, tr("Worst"),
          tr("Selects the window with the highest MSE over the plotted channels in the highlighted run, else "
             "the first plotted one")},
         {Pick::median, tr("Median"),
          tr("Selects the window with the median MSE over the plotted channels in the highlighted run, else "
             "the first plotted one")},
         {Pick::best, tr("Best"),
          tr("Selects the window with the lowest MSE over the plotted channels in the highlighted run, else "
             "the first plotted one")},
         {Pick::random, tr("Random"), tr("Selects a random window")}}};
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
        // Only some windows are probed: the arrows step between them, a typed number goes to the nearest.
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

std::int64_t ForecastsPage::plotted_horizons() const { return lookback_->currentIndex(); }

void ForecastsPage::make_channel_controls() {
    channels_ = new ChannelChooser;
    connect(channels_, &ChannelChooser::chosen, this,
            [this](const std::set<std::int64_t>& channels) { selection()->set_channels(channels); });
    labelled(tr("C&hannels"), channels_);

    const auto combo = [&](const QString& label, const QStringList& items, const QString& name,
                           const QString& tip, auto changed) {
        auto* box = new QComboBox;
        box->addItems(items);
        named(box, name, tip);
        connect(box, &QComboBox::currentIndexChanged, this, changed);
        labelled(label, box);
        return box;
    };
    units_ =
        combo(tr("&Units"), {tr("Scaled"), tr("Original")}, tr("Units of values"),
              tr("Standard deviations of the training split, or the units of the file"), [this](int index) {
                  options_.original = index == 1;
                  rebuild({QStringLiteral("forecasts")});
              });
    lookback_ = combo(tr("&Look-back"), {tr("All"), tr("As long as H"), tr("2 H")}, tr("Shown look-back"),
                      tr("How much of the look-back (length L) is plotted before the forecast"), [this](int) {
                          rebuild({QStringLiteral("forecasts"), QStringLiteral("forecast-ahead")});
                      });
    metric_ =
        combo(tr("E&rror"), {QStringLiteral("MSE"), QStringLiteral("MAE")}, tr("Error measure"),
              tr("Measure shown in the error plots: mean squared or mean absolute error"), [this](int index) {
                  mae_ = index == 1;
                  rebuild({QStringLiteral("error-per-step"), QStringLiteral("error-per-channel")});
              });
    error_ = new QCheckBox(tr("&Error plots"));
    error_->setToolTip(tr("Plot forecast − truth beside each window"));
    last_value_ = new QCheckBox(tr("&Persistence"));
    last_value_->setToolTip(
        tr("Plot the persistence forecast, which repeats the last value of the look-back"));
    for (auto* control : {error_, last_value_}) {
        control->setAccessibleName(control->toolTip());
        connect(control, &QCheckBox::toggled, this, [this] {
            options_.errors = error_->isChecked();
            options_.last_value = last_value_->isChecked();
            rebuild({QStringLiteral("forecasts"), QStringLiteral("forecast-ahead")});
        });
        bar()->addWidget(control);
    }
}

}  // namespace casp::widgets
