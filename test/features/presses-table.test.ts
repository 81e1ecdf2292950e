/**
 * Every action and view of the route table, pressed by whoever may not, with what isn't theirs, twice,
 * forged, and after its record is gone. What is new must be in the play (`press-play.ts`).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { routeTable } from '../../src/slack/all-routes.ts';
import { isJsonObject } from '../../src/workbench/slack/json-reading.ts';
import type { SentAppRequest } from '../../src/workbench/slack/simulated-slack.ts';
import { brokenInside } from '../fuzz/broken-inside.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { changes, hostileValue, isJson, writeChanged } from '../fuzz/hostile.ts';
import type { Desk } from '../kit/start-desk.ts';
import type { Deed } from './press-crawl.ts';
import { asSentBy, capture, Watcher, withOthers } from './press-forger.ts';
import { playEverything, startBoard } from './press-play.ts';

/** What admins alone may do. */
const ADMIN = new Set([
  'access',
  'access_decline',
  'access_grant',
  'access_scope',
  'account',
  'account_connect',
  'audit_page',
  'audit_page_back',
  'budget',
  'budget_confirm',
  'budget_set',
  'hints',
  'hints_rotate',
  'home_account_connect',
  'home_account_remove',
  'home_budget',
  'home_resume',
  'channel_resume',
  'response',
  'response_settings',
  'run_audit',
  'settings_budget',
  'settings_cards',
  'settings_mention',
  'settings_mentions',
  'settings_quiet',
  'settings_updates',
  'spending_rules',
]);
/** What bidders and admins may do. */
const BIDDER = new Set([
  'bid',
  'bid_afresh',
  'bid_check',
  'bid_look_up',
  'bid_more_room',
  'bid_open',
  'bid_reload',
  'bid_reopen',
  'bid_setup',
  'bid_swap_letter',
  'bid_use_letter',
  'bid_when',
  'details_bid',
  'held_approve',
  'held_review',
  'home_bid_check',
  'home_held_review',
  'home_reject',
  'home_review',
  'home_template_discard',
  'home_template_resume',
  'invitation_bid',
  'job_approve',
  'job_ask_again',
  'job_review',
  'lookup_bid',
  'result_bid',
  'run_template',
  'template',
  'template_answer',
  'template_answer_add',
  'template_answer_menu',
  'template_check',
  'template_choice',
  'template_discard',
  'template_from',
  'template_open',
  'template_room',
  'template_senders',
  'template_step',
]);
/** Their value says where they act: they check the role there themselves. */
const CHECK_THEMSELVES = (
  'job_approve job_review job_ask_again held_approve held_review channel_resume budget_confirm budget_set ' +
  'access_grant access_decline home_review home_held_review home_bid_check home_template_resume ' +
  'home_template_discard home_budget home_resume home_account_connect home_account_remove home_reject'
).split(' ');
/** What guests and external members may do, too. */
const OPEN = new Set(['open_link', 'run_help', 'run_list']);
/** Nothing answers these, or the window or the card that they change. */
const QUIET = new Set([
  'access_scope',
  'ask_to_approve',
  'hints_rotate',
  'job_reject',
  'lookup_claim',
  'open_link',
]);
/** Pausing again begins the pause anew, and says so. */
const REPEATABLE = new Set(['home_pause']);
/** `dan` is admin elsewhere; `lea` had a role in the channel until she left it. */
const OUTSIDE = ['dan', 'lea'];
const LETTER = /our hidden letter/iu;
/** What no short play reaches, with something of the same kind. */
const COPIED = Object.entries({
  ...Object.fromEntries(
    'audit budget digest job lookup proposals setups template'
      .split(' ')
      .map((it) => [`action run_${it}`, 'action run_help']),
  ),
  'action account_connect': 'action settings_budget',
  'action bid_reload': 'action home_bid_resume',
  'action budget_confirm': 'action ask_to_approve',
  'action flood_show_newest': 'action flood_show_more',
  'action home_account_connect': 'action home_budget',
  'action home_account_remove': 'action home_budget',
  'action ledger_page': 'action ledger_show',
  'action ledger_page_back': 'action ledger_show',
  'action response_dimension': 'action stats_funnel',
  'action response_snooze': 'action response_claim',
  'action response_times': 'action stats_funnel',
  'action result_projects_back': 'action result_projects',
  'action stats_dimension': 'action stats_funnel',
  'action template_check': 'action template_open',
  'action template_senders': 'action template_open',
  'view account': 'view budget',
  'view home_reject': 'view job_reject',
});
const REFUSAL = /:lock:|as a guest/iu;

