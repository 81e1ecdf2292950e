/** Hints of outside tools: the address, who sees it, what a hint changes, and what it never changes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { hintSecrets } from '../../src/hints/hints.ts';
import { TeamId } from '../../src/ids.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import type { SlackView } from '../../src/workbench/slack/simulated-slack.ts';
import { buttonsOf, pressButton } from './buttons.ts';
import { openHintsForm, type SentHint, sendHint, shownSecret } from './hint-sender.ts';
import { readMetrics } from './read-metrics.ts';
import { openedForm, openSettings } from './settings-form.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let secret: string;

/** The feed reads one filter every 10 s, so each one is read every 80 s or so. */
const FOLLOWED = [101, 102, 103, 104, 105, 106, 107, 108];
const UNFOLLOWED = 201;
const SOON = 25 * SECOND;

async function begin(mode: 'socket' | 'http' = 'socket'): Promise<void> {
  world = await startWorld({
    mode,
    requestsPerMinute: 8,
    env: { MARKETPLACE_REQUESTS_PER_MINUTE: '8', DEFAULT_CHANNEL_BUDGET: '500' },
  });
  for (const id of [...FOLLOWED, UNFOLLOWED]) world.marketplace.addFilter({ id });
  for (const id of FOLLOWED) {
    await world.gig('web', `subscribe filter ${id}`);
    await world.until('its first read', () => readsOf(id).length > 0);
  }
  // The first project shows the unit of the marketplace's timestamps, which may take some reads.
  world.marketplace.publishProject(102);
  await world.until('the first card', () => world.told('web').length === 1, HOUR);
  secret = shownSecret(await openHintsForm(world));
}
beforeEach(() => begin());
afterEach(() => world.stop());

const send = (hint: SentHint) => sendHint(world, { secret, ...hint });
const other = (wrong: string) => `${wrong.slice(0, -4)}AAAA`;

/** Times of the requests for a filter's projects. */
function readsOf(filter: number): readonly number[] {
  const path = `/filters/${filter}/projects`;
  return world.marketplace.requests().flatMap((it) => (it.path === path ? [it.at] : []));
}

function gapsOf(filter: number): readonly number[] {
  const reads = readsOf(filter);
  return reads.slice(1).map((at, place) => at - (reads[place] ?? 0));
}

/** Until filter 101 was just read: its next turn is far away. */
async function becomeLast(): Promise<void> {
  const before = readsOf(101).length;
  await world.until('a read', () => readsOf(101).length > before, HOUR);
  await world.pass(11 * SECOND);
}

/** Whether filter 101 is read soon. */
async function isReadSoon(): Promise<boolean> {
  const before = readsOf(101).length;
  await world.pass(SOON);
  return readsOf(101).length > before;
}

async function delayOfCard(hint?: SentHint): Promise<number> {
  const before = world.told('web').length;
  const at = world.clock.now();
  world.marketplace.publishProject(101);
  if (hint) expect((await send(hint)).status).toBe(200);
  await world.until('the card', () => world.told('web').length > before, HOUR);
  return world.clock.now() - at;
}

/** In web alone. */
async function grantAdmin(user: string): Promise<void> {
  await world.gig('web', 'access');
  await world.pass(SECOND);
  const field = openedForm(world).blocks.find(({ block_id: id }) => id.startsWith('admins'))?.block_id ?? '';
  await world.slack.submitView({ user: 'ada', values: { [field]: [world.slack.user(user).id] } });
  await world.pass(2 * SECOND);
}

describe.each(['socket', 'http'] as const)('in %s mode', (mode) => {
  beforeEach(async () => {
    if (mode === 'socket') return;
    await world.stop();
    await begin(mode);
  });

  it('a hint makes its filter the next one to be read', async () => {
    await becomeLast();
    expect(await isReadSoon()).toBe(false);
    await becomeLast();
    expect(await delayOfCard({ query: '?filter=101' })).toBeLessThan(SOON);
    await becomeLast();
    const body = JSON.stringify({ event: 'match', data: [{ filter: { id: '101' } }] });
    expect(await delayOfCard({ body })).toBeLessThan(SOON);
  });

  it('only the right address counts', async () => {
    await becomeLast();
    const wrong = [other(secret), secret.slice(1), `${secret}x`, secret.split('-')[0], '', '%00', 'metrics'];
    for (const it of wrong) {
      const answer = await send({ secret: it ?? '', query: '?filter=101' });
      expect(answer).toEqual({ status: 404, text: 'not found\n' });
    }
    expect(await isReadSoon()).toBe(false);
    expect((await send({})).status).toBe(200);
    expect((await send({ method: 'GET' })).status).toBe(200);
    expect((await send({ method: 'PUT' })).status).toBe(405);
    expect((await send({ method: 'GET', secret: other(secret) })).status).toBe(404);
  });
});

