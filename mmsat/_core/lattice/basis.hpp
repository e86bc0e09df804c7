// A basis of a lattice, and its reduction to short vectors that are nearly at right angles.
#pragma once

#include <cstddef>
#include <vector>

namespace mmsat::lattice {

// Whole numbers, small enough to be exact.
using Vector = std::vector<double>;

// Rows of whole numbers, linearly independent. Whatever is done to them, they span the same
// lattice: only whole multiples of rows are added to others, and rows change places. The
// orthogonalization is rounded; it guides the steps, and no step is wrong if it is rough.
// Lengths and angles are those where the square of each number counts as much as its weight says.
// Throws std::overflow_error where numbers outgrow what is told exactly.
class Basis {
public:
    // The numbers without a weight, the last ones, have 1.
    explicit Basis(std::vector<Vector> rows, Vector weights = {});

    std::size_t size() const { return rows_.size(); }
    const Vector& row(std::size_t index) const { return rows_[index]; }
    const std::vector<Vector>& rows() const { return rows_; }

    // Of row i: its part along the orthogonalized row j < i, and the square of what is left of it.
    double part(std::size_t i, std::size_t j) const { return parts_[i][j]; }
    double square(std::size_t i) const { return products_[i][i]; }

    // Lenstra, Lenstra and Lovasz 1982, in floating point as Schnorr and Euchner 1994.
    void reduce(std::size_t from = 1);

    // Blocks of so many rows get their shortest vector in front (Schnorr and Euchner 1994), over
    // and over until none is shorter, at most `tours` times.
    void reduce_blocks(std::size_t block, std::size_t tours);

    // Take whole multiples of the rows from a vector, step by step from the last row, until it is
    // shortest; the multiples. It becomes 0 exactly where it is in the lattice (Babai 1986).
    Vector take_from(Vector& vector) const;

private:
    void orthogonalize(std::size_t index);
    void shorten(std::size_t index, Vector* multiples = nullptr);
    bool shortest(std::size_t from, std::size_t to, Vector& factors) const;
    void put_in_front(std::size_t from, Vector factors);

    std::vector<Vector> rows_;
    Vector weights_;
    std::vector<std::vector<double>> parts_;
    std::vector<std::vector<double>> products_;  // with the orthogonalized rows
};

}  // namespace mmsat::lattice
