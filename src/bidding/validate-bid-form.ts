/** The bid form and its request: checks a form by the marketplace's limits, fills one from a bid. Pure. */
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { type Instant, MINUTE } from '../clock.ts';
import type { ProjectKey, SetupId } from '../ids.ts';
import {
  hasLinkWithoutProjectId,
  parseProjectReference,
  projectReferenceId,
} from '../marketplace/project-key.ts';
import type { BiddingSetup, ListedProject } from '../marketplace/schema.ts';
import { budgetType, listBudgetAmounts } from '../query/project-rules.ts';
import { hasMoreThanTwoDecimals, parseMoney, parseNonNegativeInteger } from '../typed/numbers.ts';
import { countCharacters, isBlank } from '../typed/texts.ts';
import type { BidForm } from './draft-records.ts';
import type { BidRequest } from './records.ts';

/** A form field; an answer by its question's position. */
export type BidFormField = Exclude<keyof BidForm, 'answers'> | `answer:${number}`;

export interface BidFormError {
  readonly field: BidFormField;
  /** The error and how to fix it, as plain text. Of foreign text it contains at most a project's id. */
  readonly message: string;
}

export interface BidFormValidationInput {
  readonly project: ProjectKey;
  /** The screening questions of the form; empty if unknown. */
  readonly questions: readonly string[];
  /** All stored setups, in any status. */
  readonly setups: readonly BiddingSetup[];
  readonly now: Instant;
  readonly isOtherProject?: boolean;
}

type BidFormResult =
  | { readonly kind: 'ok'; readonly request: BidRequest }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly BidFormError[] };

/** Limits of `POST /auto-bidding/jobs/create` (source: marketplace-api.md, Limits) and of the form. */
export const BID_FORM_LIMITS = {
  bidAmount: { min: 5, max: 1_000_000 },
  inMinutes: { min: 15, max: 60 },
  /** Characters that fit into the form. The API has no limit for a job's own texts; the server may refuse. */
  letter: 10_000,
  answer: 6_000,
  /** An earlier time would be past when the marketplace reads it. */
  aheadMs: MINUTE,
} as const;

const whole = new Intl.NumberFormat('en-US');

/** Adds an error to a field; returns undefined, so that a check can return it. */
type Note = (field: BidFormField, sentence: string) => undefined;

/**
 * All errors of a form, or its request. Amounts have at most two decimals, because the marketplace counts in
 * dollars. Texts stay exactly as typed. Only the selected schedule option counts, so a hidden time isn't
 * sent.
 */
export function validateBidForm(form: BidForm, facts: BidFormValidationInput): BidFormResult {
  const mistakes: BidFormError[] = [];
  const note: Note = (field, message) => {
    mistakes.push({ field, message });
    return undefined;
  };
  const setup = checkSetup(form, facts, note);
  const marketplaceJobId = checkJobId(form, facts, note);
  const projectId = checkProjectId(form, note);
  const bidAmount = checkAmount(form, note);
  const boostConnects = checkBoost(form, note);
  const schedule = checkSchedule(form, facts.now, note);
  const coverLetter = checkLetter(form, note);
  const answers = checkAnswers(form, facts.questions, note);
  if (mistakes.length > 0 || setup === undefined || marketplaceJobId === undefined)
    return { kind: 'mistakes', mistakes };
  const amounts = { projectId, bidAmount, boostConnects };
  return { kind: 'ok', request: { setup, marketplaceJobId, ...amounts, ...schedule, coverLetter, answers } };
}

function checkSetup({ setup }: BidForm, { setups }: BidFormValidationInput, note: Note): SetupId | undefined {
  if (setup === undefined) return note('setup', 'Choose a setup.');
  if (setups.some((each) => each.id === setup)) return setup;
  return note('setup', 'This setup no longer exists. Choose another one.');
}

