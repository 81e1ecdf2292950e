/**
 * Checks the imports in `src` by five rules: a file imports from its own folder and from lower layers only;
 * a room of Slack sees the faces of other rooms; stores are opened where the program is put together; pure
 * files have no effects; there are no circles. The workbench, which judges the rest, shares nothing with it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** src has never had fewer modules: fewer means the parser failed. */
const FEWEST_MODULES = 400;

/** From the ground up: folders, and files directly in `src`. Inside of a layer, there are no circles. */
const LAYERS = [
  'base clock.ts env-file.ts errors.ts ids.ts log.ts on-new-node.ts seal.ts secret.ts slack-scopes.ts ' +
    'version.ts',
  'clock-watch.ts marketplace storage',
  'effects workspace.ts',
  'access aliases audit bidding credits decisions digests directory feed follows funnel hints invitations ' +
    'outbox profiles projects proposals query response schedule setups sources spending statistics ' +
    'templates typed',
  'slack',
  'backup cluster config.ts doctor installations ledger metrics moving proxy.ts',
  'app main.ts',
  'workbench',
].map((names) => names.split(' '));
const FEATURE_LAYER = 3;
const SLACK_LAYER = 4;
/** The API client and the store know nothing of each other. */
const STRANGERS_LAYER = 1;

/** Imports that run against a layer, or leave out a face, each with its reason. */
const EXCEPTIONS = new Set([
  // What a button says about the account; installing implements it.
  'slack -> src/installations/account-connection.ts',
  // Types of calls, which whole forms are built for.
  'slack/kit -> src/slack/core/routes.ts',
]);

/** Inside of `slack`: below the rooms. */
const SLACK_LAYERS = ['kit', 'core', 'delivery'];
/** Stores behind their port. */
const ENGINE = /^src\/storage\/((memory|journal)\/|(commit-log|disk|open-journal-store)\.ts$)/;
const EFFECTS = new RegExp(
  '^(node:(?!crypto$)|undici|lowdb|@slack/(bolt|web-api)|' +
    'src/marketplace/(http|transport|http-client)\\.ts$)',
);

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

const partOf = (file) => file.split('/')[1];
const roomOf = (file) => /^src\/slack\/([a-z]+)\//.exec(file)?.[1];
const layerOf = (file) => LAYERS.findIndex((parts) => parts.includes(partOf(file)));

function checkLayer(from, to) {
  if (partOf(from) === partOf(to) || EXCEPTIONS.has(`${partOf(from)} -> ${to}`)) return;
  const [layer, other] = [layerOf(from), layerOf(to)];
  if (other > layer) forbid(from, to, 'it is in a higher layer');
  if (layer === STRANGERS_LAYER && other === layer) forbid(from, to, 'they know nothing of each other');
}

function checkSlack(from, to) {
  const [room, other] = [roomOf(from), roomOf(to)];
  if (!room || !to.startsWith('src/slack/') || room === other) return;
  if (EXCEPTIONS.has(`slack/${room} -> ${to}`) || to === 'src/slack/delivery/health.ts') return;
  const [at, there] = [SLACK_LAYERS.indexOf(room), SLACK_LAYERS.indexOf(other)];
  if (at >= 0 && (there < 0 || there > at)) forbid(from, to, 'rooms use it');
  else if (there < 0 && to !== `src/slack/${other}/${other}.ts`)
    forbid(from, to, 'of another room only its face, such as cards/cards.ts');
  else if (at < 0 && other === 'delivery') forbid(from, to, 'delivery serves all rooms');
}

function checkStore(from, to) {
  const opens = layerOf(from) > SLACK_LAYER || partOf(from) === 'storage';
  if (ENGINE.test(to) && !opens) forbid(from, to, 'a store is known by its port');
  // Memory works without disk and database, and is used by those who open a store.
  const inMemory = 'src/storage/memory/';
  if (!from.startsWith('src/storage/') || from.startsWith(inMemory) === to.startsWith(inMemory)) return;
  if (from.startsWith(inMemory) && /^src\/storage\/(?!(commit-log|packed-json|store)\.ts$)/.test(to))
    forbid(from, to, 'memory works without it');
  if (to.startsWith(inMemory) && !from.startsWith('src/storage/open-'))
    forbid(from, to, 'only opening a store uses its memory');
}

/** A digest is a plain function; what is random in there is banned by the linter. */
function checkPure(from, { to, isType }) {
  const head = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(from, 'utf8'))?.[0] ?? '';
  const isPure = /^src\/(query|typed)\//.test(from) || /\bPure\b/.test(head);
  const isUsed = !isType || to.startsWith('node:');
  if (isPure && isUsed && (EFFECTS.test(to) || ENGINE.test(to))) forbid(from, to, 'the file is pure');
}

function checkWorkbench(from, to) {
  // A simulator that shares the schema agrees with its mistakes; what runs in the browser is compiled apart.
  if (from.startsWith('src/workbench/') && !from.startsWith('src/workbench/sandbox') && to.startsWith('src/'))
    if (!to.startsWith('src/workbench/') && to !== 'src/clock.ts')
      forbid(from, to, 'the workbench is a judge');
  if (from.startsWith('src/workbench/page/client/') && to.startsWith('src/'))
    if (!/^src\/workbench\/page\/(client\/|protocol\.ts$)/.test(to)) forbid(from, to, 'it runs in a browser');
  if (/^(react|react-dom|slack-blocks-to-jsx)\b/.test(to) && !from.startsWith('src/workbench/page/render/'))
    forbid(from, to, 'only the page is drawn with it');
}

for (const [from, all] of imports) {
  if (layerOf(from) < 0) problems.push(`${from} is in no layer`);
  for (const it of all) {
    const { to } = it;
    checkPure(from, it);
    checkWorkbench(from, to);
    if (layerOf(from) === FEATURE_LAYER && to.startsWith('@slack'))
      forbid(from, to, 'features know no Slack');
    if (!to.startsWith('src/')) continue;
    if (!imports.has(to)) forbid(from, to, 'there is no such file');
    checkLayer(from, to);
    checkSlack(from, to);
    checkStore(from, to);
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

/** Of files, types included; and of the folders of each layer. */
const byFile = new Map([...imports].map(([file, all]) => [file, new Set(all.map(({ to }) => to))]));
const byPart = new Map();
for (const [file, all] of imports) {
  const part = partOf(file);
  const beside = all.map(({ to }) => to).filter((to) => layerOf(to) === layerOf(file) && partOf(to) !== part);
  byPart.set(part, new Set([...(byPart.get(part) ?? []), ...beside.map(partOf)]));
}
for (const circle of [findCircle(byFile), findCircle(byPart)])
  if (circle) problems.push(`a circle: ${circle.join(' -> ')}`);

const links = [...imports.values()].reduce((count, all) => count + all.length, 0);
for (const problem of problems) console.error(problem);
if (files.length < FEWEST_MODULES || links < files.length) {
  console.error(`found only ${files.length} modules and ${links} imports, so the check itself is broken`);
  process.exit(1);
}
if (problems.length > 0) process.exit(1);
console.log(`boundaries OK: ${files.length} modules, ${links} imports`);
