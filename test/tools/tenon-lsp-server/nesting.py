"""Opens a document of deeply nested modules in the language server.

Usage: nesting.py TENON_LSP_SERVER DEPTH
"""

import json
import subprocess
import sys

server, depth = sys.argv[1], int(sys.argv[2])


def message(method, params, number=None):
    body = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        body["id"] = number
    text = json.dumps(body)
    return "Content-Length: %d\r\n\r\n%s" % (len(text), text)


text = "module {\n" * depth + "}\n" * depth
said = (message("initialize", {"processId": 1, "rootUri": "file:///",
                               "capabilities": {}}, 1)
        + message("textDocument/didOpen", {"textDocument": {
            "uri": "test:///deep.mlir", "languageId": "mlir", "version": 1,
            "text": text}})
        + message("shutdown", None, 2) + message("exit", None))
done = subprocess.run([server], input=said.encode(), stdout=subprocess.PIPE,
                      stderr=subprocess.DEVNULL, timeout=60)
print("status %d" % done.returncode)
print("published %s" % (b"publishDiagnostics" in done.stdout))
