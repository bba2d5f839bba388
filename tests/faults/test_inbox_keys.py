"""The key of the inbox is replaced while responses arrive, and by processes that end without warning.

Every accepted response is counted exactly once.
"""

import json
import random
import signal
import time

from tests.faults.conftest import Site
from tests.faults.test_crashes import assert_whole

# Kills a process at each line of the module that replaces the key, and looks at what it has left.
KILL_AT_EACH_LINE = """
import json, os, signal, sys, uuid
from django.db import connections
from surveys.fieldwork.responses import inbox_encryption, inbox_keys, store_response
from surveys.fieldwork.responses.sealing import seal, seal_due
from surveys.models import InboxKey, Instrument, Response
from tests.factories import surveys

# The functions that change a row or a file; the others only read.
CHANGING = {{"replace_due_key", "_draw_key", "_write_private_key", "_sync_folder"}}
CHANGING |= {{"_renew_waiting", "_renew_some", "_delete_unused_keys", "_erase_file"}}
busy = Instrument.objects.get(survey__slug={slug!r})
slow = surveys.create_published(surveys.create_researcher("slow"))
record = bytes([1, 72, 0])
accepted = {{busy: 0, slow: 0}}

def accept(instrument, n):
    for _ in range(n):
        store_response(instrument, uuid.uuid4(), record)
        accepted[instrument] += 1

def run_traced(on_line):
    def trace(frame, event, argument):
        name = frame.f_code.co_name
        if frame.f_code.co_filename == inbox_keys.__file__ and name in CHANGING:
            if event == "line":
                on_line((name, frame.f_lineno))
            return trace
    sys.settrace(trace)
    inbox_keys.replace_due_key()
    sys.settrace(None)

def kill_at(line):
    def on_line(reached):
        if reached == line:
            os.kill(os.getpid(), signal.SIGKILL)
    connections.close_all()
    child = os.fork()
    if not child:
        run_traced(on_line)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)

def names():
    return {{file.name for file in inbox_keys.settings.INBOX_KEYS.iterdir()}} - {{"lock"}}

accept(slow, 19)
accept(busy, 20)
seal(busy)
lines = []
run_traced(lambda line: line in lines or lines.append(line))
unkilled = []
for line in lines:
    accept(busy, 20)
    seal(busy)
    if not kill_at(line):
        unkilled.append(line)
    # Every key that a response needs has its file, and responses go on arriving.
    assert inbox_keys.inbox_problem() == "", line
    assert inbox_keys.count_unreadable() == 0, line
    inbox_encryption.forget_public_key()
    accept(busy, 1)
    inbox_keys.replace_due_key()
    keys = {{key.hex for key in InboxKey.objects.values_list("pk", flat=True)}}
    assert len(keys) == 1 and names() == keys, (line, keys, names())
    waiting = Response.objects.filter(record__isnull=False)
    assert waiting.filter(instrument=slow).count() == 19, line
    assert not waiting.exclude(inbox_key__is_current=True).exists(), line
seal_due()
assert {{name for name, _ in lines}} == CHANGING
print(json.dumps(dict(accepted=accepted[busy], unkilled=unkilled)))
"""

ACCEPT = """
import time, uuid
from surveys.fieldwork.responses import Outcome, inbox, store_response
from surveys.models import Instrument
instrument = Instrument.objects.get(survey__slug={slug!r})
accepted = repeated = 0
forget = inbox.forget_public_key

def count_and_forget():
    global repeated
    repeated += 1
    forget()

inbox.forget_public_key = count_and_forget
end = time.monotonic() + {seconds}
while time.monotonic() < end:
    for _ in range(20):
        accepted += store_response(instrument, uuid.uuid4(), bytes([1, 72, 0])) is Outcome.RECORDED
    # The key that this process goes on with may be deleted now.
    time.sleep(0.2)
print(accepted, repeated)
"""

SEAL_ON = """
from surveys.fieldwork.responses.inbox_keys import replace_due_key
from surveys.fieldwork.responses.sealing import seal_due
while True:
    seal_due()
    replace_due_key()
"""


def test_a_kill_at_any_line_of_replacing_a_key_loses_nothing(site: Site) -> None:
    survey = site.survey()

    found = json.loads(site.shell(KILL_AT_EACH_LINE.format(slug=survey.slug)))

    assert found["unkilled"] == []
    assert_whole(survey, found["accepted"])


def test_responses_arrive_while_sealers_replace_the_key_and_are_killed(site: Site) -> None:
    """Each process that accepts responses goes on with the key that it has read, until its row is gone."""
    survey = site.survey()
    seconds = 6
    accepting = []
    for _ in range(3):
        code = ACCEPT.format(slug=survey.slug, seconds=seconds)
        accepting.append(site.commands.start("manage.py", "shell", "--no-imports", "-c", code))

    while any(process.poll() is None for process in accepting):
        sealer = site.commands.start("manage.py", "shell", "--no-imports", "-c", SEAL_ON)
        time.sleep(random.uniform(0.3, 1.2))
        sealer.send_signal(signal.SIGKILL)
        sealer.wait()

    counts = [process.finish().split() for process in accepting]
    accepted = sum(int(number) for number, _ in counts)
    repeated = sum(int(number) for _, number in counts)
    assert accepted > 0
    assert repeated > 0, "no response met a deleted key"
    assert_whole(survey, accepted)
    for _ in range(2):
        site.manage("seal")
    assert_whole(survey, accepted)
    assert len(list((site.folder / "inbox-keys").iterdir())) == 2, "one key and the lock"
