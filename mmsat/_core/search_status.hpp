// Result of one call to a resumable search.
#pragma once

namespace mmsat {

// budget_spent: the budget of the call is used up; call again to resume. code_found: the search
// stopped at a code; call again for the next code. exhausted: there are no more codes.
enum class SearchStatus { budget_spent, code_found, exhausted };

}  // namespace mmsat
