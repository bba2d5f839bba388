"""The package stands by itself."""

import sys

import mechanisms
from tests.servers import subprocesses


def test_it_never_imports_django():
    code = (
        "import sys, pkgutil, importlib, mechanisms\n"
        "for module in pkgutil.walk_packages(mechanisms.__path__, 'mechanisms.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in {'django', 'surveys', 'config'}))"
    )
    result = subprocesses.run([sys.executable, "-c", code])
    assert result.stdout.strip() == "[]"


def test_every_public_name_is_there():
    for name in mechanisms.__all__:
        assert getattr(mechanisms, name) is not None
