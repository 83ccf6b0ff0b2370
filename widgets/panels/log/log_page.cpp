#include "panels/log/log_page.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>

#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QTextCursor>
#include <QVBoxLayout>

#include "panels/view/icons.h"
#include "panels/view/view_flow.h"
#include "state/run_names.h"
#include "util/regular_file.h"
#include "words/amount_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

/// Warnings as everywhere in the window.
class LogColours : public QSyntaxHighlighter {
public:
    explicit LogColours(QPlainTextEdit* view) : QSyntaxHighlighter(view->document()), view_(view) {}

protected:
    void highlightBlock(const QString& line) override {
        if (line.contains(QLatin1String("  warning: ")))
            setFormat(0, static_cast<int>(line.size()), warning_colour(view_->palette()));
    }

private:
    QPlainTextEdit* view_;
};

QString lines_with(const QString& text, const QStringList& words) {
    if (words.isEmpty()) return text;
    QString found;
    for (const auto& line : text.split(u'\n'))
        if (std::all_of(words.begin(), words.end(),
                        [&](const QString& word) { return line.contains(word, Qt::CaseInsensitive); }))
            found += line + u'\n';
    return found;
}

}  // namespace

LogPage::LogPage(RunLibrary& library, Selection& selection, QWidget* parent)
    : QWidget(parent),
      library_(library),
      selection_(selection),
      caption_(note_label(this, tr("Run of the log"))),
      filter_(new QLineEdit(this)),
      view_(new QPlainTextEdit(this)),
      colours_(new LogColours(view_)) {
    setAccessibleName(tr("Log"));
    filter_->setPlaceholderText(tr("Filter lines"));
    filter_->setClearButtonEnabled(true);
    named(filter_, tr("Filter lines"), tr("Words that the shown lines contain"));
    view_->setReadOnly(true);
    view_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    view_->setTabChangesFocus(true);
    view_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    view_->setFrameShape(QFrame::NoFrame);
    named(view_, tr("Log"), tr("The run's log.txt; new lines follow while the end is in view"));
    auto* top = make_layout<QHBoxLayout>(nullptr, {6, 4, 4, 2}, 6);
    top->addWidget(caption_, 3);
    top->addWidget(filter_, 2);
    auto* layout = make_layout<QVBoxLayout>(this, {}, 0);
    layout->addLayout(top);
    layout->addWidget(view_, 1);

    clock_.setInterval(std::chrono::seconds(1));
    connect(&clock_, &QTimer::timeout, this, &LogPage::look);
    connect(filter_, &QLineEdit::textChanged, this, &LogPage::show_lines);
    connect(&selection, &Selection::changed, this, &LogPage::choose_run);
    connect(&selection, &Selection::highlighted_changed, this, &LogPage::choose_run);
    connect(&library, &RunLibrary::reset, this, &LogPage::show_caption);
    show_caption();
    choose_run();
}

std::optional<LogPage::Part> LogPage::read(const QString& file, std::int64_t known_size) {
    const QFileInfo info(file);
    if (!info.exists() || info.isSymLink()) return Part();  // a link could lead out of the run's folder
    const RegularFile opened(file.toStdString(), "a run's log");
    const auto size = static_cast<std::int64_t>(opened.size());
    if (size == known_size) return std::nullopt;
    const auto from = std::max<std::int64_t>(size - max_bytes, 0);
    std::string bytes(static_cast<std::size_t>(size - from), '\0');
    opened.read_at(static_cast<std::uint64_t>(from), std::as_writable_bytes(std::span(bytes)));
    if (from > 0) bytes.erase(0, bytes.find('\n') + 1);
    return Part{QString::fromStdString(bytes), size};
}

void LogPage::choose_run() {
    const auto run = selection_.highlighted();
    if (run == run_) return;  // the selection also changes while a lasso is drawn
    job_.cancel();
    run_ = run;
    part_ = {};
    show_caption();
    show_lines();
    look();
}

void LogPage::look() {
    if (!isVisible() || run_.isEmpty() || job_.is_running()) return;
    if (!library_.provide(run_, "log.txt")) return show_note(caption_, tr("log.txt is being copied."));
    job_.start([file = run_ + QStringLiteral("/log.txt"),
                size = part_.size](const JobContext&) { return read(file, size); },
               {.done =
                    [this](const std::optional<Part>& part) {
                        if (part) part_ = *part;
                        show_caption();
                        if (part) show_lines();
                    },
                .failed = [this](const std::exception& why) { show_note(caption_, plain_text(why)); }});
}

void LogPage::show_caption() {
    const auto name = run_title(library_, run_);
    if (run_.isEmpty())
        show_note(caption_, tr("Highlight one run in the list to see its log."));
    else if (part_.size < 0)
        show_note(caption_, tr("%1 has no log yet.").arg(name));
    else if (part_.size > max_bytes)
        show_note(caption_, tr("%1: the end of its log of %2").arg(name, bytes_text(part_.size)));
    else
        show_note(caption_, name);
}

void LogPage::show_lines() {
    const auto shown = view_->toPlainText();
    const auto lines = lines_with(part_.text, filter_->text().split(u' ', Qt::SkipEmptyParts));
    if (lines == shown) return;
    auto* bar = view_->verticalScrollBar();
    const bool at_end = bar->value() == bar->maximum();
    if (!shown.isEmpty() && lines.startsWith(shown)) {  // keeps what is selected
        QTextCursor end(view_->document());
        end.movePosition(QTextCursor::End);
        end.insertText(lines.mid(shown.size()));
    } else {
        view_->setPlainText(lines);
    }
    if (at_end) bar->setValue(bar->maximum());
}

void LogPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    clock_.start();
    look();
}

void LogPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    clock_.stop();
}

void LogPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) colours_->rehighlight();
}

}  // namespace casp::widgets
