// The Python extension module mmsat._core.
#include "bindings.hpp"

NB_MODULE(_core, m) {
    // A process that Ctrl-C or a time limit ends may still hold objects of the kernel.
    nanobind::set_leak_warnings(false);
    m.doc() =
        "Compiled kernel: batches, search, lattices, counting, proofs, strategies, separation.";
    mmsat::bind_batch(m);
    mmsat::bind_search(m);
    mmsat::bind_annealer(m);
    mmsat::bind_lattice(m);
    mmsat::bind_counting(m);
    mmsat::bind_proof(m);
    mmsat::bind_strategy(m);
    mmsat::bind_optimal(m);
    mmsat::bind_response(m);
    mmsat::bind_separation(m);
}
