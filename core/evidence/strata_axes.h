#pragma once
// The tables strata:AXIS: the paper's two further axes of stratification, which it specifies without numbers.
// Windows are divided by labels of their look-backs (analysis/window_labels.h). Without LibTorch.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/strata.h"
#include "analysis/window_labels.h"
#include "config/config.h"
#include "evidence/paper_table.h"
#include "store/run_file.h"

namespace casp::evidence {

/// "strata:trend-change", "strata:trend-strength", "strata:low-frequency".
[[nodiscard]] const std::vector<std::string>& strata_axis_tables();

/// The axes of one of these tables: the sweep over penalties of each detector, or one axis. Empty for others.
[[nodiscard]] std::vector<analysis::StrataAxis> axes_of_table(std::string_view name);

/// Replaces the rows and cells of `table`, those of strata, by those of table.name, with the same runs.
void make_strata_axes(PaperTable& table);

/// Name of a measure (PaperRun::measures) in the strata of an axis, "hard_mse@trend-change:4"; without an
/// axis, in those of the residual.
[[nodiscard]] std::string strata_measure(std::string name, const std::string& axis);

/// Mean error over all windows of the strata.
[[nodiscard]] double mean_mse(std::span<const analysis::Stratum> strata);

/// Whether two divisions of the same windows into two groups agree.
struct Agreement {
    double percent = store::not_known;  ///< windows that are in the same group in both
    double kappa = store::not_known;    ///< Cohen's: beyond chance; NaN if both have all windows in one group
};
/// Above zero or not, window by window; of equal sizes, not empty.
[[nodiscard]] Agreement agreement_of(std::span<const double> a, std::span<const double> b);
/// 1 for as many windows with the highest strength as `changes` has above zero, else 0. Of equal strengths,
/// the later window counts as higher, as in strata_of().
[[nodiscard]] std::vector<double> strongest(std::span<const double> strength,
                                            std::span<const double> changes);

/// Labels of windows for runs of the same data, each window and axis once. One thread.
class LabelsOfRuns {
public:
    explicit LabelsOfRuns(std::vector<analysis::StrataAxis> axes) : axes_(std::move(axes)) {}

    /// Adds, of each axis, "hard_mse@AXIS" (highest tenth of the label, or windows with a trend change) and
    /// "easy_mse@AXIS" (lowest three tenths, or windows without); for trend changes also
    /// "with_percent@AXIS", "without_percent@AXIS" and the agreement with the other detector
    /// ("union_percent", "union_kappa", of the channel average) and with trend strength
    /// ("strength_percent", "strength_kappa"). Throws an input Error if the data file is missing, is another
    /// one or has no season, and Cancelled.
    void add_measures(PaperRun& run, const store::ForecastErrors& errors, const std::stop_token& stop);

private:
    /// What labels depend on, and those that are known.
    struct Kept {
        analysis::StrataAxis axis;
        std::string digest;  ///< of the data file
        config::Config config;
        std::map<std::int64_t, double> of_start;
    };
    Kept& kept_for(const analysis::StrataAxis& axis, const PaperRun& run, const std::string& digest);
    void compute(const std::vector<Kept*>& kept, const PaperRun& run, const store::ForecastErrors& errors,
                 const std::stop_token& stop);

    std::vector<analysis::StrataAxis> axes_;
    std::vector<std::unique_ptr<Kept>> all_;
};

}  // namespace casp::evidence
