#include "charts/file_dialog.h"

#include <array>

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "words/amount_text.h"

namespace casp::widgets {

namespace {

QString settings_key(FileKind kind) {
    constexpr std::array names{"data", "experiments", "runs", "exports"};
    return QStringLiteral("folders/") + QLatin1String(names.at(static_cast<std::size_t>(kind)));
}

}  // namespace

QString last_folder(FileKind kind) {
    const auto folder = QSettings().value(settings_key(kind)).toString();
    return QFileInfo(folder).isDir() ? folder : QString();
}

void set_last_folder(FileKind kind, const QString& folder) {
    QSettings().setValue(settings_key(kind), folder);
}

QFileDialog* file_dialog(QWidget* parent, FileKind kind, const QString& title, QFileDialog::FileMode mode) {
    auto* dialog = new QFileDialog(parent, title, last_folder(kind));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(mode);
    if (mode == QFileDialog::Directory) dialog->setOption(QFileDialog::ShowDirsOnly);
    QObject::connect(dialog, &QFileDialog::filesSelected, dialog, [kind, mode](const QStringList& files) {
        const QFileInfo chosen(files.value(0));
        set_last_folder(kind,
                        mode == QFileDialog::Directory ? chosen.absoluteFilePath() : chosen.absolutePath());
    });
    return dialog;
}

QFileDialog* save_dialog(QWidget* parent, FileKind kind, const QString& title, const QStringList& filters,
                         const QString& suffix, const QString& name) {
    auto* dialog = file_dialog(parent, kind, title, QFileDialog::AnyFile);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(name + QLatin1Char('.') + suffix);
    return dialog;
}

bool may_export(QWidget* parent, std::int64_t bytes, double bytes_per_second) {
    if (bytes <= large_export_bytes) return true;
    QMessageBox question(QMessageBox::Question, QObject::tr("Large export"),
                         QObject::tr("Export about %1?").arg(bytes_text(bytes)), QMessageBox::Cancel, parent);
    question.setInformativeText(QObject::tr("It takes %1 and can be cancelled.")
                                    .arg(about_duration_text(static_cast<double>(bytes) / bytes_per_second)));
    auto* yes = question.addButton(QObject::tr("Export"), QMessageBox::AcceptRole);
    question.setDefaultButton(yes);
    question.exec();
    return question.clickedButton() == yes;
}

}  // namespace casp::widgets
