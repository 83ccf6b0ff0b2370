#include "data/series_windows.h"

#include <torch/torch.h>

#include "util/random.h"

namespace casp::data {

namespace {

/// The vector's memory as a tensor, which keeps the collection alive.
template <class Value>
at::Tensor shared_tensor(const std::shared_ptr<const SeriesCollection>& collection,
                         const std::vector<Value>& values, at::IntArrayRef shape) {
    // LibTorch has no tensors of constants; no window set writes to this one.
    return at::from_blob(
        const_cast<Value*>(values.data()), shape, [collection](void*) {},
        c10::CppTypeToScalarType<Value>::value);
}

}  // namespace

SeriesWindows::SeriesWindows(std::shared_ptr<const SeriesCollection> collection, SeriesPart part,
                             bool holds_out, std::int64_t lookback, const at::Device& device)
    : collection_(std::move(collection)), part_(part), lookback_(lookback) {
    const auto& all = *collection_;
    values_ = shared_tensor(collection_, all.values, {std::ssize(all.values)}).to(device);
    test_ = shared_tensor(collection_, all.test, {all.size(), all.horizon}).to(device);
    const auto offsets = shared_tensor(collection_, all.offsets, {all.size() + 1});
    const auto begin = offsets.narrow(0, 0, all.size());
    auto end = offsets.narrow(0, 1, all.size());
    if (part == SeriesPart::training && holds_out) end = end - all.horizon;
    auto series = at::arange(all.size(), at::kLong);
    if (part == SeriesPart::training) series = series.masked_select(end - begin > 1);
    const auto first = begin.index_select(0, series);
    const auto last = end.index_select(0, series);
    const auto cuts = part == SeriesPart::test ? last : at::maximum(first + 1, last - all.horizon);
    const auto starts = cuts - lookback;
    starts_.assign(starts.data_ptr<std::int64_t>(), starts.data_ptr<std::int64_t>() + starts.numel());
    series_ = series.to(device);
    begin_ = first.to(device);
    end_ = last.to(device);
    fixed_ = random_ = cuts.to(device);
}

void SeriesWindows::start_epoch(std::uint64_t seed) {
    if (part_ != SeriesPart::training) return;
    const auto lowest = at::maximum(begin_ + 1, end_ - collection_->frequency.history);
    const auto share = at::rand({windows()}, make_generator(seed), at::TensorOptions(at::kDouble));
    const auto choices = (end_ - lowest).to(at::kDouble);
    random_ = lowest + (share.to(device()) * choices).floor().to(at::kLong);
}

WindowBatch SeriesWindows::gather(const at::Tensor& items) const {
    const auto windows = items.to(device());
    return cut(windows, random_.index_select(0, windows), at::kFloat);
}

WindowBatch SeriesWindows::range(std::int64_t first, std::int64_t count, bool float64) const {
    return cut(at::arange(first, first + count, series_.options()), fixed_.narrow(0, first, count),
               float64 ? at::kDouble : at::kFloat);
}

WindowBatch SeriesWindows::cut(const at::Tensor& windows, const at::Tensor& cuts, at::ScalarType type) const {
    const auto begin = begin_.index_select(0, windows).unsqueeze(1);
    const auto end = end_.index_select(0, windows).unsqueeze(1);
    const auto steps = at::arange(-lookback_, horizon(), series_.options());
    const auto positions = cuts.unsqueeze(1) + steps;
    const auto known = positions.ge(begin).logical_and(positions.lt(end));
    const auto places = positions.clamp(0, values_.size(0) - 1).flatten();
    const auto values =
        (values_.index_select(0, places).view(positions.sizes()) * known).to(type).unsqueeze(2);
    WindowBatch batch;
    batch.lookback = values.slice(1, 0, lookback_);
    if (part_ == SeriesPart::test) {
        batch.target = test_.index_select(0, series_.index_select(0, windows)).to(type).unsqueeze(2);
    } else {
        batch.target = values.slice(1, lookback_);
        batch.mask = known.slice(1, lookback_).to(at::kFloat).unsqueeze(2);
    }
    return batch;
}

}  // namespace casp::data
