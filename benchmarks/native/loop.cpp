// Pinocchio's forward dynamics and their derivatives in a loop of their own, for timing.
#include "model.hpp"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>

namespace pin = pinocchio;

struct Robot {
  pin::Model model;
  pin::Data data;
  Eigen::VectorXd q, v, tau;
};

extern "C" Robot* robot(const char* file, const double* q, const double* v, const double* tau) try {
  const auto model = bench::model(file);
  using In = Eigen::Map<const Eigen::VectorXd>;
  return new Robot{model, pin::Data(model), In(q, model.nq), In(v, model.nv), In(tau, model.nv)};
} catch (const std::exception&) {
  return nullptr;
}

extern "C" void aba(Robot* r, long n, double* out) {
  for (long i = 0; i < n; ++i) pin::aba(r->model, r->data, r->q, r->v, r->tau);
  Eigen::Map<Eigen::VectorXd>(out, r->model.nv) = r->data.ddq;
}

extern "C" void derivatives(Robot* r, long n, double* out) {
  for (long i = 0; i < n; ++i) pin::computeABADerivatives(r->model, r->data, r->q, r->v, r->tau);
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Square>(out, r->model.nv, r->model.nv) = r->data.ddq_dq;
}
