/** The bid modal's field IDs, and parsing of its values. Pure. */

import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type BidDraft, BidForm } from '../../bidding/records.ts';
import type { BidFormError, BidFormField } from '../../bidding/validate-bid-form.ts';
import { SetupId } from '../../ids.ts';
import type { ViewValues } from '../core/routes.ts';
import { jsonByteLength } from '../kit/json.ts';
import { countInputsForText, joinLongText } from '../kit/long-text.ts';

/**
 * How many questions fit beside the other fields, with two inputs each. Source: docs/slack-limits.md,
 * `viewBlocks`.
 */
export const MAX_BID_FORM_QUESTIONS = 30;

/**
 * JSON bytes for the letter and the answers; the rest of Slack's 250,000 is for menus and questions. Fits a
 * letter and 30 answers of 5,000 plain characters.
 */
const BYTES_FOR_TEXTS = 156_000;
/** Inputs beyond those planned for each answer: for texts over the limit. */
const EXTRA_INPUTS = 6;

export const bidFieldIds = {
  setup: 'setup',
  marketplaceJobId: 'job_id',
  projectId: 'project_id',
  bidAmount: 'bid_amount',
  boostConnects: 'boost',
  when: 'when',
  inMinutes: 'in_minutes',
  at: 'at',
  coverLetter: 'cover_letter',
} as const satisfies Record<Exclude<BidFormField, `answer:${number}`>, string>;

export function answerFieldId(place: number): string {
  return `answer_${place}`;
}

/**
 * A field's input block ID. Slack keeps input by block while a view updates, and a form that starts over must
 * not inherit it. So each start has its own block IDs. A form whose long texts need another number of inputs
 * starts over, too: text moved between inputs would appear twice or not at all.
 */
export function bidFieldBlockId(field: string, afresh = 0): string {
  return afresh === 0 ? field : `${field}@${afresh}`;
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

/** How many inputs the letter and each answer have in the modal; 0 for an answer without an input. */
function countInputs(draft: BidDraft): readonly number[] {
  const { form, parts } = draft;
  const kept = findAnswersWithoutInput(draft);
  const answers = shownQuestions(draft).map((_, place) =>
    kept.has(place) ? 0 : Math.max(parts, countInputsForText(form.answers[place] ?? '')),
  );
  return [Math.max(countLetterInputs(draft), countInputsForText(form.coverLetter)), ...answers];
}

/**
 * Whether the typed texts need a different number of inputs. @param before the draft that the modal was built
 * from
 */
export function shouldRebuildInputs(before: BidDraft, typed: BidDraft): boolean {
  const now = countInputs(typed);
  return countInputs(before).some((count, place) => count !== now[place]);
}

const When = BidForm.shape.when;
const Chosen = z.string().regex(/^\d+$/u).transform(Number).pipe(SetupId);

/**
 * The modal's exact values. Fields without an input keep the draft's value.
 * @param draft the draft that the modal was built from
 */
export function parseBidForm(values: ViewValues, draft: BidDraft): BidForm {
  const { form } = draft;
  const beginning = parseFormResetCount(values);
  const value = (field: string) => values.get(bidFieldBlockId(field, beginning));
  const text = (field: string): string => value(field)?.text ?? '';
  const setup = Chosen.safeParse(value(bidFieldIds.setup)?.option).data;
  const typedMinutes = text(bidFieldIds.inMinutes);
  const at = value(bidFieldIds.at)?.at ?? (form.when === 'at' ? undefined : form.at);
  return {
    ...omitUndefined({ setup }),
    marketplaceJobId: text(bidFieldIds.marketplaceJobId),
    projectId: text(bidFieldIds.projectId),
    bidAmount: text(bidFieldIds.bidAmount),
    boostConnects: text(bidFieldIds.boostConnects),
    when: When.safeParse(value(bidFieldIds.when)?.option).data ?? form.when,
    inMinutes: typedMinutes || form.when === 'in-minutes' ? typedMinutes : form.inMinutes,
    ...omitUndefined({ at }),
    coverLetter: joinLongText(values, bidFieldBlockId(bidFieldIds.coverLetter, beginning)),
    answers: readAnswers(values, draft, beginning),
  };
}

function readAnswers(values: ViewValues, draft: BidDraft, beginning: number): string[] {
  const { answers } = draft.form;
  const kept = findAnswersWithoutInput(draft);
  const shown = shownQuestions(draft).map((_, place) => {
    const typed = joinLongText(values, bidFieldBlockId(answerFieldId(place), beginning));
    return typed === '' && kept.has(place) ? (answers[place] ?? '') : typed;
  });
  return [...shown, ...answers.slice(shown.length)];
}

/** Where to show a mistake: at its field, or at the nearest one in the modal. */
function placeOf(field: BidFormField, draft: BidDraft): string {
  const answer = /^answer:(\d+)$/u.exec(field)?.[1];
  if (answer !== undefined)
    return findAnswersWithoutInput(draft).has(Number(answer))
      ? bidFieldIds.coverLetter
      : answerFieldId(Number(answer));
  if (field === 'inMinutes' && draft.form.when !== 'in-minutes') return bidFieldIds.when;
  if (field === 'at' && draft.form.when !== 'at') return bidFieldIds.when;
  return bidFieldIds[field as keyof typeof bidFieldIds];
}

/**
 * By block ID.
 * @param draft the draft that the modal was built from
 * @param beginning how often the modal's form has started over
 */
export function bidFormErrors(
  mistakes: readonly BidFormError[],
  draft: BidDraft,
  beginning = 0,
): Record<string, string> {
  const errors = new Map<string, string>();
  for (const { field, message } of mistakes) {
    const place = bidFieldBlockId(placeOf(field, draft), beginning);
    const before = errors.get(place);
    errors.set(place, before === undefined ? message : `${before} ${message}`);
  }
  return Object.fromEntries(errors);
}
