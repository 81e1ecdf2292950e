/** Bids: what the marketplace got, against what people did, what they read, and the audit log's file. */
import { expect } from 'vitest';
import { type Instant, SECOND } from '../../src/clock.ts';
import type { LoggedRequest } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { exportAudit } from '../features/read-audit.ts';
import { PATHS } from '../kit/start-desk.ts';
import { namesOf } from './bid-moves.ts';
import type { Play } from './play.ts';
import { CHANNELS, SETUPS } from './scene.ts';
import { WRONG_AT_MOST_MS } from './troubles.ts';

const LETTER = /letter (\d+)/u;
/** More than a soak lasts. */
const DAYS = '90';
/** On cards, of a job's status on the marketplace. */
const STATUS_WORDS = {
  pending_review: /waiting for review/u,
  scheduled: /: scheduled for /u,
  processing: /: Bidding/u,
  completed: /: proposal sent/u,
  failed: /: failed/u,
  skipped: /: skipped/u,
};

/** A request for a bid; one that was answered with 429 had no effect and is repeated. */
interface BidRequest {
  readonly form: number;
  readonly setup: number;
  /** The project as the request names it, without a tilde. */
  readonly name: string;
  readonly at: Instant;
  /** When it was still without an end. */
  readonly openAt: Instant;
  /** The marketplace took it at once. */
  readonly isFirstTry: boolean;
}

/** A row of the audit log, newest first. */
type Entry = Awaited<ReturnType<typeof readEntries>>[number];

/** The number of the form that a letter, or a text with it, comes from. */
function formOf(text: unknown): number {
  return Number(LETTER.exec(String(text))?.[1]);
}

const setupIn = (text: string) => SETUPS.find(({ name }) => text.includes(name))?.name ?? '';
const jobsOf = ({ desk }: Play) => desk.market.jobs.map((job) => ({ ...job, form: formOf(job.coverLetter) }));
const isNotRefused = ({ status }: LoggedRequest) => status !== 429;

function requestsOf(play: Play): readonly BidRequest[] {
  const bodyOf = ({ body }: LoggedRequest) =>
    body as { readonly setup_id: number; readonly marketplace_job_id: string; readonly cover_letter: string };
  const formIn = (it: LoggedRequest) => formOf(bodyOf(it).cover_letter);
  const all = play.desk.market.requests(PATHS.bid);
  const refused = new Set(all.filter((it) => !isNotRefused(it)).map(formIn));
  const found = all.map((request, place) => {
    const { setup_id: setup, marketplace_job_id: jobId } = bodyOf(request);
    const { at } = request;
    const form = formIn(request);
    const name = jobId.replace('~', '');
    const openAt = play.openAt.get(place) ?? at;
    return { request, form, setup, name, at, openAt, isFirstTry: !refused.has(form) };
  });
  return found.filter(({ request }) => isNotRefused(request));
}

async function readEntries({ desk }: Play) {
  const { rows } = await exportAudit(desk, desk.person('ada'), DAYS);
  return rows.map((row) => {
    const { action = '', person = '', subject = '', details = '', result = '', outcome = '' } = row;
    const { shown = '', ledger_number: number = '', ledger_hash: hash = '' } = row;
    const job = Number(/\b(\d+)\b/u.exec(row['job'] ?? '')?.[1]);
    const bid = { form: formOf(shown), setup: setupIn(shown), job };
    return {
      action,
      person,
      subject,
      details,
      result,
      outcome,
      number,
      hash,
      at: Date.parse(row['time'] ?? ''),
      ...bid,
    };
  });
}

/** One request for each form; another for the same bid only if its form was shown after that one ended. */
function expectNoneTwice(play: Play, requests: readonly BidRequest[]): void {
  const forms = requests.map(({ form }) => form);
  expect(forms, 'one request for each form').toEqual([...new Set(forms)]);
  expect([...play.sent.keys()], 'forms that were sent').toEqual(expect.arrayContaining(forms));
  const names = play.published.flatMap(namesOf).map((it) => it.replace('~', ''));
  expect(names, 'known projects').toEqual(expect.arrayContaining(requests.map(({ name }) => name)));
  const made = jobsOf(play).filter(({ status }) => status !== 'skipped');
  for (const [place, it] of requests.entries()) {
    const { shownAt = 0, text = '' } = play.sent.get(it.form) ?? {};
    const before = requests.slice(0, place).filter(({ name }) => name === it.name);
    const same = before.findLast(({ setup }) => setup === it.setup);
    if (same) expect(shownAt, `form ${it.form} after form ${same.form}`).toBeGreaterThanOrEqual(same.openAt);
    const job = made.find(({ form }) => form === same?.form);
    if (job) expect(text, `form ${it.form}`).toMatch(new RegExp(`#${job.id}|don't know`, 'u'));
    // The form showed an earlier bid with the other setup that had made a job.
    const other = before.findLast(
      ({ setup, isFirstTry, form }) =>
        setup !== it.setup && isFirstTry && made.some((one) => one.form === form),
    );
    const otherName = SETUPS.find(({ id }) => id === other?.setup)?.name;
    if (other && it.isFirstTry)
      expect(text, `form ${it.form} after form ${other.form}`).toMatch(bidWith(otherName));
  }
}

