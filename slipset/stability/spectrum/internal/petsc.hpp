// PETSc's objects with owners, and its errors as exceptions.
#pragma once

#include <slepcpep.h>

#include <utility>

namespace slipset::internal {

// Starts MPI, PETSc and SLEPc once per process, without their own options, files and signal handlers.
void start_petsc();

// Of BLAS, in this process, if it is OpenBLAS.
void use_threads(int count);

// Throws std::runtime_error with PETSc's words.
void check(PetscErrorCode code);

template <class Object, PetscErrorCode (*Destroy)(Object*)>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    Owned old(std::move(*this));
    object_ = std::exchange(other.object_, nullptr);
    return *this;
  }
  ~Owned() {
    if (object_) static_cast<void>(Destroy(&object_));
  }
  operator Object() const { return object_; }
  Object* operator&() { return &object_; }  // for PETSc's functions that create

 private:
  Object object_ = nullptr;
};
using OwnedMat = Owned<Mat, MatDestroy>;
using OwnedVec = Owned<Vec, VecDestroy>;
using OwnedPep = Owned<PEP, PEPDestroy>;
using OwnedScatter = Owned<VecScatter, VecScatterDestroy>;

}  // namespace slipset::internal
