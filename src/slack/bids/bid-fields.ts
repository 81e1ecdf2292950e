/** The bid modal's fields: their inputs, parsing of their values, and where errors show. Pure. */

import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import { type BidDraft, BidForm } from '../../bidding/bidding.ts';
import {
  BID_FORM_LIMITS,
  type BidFormError,
  type BidFormField,
  parseMarketplaceJobId,
} from '../../bidding/validate-bid-form.ts';
import { SetupId } from '../../ids.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import { budgetType } from '../../query/project-rules.ts';
import { isBlank } from '../../typed/texts.ts';
import type { ViewValues } from '../core/routes.ts';
import { errorsByBlock, type FormField, fieldInputs, readText } from '../kit/form.ts';
import { actionIds } from '../kit/ids.ts';
import { slackLimits } from '../kit/limits.ts';
import { countInputsForText, joinLongText, jsonByteLength } from '../kit/long-text.ts';
import { clipText } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import type { BidFormFacts } from './bid-form-facts.ts';

/** They fit beside the other fields, with two inputs each. Source: docs/slack-limits.md, `viewBlocks`. */
const MAX_BID_FORM_QUESTIONS = 30;

/** In JSON: a letter and 30 answers of 5,000 plain characters. The rest of Slack's 250,000 is for others. */
const BYTES_FOR_TEXTS = 156_000;
/** Inputs beyond those planned for each answer: for texts over the limit. */
const EXTRA_INPUTS = 6;

type TextField = Exclude<FormField, { kind: 'switch' }> & { readonly id: string; readonly optional?: true };

const { bidAmount: amounts, inMinutes: minutes } = BID_FORM_LIMITS;

/** The fields except the menu of setups and the date picker, which have inputs of their own. */
const FIELDS = {
  marketplaceJobId: {
    id: 'job_id',
    kind: 'line',
    label: 'Project link or ~ID',
    hint: 'Paste the project link or its ~ID.',
  },
  projectId: {
    id: 'project_id',
    kind: 'line',
    label: 'Project ID',
    hint: "The marketplace's internal number. Leave empty to find the project by its ~ID.",
    optional: true,
  },
  bidAmount: {
    id: 'bid_amount',
    kind: 'line',
    label: 'Bid amount',
    hint:
      "Leave empty to let the setup's template decide. " +
      `$${formatNumber(amounts.min)} to $${formatNumber(amounts.max)}.`,
    optional: true,
  },
  boostConnects: {
    id: 'boost',
    kind: 'line',
    label: 'Boost (connects)',
    hint: "Leave empty for no boost. Added to the bid's own connects cost.",
    optional: true,
  },
  when: {
    id: 'when',
    kind: 'menu',
    label: 'When to bid',
    choices: {
      'as-set-up': "On the setup's schedule",
      'in-minutes': 'In 15 to 60 minutes',
      at: 'At a specific time',
    },
    dispatch: actionIds.bidWhen,
  },
  inMinutes: {
    id: 'in_minutes',
    kind: 'line',
    label: 'Minutes from now',
    placeholder: `${minutes.min} to ${minutes.max}`,
  },
  coverLetter: { id: 'cover_letter', kind: 'long', label: 'Cover letter', optional: true },
} as const satisfies Partial<Record<BidFormField, TextField>>;
type TextFieldName = keyof typeof FIELDS;

/**
 * A field's input block ID. Slack keeps input by block while a view updates, and a form that starts over must
 * not inherit it. So each start has its own block IDs. A form whose long texts need another number of inputs
 * starts over, too: text moved between inputs would appear twice or not at all.
 */
export function bidFieldBlockId(field: BidFormField, afresh = 0, letterRevision = 0): string {
  const name = isAnswer(field) ? field.replace(':', '_') : isText(field) ? FIELDS[field].id : field;
  const id = field === 'coverLetter' && letterRevision > 0 ? `${name}+${letterRevision}` : name;
  return afresh === 0 ? id : `${id}@${afresh}`;
}