const bidWith = (setup = '') => new RegExp(`@\\w+[^\\n]*${setup}`, 'u');

/** Approvals of a job that were sent, without those that came too soon and were repeated. */
function approvalsOf({ desk }: Play, job: number): readonly LoggedRequest[] {
  return desk.market.requests(PATHS.approve.replace('*', String(job))).filter(isNotRefused);
}

/** Not more often than people pressed a button that said something new. */
function expectApprovals(play: Play, entries: readonly Entry[]): void {
  for (const { id, status } of play.desk.market.jobs) {
    const sent = approvalsOf(play, id).length;
    const pressed = [...play.approvals].filter((it) => new RegExp(`\\b${id}\\b`, 'u').test(it));
    expect(sent, `approvals of job ${id}`).toBeLessThanOrEqual(pressed.length);
    const own = entries.filter(({ action, job }) => action === 'approve' && job === id);
    expect(own.length, `job ${id} in the audit log`).toBeGreaterThanOrEqual(sent);
    if (own.some(({ result }) => result === 'approved')) expect(status).not.toBe('pending_review');
  }
}

/** Each bid is in the audit log once, with an end that the marketplace agrees with. */
function expectAudited(play: Play, requests: readonly BidRequest[], entries: readonly Entry[]): void {
  const bids = entries.filter(({ action }) => action === 'bid');
  const forms = bids.map(({ form }) => form);
  expect(forms, 'each form once').toEqual([...new Set(forms)]);
  expect(forms, 'what was sent').toEqual(expect.arrayContaining(requests.map(({ form }) => form)));
  const made = jobsOf(play);
  for (const { form, result, job, setup, subject } of bids) {
    const what = `form ${form}: ${result}`;
    const named = made.find(({ id }) => id === job);
    if (result === 'refused')
      expect(
        made.find((it) => it.form === form),
        what,
      ).toBeUndefined();
    if (result !== 'created' && result !== 'skipped') continue;
    expect(SETUPS.find(({ id }) => id === named?.setupId)?.name, what).toBe(setup);
    const project = play.published.find(({ id }) => id === named?.projectId);
    // Nobody has looked up what a uid stands for.
    expect([project?.title, `Project ${project?.uid}`], what).toContain(subject);
  }
}

/** Every decision has its place in the ledger, and ends there as people read it. */
function expectInLedger(entries: readonly Entry[]): void {
  const numbers = entries.flatMap(({ number }) => (number ? [Number(number)] : []));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => b - a));
  for (const { action, hash, outcome, result, details } of entries) {
    if (/^(?:bid|approv|second|subscribed|access)/u.test(action)) {
      expect(hash, action).toMatch(/^[a-f\d]{16,64}$/u);
      expect(outcome, `${action}: ${details}`).toBe(result);
    }
    if (action === 'bid' || action === 'approve') expect(result, details).not.toBe('');
  }
}

/** Nothing is sent after Cancel, within the window, or without a second person. */
function expectRulesKept(play: Play, requests: readonly BidRequest[], entries: readonly Entry[]): void {
  const { rules = {}, about } = play.options;
  const windowMs = Number(String(rules['Cancel window'] ?? '0').split(' ')[0]) * SECOND;
  const needsSecond = 'Second approval above this amount' in rules;
  const wrongMs = about === 'soak' ? WRONG_AT_MOST_MS : 0;
  for (const { form, at } of requests) {
    const own = entries.filter((it) => it.form === form);
    const actions = own.filter(({ job }) => Number.isNaN(job)).map(({ action }) => action);
    expect(
      ['bid-canceled', 'second-rejected'].filter((it) => actions.includes(it)),
      `form ${form}`,
    ).toEqual([]);
    expect(at, `form ${form} waits`).toBeGreaterThanOrEqual((play.sent.get(form)?.at ?? 0) + windowMs);
    if (needsSecond) expect(actions, `form ${form}`).toContain('second-approval');
    const sender = own.find(({ action }) => action === 'bid')?.person;
    for (const it of own.filter(({ action, job }) => action === 'second-approval' && Number.isNaN(job))) {
      expect(it.person, `second approval of form ${form}`).not.toBe(sender);
      expect(it.at).toBeLessThanOrEqual(at);
    }
  }
  for (const { id } of play.desk.market.jobs)
    for (const { at } of approvalsOf(play, id)) {
      const before = entries.filter((it) => it.job === id && it.at <= at + wrongMs - windowMs);
      const actions = before.map(({ action }) => action);
      expect(actions, `job ${id}`).toContain('approve');
      if (needsSecond) expect(actions, `job ${id}`).toContain('second-approval');
    }
}

