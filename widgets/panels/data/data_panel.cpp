#include "panels/data/data_panel.h"

#include <iterator>
#include <memory>
#include <utility>

#include <QDataStream>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QVBoxLayout>

#include "charts/elided_names.h"
#include "charts/file_dialog.h"
#include "panels/data/data_filter.h"
#include "panels/data/data_text.h"
#include "panels/data/data_use.h"
#include "panels/data/data_words.h"
#include "panels/view/view_flow.h"
#include "state/session_json.h"
#include "words/amount_text.h"
#include "words/mnemonic.h"

namespace casp::widgets {

namespace {

constexpr quint32 panel_state_mark = 0x44415431;  // "DAT1"

constexpr int longest_name = 26;  ///< average characters

QString use_tip(const DataFile& file, bool in_use) {
    if (in_use) return DataPanel::tr("The experiment trains on this file (data.path), read as shown here");
    if (file.collection != nullptr)
        return DataPanel::tr("Train on these series (sets data.path, data.frequency and data.horizon)");
    return file.is_corrected()
               ? DataPanel::tr("Train on this file, read with your corrections (sets data.path and data.csv)")
               : DataPanel::tr("Train on this file (sets data.path)");
}

}  // namespace

DataPanel::DataPanel(ExperimentModel& experiment, QWidget* parent)
    : QWidget(parent), experiment_(experiment), model_(new DataModel(this)) {
    build();
    connect_model();
    show_current();
}

void DataPanel::build() {
    setAccessibleName(tr("Data"));
    stack_ = new QStackedWidget(this);
    stack_->addWidget(build_start());

    auto* work = new QWidget(stack_);
    info_ = new QLabel(work);
    info_->setAccessibleName(tr("About the file"));
    info_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    info_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    problem_ = new DataProblemBox(work);
    retry_ = problem_->add_button(tr("&Read again"), tr("Read the file again with the settings below"));
    former_ = problem_->add_button(tr("&Keep the earlier content"),
                                   tr("Drop this correction and keep the content read before it"));
    close_ =
        problem_->add_button(tr("Close the file"), tr("Remove the file from the list; it is not deleted"));
    pages_ = new QTabWidget(work);
    pages_->setDocumentMode(true);
    pages_->setAccessibleName(tr("Pages of the file"));
    channels_ = new DataChannels(work);
    policy_ = new DataPolicy(experiment_, work);
    pages_->addTab(build_table_page(), tr("&Table"));
    pages_->addTab(channels_, tr("&Channels"));
    pages_->addTab(policy_, tr("&Preparation"));
    readings_ = new DataReadings(pages_);
    pages_->addTab(readings_, tr("How it was rea&d"));
    pages_->setTabToolTip(table_page, tr("Values, how they were read, and warnings"));
    pages_->setTabToolTip(channels_page, tr("All channels over the whole length, with the split borders"));
    pages_->setTabToolTip(preparation_page, tr("Split, missing values, sentinels, scaler and statistics"));
    pages_->setTabToolTip(reading_page,
                          tr("Every decision of reading the file with its reason, to be corrected"));
    collection_ = new CollectionView(work);
    content_ = new QStackedWidget(work);
    add_widgets(content_, {pages_, collection_});
    auto* layout = make_layout<QVBoxLayout>(work, {8, 6, 8, 8});
    add_widgets(layout, {build_head(), info_, build_progress(), problem_});
    layout->addWidget(content_, 1);
    stack_->addWidget(work);
    auto* all = make_layout<QVBoxLayout>(this);
    all->addWidget(stack_);

    connect(retry_, &QPushButton::clicked, this, [this] { model_->retry(tabs_->currentIndex()); });
    connect(former_, &QPushButton::clicked, this, [this] { model_->forget_problem(tabs_->currentIndex()); });
    connect(close_, &QPushButton::clicked, this, [this] { model_->close(tabs_->currentIndex()); });
    connect(readings_, &DataReadings::corrected, this, [this](const config::Config::DataCsv& options) {
        followed_ = current() != nullptr && is_in_use(*current()) ? current()->path : QString();
        model_->correct(tabs_->currentIndex(), options);
    });
    connect(warnings_, &WarningList::line_requested, this, &DataPanel::go_to);
    connect(preview_, &TablePreview::message, this, &DataPanel::message);
    connect(collection_, &CollectionView::message, this, &DataPanel::message);
    connect(collection_, &CollectionView::preset_requested, this, &DataPanel::use_preset);
    connect(jump_, &ChannelJump::message, this, &DataPanel::message);
    connect(jump_, &ChannelJump::chosen, preview_, &TablePreview::show_channel);
}

QWidget* DataPanel::build_head() {
    auto* head = new QWidget(this);
    tabs_ = named(new QTabBar(head), tr("Open files"), tr("Open files; Ctrl+W closes the current one"));
    tabs_->setDocumentMode(true);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setTabsClosable(true);
    tabs_->setElideMode(Qt::ElideNone);  // show_tabs() shortens long names
    tabs_->setUsesScrollButtons(true);
    tabs_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* close = new QAction(tr("Close file"), tabs_);
    close->setShortcut(QKeySequence::Close);
    close->setShortcutContext(Qt::WidgetShortcut);
    tabs_->addAction(close);
    open_ = named(new QPushButton(tr("&Open…"), head), tr("Open data files"),
                  tr("Open data files; you can also drop them on the window"));
    try_ = named(new QPushButton(tr("Tr&y it"), head), tr("Try it on this file"),
                 tr("Trains a small model on this file with λ_cov 0 and 0.1, three seeds each, in one to two "
                    "minutes: on the first 3,360 rows and 8 channels of a larger file. The settings on the "
                    "right become those of these runs; Ctrl+Z restores them."));
    try_->setObjectName(QStringLiteral("data.try"));
    use_ = new QPushButton(head);
    use_->setObjectName(QStringLiteral("data.use"));  // pressed by an action of the main window
    auto* row = make_layout<QHBoxLayout>(head);
    row->addWidget(tabs_, 1);
    add_widgets(row, {open_, try_, use_});
    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        show_current();
        if (index >= 0 && index < model_->count()) (void)model_->look_again(index);
    });
    connect(tabs_, &QTabBar::tabCloseRequested, this, [this](int index) { model_->close(index); });
    connect(close, &QAction::triggered, this, [this] { model_->close(tabs_->currentIndex()); });
    connect(open_, &QPushButton::clicked, this, &DataPanel::choose_files);
    connect(try_, &QPushButton::clicked, this, &DataPanel::try_current);
    connect(use_, &QPushButton::clicked, this, &DataPanel::use_current);
    return head;
}