/** How often a press put a letter into the draft: only the letter's own inputs are new then. */
function letterRevisionOf({ insertedLetter }: Pick<BidDraft, 'insertedLetter'>): number {
  return insertedLetter?.revision ?? 0;
}

const LETTER_ID = /^cover_letter\+(\d{1,6})(?:[@~]|$)/u;

/** The letter's revision that a view shows; undefined for the first one, or if its letter is empty. */
function findShownLetterRevision(values: ViewValues): number | undefined {
  for (const id of values.keys()) {
    const found = LETTER_ID.exec(id)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}

/**
 * Whether the form asks for the marketplace job ID: not if the project's own `~id` is known. A uid may be
 * corrected, because the marketplace may not know the project by it.
 */
export function needsJobId({ url, project, form }: BidDraft): boolean {
  const own = parseProjectReference(url ?? '') ?? parseProjectReference(project);
  const isKnown = own !== undefined && 'ciphertext' in own;
  return !isKnown || parseMarketplaceJobId(form.marketplaceJobId) === undefined;
}

/** Whether it asks for the project ID: beside the job ID, or if there is one already. */
export function needsProjectId(draft: BidDraft): boolean {
  return needsJobId(draft) || !isBlank(draft.form.projectId);
}

function isText(field: BidFormField): field is TextFieldName {
  return Object.hasOwn(FIELDS, field);
}

function isAnswer(field: BidFormField): field is `answer:${number}` {
  return field.startsWith('answer:');
}

/** A text's inputs with the draft's value. @param look replaces parts of the field's own */
export function bidInputs(
  draft: Pick<BidDraft, 'form' | 'afresh' | 'insertedLetter'>,
  name: TextFieldName,
  { parts, ...look }: { readonly label?: string; readonly hint?: string; readonly parts?: number } = {},
): InputBlock[] {
  const { form, afresh } = draft;
  const field: TextField = FIELDS[name];
  const value = field.kind === 'line' ? clipText(form[name], slackLimits.plainTextInput.max) : form[name];
  const id = bidFieldBlockId(name, afresh, letterRevisionOf(draft));
  return fieldInputs({ ...field, ...look }, { id, value, optional: field.optional ?? false, parts });
}

export function priceInputs({ draft, budget }: BidFormFacts): InputBlock[] {
  const labels = {
    hourly: 'Hourly rate ($)',
    fixed: 'Fixed-price bid ($)',
    unknown: 'Bid amount ($, hourly or fixed)',
  };
  const label = labels[budgetType(budget) ?? 'unknown'];
  return [...bidInputs(draft, 'bidAmount', { label }), ...bidInputs(draft, 'boostConnects')];
}

/** How often the view's form has started over. Every form has the `when` choice, which is never empty. */
export function parseFormResetCount(values: ViewValues): number {
  for (const id of values.keys()) {
    const beginning = /^when(?:@(\d{1,6}))?$/u.exec(id);
    if (beginning) return Number(beginning[1] ?? 0);
  }
  return 0;
}

/** The questions that have inputs in the modal. */
export function shownQuestions({ questions = [] }: BidDraft): readonly string[] {
  return questions.slice(0, MAX_BID_FORM_QUESTIONS);
}

/** Answers that don't fit in the modal beside those before them: saved and sent, but without an input. */
export function findAnswersWithoutInput({ form, parts }: BidDraft): ReadonlySet<number> {
  const kept = new Set<number>();
  let left = BYTES_FOR_TEXTS - jsonByteLength(form.coverLetter);
  let extraLeft = EXTRA_INPUTS;
  for (const [place, answer] of form.answers.entries()) {
    if (answer === '') continue;
    const size = jsonByteLength(answer);
    const extra = Math.max(0, countInputsForText(answer) - parts);
    if (size > left || extra > extraLeft) {
      kept.add(place);
    } else {
      left -= size;
      extraLeft -= extra;
    }
  }
  return kept;
}

/** The letter gets twice as many inputs, since it is the longest text. */
export function countLetterInputs({ parts }: Pick<BidDraft, 'parts'>): number {
  return parts > 1 ? 2 * parts : 1;
}

/** Of the letter and each answer; 0 for an answer without an input. */
function countInputs(draft: BidDraft): readonly number[] {
  const { form, parts } = draft;
  const kept = findAnswersWithoutInput(draft);
  const answers = shownQuestions(draft).map((_, place) =>
    kept.has(place) ? 0 : Math.max(parts, countInputsForText(form.answers[place] ?? '')),
  );
  return [Math.max(countLetterInputs(draft), countInputsForText(form.coverLetter)), ...answers];
}

/** Whether the typed texts need a different number of inputs. @param before what the modal was built from */
export function shouldRebuildInputs(before: BidDraft, typed: BidDraft): boolean {
  const now = countInputs(typed);
  return countInputs(before).some((count, place) => count !== now[place]);
}

const Chosen = z.string().regex(/^\d+$/u).transform(Number).pipe(SetupId);

/**
 * The modal's exact values. Fields without an input keep the draft's value.
 * @param draft the draft that the modal was built from
 */
export function parseBidForm(values: ViewValues, draft: BidDraft): BidForm {
  const { form } = draft;
  const beginning = parseFormResetCount(values);
  const value = (field: BidFormField) => values.get(bidFieldBlockId(field, beginning));
  const letter = findShownLetterRevision(values) ?? 0;
  const text = (field: TextFieldName) =>
    readText(FIELDS[field], values, bidFieldBlockId(field, beginning, letter), form[field]);
  const id = (field: 'marketplaceJobId' | 'projectId', isAsked: boolean) =>
    isAsked ? text(field) : (value(field)?.text ?? form[field]);
  const setup = Chosen.safeParse(value('setup')?.option).data;
  const typedMinutes = text('inMinutes');
  const at = value('at')?.at ?? (form.when === 'at' ? undefined : form.at);
  return {
    setup,
    marketplaceJobId: id('marketplaceJobId', needsJobId(draft)),
    projectId: id('projectId', needsProjectId(draft)),
    bidAmount: text('bidAmount'),
    boostConnects: text('boostConnects'),
    when: BidForm.shape.when.parse(text('when')),
    inMinutes: typedMinutes || form.when === 'in-minutes' ? typedMinutes : form.inMinutes,
    at,
    coverLetter: text('coverLetter'),
    answers: readAnswers(values, draft, beginning),
  };
}

function readAnswers(values: ViewValues, draft: BidDraft, beginning: number): string[] {
  const { answers } = draft.form;
  const kept = findAnswersWithoutInput(draft);
  const shown = shownQuestions(draft).map((_, place) => {
    const typed = joinLongText(values, bidFieldBlockId(`answer:${place}`, beginning));
    return typed === '' && kept.has(place) ? (answers[place] ?? '') : typed;
  });
  return [...shown, ...answers.slice(shown.length)];
}

/** Where to show a mistake: at its field, or at the nearest one in the modal. */
function placeOf(field: BidFormField, draft: BidDraft): BidFormField {
  if (isAnswer(field))
    return findAnswersWithoutInput(draft).has(Number(field.slice('answer:'.length))) ? 'coverLetter' : field;
  if (field === 'marketplaceJobId' && !needsJobId(draft)) return 'setup';
  if (field === 'projectId' && !needsProjectId(draft)) return 'setup';
  if (field === 'inMinutes' && draft.form.when !== 'in-minutes') return 'when';
  return field === 'at' && draft.form.when !== 'at' ? 'when' : field;
}

/**
 * By block ID.
 * @param draft the draft that the modal was built from
 * @param values the modal's; they say how often its form has started over, and which letter it shows
 */
export function bidFormErrors(
  mistakes: readonly BidFormError[],
  draft: BidDraft,
  values: ViewValues = new Map(),
): Record<string, string> {
  const beginning = parseFormResetCount(values);
  const letter = findShownLetterRevision(values) ?? letterRevisionOf(draft);
  return errorsByBlock(
    mistakes.map(({ field, message }) => [
      bidFieldBlockId(placeOf(field, draft), beginning, letter),
      message,
    ]),
  );
}
