#include "panels/view/model_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include "model/descriptor.h"
#include "model/trusted_files.h"
#include "store/atomic_file.h"
#include "store/results.h"
#include "store/run_store.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

struct ModelQuestion {
    Q_DECLARE_TR_FUNCTIONS(ModelQuestion)
};

}  // namespace

void with_trusted_model(QWidget* parent, const QString& run_folder, const std::function<void()>& then) {
    std::string digest, text;
    try {
        const store::RunFolder run(run_folder.toStdString());
        const auto config = store::read_settings(run);
        if (model::capabilities(config).own_process) digest = config.python.sha256;
        if (!digest.empty()) text = store::read_small_file(run.path() / "model.py", std::size_t{4} << 20U);
    } catch (const Error&) {
        // What is missing or damaged is said by what follows.
    }
    if (digest.empty() || model::is_trusted(digest)) return then();
    auto* box =
        new QMessageBox(QMessageBox::Warning, ModelQuestion::tr("Run the Python file of this run?"),
                        ModelQuestion::tr("The model of this run is a Python file that was not run on this "
                                          "computer before."),
                        QMessageBox::Cancel, parent);
    box->setObjectName(QStringLiteral("model-question"));
    box->setInformativeText(
        ModelQuestion::tr("Using the run executes the file, with your rights. Read it first, "
                          "if the run came from somebody else."));
    box->setDetailedText(QString::fromStdString(text));
    auto* run = box->addButton(ModelQuestion::tr("Run the file"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(box, &QMessageBox::buttonClicked, box,
                     [run, digest, then](const QAbstractButton* button) {
                         if (button != run) return;
                         model::trust(digest);
                         then();
                     });
    box->open();
}

}  // namespace casp::widgets
