/** What holds at the end of every game of bids (`bid-game.ts`), from the outside. */
import { expect } from 'vitest';
import { type Instant, SECOND } from '../../src/clock.ts';
import type { LoggedRequest } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { PATHS } from '../kit/start-desk.ts';
import { type BidGame, formOf, namesOf, SETUPS } from './bid-game.ts';
import { exportAudit } from './read-audit.ts';

type Row = Awaited<ReturnType<typeof exportAudit>>['rows'][number];

/** A request for a bid; one that was answered with 429 had no effect and is repeated. */
interface BidRequest {
  readonly form: number;
  readonly setup: number;
  /** The project as the request names it, without a tilde, and its `~id`. */
  readonly name: string;
  readonly project: string;
  readonly at: Instant;
  /** When it was still without an end. */
  readonly openAt: Instant;
  /** The marketplace took it at once. */
  readonly isFirstTry: boolean;
}

function projectOf({ projects }: BidGame, name: string): string {
  const found = projects.find((it) => namesOf(it).some((own) => own === name || `~${name}` === own));
  return found?.ciphertext ?? expect.fail(`a bid on an unknown project: ${name}`);
}

function requestsOf(game: BidGame): readonly BidRequest[] {
  const all = game.desk.market.requests(PATHS.bid);
  const refused = new Set(all.filter((it) => it.status === 429).map((it) => formOf(letterOf(it))));
  return all.flatMap((request, place) => {
    if (request.status === 429) return [];
    const body = request.body as { readonly setup_id: number; readonly marketplace_job_id: string };
    const form = formOf(letterOf(request)) ?? expect.fail('a request that no form asked for');
    const { at } = request;
    const name = body.marketplace_job_id.replace('~', '');
    const openAt = game.openAt.get(place) ?? at;
    const project = projectOf(game, name);
    return [{ form, setup: body.setup_id, name, project, at, openAt, isFirstTry: !refused.has(form) }];
  });
}

function letterOf({ body }: LoggedRequest): unknown {
  return (body as { readonly cover_letter?: unknown }).cover_letter;
}

const nameOf = (setup: number) => SETUPS.find(({ id }) => id === setup)?.name ?? '';
const jobIn = (text = '') => Number(/\b(\d+)\b/u.exec(text)?.[1]);

/** One request for each form; another for the same bid only if its form was shown after that one ended. */
function expectNoneTwice(game: BidGame, requests: readonly BidRequest[]): void {
  const forms = requests.map(({ form }) => form);
  expect(forms, 'one request for each form').toEqual([...new Set(forms)]);
  for (const [place, it] of requests.entries()) {
    const { shownAt = 0 } = game.sent.get(it.form) ?? {};
    const before = requests.slice(0, place).filter((one) => one.name === it.name);
    const same = before.findLast((one) => one.setup === it.setup);
    if (same) expect(shownAt, `form ${it.form} after form ${same.form}`).toBeGreaterThanOrEqual(same.openAt);
    expectOthersShown(game, it, before);
  }
}

/** The form showed an earlier bid with the other setup that had made a job. */
function expectOthersShown(game: BidGame, it: BidRequest, before: readonly BidRequest[]): void {
  const made = game.desk.market.jobs.filter(({ status }) => status !== 'skipped');
  const letters = made.map(({ coverLetter }) => formOf(coverLetter));
  const other = before.findLast(
    (one) => one.setup !== it.setup && one.isFirstTry && letters.includes(one.form),
  );
  if (!other || !it.isFirstTry) return;
  const { text = '' } = game.sent.get(it.form) ?? {};
  expect(text, `form ${it.form} shows the bid of form ${other.form}`).toMatch(
    new RegExp(`@\\w+[^\\n]*${nameOf(other.setup)}`, 'u'),
  );
}

/** Approvals of a job that were sent, without those that came too soon and were repeated. */
function approvalsOf({ desk }: BidGame, job: number): readonly LoggedRequest[] {
  const all = desk.market.requests(PATHS.approve).filter(({ path }) => path.includes(`/${job}/`));
  return all.filter(({ status }) => status !== 429);
}

