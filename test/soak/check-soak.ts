/** Invariants after a soak, checked against the servers' own books. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { digestRecords } from '../../src/digests/records.ts';
import { TeamId } from '../../src/ids.ts';
import { type Post, posts } from '../../src/outbox/posts.ts';
import { scanCollection } from '../../src/storage/store.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { expectAllRight } from '../features/bid-books-check.ts';
import { errorsInLog } from '../features/healthy.ts';
import { type World, wordsOf } from '../features/world.ts';
import { DIGESTS, slotsOf } from './place.ts';
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
];

function allMessages({ slack }: World): readonly SlackMessage[] {
  const top = slack.channels().flatMap(({ id }) => slack.messages(id));
  const direct = slack.users().flatMap(({ id }) => slack.directMessages(id));
  return [...top.flatMap((it) => slack.thread(it.channel, it.ts)), ...direct];
}

function postOf({ metadata }: SlackMessage): string {
  const id = metadata?.event_payload['post'];
  return typeof id === 'string' ? id : '';
}

function readStored({ world }: Soak) {
  const prefix = [TeamId.parse(world.slack.team.id)] as const;
  return world.read(async (tx) => {
    const found = { posts: [] as Post[], late: [] as { channel: string; missed: number }[] };
    for await (const { value } of scanCollection(tx, posts, { prefix })) found.posts.push(value);
    for await (const { value } of scanCollection(tx, digestRecords, { prefix }))
      found.late.push({ channel: value.facts.channel, missed: value.facts.late?.missed ?? 0 });
    return found;
  });
}

type Stored = Awaited<ReturnType<typeof readStored>>;

/** No message appears twice in any channel, thread or direct message, and none stays pending. */
function expectOnce({ world }: Soak, { posts: stored }: Stored): void {
  const ids = allMessages(world).map(postOf).filter(Boolean);
  const seen = new Set<string>();
  const twice = ids.filter((id) => seen.has(id) || !seen.add(id));
  expect(twice, 'posted twice').toEqual([]);
  const inFlight = stored.filter(({ state }) => !['posted', 'bundled'].includes(state));
  expect(
    inFlight.map(({ id, state }) => `${id} ${state}`),
    'never posted',
  ).toEqual([]);
  const lost = stored.filter(({ id, state }) => state === 'posted' && !seen.has(id));
  expect(
    lost.map(({ id }) => id),
    'on record as posted, and nowhere in Slack',
  ).toEqual([]);
}

/** Each digest came once, or was covered by the next one. */
function expectDigests({ world, began }: Soak, { late }: Stored): void {
  for (const plan of DIGESTS) {
    const { id } = world.slack.channel(plan.channel);
    const came = world.slack
      .messages(plan.channel)
      .map(postOf)
      .filter((post) => /^digest:[^:]+:\d+$/u.test(post))
      .map((post) => Number(post.split(':').at(-1)));
    const due = slotsOf(plan, began, world.clock.now());
    expect(
      came.filter((slot) => !due.includes(slot)),
      `digests of no slot in ${plan.channel}`,
    ).toEqual([]);
    const covered = late.filter(({ channel }) => channel === id).reduce((sum, { missed }) => sum + missed, 0);
    expect(came.length + covered, `digests in ${plan.channel}`).toBe(due.length);
  }
}

/** Invitations, each by itself or in a posted summary, and outcomes of the profile that #web follows. */
function expectProfileTold({ world, life }: Soak, { posts: stored }: Stored): void {
  const inWeb = world.slack.messages('web').flatMap((it) => world.slack.thread('web', it.ts));
  const own = inWeb.map(postOf);
  const summed = stored.filter(({ state, bundle = '' }) => state === 'bundled' && own.includes(bundle));
  const ids = [...own, ...summed.map(({ id }) => id)];
  const told = life.invitations.filter((uid) =>
    ids.some((id) => id.startsWith('invitation:') && id.includes(uid)),
  );
  expect(told, 'invitations').toEqual(life.invitations);
  const all = inWeb.map(wordsOf).join('\n');
  expect(
    life.hired.filter((title) => !all.includes(title)),
    'hires that nobody was told of',
  ).toEqual([]);
}

/** No 60 s with more requests than the limit; else the first such window, with the events up to then. */
function expectWithinLimit({ world, dice, options }: Soak): void {
  const limit = requestsPerMinute(options);
  const all = world.marketplace.requests();
  const place = all.findIndex(({ at }, index) => {
    const former = all[index - limit];
    return former !== undefined && at - former.at < MINUTE;
  });
  const last = all[place];
  if (!last) return;
  const shown = all.slice(Math.max(0, place - limit - 2), place + 3);
  const rows = shown.map(({ at, path, status }) => `${new Date(at).toISOString()} ${path} ${status}`);
  const before = dice.stepsAround(last.at, 20 * MINUTE);
  expect.fail(`more than ${limit} requests in 60 s:\n${[...rows, 'steps around it:', ...before].join('\n')}`);
}

function expectTemplates({ templates }: Soak): void {
  for (const [name, asked] of templates.asked)
    expect(templates.requested(name), `requests for ${name}`).toBeLessThanOrEqual(asked);
}

function expectQuietLog({ world }: Soak): void {
  const { slack, marketplace } = world;
  for (const token of [slack.botToken, slack.appToken, slack.signingSecret, marketplace.token])
    expect(
      world.logLines.filter((line) => line.includes(token)),
      'lines with a token',
    ).toEqual([]);
  const unexpected = errorsInLog(world).filter((line) => !EXPECTED_ERRORS.some((it) => it.test(line)));
  const byMessage = new Map(unexpected.map((line) => [line.replace(/.*"msg":/su, ''), line]));
  if (byMessage.size > 0) expect.fail(`errors in the log:\n${[...byMessage.values()].join('\n')}`);
}

/** @throws AssertionError with the broken promise */
export async function expectKept(soak: Soak): Promise<void> {
  expectWithinLimit(soak);
  await soak.books.expectAllRight();
  await expectAllRight(soak.bids);
  const stored = await readStored(soak);
  expectOnce(soak, stored);
  expectDigests(soak, stored);
  expectProfileTold(soak, stored);
  expectTemplates(soak);
  expectQuietLog(soak);
}
