/**
 * Any payload from Slack, or from a holder of its secret: no crash, always an answer, and no rights beyond
 * the sender's role.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { actionIds, viewIds } from '../../src/slack/kit/ids.ts';
import { exportAudit } from '../features/read-audit.ts';
import { brokenInside } from './broken-inside.ts';
import { fuzz } from './fuzz.ts';
import { changes, hostileValue, type Json, writeChanged } from './hostile-json.ts';
import { type Donor, type Forger, type Payload, startForger } from './slack-forger.ts';

let forger: Forger;
beforeAll(async () => {
  forger = await startForger();
  expect(forger.donors.length).toBeGreaterThan(100);
  expect(brokenInside(forger.desk.app)).toEqual([]);
});
afterAll(async () => {
  // Every member may use these; the rest needs a role that none of them has.
  const free = new Set([
    'subscribed',
    'unsubscribed',
    'followed',
    'unfollowed',
    'muted',
    'unmuted',
    'access-asked',
    'digest',
  ]);
  const { slack } = forger.desk;
  slack.attachHttp(`${forger.desk.app.address()}/slack/events`);
  const { rows } = await exportAudit(forger.desk, forger.desk.person('ada'));
  const idsOf = (names: readonly string[]) => names.map((name) => slack.user(name).id);
  const by = (names: readonly string[]) =>
    rows.filter((it) => idsOf(names).includes(it['person'] ?? '')).map((it) => it['action'] ?? '');
  expect(rows.length).toBeGreaterThan(10);
  expect(by(['cem', 'gus', 'sam']).filter((it) => !free.has(it))).toEqual([]);
  expect(by(['gus', 'sam'])).toEqual([]);
  await forger.stop();
});

/** Values at positions that Slack fills with our data, or that name a person or thing. */
const FORGED_PLACES = [
  'value',
  'private_metadata',
  'action_id',
  'callback_id',
  'block_id',
  'id',
  'root_view_id',
  'ts',
  'text',
  'hash',
  'view_id',
];

interface Forgery {
  readonly user: string;
  readonly donor: number;
  /** A field name, and the source of its value: another donor, a known id, or anything. */
  readonly swaps: readonly {
    readonly place: string;
    readonly from: number;
    readonly anything: string | undefined;
  }[];
}

/** Limits the total size: larger requests are rejected anyway. */
function clipped(text: string): string {
  return text.slice(0, 5_000);
}

const swaps = fc.array(
  fc.record({
    place: fc.constantFrom(...FORGED_PLACES),
    from: fc.nat(5_000),
    anything: fc.option(
      fc.oneof(
        hostileValue.map(clipped),
        fc.constantFrom(...Object.values(actionIds), ...Object.values(viewIds)),
      ),
      {
        nil: undefined,
      },
    ),
  }),
  { maxLength: 3 },
);

/** All values under this field name in any donor. */
function valuesAt(place: string): readonly Json[] {
  const found: Json[] = [];
  const look = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      if (name === place && typeof each === 'string') found.push(each);
      look(each);
    }
  };
  for (const { payload } of forger.donors) look(payload);
  return found;
}

/** Leaves out the sender: Slack vouches for it. */
const KEPT = new Set([
  'user',
  'team',
  'user_id',
  'team_id',
  'trigger_id',
  'response_url',
  'event_id',
  'type',
  'command',
  'channel',
  'api_app_id',
]);

function swapIn(value: Json, place: string, put: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => swapIn(item, place, put));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]): [string, Json] => {
      if (KEPT.has(name)) return [name, each];
      return [name, name === place && typeof each === 'string' ? put : swapIn(each, place, put)];
    }),
  );
}

function forge(payload: Payload, { swaps: wanted }: Forgery): Payload {
  return wanted.reduce((so, { place, from, anything }) => {
    const known = valuesAt(place);
    const put = anything ?? known[from % Math.max(1, known.length)] ?? '';
    return swapIn(so, place, put) as Payload;
  }, payload);
}

function donorOf(number: number): Donor {
  return forger.donors[number % forger.donors.length] ?? expect.fail('no donor');
}

/** Visible texts, and the marketplace's write requests. */
function effects() {
  const { slack, market, app } = forger.desk;
  const posts = market.service.requests().filter(({ method }) => method !== 'GET').length;
  return {
    calls: slack.apiCalls().length,
    shown: slack.ephemerals().length,
    posts,
    lines: app.logLines.length,
  };
}

async function sendForged(donor: Donor, text: string) {
  const before = effects();
  const answer = await forger.send(donor.type, text);
  await forger.desk.pass(3 * SECOND);
  const after = effects();
  expect(brokenInside(forger.desk.app, before.lines)).toEqual([]);
  return {
    ...answer,
    isAnswered: after.calls > before.calls || after.shown > before.shown || answer.body !== '',
    posts: after.posts - before.posts,
  };
}

/** Without its own response_url and with unparsable content: it names no user to answer. */
function namesNobody(forged: Payload, from: number): boolean {
  const isUnreadable = forger.desk.app.logLines
    .slice(from)
    .some((line) => /"kind":.*"problems":/u.test(line));
  return isUnreadable && !('response_url' in forged);
}

/** A plain link, and actions with a result on the card, which may already show it. */
const QUIET = [
  actionIds.openLink,
  actionIds.claim,
  actionIds.release,
  actionIds.unskip,
  actionIds.more,
  actionIds.invitationClaim,
  actionIds.invitationRelease,
];

/** Empty, or closes the view. */
function needsNoAnswer({ type, payload }: Donor, forged: Payload): boolean {
  if (type === 'events_api' || payload['type'] === 'view_closed') return true;
  // An empty answer closes the view in Slack, so it counts as the answer.
  if (payload['type'] === 'view_submission') return true;
  return QUIET.some((id) => JSON.stringify(forged['actions'] ?? '').includes(`"${id}"`));
}

async function close(user: string): Promise<void> {
  const { slack } = forger.desk;
  if (slack.view(user)) await slack.closeView({ user, all: true });
}

describe('whatever is sent in the name of Slack', () => {
  const forgery = fc.record({ user: fc.constantFrom('cem', 'gus', 'sam'), donor: fc.nat(5_000), swaps });

  fuzz(
    'with values, metadata and ids of others: it is answered, and nothing is done without the role',
    forgery,
    20,
    async (given) => {
      const donor = donorOf(given.donor);
      const payload = forge(await forger.asSentBy(given.user, donor), given);
      const { lines } = effects();
      const sent = await sendForged(donor, JSON.stringify(payload));
      expect(sent).toMatchObject({ status: 200, posts: 0 });
      const isQuiet = needsNoAnswer(donor, payload) || namesNobody(payload, lines);
      if (!sent.isAnswered && !isQuiet)
        expect.fail(`nobody was answered: ${JSON.stringify(payload).slice(0, 3_000)}`);
      await close(given.user);
    },
  );

  const changed = fc.record({
    user: fc.constantFrom('ada', 'ben', 'cem', 'gus', 'sam'),
    donor: fc.nat(5_000),
    changes,
  });

  fuzz('in whatever shape: it is acknowledged or refused, and nothing breaks', changed, 20, async (given) => {
    const donor = donorOf(given.donor);
    const payload = await forger.asSentBy(given.user, donor);
    const { status, posts } = await sendForged(donor, writeChanged(payload, given.changes));
    // 500: the SDK couldn't recognize it.
    expect([200, 400, 413, 500]).toContain(status);
    if (['cem', 'gus', 'sam'].includes(given.user)) expect(posts).toBe(0);
    expect('polluted' in {}).toBe(false);
    await close(given.user);
  });
});
