/** Invariants of `bid-play.ts`, at every moment and at the end. */
import { expect } from 'vitest';
import type { AuditEntry } from '../../src/audit/audit.ts';
import { isPendingReview } from '../../src/bidding/job-status-text.ts';
import type { Bid } from '../../src/bidding/records.ts';
import { SECOND } from '../../src/clock.ts';
import { bidLine } from '../../src/slack/bids/bid-lines.ts';
import type { SimulatedJob } from '../../src/workbench/marketplace/records.ts';
import { REVIEW_STATUS_NAMES } from '../../src/workbench/marketplace/review-status-names.ts';
import type { LoggedRequest } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { numberOf } from './bid-forms-sent.ts';
import type { BidGame } from './bid-play.ts';
import { approvals, creates, OTHER_SETUP, SETUP } from './bidder.ts';
import type { BidBooks } from './read-bid-books.ts';
import { expectLedgerComplete } from './read-ledger.ts';
import { projectOf, type World, wordsOf } from './world.ts';

interface Create {
  readonly request: LoggedRequest;
  readonly form: number;
  readonly setup: number;
  /** The project's `~id`, from any of its ids. */
  readonly project: string;
  /** As named, without a tilde. */
  readonly jobId: string;
}

function bodyOf({ body }: LoggedRequest) {
  return body as {
    readonly setup_id: number;
    readonly marketplace_job_id: string;
    readonly cover_letter: string;
  };
}

/** The project's `~id`, from any name. */
function projectNamed({ names }: BidGame, name: string): string {
  return names.find(name)?.ciphertext ?? expect.fail(`an unknown project was bid on: ${name}`);
}

function projectOfJob({ projects }: BidGame, job: SimulatedJob): string {
  const project = projects.find(({ id }) => id === job.projectId);
  return project?.ciphertext ?? expect.fail(`job ${job.id} is for an unknown project`);
}

/** A request answered with 429 had no effect and is repeated. */
function createsOf(game: BidGame): readonly Create[] {
  return creates(game.world)
    .filter(({ status }) => status !== 429)
    .map((request) => {
      const { setup_id, marketplace_job_id, cover_letter } = bodyOf(request);
      const project = projectNamed(game, marketplace_job_id);
      const form = numberOf(cover_letter) ?? expect.fail('a request without a form');
      return { request, setup: setup_id, project, jobId: marketplace_job_id.replace('~', ''), form };
    });
}

/**
 * Whether both are attempts of one bid: with one setup, on a project named alike by both, or known to the app
 * under both names.
 */
function isSameBid({ attempts }: BidGame, one: Create, other: Create): boolean {
  if (one.project !== other.project || one.setup !== other.setup) return false;
  if (one.jobId === other.jobId) return true;
  const bid = attempts.ofForm(one.form)?.bid;
  return bid !== undefined && bid === attempts.ofForm(other.form)?.bid;
}

/** Whether the app could know at the later one's start that both are for one project. */
function isKnownAsOne({ attempts, names }: BidGame, earlier: Create, later: Create): boolean {
  if (earlier.project !== later.project) return false;
  if (earlier.jobId === later.jobId) return true;
  const [before, attempt] = [attempts.ofForm(earlier.form), attempts.ofForm(later.form)];
  if (!before || !attempt) return false;
  const linkedSince = attempts.linkedSince(names.find(later.project)?.uid ?? '');
  return before.project === attempt.project || (linkedSince !== undefined && linkedSince < attempt.at);
}

/** Approval requests that weren't rejected for their rate. */
function approved({ world }: BidGame, job: number): number {
  const asked = approvals(world).filter(({ path }) => path.includes(`/${job}/`));
  return asked.filter(({ status }) => status !== 429).length;
}

const NAMES: Readonly<Record<number, string>> = { [SETUP]: 'Fast setup', [OTHER_SETUP]: 'Slow setup' };