/** News of the bid go to the form's project, so the id must not name another one. */
function checkJobId(
  { marketplaceJobId }: BidForm,
  { project, isOtherProject }: BidFormValidationInput,
  note: Note,
): string | undefined {
  const field = 'marketplaceJobId';
  if (isBlank(marketplaceJobId)) return note(field, 'Paste the project link or its ~ID.');
  const id = parseMarketplaceJobId(marketplaceJobId);
  if (id === undefined && hasLinkWithoutProjectId(marketplaceJobId))
    return note(field, 'This link has no ~ID. Paste the project link or its ~ID.');
  if (id === undefined) return note(field, "This isn't a project's ~ID. Paste the project link or its ~ID.");
  // Without an ID in the project's key, any id may be correct.
  const own = project.startsWith('~') ? project : undefined;
  if (own === undefined && isOtherProject)
    return note(
      field,
      "This is another project's ID. To bid on that project, close this form and use /gig bid with its link.",
    );
  if (own === undefined || removeJobIdTilde(own) === removeJobIdTilde(id)) return own ?? id;
  return note(
    field,
    `This project's ID is ${own}. To bid on another project, close this form and use /gig bid with its link.`,
  );
}

function checkProjectId({ projectId }: BidForm, note: Note): number | undefined {
  if (isBlank(projectId)) return undefined;
  const id = parseNonNegativeInteger(projectId);
  return id !== undefined && id > 0
    ? id
    : note(
        'projectId',
        "The project ID must be a whole number above 0. Leave it empty if you don't know it.",
      );
}

function checkAmount({ bidAmount }: BidForm, note: Note): number | undefined {
  if (isBlank(bidAmount)) return undefined;
  const { min, max } = BID_FORM_LIMITS.bidAmount;
  const amount = parseMoney(bidAmount);
  if (amount === undefined)
    return note('bidAmount', "This isn't a valid amount. Enter it like 1500 or 1,500.50.");
  if (hasMoreThanTwoDecimals(bidAmount))
    return note('bidAmount', "Use up to 2 decimals. Don't use a point between thousands.");
  if (amount < min || amount > max)
    return note('bidAmount', `The bid must be $${whole.format(min)} to $${whole.format(max)}.`);
  return amount;
}

/** 0 is sent as typed: the effect of a missing boost is undocumented. */
function checkBoost({ boostConnects }: BidForm, note: Note): number | undefined {
  if (isBlank(boostConnects)) return undefined;
  return (
    parseNonNegativeInteger(boostConnects) ??
    note('boostConnects', 'Enter a whole number of connects. Leave it empty to bid without a boost.')
  );
}

type Schedule = Pick<BidRequest, 'scheduledAt' | 'scheduledInMinutes'>;

function checkSchedule(form: BidForm, now: Instant, note: Note): Schedule | undefined {
  switch (form.when) {
    case 'as-set-up':
      return undefined;
    case 'in-minutes':
      return checkMinutes(form, note);
    case 'at':
      return checkMoment(form, now, note);
  }
}

function checkMinutes({ inMinutes }: BidForm, note: Note): Schedule | undefined {
  const { min, max } = BID_FORM_LIMITS.inMinutes;
  const minutes = parseNonNegativeInteger(inMinutes);
  if (minutes === undefined || minutes < min || minutes > max)
    return note('inMinutes', `Enter a whole number of minutes from ${min} to ${max}.`);
  return { scheduledInMinutes: minutes };
}

function checkMoment({ at }: BidForm, now: Instant, note: Note): Schedule | undefined {
  if (at === undefined) return note('at', 'Choose a date and time.');
  if (at < now) return note('at', 'This time is in the past. Choose a time in the future.');
  if (at < now + BID_FORM_LIMITS.aheadMs)
    return note('at', 'This is too soon. Choose a time at least 1 minute from now.');
  return { scheduledAt: at };
}

function tooLong(text: string, most: number): string | undefined {
  const length = countCharacters(text);
  const over = length - most;
  if (over <= 0) return undefined;
  const excess = `${whole.format(over)} over the limit of ${whole.format(most)}`;
  return `is ${whole.format(length)} characters long, ${excess}.`;
}

function checkLetter({ coverLetter }: BidForm, note: Note): string | undefined {
  if (coverLetter === '') return undefined;
  if (isBlank(coverLetter))
    return note(
      'coverLetter',
      "The cover letter only has spaces. Write one, or clear the field to use the setup's template.",
    );
  const problem = tooLong(coverLetter, BID_FORM_LIMITS.letter);
  return problem ? note('coverLetter', `The cover letter ${problem}`) : coverLetter;
}

