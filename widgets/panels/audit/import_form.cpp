#include "panels/audit/import_form.h"

#include <filesystem>
#include <limits>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QStyle>

#include "charts/file_dialog.h"
#include "config/config.h"
#include "data/catalog.h"
#include "panels/data/data_filter.h"
#include "panels/view/view_flow.h"
#include "state/experiment_model.h"
#include "state/run_library.h"
#include "words/core_text.h"
#include "words/mnemonic.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

std::filesystem::path path_of(const QString& text) { return QFile::encodeName(text).toStdString(); }

QString text_of_path(const std::filesystem::path& path) { return QFile::decodeName(path.c_str()); }

/// The name of a data set as folders of results contain it: "ETTh1".
QString data_name(const QString& data) {
    return data.startsWith(QLatin1String("catalog:")) ? data.mid(8) : QFileInfo(data).completeBaseName();
}

}  // namespace

ImportForm::ImportForm(RunLibrary& library, const ExperimentModel& experiment, QWidget* parent)
    : QWidget(parent),
      library_(library),
      experiment_(experiment),
      forecasts_(new QLineEdit(this)),
      name_(new QLineEdit(this)),
      data_(new QComboBox(this)),
      seed_(new QSpinBox(this)),
      import_(new QPushButton(tr("&Import"), this)),
      cancel_(new QPushButton(tr("Cancel"), this)),
      progress_(new QProgressBar(this)),
      problem_(note_label(this, tr("Problem of the import"))) {
    make_fields();
    connect(import_, &QPushButton::clicked, this, &ImportForm::start);
    connect(cancel_, &QPushButton::clicked, this, [this] { job_.request_stop(); });
    connect(forecasts_, &QLineEdit::textChanged, this, &ImportForm::update_button);
    connect(data_, &QComboBox::editTextChanged, this, &ImportForm::update_button);
    for (const auto* edit : {forecasts_, name_})
        connect(edit, &QLineEdit::returnPressed, this, &ImportForm::start);
    connect(&library_, &RunLibrary::reset, this, &ImportForm::update_button);
    update_button();
}

void ImportForm::make_fields() {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(6, 6, 6, 2);
    const auto add = [&](const QString& label, const QString& help, std::initializer_list<QWidget*> widgets,
                         int wide = 0) {
        auto* row = new QHBoxLayout;
        int i = 0;
        for (auto* widget : widgets) row->addWidget(widget, i++ == wide ? 1 : 0);
        auto* first = *widgets.begin();
        named(first, without_mnemonic(label), help);
        form->addRow(label, row);
        if (auto* buddy = qobject_cast<QLabel*>(form->labelForField(row))) buddy->setBuddy(first);
    };
    const auto browse = [this](const QString& text, const QString& help) {
        auto* button = new QPushButton(text, this);
        named(button, help, help);
        return button;
    };
    auto* folder = browse(tr("Folder…"), tr("Chooses a folder with pred.npy and true.npy"));
    auto* file = browse(tr("File…"), tr("Chooses an .npz or CSV file of forecasts"));
    auto* data = browse(tr("File…"), tr("Chooses the data file that was forecast"));
    connect(folder, &QPushButton::clicked, this, &ImportForm::choose_forecasts);
    connect(file, &QPushButton::clicked, this, [this] {
        auto* dialog = file_dialog(this, FileKind::data, tr("Forecasts"), QFileDialog::ExistingFile);
        dialog->setNameFilters({tr("Forecasts (*.npy *.npz *.csv)"), tr("All files (*)")});
        connect(dialog, &QFileDialog::fileSelected, this,
                [this](const QString& path) { set_forecasts(path); });
        dialog->open();
    });
    connect(data, &QPushButton::clicked, this, &ImportForm::choose_data);
    add(tr("&Forecasts"),
        tr("A results folder (pred.npy, true.npy), an .npz file, or a CSV file: with the columns window, "
           "step, channel, prediction, or as Export writes it. A folder or .npy file can also be dropped on "
           "the window."),
        {forecasts_, folder, file});
    data_->setEditable(true);
    data_->setInsertPolicy(QComboBox::NoInsert);
    data_->setMinimumContentsLength(20);
    data_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    data_->addItems(known_data());
    data_->setCurrentIndex(-1);
    add(tr("&Data set"),
        tr("The data that were forecast. If the experiment has the same file, its split, look-back and "
           "format "
           "are used."),
        {data_, data});
    seed_->setRange(0, std::numeric_limits<int>::max());
    seed_->setValue(static_cast<int>(config::Config{}.train.seed));
    named(seed_, tr("Seed"),
          tr("Seed of the other code's run: paired tests pair it with our run of this seed"));
    named(import_, tr("Import"), tr("Audits the forecasts and adds them to the list of runs"));
    auto* seed_label = new QLabel(tr("&Seed"), this);
    seed_label->setBuddy(seed_);
    add(tr("&Name"), tr("Name of the forecasts in lists, legends and tables"),
        {name_, seed_label, seed_, import_});
    auto* row = new QHBoxLayout;
    row->addWidget(progress_, 1);
    row->addWidget(cancel_);
    form->addRow(row);
    progress_->setAccessibleName(tr("Progress of the import"));
    cancel_->setToolTip(tr("Stops the import; an earlier one is kept"));
    form->addRow(problem_);
}

