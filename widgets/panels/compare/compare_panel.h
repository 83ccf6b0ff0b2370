#pragma once
// The Compare page: a metric against λ_cov or any other differing setting, with mean and spread over seeds
// and paired tests against a base, as sentence, figure and table; with several models, also their ranks.

#include <QByteArray>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QTableWidget>
#include <QTabWidget>
#include <QTimer>
#include <QWidget>

#include "figures/recipe_sensitivity.h"
#include "panels/compare/common_errors.h"
