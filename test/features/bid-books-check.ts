/** What must hold in the game of `bid-play.ts`, at every moment and at its end. */

import { expect } from 'vitest';
import type { AuditEntry } from '../../src/audit/audit.ts';
import type { Bid } from '../../src/bidding/records.ts';
import { isPendingReview } from '../../src/bidding/status-words.ts';
import { bidLine } from '../../src/slack/messages/bid-lines.ts';
import type { SeenRequest } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { Message } from '../../src/workbench/slack/simulated-slack.ts';
import { numberOf } from './bid-forms-sent.ts';
import type { BidGame } from './bid-play.ts';
import { approvals, creates, OTHER_SETUP, SETUP } from './bidder.ts';
import type { BidBooks } from './read-bid-books.ts';
import { projectOf, type World, wordsOf } from './world.ts';

interface Create {
  readonly request: SeenRequest;
  readonly form: number;
  /** Setup and project of the marketplace, by whatever id it was named. */
  readonly what: string;
  readonly setup: number;
  readonly project: string;
}

function bodyOf({ body }: SeenRequest) {
  return body as {
    readonly setup_id: number;
    readonly marketplace_job_id: string;
    readonly cover_letter: string;
  };
}

/** Which project an id means, with or without its tilde, or as its uid. */
function projectNamed({ projects }: BidGame, id: string): string {
  const project = projects.find((it) => [it.ciphertext, it.ciphertext.slice(1), it.uid].includes(id));
  return project?.ciphertext ?? expect.fail(`an unknown project was bid on: ${id}`);
}

/** What a 429 answered was not carried out, and is repeated. */
function createsOf(game: BidGame): readonly Create[] {
  return creates(game.world)
    .filter(({ status }) => status !== 429)
    .map((request) => {
      const { setup_id, marketplace_job_id, cover_letter } = bodyOf(request);
      const project = projectNamed(game, marketplace_job_id);
      const form = numberOf(cover_letter) ?? expect.fail('a request without a form');
      return { request, what: `${setup_id} ${project}`, setup: setup_id, project, form };
    });
}

/** Requests for approvals that were not refused for their rate. */
function approved({ world }: BidGame, job: number): number {
  const asked = approvals(world).filter(({ path }) => path.includes(`/${job}/`));
  return asked.filter(({ status }) => status !== 429).length;
}

const NAMES: Readonly<Record<number, string>> = { [SETUP]: 'Fast setup', [OTHER_SETUP]: 'Slow setup' };

/** A line of a bid, in whatever words. @param who as a pattern */
function bidBy(who: string, setup: string): RegExp {
  return new RegExp(`${who}[^"\\\\\n]*${setup}`, 'u');
}

/** A form that was sent showed the bid with the other setup, where that had made a job before. */
function expectOthersShown(game: BidGame, { form, setup, project }: Create, before: readonly Create[]): void {
  const made = game.world.marketplace.jobs().filter(({ status }) => status !== 'skipped');
  const letters = new Set(made.map(({ coverLetter }) => numberOf(coverLetter)));
  const other = before.findLast((it) => it.project === project && it.setup !== setup && letters.has(it.form));
  if (!other) return;
  const { words = '' } = game.sent[form - 1] ?? {};
  expect(words, `form ${form} showed the bid of form ${other.form}, which made a job`).toMatch(
    bidBy('<@\\w+>', NAMES[other.setup] ?? ''),
  );
}

