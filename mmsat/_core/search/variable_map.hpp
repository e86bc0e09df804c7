// Validation and decoding of literals, numbered as in mmsat.game.space, for the bindings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "bindings.hpp"
#include "search/search.hpp"

namespace mmsat::search {

// The variables of a game of this size are numbered from 1 to 2 * pegs * colors.
struct VariableMap {
    std::int32_t pegs;
    std::int32_t colors;

    static VariableMap of(std::size_t pegs, std::size_t colors) {
        require(pegs >= 1, "pegs is at least 1");
        require(colors >= 1 && colors <= 65535, "colors is 1 to 65535");
        require(pegs <= (1u << 29) / colors, "pegs times colors is at most 2**29");
        return {static_cast<std::int32_t>(pegs), static_cast<std::int32_t>(colors)};
    }

    void check(std::int32_t literal) const {
        const std::int32_t num_variables = 2 * pegs * colors;
        require(literal != 0 && literal <= num_variables && literal >= -num_variables,
                "a literal is 1 to 2 * pegs * colors, or the negative of it");
    }

    // Return whether the literal states that a peg has a color (false for negations and for
    // counts).
    bool is_peg_literal(std::int32_t literal) const {
        return literal > 0 && literal <= pegs * colors;
    }

    ResolvedLiteral resolve(std::int32_t literal) const {
        const std::int32_t variable = std::abs(literal) - 1;
        const std::int32_t count_index = variable - pegs * colors;
        ResolvedLiteral resolved{0, 0, 0, literal < 0};
        if (count_index < 0) {
            resolved.peg = static_cast<std::uint32_t>(variable / colors);
            resolved.color = static_cast<std::uint16_t>(variable % colors);
        } else {
            resolved.count = static_cast<std::uint32_t>(count_index % pegs + 1);
            resolved.color = static_cast<std::uint16_t>(count_index / pegs);
        }
        return resolved;
    }
};

}  // namespace mmsat::search