describe('a hint', () => {
  it('waits until 10 seconds after the last read of its filter', async () => {
    await becomeLast();
    for (let second = 0; second < 90; second++) {
      await send({ query: '?filter=101' });
      await world.pass(SECOND);
    }
    expect(Math.min(...gapsOf(101))).toBeGreaterThanOrEqual(10 * SECOND);
    expect(readsOf(101).filter((at) => at > world.clock.now() - 90 * SECOND).length).toBeGreaterThan(2);
  });

  it('never reads a filter that nobody follows, or only a paused channel', async () => {
    await world.gig('data', `subscribe filter ${UNFOLLOWED}`);
    await world.pass(2 * MINUTE);
    await world.gig('data', 'pause');
    await world.pass(MINUTE);
    const before = readsOf(UNFOLLOWED).length;
    expect(before).toBeGreaterThan(0);
    for (const filter of [UNFOLLOWED, UNFOLLOWED, 999])
      expect((await send({ query: `?filter=${filter}` })).text).toContain('if a channel follows it');
    await world.pass(10 * MINUTE);
    expect(readsOf(UNFOLLOWED)).toHaveLength(before);
    expect(readsOf(999)).toEqual([]);
    const page = await readMetrics(world.address());
    expect(page.value('gigdesk_hints_total', { outcome: 'ignored' })).toBe(3);
    expect(page.value('gigdesk_hinted_reads_total')).toBe(0);
  });

  it('spends no credit that the budget would not allow', async () => {
    await world.gig('web', 'budget 10');
    await world.pass(MINUTE);
    for (let count = 0; count < 30; count++) world.marketplace.publishProject(101);
    for (let second = 0; second < 120; second++) {
      await send({ query: '?filter=101' });
      await world.pass(SECOND);
    }
    expect(world.marketplace.consumedCredits().periods.at(-1)?.charged).toBeLessThanOrEqual(10);
  });

  it('is only timing: a lost one delays a card, a repeated or late one posts nothing twice', async () => {
    await becomeLast();
    await delayOfCard();
    const before = world.told('web').length;
    for (let count = 0; count < 3; count++) {
      for (let again = 0; again < 5; again++) await send({ query: '?filter=101' });
      await world.pass(SOON);
    }
    expect(world.told('web')).toHaveLength(before);
  });
});