// A field that loses the focus then still writes its setting.
DataPanel::~DataPanel() { policy_->disconnect(this); }

QWidget* DataPanel::build_progress() {
    progress_box_ = new QWidget(this);
    progress_text_ = new QLabel(progress_box_);
    progress_ = new QProgressBar(progress_box_);
    progress_->setTextVisible(false);
    progress_->setMaximumHeight(14);
    named(progress_, tr("Progress"), tr("Progress of reading the file"));
    cancel_ = named(new QPushButton(tr("Cancel"), progress_box_), tr("Cancel reading"),
                    tr("Stop reading; the content read before is kept"));
    auto* row = make_layout<QHBoxLayout>(progress_box_);
    row->addWidget(progress_text_);
    row->addWidget(progress_, 1);
    row->addWidget(cancel_);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (const auto* file = current(); file != nullptr) model_->cancel(tabs_->currentIndex());
    });
    return progress_box_;
}

QWidget* DataPanel::build_table_page() {
    auto* page = new QWidget(this);
    jump_ = new ChannelJump(page);
    table_splitter_ = new QSplitter(Qt::Vertical, page);
    table_splitter_->setChildrenCollapsible(false);
    preview_ = new TablePreview(table_splitter_);
    warnings_ = new WarningList(table_splitter_);
    add_widgets(table_splitter_, {preview_, warnings_});
    table_splitter_->setStretchFactor(0, 3);
    table_splitter_->setStretchFactor(1, 1);
    auto* layout = make_layout<QVBoxLayout>(page, {0, 8, 0, 0});
    layout->addWidget(jump_);
    layout->addWidget(table_splitter_, 1);
    return page;
}

