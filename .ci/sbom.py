"""What a site consists of, as CycloneDX 1.6: Candor and each pinned package with its version, hashes and licence.

make sbom      # writes var/sbom.json
"""

import re
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]
PIN = re.compile(
    r"(?m)^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)(.*(?:\n +--hash=\S+.*)*)(?:((?:\n +#.*)*))"
)


def candor() -> Component:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return Component(
        name=project["name"],
        version=project["version"],
        type=ComponentType.APPLICATION,
        bom_ref=project["name"],
        licenses=[DisjunctiveLicense(id="MIT")],
    )


def package(name: str, version: str, hashes: list[str]) -> Component:
    """hashes: of all files of that version, any of which pip takes."""
    purl = PackageURL("pypi", name=name.lower().replace("_", "-"), version=version)
    licences = []
    with suppress(PackageNotFoundError):  # of another platform
        found = metadata(name)
        if said := found.get("License-Expression"):
            licences = [LicenseExpression(said)]
        elif said := (found.get("License") or "").strip().partition("\n")[0]:
            licences = [DisjunctiveLicense(name=said)]
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        purl=purl,
        bom_ref=str(purl),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=hashes[0])]
        if len(hashes) == 1
        else None,
        properties=[Property(name="candor:sha256", value=each) for each in hashes],
        licenses=licences,
    )


def bom() -> Bom:
    found, site = Bom(), candor()
    found.metadata.component = site
    made, asked = {}, {}
    for name, version, hashes, who in PIN.findall((ROOT / "requirements.txt").read_text()):
        made[name] = package(name, version, re.findall(r"sha256:([0-9a-f]{64})", hashes))
        asked[name] = re.findall(r"#(?: +via)? +([A-Za-z0-9._-]+)", who)
    found.components.update(made.values())
    for parent, component in [(site.name, site), *made.items()]:
        is_site = component is site
        wanted = [
            made[name]
            for name, by in asked.items()
            if (is_site and not set(by) & set(made)) or parent in by
        ]
        found.register_dependency(component, wanted)
    return found


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var/sbom.json"
    file.parent.mkdir(exist_ok=True)
    make_outputter(bom(), OutputFormat.JSON, SchemaVersion.V1_6).output_to_file(
        str(file), True, indent=2
    )
    sys.stdout.write(f"{file}\n")
