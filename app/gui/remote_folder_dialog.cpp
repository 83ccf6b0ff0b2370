#include "gui/remote_folder_dialog.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "panels/experiment/option_text.h"
#include "remote/address.h"
#include "state/core_message.h"
#include "state/mnemonic.h"
#include "util/error.h"

namespace casp::gui {

RemoteFolderDialog::RemoteFolderDialog(const QStringList& addresses, QWidget* parent)
    : QDialog(parent), address_(new QComboBox(this)), problem_(new QLabel(this)) {
    setObjectName("remote-folder");
    setWindowTitle(tr("Remote folder of runs"));
    setAccessibleName(windowTitle());
    address_->setEditable(true);
    address_->setInsertPolicy(QComboBox::NoInsert);
    address_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    address_->addItems(addresses);
    if (addresses.isEmpty()) address_->setEditText(QStringLiteral("ssh://"));
    // In a list: nothing is typed for the user.
    address_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    address_->completer()->setFilterMode(Qt::MatchContains);
    address_->setAccessibleName(tr("Address"));
    address_->setToolTip(
        tr("ssh://[user@]host[:port]/folder, as in the settings of ssh; the list has the "
           "folders that were connected before"));
    auto* label = new QLabel(tr("&Address of a folder of runs on another machine, which ssh reaches without "
                                "a password. caspstudio must be installed there."),
                             this);
    label->setWordWrap(true);
    label->setBuddy(address_);
    auto* example = new QLabel(tr("Example: ssh://ada@login1/~/runs\nIf caspstudio is not in the PATH there, "
                                  "append ?program=/path/to/caspstudio."),
                               this);
    example->setWordWrap(true);
    example->setTextFormat(Qt::PlainText);
    example->setTextInteractionFlags(Qt::TextSelectableByMouse);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->setAccessibleName(tr("Problem of the address"));
    // Its line is kept while there is no problem, so that nothing moves.
    problem_->setMinimumHeight(problem_->fontMetrics().height());
    // Set only this role: a whole palette would not follow theme changes.
    QPalette colours;
    colours.setColor(QPalette::WindowText, widgets::tone_colour(palette(), widgets::Tone::error));
    problem_->setPalette(colours);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    connect_ = buttons->addButton(tr("&Connect"), QDialogButtonBox::AcceptRole);
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setToolTip(tr("Close without connecting (Esc)"));
    for (auto* button : {connect_, cancel})
        button->setAccessibleName(widgets::without_mnemonic(button->text()));
    auto* layout = new QVBoxLayout(this);
    for (auto* widget : std::initializer_list<QWidget*>{label, address_, problem_, example})
        layout->addWidget(widget);
    layout->addStretch(1);
    layout->addWidget(buttons);
    constexpr int usual_width = 600;
    resize(usual_width, heightForWidth(usual_width));
    address_->lineEdit()->selectAll();
    connect(address_, &QComboBox::editTextChanged, this, &RemoteFolderDialog::check);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        accept();
        Q_EMIT chosen(address_->currentText().trimmed());
    });
    check();
}

QString RemoteFolderDialog::problem() const {
    try {
        (void)remote::Address::parse(address_->currentText().trimmed().toStdString());
        return {};
    } catch (const Error& wrong) {
        auto found = widgets::translated_message(wrong.parts().found);
        found[0] = found[0].toUpper();
        return tr("%1; expected %2.").arg(found, widgets::translated_message(wrong.parts().expected));
    }
}

void RemoteFolderDialog::check() {
    const auto text = problem();
    problem_->setText(text);
    connect_->setEnabled(text.isEmpty());
    connect_->setToolTip(text.isEmpty() ? tr("Opens the folder and follows its runs") : text);
}

}  // namespace casp::gui
