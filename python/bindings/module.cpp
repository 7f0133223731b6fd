// ordo._core: the engine for Python. LLVM is not in this process, only in its workers, so nothing here
// can clash with another LLVM that Python has loaded.
#include "python/bindings/bindings.h"

namespace ordo::python {
namespace {

nb::handle g_error;  // ordo.Error

}  // namespace

void raise(const Error& error) {
  const nb::handle type =
      error.code == ErrorCode::kInvalidArgument ? nb::handle(PyExc_ValueError) : nb::handle(g_error);
  PyErr_SetString(type.ptr(), error.message.c_str());
  throw nb::python_error();
}

bool goOn() {
  const nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() == 0;
}

}  // namespace ordo::python

NB_MODULE(_core, module) {
  using namespace ordo::python;
  module.doc() = "The engine of Ordo. Use the package ordo instead; this is what it is made of.";
  g_error = PyErr_NewExceptionWithDoc("ordo.Error", "Ordo could not do what was asked.", PyExc_RuntimeError,
                                      nullptr);
  module.attr("Error") = g_error;
  bindEngine(module);
  bindEnvironment(module);
  bindEpisode(module);
  bindPolicy(module);
  bindVector(module);
}