const GARBLED = ['value', 'private_metadata', 'root_view_id', 'ts', 'message_ts'];
/** Fields that name a person or thing, or that hold the app's data. */
const FORGED = [...GARBLED, 'action_id', 'callback_id', 'block_id', 'id', 'view_id', 'hash', 'text'];
const NO_ROLE = ['cem', 'gus', 'sam'];

type Column = 'role' | 'elsewhere' | 'twice' | 'garbage' | 'gone';

let desk: Desk;
let watcher: Watcher;
const real = new Map<string, { readonly user: string; readonly request: SentAppRequest }>();
const found: Record<Column, string[]> = { role: [], elsewhere: [], twice: [], garbage: [], gone: [] };

const routes = [...routeTable.actions, ...routeTable.views];
beforeAll(async () => {
  desk = await startBoard();
  watcher = new Watcher(desk);
  await playEverything(desk, async (deed) => tryOut(deed, await capture(desk, deed.send)));
  for (const [name, like] of COPIED) {
    if (real.has(name)) throw new Error(`${name} is reached`);
    await tryCopy(name, real.get(like) ?? expect.fail(`nothing like ${like}`));
  }
}, 300 * SECOND);
afterAll(() => desk.stop());

/** Those in the channel who may not do this. */
function lowerThan(id: string, user: string): readonly string[] {
  if (OPEN.has(id)) return [];
  const viewers = ADMIN.has(id) || BIDDER.has(id) ? ['cem'] : [];
  const bidders = ADMIN.has(id) ? ['ben'] : [];
  return ['gus', 'sam', ...viewers, ...bidders].filter((name) => name !== user);
}

interface Sent {
  readonly by: string;
  /** Requests to the marketplace and posts that came of it at once. */
  readonly writes: readonly string[];
  readonly posts: readonly string[];
  /** What this person saw; empty for nothing. */
  readonly answer: string;
  readonly errors: readonly string[];
}

/** Sends each and waits. */
async function sendAll(
  requests: readonly (readonly [by: string, SentAppRequest])[],
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  watcher.look();
  for (const [by, request] of requests) {
    const { body } = await desk.slack.resendRequest(request);
    await desk.app.settle();
    const { answersTo, ...seen } = watcher.look();
    // An empty answer closes the form.
    const closed = request.payload['type'] === 'view_submission' ? 'closed' : '';
    sent.push({ by, ...seen, answer: answersTo(by) || (body ? JSON.stringify(body) : closed) });
  }
  // Some answers wait for a record that may come; all else that happens now is the clock's doing.
  await desk.pass(3 * SECOND);
  const { answersTo, errors } = watcher.look();
  for (const [by] of requests) if (desk.slack.view(by)) await desk.slack.closeView({ user: by, all: true });
  return sent.map((it) => ({
    ...it,
    answer: it.answer + answersTo(it.by),
    errors: [...it.errors, ...errors],
  }));
}

function report(column: Column, id: string, by: string, problems: readonly string[]): void {
  found[column].push(...problems.map((it) => `${id} by ${by}: ${it.slice(0, 300)}`));
}

