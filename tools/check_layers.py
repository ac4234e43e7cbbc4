#!/usr/bin/env python3
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Fails when an #include or a CMake link crosses the layers the wrong way.

src/LAYERS says which folder of src/ may include which. Three roots outside src/ have rules of
their own, because others than our build compile them:

  include/ascendc   what a kernel includes: itself and include/acl, never src/
  include/tilelang  what the kernels written by our TileLang compiler include besides
  include/acl       the vendor's C names: itself only; include/aclnn: and include/acl
  include/hostnpu   our C++ API, installed without src/: itself, include/acl and include/aclnn
  python/bindings   the layer "bindings"

  tools/check_layers.py [--root DIR]      exit 0 clean, 1 violations (one a line), 2 LAYERS is wrong
"""

import argparse
import pathlib
import re
import sys

SOURCE_SUFFIXES = {".h", ".cc", ".cpp", ".def", ".inc", ".S"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]')
# The roots under include/, and which of them each may include.
PUBLIC_ROOTS = {
    "acl": {"acl"},
    "aclnn": {"aclnn", "acl"},
    "ascendc": {"ascendc", "acl"},
    "hostnpu": {"hostnpu", "aclnn", "acl"},
    "tilelang": {"tilelang", "ascendc", "acl"},
}
# What of include/ascendc the library may use: the tables shared with compiled kernels, and the objects
# that an operator project's host side is given.
DOORS = ("ascendc/detail/", "ascendc/op/", "ascendc/platform/")


class LayersError(Exception):
    """src/LAYERS does not describe an architecture."""


def read_layers(path):
    """Returns {layer: set of layers it may include, itself among them} from src/LAYERS."""
    layers = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        name, colon, edges = text.partition(":")
        if not colon:
            raise LayersError(f"{path}:{number}: '{text}' is not 'layer: layers it may include'")
        if name in layers:
            raise LayersError(f"{path}:{number}: layer '{name}' is listed twice")
        for edge in edges.split():
            if edge not in layers:
                raise LayersError(
                    f"{path}:{number}: '{name}' may include '{edge}', which is not listed above it; "
                    "the list goes from the bottom up, so that it has no cycle")
        layers[name] = set(edges.split()) | {name}
    return layers


def includes_of(path):
    """Yields (line number, included name, quoted or not) of a source file."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(2), match.group(1) == '"'


def source_files(folder):
    """All source files below a folder, in a fixed order."""
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.rglob("*") if p.suffix in SOURCE_SUFFIXES and p.is_file())


def check_layer_file(root, path, layer, layers):
    """Yields a sentence for each include of one file of src/<layer> that LAYERS does not allow."""
    for number, name, quoted in includes_of(path):
        where = f"{path.relative_to(root)}:{number}"
        target = name.split("/", 1)[0] if "/" in name else ""
        if not quoted and not (root / "src" / name).exists():
            continue  # a system header, such as <sanitizer/asan_interface.h>
        if target in layers and target not in layers[layer]:
            allowed = ", ".join(sorted(layers[layer] - {layer})) or "nothing"
            yield f'{where}: {layer} may not include "{name}" (besides itself: {allowed}; see src/LAYERS)'
        elif target == "ascendc" and not name.startswith(DOORS):
            yield f'{where}: "{name}" is for kernels; src/ meets them only in {", ".join(DOORS)}'
        elif quoted and (not target or name.startswith(".")) and path.suffix != ".def" and layer != "bindings":
            if not name.endswith(".inc"):
                yield f'{where}: "{name}" does not say its layer; write "{layer}/{pathlib.PurePath(name).name}"'


def check_public_file(root, path, part, layers):
    """Yields a sentence for each include of one file of include/<part> that leaves what is installed."""
    include = root / "include"
    for number, name, _ in includes_of(path):
        where = f"{path.relative_to(root)}:{number}"
        if (path.parent / name).exists():
            inside = (path.parent / name).resolve()
            if include.resolve() not in inside.parents:
                yield f'{where}: "{name}" leaves include/'
            continue
        target = name.split("/", 1)[0] if "/" in name else ""
        if target in PUBLIC_ROOTS and target not in PUBLIC_ROOTS[part]:
            yield f'{where}: include/{part} may not include "{name}" (allowed: {", ".join(sorted(PUBLIC_ROOTS[part]))})'
        elif target in layers and not any((include / r / name).exists() for r in PUBLIC_ROOTS[part]):
            yield f'{where}: include/{part} may not include "{name}": src/ is not installed'


def check_cmake(root, layers):
    """Yields a sentence for each library of src/CMakeLists.txt linked against its layer's edges."""
    path = root / "src" / "CMakeLists.txt"
    if not path.is_file():
        return
    text = re.sub(r"#.*", "", path.read_text())
    for match in re.finditer(r"target_link_libraries\s*\(\s*hostnpu_([a-z]+)\b([^)]*)\)", text):
        layer, linked = match.groups()
        if layer not in layers:
            continue
        number = text.count("\n", 0, match.start()) + 1
        for target in re.findall(r"\bhostnpu_([a-z]+)\b", linked):
            if target in layers and target not in layers[layer]:
                yield f"src/CMakeLists.txt:{number}: hostnpu_{layer} may not link hostnpu_{target} (see src/LAYERS)"


def check(root):
    """Returns every violation below `root`, as sentences."""
    layers = read_layers(root / "src" / "LAYERS")
    found = []
    for folder in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
        if folder.name not in layers:
            found.append(f"src/{folder.name}: this folder is not in src/LAYERS")
            continue
        for path in source_files(folder):
            found.extend(check_layer_file(root, path, folder.name, layers))
    for path in source_files(root / "python" / "bindings"):
        found.extend(check_layer_file(root, path, "bindings", layers))
    for part in PUBLIC_ROOTS:
        for path in source_files(root / "include" / part):
            found.extend(check_public_file(root, path, part, layers))
    found.extend(check_cmake(root, layers))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    try:
        found = check(root)
    except LayersError as error:
        print(f"check_layers: {error}", file=sys.stderr)
        return 2
    for sentence in found:
        print(sentence)
    print(f"check_layers: {len(found)} violations" if found else "check_layers: clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
