#pragma once
// "Go to channel": a field that finds a channel of a wide table by part of its name.

#include <QLineEdit>
#include <QStringList>
#include <QStringListModel>
#include <QWidget>

namespace casp::widgets {

/// Completes while one types. Enter goes to the channel of that name, else to the next one whose name
/// contains the text, once more to the one after it, from the last to the first. GUI thread.
class ChannelJump : public QWidget {
    Q_OBJECT
public:
    explicit ChannelJump(QWidget* parent = nullptr);

    /// Names in the order of the table; none: the field is disabled.
    void set_channels(const QStringList& names);
    [[nodiscard]] QLineEdit* field() const { return field_; }
    /// Puts the cursor there, all text selected.
    void take_keyboard();

Q_SIGNALS:
    void chosen(int channel);
    void message(const QString& text, bool is_error);

private:
    void go();
    [[nodiscard]] int exact(const QString& text) const;
    /// The next one after `channel` that contains the text, around the end; −1: none does.
    [[nodiscard]] int next(const QString& text, int channel) const;

    QLineEdit* field_;
    QStringListModel* names_;
    QString searched_;  ///< what Enter looked for last, and where that was found
    int found_ = -1;
};

}  // namespace casp::widgets
