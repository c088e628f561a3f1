#include "interpreter/oracle/einsum.h"

#include <cblas.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/find.h"
#include "base/room.h"
#include "interpreter/oracle/parallel.h"

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

Tensor transpose(Tensor tensor, const std::vector<int>& labels, const Watch& watch) {
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
  in_ranges(watch, result.values.size(), kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<std::int64_t> index(labels.size(), 0);
    std::size_t source = 0;
    std::size_t rest = begin;
    for (std::size_t i = labels.size(); i-- > 0;) {
      const auto extent = static_cast<std::size_t>(result.shape[i]);
      index[i] = static_cast<std::int64_t>(rest % extent);
      source += rest % extent * strides[i];
      rest /= extent;
    }
    for (std::size_t at = begin; at < end; ++at) {
      result.values[at] = tensor.values[source];
      for (std::size_t i = labels.size(); i-- > 0;) {
        source += strides[i];
        if (++index[i] < result.shape[i]) break;
        source -= strides[i] * static_cast<std::size_t>(result.shape[i]);
        index[i] = 0;
      }
    }
  });
  return result;
}

namespace {

// product[i] = a[i] · b[i] for m × k and k × n matrices behind one another.
struct Matrices {
  std::int64_t batches;
  std::int64_t m;
  std::int64_t k;
  std::int64_t n;
};

void multiply(const Matrices& all, const double* a, const double* b, double* product,
              const Watch& watch) {
  const std::int64_t m = all.m;
  const std::int64_t k = all.k;
  const std::int64_t n = all.n;
  // Rows of one call: as few as still repay that it sorts the other matrix, so that threads share them; fewer, if an interrupt
  // would not be seen within a second. The shape alone decides, as last bits may depend on it.
  constexpr std::int64_t kRows = 256;
  constexpr double kMostProducts = 1e9;
  const double products = static_cast<double>(k) * static_cast<double>(n);  // of a row
  const std::int64_t rows =
      std::min({m, kRows, static_cast<std::int64_t>(kMostProducts / products) + 1});
  const std::int64_t calls = (m + rows - 1) / rows;  // for each pair
  require_room((kBlasRoom + kThreadRoom) * static_cast<std::size_t>(watch.threads()));
  constexpr double kProductsAtOnce = 1e5;
  const auto at_once =
      static_cast<std::size_t>(kProductsAtOnce / (static_cast<double>(rows) * products));
  in_ranges(watch, static_cast<std::size_t>(all.batches * calls), at_once + 1,
            [&](std::size_t begin, std::size_t end) {
              for (auto call = static_cast<std::int64_t>(begin);
                   call < static_cast<std::int64_t>(end); ++call) {
                const std::int64_t i = call / calls;
                const std::int64_t row = call % calls * rows;
                cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans,
                            static_cast<int>(std::min(rows, m - row)), static_cast<int>(n),
                            static_cast<int>(k), 1.0, a + (i * m + row) * k, static_cast<int>(k),
                            b + i * k * n, static_cast<int>(n), 0.0, product + (i * m + row) * n,
                            static_cast<int>(n));
              }
            });
}

}  // namespace

Tensor einsum(Tensor left, Tensor right, const std::vector<int>& labels, const Watch& watch) {
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
  if (batches != 0 && m != 0 && n != 0 && k != 0) {
    const Tensor a = transpose(std::move(left), joined(batch, rows, summed), watch);
    const Tensor b = transpose(std::move(right), joined(batch, summed, columns), watch);
    multiply({batches, m, k, n}, a.values.data(), b.values.data(), product.values.data(), watch);
  }
  return transpose(std::move(product), labels, watch);
}

}  // namespace shard::oracle