void DataPanel::connect_model() {
    connect(model_, &DataModel::added, this, [this](int index) {
        {
            const QSignalBlocker blocker(tabs_);
            tabs_->insertTab(index, QString());
        }
        show_tabs();
    });
    connect(model_, &DataModel::removed, this, [this](int index) {
        {
            const QSignalBlocker blocker(tabs_);
            tabs_->removeTab(index);
        }
        show_tabs();
        show_current();
    });
    connect(model_, &DataModel::changed, this, [this](int index) {
        show_tabs();
        const auto& file = model_->at(index);
        if (index == tabs_->currentIndex()) show_current();
        if (file.busy) return;
        if (file.problem.is_set())
            Q_EMIT message(file.problem.text(), true);
        else if (file.is_read())
            Q_EMIT opened(file.path);
    });
    connect(model_, &DataModel::progressed, this, [this](int index) {
        if (index == tabs_->currentIndex()) show_progress();
    });
    connect(model_, &DataModel::cancelled, this, [this](const QString& path) {
        Q_EMIT message(tr("Reading %1 was cancelled").arg(QFileInfo(path).fileName()), false);
    });
    connect(&experiment_, &ExperimentModel::changed, this, &DataPanel::follow_experiment);
    connect(policy_, &DataPolicy::chosen, this, [this](const QString& key) {
        if (const auto* file = current(); file != nullptr) chosen_[file->path].insert(key.toStdString());
    });
}

void DataPanel::follow_experiment() {
    update_use_button();
    update_collection();
    if (review_ && review_->choices == choices_of(experiment_.config())) return;
    start_review();
}

void DataPanel::open(const QStringList& paths) {
    expect_corrections(paths);
    int index = model_->open(paths);
    if (index < 0) return;
    // Of a restored session, the file shown last.
    if (const int before = model_->index_of(std::exchange(front_, {})); before >= 0) index = before;
    tabs_->setCurrentIndex(index);
    show_current();
}

/// The experiment's file is read as the experiment reads it, unless the session says otherwise.
void DataPanel::expect_corrections(const QStringList& paths) {
    if (experiment_.config().data_csv == config::Config::DataCsv{}) return;
    for (const QString& given : paths) {
        const QString path = QDir::cleanPath(QFileInfo(given).absoluteFilePath());
        if (path.toStdString() != experiment_.config().data.path) continue;
        if (model_->index_of(path) >= 0 || model_->expected().contains(path)) continue;
        model_->expect(path, experiment_.config().data_csv);
    }
}

void DataPanel::choose_files() {
    auto* dialog = file_dialog(this, FileKind::data, tr("Open data files"), QFileDialog::ExistingFiles);
    dialog->setNameFilter(data_file_filters());
    connect(dialog, &QFileDialog::filesSelected, this, &DataPanel::files_chosen);
    dialog->open();
}

void DataPanel::choose_folder() {
    auto* dialog =
        file_dialog(this, FileKind::data, tr("Open a folder of M4 (Train and Test)"), QFileDialog::Directory);
    connect(dialog, &QFileDialog::filesSelected, this, &DataPanel::open);
    dialog->open();
}

const DataFile* DataPanel::current() const {
    const int index = tabs_->currentIndex();
    return index >= 0 && index < model_->count() ? &model_->at(index) : nullptr;
}

QStringList DataPanel::paths() const {
    QStringList paths;
    for (int i = 0; i < model_->count(); ++i) paths << model_->at(i).path;
    return paths;
}

QString DataPanel::current_path() const {
    const auto* file = current();
    return file != nullptr ? file->path : QString();
}

void DataPanel::set_current(const QString& path) {
    const int index = model_->index_of(path);
    if (index >= 0) tabs_->setCurrentIndex(index);
}