/** One request for a form that was sent, and a further one only for a form that showed how the former had ended. */
export function expectNoneTwice(game: BidGame): void {
  const all = createsOf(game);
  const forms = all.map(({ form }) => form);
  expect(forms, 'one request for each form that was sent').toEqual([...new Set(forms)]);
  for (const [place, { form, what }] of all.entries()) {
    const former = all.slice(0, place).findLast((it) => it.what === what);
    if (!former) continue;
    const attempt = game.attempts.get(former.form) ?? expect.fail(`form ${former.form} is on record nowhere`);
    const ended = game.ends.get(attempt) ?? Number.POSITIVE_INFINITY;
    const { shownAt = 0 } = game.sent[form - 1] ?? {};
    expect(
      shownAt,
      `form ${form} was shown after form ${former.form} (${attempt}) had ended`,
    ).toBeGreaterThanOrEqual(ended);
  }
  for (const [place, create] of all.entries()) expectOthersShown(game, create, all.slice(0, place));
  for (const { id } of game.world.marketplace.jobs()) {
    const pressed = game.approving.filter((it) => it.job === id).map(({ seen }) => seen);
    expect(approved(game, id), `approvals of job ${id}`).toBeLessThanOrEqual(new Set(pressed).size);
  }
}

function attemptsOf(books: BidBooks, bid: Bid): readonly AuditEntry[] {
  return books.audit.filter(
    ({ act }) =>
      act.kind === 'bid' &&
      act.setup === bid.request.setup &&
      `${act.setup}:${act.marketplaceJobId.replace('~', '')}` === bid.id,
  );
}

function isAnswerOf({ state, job }: Bid, { answer }: AuditEntry): boolean {
  return answer?.kind === state && (job === undefined || ('job' in answer && answer.job === job));
}

/** Every attempt stands in the audit log once, with its answer; the bid's own is the last, or one before it. */
function expectAudited(books: BidBooks): void {
  for (const bid of books.bids) {
    const entries = attemptsOf(books, bid);
    const numbers = entries.map(({ act }) => (act.kind === 'bid' ? act.attempt : 0));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: bid.attempt }, (_, it) => it + 1));
    const last = entries.find(({ act }) => act.kind === 'bid' && act.attempt === bid.attempt);
    // One that was refused or skipped leaves an attempt before it in doubt, which may turn out to be the one.
    const mayBeEarlier = last?.answer?.kind === 'refused' || last?.answer?.kind === 'skipped';
    const own = mayBeEarlier ? entries.find((entry) => isAnswerOf(bid, entry)) : last;
    expect(own?.answer).toMatchObject({ kind: bid.state, ...(bid.job ? { job: bid.job } : {}) });
  }
  for (const { id, approval } of books.jobs) {
    const entries = books.audit.filter(({ act }) => act.kind === 'approve' && act.job === id);
    expect(entries).toHaveLength(approval?.attempt ?? 0);
  }
  for (const { act, answer } of books.audit)
    if (act.kind === 'bid' || act.kind === 'approve') expect({ act, answer }).toHaveProperty('answer.kind');
}

/** An attempt that was told as refused made no job, whatever became of those after it. */
function expectRefusedMadeNone({ attempts, world }: BidGame, books: BidBooks): void {
  const refused = books.audit.flatMap(({ act, answer }) =>
    act.kind === 'bid' && answer?.kind === 'refused'
      ? [`${act.setup}:${act.marketplaceJobId.replace('~', '')}:${act.attempt}`]
      : [],
  );
  for (const { id, coverLetter } of world.marketplace.jobs()) {
    const attempt = attempts.get(numberOf(coverLetter) ?? 0);
    expect(refused.includes(attempt ?? ''), `job ${id} came of ${attempt}, which was told as refused`).toBe(
      false,
    );
  }
}

/** What we keep of a bid is what the marketplace has. */
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
      expect(named?.marketplaceJobId).toBe(projectNamed(game, request.marketplaceJobId));
    }
    if (state === 'refused') expect(own, `${id} was refused and made no job`).toBeUndefined();
    const project = game.projects.find(({ ciphertext }) => ciphertext === bid.project);
    expect(project?.ciphertext, `${id} stands with its project`).toBe(
      projectNamed(game, request.marketplaceJobId),
    );
  }
  for (const kept of books.jobs) {
    const { id, approval, project } = kept;
    const job = made.find((it) => it.id === id);
    expect(job, `job ${id} is the marketplace's`).toBeDefined();
    expect(project, `project of job ${id}`).toBe(job?.marketplaceJobId);
    if (approval?.state === 'approved')
      expect(job?.status, `job ${id} was approved`).not.toBe('pending_review');
    // In whichever words the service says it.
    expect(isPendingReview(kept), `job ${id} waits`).toBe(job?.status === 'pending_review');
  }
}

