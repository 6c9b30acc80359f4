"""A whole session by pygls and lsprotocol, which build typed objects from every answer and refuse what does not fit.

    python session.py SERVER ARGS...        # in a copy of testdata/project

Prints "ok" and "FAILED" lines and "N passed, N failed"; exit status 0 when all passed.
"""

import asyncio
import os
import pathlib
import sys

from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient

PATIENCE = 60  # seconds that an answer may take
BASKET = "internal/basket/basket.go"
ROOT = pathlib.Path.cwd()
URI = (ROOT / BASKET).as_uri()
TEXT = (ROOT / BASKET).read_text()


class Client(BaseLanguageClient):
    """Keeps what the typed layer complains of."""

    errors: list = []

    def report_server_error(self, error, source):
        self.errors.append(error)


client = Client("pygls-session", "1")
counts = {"passed": 0, "failed": 0}


def position_of(text):
    for number, line in enumerate(TEXT.splitlines()):
        if text in line:
            return lsp.Position(number, line.index(text))
    raise ValueError(text)


async def check(what, steps):
    try:
        await asyncio.wait_for(steps, PATIENCE)
        print(f"ok      {what}")
        counts["passed"] += 1
    except Exception as error:  # noqa: BLE001 - any failure is one of the step
        print(f"FAILED  {what}: {type(error).__name__}: {error}")
        counts["failed"] += 1


def ask(method, params):
    return client.protocol.send_request_async(method, params)


ready = None


@client.feature("aurora/didChangeStatus")
def _status(params):
    if getattr(params, "state", "") == "ready" and not ready.done():
        ready.set_result(True)


@client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)
def _create(params):
    return None


async def initialize():
    result = await client.initialize_async(
        lsp.InitializeParams(
            process_id=os.getpid(),
            root_uri=ROOT.as_uri(),
            workspace_folders=[lsp.WorkspaceFolder(ROOT.as_uri(), "project")],
            capabilities=lsp.ClientCapabilities(
                general=lsp.GeneralClientCapabilities(
                    position_encodings=[lsp.PositionEncodingKind.Utf16]
                )
            ),
            initialization_options={"aurora": {"client": {"status": True}}},
        )
    )
    assert result.capabilities.hover_provider
    assert result.server_info.name
    client.initialized(lsp.InitializedParams())


async def open_file():
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(uri=URI, language_id="go", version=1, text=TEXT)
        )
    )
    await ready


async def hover():
    params = lsp.HoverParams(lsp.TextDocumentIdentifier(URI), position_of("volumeDiscount(len"))
    while True:  # not in time on a busy machine means null: asked again
        found = await client.text_document_hover_async(params)
        if found:
            assert isinstance(found.contents, lsp.MarkupContent), found
            assert "volumeDiscount" in found.contents.value
            return


async def code_actions():
    at = position_of("volumeDiscount(items")
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(URI), lsp.Range(at, at), lsp.CodeActionContext([])
        )
    )
    assert actions and all(str(a.kind).startswith("source.aurora") for a in actions if hasattr(a, "kind"))


async def symbols():
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("ParsePrice"))
    assert found[0].name == "ParsePrice", found


async def edit_and_search():
    end = lsp.Position(TEXT.count("\n"), 0)
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version=2, uri=URI),
            [
                lsp.TextDocumentContentChangePartial(
                    range=lsp.Range(end, end),
                    text="\n// 🍐\nfunc pearTreeHeight() int { return 3 }\n",
                )
            ],
        )
    )
    while True:  # what was typed is named as pending until it can be found
        result = await ask("aurora/search", {"query": "pearTreeHeight", "limit": 5})
        if not result.index.pending:
            break
    assert result.hits[0].name == "pearTreeHeight", result
    assert result.hits[0].source == "overlay"


async def question():
    answer = await ask("aurora/query", {"query": "where is ParsePrice defined?"})
    assert "price.go" in answer.answer
    assert answer.citations and len(answer.phases) == 9


async def end():
    await client.shutdown_async(None)
    client.exit(None)
    process = client._server  # pygls offers no other way to the exit status
    assert await process.wait() == 0, process.returncode
    await client.stop()
    assert not client.errors, client.errors


async def main():
    global ready
    ready = asyncio.get_running_loop().create_future()
    await client.start_io(*sys.argv[1:])
    await check("initialize", initialize())
    await check("a file is opened, and the index gets ready", open_file())
    await check("hover", hover())
    await check("code actions", code_actions())
    await check("workspace symbols", symbols())
    await check("an edit, and a search that finds it", edit_and_search())
    await check("a question", question())
    await check("shutdown and exit, and every message fitted its type", end())
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] else 0


sys.exit(asyncio.run(main()))
