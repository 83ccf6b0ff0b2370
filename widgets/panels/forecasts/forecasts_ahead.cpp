#include "panels/forecasts/forecasts_ahead.h"

#include <algorithm>
#include <filesystem>

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include "charts/file_dialog.h"
#include "charts/view_frame.h"
#include "config/options.h"
#include "data/catalog.h"
#include "figures/recipe_input.h"
#include "panels/data/data_filter.h"
#include "panels/view/model_question.h"
#include "panels/view/view_flow.h"
#include "state/run_library.h"
#include "store/atomic_file.h"
#include "store/results.h"
#include "util/error.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

const QString catalog_prefix = QStringLiteral("catalog:");

/// "ETTh1.csv" of a path, "ETTh1" of "catalog:ETTh1".
QString data_title(const QString& data) {
    return data.startsWith(catalog_prefix) ? data.mid(catalog_prefix.size()) : QFileInfo(data).fileName();
}

}  // namespace

ForecastAhead::ForecastAhead(RunLibrary* library, ViewFrame* frame, QObject* parent)
    : QObject(parent), library_(library), frame_(frame), work_([this](bool progress_only) {
          show_state();
          if (!progress_only) Q_EMIT changed();
      }) {
    make_controls();
    fill_files();
    show_state();
}

void ForecastAhead::make_controls() {
    const auto combo = [&](const QString& name, int characters) {
        auto* made = new QComboBox;
        made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        made->setMinimumContentsLength(characters);
        made->setMinimumWidth(made->fontMetrics().averageCharWidth() * 10);  // in a narrow header
        made->setAccessibleName(name);
        frame_->add_control(made);
        return made;
    };
    const auto button = [&](const QString& text, const QString& tip) {
        auto* made = text_button(nullptr, text, tip, tip);
        frame_->add_control(made);
        return made;
    };
    run_ = combo(tr("Run that forecasts"), 14);
    source_ = combo(tr("Continued file"), 18);
    compute_ = button(tr("Compute"), tr("Computes the forecast of this run for this file"));
    cancel_ = button(tr("Cancel"), tr("Stops computing; a forecast without intervals stays"));
    save_ = button(tr("Save…"), tr("Saves the forecast of all channels as CSV, in the form of the file"));
    auto* close = button(tr("Close"), tr("Hides this view"));
    note_ = note_label(frame_, tr("Coverage of the intervals"));
    note_->setObjectName(QStringLiteral("ahead-note"));
    frame_->layout()->addWidget(note_);
    connect(run_, &QComboBox::activated, this, [this] { start(); });
    connect(source_, &QComboBox::activated, this, [this](int index) {
        if (index + 1 == source_->count()) {
            fill_files();  // shows the former choice until a file is chosen
            return choose_file();
        }
        file_ = index == 0 ? QString() : files_[index - 1];
        start();
    });
    connect(compute_, &QToolButton::clicked, this, [this] { start(); });
    connect(cancel_, &QToolButton::clicked, this, [this] { work_.cancel(); });
    connect(save_, &QToolButton::clicked, this, &ForecastAhead::choose_place);
    connect(close, &QToolButton::clicked, this, [this] {
        work_.forget();
        Q_EMIT closed();
    });
}

void ForecastAhead::set_runs(const std::vector<figures::RunInput>& runs) {
    const auto* before = chosen();
    const auto kept = before != nullptr ? before->folder : QString();
    runs_.clear();
    for (const auto& run : runs) {
        const int index = library_->index_of(run.folder);
        if (index < 0 || !run.record || figures::is_collection(run.record->data)) continue;
        const auto& summary = library_->at(index);
        if (summary.live || !store::is_complete(summary.row.state) ||
            summary.row.model == config::imported_model)
            continue;
        runs_.push_back({run.folder, run.label, summary.label(),
                         run.config ? QString::fromStdString(run.config->data.path) : QString(), run.colour,
                         summary.row.horizon});
    }
    const QSignalBlocker block(run_);
    run_->clear();
    for (const auto& run : runs_) run_->addItem(run.label, run.folder);
    run_->setCurrentIndex(std::max(0, run_->findData(kept)));
    run_->setVisible(runs_.size() > 1);
    if (work_.subject() && of_work() == nullptr) {
        work_.forget();
        Q_EMIT changed();
    }
    fill_files();
    show_state();
}

void ForecastAhead::choose(const QString& run_folder) {
    const int index = run_->findData(run_folder);
    if (index < 0 || index == run_->currentIndex()) return;
    run_->setCurrentIndex(index);
    fill_files();
    show_state();
    if (!work_.subject()) Q_EMIT changed();
}

const ForecastAhead::Run* ForecastAhead::chosen() const {
    const int index = run_->currentIndex();
    return index < 0 || index >= static_cast<int>(runs_.size()) ? nullptr
                                                                : &runs_[static_cast<std::size_t>(index)];
}

const ForecastAhead::Run* ForecastAhead::of_work() const {
    if (!work_.subject()) return nullptr;
    const auto found = std::find_if(runs_.begin(), runs_.end(),
                                    [this](const Run& run) { return run.folder == work_.subject()->run; });
    return found == runs_.end() ? nullptr : &*found;
}

QString ForecastAhead::offer_text(const QString& file) const {
    const auto* run = chosen();
    if (run == nullptr) return {};
    const auto data = file.isEmpty() ? (file_.isEmpty() ? run->data : file_) : file;
    return tr("Forecasts the %1 rows after the last one of %2 with %3")
        .arg(run->horizon)
        .arg(data_title(data), run->name);
}

