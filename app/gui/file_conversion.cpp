#include "gui/file_conversion.h"

#include <QMessageBox>
#include <QPushButton>

#include "data/foreign_format.h"
#include "gui/info_bar.h"
#include "gui/notices.h"
#include "util/error.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::gui {

namespace {

const QString key = QStringLiteral("conversion");

}  // namespace

FileConversion::FileConversion(QWidget& window, Notices& notices)
    : QObject(&window), window_(window), notices_(notices) {}

void FileConversion::ask(const std::vector<fetch::Conversion>& conversions, const std::string& interpreter) {
    QStringList formats, names, lines;
    for (const auto& conversion : conversions) {
        const auto name = QString::fromStdString(conversion.file.filename().string());
        formats << tr("%1 is %2.").arg(name, widgets::translated(conversion.format->name));
        names << QString::fromStdString(conversion.out.filename().string());
        const bool weights = conversion.out.extension() == ".safetensors";
        lines << widgets::translated(data::by_hand(*conversion.format, conversion.file.string(), weights));
    }
    auto* box = new QMessageBox(QMessageBox::Question, tr("Convert files"), formats.join(u'\n'),
                                QMessageBox::Cancel, &window_);
    box->setObjectName(QStringLiteral("conversion-question"));
    box->setInformativeText(tr("Convert to %1 with %2?")
                                .arg(names.join(QStringLiteral(", ")), QString::fromStdString(interpreter)));
    box->setDetailedText(lines.join(QStringLiteral("\n\n")));
    auto* convert = box->addButton(tr("Convert"), QMessageBox::AcceptRole);
    box->setDefaultButton(convert);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::buttonClicked, this,
            [this, convert, conversions, interpreter](const QAbstractButton* button) {
                if (button == convert) start(conversions, interpreter);
            });
    box->open();
}

void FileConversion::start(const std::vector<fetch::Conversion>& conversions,
                           const std::string& interpreter) {
    notices_.bar().show_message(
        key, tr("Converting with %1…").arg(QString::fromStdString(interpreter)), false,
        {{tr("Cancel"), tr("Stops; no file is left half-written"), [this] { job_.request_stop(); }}}, 0,
        false);
    const auto work = [conversions, interpreter](const widgets::JobContext& job) {
        Result result;
        for (const auto& given : conversions) try {
                const auto conversion = fetch::conversion_of(given.file);  // the name may be taken now
                result.notes << widgets::translated(fetch::convert(conversion, interpreter, job.stop));
                result.files << QString::fromStdString(conversion.out.string());
            } catch (const Error& problem) {
                result.problems << widgets::plain_text(problem);
                if (problem.kind() == ErrorKind::interrupted) break;
            }
        return result;
    };
    job_.add(work, {.done = [this](const Result& result) { show(result); }});
}

void FileConversion::show(const Result& result) {
    if (!job_.is_running()) notices_.bar().remove(key);
    if (!result.files.isEmpty()) Q_EMIT converted(result.files);
    if (!result.notes.isEmpty()) notices_.say(result.notes.join(u'\n'), false);
    if (!result.problems.isEmpty()) notices_.say(result.problems.join(u'\n'), true);
}

}  // namespace casp::gui
