// Checks TypeScript projects with the typescript package they install, and prints what the compiler holds about each
// diagnostic as JSON lines. The last line is a summary; without it the run was cut off.
//
//   node tsc-collect.mjs --typescript <package folder> <tsconfig.json> [<tsconfig.json> ...]
//
// Exit status: 0 no errors, 1 errors, 3 could not start (one line on stderr says why).
// Nothing is written to disk. Projects joined by references are built as `tsc -b` builds them, with every output kept
// in memory; all others are checked one by one.
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const writeStdout = process.stdout.write.bind(process.stdout);
const OUTPUT_NOT_BUILT = 6305;
const DECLARATION = /\.d\.([^./]+\.)?[cm]?ts$/;

class CannotStart extends Error {}

/** Stdout belongs to the records alone, whatever the loaded package prints. */
function guardStdout() {
  process.stdout.on("error", () => process.exit(1)); // the reader is gone: there is nobody left to tell
  process.stdout.write = process.stderr.write.bind(process.stderr);
  for (const name of ["log", "info", "debug", "dir", "table"]) console[name] = console.error;
}

function readArguments(args) {
  const given = [];
  let packageFolder;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--typescript") packageFolder = args[++i];
    else given.push(args[i]);
  }
  if (!packageFolder || given.length === 0)
    throw new CannotStart("usage: tsc-collect.mjs --typescript <package folder> <tsconfig.json>...");
  const configs = given.map((name) => {
    let file = path.resolve(name);
    if (existsSync(file) && statSync(file).isDirectory()) file = path.join(file, "tsconfig.json");
    if (!existsSync(file)) throw new CannotStart(`${shown(file)}: no such file`);
    return slashed(file);
  });
  return { packageFolder: path.resolve(packageFolder), configs: [...new Set(configs)] };
}

function loadTypeScript(folder) {
  const manifest = path.join(folder, "package.json");
  if (!existsSync(manifest)) throw new CannotStart(`${folder}: no such package`);
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  let ts;
  try {
    ts = createRequire(manifest)(folder);
  } catch (error) {
    const [reason] = String(error.message).split("\n");
    throw new CannotStart(`${folder}: typescript ${version} cannot be loaded as a library: ${reason}`);
  }
  if (typeof ts?.createProgram !== "function" || typeof ts.createSolutionBuilder !== "function")
    throw new CannotStart(`${folder}: typescript ${version} has no classic compiler API`);
  return ts;
}

const slashed = (file) => file.split(path.sep).join("/");
const shown = (file) => slashed(path.relative(process.cwd(), path.resolve(file)));

/**
 * The file system as the compiler sees it: the disk, above it the outputs built in this run. What earlier builds left
 * on disk under the name of such an output is not seen, nor is any build information: it may be stale or damaged.
 */
function overlayDisk(ts) {
  const disk = ts.sys;
  const written = new Map();
  const folders = new Set();
  const hidden = new Set();
  const realFolders = new Map();
  const fold = (name) => (disk.useCaseSensitiveFileNames ? name : name.toLowerCase());

  // An output that was never on disk can still be asked for through a symbolic link (node_modules/@scope/package).
  const realFolder = (folder) => {
    let real = realFolders.get(folder);
    if (real === undefined) {
      const parent = path.posix.dirname(folder);
      if (disk.directoryExists(folder) || parent === folder) real = slashed(disk.realpath?.(folder) ?? folder);
      else real = path.posix.join(realFolder(parent), path.posix.basename(folder));
      realFolders.set(folder, real);
    }
    return real;
  };
  const realName = (name) => {
    const absolute = slashed(path.resolve(name));
    return path.posix.join(realFolder(path.posix.dirname(absolute)), path.posix.basename(absolute));
  };
  const key = (name) => fold(realName(name));
  const invisible = (name) => name.endsWith(".tsbuildinfo") || (hidden.size > 0 && hidden.has(key(name)));
  const has = (name) => written.size > 0 && written.has(key(name));
  const read = (name) => (written.size > 0 ? written.get(key(name)) : undefined);

  const system = {
    ...disk,
    write: (text) => void process.stderr.write(text),
    fileExists: (name) => has(name) || (!invisible(name) && disk.fileExists(name)),
    readFile: (name, encoding) => read(name) ?? (invisible(name) ? undefined : disk.readFile(name, encoding)),
    directoryExists: (name) => disk.directoryExists(name) || (folders.size > 0 && folders.has(key(name))),
    realpath: (name) => (has(name) ? realName(name) : disk.realpath ? disk.realpath(name) : name),
    getModifiedTime: (name) => (has(name) ? new Date() : invisible(name) ? undefined : disk.getModifiedTime?.(name)),
    writeFile: (name, text) => {
      if (name.endsWith(".tsbuildinfo")) return;
      written.set(key(name), text);
      for (let folder = path.posix.dirname(key(name)); !folders.has(folder); folder = path.posix.dirname(folder))
        folders.add(folder);
    },
    deleteFile: (name) => void written.delete(key(name)),
    createDirectory: () => {},
    setModifiedTime: () => {},
  };
  return {
    system,
    key,
    /** The text of an output that exists in this run only. */
    output: read,
    hide: (names) => names.forEach((name) => hidden.add(key(name))),
    showDisk: () => hidden.clear(),
  };
}

