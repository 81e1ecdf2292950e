/** What must hold after any play: what people see is what the services' own books say. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { runLedgerCommand } from '../../src/ledger/verify.ts';
import { judgeBids } from './judge-bids.ts';
import { judgeCards } from './judge-cards.ts';
import { expectCreditsRight } from './judge-credits.ts';
import type { Play } from './play.ts';

/** Errors caused by the play's own faults, each with what an operator needs to know. */
const EXPECTED_ERRORS: readonly RegExp[] = [
  /ENOSPC: no space left|The database has no room left/u,
  /Failed to retrieve a new WSS URL .*internal_error/u,
  // People get a message with a reference to the line; the app retries its own requests.
  /"error":\{"name":"SlackCallError","message":"Slack: (?:network|unreadable|ratelimited|http_5..)"/u,
  // An answer was lost, and the repeat finds its window already open; or a press came too late, and the
  // person is asked to press again.
  /"error":\{"name":"SlackCallError","message":"Slack: (?:exchanged|expired)_trigger_id"/u,
  // The simulations skip seconds at once, even in the middle of a save, which is repeated.
  /"message":"No response within 2000 ms".*"msg":"Couldn't save the request gate's state, retrying"/u,
  // The same in the middle of an acknowledgement: the form stays open unchanged, and the person gets a
  // message.
  /"kind":"view [a-z]+".*"message":"the submission was not decided in time"/u,
  /"error":\{"name":"MarketplaceError"/u,
  // Slack repeats a form after a restart: the form is expired, and its window closed.
  /"kind":"view [a-z]+".*"error":\{"name":"SlackCallError","message":"Slack: not_found"/u,
  // A connection that a kill has cut.
  /"line":"WebSocket error/u,
];

/** The chain of decisions is whole, and the audit log names its entries. In a database, other tests check. */
async function expectLedgerWhole({ desk: { app } }: Play): Promise<void> {
  const { disk, database, copyFolder } = app.data;
  if (database) return;
  const copy = await copyFolder();
  const folder = await mkdtemp(path.join(tmpdir(), 'gigdesk-play-'));
  for (const name of await disk.list(copy))
    await writeFile(path.join(folder, name), disk.read(path.join(copy, name)));
  const env = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', MARKETPLACE_API_TOKEN: 'token' };
  const config = readConfig({ ...env, MARKETPLACE_API_URL: 'https://marketplace.invalid', DATA_DIR: folder });
  expect(await runLedgerCommand(['verify'], config)).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
}

/** No 60 s with more requests than the limit; else the first such window, with the events up to then. */
function expectWithinLimit({ desk, dice, options }: Play): void {
  const { requestsPerMinute: limit = 30 } = options;
  const all = desk.market.service.requests();
  const place = all.findIndex(({ at }, index) => at - (all[index - limit]?.at ?? 0) < MINUTE);
  const last = all[place];
  if (!last) return;
  const rows = all
    .slice(Math.max(0, place - limit - 2), place + 3)
    .map((it) => `${new Date(it.at).toISOString()} ${it.path} ${it.status}`);
  const steps = dice.stepsAround(last.at, 20 * MINUTE);
  expect.fail(`more than ${limit} requests in 60 s:\n${[...rows, 'steps around it:', ...steps].join('\n')}`);
}

function expectTemplatesAsked({ desk, templates }: Play): void {
  const nameOf = (body: unknown) => (body as { readonly name?: unknown } | undefined)?.name;
  const sent = desk.market
    .requests('/proposal-templates')
    .filter((it) => it.method === 'POST' && it.status !== 429)
    .map(({ body }) => nameOf(body));
  for (const [name, asked] of templates)
    expect(sent.filter((it) => it === name).length, `requests for ${name}`).toBeLessThanOrEqual(asked);
}

/** @throws AssertionError with the broken promise */
export async function judge(play: Play): Promise<void> {
  expectWithinLimit(play);
  await expectCreditsRight(play);
  judgeCards(play);
  await judgeBids(play);
  expectTemplatesAsked(play);
  expect(play.wrongHints, 'answers to hints').toEqual([]);
  await expectLedgerWhole(play);
  const errors = play.desk.app.logLines.filter((it) => it.includes('"level":50'));
  expect(errors.filter((line) => !EXPECTED_ERRORS.some((it) => it.test(line)))).toEqual([]);
}

/** Plays it with `steps` moves, or as told, and judges it. @throws Error with the steps that led there */
export async function playAndJudge(play: Play, act: () => Promise<void>): Promise<void> {
  try {
    await act();
    await play.calm();
    await judge(play);
  } catch (thrown) {
    throw new Error(`after these steps:\n${play.dice.steps.join('\n')}`, { cause: thrown });
  }
}
