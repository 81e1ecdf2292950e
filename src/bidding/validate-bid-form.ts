/** Whether a filled-in bid can be sent: the marketplace's own bounds, all mistakes at once. Pure. */
import { withoutTilde } from '../aliases/project-aliases.ts';
import { type Instant, MINUTE } from '../clock.ts';
import type { ProjectKey, SetupId } from '../ids.ts';
import { isLinkWithoutId } from '../marketplace/project-key.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { hasMoreThanTwoDecimals, parseMoney, parseNonNegativeInteger } from '../typed/numbers.ts';
import { countCharacters, isBlank } from '../typed/texts.ts';
import { parseMarketplaceJobId } from './parse-job-id.ts';
import type { BidForm, BidRequest } from './records.ts';

/** A field of the form; an answer by the place of its question. */
export type BidFormField = Exclude<keyof BidForm, 'answers'> | `answer:${number}`;

export interface BidFormError {
  readonly field: BidFormField;
  /** What is wrong and what would be right; plain text, of strangers' words at most a project's id. */
  readonly message: string;
}

export interface BidFormValidationInput {
  readonly project: ProjectKey;
  /** The screening questions that could be answered; empty where none are known. */
  readonly questions: readonly string[];
  /** Every setup that is stored, of whatever status. */
  readonly setups: readonly BiddingSetup[];
  readonly now: Instant;
}

export type BidFormResult =
  | { readonly kind: 'ok'; readonly request: BidRequest }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly BidFormError[] };

/** Bounds of `POST /auto-bidding/jobs/create` (source: marketplace-api.md, Limits), and of what the form holds. */
export const BID_FORM_LIMITS = {
  bidAmount: { min: 5, max: 1_000_000 },
  inMinutes: { min: 15, max: 60 },
  /** Characters that fit into the form. The API has no bound for a job's own texts: what is too long is the server's to refuse. */
  letter: 10_000,
  answer: 6_000,
  /** Less would be past by the time that the marketplace reads it. */
  aheadMs: MINUTE,
} as const;

const whole = new Intl.NumberFormat('en-US');

/** Notes a mistake at a field; returns undefined, so that a check can end with it. */
type Note = (field: BidFormField, sentence: string) => undefined;

/**
 * Everything that is wrong with a form, or the request that it makes. An amount may have cents and no finer parts, since the
 * marketplace counts in dollars. Texts come out exactly as typed. The moment that is chosen last counts: a time left in a hidden
 * field is not sent.
 */
export function validateBidForm(form: BidForm, facts: BidFormValidationInput): BidFormResult {
  const mistakes: BidFormError[] = [];
  const note: Note = (field, sentence) => {
    mistakes.push({ field, message: sentence });
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
  const request: BidRequest = {
    setup,
    marketplaceJobId,
    ...(projectId === undefined ? {} : { projectId }),
    ...(bidAmount === undefined ? {} : { bidAmount }),
    ...(boostConnects === undefined ? {} : { boostConnects }),
    ...schedule,
    ...(coverLetter === undefined ? {} : { coverLetter }),
    ...(answers === undefined ? {} : { answers }),
  };
  return { kind: 'ok', request };
}

function checkSetup({ setup }: BidForm, { setups }: BidFormValidationInput, note: Note): SetupId | undefined {
  if (setup === undefined) return note('setup', 'Choose a setup.');
  if (setups.some((each) => each.id === setup)) return setup;
  return note('setup', 'This setup no longer exists. Choose another one.');
}

/** The id of the form's project, which is certain where its link bears one. undefined: any id may be its own. */
function ownJobId(project: ProjectKey): string | undefined {
  return project.startsWith('~') ? project : undefined;
}

/** What a bid becomes is told with the project of its form, so the id must not name another. */
function checkJobId(
  { marketplaceJobId }: BidForm,
  { project }: BidFormValidationInput,
  note: Note,
): string | undefined {
  const field = 'marketplaceJobId';
  if (isBlank(marketplaceJobId)) return note(field, 'Paste the job link or its ~ID.');
  const id = parseMarketplaceJobId(marketplaceJobId);
  if (id === undefined && isLinkWithoutId(marketplaceJobId))
    return note(field, 'This link has no ~ID. Paste the job link or its ~ID.');
  if (id === undefined) return note(field, "This isn't a valid job ID. Paste the job link or its ~ID.");
  const own = ownJobId(project);
  if (own === undefined || withoutTilde(own) === withoutTilde(id)) return own ?? id;
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
  if (amount < min || amount > max)
    return note('bidAmount', `The bid must be $${whole.format(min)} to $${whole.format(max)}.`);
  if (hasMoreThanTwoDecimals(bidAmount)) return note('bidAmount', 'Use up to 2 decimals.');
  return amount;
}

/** 0 is sent as it was typed: what the marketplace makes of a boost that is left out is not written down. */
function checkBoost({ boostConnects }: BidForm, note: Note): number | undefined {
  if (isBlank(boostConnects)) return undefined;
  const boost = parseNonNegativeInteger(boostConnects);
  if (boost === undefined)
    return note('boostConnects', 'Enter a whole number of connects. Leave it empty to bid without a boost.');
  return boost;
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

/** undefined where it fits; else how much too long it is. */
function tooLong(text: string, most: number): string | undefined {
  const length = countCharacters(text);
  const over = length - most;
  if (over <= 0) return undefined;
  return `is ${whole.format(length)} characters long, ${whole.format(over)} over the limit of ${whole.format(most)}.`;
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

/** All or none: a template answers where nothing is sent, and what it does with a part is not written down. */
function checkAnswers(
  { answers }: BidForm,
  questions: readonly string[],
  note: Note,
): BidRequest['answers'] | undefined {
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