QStringList ImportForm::known_data() const {
    QStringList known;
    const auto& own = experiment_.config().data.path;
    if (!own.empty()) known << QString::fromStdString(own);
    for (const auto& entry : data::catalog()) {
        if (!data::is_data_set(entry) || entry.name.rfind("M4", 0) == 0) continue;
        std::error_code unknown;
        if (std::filesystem::exists(data::catalog_path(entry.name), unknown))
            known << QStringLiteral("catalog:") + QString::fromStdString(entry.name);
    }
    return known;
}

void ImportForm::set_forecasts(const QString& path, const QStringList& data) {
    forecasts_->setText(QDir::toNativeSeparators(path));
    name_->setText(QString::fromStdString(audit::import_name(path_of(path))));
    auto candidates = data + known_data();
    candidates.removeDuplicates();
    const auto before = data_->currentText();
    {
        const QSignalBlocker quiet(data_);
        data_->clear();
        data_->addItems(candidates);
    }
    // The longest name wins: ETTh1 is in the path of results on ETTh12, too.
    QString best = before.isEmpty() ? data.value(0) : before;
    qsizetype longest = 0;
    for (const auto& candidate : candidates) {
        const auto name = data_name(candidate);
        if (name.size() > longest && path.contains(name, Qt::CaseInsensitive)) {
            longest = name.size();
            best = candidate;
        }
    }
    set_data(best);
}

void ImportForm::set_data(const QString& path) {
    data_->setEditText(path);
    update_button();
}

void ImportForm::choose_forecasts() {
    auto* dialog =
        file_dialog(this, FileKind::data, tr("Folder with pred.npy and true.npy"), QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { set_forecasts(path); });
    dialog->open();
}

void ImportForm::choose_data() {
    auto* dialog = file_dialog(this, FileKind::data, tr("Data set"), QFileDialog::ExistingFile);
    dialog->setNameFilters(data_file_filters().split(QStringLiteral(";;")));
    connect(dialog, &QFileDialog::fileSelected, this, &ImportForm::set_data);
    dialog->open();
}

void ImportForm::update_button() {
    const bool busy = is_busy();
    QString why;
    if (forecasts().trimmed().isEmpty())
        why = tr("Choose the forecasts first.");
    else if (data().trimmed().isEmpty())
        why = tr("Choose the data set that was forecast.");
    else if (library_.folder().isEmpty())
        why = tr("Choose a folder of runs first (File menu).");
    else if (const auto machine = library_.machine(); !machine.isEmpty())
        why = tr("The folder of runs is on %1. Import there (caspstudio --import), or open a folder on this "
                 "machine first (Ctrl+Shift+O).")
                  .arg(machine);
    import_->setEnabled(!busy && why.isEmpty());
    import_->setToolTip(why.isEmpty() ? tr("Audits the forecasts and adds them to the list of runs") : why);
    progress_->setVisible(busy);
    cancel_->setVisible(busy);
}

void ImportForm::start() {
    update_button();
    if (!import_->isEnabled()) return;
    show_note(problem_, {});
    progress_->setRange(0, 0);
    audit::ImportRequest wanted;
    wanted.forecasts = path_of(forecasts().trimmed());
    wanted.name = name_->text().trimmed().toStdString();
    wanted.out = path_of(library_.folder());
    job_.start(
        [wanted, data = data().trimmed().toStdString(), seed = seed_->value(),
         own = experiment_.config()](const JobContext& job) {
            auto request = wanted;
            request.config = audit::settings_of_forecasts(data, {});
            if (own.data.path == request.config.data.path) {
                request.config.data = own.data;
                request.config.data_csv = own.data_csv;
            }
            request.config.data.horizon = 0;
            request.config.train.seed = seed;
            return audit::import_forecasts(request, job.progress, job.stop);
        },
        {.done =
             [this](const audit::ImportedRun& run) {
                 update_button();
                 Q_EMIT imported(text_of_path(std::filesystem::absolute(run.folder)), run.audit.is_clean());
             },
         .failed =
             [this](const std::exception& problem) {
                 update_button();
                 show_note(problem_, plain_text(problem));
             },
         .cancelled = [this] { update_button(); },
         .progress =
             [this](const Progress& progress) {
                 progress_->setRange(0, progress.total > 0 ? 1000 : 0);
                 progress_->setValue(static_cast<int>(1000 * job_.fraction()));
                 progress_->setFormat(translated_stage(progress.stage));
             }});
    update_button();
}

}  // namespace casp::widgets