/** A line about a bid, with any wording. @param who a pattern */
function bidBy(who: string, setup: string): RegExp {
  return new RegExp(`${who}[^"\\\\\n]*${setup}`, 'u');
}

/** A sent form showed any earlier bid with the other setup or under another name that had created a job. */
function expectOthersShown(game: BidGame, create: Create, before: readonly Create[]): void {
  const made = game.world.marketplace.jobs().filter(({ status }) => status !== 'skipped');
  const letters = new Set(made.map(({ coverLetter }) => numberOf(coverLetter)));
  const isOther = (it: Create) => isKnownAsOne(game, it, create) && !isSameBid(game, it, create);
  // A request that waits after a 429 may be overtaken by one that was claimed later.
  const claimedAt = (form: number) => game.attempts.ofForm(form)?.at;
  const isEarlier = (it: Create) => (claimedAt(it.form) ?? 0) <= (claimedAt(create.form) ?? Infinity);
  const other = before.findLast((it) => isOther(it) && isEarlier(it) && letters.has(it.form));
  if (!other) return;
  const { words = '' } = game.sent[create.form - 1] ?? {};
  expect(words, `form ${create.form} showed the bid of form ${other.form}, which made a job`).toMatch(
    bidBy('<@\\w+>', NAMES[other.setup] ?? ''),
  );
}

/** Nothing is sent after Cancel, or without the second approvals that it needs. */
function expectRulesKept({ attempts }: BidGame, { form, request }: Create): void {
  const held = attempts.heldOf(form);
  if (!held) return;
  const { ended, second, at, seconds } = held.hold;
  if (ended) expect(ended.kind, `how the waiting of form ${form} ended, which was sent`).toBe('sent');
  expect(request.at, `form ${form} was sent after its cancel window`).toBeGreaterThanOrEqual(
    at + seconds * SECOND,
  );
  const people = new Set((second?.given ?? []).map(({ by }) => by as string));
  people.delete(held.by);
  expect(people.size, `second approvals of form ${form}`).toBeGreaterThanOrEqual(second?.needed ?? 0);
}

/** A week's totals are the sums of what its bids use; a bid that was never sent uses nothing. */
function expectConnectsRight({ bids, uses, weeks }: BidBooks): void {
  for (const { channel, subject, week, connects } of weeks) {
    const own = uses.filter(
      (it) =>
        it.weeks.some((each) => each.channel === channel && each.week === week) &&
        (subject === 'channel' || it.user === subject),
    );
    expect(connects, `connects of ${subject} in ${week}`).toBe(own.reduce((sum, it) => sum + it.connects, 0));
  }
  for (const { id, state, doubtSince } of bids) {
    if (state !== 'refused' || doubtSince !== undefined) continue;
    expect(uses.find(({ ref }) => ref === `bid:${id}`)?.connects ?? 0, `connects of ${id}`).toBe(0);
  }
}

/** What waited was approved by enough people, and nothing waits any more. */
function expectNothingHeld({ bids, jobs }: BidBooks): void {
  for (const { id, state } of bids) expect(state, id).not.toBe('held');
  for (const { id, approval } of jobs) {
    expect(approval?.state, `job ${id}`).not.toBe('held');
    const { ended, second } = approval?.hold ?? {};
    if (ended?.kind === 'sent') expect(second?.given.length ?? 0).toBeGreaterThanOrEqual(second?.needed ?? 0);
  }
}

