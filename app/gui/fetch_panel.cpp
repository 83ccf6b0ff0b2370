#include "gui/fetch_panel.h"

#include <filesystem>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "data/describe.h"
#include "fetch/fetch.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/mnemonic.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

QString size_text(std::int64_t bytes, int digits) {
    return QLocale::c().formattedDataSize(bytes, digits, QLocale::DataSizeSIFormat);
}

/// Path of an entry's file, and whether it exists. A cache that cannot be read is a problem to show, not an
/// exception.
struct Place {
    QString path, problem;
    bool there = false;
};

Place place_of(const data::CatalogEntry& entry, const std::filesystem::path& folder) {
    Place place;
    try {
        const auto path = folder.empty() ? data::catalog_path(entry.name) : folder / entry.file;
        place.path = QString::fromStdString(path.string());
        std::error_code code;
        place.there = std::filesystem::exists(path, code);
        if (code)
            place.problem = FetchPanel::tr("%1 cannot be accessed: %2.")
                                .arg(place.path, QString::fromStdString(code.message()));
    } catch (const std::exception& problem) {
        place.problem = widgets::plain_text(problem);
    }
    return place;
}

}  // namespace

FetchPanel::FetchPanel(QWidget* parent) : FetchPanel(data::catalog(), {}, parent) {}

FetchPanel::FetchPanel(std::vector<data::CatalogEntry> entries, std::filesystem::path folder, QWidget* parent)
    : QWidget(parent), entries_(std::move(entries)), folder_(std::move(folder)) {
    setAccessibleName(tr("Get data or GPT-2"));
    auto* layout = new QVBoxLayout(this);
    auto* intro = new QLabel(tr("Known data sets and the GPT-2 backbone. Nothing is downloaded before you "
                                "press Get. Every file is "
                                "checked against its digest if one is known; no file is executed."),
                             this);
    intro->setWordWrap(true);
    layout->addWidget(intro);
    make_table(*layout);
    make_state(*layout);
    make_buttons(*layout);
    refresh();
    table_->selectRow(0);
}

void FetchPanel::make_table(QBoxLayout& layout) {
    table_ = new QTableWidget(0, 3, this);
    table_->setObjectName("fetch.table");
    table_->setAccessibleName(tr("Catalogue"));
    table_->setToolTip(tr("Choose an entry, then press Get"));
    table_->setHorizontalHeaderLabels({tr("Name"), tr("Size"), tr("State")});
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->verticalHeader()->hide();
    table_->setWordWrap(false);  // the text below the table has the whole description
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    layout.addWidget(table_, 1);
    connect(table_, &QTableWidget::itemSelectionChanged, this, &FetchPanel::update_buttons);
}

void FetchPanel::make_state(QBoxLayout& layout) {
    about_ = new QLabel(this);
    about_->setWordWrap(true);
    about_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    about_->setAccessibleName(tr("About the chosen entry"));
    about_->setToolTip(tr("Source and licence of the file"));
    layout.addWidget(about_);
    progress_ = new QProgressBar(this);
    progress_->setAccessibleName(tr("Progress of the download"));
    progress_->setToolTip(
        tr("Progress of the download, which can be cancelled; if a checksum is known, Get resumes it later"));
    progress_->hide();
    layout.addWidget(progress_);
    status_ = new QLabel(this);
    status_->setWordWrap(true);
    status_->setAccessibleName(tr("State of the download"));
    layout.addWidget(status_);
}

