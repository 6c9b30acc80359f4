// Makes lsp.methods.json and lsp.validators.cjs, what lsp-check.mjs knows of the protocol, from the official
// TypeScript types (the npm package vscode-languageserver-protocol; it ships no metaModel.json):
//   node make-validators.mjs
// AURORA's own methods come from editors/vscode/src/protocol.ts, which is generated from the Go code.
// The validators are compiled here, once: compiling them at each start would hold up the editor under test.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { createGenerator } from 'ts-json-schema-generator';
import ts from 'typescript';

const require = createRequire(import.meta.url);
const here = path.dirname(fileURLToPath(import.meta.url));
const packageDir = path.join(here, 'node_modules/vscode-languageserver-protocol');
const api = path.join(packageDir, 'lib/common/api.d.ts');
const runtime = require('vscode-languageserver-protocol');

/** Every exported name of the protocol's types, with its symbol. */
function exportedSymbols() {
  const program = ts.createProgram([api], {
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
  });
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(api)));
  return new Map(
    symbols.map((s) => [s.name, s.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(s) : s]),
  );
}

/** The type's source text; the exported names it uses are added to used. */
function typeText(node, exported, used) {
  const visit = (n) => {
    if (ts.isTypeReferenceNode(n)) {
      const id = ts.isQualifiedName(n.typeName) ? n.typeName.left : n.typeName;
      if (exported.has(id.text)) used.add(id.text);
      else if (!['Array', 'Record'].includes(id.text)) throw new Error(`not exported: ${id.text}`);
    }
    ts.forEachChild(n, visit);
  };
  visit(node);
  const text = node.getText();
  return text === 'void' || text === 'never' ? 'null' : text;
}

/** The parameter and result types of a message, from the type arguments of its ProtocolRequestType and the like. */
function messageTypes(type) {
  const args = type.typeArguments ?? [];
  switch (type.typeName.getText()) {
    case 'ProtocolRequestType': return { params: args[0], result: args[1] };
    case 'ProtocolRequestType0': return { result: args[0] };
    case 'ProtocolNotificationType': return { params: args[0] };
    case 'ProtocolNotificationType0': return {};
    default: return undefined;
  }
}

/** All methods, and a TypeScript module that names the types of their messages. */
function collectMethods() {
  const exported = exportedSymbols();
  const used = new Set();
  const methods = {};
  let body = '';
  const declare = (name, node) => {
    if (!node) return null;
    body += `export type ${name} = ${typeText(node, exported, used)};\n`;
    return name;
  };
  for (const [name, symbol] of exported) {
    const type = symbol.exports?.get('type')?.valueDeclaration?.type;
    const method = runtime[name]?.method;
    if (!type || !ts.isTypeReferenceNode(type) || !method || methods[method]) continue;
    const types = messageTypes(type);
    if (!types) continue;
    methods[method] = {
      request: /Request/.test(type.typeName.getText()),
      direction: runtime[name].messageDirection,
      params: declare(`${name}_params`, types.params),
      result: declare(`${name}_result`, types.result),
    };
  }
  return { methods, source: `import { ${[...used].join(', ')} } from 'vscode-languageserver-protocol';\n${body}` };
}

/** What goes over the wire beside the requests of protocol.ts: who sends it, and the types of its parameters and result. */
const OURS = {
  'aurora/complete': { request: true, direction: 'serverToClient', params: 'CompleteParams', result: 'CompleteResult' },
  'aurora/ask': { request: true, direction: 'serverToClient', params: 'AskParams', result: 'AskResult' },
  'aurora/progress': { request: false, direction: 'serverToClient', params: 'ProgressParams' },
  'aurora/didChangeStatus': { request: false, direction: 'serverToClient', params: 'Partial<Status>' },
  'aurora/didUse': { request: false, direction: 'clientToServer', params: 'DidUseParams' },
};

/** AURORA's own methods, and a TypeScript module that is protocol.ts with the types of their messages. */
function collectOurs() {
  const types = fs.readFileSync(path.join(here, '../../../editors/vscode/src/protocol.ts'), 'utf8');
  const methods = {};
  let body = '';
  const declare = (method, what, type) => {
    if (!type) return null;
    const name = `${method.replace('/', '_')}_${what}`;
    body += `export type ${name} = ${type};\n`;
    return name;
  };
  const add = (method, { request, direction, params, result }) => {
    methods[method] = { request, direction, params: declare(method, 'params', params), result: declare(method, 'result', result) };
  };
  for (const [, method, params, result] of types.matchAll(/^ {2}'(aurora\/\w+)': \{ params: (.+); result: (.+) \};$/gm)) {
    // JSON-RPC leaves out parameters that are empty.
    add(method, { request: true, direction: 'clientToServer', params: params.startsWith('Record<') ? undefined : params, result });
  }
  if (Object.keys(methods).length < 20) throw new Error('protocol.ts is not as it was');
  for (const [method, spec] of Object.entries(OURS)) add(method, spec);
  return { methods, source: `${types}\n${body}` };
}

/** The JSON Schema of the module's types. */
function makeSchema(source) {
  const dir = fs.mkdtempSync(path.join(here, '.types-'));
  try {
    const file = path.join(dir, 'messages.ts');
    const tsconfig = path.join(dir, 'tsconfig.json');
    fs.writeFileSync(file, source);
    const compilerOptions = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', strict: true, types: [] };
    fs.writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: ['messages.ts'] }));
    const options = { path: file, tsconfig, skipTypeCheck: true, expose: 'all', topRef: true, additionalProperties: false };
    return createGenerator(options).createSchema('*').definitions;
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}

/** Code that exports one validator for each type that a method names. */
function compile(definitions, methods, ours) {
  if (!definitions.Position?.properties?.line || !definitions.uinteger || !definitions.integer) {
    throw new Error('the types were not resolved');
  }
  // TypeScript has no integers; the protocol has.
  definitions.integer = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
  definitions.uinteger = { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 };
  const ajv = new Ajv({
    strict: false, allowUnionTypes: true, validateFormats: false, validateSchema: false, code: { source: true },
  });
  ajv.addSchema({ $id: 'lsp', definitions });
  ajv.addSchema({ $id: 'aurora', definitions: ours.definitions });
  const named = (schema, all) => Object.values(all).flatMap((m) => [m.params, m.result]).filter(Boolean)
    .map((t) => [t, `${schema}#/definitions/${encodeURIComponent(t)}`]);
  return standalone.default(ajv, Object.fromEntries([...named('lsp', methods), ...named('aurora', ours.methods)]));
}

const { methods, source } = collectMethods();
const ours = collectOurs();
const code = compile(makeSchema(source), methods, { methods: ours.methods, definitions: makeSchema(ours.source) });
fs.writeFileSync(path.join(here, 'lsp.methods.json'), JSON.stringify({ ...methods, ...ours.methods }, null, 1) + '\n');
fs.writeFileSync(path.join(here, 'lsp.validators.cjs'), code);
