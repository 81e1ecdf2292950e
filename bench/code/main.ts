/**
 * `npm run bench -- code`: how large the code is, and how much of it a person has to know to follow one
 * action from end to end: the files and functions that ran, without the simulated services, and the calls to
 * the store.
 */
import { MINUTE, SECOND } from '../../src/clock.ts';
import { type RunningApp, runApp } from '../../test/kit/run-app.ts';
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

async function playProject({ slack, marketplace, until }: RunningApp): Promise<void> {
  const before = slack.messages('web').length;
  marketplace.publishProject(101);
  await until('the card', () => slack.messages('web').length > before);
}

async function type({ slack, settle }: RunningApp, text: string): Promise<void> {
  await slack.runSlashCommand({ user: 'ada', channel: 'web', text });
  await settle();
}

countStoreCalls();
const app = await runApp({ seed: 3 });
app.marketplace.addFilter({ id: 101, name: 'React work' });
await type(app, 'subscribe filter 101');
await app.pass(MINUTE);
// Each action runs once before it is measured: what only the first time needs isn't part of it.
await playProject(app);
await app.pass(MINUTE);
const card = await followFlow(() => playProject(app));
await app.pass(MINUTE);

const lookUp = async () => {
  const { ciphertext } = app.marketplace.publishProject([]);
  await type(app, `lookup ${ciphertext}`);
};
await lookUp();
const lookup = await followFlow(lookUp);

const openHome = async () => {
  await app.slack.openHome({ user: 'ada' });
  await app.pass(5 * SECOND);
};
await openHome();
const home = await followFlow(openHome);
const status = await followFlow(async () => {
  await type(app, 'status');
});
await app.stop();

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