/** One request per sent form; another one only if the form showed the previous one's result. */
export function expectNoneTwice(game: BidGame): void {
  const all = createsOf(game);
  const forms = all.map(({ form }) => form);
  expect(forms, 'one request for each form that was sent').toEqual([...new Set(forms)]);
  for (const [place, create] of all.entries()) {
    const former = all.slice(0, place).findLast((it) => isSameBid(game, it, create));
    if (!former) continue;
    const attempt =
      game.attempts.ofForm(former.form) ?? expect.fail(`form ${former.form} is on record nowhere`);
    const ended = attempt.endedAt ?? Number.POSITIVE_INFINITY;
    const { shownAt = 0 } = game.sent[create.form - 1] ?? {};
    expect(
      shownAt,
      `form ${create.form} was shown after form ${former.form} (${attempt.bid}:${attempt.number}) had ended`,
    ).toBeGreaterThanOrEqual(ended);
  }
  for (const create of all) expectRulesKept(game, create);
  for (const [place, create] of all.entries()) expectOthersShown(game, create, all.slice(0, place));
  for (const { id } of game.world.marketplace.jobs()) {
    const pressed = game.approving.filter((it) => it.job === id).map(({ seen }) => seen);
    expect(approved(game, id), `approvals of job ${id}`).toBeLessThanOrEqual(new Set(pressed).size);
  }
}

interface SetupOnProject {
  readonly setup: number;
  readonly project: string;
}

/** With that setup on that project. An entry doesn't say its bid if there is one under each of two names. */
function attemptsOf(game: BidGame, books: BidBooks, { setup, project }: SetupOnProject) {
  return books.audit.filter(
    ({ act }) =>
      act.kind === 'bid' && act.setup === setup && projectNamed(game, act.marketplaceJobId) === project,
  );
}

function isAnswerOf({ state, job }: Bid, { answer }: AuditEntry): boolean {
  return answer?.kind === state && (job === undefined || ('job' in answer && answer.job === job));
}