bool DataPanel::look_again(const QString& path) {
    const int index = model_->index_of(path);
    return index < 0 || model_->look_again(index);
}

void DataPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    (void)look_again(current_path());
}

void DataPanel::show_page(Page page) { pages_->setCurrentIndex(page); }

void DataPanel::go_to_channel() {
    const auto* file = current();
    if (file == nullptr || !file->is_read()) {
        Q_EMIT message(tr("No table is open. Open a CSV file first."), false);
        return;
    }
    if (file->busy) {
        Q_EMIT message(tr("The file is being read again. Try again when it is complete."), false);
        return;
    }
    if (file->collection != nullptr) return collection_->take_keyboard();
    show_page(table_page);
    jump_->take_keyboard();
}

bool DataPanel::is_settled() const {
    const auto* file = current();
    return file == nullptr || (!file->busy && (file->table == nullptr || review_.has_value()));
}

void DataPanel::show_tabs() {
    QStringList names;
    for (int i = 0; i < tabs_->count(); ++i) names << model_->at(i).name();
    const QFontMetricsF metrics(tabs_->font());
    names = elided_apart(names, metrics, longest_name * metrics.averageCharWidth());
    for (int i = 0; i < tabs_->count(); ++i) {
        const auto& file = model_->at(i);
        auto text = names[i];
        if (file.busy)
            text += QStringLiteral(" …");
        else if (file.problem.is_set())
            text = QStringLiteral("✕ ") + text;
        tabs_->setTabText(i, text.replace(u'&', QStringLiteral("&&")));
        tabs_->setTabToolTip(i, file.path);
    }
}

void DataPanel::show_current() {
    const auto* file = current();
    stack_->setCurrentIndex(file == nullptr ? 0 : 1);
    show_progress();
    update_use_button();
    collection_->set_collection(file != nullptr ? file->collection : nullptr);
    if (file == nullptr) {
        info_->clear();
        preview_->set_table(nullptr);
        jump_->set_channels({});
        warnings_->set_table(nullptr);
        start_review();
        return;
    }
    problem_->set_problem(file->busy ? DataProblem{} : file->problem);
    former_->setVisible(file->is_read() && !file->outdated);
    info_->setText(file->is_read() ? describe_file(*file) : file->path);
    info_->setToolTip(file->path);
    content_->setCurrentWidget(file->is_series ? static_cast<QWidget*>(collection_) : pages_);
    update_collection();
    collection_->setEnabled(file->collection != nullptr && !file->busy);
    show_table(*file);
    follow_corrections(*file);
}

/// The experiment reads its file as it was corrected.
void DataPanel::follow_corrections(const DataFile& file) {
    if (file.path != followed_ || file.busy) return;
    followed_.clear();
    if (!file.is_read() || file.problem.is_set() || is_in_use(file)) return;
    const QString wrong = set_experiment(file);
    update_use_button();
    Q_EMIT message(wrong.isEmpty() ? tr("The experiment reads %1 in this way, too").arg(file.name()) : wrong,
                   !wrong.isEmpty());
}

void DataPanel::show_table(const DataFile& file) {
    const bool known = file.table != nullptr;
    readings_->set_file(file);
    preview_->set_table(file.table);
    QStringList channels;
    if (known)
        for (const auto& column : file.table->columns) channels << native_text(column.name);
    jump_->set_channels(channels);
    show_warnings(file.table);
    // The old table stays, dimmed, until the new one arrives.
    for (QWidget* widget : std::initializer_list<QWidget*>{jump_, preview_, warnings_, channels_, policy_})
        widget->setEnabled(known && !file.busy);
    if (file.table != reviewed_) start_review();
}

