// Answers "who refers to the name at this place", or "where is it defined", with the TypeScript compiler. Usage: node typescript.cjs TYPESCRIPT ROOT
// stdin: one JSON document {about: "references" or "definition", files: [path], manifests: [path], questions: [{path, offset}]}, paths relative to ROOT, offsets in UTF-16 units.
// stdout: one JSON line for each question: [{path, offset, kind}].
//
// Each file is compiled by the options of the nearest tsconfig.json. A package of the same workspace that isn't built is
// taken from its sources: its "dist/x.js" is looked for as "src/x.ts", as the build would have made it.
const [, , typescript, root] = process.argv;
const ts = require(typescript);
const fs = require('fs');
const path = require('path');

const input = JSON.parse(fs.readFileSync(0, 'utf8'));
const files = input.files.map((f) => path.join(root, f));
const known = new Set(files);

const configs = new Map();
function configsOf(dir) {
  if (configs.has(dir)) return configs.get(dir);
  const outer = dir === root || dir === path.dirname(dir) ? [] : configsOf(path.dirname(dir));
  const own = ['tsconfig.json', 'jsconfig.json'].map((f) => path.join(dir, f)).filter(fs.existsSync).map(optionsOf);
  const all = [...own, ...outer];
  configs.set(dir, all);
  return all;
}
function optionsOf(file) {
  const read = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(read.config || {}, ts.sys, path.dirname(file), undefined, file).options;
}

const packages = new Map();
for (const manifest of input.manifests.map((f) => path.join(root, f))) {
  try {
    const json = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    if (json.name && !packages.has(json.name)) packages.set(json.name, { dir: path.dirname(manifest), json });
  } catch {}
}
function targets(value) {
  if (typeof value === 'string') return [value];
  if (value && typeof value === 'object') return Object.values(value).flatMap(targets);
  return [];
}
function packageFile(name) {
  const parts = name.split('/');
  const own = parts.slice(0, name.startsWith('@') ? 2 : 1).join('/');
  const found = packages.get(own);
  if (!found) return undefined;
  const rest = '.' + name.slice(own.length);
  const { json, dir } = found;
  const exported = json.exports && typeof json.exports === 'object' && Object.keys(json.exports).some((k) => k.startsWith('.'))
    ? json.exports[rest] : rest === '.' ? json.exports : undefined;
  const candidates = [...targets(exported), ...(rest === '.' ? [json.types, json.module, json.main, 'index'] : [rest])].filter(Boolean);
  for (const c of candidates) {
    const base = c.replace(/^\.\//, '').replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
    for (const b of [base, base.replace(/^(dist|build|lib|esm|cjs)\//, ''), base.replace(/^(dist|build|lib)\/(esm|cjs|modern|legacy)\//, '')]) {
      for (const dirName of ['', 'src']) {
        for (const ending of ['.ts', '.tsx', '.mts', '.js', '/index.ts', '/index.tsx']) {
          const f = path.join(dir, dirName, b + ending);
          if (known.has(f)) return f;
        }
      }
    }
  }
  for (const f of ['src/index.ts', 'src/index.tsx', 'index.ts']) if (rest === '.' && known.has(path.join(dir, f))) return path.join(dir, f);
  return undefined;
}

const defaults = { allowJs: true, jsx: ts.JsxEmit.Preserve, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, target: ts.ScriptTarget.ES2022 };
function resolve(name, from) {
  for (const options of [...configsOf(path.dirname(from)), defaults]) {
    const r = ts.resolveModuleName(name, from, { ...options, allowJs: true }, ts.sys).resolvedModule;
    if (r && known.has(r.resolvedFileName)) return r;
  }
  const f = name.startsWith('.') ? undefined : packageFile(name);
  return f && { resolvedFileName: f, extension: path.extname(f), isExternalLibraryImport: false };
}

const options = { ...defaults, allowNonTsExtensions: true, noEmit: true, checkJs: false, strict: true, experimentalDecorators: true };
const host = {
  getScriptFileNames: () => files,
  getScriptVersion: () => '1',
  getScriptSnapshot: (f) => (fs.existsSync(f) ? ts.ScriptSnapshot.fromString(fs.readFileSync(f, 'utf8')) : undefined),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  resolveModuleNameLiterals: (literals, from) => literals.map((l) => ({ resolvedModule: resolve(l.text, from) })),
};
const service = ts.createLanguageService(host);
const program = service.getProgram();

function tokenAt(node, offset) {
  let found = node;
  (function visit(n) {
    if (n.getStart() <= offset && offset < n.getEnd()) {
      found = n;
      ts.forEachChild(n, visit);
    }
  })(node);
  return found;
}
function kindOf(file, offset) {
  const source = program.getSourceFile(file);
  if (!source) return 'read';
  let node = tokenAt(source, offset);
  for (let n = node; n; n = n.parent) {
    if (ts.isImportDeclaration(n) || ts.isExportDeclaration(n) || ts.isExportAssignment(n) || ts.isImportEqualsDeclaration(n)) return 'import';
    if (ts.isStatement(n)) break;
  }
  if (node.parent && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) node = node.parent;
  let up = node.parent;
  while (up && (ts.isNonNullExpression(up) || ts.isParenthesizedExpression(up) || ts.isAsExpression(up))) { node = up; up = up.parent; }
  if (!up) return 'read';
  if ((ts.isCallExpression(up) || ts.isNewExpression(up)) && up.expression === node) return 'call';
  if (ts.isTaggedTemplateExpression(up) && up.tag === node) return 'call';
  if (ts.isJsxSelfClosingElement(up) || ts.isJsxOpeningElement(up)) return 'call';
  if (ts.isJsxClosingElement(up)) return 'end';
  if (ts.isTypeNode(up) || ts.isTypeQueryNode(up)) return 'type';
  if (ts.isBinaryExpression(up) && up.left === node && up.operatorToken.kind === ts.SyntaxKind.EqualsToken) return 'write';
  return 'read';
}

function references(file, offset) {
  const out = [];
  for (const symbol of service.findReferences(file, offset) || []) {
    for (const r of symbol.references) {
      if (!r.isDefinition) out.push({ path: path.relative(root, r.fileName), offset: r.textSpan.start, kind: kindOf(r.fileName, r.textSpan.start) });
    }
  }
  return out;
}
function definition(file, offset) {
  return (service.getDefinitionAtPosition(file, offset) || []).map((d) => ({ path: path.relative(root, d.fileName), offset: d.textSpan.start }));
}
for (const q of input.questions) {
  let out = [];
  try {
    out = (input.about === 'definition' ? definition : references)(path.join(root, q.path), q.offset);
  } catch (e) {
    process.stderr.write(q.path + ': ' + e + '\n');
  }
  process.stdout.write(JSON.stringify(out) + '\n');
}
