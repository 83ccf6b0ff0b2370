#pragma once
// Panel showing the differing settings of the selected runs with their results; for a single run, all
// settings.

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QWidget>

#include "panels/compare/difference_data.h"