/** Every attempt is in the audit log once, with its answer; the bid's own is the last, or the one before. */
function expectAudited(game: BidGame, books: BidBooks): void {
  for (const bid of books.bids) {
    const { setup } = bid.request;
    const what = { setup, project: projectNamed(game, bid.request.marketplaceJobId) };
    const entries = attemptsOf(game, books, what);
    const numbers = entries.map(({ act }) => (act.kind === 'bid' ? act.attempt : 0));
    const ofProject = books.bids.filter(
      ({ request }) =>
        request.setup === setup && projectNamed(game, request.marketplaceJobId) === what.project,
    );
    const expected = ofProject.flatMap(({ attempt }) => Array.from({ length: attempt }, (_, it) => it + 1));
    expect(numbers.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    const last = entries.filter(({ act }) => act.kind === 'bid' && act.attempt === bid.attempt);
    // A rejected or skipped attempt leaves the previous one in doubt, which may turn out to have succeeded.
    const mayBeEarlier = last.some(({ answer }) => answer?.kind === 'refused' || answer?.kind === 'skipped');
    const own = (mayBeEarlier ? entries : last).find((entry) => isAnswerOf(bid, entry)) ?? last[0];
    expect(own?.answer).toMatchObject({ kind: bid.state, ...(bid.job ? { job: bid.job } : {}) });
  }
  for (const { id, approval } of books.jobs) {
    const entries = books.audit.filter(({ act }) => act.kind === 'approve' && act.job === id);
    expect(entries).toHaveLength(approval?.attempt ?? 0);
  }
  for (const { act, answer } of books.audit)
    if (act.kind === 'bid' || act.kind === 'approve') expect({ act, answer }).toHaveProperty('answer.kind');
}

/** An attempt reported as rejected created no job, no matter what happened later. */
function expectRefusedMadeNone(game: BidGame, books: BidBooks): void {
  const refused = new Set(
    books.audit.flatMap(({ act, at, answer }) =>
      act.kind === 'bid' && answer?.kind === 'refused'
        ? [`${act.setup} ${projectNamed(game, act.marketplaceJobId)} ${at}`]
        : [],
    ),
  );
  for (const job of game.world.marketplace.jobs()) {
    const { at } = game.attempts.ofForm(numberOf(job.coverLetter)) ?? {};
    expect(
      refused.has(`${job.setupId} ${projectOfJob(game, job)} ${at}`),
      `job ${job.id} came of an attempt that was reported as refused`,
    ).toBe(false);
  }
}

/** Our record of a bid matches the marketplace. */
function expectTrue(game: BidGame, books: BidBooks): void {
  const made = game.world.marketplace.jobs();
  for (const bid of books.bids) {
    const { id, state, job, request } = bid;
    expect(state, `${id} has come to its end`).not.toBe('sending');
    const own = made.find((it) => numberOf(it.coverLetter) === numberOf(request.coverLetter));
    const named = made.find((it) => it.id === job);
    if (state === 'created' || state === 'skipped') {
      expect(named, `job ${job} of ${id} is the marketplace's`).toBeDefined();
      expect(named?.setupId, `setup of job ${job}`).toBe(request.setup);
      expect(named && projectOfJob(game, named)).toBe(projectNamed(game, request.marketplaceJobId));
    }
    if (state === 'refused') expect(own, `${id} was refused and made no job`).toBeUndefined();
    expect(projectNamed(game, bid.project), `${id} is shown with its project`).toBe(
      projectNamed(game, request.marketplaceJobId),
    );
  }
  for (const kept of books.jobs) {
    const { id, approval, project } = kept;
    const job = made.find((it) => it.id === id);
    expect(job, `job ${id} is the marketplace's`).toBeDefined();
    expect(project && projectNamed(game, project), `project of job ${id}`).toBe(
      job && projectOfJob(game, job),
    );
    if (approval?.state === 'approved')
      expect(job?.status, `job ${id} was approved`).not.toBe('pending_review');
    // The service has several wordings, and uses the unclear ones for this state only.
    const waits = isPendingReview(kept) || kept.status === REVIEW_STATUS_NAMES.unclear[0];
    expect(waits, `job ${id} waits (${kept.status})`).toBe(job?.status === 'pending_review');
  }
}

function channelsOf({ slack }: World): readonly string[] {
  return slack.channels().map(({ id }) => id);
}

function postOf(message: SlackMessage): string {
  const id = message.metadata?.event_payload['post'];
  return typeof id === 'string' ? id : '';
}

/** Each news line is posted once, in the thread of its subject; so is the line of each attempt. */
function expectTold({ world }: BidGame, books: BidBooks): void {
  const top = channelsOf(world).flatMap((it) => world.slack.messages(it));
  const all = top.flatMap((it) => world.slack.thread(it.channel, it.ts));
  const ids = all.map(postOf).filter(Boolean);
  expect(
    ids.filter((id, place) => ids.indexOf(id) !== place),
    'told twice',
  ).toEqual([]);
  const news = books.posts.filter(({ content }) => content.kind === 'bid-news');
  for (const post of news) {
    const message = all.find((it) => postOf(it) === post.id);
    expect(message, `${post.id} was told (${post.state})`).toBeDefined();
    const head = all.find((it) => it.ts === message?.threadTs);
    // Items without their own message are listed in a summary: their news goes to the channel.
    const under = books.posts.some(({ id, state }) => id === post.under && state === 'posted');
    if (under) expect(head && postOf(head), `where ${post.id} stands`).toBe(post.under);
  }
  expectAttemptsTold(books);
}

function countNews({ posts }: BidBooks, end: string): number {
  return posts.filter(({ id, content }) => content.kind === 'bid-news' && id.endsWith(end)).length;
}

/** Whether the attempt had a message of its own, which changes in place. */
function hasWaited({ posts }: BidBooks, start: string, attempt: number): boolean {
  return posts.some(
    ({ id, content }) =>
      content.kind === 'held-order' && content.attempt === attempt && id.startsWith(`held:${start}:`),
  );
}

function numbersTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, place) => place + 1);
}

/** Once; not if its own message says that its sender canceled it. Of an earlier one, nobody knows who did. */
function expectBidTold(books: BidBooks, { id, attempt, hold, by }: Bid): void {
  for (const number of numbersTo(attempt)) {
    const told = countNews(books, `:bid:${id}:${number}`);
    const isSilent = number === attempt ? isOwnCancel(hold, by) : told === 0;
    if (isSilent) expect(hasWaited(books, `bid:${id}`, number), `attempt ${number} of ${id}`).toBe(true);
    expect(told, `attempt ${number} of ${id} is told once`).toBe(isSilent ? 0 : 1);
  }
}

