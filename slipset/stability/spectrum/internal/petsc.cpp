#include "slipset/stability/spectrum/internal/petsc.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "slipset/stability/spectrum/parallel.hpp"

namespace slipset {
namespace internal {

void check(PetscErrorCode code) {
  if (code == 0) return;
  const char *text = nullptr, *detail = nullptr;
  char* specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  detail = specific;
  throw std::runtime_error(std::string("PETSc: ") + (text ? text : "unknown error") +
                           (detail && *detail ? std::string(": ") + detail : std::string()));
}

void start_petsc() {
  PetscBool begun = PETSC_FALSE;
  check(SlepcInitialized(&begun));
  if (begun) return;
  PetscBool petsc_begun = PETSC_FALSE;
  check(PetscInitialized(&petsc_begun));
  if (!petsc_begun) {
    check(PetscOptionsSetValue(nullptr, "-skip_petscrc", "1"));
    check(PetscOptionsSetValue(nullptr, "-no_signal_handler", "1"));
  }
  check(SlepcInitializeNoArguments());
  // What goes wrong becomes an exception; nothing is printed.
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  // A rank that leaves without MPI_Finalize would look like a crash to mpirun.
  std::atexit([] {
    PetscBool ended = PETSC_FALSE;
    if (SlepcFinalized(&ended) == 0 && !ended) static_cast<void>(SlepcFinalize());
  });
}

void use_threads(int count) {
  // By name: which BLAS is linked is the system's choice, and others do not have it.
  using Setter = void (*)(int);
  static const auto set = reinterpret_cast<Setter>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set) set(count);
}

}  // namespace internal

void parallel_abort(int exit_code) {
  internal::start_petsc();
  MPI_Abort(PETSC_COMM_WORLD, exit_code);
  std::abort();
}

int parallel_rank() {
  internal::start_petsc();
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

int parallel_size() {
  internal::start_petsc();
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return size;
}

}  // namespace slipset
