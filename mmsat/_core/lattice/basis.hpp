// A lattice basis and its reduction to short, nearly orthogonal vectors.
#pragma once

#include <cstddef>
#include <vector>

namespace mmsat::lattice {

// Integers, small enough to be exact in doubles.
using Vector = std::vector<double>;

// Linearly independent integer rows. All operations keep the lattice that they span: they only add
// integer multiples of rows to other rows, or swap rows. The orthogonalization is computed with
// rounding errors; it only guides these operations, so the errors cannot make a result wrong.
// Lengths and angles use the weighted scalar product in which the square of each coordinate is
// multiplied by its weight. Throws std::overflow_error if numbers become too large to be exact.
class Basis {
public:
    // `weights` may be shorter than the rows; the remaining coordinates have weight 1.
    explicit Basis(std::vector<Vector> rows, Vector weights = {});

    std::size_t size() const { return rows_.size(); }
    const Vector& row(std::size_t index) const { return rows_[index]; }
    const std::vector<Vector>& rows() const { return rows_; }

    // Gram-Schmidt coefficient of row i along the orthogonalized row j < i, and squared length of
    // the orthogonalized row i.
    double part(std::size_t i, std::size_t j) const { return parts_[i][j]; }
    double square(std::size_t i) const { return products_[i][i]; }

    // LLL reduction (Lenstra, Lenstra and Lovasz 1982), in floating point as in Schnorr and Euchner
    // 1994. The rows before `from` must already be reduced.
    void reduce(std::size_t from = 1);

    // BKZ reduction (Schnorr and Euchner 1994): put the shortest vector of each block of `block`
    // rows in front of it. Repeats until nothing changes, at most `tours` times.
    void reduce_blocks(std::size_t block, std::size_t tours);

    // Subtract integer multiples of the rows from a vector, from the last row to the first, until
    // it is short, and return the multiples (Babai 1986). The vector becomes 0 if and only if it is
    // in the lattice.
    Vector take_from(Vector& vector) const;

private:
    // Recompute row `index` of parts_ and products_ from the rows up to it.
    void orthogonalize(std::size_t index);
    // Size-reduce row `index`.
    void shorten(std::size_t index, Vector* multiples = nullptr);
    // Find a combination of the rows from `from` to `to` - 1 that is shorter than the
    // orthogonalized row `from`.
    bool shortest(std::size_t from, std::size_t to, Vector& factors) const;
    // Apply row operations after which this combination is row `from`.
    void put_in_front(std::size_t from, Vector factors);

    std::vector<Vector> rows_;
    Vector weights_;
    std::vector<std::vector<double>> parts_;
    std::vector<std::vector<double>> products_;  // scalar products with the orthogonalized rows
};

}  // namespace mmsat::lattice