/** In the name of those who may not, from another channel, and then twice by the one who may. */
async function tryOut({ user, id, send, kind }: Deed, request: SentAppRequest): Promise<void> {
  const name = `${kind} ${id}`;
  if (!real.has(name)) real.set(name, { user, request });
  const forged: [string, SentAppRequest][] = [];
  for (const by of OUTSIDE) forged.push([by, await asSentBy(desk, by, request, 'data')]);
  for (const by of lowerThan(id, user)) forged.push([by, await asSentBy(desk, by, request)]);
  const sent = await sendAll(forged);
  const there = sent.slice(0, OUTSIDE.length);
  const here = sent.slice(OUTSIDE.length);
  for (const { by, writes, posts, answer, errors } of here) {
    const isTold = kind === 'action' ? REFUSAL.test(answer) : answer !== '';
    report('role', id, by, [...writes, ...posts, ...errors]);
    if (!isTold && !QUIET.has(id)) report('role', id, by, [`saw ${answer}`]);
  }
  for (const each of there) checkFromOutside(id, each);
  watcher.look();
  await desk.settleAfter(Promise.all(REPEATABLE.has(id) ? [send()] : [send(), send()]));
  const last = desk.slack.sentRequests().at(-1);
  if (last) await desk.slack.resendRequest(last);
  await desk.app.settle();
  const { writes, posts, errors } = watcher.look();
  const posted = posts.filter((it) => it.startsWith('posted'));
  report('twice', id, user, [...repeated(writes), ...repeated(posted), ...errors]);
}

function checkFromOutside(id: string, sent: Sent): void {
  const isElsewhere = (it: string) => !it.includes(` in ${desk.slack.channel('data').id}`);
  report('elsewhere', id, sent.by, [...sent.writes, ...sent.posts.filter(isElsewhere), ...sent.errors]);
  if (sent.posts.length === 0) report('elsewhere', id, sent.by, silent(id, sent));
  if (LETTER.test(sent.answer)) report('elsewhere', id, sent.by, [`saw ${sent.answer}`]);
}

function silent(id: string, { answer }: Sent): readonly string[] {
  return answer === '' && !QUIET.has(id.replace(/^\w+ /u, '')) ? ['no answer'] : [];
}

function repeated(all: readonly string[]): readonly string[] {
  return all.filter((it, at) => all.indexOf(it) !== at).map((it) => `twice: ${it}`);
}

/** Tries out a request that the play doesn't lead to. */
async function tryCopy(name: string, of: Pick<Deed, 'user'> & { readonly request: SentAppRequest }) {
  const [kind, id = ''] = name.split(' ');
  const field = kind === 'view' ? 'callback_id' : 'action_id';
  const copy = withOthers(of.request, (it, value) => (it === field ? id : value));
  const send = async () => desk.slack.resendRequest(await asSentBy(desk, of.user, copy));
  await tryOut({ user: of.user, id, kind: kind === 'view' ? 'view' : 'action', send }, copy);
}

async function readAudit(): Promise<readonly string[]> {
  await desk.person('ada').type('/gig audit export', 'board');
  return desk.slack.files().at(-1)?.bytes.toString('utf8').split('\r\n') ?? [];
}

it('every action and view is reached', () => {
  const actions = routeTable.actions.map((it) => `action ${it.id}`);
  const views = routeTable.views.map((it) => `view ${it.id}`);
  expect([...actions, ...views].filter((it) => !real.has(it))).toEqual([]);
});

it('needs the role that is promised', () => {
  const stated = routes.filter((it) => !CHECK_THEMSELVES.includes(it.id));
  const isRight = ({ id, needs }: (typeof routes)[number]) =>
    ADMIN.has(id) === (needs === 'admin') && BIDDER.has(id) === (needs === 'bidder');
  const wrong = stated.filter((it) => !isRight(it));
  expect(wrong).toEqual([]);
});

it('who has too low a role changes nothing, and is told so', () => {
  expect(found.role).toEqual([]);
});

it('what belongs to a private channel is neither shown nor changed from another one', () => {
  expect(found.elsewhere).toEqual([]);
});

it('twice at once does it once', async () => {
  const lines = (await readAudit()).map((it) => it.replace(/,\d+,"[0-9a-f]+"$/u, ''));
  expect(lines.length).toBeGreaterThan(30);
  expect([...found.twice, ...repeated(lines.filter((it) => it !== ''))]).toEqual([]);
});

it(
  'garbage is answered, and changes nothing',
  async () => {
    for (const [name, { user, request }] of real) {
      const fresh = await asSentBy(desk, user, request);
      const garbled = withOthers(fresh, (it, value) => (GARBLED.includes(it) ? 'zz' : value));
      const [sent] = await sendAll([[user, garbled]]);
      if (sent)
        report('garbage', name, user, [...sent.writes, ...sent.posts, ...sent.errors, ...silent(name, sent)]);
    }
    expect(found.garbage).toEqual([]);
  },
  120 * SECOND,
);