void FetchPanel::make_buttons(QBoxLayout& layout) {
    auto* buttons = new QHBoxLayout;
    fetch_ = new QPushButton(tr("&Get"), this);
    fetch_->setObjectName("fetch.get");
    fetch_->setToolTip(tr("Downloads the selected entry from its public address"));
    cancel_ = new QPushButton(tr("&Cancel"), this);
    cancel_->setObjectName("fetch.cancel");
    cancel_->setToolTip(
        tr("Stops the download; Get resumes it if a checksum is known, otherwise starts again"));
    open_ = new QPushButton(tr("&Open"), this);
    open_->setObjectName("fetch.open");
    open_->setToolTip(tr("Opens the data set on the Data page"));
    for (auto* button : {fetch_, cancel_, open_}) {
        button->setAccessibleName(widgets::without_mnemonic(button->text()));
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    layout.addLayout(buttons);
    connect(fetch_, &QPushButton::clicked, this, &FetchPanel::fetch_selected);
    connect(cancel_, &QPushButton::clicked, this, &FetchPanel::cancel);
    connect(open_, &QPushButton::clicked, this, [this] {
        if (const auto* entry = chosen()) Q_EMIT open_requested(place_of(*entry, folder_).path);
    });
}

FetchPanel::~FetchPanel() = default;

void FetchPanel::refresh() {
    const int current = table_->currentRow();
    table_->setRowCount(static_cast<int>(entries_.size()));
    for (int row = 0; row < static_cast<int>(entries_.size()); ++row) {
        const auto& entry = entries_[static_cast<std::size_t>(row)];
        const auto place = place_of(entry, folder_);
        const QStringList cells{QString::fromStdString(entry.name),
                                entry.bytes > 0         ? size_text(entry.bytes, 1)
                                : entry.about_bytes > 0 ? tr("about %1").arg(size_text(entry.about_bytes, 0))
                                                        : tr("unknown"),
                                !place.problem.isEmpty() ? tr("unknown")
                                : place.there            ? tr("✓ present")
                                : entry.address.empty()  ? tr("manual")
                                                         : tr("can be downloaded")};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setToolTip(widgets::translated(entry.title));
            table_->setItem(row, column, item);
        }
    }
    if (current >= 0) table_->selectRow(current);
    update_buttons();
}

void FetchPanel::select(const QString& name) {
    for (int row = 0; row < table_->rowCount(); ++row)
        if (table_->item(row, 0)->text().compare(name, Qt::CaseInsensitive) == 0) table_->selectRow(row);
}

const data::CatalogEntry* FetchPanel::chosen() const {
    const int row = table_->currentRow();
    return row < 0 ? nullptr : &entries_[static_cast<std::size_t>(row)];
}

void FetchPanel::update_buttons() {
    const auto* entry = chosen();
    const auto place = entry == nullptr ? Place{} : place_of(*entry, folder_);
    fetch_->setEnabled(entry != nullptr && !is_busy() && !place.there && !entry->address.empty());
    cancel_->setEnabled(is_busy());
    open_->setEnabled(place.there && data::is_data_set(*entry));
    if (entry == nullptr) return;
    QString text = tr("%1. ").arg(widgets::translated(entry->title));
    if (!place.problem.isEmpty()) text += place.problem + ' ';
    if (!entry->licence.empty()) text += tr("Licence: %1. ").arg(QString::fromStdString(entry->licence));
    if (!entry->address.empty()) text += tr("From %1. ").arg(QString::fromStdString(entry->address.front()));
    if (entry->address.empty())
        text += tr("No working public address is known. Download it yourself from %1 and save it as %2.")
                    .arg(QString::fromStdString(entry->home),
                         place.path.isEmpty() ? QString::fromStdString(entry->file) : place.path);
    about_->setText(text);
}

void FetchPanel::fetch_selected() {
    if (chosen() == nullptr || is_busy()) return;
    const auto& entry = *chosen();  // outlives the job, as the folder does
    const auto name = QString::fromStdString(entry.name);
    progress_->setRange(0, 0);
    progress_->show();
    status_->clear();
    job_.start(
        [this, &entry](const widgets::JobContext& job) {
            const auto note = [this, &job](const Phrase& text) {
                job.post([this, text] { Q_EMIT message(widgets::translated(text), false); });
            };
            return QString::fromStdString(
                fetch::fetch(entry, folder_, job.progress, note, job.stop).string());
        },
        {.done =
             [this, name](const QString& path) {
                 finish(tr("%1 is at %2").arg(name, path), false);
                 Q_EMIT fetched(name, path);
             },
         .failed = [this](const std::exception& problem) { finish(widgets::plain_text(problem), true); },
         .cancelled =
             [this, name] {
                 finish(tr("%1: cancelled; Get resumes the download, or starts it again").arg(name), false);
             },
         .progress = [this](const Progress& p) { show_progress(p); }});
    update_buttons();
}

void FetchPanel::show_progress(const Progress& progress) {
    progress_->setRange(0, progress.total > 0 ? 1000 : 0);
    if (progress.total > 0) progress_->setValue(static_cast<int>(1000 * progress.done / progress.total));
    status_->setText(progress.total > 0
                         ? tr("%1 of %2").arg(size_text(progress.done, 1), size_text(progress.total, 1))
                         : size_text(progress.done, 1));
}

void FetchPanel::finish(const QString& text, bool is_error) {
    progress_->hide();
    status_->setText(text);
    refresh();
    if (!text.isEmpty()) Q_EMIT message(text, is_error);
}

void FetchPanel::cancel() { job_.request_stop(); }

}  // namespace casp::gui
