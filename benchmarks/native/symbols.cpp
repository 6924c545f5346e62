// Pinocchio's articulated-body algorithm over CasADi's symbols: symbols MODEL FUNCTION writes a function of q, v, tau.
#include <pinocchio/autodiff/casadi.hpp>

#include "model.hpp"

#include <pinocchio/algorithm/aba.hpp>

namespace pin = pinocchio;
using casadi::SX;
using Vector = Eigen::Matrix<SX, Eigen::Dynamic, 1>;

Vector entries(const SX& x) {
  Vector made(x.rows());
  pin::casadi::copy(x, made);
  return made;
}

int main(int, char** argv) {
  const pin::ModelTpl<SX> model = bench::model(argv[1]).cast<SX>();
  pin::DataTpl<SX> data(model);
  const SX q = SX::sym("q", model.nq), v = SX::sym("v", model.nv), tau = SX::sym("tau", model.nv);
  pin::aba(model, data, entries(q), entries(v), entries(tau));
  SX a(model.nv, 1);
  pin::casadi::copy(data.ddq, a);
  casadi::Function("aba", {q, v, tau}, {a}).save(argv[2]);
}
