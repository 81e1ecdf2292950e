/**
 * `npm run measure`: how large the code is, and how much of it a person has to know to follow one action from
 * end to end. Aims and the last results: docs/decisions/0024-measures.md.
 */
import { MINUTE, SECOND } from '../../src/clock.ts';
import { startWorld, type World } from '../../test/features/world.ts';
import { type LineStatistics, readSourceFiles, summarizeLines } from './count-lines.ts';
import { countStoreCalls, type Flow, followFlow } from './follow-flow.ts';

const product = readSourceFiles('src', (file) => !file.startsWith('src/workbench/'));
const tests = readSourceFiles('test', () => true);
const transactionsInSlack = product
  .filter(({ file }) => file.startsWith('src/slack/'))
  .reduce((sum, { text }) => sum + (text.match(/\bstore\.(?:read|transact)\(/gu)?.length ?? 0), 0);

function sizeRow(name: string, { files, lines, median, longest, short }: LineStatistics): string {
  return (
    `| ${name} | ${files} files, ${lines} lines, median ${median}, ${short} files under 30 lines, ` +
    `longest ${longest?.lines} (${longest?.file}) |`
  );
}

function flowRow(name: string, { files, functions, store: { get, getMany, list, put } }: Flow): string {
  const sum = get + getMany + list + put;
  const calls = `${get} gets, ${getMany} gets of many, ${list} lists, ${put} puts`;
  return `| ${name} | ${files} files, ${functions} functions, ${sum} store calls (${calls}) |`;
}

async function playProject(world: World): Promise<void> {
  const before = world.cards('web').length;
  world.marketplace.publishProject(101);
  await world.until('the card', () => world.cards('web').length > before);
}

countStoreCalls();
const world = await startWorld({ seed: 3 });
world.marketplace.addFilter({ id: 101, name: 'React work' });
await world.gig('web', 'subscribe filter 101');
await world.pass(MINUTE);
// Each action runs once before it is measured: what only the first time needs isn't part of it.
await playProject(world);
await world.pass(MINUTE);
const card = await followFlow(() => playProject(world));
await world.pass(MINUTE);

const lookUp = async () => {
  const { ciphertext } = world.marketplace.publishProject([]);
  await world.gig('web', `lookup ${ciphertext}`);
};
await lookUp();
const lookup = await followFlow(lookUp);

const openHome = async () => {
  await world.slack.openHome({ user: 'ada' });
  await world.pass(5 * SECOND);
};
await openHome();
const home = await followFlow(openHome);
const status = await followFlow(async () => {
  await world.gig('web', 'status');
});
await world.stop();

process.stdout.write(
  [
    '| what | now |',
    '|---|---|',
    sizeRow('product, without the workbench', summarizeLines(product)),
    sizeRow('tests', summarizeLines(tests)),
    `| transactions in src/slack | ${transactionsInSlack} |`,
    flowRow('new project to card', card),
    flowRow('`/gig lookup`', lookup),
    flowRow('opening the Home', home),
    flowRow('`/gig status`', status),
    '',
  ].join('\n'),
);
