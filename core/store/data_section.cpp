#include "store/data_section.h"

#include <utility>

namespace casp::store {

DataSection data_section(const data::PreparedData& data) {
    DataSection section;
    for (const auto& column : data.table.columns) section.channel_names.push_back(column.name);
    section.mean = data.scaler.mean;
    section.std = data.scaler.std;
    section.time = data.table.time;
    if (data.targets.empty()) return section;
    section.input_names = std::exchange(section.channel_names, {});
    section.input_mean = std::exchange(section.mean, {});
    section.input_std = std::exchange(section.std, {});
    for (const auto target : data.targets) {
        const auto at = static_cast<std::size_t>(target);
        section.channel_names.push_back(section.input_names[at]);
        section.mean.push_back(section.input_mean[at]);
        section.std.push_back(section.input_std[at]);
    }
    return section;
}

}  // namespace casp::store