void DataPanel::show_warnings(std::shared_ptr<const data::Table> table) {
    if (table != nullptr && table == reviewed_ && review_) {
        auto all = std::make_shared<data::Table>();  // those of the file, and those of its split
        all->warnings = table->warnings;
        for (const auto& channel : review_->channels)
            all->warnings.insert(all->warnings.end(), channel.asleep.begin(), channel.asleep.end());
        if (all->warnings.size() > table->warnings.size()) table = std::move(all);
    }
    // Visible on every page of the file.
    const auto warnings = table != nullptr ? std::ssize(table->warnings) : 0;
    pages_->setTabText(
        table_page, warnings == 0 ? tr("&Table")
                                  : tr("&Table · %1").arg(counted(warnings, tr("warning"), tr("warnings"))));
    warnings_->setVisible(table != nullptr);
    warnings_->set_table(std::move(table));
}

void DataPanel::show_progress() {
    const auto* file = current();
    const bool reading = file != nullptr && file->busy;
    progress_box_->setVisible(reading);
    if (!reading) return;
    progress_->setRange(0, file->share < 0 ? 0 : 1000);
    progress_->setValue(static_cast<int>(file->share * 1000));
    QString text = tr("Reading %1").arg(file->name());
    if (const auto left = time_left_text(file->seconds_left); !left.isEmpty()) text += tr(", %1").arg(left);
    progress_text_->setText(text);
}

void DataPanel::update_use_button() {
    const auto* file = current();
    const bool ready = file != nullptr && file->is_read() && !file->busy;
    const bool in_use = ready && is_in_use(*file);
    use_->setText(in_use ? tr("✓ In use") : tr("&Use this file"));
    named(use_, in_use ? tr("This file is in use") : without_mnemonic(use_->text()),
          ready ? use_tip(*file, in_use) : tr("Train on this file"));
    use_->setEnabled(ready && !in_use);
    try_->setVisible(file != nullptr && !file->is_series);
    try_->setEnabled(ready && !trial_settings(*file).empty());
    if (const auto usable = usable_path(); std::exchange(usable_, usable) != usable)
        Q_EMIT usable_changed(usable);
}

void DataPanel::update_collection() {
    const auto* file = current();
    if (file == nullptr || file->collection == nullptr) return;
    const auto& config = experiment_.config();
    collection_->set_holds_out(config.data.m4_stopping == "holdout");
    collection_->offer_preset(is_in_use(*file) ? missing_preset(config, *file->collection) : QString());
}

void DataPanel::use_preset(const QString& name) {
    experiment_.apply_preset(name);
    Q_EMIT message(
        tr("The experiment has the settings of preset %1. Ctrl+Z restores the previous settings.").arg(name),
        false);
}

QString DataPanel::usable_path() const {
    const auto* file = current();
    const bool ready = file != nullptr && file->is_read() && !file->busy;
    return ready && !is_in_use(*file) ? file->path : QString();
}

void DataPanel::start_review() {
    review_job_.cancel();
    const auto* file = current();
    const auto table = file != nullptr ? file->table : nullptr;
    if (table != reviewed_) channels_->set_table(table);
    reviewed_ = table;
    review_.reset();
    policy_->set_review(table, std::nullopt);
    preview_->preview().set_markers({});
    if (table == nullptr) return;
    const auto choices = choices_of(experiment_.config());
    review_job_.start(
        [table, choices](const JobContext& job) { return review_data(*table, choices, job.stop); },
        {.done =
             [this, table](DataReview review) {
                 review_ = std::move(review);
                 policy_->set_review(table, review_);
                 channels_->set_review(review_);
                 auto markers = review_->choices.sentinels;
                 for (const auto& suspect : review_->suspects()) markers.push_back(suspect.value);
                 preview_->preview().set_markers(std::move(markers));
                 show_warnings(table);
             },
         .failed = [](const std::exception&) {}});
}

void DataPanel::try_current() {
    const auto* file = current();
    if (file == nullptr || !file->is_read() || !look_again(file->path)) return;
    Q_EMIT trial_requested(trial_settings(*file));
}

