#include "interpreter/oracle/einsum.h"

#include <cblas.h>

#include <algorithm>
#include <numeric>

#include "base/find.h"

namespace shard::oracle {

namespace {

std::int64_t product_of(const Tensor& tensor, const std::vector<int>& labels) {
  std::int64_t product = 1;
  for (const int label : labels) product *= tensor.shape[*position_of(tensor.labels, label)];
  return product;
}

std::vector<int> joined(std::vector<int> first, const std::vector<int>& second,
                        const std::vector<int>& third) {
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), third.begin(), third.end());
  return first;
}

}  // namespace

Tensor transpose(const Tensor& tensor, const std::vector<int>& labels) {
  if (labels == tensor.labels) return tensor;
  Tensor result{.labels = labels, .shape = {}, .values = std::vector<double>(tensor.values.size())};
  std::vector<std::size_t> strides(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t from = *position_of(tensor.labels, labels[i]);
    result.shape.push_back(tensor.shape[from]);
    strides[i] = std::accumulate(
        tensor.shape.begin() + static_cast<std::ptrdiff_t>(from) + 1, tensor.shape.end(),
        std::size_t{1},
        [](std::size_t a, std::int64_t b) { return a * static_cast<std::size_t>(b); });
  }
  std::vector<std::int64_t> index(labels.size(), 0);
  std::size_t source = 0;
  for (double& value : result.values) {
    value = tensor.values[source];
    for (std::size_t i = labels.size(); i-- > 0;) {
      source += strides[i];
      if (++index[i] < result.shape[i]) break;
      source -= strides[i] * static_cast<std::size_t>(result.shape[i]);
      index[i] = 0;
    }
  }
  return result;
}

Tensor einsum(const Tensor& left, const Tensor& right, const std::vector<int>& labels,
              const Watch& watch) {
  std::vector<int> batch;
  std::vector<int> rows;
  std::vector<int> summed;
  std::vector<int> columns;
  for (const int label : left.labels) {
    if (!contains(right.labels, label))
      rows.push_back(label);
    else if (contains(labels, label))
      batch.push_back(label);
    else
      summed.push_back(label);
  }
  for (const int label : right.labels) {
    if (!contains(left.labels, label)) columns.push_back(label);
  }
  const Tensor a = transpose(left, joined(batch, rows, summed));
  const Tensor b = transpose(right, joined(batch, summed, columns));
  const std::int64_t m = product_of(left, rows);
  const std::int64_t k = product_of(left, summed);
  const std::int64_t n = product_of(right, columns);
  const std::int64_t batches = product_of(left, batch);
  Tensor product{.labels = joined(batch, rows, columns), .shape = {}, .values = {}};
  for (const int label : product.labels) {
    const Tensor& owner = contains(left.labels, label) ? left : right;
    product.shape.push_back(owner.shape[*position_of(owner.labels, label)]);
  }
  product.values.assign(static_cast<std::size_t>(batches * m * n), 0.0);
  if (m == 0 || n == 0 || k == 0) return transpose(product, labels);
  // A few rows at a time, so that an interrupt is seen within a second.
  constexpr double kProductsAtOnce = 1e9;
  const auto most =
      static_cast<std::int64_t>(kProductsAtOnce / static_cast<double>(k) / static_cast<double>(n)) +
      1;
  for (std::int64_t row = 0; row < batches * m;) {
    watch.look();
    const std::int64_t i = row / m;
    const std::int64_t rows_now = std::min(most, m - row % m);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(rows_now),
                static_cast<int>(n), static_cast<int>(k), 1.0, a.values.data() + row * k,
                static_cast<int>(k), b.values.data() + i * k * n, static_cast<int>(n), 0.0,
                product.values.data() + row * n, static_cast<int>(n));
    row += rows_now;
  }
  return transpose(product, labels);
}

}  // namespace shard::oracle
