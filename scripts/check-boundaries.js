/**
 * Checks the directions of imports in `src`: base, then storage and marketplace, then features, then Slack,
 * then what puts them together. Nobody imports the workbench, pure files do nothing, there are no circles.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** src has never had fewer modules: fewer means the parser failed. */
const FEWEST_MODULES = 400;

const GROUND = /^src\/((ids|clock|errors|log|secret)\.ts$|base\/)/;
const FEATURES = new RegExp(
  '^src/(access|aliases|audit|bidding|credits|decisions|digests|directory|feed|follows|funnel|hints|' +
    'invitations|outbox|profiles|projects|proposals|query|response|schedule|setups|sources|spending|' +
    'statistics|templates|typed)/',
);
/** The store behind its port. */
const ENGINE = /^src\/storage\/((memory|journal)\/|(commit-log|disk|open-journal-store)\.ts$)/;
const SLACK = /^src\/slack\//;
const ROOM = /^src\/slack\/(?!core\/|kit\/|delivery\/)([a-z]+)\//;

/** Files that match `from` import nothing that matches `to`, but what matches `except`. */
const RULES = [
  { from: /^src\/(?!workbench\/)/, to: /^src\/workbench\// },
  // A simulator that shares the schema agrees with its mistakes.
  { from: /^src\/workbench\/(?!sandbox)/, to: /^src\//, except: /^src\/(workbench\/|clock\.ts$)/ },
  // What runs in the browser is compiled apart.
  {
    from: /^src\/workbench\/page\/client\//,
    to: /^src\//,
    except: /^src\/workbench\/page\/(client\/|protocol\.ts$)/,
  },
  { from: /^src\/(?!workbench\/page\/render\/)/, to: /^(react|react-dom|slack-blocks-to-jsx)\b/ },
  { from: /^src\/base\//, to: /^src\//, except: GROUND },
  { from: /^src\/marketplace\//, to: /^src\/(?!marketplace\/)/, except: GROUND },
  { from: /^src\/storage\//, to: /^src\/(?!storage\/)/, except: GROUND },
  {
    from: /^src\/effects\//,
    to: /^src\/(?!effects\/|storage\/store\.ts$|clock-watch\.ts$)/,
    except: GROUND,
  },
  // Everyone but those who open it knows the port, not the engine.
  {
    from: new RegExp(
      '^src/(?!storage/|app-contract\\.ts$|workspace-records\\.ts$|doctor/|backup/|ledger/|moving/|' +
        'workbench/sandbox-ports\\.ts$)',
    ),
    to: ENGINE,
  },
  {
    from: /^src\/storage\/memory\//,
    to: /^src\/storage\/(?!memory\/|(commit-log|packed-json|store)\.ts$)/,
  },
  { from: /^src\/storage\/(?!memory\/|open-(journal|postgres)-store\.ts$)/, to: /^src\/storage\/memory\// },
  {
    from: FEATURES,
    to: /^(src\/(slack|cluster|workbench|doctor|metrics|backup|moving)\/|src\/(app|main|config)\.ts$|@slack)/,
  },
  { from: /^src\/slack\/kit\//, to: SLACK, except: /^src\/slack\/(kit\/|core\/routes\.ts$)/ },
  { from: /^src\/slack\/core\//, to: SLACK, except: /^src\/slack\/(core\/|kit\/|delivery\/health\.ts$)/ },
  { from: /^src\/slack\/delivery\//, to: SLACK, except: /^src\/slack\/(core|kit|delivery)\// },
  { from: SLACK, to: /^src\/cluster\// },
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'))
  .map((name) => path.join('src', name));

/** @returns {{ to: string, isType: boolean }[]} */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const named = [
    ...module.staticImports.map((it) => ({
      name: it.moduleRequest.value,
      isType: it.entries.length > 0 && it.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((it) =>
        it.moduleRequest ? [{ name: it.moduleRequest.value, isType: it.isType }] : [],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      name: text.slice(start + 1, end - 1),
      isType: false,
    })),
  ];
  return named.map(({ name, isType }) => ({
    to: name.startsWith('.') ? path.join(path.dirname(file), name) : name,
    isType,
  }));
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));
const problems = [];
const forbid = (from, to, why) => problems.push(`${from} must not import ${to}: ${why}`);

function checkRoom(from, to) {
  const [, room] = ROOM.exec(from) ?? [];
  const [, other] = ROOM.exec(to) ?? [];
  if (room && other && room !== other && to !== `src/slack/${other}/${other}.ts`)
    forbid(from, to, 'of another room only its face, such as cards/cards.ts');
  if (room && /^src\/slack\/delivery\/(?!health\.ts$)/.test(to))
    forbid(from, to, 'delivery serves all rooms');
}

/** A digest is a plain function; what is random in there is banned by the linter. */
const EFFECTS = new RegExp(
  '^(node:(?!crypto$)|undici|lowdb|@slack/(bolt|web-api)|' +
    'src/marketplace/(http|transport|http-client)\\.ts$)',
);

function checkPure(from, { to, isType }) {
  const isUsed = !isType || to.startsWith('node:');
  if (isUsed && (EFFECTS.test(to) || ENGINE.test(to))) forbid(from, to, 'the file is pure');
}

for (const [from, all] of imports) {
  const head = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(from, 'utf8'))?.[0] ?? '';
  const isPure = /^src\/(query|typed)\//.test(from) || /\bPure\b/.test(head);
  for (const it of all) {
    const { to } = it;
    if (to.startsWith('src/') && !imports.has(to)) forbid(from, to, 'there is no such file');
    for (const rule of RULES)
      if (rule.from.test(from) && rule.to.test(to) && !rule.except?.test(to)) forbid(from, to, 'see RULES');
    checkRoom(from, to);
    if (isPure) checkPure(from, it);
  }
}

/** Looks for a way back to a node that is still open. @param {Map<string, Set<string>>} graph */
function findCircle(graph) {
  const done = new Set();
  const visit = (node, way) => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...way, node]);
      if (circle) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle) return circle;
  }
  return undefined;
}

const values = new Map(
  [...imports].map(([file, all]) => [file, new Set(all.filter((it) => !it.isType).map(({ to }) => to))]),
);
const features = new Map();
for (const [file, all] of imports) {
  const [, from] = FEATURES.exec(file) ?? [];
  const known = all.flatMap(({ to }) => FEATURES.exec(to)?.[1] ?? []).filter((it) => it !== from);
  if (from) features.set(from, new Set([...(features.get(from) ?? []), ...known]));
}
for (const circle of [findCircle(values), findCircle(features)])
  if (circle) problems.push(`a circle: ${circle.join(' -> ')}`);

const links = [...imports.values()].reduce((count, all) => count + all.length, 0);
for (const problem of problems) console.error(problem);
if (files.length < FEWEST_MODULES || links < files.length) {
  console.error(`found only ${files.length} modules and ${links} imports, so the check itself is broken`);
  process.exit(1);
}
if (problems.length > 0) process.exit(1);
console.log(`boundaries OK: ${files.length} modules, ${links} imports`);