void DataPanel::use_current() {
    const auto* file = current();
    if (file == nullptr || !file->is_read()) return;
    if (!look_again(file->path)) return;  // changed on disk: reported there
    const QString path = file->path;
    QStringList keys;
    const auto former = experiment_.config().data.path;
    if (const QString wrong = set_experiment(*file, &keys); !wrong.isEmpty()) {
        Q_EMIT message(wrong, true);
        return;
    }
    update_use_button();
    Q_EMIT use_requested(path, former.empty() || former == path.toStdString() ? QStringList() : keys);
}

QString DataPanel::set_experiment(const DataFile& file, QStringList* keys) {
    auto values = settings_for(file, experiment_.config(), experiment_.baseline());
    if (keys != nullptr)
        for (const auto& [key, value] : values) keys->append(QString::fromStdString(key));
    // What was chosen on the page of this file is about this file.
    std::erase_if(values, [&](const auto& one) { return chosen_[file.path].count(one.first) != 0; });
    return experiment_.set_together(values, tr("Use %1").arg(file.name()));
}

bool DataPanel::is_in_use(const DataFile& file) const { return uses(experiment_.config(), file); }

void DataPanel::go_to(qint64 line, const QString& column) {
    show_page(table_page);
    auto& shown = preview_->preview();
    if (line > 0 && preview_->show_line(line, column)) return;
    // A warning about the header goes to the top; one about a column to that column, in the current row.
    const int at = shown.column_of(column);
    if (at < 0 && line == 0) return;
    const int row = line > 0 ? 0 : std::max(0, preview_->currentIndex().row());
    const QModelIndex index = shown.index(row, std::max(0, at));
    preview_->setCurrentIndex(index);
    preview_->scrollTo(index);
}

QByteArray DataPanel::save_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    const auto* preparation = policy_->findChild<QSplitter*>(QStringLiteral("preparation"));
    out << panel_state_mark << qint32{pages_->currentIndex()} << table_splitter_->saveState()
        << warnings_->view()->horizontalHeader()->saveState()
        << policy_->statistics()->horizontalHeader()->saveState() << preparation->saveState()
        << channels_->save_state();
    return state;
}

bool DataPanel::restore_state(const QByteArray& state) {
    QDataStream in(state);
    in.setVersion(QDataStream::Qt_6_4);
    quint32 mark = 0;
    qint32 page = 0;
    QByteArray table, warnings, statistics, preparation, channels;
    in >> mark >> page >> table >> warnings >> statistics >> preparation >> channels;
    if (in.status() != QDataStream::Ok || mark != panel_state_mark) return false;
    pages_->setCurrentIndex(page);
    table_splitter_->restoreState(table);
    warnings_->view()->horizontalHeader()->restoreState(warnings);
    policy_->statistics()->horizontalHeader()->restoreState(statistics);
    policy_->findChild<QSplitter*>(QStringLiteral("preparation"))->restoreState(preparation);
    channels_->restore_state(channels);
    return true;
}

QByteArray DataPanel::save_readings() const {
    QJsonArray files;
    const auto add = [&](const QString& path, const config::Config::DataCsv& options) {
        // The experiment's file also without corrections, or it would be opened with the experiment's.
        const bool of_experiment = experiment_.config().data.path == path.toStdString();
        if (const auto corrections = to_json(options); !corrections.isEmpty() || of_experiment)
            files << QJsonObject{{"path", path}, {"corrections", corrections}};
    };
    for (int i = 0; i < model_->count(); ++i) add(model_->at(i).path, model_->at(i).options);
    const auto& later = model_->expected();
    for (auto it = later.begin(); it != later.end(); ++it) add(it.key(), it.value());
    return QJsonDocument(QJsonObject{{"files", files}, {"current", current_path()}})
        .toJson(QJsonDocument::Compact);
}

void DataPanel::restore_readings(const QByteArray& bytes) {
    const auto root = QJsonDocument::fromJson(bytes).object();
    for (const auto entry : root["files"].toArray()) {
        const auto file = entry.toObject();
        if (const auto options = corrections_of(file["corrections"].toObject()))
            model_->expect(file["path"].toString(), *options);
    }
    front_ = root["current"].toString();
}

}  // namespace casp::widgets