/** Sorts the given projects into those joined by references, in the order they are built, and the plain ones. */
function plan(ts, overlay, configs) {
  const parsed = new Map();
  const parse = (config) => {
    const known = parsed.get(overlay.key(config));
    if (known) return known;
    const entry = { config, errors: [], command: undefined };
    const host = { ...overlay.system, onUnRecoverableConfigFileDiagnostic: (d) => entry.errors.push(d) };
    entry.command = ts.getParsedCommandLineOfConfigFile(config, {}, host);
    parsed.set(overlay.key(config), entry);
    return entry;
  };
  const graph = new Set();
  const visited = new Set();
  const visit = (entry) => {
    if (visited.has(entry)) return;
    visited.add(entry);
    for (const reference of entry.command?.projectReferences ?? [])
      visit(parse(slashed(ts.resolveProjectReferencePath(reference))));
    graph.add(entry); // after its references: build order
  };
  const given = configs.map(parse);
  const roots = given.filter(({ command }) => command?.options.composite || command?.projectReferences?.length);
  roots.forEach(visit);
  return { graph: [...graph], roots, plain: given.filter((entry) => !graph.has(entry)) };
}

const outputs = (ts, command) => ts.getAllProjectOutputs?.(command, !ts.sys.useCaseSensitiveFileNames) ?? [];
const declarations = (ts, { command }) => outputs(ts, command).filter((name) => DECLARATION.test(name));

/** Hides what earlier builds of these projects left on disk. A source of a project stays, whatever its name. */
function hideOutputs(ts, overlay, graph) {
  const commands = graph.flatMap(({ command }) => command ?? []);
  const sources = new Set(commands.flatMap((command) => command.fileNames.map(overlay.key)));
  for (const command of commands) {
    overlay.hide(outputs(ts, command).filter((name) => !sources.has(overlay.key(name))));
  }
}

/** Parses a declaration file once for all programs. How it is parsed and bound depends on nothing but this key. */
function declarationCache() {
  const cache = new Map();
  return (parse) => (name, format, ...rest) => {
    if (!DECLARATION.test(name)) return parse(name, format, ...rest);
    const { languageVersion = format, impliedNodeFormat, jsDocParsingMode } = Object(format);
    const key = [name, languageVersion, impliedNodeFormat, jsDocParsingMode].join("\0");
    const file = cache.get(key) ?? parse(name, format, ...rest);
    if (file) cache.set(key, file);
    return file;
  };
}

/**
 * Every list of one project, as [phase, diagnostic]. `tsc` leaves out the later lists when an earlier one has errors;
 * here all are given, so that repairing one error doesn't reveal forty. What the checker says about a file that
 * doesn't parse is left out, as `tsc` does: it judges text that the parser made up.
 */
function allLists(program, configErrors) {
  const lists = configErrors.map((d) => ["config", d]);
  const add = (phase, diagnostics) => diagnostics.forEach((d) => lists.push([phase, d]));
  add("options", program.getOptionsDiagnostics());
  add("global", program.getGlobalDiagnostics());
  for (const file of program.getSourceFiles()) {
    const syntactic = program.getSyntacticDiagnostics(file);
    add("syntactic", syntactic);
    if (syntactic.length === 0) add("semantic", program.getSemanticDiagnostics(file));
  }
  return lists;
}

