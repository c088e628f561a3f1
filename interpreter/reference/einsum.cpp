#include "interpreter/reference/einsum.h"

#include <cblas.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/contains.h"
#include "base/memory_reserve.h"
#include "interpreter/reference/parallel.h"

namespace shard::oracle {

namespace {

std::int64_t product_of(const TensorView& tensor, const std::vector<int>& labels) {
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

Tensor transposed(const TensorView& tensor, const std::vector<int>& labels, const Watch& watch) {
  Tensor result{.labels = labels, .shape = {}, .values = Numbers(tensor.values.size())};
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

}  // namespace

Tensor transpose(Tensor tensor, const std::vector<int>& labels, const Watch& watch) {
  if (labels == tensor.labels) return tensor;
  return transposed(tensor, labels, watch);
}

namespace {

// Matrices one after another, row by row.
struct Matrices {
  const double* data;
  std::int64_t count;
  std::int64_t rows;
  std::int64_t columns;
  bool transposed;  // stored column by column

  CBLAS_TRANSPOSE order() const { return transposed ? CblasTrans : CblasNoTrans; }
  int leading() const { return static_cast<int>(transposed ? rows : columns); }
  const double* at(std::int64_t matrix, std::int64_t row) const {
    return data + matrix * rows * columns + row * (transposed ? 1 : columns);
  }
};

// Of so few multiplications a call of BLAS takes many times as long as they do.
constexpr std::int64_t kFew = 32;

bool is_small(const Matrices& a, const Matrices& b) {
  return a.rows * a.columns * b.columns <= kFew;
}

// product[i] = a[i] · b[i], for small matrices: products element by element among them, of which each is 1 x 1.
void multiply_small(const Matrices& a, const Matrices& b, std::size_t begin, std::size_t end,
                    Numbers& product) {
  // Steps from one element to the next along a row of `a`, and along a column of `b`.
  const std::int64_t along_row = a.transposed ? a.rows : 1;
  const std::int64_t along_column = b.transposed ? 1 : b.columns;
  const std::int64_t next_column = b.transposed ? b.rows : 1;
  auto to = static_cast<std::size_t>(a.rows * b.columns) * begin;
  for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
    for (std::int64_t row = 0; row < a.rows; ++row) {
      for (std::int64_t column = 0; column < b.columns; ++column) {
        const double* left = a.at(i, row);
        const double* right = b.at(i, 0) + column * next_column;
        double sum = 0;
        for (std::int64_t k = 0; k < a.columns; ++k)
          sum += left[k * along_row] * right[k * along_column];
        product[to++] = sum;
      }
    }
  }
}

// product[i] = a[i] · b[i].
Numbers multiplied(const Matrices& a, const Matrices& b, const Watch& watch) {
  Numbers product(static_cast<std::size_t>(a.count * a.rows * b.columns));
  if (product.empty() || a.columns == 0) return Numbers(product.size(), 0.0);
  if (is_small(a, b)) {
    const auto at_once =
        std::max<std::size_t>(1, kElementsAtOnce / static_cast<std::size_t>(a.rows * b.columns));
    in_ranges(
        watch, static_cast<std::size_t>(a.count), at_once,
        [&](std::size_t begin, std::size_t end) { multiply_small(a, b, begin, end, product); });
    return product;
  }
  // Rows per call. Each call packs all of `b` again, which 256 rows repay, while threads still get calls to share.
  // Fewer if a call would take more than 1e9 multiplications, so that an interrupt, which is noticed only between
  // calls, is noticed within a second. The shape alone decides, as the last bits may depend on it.
  constexpr std::int64_t kRows = 256;
  constexpr double kMostProducts = 1e9;
  const double products = static_cast<double>(a.columns) * static_cast<double>(b.columns);
  const std::int64_t rows =
      std::min({a.rows, kRows, static_cast<std::int64_t>(kMostProducts / products) + 1});
  const std::int64_t calls = (a.rows + rows - 1) / rows;  // for each pair
  require_room((kBlasRoom + kThreadRoom) * static_cast<std::size_t>(watch.threads()));
  // Small products are taken together, so that a range is worth handing to a thread.
  constexpr double kProductsAtOnce = 1e5;
  const auto at_once =
      static_cast<std::size_t>(kProductsAtOnce / (static_cast<double>(rows) * products));
  in_ranges(watch, static_cast<std::size_t>(a.count * calls), at_once + 1,
            [&](std::size_t begin, std::size_t end) {
              for (auto call = static_cast<std::int64_t>(begin);
                   call < static_cast<std::int64_t>(end); ++call) {
                const std::int64_t i = call / calls;
                const std::int64_t row = call % calls * rows;
                cblas_dgemm(CblasRowMajor, a.order(), b.order(),
                            static_cast<int>(std::min(rows, a.rows - row)),
                            static_cast<int>(b.columns), static_cast<int>(a.columns), 1.0,
                            a.at(i, row), a.leading(), b.at(i, 0), b.leading(), 0.0,
                            product.data() + (i * a.rows + row) * b.columns,
                            static_cast<int>(b.columns));
              }
            });
  return product;
}

// The tensor as matrices. `copy` holds the numbers if they have to be reordered.
Matrices matrices(const TensorView& tensor, const std::vector<int>& batch,
                  const std::vector<int>& rows, const std::vector<int>& columns, Tensor& copy,
                  const Watch& watch) {
  const double* data = tensor.values.data();
  const bool straight = tensor.labels == joined(batch, rows, columns);
  const bool turned = !straight && tensor.labels == joined(batch, columns, rows);
  if (!straight && !turned) {
    copy = transposed(tensor, joined(batch, rows, columns), watch);
    data = copy.values.data();
  }
  return {data, product_of(tensor, batch), product_of(tensor, rows), product_of(tensor, columns),
          turned};
}

}  // namespace

Tensor einsum(const TensorView& left, const TensorView& right, const std::vector<int>& labels,
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
  Tensor product{.labels = joined(batch, rows, columns), .shape = {}, .values = {}};
  for (const int label : product.labels) {
    const TensorView& owner = contains(left.labels, label) ? left : right;
    product.shape.push_back(owner.shape[*position_of(owner.labels, label)]);
  }
  Tensor left_copy;
  Tensor right_copy;
  product.values = multiplied(matrices(left, batch, rows, summed, left_copy, watch),
                              matrices(right, batch, summed, columns, right_copy, watch), watch);
  return transpose(std::move(product), labels, watch);
}

}  // namespace shard::oracle
