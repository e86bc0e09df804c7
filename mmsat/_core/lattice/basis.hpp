// A lattice is the set of all integer combinations of its basis vectors. This file has a basis and
// its reduction to short, nearly orthogonal vectors.
#pragma once

#include <cstddef>
#include <vector>

namespace mmsat::lattice {

// Integers, small enough to be exact in doubles.
using Vector = std::vector<double>;

// Linearly independent integer rows. No operation changes the lattice that the rows span:
// operations only add integer multiples of rows to other rows, or swap rows. The Gram-Schmidt
// orthogonalization of the rows has rounding errors, but it only guides the operations, so the
// errors cannot make a result wrong.
// Lengths and angles use the weighted scalar product, in which the product of two coordinates is
// multiplied by their weight. Methods throw std::overflow_error if numbers become too large to be
// exact.
class Basis {
public:
    // `weights` may be shorter than the rows. The remaining coordinates have weight 1.
    explicit Basis(std::vector<Vector> rows, Vector weights = {});

    std::size_t size() const { return rows_.size(); }
    const Vector& row(std::size_t index) const { return rows_[index]; }
    const std::vector<Vector>& rows() const { return rows_; }

    // Return the Gram-Schmidt coefficient of row i along the orthogonalized row j < i.
    double coefficient(std::size_t i, std::size_t j) const { return coefficients_[i][j]; }
    // Return the squared length of the orthogonalized row i.
    double square(std::size_t i) const { return products_[i][i]; }

    // Apply LLL reduction (Lenstra, Lenstra and Lovasz 1982), in floating point (Schnorr and
    // Euchner 1994). The rows before `begin` must be reduced.
    void reduce(std::size_t begin = 1);

    // Apply BKZ reduction (Schnorr and Euchner 1994): move a shortest vector of each block of
    // `block_size` rows to the front of the block. Repeats until nothing changes, at most
    // `max_tours` times.
    void reduce_blocks(std::size_t block_size, std::size_t max_tours);

    // Subtract integer multiples of the rows from a vector, from the last row to the first, until
    // the vector is short (Babai 1986). Returns the multiples. The vector becomes 0 if and only if
    // it is in the lattice.
    Vector subtract_from(Vector& vector) const;

private:
    // Recompute row `index` of coefficients_ and products_ from the rows up to this one.
    void orthogonalize(std::size_t index);
    // Make row `index` short by subtracting integer multiples of the earlier rows.
    void size_reduce(std::size_t index, Vector* multiples = nullptr);
    // Find factors of the rows from `begin` to `end` - 1 such that their combination is shorter
    // than the orthogonalized row `begin`. Returns whether there are any.
    bool find_shorter(std::size_t begin, std::size_t end, Vector& factors) const;
    // Apply row operations after which the combination with these factors is row `begin`.
    void move_to_front(std::size_t begin, Vector factors);

    std::vector<Vector> rows_;
    Vector weights_;
    // [row][other row]: coefficient along the orthogonalized other row, and scalar product with it.
    std::vector<std::vector<double>> coefficients_;
    std::vector<std::vector<double>> products_;
};

}  // namespace mmsat::lattice