/** Checks one project by itself. Sources of referenced projects are read directly, not their declarations. */
function checkAlone(ts, overlay, shareDeclarations, { command, errors }) {
  if (!command) return { lists: errors.map((d) => ["config", d]) };
  // Nothing is emitted, so nothing about emitting is to be said; the two options exclude each other in older versions.
  const { options, fileNames: rootNames, projectReferences } = command;
  options.noEmit = !options.emitDeclarationOnly; // in place: a copy would lose the places of the options
  const host = ts.createCompilerHost(options);
  for (const name of ["fileExists", "readFile", "directoryExists", "realpath"]) host[name] = overlay.system[name];
  host.writeFile = () => {};
  host.trace = (text) => overlay.system.write(text + "\n");
  host.useSourceOfProjectReferenceRedirect = () => true;
  host.getSourceFile = shareDeclarations(host.getSourceFile);
  const program = ts.createProgram({ rootNames, options, projectReferences, host });
  const lists = allLists(program, [...ts.getConfigFileParsingDiagnostics(command), ...errors]);
  if (options.declaration || options.composite)
    for (const d of program.getDeclarationDiagnostics()) lists.push(["declaration", d]);
  return { lists, program };
}

/** Builds projects joined by references; yields {lists, program} for each, and for what concerns no single project. */
function* buildGraph(ts, overlay, shareDeclarations, { graph, roots }) {
  if (roots.length === 0) return;
  let reported = [];
  const createProgram = (rootNames, options, host, ...rest) => {
    if (options) {
      // Who depends on a project with errors needs its declarations, and they are traced back to its sources.
      options.noEmitOnError = false;
      if (options.declaration || options.composite) options.declarationMap = true;
    }
    return ts.createEmitAndSemanticDiagnosticsBuilderProgram(rootNames, options, host, ...rest);
  };
  const host = ts.createSolutionBuilderHost(overlay.system, createProgram, (d) => reported.push(d), () => {});
  const builder = ts.createSolutionBuilder(host, roots.map(({ config }) => config), { force: true });
  const takeReported = () => reported.splice(0);
  const asConfig = (diagnostics) => ({ lists: diagnostics.map((d) => ["config", d]) });

  hideOutputs(ts, overlay, graph);
  const byKey = new Map(graph.map((entry) => [overlay.key(entry.config), entry]));
  const referenced = ({ command }) =>
    (command?.projectReferences ?? []).map((r) => byKey.get(overlay.key(ts.resolveProjectReferencePath(r))));
  const built = new Set();
  const incomplete = new Set(); // projects without all their declarations, and whatever stands on them
  for (let project; (project = builder.getNextInvalidatedProject()); ) {
    yield asConfig(takeReported());
    const entry = byKey.get(overlay.key(project.project));
    built.add(entry);
    const program = project.getProgram?.();
    const lists = program ? allLists(project, project.getConfigFileParsingDiagnostics()) : [];
    const known = new Set(lists.map(([, d]) => d));
    project.done();
    for (const d of takeReported()) if (!known.has(d)) lists.push([program ? "declaration" : "config", d]);
    // Where a declaration is missing because of an error elsewhere, that must not be said of this project.
    const misled =
      referenced(entry).some((r) => incomplete.has(r)) || lists.some(([, d]) => d.code === OUTPUT_NOT_BUILT);
    if (misled || declarations(ts, entry).some((name) => overlay.output(name) === undefined)) incomplete.add(entry);
    yield misled ? checkAlone(ts, overlay, shareDeclarations, entry) : { lists, program };
  }
  builder.build(); // nothing is left to build; this reports a reference cycle
  yield asConfig(takeReported());

  // The builder leaves out every project when there is a cycle, and before 5.6 what depends on a project with errors.
  for (const entry of graph)
    if (!built.has(entry) && entry.command?.fileNames.length) yield checkAlone(ts, overlay, shareDeclarations, entry);
}

