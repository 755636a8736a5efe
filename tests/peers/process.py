"""Running a test natively or under the library, and what is unpacked and built to be tested."""
import contextlib
import glob
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests", "peers")
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
LIBRARY = os.path.join(BUILD, "libhrtimeout.so")
UNPACKED = os.path.join(BUILD, "peers")
LIMIT = 600  # seconds that a unit may take


def environment(mode):
    env = {k: v for k, v in os.environ.items()
           if k != "LD_PRELOAD" and not k.startswith("HRTIMEOUT_")}
    env["PYTHONPATH"] = ""
    if mode != "native":
        env.update(LD_PRELOAD=LIBRARY, HRTIMEOUT_MODE=mode, HRTIMEOUT_CPU="100")
    return env


def run(mode, command, cwd=None, limit=LIMIT, settings=None):
    """Exit status and output; a hang is status 'hang'."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, env={**environment(mode), **(settings or {})}, cwd=cwd,
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        try:
            status = child.wait(limit)
        except subprocess.TimeoutExpired:
            status = "hang"
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, 9)  # with what a test may have left behind
        child.wait()
        out.seek(0)
        return status, out.read().decode("utf-8", "replace")


def source(package):
    """The unpacked source package; nothing of it is ours to commit."""
    found = glob.glob(os.path.join(UNPACKED, package + "-*", "debian"))
    if not found:
        os.makedirs(UNPACKED, exist_ok=True)
        subprocess.run([os.path.join(HERE, "get_source"), package, UNPACKED], check=True)
        found = glob.glob(os.path.join(UNPACKED, package + "-*", "debian"))
    return os.path.dirname(found[0])


def built(package, name):
    """The directory that build_NAME built from the source package, once."""
    directory = os.path.join(UNPACKED, name)
    if not os.path.exists(os.path.join(directory, "built")):
        subprocess.run([os.path.join(HERE, "build_" + name), source(package), directory],
                       check=True)
    return directory