function channelsOf({ slack }: World): readonly string[] {
  return slack.channels().map(({ id }) => id);
}

function postOf(message: Message): string {
  const id = message.metadata?.event_payload['post'];
  return typeof id === 'string' ? id : '';
}

/** Each line of news stands once in Slack, in the thread of what it is about; so does each attempt's. */
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
    // What has no message of its own is listed in a summary: then its news stands in the channel.
    const under = books.posts.some(({ id, state }) => id === post.under && state === 'posted');
    if (under) expect(head && postOf(head), `where ${post.id} stands`).toBe(post.under);
  }
  for (const { id, attempt } of books.bids)
    for (let number = 1; number <= attempt; number++) {
      const told = news.filter((post) => post.id.endsWith(`:bid:${id}:${number}`));
      expect(told, `attempt ${number} of ${id} is told once`).toHaveLength(1);
    }
  for (const { id, approval } of books.jobs)
    for (let number = 1; number <= (approval?.attempt ?? 0); number++)
      expect(news.filter((post) => post.id.endsWith(`:approval:${id}:${number}`))).toHaveLength(1);
}

/** How a bid's line begins: with who bid and with which setup, and a sign of how it stands. */
function lineOf(bid: Bid, words: string): string {
  const lines = [...new Set(words.split('\n'))];
  const name = NAMES[bid.request.setup] ?? expect.fail(`${bid.id} has a setup that nobody chose`);
  const mine = lines.filter((it) => bidBy(`<@${bid.by}>`, name).test(it));
  return mine.join('\n');
}

/** What the card offers to approve bids on the project of that card. */
function expectOwnJobOffered({ world }: BidGame, card: Message): void {
  const approve = findPressable(card, 'Approve');
  if (approve?.kind !== 'button') return;
  const { job: id } = JSON.parse(approve.value) as { job: number };
  const job = world.marketplace.jobs().find((it) => it.id === id);
  expect(job?.marketplaceJobId, `job ${id} is to be approved here`).toBe(projectOf(card));
}

function expectLines(books: BidBooks, card: Message): void {
  const ofProject = books.bids.filter(({ project }) => project === projectOf(card));
  for (const bid of ofProject) {
    const line = lineOf(bid, wordsOf(card));
    const job = books.jobs.find(({ id }) => id === bid.job);
    // The same but for how a job stands that another line tells of.
    const own = [true, false].map((isTold) => bidLine({ bid, ...(job ? { job } : {}) }, isTold));
    expect(own, `${bid.id} on its card in ${card.channel}`).toContain(line);
    if (bid.state === 'created') expect(line).toContain(`#${bid.job}`);
  }
}

/** The card tells of each bid how it stands. */
function expectShown(game: BidGame, books: BidBooks): void {
  for (const card of channelsOf(game.world).flatMap((channel) => game.world.cards(channel))) {
    expectOwnJobOffered(game, card);
    expectLines(books, card);
  }
}

/** No sentence, wherever and whenever it was shown, names a job that the marketplace never made. */
function expectNoInventedJobs({ world }: BidGame): void {
  const made = new Set(world.marketplace.jobs().map(({ id }) => id));
  const shown = [
    ...world.slack.calls().map(({ args }) => args),
    ...world.slack.sent().map(({ body }) => body ?? ''),
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
  expectAudited(books);
  expectTold(game, books);
  expectShown(game, books);
  expectNoInventedJobs(game);
}
