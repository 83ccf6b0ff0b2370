#pragma once
// The menu Run → Embeddings: presses the buttons of the Embeddings page.

#include <QObject>

#include "gui/actions.h"

namespace casp::gui {

class Docks;
class Notices;

class EmbeddingActions : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    EmbeddingActions(ActionList& actions, Docks& docks, Notices& notices, QObject* parent);

private:
    /// `id`: also the button's name. `when_hidden`: why the button may be missing.
    void add(const char* id, const QString& text, const QString& tip, const QString& keys,
             const QString& when_hidden);

    ActionList& actions_;
    Docks& docks_;
    Notices& notices_;
};

}  // namespace casp::gui
