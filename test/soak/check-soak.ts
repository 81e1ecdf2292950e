/** What must hold after a soak: what people see is what the servers' own books say. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { runLedgerCommand } from '../../src/ledger/verify.ts';
import type { LoggedRequest } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { messageAt } from '../kit/read-screen.ts';
import type { Desk } from '../kit/start-desk.ts';
import { CHANNELS } from './moves.ts';
import { requestsPerMinute, type Soak } from './soak.ts';

/** Errors caused by the soak's own faults, each with what an operator needs to know. */
const EXPECTED_ERRORS: readonly RegExp[] = [
  /ENOSPC: no space left/u,
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
/** In UTC; no clock changes during a soak. */
const DIGESTS = [
  { channel: 'web', at: 8 * HOUR, days: [0, 1, 2, 3, 4, 5, 6] },
  { channel: 'data', at: 22 * HOUR + 30 * MINUTE, days: [1, 2, 3, 4, 5] },
];

function postOf({ metadata }: SlackMessage): string {
  const post = metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

function textsIn({ slack }: Desk, channel: string): readonly string[] {
  const all = slack.messages(channel).flatMap((it) => slack.thread(channel, it.ts));
  return all.map((it) => messageAt(slack, it).text);
}

/** Each project that was due has one card, no other has one, and nothing else is posted twice. */
function expectOnce({ desk, published }: Soak): void {
  const { slack } = desk;
  for (const channel of CHANNELS) {
    const cards = slack.messages(channel).filter((it) => postOf(it).startsWith('card:'));
    const titles = cards.flatMap((it) => /\w+ job \d+ of us/u.exec(messageAt(slack, it).text)?.[0] ?? []);
    const due = published.filter(
      ({ title, project }) =>
        channel === 'web' || (channel === 'data' && !title.startsWith('Zebra') && follows(project, 102)),
    );
    const sorted = titles.toSorted();
    expect(new Set(titles).size, `different cards in ${channel}`).toBe(titles.length);
    if (channel !== 'ops')
      expect(sorted, `cards in ${channel}`).toEqual(due.map((it) => it.title).toSorted());
  }
  const top = slack.channels().flatMap(({ id }) => slack.messages(id));
  const direct = slack.users().flatMap(({ id }) => slack.directMessages(id));
  const all = new Set([...top.flatMap((it) => slack.thread(it.channel, it.ts)), ...direct]);
  const ids = [...all].map(postOf).filter(Boolean);
  expect(ids.length, 'posted twice').toBe(new Set(ids).size);
}

const follows = ({ filterIds }: { readonly filterIds: readonly number[] }, filter: number) =>
  filterIds.includes(filter);

/** A request answered with 429 had no effect and is repeated. */
function sentTo({ desk }: Soak, path: string): readonly LoggedRequest[] {
  return desk.market.requests(path).filter((it) => it.method === 'POST' && it.status !== 429);
}

const fieldOf = ({ body }: LoggedRequest, name: string) =>
  String((body as Readonly<Record<string, unknown>> | undefined)?.[name]);

/** Each form makes one request; a further bid on the project with the setup has shown the earlier one. */
function expectNoBidTwice(soak: Soak): void {
  const { desk, forms, approvals } = soak;
  const letters = sentTo(soak, '/auto-bidding/jobs/create').map((it) => fieldOf(it, 'cover_letter'));
  expect(letters.length, 'requests, one for each form').toBe(new Set(letters).size);
  expect(forms.map(({ letter }) => letter)).toEqual(expect.arrayContaining(letters));
  const { jobs } = desk.market;
  for (const [at, job] of jobs.entries()) {
    const same = (it: (typeof jobs)[number]) => it.projectId === job.projectId && it.setupId === job.setupId;
    const former = jobs.slice(0, at).findLast(same);
    const { shown = '' } = forms.find(({ letter }) => letter === job.coverLetter) ?? {};
    if (former)
      expect(shown, `the form of job ${job.id}`).toMatch(new RegExp(`#${former.id}|don't know`, 'u'));
    const presses = [...approvals].filter((it) => it.includes(`#${job.id}`)).length;
    const approved = sentTo(soak, `/auto-bidding/jobs/${job.id}/approve`).length;
    expect(approved, `approvals of job ${job.id}`).toBeLessThanOrEqual(presses);
  }
}

/** The card of its project, or the thread, has each job's number, or says that nobody knows of the bid. */
function expectJobsTold({ desk, published }: Soak): void {
  const { jobs } = desk.market;
  const threads = CHANNELS.flatMap((it) => desk.person('ada').reads(it)).map((it) =>
    [it, ...it.replies()].map(({ text }) => text).join('\n'),
  );
  const told = threads.flatMap((it) => it.match(/(?<=#)\d{5}\b/gu) ?? []);
  const made = new Set(jobs.map(({ id }) => String(id)));
  expect(
    told.filter((id) => !made.has(id)),
    'numbers of no job',
  ).toEqual([]);
  for (const { id, projectId } of jobs) {
    const title = published.find(({ project }) => project.id === projectId)?.title ?? '';
    const own = threads.filter((it) => it.includes(title)).join('\n');
    expect(own, `what is told of job ${id} on ${title}`).toMatch(new RegExp(`#${id}|don't know`, 'u'));
  }
}

/** Each digest came once, or was covered by the next one. */
function expectDigests({ desk, began }: Soak): void {
  const { slack, app } = desk;
  for (const { channel, at, days } of DIGESTS) {
    const posts = slack.messages(channel).filter((it) => /^digest:[^:]+:\d+$/u.test(postOf(it)));
    const came = posts.map((it) => Number(postOf(it).split(':').at(-1)));
    const first = Math.floor(began / DAY) * DAY + at;
    const slots = Array.from(
      { length: Math.ceil((app.clock.now() - first) / DAY) },
      (_, day) => first + day * DAY,
    );
    const due = slots.filter((it) => it > began && days.includes(new Date(it).getUTCDay()));
    expect(due, `slots of digests in ${channel}`).toEqual(expect.arrayContaining(came));
    const covered = posts.map((it) => /also covers (\d+) missed/u.exec(messageAt(slack, it).text)?.[1] ?? 0);
    const all = covered.reduce<number>((sum, it) => sum + Number(it), came.length);
    expect(all, `digests in ${channel}`).toBe(due.length);
  }
}

/** What the channels' budgets have counted is what was charged. */
async function expectCredits({ desk }: Soak): Promise<void> {
  let counted = 0;
  for (const channel of CHANNELS) {
    const { text } = await desk.person('ada').type('/gig budget', channel);
    const [, spent] = /([\d,]+)(?: of [\d,]+)? credits? spent/u.exec(text) ?? expect.fail(text);
    counted += Number(spent?.replaceAll(',', ''));
  }
  expect(counted, 'credits on budgets').toBe(desk.market.service.consumedCredits().total);
}

/** The ledger of decisions is whole, and the audit log names its entries. */
async function expectLedgerWhole({ desk }: Soak): Promise<void> {
  const { disk, copyFolder } = desk.app.data;
  const copy = await copyFolder();
  const folder = await mkdtemp(path.join(tmpdir(), 'gigdesk-soak-'));
  for (const name of await disk.list(copy))
    await writeFile(path.join(folder, name), disk.read(path.join(copy, name)));
  const env = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', MARKETPLACE_API_TOKEN: 'token' };
  const config = readConfig({ ...env, MARKETPLACE_API_URL: 'https://marketplace.invalid', DATA_DIR: folder });
  expect(await runLedgerCommand(['verify'], config)).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
}

/** No 60 s with more requests than the limit; else the first such window, with the events up to then. */
function expectWithinLimit({ desk, dice, options }: Soak): void {
  const limit = requestsPerMinute(options);
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

/** @throws AssertionError with the broken promise */
export async function expectKept(soak: Soak): Promise<void> {
  const { desk, invitations, proposals, templates } = soak;
  expectWithinLimit(soak);
  expectOnce(soak);
  expectNoBidTwice(soak);
  expectDigests(soak);
  const texts = CHANNELS.flatMap((it) => textsIn(desk, it));
  expectJobsTold(soak);
  const isTold = (words: string) => texts.some((it) => it.includes(words));
  const hired = proposals.filter((it) => it.isHired).map(({ title }) => title);
  expect(
    [...invitations, ...hired].filter((it) => !isTold(it)),
    'that nobody was told of',
  ).toEqual([]);
  for (const [name, asked] of templates) {
    const sent = sentTo(soak, '/proposal-templates').filter((it) => fieldOf(it, 'name') === name);
    expect(sent.length, `requests for ${name}`).toBeLessThanOrEqual(asked);
  }
  await expectCredits(soak);
  await expectLedgerWhole(soak);
  const errors = desk.app.logLines.filter((it) => it.includes('"level":50'));
  expect(errors.filter((line) => !EXPECTED_ERRORS.some((it) => it.test(line)))).toEqual([]);
}