/** Not more often than people pressed a button that said something new. */
function expectApprovals(game: BidGame, rows: readonly Row[]): void {
  for (const { id, status } of game.desk.market.jobs) {
    const sent = approvalsOf(game, id);
    const pressed = [...game.approvals].filter((it) => new RegExp(`\\b${id}\\b`, 'u').test(it));
    expect(sent.length, `approvals of job ${id}`).toBeLessThanOrEqual(pressed.length);
    const own = rows.filter((it) => it['action'] === 'approve' && jobIn(it['job']) === id);
    expect(own.length, `job ${id} in the audit log`).toBeGreaterThanOrEqual(sent.length);
    if (own.some((it) => it['result'] === 'approved')) expect(status).not.toBe('pending_review');
  }
}

/** Each bid is in the audit log once, with an end that the marketplace agrees with. */
function expectAudited(game: BidGame, requests: readonly BidRequest[], rows: readonly Row[]): void {
  const bids = rows.filter((it) => it['action'] === 'bid');
  const forms = bids.map((it) => formOf(it['shown']));
  expect(forms, 'each form once').toEqual([...new Set(forms)]);
  expect(forms, 'what was sent').toEqual(expect.arrayContaining(requests.map(({ form }) => form)));
  const made = game.desk.market.jobs;
  for (const [place, row] of bids.entries()) {
    const form = forms[place];
    const what = `form ${form}: ${row['result']}`;
    const own = made.find(({ coverLetter }) => formOf(coverLetter) === form);
    const named = made.find(({ id }) => id === jobIn(row['job']));
    if (row['result'] === 'refused') expect(own, what).toBeUndefined();
    if (row['result'] !== 'created' && row['result'] !== 'skipped') continue;
    expect(row['shown'], what).toContain(nameOf(named?.setupId ?? 0));
    const project = game.projects.find(({ id }) => id === named?.projectId);
    expect(row['subject'], what).toBe(project?.title);
  }
}

/** Every decision has its place in the ledger, and ends there as people read it. */
function expectInLedger(rows: readonly Row[]): void {
  const numbers = rows.flatMap((it) => (it['ledger_number'] ? [Number(it['ledger_number'])] : []));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a));
  for (const it of rows.filter(({ action = '' }) =>
    /^(?:bid|approv|second|subscribed|access)/u.test(action),
  )) {
    expect(it['ledger_hash'], it['action']).toMatch(/^[a-f\d]{16,64}$/u);
    expect(it['outcome'], `${it['action']}: ${it['details']}`).toBe(it['result']);
  }
  for (const it of rows.filter(({ action }) => action === 'bid' || action === 'approve'))
    expect(it['result'], it['details']).not.toBe('');
}

/** Nothing is sent after Cancel, within the window, or without a second person. */
function expectRulesKept(game: BidGame, requests: readonly BidRequest[], rows: readonly Row[]): void {
  const { rules = {} } = game.options;
  const windowMs = Number(String(rules['Cancel window'] ?? '0').split(' ')[0]) * SECOND;
  const needsSecond = 'Second approval above this amount' in rules;
  const ofForm = (form: number) => rows.filter((it) => formOf(it['shown']) === form && !it['job']);
  for (const { form, at } of requests) {
    const own = ofForm(form);
    const decided = (...actions: readonly string[]) =>
      own.filter((it) => actions.includes(it['action'] ?? ''));
    expect(decided('bid-canceled', 'second-rejected'), `form ${form}`).toEqual([]);
    expect(at, `form ${form} waits`).toBeGreaterThanOrEqual((game.sent.get(form)?.at ?? 0) + windowMs);
    if (needsSecond) expect(decided('second-approval'), `second approval of form ${form}`).not.toEqual([]);
    const sender = rows.find((it) => it['action'] === 'bid' && formOf(it['shown']) === form);
    for (const it of decided('second-approval')) {
      expect(it['person'], `second approval of form ${form}`).not.toBe(sender?.['person']);
      expect(Date.parse(it['time'] ?? '')).toBeLessThanOrEqual(at);
    }
  }
  for (const { id } of game.desk.market.jobs)
    for (const { at } of approvalsOf(game, id)) {
      const own = rows.filter(
        (it) => jobIn(it['job']) === id && Date.parse(it['time'] ?? '') <= at - windowMs,
      );
      expect(
        own.map((it) => it['action']),
        `job ${id}`,
      ).toContain('approve');
      if (needsSecond)
        expect(
          own.map((it) => it['action']),
          `job ${id}`,
        ).toContain('second-approval');
    }
}