/** All or none: without answers a template answers. The effect of some answers is undocumented. */
function checkAnswers({ answers }: BidForm, questions: readonly string[], note: Note) {
  const given = questions.map((question, place) => ({ question, answer: answers[place] ?? '' }));
  if (given.every(({ answer }) => answer === '')) return undefined;
  for (const [place, { answer }] of given.entries()) {
    const problem = isBlank(answer)
      ? 'Answer every question, or clear them all to let the template answer. Spaces count as text.'
      : tooLong(answer, BID_FORM_LIMITS.answer);
    if (problem) note(`answer:${place}`, isBlank(answer) ? problem : `The answer ${problem}`);
  }
  return given;
}

const LONGEST_JOB_ID = 100;
const JOB_ID = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_~-]+$/u;

/**
 * A marketplace job id: `~digits` or digits, a project link (its id is used), or a word of letters, digits,
 * `_`, `~` and `-`, at most 100 characters. undefined: invalid. Source: marketplace-api.md, "the marketplace
 * job id (usually starts with a tilde)"; other forms are undocumented.
 */
export function parseMarketplaceJobId(text: string): string | undefined {
  const reference = parseProjectReference(text);
  if (reference) return projectReferenceId(reference);
  const word = text.trim();
  return word.length <= LONGEST_JOB_ID && JOB_ID.test(word) ? word : undefined;
}

const typed = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** @param questions of the project as known now; an answer appears under its own question, or not at all */
export function refillBidForm(request: BidRequest, questions: readonly string[] = []): BidForm {
  const { setup, marketplaceJobId, scheduledAt, scheduledInMinutes } = request;
  const { coverLetter = '', answers = [] } = request;
  const given = new Map(answers.map(({ question, answer }) => [question, answer]));
  return {
    setup,
    marketplaceJobId,
    projectId: typed(request.projectId),
    bidAmount: typed(request.bidAmount),
    boostConnects: typed(request.boostConnects),
    when: scheduledAt !== undefined ? 'at' : scheduledInMinutes !== undefined ? 'in-minutes' : 'as-set-up',
    inMinutes: typed(scheduledInMinutes),
    at: scheduledAt,
    coverLetter,
    answers: questions.map((question) => given.get(question) ?? ''),
  };
}

/** More than this many times the client's budget: a bid that high hardly wins. */
const ABOVE = 3;
/** At most the budget divided by this: a digit is missing. */
const BELOW = 10;
/** In dollars, where the client names no budget. */
const HIGH = { hourly: 300, fixed: 50_000 } as const;
/** In connects. The API names no price for a boost: it only comes on top of the bid's own. */
const HIGH_BOOST = 100;

export interface UnusualAmount {
  readonly field: 'bidAmount' | 'boostConnects';
  readonly value: number;
  /** Missing: it is high for any project. */
  readonly compared?: 'above-budget' | 'below-budget';
}

function findUnusualBid(amount: number, budget: ListedProject['budget']): UnusualAmount | undefined {
  const named = listBudgetAmounts(budget);
  const unusual = { field: 'bidAmount', value: amount } as const;
  if (named.length === 0) {
    const high = HIGH[budgetType(budget) ?? 'fixed'];
    return amount > high ? unusual : undefined;
  }
  if (amount > ABOVE * Math.max(...named)) return { ...unusual, compared: 'above-budget' };
  return amount * BELOW <= Math.min(...named) ? { ...unusual, compared: 'below-budget' } : undefined;
}

/** @param budget of the client, as far as known */
export function findUnusualAmounts(
  { bidAmount, boostConnects }: Pick<BidRequest, 'bidAmount' | 'boostConnects'>,
  budget: ListedProject['budget'],
): readonly UnusualAmount[] {
  const bid = bidAmount === undefined ? undefined : findUnusualBid(bidAmount, budget);
  const hasHighBoost = boostConnects !== undefined && boostConnects > HIGH_BOOST;
  return [
    ...(bid ? [bid] : []),
    ...(hasHighBoost ? [{ field: 'boostConnects', value: boostConnects } as const] : []),
  ];
}
