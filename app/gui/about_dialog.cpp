#include "gui/about_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <hdf5.h>
#include <vtkVersionMacros.h>

#include "gui/help_panel.h"
#include "util/build_info.h"

namespace casp::gui {

QString AboutDialog::text() {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    return tr("# CASP Studio %1\n\n%5\n\n"
              "Trains, evaluates and examines CASP-LLM: forecasting time series with a language model and "
              "coverage-aware prompt selection.\n\n"
              "Free software under the **GNU General Public License, version 3 or later**, with a permission "
              "to link "
              "NVIDIA's libraries. It comes without any warranty. No telemetry: the network is used "
              "only when you download a file or open a folder on another machine.\n\n"
              "| uses | version | licence |\n|---|---|---|\n"
              "| Qt, Qt Svg, Qt OpenGL | %2 | LGPL-3.0 |\n"
              "| Qt Charts | %2 | GPL-3.0 |\n"
              "| VTK | %3 | BSD-3-Clause |\n"
              "| LibTorch | 2.11 | BSD-3-Clause |\n"
              "| HDF5 | %4 | BSD style |\n"
              "| fast_float | | Apache-2.0 |\n"
              "| date | | MIT |\n"
              "| OpenSSL | | Apache-2.0 |\n"
              "| libcurl | | curl |\n"
              "| zlib | | Zlib |\n"
              "| libarchive | | BSD-2-Clause |\n"
              "| CLI11 | | BSD-3-Clause |\n"
              "| toml++, JSON for Modern C++, spdlog, {fmt} | | MIT |\n"
              "| Mesa, libxkbcommon, libxcb | | MIT; part of the system |\n"
              "| DejaVu fonts | | Bitstream Vera; part of the system |\n"
              "| CUDA runtime, CUPTI | | NVIDIA Software License Agreement |\n"
              "| cuBLAS, cuDNN, cuFFT, cuRAND, cuSOLVER, cuSPARSE, cuSPARSELt, cuFile, NVRTC, nvJitLink, "
              "NVTX, NVSHMEM | | NVIDIA's agreements; only with CUDA |\n"
              "| NCCL | | BSD-3-Clause; only with CUDA |\n\n"
              "**How to cite**: the paper *Beyond Similarity: Coverage-Aware Prompt Selection for Time "
              "Series "
              "Forecasting with LLMs* and this program (CITATION.cff).\n")
        .arg(QString::fromStdString(program_version()), QString::fromLatin1(qVersion()),
             QStringLiteral(VTK_VERSION), QStringLiteral("%1.%2.%3").arg(major).arg(minor).arg(release),
             QString::fromStdString(commit_text(build_info())));
}

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About CASP Studio"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    auto* page = new QTextBrowser(this);
    page->setMarkdown(text());
    colour_links(*page, palette());
    page->setAccessibleName(tr("Version and licences"));
    page->setToolTip(tr("Version and licences"));
    layout->addWidget(page);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copies version and licences, for example for a bug report"));
    copy->setAccessibleName(tr("Copy"));
    auto* close = buttons->button(QDialogButtonBox::Close);
    close->setToolTip(tr("Closes this window (Esc)"));
    close->setAccessibleName(tr("Close"));
    connect(copy, &QPushButton::clicked, this, [] { QApplication::clipboard()->setText(text()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    resize(560, 520);
}

}  // namespace casp::gui
