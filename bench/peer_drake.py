"""Drake: its contact approximations with point contact, one step of a scene.

sap and similar are convex: what slides also rises in sap; lagged takes the normal force of the state before for the friction
cone; tamsi is Newton's method for a regularised law. All have compliant contacts. `default`: as Drake comes. `stiff`: a
stiffness of 1e10 N/m, no relaxation time or dissipation, a near-rigid threshold of 1e-3, a stiction tolerance of 1e-6 m/s.
The time is that of the contact results with new velocities at the same positions: with the solver, without finding contacts.
"""
import numpy as np
from pydrake.geometry import (AddContactMaterial, Box, CollisionFilterDeclaration, GeometrySet, HalfSpace, ProximityProperties,
                              Sphere)
from pydrake.math import RigidTransform
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

import peer_problem
import peer_scenes as scenes
from peers import repeat, timed, within

ENGINES = {f"Drake {name} {setting}": (approximation, setting)
           for name, approximation in (("SAP", DiscreteContactApproximation.kSap),
                                       ("similar", DiscreteContactApproximation.kSimilar),
                                       ("lagged", DiscreteContactApproximation.kLagged),
                                       ("TAMSI", DiscreteContactApproximation.kTamsi))
           for setting in ("default", "stiff")}


def build(bodies, planes, approximation, setting):
    stiff = setting == "stiff"
    builder = DiagramBuilder()
    plant, graph = AddMultibodyPlantSceneGraph(builder, scenes.STEP)
    plant.SetUseSampledOutputPorts(False)  # contact results of the present state, not of the step before
    plant.set_contact_model(ContactModel.kPoint)
    plant.set_discrete_contact_approximation(approximation)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -scenes.GRAVITY])
    properties = ProximityProperties()
    friction = CoulombFriction(scenes.FRICTION, scenes.FRICTION)
    if stiff:
        AddContactMaterial(dissipation=0.0, point_stiffness=1e10, friction=friction, properties=properties)
        properties.AddProperty("material", "relaxation_time", 0.0)
        plant.set_sap_near_rigid_threshold(1e-3)
    else:
        AddContactMaterial(friction=friction, properties=properties)
    for k, (point, normal) in enumerate(planes):
        pose = HalfSpace.MakePose(np.array(normal, float), np.array(point, float))
        plant.RegisterCollisionGeometry(plant.world_body(), pose, HalfSpace(), f"plane {k}", properties)
    links, boxes, feet = [], GeometrySet(), GeometrySet()
    for k, body in enumerate(bodies):
        inertia = SpatialInertia(body.mass, np.zeros(3), UnitInertia(*(body.inertia / body.mass)))
        link = plant.AddRigidBody(f"body {k}", inertia)
        links.append(link)
        for i, (centre, radius) in enumerate(body.spheres):
            sphere = plant.RegisterCollisionGeometry(link, RigidTransform(centre), Sphere(radius), f"sphere {k} {i}", properties)
            if body.box is not None:
                feet.Add(sphere)
        if body.box is not None:
            boxes.Add(plant.RegisterCollisionGeometry(link, RigidTransform(), Box(*(2 * body.box)), f"box {k}", properties))
            boxes.Add(plant.GetCollisionGeometriesForBody(plant.world_body()))
    if any(body.box is not None for body in bodies):
        filters = graph.collision_filter_manager()
        filters.Apply(CollisionFilterDeclaration().ExcludeWithin(boxes))
        filters.Apply(CollisionFilterDeclaration().ExcludeWithin(feet))
    plant.Finalize()
    if stiff:
        plant.set_stiction_tolerance(1e-6)
    return plant, builder.Build(), links


def step(name, scene, path, limit):
    approximation, setting = ENGINES[name]
    make, before = scenes.SCENES[scene]
    bodies, planes = make()
    n = len(bodies)
    plant, diagram, links = build(bodies, planes, approximation, setting)
    root = diagram.CreateDefaultContext()
    context = plant.GetMyMutableContextFromRoot(root)
    for link, body in zip(links, bodies):
        plant.SetFreeBodyPose(context, link, RigidTransform(body.position))
    velocities = np.zeros((n, 6))  # of a body in Drake: spin, velocity
    velocities[:, 3:] = [body.velocity for body in bodies]
    plant.SetVelocities(context, velocities.ravel())
    simulator = Simulator(diagram, root)
    simulator.Initialize()
    if before:
        simulator.AdvanceTo(before * scenes.STEP)
    v = plant.GetVelocities(context).copy()
    port = plant.get_contact_results_output_port()
    within(lambda: port.Eval(context), float(limit))  # finds the contacts

    def once():
        plant.SetVelocities(context, v)  # what was computed with velocities is not valid any more
        return timed(lambda: port.Eval(context))

    seconds, results = repeat(once, float(limit))
    poses = [plant.EvalBodyPoseInWorld(context, link) for link in links]
    state = scenes.State(np.array([p.translation() for p in poses]), np.array([p.rotation().matrix() for p in poses]),
                         v.reshape(n, 6)[:, 3:], v.reshape(n, 6)[:, :3])
    number = {link.index(): k for k, link in enumerate(links)}
    contacts = []
    for k in range(results.num_point_pair_contacts()):
        info = results.point_pair_contact_info(k)
        a, b = number.get(info.bodyA_index(), -1), number.get(info.bodyB_index(), -1)
        normal = -info.point_pair().nhat_BA_W
        contacts.append((a, b, info.contact_point(), scenes.frame(normal), info.contact_force()))
    W, q, mu, impulses, after = scenes.contact_problem(bodies, state, contacts)
    peer_problem.write(path, W, q, mu)
    simulator.AdvanceTo((before + 1) * scenes.STEP)
    theirs = plant.GetVelocities(context).reshape(n, 6)[:, [3, 4, 5, 0, 1, 2]]
    return [abs(theirs - after).max(), seconds, *impulses]
