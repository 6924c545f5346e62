// Pinocchio's model of a robot from a text, a line for each joint in its order: the joint it hangs on, its kind, its
// axis, where it is there (R by rows, p), and of what moves with it mass, mass centre and inertia by rows.
#pragma once

#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include <pinocchio/multibody.hpp>

namespace bench {

namespace pin = pinocchio;

inline pin::JointModel joint(const std::string& kind, const Eigen::Vector3d& axis) {
  static const std::map<std::string, pin::JointModel> aligned = {
      {"JointModelRX", pin::JointModelRX()}, {"JointModelRY", pin::JointModelRY()},
      {"JointModelRZ", pin::JointModelRZ()}, {"JointModelPX", pin::JointModelPX()},
      {"JointModelPY", pin::JointModelPY()}, {"JointModelPZ", pin::JointModelPZ()},
      {"JointModelFreeFlyer", pin::JointModelFreeFlyer()},
  };
  if (kind == "JointModelRevoluteUnaligned") return pin::JointModelRevoluteUnaligned(axis);
  if (kind == "JointModelPrismaticUnaligned") return pin::JointModelPrismaticUnaligned(axis);
  return aligned.at(kind);
}

template <typename Matrix>
Matrix numbers(std::istream& in) {
  Matrix made;
  for (int i = 0; i < made.rows(); ++i)
    for (int j = 0; j < made.cols(); ++j) in >> made(i, j);
  return made;
}

inline pin::Model model(const char* file) {
  std::ifstream in(file);
  pin::Model made;
  int parent;
  std::string kind;
  while (in >> parent >> kind) {
    const auto axis = numbers<Eigen::Vector3d>(in);
    const auto R = numbers<Eigen::Matrix3d>(in);
    const auto p = numbers<Eigen::Vector3d>(in);
    double mass;
    in >> mass;
    const auto com = numbers<Eigen::Vector3d>(in);
    const auto inertia = numbers<Eigen::Matrix3d>(in);
    if (!in) throw std::runtime_error("the text of the model ends early");
    const auto index = made.addJoint(parent, joint(kind, axis), pin::SE3(R, p), "joint" + std::to_string(made.njoints));
    made.appendBodyToJoint(index, pin::Inertia(mass, com, inertia), pin::SE3::Identity());
  }
  return made;
}

}  // namespace bench