function expectAttemptsTold(books: BidBooks): void {
  for (const bid of books.bids) expectBidTold(books, bid);
  for (const { id, approval } of books.jobs)
    for (const number of numbersTo(approval?.attempt ?? 0)) {
      const told = countNews(books, `:approval:${id}:${number}`);
      const isSilent = told === 0 && hasWaited(books, `job:${id}`, number);
      expect(told, `approval ${number} of job ${id} is told once`).toBe(isSilent ? 0 : 1);
    }
}

function isOwnCancel(hold: Bid['hold'], by: Bid['by']): boolean {
  return hold?.ended?.kind === 'canceled' && hold.ended.by === by;
}

/** The start of a bid's line: the person, the setup, and a status emoji. */
function linesOf(bid: Bid, words: string): readonly string[] {
  const lines = [...new Set(words.split('\n'))];
  const name = NAMES[bid.request.setup] ?? expect.fail(`${bid.id} has a setup that nobody chose`);
  return lines.filter((it) => bidBy(`<@${bid.by}>`, name).test(it));
}

/** Review on the card is for a job of its project. */
function expectOwnJobOffered(game: BidGame, card: SlackMessage): void {
  const review = findPressable(card, 'Review');
  if (review?.kind !== 'button') return;
  const id = Number(review.value);
  const job = game.world.marketplace.jobs().find((it) => it.id === id);
  expect(job && projectOfJob(game, job), `job ${id} is to be approved here`).toBe(
    projectNamed(game, projectOf(card)),
  );
}

function expectLines(books: BidBooks, card: SlackMessage): void {
  const ofProject = books.bids.filter(({ project }) => project === projectOf(card));
  for (const bid of ofProject) {
    const lines = linesOf(bid, wordsOf(card));
    const job = books.jobs.find(({ id }) => id === bid.job);
    // The same, except for a job status that another line shows.
    const own = [true, false].map((isTold) => bidLine({ bid, ...(job ? { job } : {}) }, isTold));
    // One person may have bid with one setup under two names of the project: each gets a line.
    const line = lines.find((it) => own.includes(it)) ?? lines.join('\n');
    expect(own, `${bid.id} on its card in ${card.channel}`).toContain(line);
    if (bid.state === 'created') expect(line).toContain(`#${bid.job}`);
  }
}

/** The card shows the status of each bid. */
function expectShown(game: BidGame, books: BidBooks): void {
  for (const card of channelsOf(game.world).flatMap((channel) => game.world.cards(channel))) {
    expectOwnJobOffered(game, card);
    expectLines(books, card);
  }
}

/** No text ever names a job that the marketplace hasn't created. */
function expectNoInventedJobs({ world }: BidGame): void {
  const made = new Set(world.marketplace.jobs().map(({ id }) => id));
  const shown = [
    ...world.slack.apiCalls().map(({ args }) => args),
    ...world.slack.sentRequests().map(({ body }) => body ?? ''),
  ];
  for (const part of shown)
    for (const [words, id] of JSON.stringify(part).matchAll(/(?:[Jj]ob #|\/gig job )(\d+)/gu))
      if (!made.has(Number(id))) expect.fail(`“${words}” is no job`);
}

export async function expectAllRight(game: BidGame): Promise<void> {
  const books = await game.books();
  expectNoneTwice(game);
  expectTrue(game, books);
  expectRefusedMadeNone(game, books);
  expectAudited(game, books);
  expectLedgerComplete(books.ledger, books.audit);
  expectTold(game, books);
  expectShown(game, books);
  expectNoInventedJobs(game);
  expectConnectsRight(books);
  expectNothingHeld(books);
}