it('a flood of hints leaves every filter its turns, and the request limit whole', async () => {
  const from = world.clock.now();
  for (let second = 0; second < 300; second++) {
    const body = JSON.stringify([
      { filter: 101 },
      { filter: 102 },
      ...Array(20).fill({ filter: 5_000 + second }),
    ]);
    for (let again = 0; again < 3; again++) expect((await send({ body })).status).toBe(200);
    await world.pass(SECOND);
  }
  for (const filter of FOLLOWED)
    expect(readsOf(filter).filter((at) => at > from).length, String(filter)).toBeGreaterThan(0);
  expect(world.marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(8);
});

describe('a hostile body', () => {
  const cases: readonly [string, Omit<SentHint, 'query'>][] = [
    ['broken JSON', { body: '{"filter": 101' }],
    ['nothing', {}],
    ['bytes', { body: '\u0000\u0001\ufffd', type: 'application/octet-stream' }],
    ['deep nesting', { body: '['.repeat(100_000) }],
    ['another type', { body: '{"x": 1}', type: 'text/html' }],
    ['a long text', { body: JSON.stringify({ filter: 'x'.repeat(200_000) }) }],
    ['too much', { body: JSON.stringify({ x: 'x'.repeat(400_000) }) }],
  ];
  it.each(cases)('with %s gets 2xx, and its query counts', async (_, hint) => {
    await becomeLast();
    expect((await send(hint)).status).toBe(200);
    expect(await isReadSoon()).toBe(false);
    await becomeLast();
    expect((await send({ ...hint, query: '?filter=101' })).status).toBe(200);
    expect(await isReadSoon()).toBe(true);
  });

  it('is accepted with any content type, as JSON or as a form', async () => {
    for (const hint of [
      { body: '{"filter":101}', type: 'text/plain' },
      { body: 'payload=%7B%22filter_id%22%3A%22101%22%7D', type: 'application/x-www-form-urlencoded' },
    ]) {
      await becomeLast();
      await send(hint);
      expect(await isReadSoon()).toBe(true);
    }
  });
});

describe('the secret', () => {
  it('survives kills and restarts, and has at least 128 random bits', async () => {
    await world.crash();
    await world.restart();
    await becomeLast();
    expect(await delayOfCard({ query: '?filter=101' })).toBeLessThan(SOON);
    expect(shownSecret(await openHintsForm(world))).toBe(secret);
    expect(secret.split('-').slice(1).join('-').length * 6).toBeGreaterThanOrEqual(128);
  });

  it('is rotated with a button that asks first; the old one stops working at once', async () => {
    const view = openedForm(world);
    const [rotate] = buttonsOf(view, actionIds.hintsRotate);
    expect(rotate?.confirm).toBeDefined();
    await pressButton(world, { view }, 'Rotate');
    await world.pass(2 * SECOND);
    const next = shownSecret(openedForm(world));
    expect(next).not.toBe(secret);
    expect((await send({ query: '?filter=101' })).status).toBe(404);
    expect((await send({ secret: next, query: '?filter=101' })).status).toBe(200);
    await world.crash();
    await world.restart();
    expect((await send({ query: '?filter=101' })).status).toBe(404);
    expect((await send({ secret: next })).status).toBe(200);
  });

  it('is rotated once when two admins press at the same time', async () => {
    world.slack.addUser({ name: 'cem', admin: true });
    world.slack.invite('web', 'cem');
    const first = openedForm(world);
    const second = await openHintsForm(world, 'cem');
    expect(shownSecret(second)).toBe(secret);
    await pressButton(world, { view: first }, 'Rotate');
    await world.pass(2 * SECOND);
    await pressButton(world, { view: second }, 'Rotate', 'cem');
    await world.pass(2 * SECOND);
    expect(shownSecret(openedForm(world, 'cem'))).toBe(shownSecret(openedForm(world)));
  });

  it('is in the form of admins alone: in no message, no audit entry, no metric, no log line', async () => {
    await pressButton(world, { view: openedForm(world) }, 'Rotate');
    await world.pass(2 * SECOND);
    const next = shownSecret(openedForm(world));
    await send({ query: '?filter=101' });
    await send({ secret: next, query: '?filter=101' });
    await world.pass(MINUTE);
    const audit = await world.gig('web', 'audit');
    expect(audit).toContain('rotated the secret for hints');
    const seen = JSON.stringify([
      audit,
      (await readMetrics(world.address())).text,
      world.logLines,
      world.slack.messages('web'),
      world.slack.ephemerals('ada', 'web'),
      world.slack.directMessages('ada'),
    ]);
    for (const it of [secret, next]) {
      expect(seen).not.toContain(it);
      expect(seen).not.toContain(it.split('-').slice(1).join('-'));
    }
    expect(seen).not.toContain('/hooks/T');
  });

  it('is not shown to others, not even to admins of a single channel', async () => {
    await world.gig('web', 'settings', 'ben');
    await world.pass(SECOND);
    expect(buttonsOf(openedForm(world, 'ben'), actionIds.hints)).toEqual([]);
    await grantAdmin('ben');
    const view = await openSettings(world, 'web', 'ben');
    const [button] = buttonsOf(view, actionIds.hints);
    if (!button) return expect.fail('no button');
    const { blockId } = button;
    await world.slack.press({ view, user: 'ben', actionId: actionIds.hints, blockId, value: button.value });
    await world.pass(2 * SECOND);
    expect(openedForm(world, 'ben').id).toBe(view.id);
    expect(JSON.stringify([world.slack.view('ben'), world.slack.directMessages('ben')])).not.toContain(
      'hooks/',
    );
    const { team } = world.slack;
    const kept = await world.read((tx) => tx.get(hintSecrets, [TeamId.parse(team.id)]));
    expect(kept?.secret).toBe(secret);
  });
});

it('the form tells the last hint and how many came today, also after a restart', async () => {
  const words = (view: SlackView) => JSON.stringify(view.blocks);
  expect(words(openedForm(world))).toContain('none yet');
  await send({ query: '?filter=101' });
  await send({ body: '{"filterId": 999}' });
  const shown = words(await openHintsForm(world));
  expect(shown).toMatch(/<!date\^\d+\^[^|]+\|[^>]+>, for filter 999/u);
  expect(shown).toContain('no channel follows');
  expect(shown).toContain('2 hints');
  await world.pass(2 * MINUTE);
  await world.crash();
  await world.restart();
  expect(words(await openHintsForm(world))).toContain('2 hints');
});

it('the settings window of an admin has the button, and the address is whole in the form', async () => {
  expect(buttonsOf(await openSettings(world, 'web'), actionIds.hints)).toHaveLength(1);
  const text = JSON.stringify((await openHintsForm(world)).blocks);
  expect(text).toContain(`/hooks/${secret}`);
  expect(text).toContain('curl -X POST');
});