/** Nothing stands twice, nothing waits, each bid's end was told, and no text names a job that never was. */
function expectTold(game: BidGame, rows: readonly Row[]): void {
  const { slack, market } = game.desk;
  const posts = slack
    .channels()
    .flatMap(({ id }) => slack.messages(id).flatMap(({ ts }) => slack.thread(id, ts)))
    .flatMap(({ metadata }) => (metadata ? [JSON.stringify(metadata)] : []));
  expect(
    posts.filter((it, at) => posts.indexOf(it) !== at),
    'told twice',
  ).toEqual([]);
  expect(game.waiting().map((it) => it.text)).toEqual([]);
  const told = game.replies().filter((it) => formOf(it.text) === undefined);
  // Its sender needn't be told who canceled it.
  const isOwnCancel = ({ person, shown }: Row) =>
    rows.some(
      (it) =>
        it['action'] === 'bid-canceled' && it['person'] === person && formOf(it['shown']) === formOf(shown),
    );
  const bids = rows.filter((it) => it['action'] === 'bid' && !isOwnCancel(it));
  for (const { person = '', subject = '', shown = '' } of bids) {
    const setup = SETUPS.find(({ name }) => shown.includes(name))?.name ?? '';
    const name = slack.user(person).name;
    const isOwn = (text: string) =>
      /@(\w+)/u.exec(text)?.[1] === name && text.includes(subject) && text.includes(setup);
    const alike = bids.filter(
      (it) => it['person'] === person && it['subject'] === subject && it['shown']?.includes(setup),
    );
    const lines = told.filter((it) => isOwn(it.text));
    expect(lines.length, `${name} on ${subject} with ${setup}`).toBe(alike.length);
  }
  const made = new Set(market.jobs.map(({ id }) => id));
  const shown = JSON.stringify([
    slack.apiCalls().map(({ args }) => args),
    slack.sentRequests().map(({ body }) => body),
  ]);
  for (const [words, id] of shown.matchAll(/(?:(?:[Jj]ob|bid) #|\/gig job )(\d+)/gu))
    if (!made.has(Number(id))) expect.fail(`“${words}” is no job`);
}

/** Each card shows the newest bid of each setup, and offers the review of its own project's jobs. */
function expectShown(game: BidGame, rows: readonly Row[]): void {
  for (const card of game.cards()) {
    const project = game.projects.find(({ title }) => card.text.includes(title));
    const own = game.desk.market.jobs.filter(({ projectId }) => projectId === project?.id);
    for (const { name } of SETUPS) {
      const newest = rows.find(
        (it) => it['action'] === 'bid' && it['subject'] === project?.title && it['shown']?.includes(name),
      );
      if (newest) expect(card.text).toMatch(new RegExp(`@\\w+[^\\n]*${name}`, 'u'));
      if (newest?.['result'] === 'created') expect(card.text).toContain(`#${newest['job']}`);
    }
    const isReviewed = own.some(({ status }) => status === 'pending_review');
    if (card.offers('Review')) expect(isReviewed, card.text).toBe(true);
  }
}

/** @throws AssertionError with the promise that was broken */
export async function judgeBids(game: BidGame): Promise<void> {
  const ada = game.desk.person('ada');
  const requests = requestsOf(game);
  const { rows } = await exportAudit(game.desk, ada);
  expectNoneTwice(game, requests);
  expectAudited(game, requests, rows);
  expectApprovals(game, rows);
  expectInLedger(rows);
  expectRulesKept(game, requests, rows);
  expectTold(game, rows);
  expectShown(game, rows);
}