void ForecastAhead::fill_files() {
    const QSignalBlocker block(source_);
    source_->clear();
    const auto* run = chosen();
    source_->addItem(run == nullptr || run->data.isEmpty()
                         ? tr("Data set of the run")
                         : tr("%1 (of the run)").arg(data_title(run->data)));
    for (const auto& file : files_) source_->addItem(data_title(file));
    source_->addItem(tr("Other file…"));
    source_->setCurrentIndex(file_.isEmpty() ? 0 : 1 + static_cast<int>(files_.indexOf(file_)));
}

void ForecastAhead::start(const QString& file) {
    constexpr int max_files = 8;
    if (!file.isEmpty()) {
        files_.removeAll(file);
        files_.prepend(file);
        while (files_.size() > max_files) files_.removeLast();
        file_ = file;
    }
    fill_files();
    const auto* run = chosen();
    if (run == nullptr) return;
    const auto data = file_.isEmpty() ? run->data : file_;
    if (data.isEmpty()) {
        Q_EMIT message(
            tr("The settings of %1 cannot be read, so its data set is not known: drop a file here.")
                .arg(run->label),
            true);
        return;
    }
    with_trusted_model(frame_->window(), run->folder, [this, folder = run->folder, data] {
        work_.start({folder, data});
    });
}

void ForecastAhead::choose_file() {
    auto* dialog = file_dialog(frame_->window(), FileKind::data, tr("Forecast ahead of a file"),
                               QFileDialog::ExistingFile);
    dialog->setNameFilters(data_file_filters().split(QStringLiteral(";;")));
    connect(dialog, &QFileDialog::fileSelected, this, &ForecastAhead::start);
    dialog->open();
}

void ForecastAhead::choose_place() {
    if (!work_.forecast()) return;
    const auto* run = of_work();
    auto* dialog = save_dialog(
        frame_->window(), FileKind::exports, tr("Save the forecast of %1").arg(run ? run->name : QString()),
        {tr("CSV files (*.csv)")}, QStringLiteral("csv"),
        QFileInfo(data_title(work_.subject()->data)).completeBaseName() + QStringLiteral("-ahead"));
    connect(dialog, &QFileDialog::fileSelected, this, &ForecastAhead::save_to);
    dialog->open();
}

void ForecastAhead::save_to(const QString& path) {
    if (!work_.forecast()) return;
    saving_.start(
        [path, forecast = work_.forecast(), data = work_.subject()->data.toStdString()](const JobContext&) {
            const std::filesystem::path file = path.toStdString();
            std::error_code ignored;
            if (std::filesystem::equivalent(file, data::resolve_data_path(data), ignored))
                throw input_error(file.string(), "it is the continued file", "another file",
                                  "The forecast would replace the data.");
            store::write_file_atomically(file, inspect::forecast_csv(*forecast));
            return path;
        },
        {.done = [this](const QString& written) { Q_EMIT message(tr("%1 is written.").arg(written)); },
         .failed = [this](const std::exception& problem) { Q_EMIT message(plain_text(problem), true); }});
}

QString ForecastAhead::note() const {
    if (work_.is_busy())
        return work_.forecast() ? tr("Computing the intervals: %1.").arg(work_.progress_text())
                                : tr("Computing the forecast: %1.").arg(work_.progress_text());
    if (!work_.forecast()) return {};
    QStringList lines;
    if (work_.problem().isEmpty())
        lines << figures::coverage_sentence(*work_.forecast());
    else
        lines << tr("Without intervals. %1").arg(work_.problem());
    for (const auto& warning : work_.warnings().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        lines << tr("⚠ %1").arg(warning);
    return lines.join(QLatin1Char('\n'));
}

void ForecastAhead::show_state() {
    show_note(note_, note());
    const bool busy = work_.is_busy(), there = work_.forecast() != nullptr;
    save_->setEnabled(there && !busy);
    // Another run may have been chosen since.
    compute_->setVisible(!busy && (!there || chosen() != of_work()));
    if (!busy && cancel_->hasFocus()) (there ? save_ : compute_)->setFocus();
    cancel_->setVisible(busy);
    run_->setToolTip(tr("Run that forecasts, one of the shown finished ones: %1").arg(run_->currentText()));
    source_->setToolTip(tr("File that is continued after its last row: %1").arg(source_->currentText()));
}

figures::Figure ForecastAhead::figure(const figures::AheadOptions& options) const {
    const auto* run = of_work();
    if (run != nullptr && work_.forecast())
        return figures::forecast_ahead(
            {work_.forecast().get(), run->folder, run->label, run->colour, data_title(work_.subject()->data)},
            options);
    figures::Figure figure{QStringLiteral("forecast-ahead"), QStringLiteral("Forecast ahead")};
    const auto* next = chosen();
    if (run != nullptr && !work_.problem().isEmpty()) {
        figure.empty_text = work_.problem();
        figure.empty_text += file_.isEmpty()
                                 ? tr("\nDrop another file here to continue it instead.")
                                 : tr("\nTo open the file as a data set, drop it on another page.");
    } else if (run != nullptr) {
        figure.empty_text = tr("Computing the forecast.");
    } else if (next != nullptr) {
        figure.empty_text = tr("Press Compute above to continue %1 with %2.")
                                .arg(data_title(file_.isEmpty() ? next->data : file_), next->label);
    }
    return figure;
}

}  // namespace casp::widgets
