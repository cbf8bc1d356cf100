#include "bench/engines.hpp"

#include <memory>

#ifdef SLIPSET_HAS_ODE
#include <ode/ode.h>
#endif
#ifdef SLIPSET_HAS_BULLET
#include <btBulletDynamicsCommon.h>
#endif

namespace slipset::bench {
namespace {

#ifdef SLIPSET_HAS_ODE
// A contact at the box's middle with the plane, as one contact of ours: two friction coefficients, pyramid.
struct OdeSlider {
  dWorldID world = nullptr;
  dBodyID body = nullptr;
  dJointGroupID contacts = nullptr;

  OdeSlider() {
    dInitODE2(0);
    world = dWorldCreate();
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    body = dBodyCreate(world);
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 0.1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0, 0, 0);
    dBodySetMaxAngularSpeed(body, 0);
    dBodySetLinearVel(body, 1000, 1000, 0);
  }
  ~OdeSlider() {
    dJointGroupDestroy(contacts);
    dWorldDestroy(world);
    dCloseODE();
  }
  OdeSlider(const OdeSlider&) = delete;
  OdeSlider& operator=(const OdeSlider&) = delete;

  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      dContact contact{};
      contact.surface.mode = dContactMu2 | dContactFDir1 | dContactApprox1;
      contact.surface.mu = 0.4;
      contact.surface.mu2 = 0.2;
      contact.fdir1[0] = 1;
      contact.geom.normal[2] = 1;
      const dReal* at = dBodyGetPosition(body);
      for (int k = 0; k < 3; ++k) contact.geom.pos[k] = at[k];
      dJointAttach(dJointCreateContact(world, contacts, &contact), body, nullptr);
      dWorldQuickStep(world, 1e-3);
      dJointGroupEmpty(contacts);
    }
  }
};
#endif

#ifdef SLIPSET_HAS_BULLET
// Bullet finds its contacts itself: a box on a plane, with anisotropic friction of the box.
struct BulletSlider {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  btStaticPlaneShape plane{btVector3(0, 0, 1), 0};
  btBoxShape box{btVector3(0.1F, 0.1F, 0.1F)};
  btDefaultMotionState ground_state, box_state{btTransform(btQuaternion::getIdentity(), btVector3(0, 0, 0.1F))};
  std::unique_ptr<btRigidBody> ground, body;

  BulletSlider() {
    world.setGravity(btVector3(0, 0, -9.81F));
    ground = std::make_unique<btRigidBody>(btRigidBody::btRigidBodyConstructionInfo(0, &ground_state, &plane));
    ground->setFriction(1);
    world.addRigidBody(ground.get());
    btVector3 inertia;
    box.calculateLocalInertia(1, inertia);
    body = std::make_unique<btRigidBody>(btRigidBody::btRigidBodyConstructionInfo(1, &box_state, &box, inertia));
    body->setFriction(1);
    body->setAnisotropicFriction(btVector3(0.4F, 0.2F, 1));
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setLinearVelocity(btVector3(1000, 1000, 0));
    world.addRigidBody(body.get());
  }
  ~BulletSlider() {
    world.removeRigidBody(body.get());
    world.removeRigidBody(ground.get());
  }

  void steps(int count) {
    for (int i = 0; i < count; ++i) world.stepSimulation(1e-3F, 0);
  }
};
#endif

}  // namespace

std::vector<std::pair<std::string, std::function<void(int)>>> sliding_in_engines() {
  std::vector<std::pair<std::string, std::function<void(int)>>> all;
#ifdef SLIPSET_HAS_ODE
  auto ode = std::make_shared<OdeSlider>();
  all.emplace_back("ODE quick step, one contact given, friction pyramid", [ode](int n) { ode->steps(n); });
#endif
#ifdef SLIPSET_HAS_BULLET
  auto bullet = std::make_shared<BulletSlider>();
  all.emplace_back("Bullet, box on a plane with its contact detection", [bullet](int n) { bullet->steps(n); });
#endif
  return all;
}

}  // namespace slipset::bench