/** A request of any kind, once the play is over. */
function pick(number: number): SentAppRequest {
  const typed = desk.slack.sentRequests().filter((it) => it.type !== 'interactive');
  const all = [...real.values()].map((it) => it.request).concat(typed.slice(0, 40));
  return all[number % all.length] ?? expect.fail('nothing was sent');
}

/** What some request has in this field. */
function valueIn(field: string, number: number): string {
  const values: string[] = [];
  for (const { request } of real.values())
    withOthers(request, (name, value) => name === field && values.push(value));
  return values[number % values.length] ?? '';
}

fuzz(
  'values of other requests do nothing for who has no role',
  fc.record({
    by: fc.constantFrom(...NO_ROLE),
    like: fc.nat(5_000),
    swaps: fc.array(
      fc.tuple(
        fc.constantFrom(...FORGED),
        fc.oneof(fc.nat(5_000), fc.constantFrom(...routes.map((it) => it.id)), hostileValue),
      ),
      { maxLength: 3 },
    ),
  }),
  60,
  async ({ by, like, swaps }) => {
    const lines = desk.app.logLines.length;
    const forged = swaps.reduce(
      (request, [field, from]) => {
        const other = typeof from === 'number' ? valueIn(field, from) : from.slice(0, 5_000);
        return withOthers(request, (name, value) => (name === field ? other : value));
      },
      await asSentBy(desk, by, pick(like)),
    );
    const [sent] = await sendAll([[by, forged]]);
    expect([sent?.writes, brokenInside(desk.app, lines)]).toEqual([[], []]);
    // What can't be read names nobody; what a card shows already is no answer.
    const isPlain = forged.type !== 'events_api' && swaps.every(([, from]) => typeof from === 'number');
    const isQuiet = /"action_id":"open_link"/u.test(JSON.stringify(forged.payload['actions']));
    if (by !== 'cem' && isPlain && !isQuiet) expect(sent?.answer).not.toBe('');
  },
);

fuzz(
  'a request in whatever shape breaks nothing',
  fc.record({ by: fc.constantFrom('ada', 'ben', ...NO_ROLE), like: fc.nat(5_000), changes }),
  200,
  async ({ by, like, changes: wanted }) => {
    const lines = desk.app.logLines.length;
    const request = await asSentBy(desk, by, pick(like));
    const text = writeChanged(request.payload, wanted);
    // What the simulated Slack can't send is tried over plain HTTP.
    const isTooDeep = /(?:[[{](?:"\w+":)?){2000}/u.test(text);
    const payload: unknown = isJson(text) && !isTooDeep ? JSON.parse(text) : null;
    if (!isJsonObject(payload)) return;
    watcher.look();
    await desk.settleAfter(desk.slack.resendRequest({ ...request, payload }));
    const { writes } = watcher.look();
    expect(brokenInside(desk.app, lines)).toEqual([]);
    if (NO_ROLE.includes(by)) expect(writes).toEqual([]);
    expect('polluted' in {}).toBe(false);
    if (desk.slack.view(by)) await desk.slack.closeView({ user: by, all: true });
  },
);

it('who has no role is in the audit log with what everyone may do', async () => {
  const by = NO_ROLE.map((name) => desk.slack.user(name).id);
  const rows = (await readAudit()).map((it) => it.split(','));
  const done = rows.filter(([, person = '']) => by.includes(person)).map(([, , , action]) => action);
  expect(new Set(done)).toEqual(new Set([]));
});

it(
  'without a record it is answered, and nothing is sent',
  async () => {
    await desk.app.kill();
    await desk.app.start({ on: '/empty' });
    for (const [name, { user, request }] of real) {
      const [sent] = await sendAll([[user, await asSentBy(desk, user, request)]]);
      if (sent) report('gone', name, user, [...sent.writes, ...sent.errors, ...silent(name, sent)]);
    }
    expect(found.gone).toEqual([]);
  },
  120 * SECOND,
);