/** Turns diagnostics into records. Places in a declaration that exists in memory only are traced to its source. */
function recorder(ts, overlay) {
  const maps = new Map();
  const readMap = (name) => {
    const id = overlay.key(name);
    if (!maps.has(id)) {
      const text = overlay.output(`${name}.map`);
      const map = text === undefined || !ts.decodeMappings ? undefined : JSON.parse(text);
      maps.set(id, map && { sources: map.sources, mappings: [...ts.decodeMappings(map.mappings)] });
    }
    return maps.get(id);
  };
  const traceToSource = (file, start) => {
    const map = overlay.output(file.fileName) === undefined ? undefined : readMap(file.fileName);
    const at = ts.getLineAndCharacterOfPosition(file, start);
    const hit = map?.mappings.findLast(
      (m) => m.generatedLine === at.line && m.generatedCharacter <= at.character && m.sourceIndex !== undefined,
    );
    if (!hit) return undefined;
    const fileName = path.resolve(path.dirname(file.fileName), map.sources[hit.sourceIndex]);
    const text = overlay.system.readFile(fileName);
    if (text === undefined) return undefined;
    const source = { fileName, text };
    return { file: source, start: ts.getPositionOfLineAndCharacter(source, hit.sourceLine, hit.sourceCharacter) };
  };
  const span = ({ file, start, length = 0 }) => {
    if (!file || start === undefined) return { file, start };
    const source = traceToSource(file, start);
    if (!source) return { file, start, end: start + length };
    const words = file.text.slice(start, start + length);
    return { ...source, end: source.start + (source.file.text.startsWith(words, source.start) ? length : 0) };
  };
  const point = (file, offset) =>
    file && offset !== undefined ? { offset, ...ts.getLineAndCharacterOfPosition(file, offset) } : null;
  const category = (c) => ts.DiagnosticCategory[c].toLowerCase();
  const common = (d) => {
    const { file, start, end } = span(d);
    return {
      file: file ? shown(file.fileName) : null,
      start: point(file, start),
      end: point(file, end),
      category: category(d.category),
      code: d.code,
      message: ts.flattenDiagnosticMessageText(d.messageText, "\n"),
    };
  };
  const chain = (m, depth = 0) => [
    { depth, category: category(m.category), code: m.code, text: m.messageText },
    ...(m.next ?? []).flatMap((next) => chain(next, depth + 1)),
  ];
  return (phase, d) => ({
    kind: "diagnostic",
    phase,
    ...common(d),
    chain: typeof d.messageText === "string" ? [] : chain(d.messageText),
    related: (d.relatedInformation ?? []).map(common),
    source: d.source ?? null,
    unnecessary: Boolean(d.reportsUnnecessary),
    deprecated: Boolean(d.reportsDeprecated),
  });
}

/** Resolves when the line has left this process, so that a slow reader loses nothing and memory stays bounded. */
const print = (record) => new Promise((done) => writeStdout(`${JSON.stringify(record)}\n`, done));

async function run() {
  const { packageFolder, configs } = readArguments(process.argv.slice(2));
  guardStdout();
  const ts = loadTypeScript(packageFolder);
  const overlay = overlayDisk(ts);
  const shareDeclarations = declarationCache();
  const { graph, roots, plain } = plan(ts, overlay, configs);
  const toRecord = recorder(ts, overlay);
  const files = new Set();
  const summary = { diagnostics: 0, errors: 0 };

  const report = async ({ lists, program }) => {
    for (const file of program?.getSourceFiles() ?? [])
      if (!program.isSourceFileDefaultLibrary(file) && overlay.output(file.fileName) === undefined)
        files.add(overlay.key(file.fileName));
    for (const [phase, diagnostic] of lists) {
      const record = toRecord(phase, diagnostic);
      summary.diagnostics++;
      if (record.category === "error") summary.errors++;
      await print(record);
    }
  };
  for (const part of buildGraph(ts, overlay, shareDeclarations, { graph, roots })) await report(part);
  overlay.showDisk();
  for (const entry of plain) await report(checkAlone(ts, overlay, shareDeclarations, entry));

  const projects = [...graph, ...plain].filter(({ command }) => command).map(({ config }) => shown(config));
  await print({ kind: "summary", typescript: ts.version, projects, files: files.size, ...summary });
  process.exitCode = summary.errors > 0 ? 1 : 0;
}

run().catch((error) => {
  process.stderr.write(`tsc-collect: ${error instanceof CannotStart ? error.message : error.stack}\n`);
  process.exitCode = error instanceof CannotStart ? 3 : 1;
});
