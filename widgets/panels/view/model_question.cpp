#include "panels/view/model_question.h"

#include <QMessageBox>
#include <QPushButton>

#include "config/options.h"
#include "config/python_source.h"
#include "model/trusted_files.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

/// Interpreter, options, and the texts of the file and of the modules that the run's folder keeps.
QString what_it_executes(const config::Config& config, const store::RunFolder& folder) {
    const config::Shown shown{config};
    auto text = shown("python.interpreter") + "\n" + shown("python.options") + "\n";
    auto source = config::kept_python_source(folder.path());
    if (!source || source->sha256 != config.python.sha256) try {
            source = config::read_python_source(config.python.file);
        } catch (const Error&) {
            source.reset();
        }
    if (source && source->sha256 == config.python.sha256) {
        text += "\n# " + config.python.file + "\n" + source->text;
        for (const auto& [name, module] : source->modules) text += "\n# " + name + "\n" + module;
    }
    return QString::fromStdString(text);
}

}  // namespace

void with_trusted_model(QWidget* parent, const QString& run_folder, const std::function<void()>& then) {
    const store::RunFolder folder(run_folder.toStdString());
    config::Config config;
    try {
        config = store::read_settings(folder);
    } catch (const Error&) {
        return then();  // what is missing or damaged is said by what follows
    }
    if (model::is_trusted_run(config)) return then();
    auto* box =
        new QMessageBox(QMessageBox::Warning, QObject::tr("Run the Python file of this run?"),
                        QObject::tr("The model of the run %1 is a Python file that was not run on this "
                                    "computer before.")
                            .arg(QString::fromStdString(folder.path().filename().string())),
                        QMessageBox::Cancel, parent);
    box->setTextFormat(Qt::PlainText);
    box->setObjectName(QStringLiteral("model-question"));
    box->setInformativeText(
        QObject::tr("Using the run executes the file, with your rights. Read it first, "
                    "if the run came from somebody else."));
    box->setDetailedText(what_it_executes(config, folder));
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
