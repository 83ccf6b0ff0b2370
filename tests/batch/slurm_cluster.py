# SPDX-License-Identifier: GPL-3.0-or-later
"""A Slurm cluster of one node for tests: munged, slurmctld and slurmd with their own key, sockets, ports and folder.

    with slurm_cluster.running() as environment:
        subprocess.run(["sbatch", …], env=environment)

Needs Debian's slurmctld, slurmd, slurm-client and munge, but no systemd, no cgroups and no configuration of the machine.
For root and for ordinary users. Unavailable (an exception) says why a cluster cannot run here."""

import contextlib
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
START_SECONDS = 30
# cred_expire: requeued jobs wait for as long (120 s by default, at least 5). OverTimeLimit and the periods of slurmctld's checks cannot
# be shortened: a time limit is a minute, and is looked at every half minute.
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
KillWait=30
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=64000 State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Unavailable(Exception):
    """Why no cluster can be started here."""


def find(program):
    found = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if found is None:
        raise Unavailable(f"{program} is not installed (see [slurm] in packaging/debian-packages.txt)")
    return found


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_until(what, holds, seconds):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Unavailable(f"after {seconds} s: {what}")
        time.sleep(0.2)


def stop(processes):
    for process in reversed(processes):
        if process.poll() is not None:
            continue
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def end_jobs(environment):
    """Whatever runs is killed with its processes, before the node's daemon goes."""
    subprocess.run(["scancel", "--user", getpass.getuser()], env=environment, capture_output=True, timeout=30)
    subprocess.run(["scancel", "--signal=KILL", "--full", "--user", getpass.getuser()], env=environment,
                   capture_output=True, timeout=30)
    end = time.monotonic() + 20
    while time.monotonic() < end and subprocess.run(["squeue", "--noheader"], env=environment, capture_output=True,
                                                    timeout=30).stdout.strip():
        time.sleep(0.5)


@contextlib.contextmanager
def running(cpus=4):
    """Starts the daemons and yields the environment in which Slurm's commands find them; stops them in any case."""
    paths = {program: find(program) for program in PROGRAMS}
    with tempfile.TemporaryDirectory(prefix="slurm-") as scratch:
        folder = pathlib.Path(scratch)
        folder.chmod(0o755)  # munge's clients go through it to the socket
        for name in ("state", "spool"):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        controller_port, node_port = free_ports(2)
        configuration = folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=folder, cpus=cpus,
            controller_port=controller_port, node_port=node_port))
        environment = {**os.environ, "SLURM_CONF": str(configuration)}
        processes = []

        def start(*command):
            log = (folder / f"{pathlib.Path(command[0]).name}.out").open("w")
            processes.append(subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                              stderr=subprocess.STDOUT, start_new_session=True))
            log.close()

        def idle():
            if any(process.poll() is not None for process in processes):
                logs = "\n".join(f"{log.name}: {log.read_text()[-600:]}" for log in sorted(folder.glob("*.out")))
                raise Unavailable(f"a daemon has ended:\n{logs}")
            states = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=environment, capture_output=True,
                                    text=True, timeout=30)
            return states.stdout.strip() == "idle"

        try:
            start(paths["munged"], "--foreground", f"--key-file={key}", f"--socket={folder}/munge.sock",
                  f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/seed",
                  "--force")
            wait_until("munged has no socket", (folder / "munge.sock").exists, START_SECONDS)
            start(paths["slurmctld"], "-D", "-f", str(configuration))
            start(paths["slurmd"], "-D", "-f", str(configuration))
            wait_until("the node is not idle", idle, START_SECONDS)
            yield environment
        finally:
            if len(processes) == 3:
                with contextlib.suppress(subprocess.SubprocessError):
                    end_jobs(environment)
            stop(processes)
