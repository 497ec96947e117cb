// Checks TypeScript projects with the native compiler (version 7) that they install, and prints what it holds about
// each diagnostic as JSON lines, the same as tsc-collect.mjs does for versions 3 to 6. The last line is a summary;
// without it the run was cut off.
//
//   node tsc7-collect.mjs --typescript <package folder> <tsconfig.json> [<tsconfig.json> ...]
//
// Exit status: 0 no errors, 1 errors, 3 could not start (one line on stderr says why).
// Nothing is written to disk. Projects are opened as an editor opens them: what a project references is read from its
// sources, so that no output has to be built before. `tsc -b` can't do that: it writes outputs, with `--noEmit` it
// still writes .tsbuildinfo files and rejects every reference with TS6310, and `tsc -p` asks for built outputs with
// TS6305 (seen with 7.0.2). The API is marked unstable (`typescript/unstable/sync`).
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const CATEGORY = ["warning", "error", "suggestion", "message"];
// About outputs alone: rootDir is not set, an output would overwrite a source. `tsc --noEmit` leaves them out as well.
const ABOUT_OUTPUTS = new Set([5011, 5055, 5056]);

class CannotStart extends Error {}

const slashed = (file) => file.split(path.sep).join("/");
const shown = (file) => slashed(path.relative(process.cwd(), path.resolve(file)));

/** The tsconfig.json that a path on the command line or in "references" means. */
function configFile(name) {
  const file = path.resolve(name);
  return slashed(existsSync(file) && statSync(file).isDirectory() ? path.join(file, "tsconfig.json") : file);
}

function readArguments(args) {
  const configs = [];
  let packageFolder;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--typescript") packageFolder = args[++i];
    else configs.push(configFile(args[i]));
  }
  if (!packageFolder || configs.length === 0)
    throw new CannotStart("usage: tsc7-collect.mjs --typescript <package folder> <tsconfig.json>...");
  const missing = configs.find((file) => !existsSync(file));
  if (missing) throw new CannotStart(`${shown(missing)}: no such file`);
  return { packageFolder: path.resolve(packageFolder), configs };
}

async function loadApi(folder) {
  const manifest = path.join(folder, "package.json");
  if (!existsSync(manifest)) throw new CannotStart(`${folder}: no such package`);
  const { name, version } = JSON.parse(readFileSync(manifest, "utf8"));
  try {
    const { API } = await import(pathToFileURL(createRequire(manifest).resolve(`${name}/unstable/sync`)).href);
    if (typeof API !== "function") throw new Error("it exports no API");
    return { API, version };
  } catch (error) {
    const [reason] = String(error.message).split("\n");
    throw new CannotStart(`${folder}: typescript ${version} has no usable API: ${reason}`);
  }
}

/** Reads JSON with comments and trailing commas. */
function parseConfig(file) {
  const string = /"(?:\\.|[^"\\])*"/.source;
  const comments = new RegExp(`${string}|/\\*[^]*?\\*/|//[^\\n]*`, "g");
  const commas = new RegExp(`${string}|,(?=\\s*[\\]}])`, "g");
  const keepStrings = (found) => (found.startsWith('"') ? found : " ");
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text.replace(comments, keepStrings).replace(commas, keepStrings));
  } catch {
    return {}; // the compiler says what is wrong with it
  }
}

/** The given projects and all that they reference, references first. */
function withReferences(configs) {
  const ordered = new Set();
  const visited = new Set();
  const visit = (file) => {
    if (visited.has(file) || !existsSync(file)) return;
    visited.add(file);
    const { references } = parseConfig(file);
    for (const reference of Array.isArray(references) ? references : [])
      if (typeof reference?.path === "string") visit(configFile(path.resolve(path.dirname(file), reference.path)));
    ordered.add(file);
  };
  configs.forEach(visit);
  return [...ordered];
}

const texts = new Map();
function text(file) {
  if (!texts.has(file)) texts.set(file, existsSync(file) ? readFileSync(file, "utf8").replace(/^\uFEFF/, "") : "");
  return texts.get(file);
}

