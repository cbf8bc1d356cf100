"""MuJoCo: its three solvers with elliptic cones, one step of a scene.

It solves a convex relaxation: no correction of de Saxcé, so that what slides also rises, and impulses are bounded by a
compliance (solimp), velocities steered by a spring and a damper (solref). `default`: as MuJoCo comes, but for the cone.
`stiff`: the largest impedance that it takes, 0.9999, no spring, a damper that stops the contact within the step.
The time is that of mj_fwdConstraint, without a warm start; contacts, J and, for PGS, W are made before.
"""
import mujoco
import numpy as np

import peer_problem
import peer_scenes as scenes
from peers import repeat, timed

ENGINES = {f"MuJoCo {solver} {setting}": (solver, setting)
           for solver in ("Newton", "CG", "PGS") for setting in ("default", "stiff")}


def xml(bodies, planes, solver, setting):
    stiff = setting == "stiff"
    contact = (f'solref="-1e-9 {-1 / scenes.STEP:.17g}" solimp="0.9999 0.9999 0.001 0.5 2"' if stiff else "")
    end = 'iterations="1000" tolerance="1e-14" ls_tolerance="1e-6"' if stiff else ""
    lines = [f'<mujoco><option timestep="{scenes.STEP}" gravity="0 0 {-scenes.GRAVITY}" cone="elliptic" solver="{solver}" '
             f'{end}><flag warmstart="disable" eulerdamp="disable"/></option>'
             f'<default><geom condim="3" friction="{scenes.FRICTION} 0 0" {contact}/></default><worldbody>']
    text = lambda v: " ".join(f"{x:.17g}" for x in v)
    for point, normal in planes:
        lines.append(f'<geom type="plane" size="0 0 1" pos="{text(point)}" zaxis="{text(normal)}" contype="0" conaffinity="6"/>')
    for body in bodies:
        lines.append(f'<body pos="{text(body.position)}"><freejoint/><inertial pos="0 0 0" mass="{body.mass:.17g}" '
                     f'diaginertia="{text(body.inertia)}"/>')
        kind = 'contype="2" conaffinity="0"' if body.box is not None else 'contype="4" conaffinity="4"'
        for centre, radius in body.spheres:
            lines.append(f'<geom type="sphere" size="{radius:.17g}" pos="{text(centre)}" {kind}/>')
        if body.box is not None:
            lines.append(f'<geom type="box" size="{text(body.box)}" contype="0" conaffinity="2"/>')
        lines.append("</body>")
    return "\n".join(lines) + "</worldbody></mujoco>"


def state_of(data, n):
    position = data.qpos.reshape(n, 7)[:, :3].copy()
    rotation = data.xmat[1:].reshape(n, 3, 3).copy()
    velocity = data.qvel.reshape(n, 6)
    return scenes.State(position, rotation, velocity[:, :3].copy(), np.einsum("nij,nj->ni", rotation, velocity[:, 3:]))


def step(name, scene, path, limit):
    solver, setting = ENGINES[name]
    make, before = scenes.SCENES[scene]
    bodies, planes = make()
    n = len(bodies)
    model = mujoco.MjModel.from_xml_string(xml(bodies, planes, solver, setting))
    data = mujoco.MjData(model)
    data.qvel.reshape(n, 6)[:, :3] = [body.velocity for body in bodies]
    for _ in range(before):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    seconds, _ = repeat(lambda: timed(lambda: mujoco.mj_fwdConstraint(model, data)), float(limit))
    state = state_of(data, n)
    contacts = []
    for k in range(data.ncon):
        contact = data.contact[k]
        a, b = (model.geom_bodyid[g] - 1 for g in contact.geom)
        axes = np.array(contact.frame).reshape(3, 3)
        force = data.efc_force[contact.efc_address : contact.efc_address + 3]
        contacts.append((a, b, np.array(contact.pos), axes, axes.T @ force))
    W, q, mu, impulses, after = scenes.contact_problem(bodies, state, contacts)
    peer_problem.write(path, W, q, mu)
    theirs = (data.qvel + scenes.STEP * data.qacc).reshape(n, 6)
    theirs[:, 3:] = np.einsum("nij,nj->ni", state.rotation, theirs[:, 3:])
    return [abs(theirs - after).max(), seconds, *impulses]
