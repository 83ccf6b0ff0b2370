#include "panels/view/model_question.h"

#include <QMessageBox>
#include <QPushButton>

#include "model/descriptor.h"
#include "model/trusted_files.h"
#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::widgets {

void with_trusted_model(QWidget* parent, const QString& run_folder, const std::function<void()>& then) {
    const store::RunFolder folder(run_folder.toStdString());
    std::string digest, text;
    config::Config config;
    try {
        config = store::read_settings(folder);
        if (model::capabilities(config).own_process) digest = config.python.sha256;
        for (const auto& file : {folder.path() / "model.py", std::filesystem::path(config.python.file)})
            if (!digest.empty() && text.empty() && sha256_of_file(file) == digest)
                text = store::read_small_file(file, std::size_t{4} << 20U);
    } catch (const Error&) {
        // What is missing or damaged is said by what follows.
    }
    if (digest.empty() || model::is_trusted(digest)) return then();
    auto* box =
        new QMessageBox(QMessageBox::Warning, QObject::tr("Run the Python file of this run?"),
                        QObject::tr("The model of the run %1 is a Python file that was not run on this "
                                    "computer before.")
                            .arg(QString::fromStdString(folder.path().filename().string())),
                        QMessageBox::Cancel, parent);
    box->setObjectName(QStringLiteral("model-question"));
    box->setInformativeText(
        QObject::tr("Using the run executes the file, with your rights. Read it first, "
                    "if the run came from somebody else."));
    box->setDetailedText(QString::fromStdString(text));
    auto* run = box->addButton(QObject::tr("Run the file"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(box, &QMessageBox::buttonClicked, box,
                     [run, config, folder, then](const QAbstractButton* button) {
                         if (button != run) return;
                         model::trust_run(config, folder.path());
                         then();
                     });
    box->open();
}

}  // namespace casp::widgets
