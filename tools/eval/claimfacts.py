"""Prints the functions of the Python files below a folder, as JSON, by Python's own parser."""
import ast
import json
import os
import sys

SKIPPED = {".git", "vendor", "node_modules", "testdata", "examples"}


def functions(tree, source, path, imported, container=""):
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from functions(node, source, path, imported, node.name)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield describe(node, source, path, imported, container)


def modules(tree):
    imports = (n for n in ast.walk(tree) if isinstance(n, ast.Import))
    return {(a.asname or a.name).split(".")[0] for n in imports for a in n.names}


def text(node, source):
    """The source of a node that stands on one line."""
    if node.lineno != node.end_lineno:
        return ""
    return source[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()


def describe(node, source, path, imported, container):
    calls, words, conditions, lines = [], [node.name], [], []
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            words.append(n.id)
        elif isinstance(n, ast.Attribute):
            words.append(n.attr)
        elif isinstance(n, ast.arg):
            words.append(n.arg)
        if isinstance(n, ast.Call):
            if isinstance(n.func, ast.Name):
                calls.append(n.func.id)
            elif isinstance(n.func, ast.Attribute):
                if not (isinstance(n.func.value, ast.Name) and n.func.value.id in imported):
                    calls.append(n.func.attr)
        if isinstance(n, ast.If):
            conditions.append(text(n.test, source))
        if isinstance(n, (ast.Assign, ast.Return)):
            lines.append(text(n, source))
    base = os.path.basename(path)
    return {
        "name": node.name, "container": container, "path": path, "line": node.lineno, "end": node.end_lineno,
        "calls": calls, "words": words, "conditions": conditions, "lines": lines, "doc": ast.get_docstring(node) or "",
        "test": base.startswith("test_") or base.endswith("_test.py") or "/tests/" in "/" + path or "/test/" in "/" + path,
    }


def main(folder):
    found = []
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in SKIPPED)
        for name in sorted(files):
            if not name.endswith(".py"):
                continue
            path = os.path.join(at, name)
            try:
                with open(path, encoding="utf-8") as f:
                    source = f.read()
                tree = ast.parse(source)
            except (SyntaxError, ValueError, OSError):
                continue
            relative = os.path.relpath(path, folder).replace(os.sep, "/")
            found.extend(functions(tree, source.split("\n"), relative, modules(tree)))
    json.dump(found, sys.stdout)


main(sys.argv[1])
