// Pinocchio's constrained forward dynamics with one pin between two joints in a loop of its own, for timing.
#include "model.hpp"

#include <pinocchio/algorithm/constrained-dynamics.hpp>

namespace pin = pinocchio;

struct Pinned {
  pin::Model model;
  pin::Data data;
  std::vector<pin::RigidConstraintModel> models;
  std::vector<pin::RigidConstraintData> datas;
  pin::ProximalSettings settings;
  Eigen::VectorXd q, v, tau;
};

// The points of the pin are p1 in the frame of joint j1 and p2 in that of j2.
extern "C" Pinned* pinned(const char* file, long j1, const double* p1, long j2, const double* p2, const double* q,
                          const double* v, const double* tau) try {
  const auto model = bench::model(file);
  using In = Eigen::Map<const Eigen::VectorXd>;
  using At = Eigen::Map<const Eigen::Vector3d>;
  const Eigen::Matrix3d same = Eigen::Matrix3d::Identity();
  auto* made = new Pinned{model, pin::Data(model), {}, {}, pin::ProximalSettings(1e-12, 1e-12, 1),
                          In(q, model.nq), In(v, model.nv), In(tau, model.nv)};
  made->models.emplace_back(pin::CONTACT_3D, made->model, j1, pin::SE3(same, At(p1)), j2, pin::SE3(same, At(p2)),
                            pin::LOCAL);
  made->datas.emplace_back(made->models[0]);
  pin::initConstraintDynamics(made->model, made->data, made->models, made->datas);
  return made;
} catch (const std::exception&) {
  return nullptr;
}

extern "C" void constrained(Pinned* r, long n, double* out) {
  for (long i = 0; i < n; ++i)
    pin::constraintDynamics(r->model, r->data, r->q, r->v, r->tau, r->models, r->datas, r->settings);
  Eigen::Map<Eigen::VectorXd>(out, r->model.nv) = r->data.ddq;
}
