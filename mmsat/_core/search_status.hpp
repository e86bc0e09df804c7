// How a search that can be interrupted stands.
#pragma once

namespace mmsat {

enum class SearchStatus { budget_spent, code_found, exhausted };

}  // namespace mmsat