/** Nothing waits, each bid's end was told, and no text names a job that never was. */
function expectTold(play: Play, entries: readonly Entry[]): void {
  const { slack, market } = play.desk;
  expect(play.waiting().map(({ text }) => text)).toEqual([]);
  // A digest lists bids, too.
  const texts = play
    .replies()
    .map(({ text }) => text)
    .filter((it) => Number.isNaN(formOf(it)) && !it.includes('Bids, newest first'));
  // Its sender needn't be told who canceled it.
  const isOwnCancel = ({ person, form }: Entry) =>
    entries.some((it) => it.action === 'bid-canceled' && it.person === person && it.form === form);
  const bids = entries.filter((it) => it.action === 'bid' && !isOwnCancel(it));
  // A bid on a uid has the project's title as soon as somebody has looked it up.
  const namesIn = (subject: string) => {
    const project = play.published.find(({ title, uid }) => subject === title || subject.includes(uid));
    return project ? [project.title, project.uid] : [subject];
  };
  for (const { person, subject, setup } of bids) {
    const { name } = slack.user(person);
    const names = namesIn(subject);
    const alike = bids.filter(
      (it) => it.person === person && it.setup === setup && names.some((one) => it.subject.includes(one)),
    );
    const told = texts.filter(
      (it) => /@(\w+)/u.exec(it)?.[1] === name && it.includes(setup) && names.some((one) => it.includes(one)),
    );
    const what = `${name} on ${subject} with ${setup}:\n${told.join('\n')}`;
    expect(told, what).toHaveLength(alike.length);
  }
  const made = new Set(market.jobs.map(({ id }) => id));
  const calls = slack.apiCalls().map(({ args }) => args);
  const shown = JSON.stringify([calls, slack.sentRequests().map(({ body }) => body)]);
  for (const [words, id] of shown.matchAll(/(?:(?:[Jj]ob|bid) #|\/gig job )(\d+)/gu))
    if (!made.has(Number(id))) expect.fail(`“${words}” is no job`);
}

/** Each card shows the newest bid of each setup, and its own project's jobs with what became of them. */
function expectShown(play: Play, entries: readonly Entry[]): void {
  for (const card of CHANNELS.flatMap((it) => play.cards(it))) {
    const { text } = card;
    const project = play.published.find(({ title }) => text.includes(title));
    const own = play.desk.market.jobs.filter(({ projectId }) => projectId === project?.id);
    const bids = entries.filter(({ action, subject }) => action === 'bid' && subject === project?.title);
    for (const { name } of SETUPS) {
      const newest = bids.find(({ setup }) => setup === name);
      if (newest) expect(text).toMatch(bidWith(name));
      if (newest?.result === 'created') expect(text).toContain(`#${newest.job}`);
    }
    const isReviewed = own.some(({ status }) => status === 'pending_review');
    if (card.offers('Review')) expect(isReviewed, text).toBe(true);
    // A soak's marketplace has other words for it.
    if (play.options.about !== 'soak') expectStatuses(text, own);
  }
}

function expectStatuses(card: string, jobs: Play['desk']['market']['jobs']): void {
  for (const { id, status } of jobs)
    for (const line of card.split('\n').filter((it) => it.includes(`(bid #${id})`)))
      expect(line).toMatch(STATUS_WORDS[status]);
}

/** The card of its project, or the thread, has each job's number, or says that nobody knows of the bid. */
function expectJobsTold(play: Play): void {
  const cards = CHANNELS.flatMap((it) => play.cards(it));
  const threads = cards.map((it) => [it, ...it.replies()].map(({ text }) => text).join('\n'));
  for (const { id, projectId } of play.desk.market.jobs) {
    const title = play.published.find((it) => it.id === projectId)?.title ?? '';
    const own = threads.filter((it) => it.includes(title)).join('\n');
    expect(own, `what is told of job ${id} on ${title}`).toMatch(new RegExp(`#${id}|don't know`, 'u'));
  }
}

/** @throws AssertionError with the promise that was broken */
export async function judgeBids(play: Play): Promise<void> {
  const requests = requestsOf(play);
  const entries = await readEntries(play);
  expectNoneTwice(play, requests);
  expectAudited(play, requests, entries);
  expectApprovals(play, entries);
  expectInLedger(entries);
  expectRulesKept(play, requests, entries);
  expectTold(play, entries);
  expectShown(play, entries);
  expectJobsTold(play);
}
