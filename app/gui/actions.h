#pragma once
// The list of the window's actions, from which menus, shortcuts, tooltips and the command palette are made.

#include <functional>
#include <vector>

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>

namespace casp::gui {

/// "Ctrl+T", or a key of the platform.
struct Keys : QKeySequence {
    Keys() = default;
    Keys(const char* text) : QKeySequence(QString::fromLatin1(text)) {}
    Keys(StandardKey key) : QKeySequence(key) {}
    Keys(const QKeySequence& keys) : QKeySequence(keys) {}
};

struct ActionSpec {
    QString id;    ///< "run.start": unique, for tests and saved shortcuts
    QString menu;  ///< "&File", "&Run/&Embeddings"
    QString text;  ///< "&Open…"
    QString tip;   ///< what it does, with the paper's symbol
    Keys shortcut = {};
    QString keywords = {};  ///< further words the palette finds it by
    bool checkable = false;
};

class ActionList : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Makes the action and connects it. Ids and shortcuts must be unique (checked: programming error).
    QAction* add(const ActionSpec& spec, const std::function<void()>& triggered);
    /// The next action begins a group of its menu.
    void separate() { separates_ = true; }
    [[nodiscard]] QAction* find(const QString& id) const;
    struct Entry {
        ActionSpec spec;
        QAction* action;
        bool begins_group;
    };
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

private:
    std::vector<Entry> entries_;
    bool separates_ = false;
};

}  // namespace casp::gui