/** The offsets at which the lines of a file begin. */
const starts = new Map();
function lineStarts(file) {
  if (!starts.has(file)) {
    const found = [0];
    for (const { index, 0: end } of text(file).matchAll(/\r\n|[\n\r\u2028\u2029]/g)) found.push(index + end.length);
    starts.set(file, found);
  }
  return starts.get(file);
}

function point(file, offset) {
  const lines = lineStarts(file);
  let [low, high] = [0, lines.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lines[middle] <= offset) low = middle;
    else high = middle;
  }
  return { offset, line: low, character: offset - lines[low] };
}

const chain = (d, depth = 0) => [
  { depth, category: CATEGORY[d.category], code: d.code, text: d.text },
  ...(d.messageChain ?? []).flatMap((next) => chain(next, depth + 1)),
];

function common(d) {
  const placed = d.fileName !== undefined && d.pos >= 0;
  return {
    file: d.fileName === undefined ? null : shown(d.fileName),
    start: placed ? point(d.fileName, d.pos) : null,
    end: placed ? point(d.fileName, d.end) : null,
    category: CATEGORY[d.category],
    code: d.code,
    message: chain(d).map((line) => "  ".repeat(line.depth) + line.text).join("\n"),
  };
}

const record = (phase, d) => ({
  kind: "diagnostic",
  phase,
  ...common(d),
  chain: d.messageChain?.length ? chain(d) : [],
  related: (d.relatedInformation ?? []).map(common),
  source: null,
  unnecessary: Boolean(d.reportsUnnecessary),
  deprecated: Boolean(d.reportsDeprecated),
});

/**
 * Every list of one project, as [phase, diagnostic]. `tsc` leaves out the later lists when an earlier one has errors;
 * here all are given, so that repairing one error doesn't reveal forty. What the checker says about a file that
 * doesn't parse is left out: it judges text that the parser made up.
 */
function allLists({ program, compilerOptions }) {
  const syntactic = program.getSyntacticDiagnostics();
  const broken = new Set(syntactic.map((d) => d.fileName));
  const lists = [
    ["config", program.getConfigFileParsingDiagnostics()],
    ["options", program.getProgramDiagnostics().filter((d) => !ABOUT_OUTPUTS.has(d.code))],
    ["global", program.getGlobalDiagnostics()],
    ["syntactic", syntactic],
    ["semantic", program.getSemanticDiagnostics().filter((d) => !broken.has(d.fileName))],
  ];
  if (compilerOptions.declaration || compilerOptions.composite)
    lists.push(["declaration", program.getDeclarationDiagnostics().filter((d) => !broken.has(d.fileName))]);
  return lists.flatMap(([phase, list]) => list.map((d) => [phase, d]));
}

/** Resolves when the line has left this process, so that a slow reader loses nothing. */
const print = (object) => new Promise((done) => process.stdout.write(`${JSON.stringify(object)}\n`, done));

async function run() {
  const { packageFolder, configs } = readArguments(process.argv.slice(2));
  process.stdout.on("error", () => process.exit(1)); // the reader is gone: there is nobody left to tell
  const { API, version } = await loadApi(packageFolder);
  const projects = withReferences(configs);
  const summary = { diagnostics: 0, errors: 0 };
  const seen = new Set(); // several lists, and several projects with one file, may hold the same diagnostic
  const api = new API({ cwd: process.cwd() });
  try {
    const snapshot = api.updateSnapshot({ openProjects: projects });
    for (const config of projects) {
      const project = snapshot.getProject(config);
      if (!project) throw new Error(`${shown(config)}: the compiler did not load this project`);
      for (const [phase, d] of allLists(project)) {
        const key = JSON.stringify([d.fileName, d.pos, d.end, d.code, d.text]);
        if (seen.has(key)) continue;
        seen.add(key);
        summary.diagnostics++;
        if (CATEGORY[d.category] === "error") summary.errors++;
        await print(record(phase, d));
      }
    }
  } finally {
    api.close();
  }
  await print({ kind: "summary", typescript: version, projects: projects.map(shown), ...summary });
  process.exitCode = summary.errors > 0 ? 1 : 0;
}

run().catch((error) => {
  process.stderr.write(`tsc7-collect: ${error instanceof CannotStart ? error.message : error.stack}\n`);
  process.exitCode = error instanceof CannotStart ? 3 : 2;
});
