/** The fields of the bid modal: under which ids they stand, and what people filled in. Pure. */
import { z } from 'zod';
import { type BidDraft, BidForm } from '../../bidding/records.ts';
import type { BidFormError, BidFormField } from '../../bidding/validate-bid-form.ts';
import { SetupId } from '../../ids.ts';
import type { ViewValues } from '../routes.ts';
import { jsonByteLength } from './json-bytes.ts';
import { countInputsForText, joinLongText } from './long-text.ts';

/** So many inputs for answers fit beside the rest, two for each. Source: docs/slack-limits.md, `viewBlocks`. */
export const MOST_QUESTIONS = 30;

/**
 * Bytes of JSON that a modal gives to letter and answers; the rest of Slack's 250,000 is for menus and questions. A letter and
 * 30 answers of 5,000 plain characters fit.
 */
const BYTES_FOR_TEXTS = 156_000;
/** Inputs beyond those that the draft gives each answer: for texts that are over the limit anyway. */
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
 * The input block of a field. Slack keeps what is filled in while a view is updated, block by block: a form that is begun
 * afresh must not inherit it, so each beginning has blocks of its own. So has a form whose long texts need another number of
 * inputs: what moves from one to another would stand there twice, or nowhere.
 */
export function bidFieldBlockId(field: string, afresh = 0): string {
  return afresh === 0 ? field : `${field}@${afresh}`;
}

/** The beginning that a view shows: every form has the choice of when, and it is never empty. */
export function parseFormResetCount(values: ViewValues): number {
  for (const id of values.keys()) {
    const beginning = /^when(?:@(\d{1,6}))?$/u.exec(id);
    if (beginning) return Number(beginning[1] ?? 0);
  }
  return 0;
}

/** The questions that the modal shows inputs for. */
export function shownQuestions({ questions = [] }: BidDraft): readonly string[] {
  return questions.slice(0, MOST_QUESTIONS);
}

/** Answers that are too much for one modal beside those before them: they are kept, and sent, without an input. */
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

/** Inputs for the cover letter: what is the longest has twice the room. */
export function countLetterInputs({ parts }: Pick<BidDraft, 'parts'>): number {
  return parts > 1 ? 2 * parts : 1;
}

/** How many inputs the modal has for the letter and for each answer; 0 for an answer that is kept without one. */
function countInputs(draft: BidDraft): readonly number[] {
  const { form, parts } = draft;
  const kept = findAnswersWithoutInput(draft);
  const answers = shownQuestions(draft).map((_, place) =>
    kept.has(place) ? 0 : Math.max(parts, countInputsForText(form.answers[place] ?? '')),
  );
  return [Math.max(countLetterInputs(draft), countInputsForText(form.coverLetter)), ...answers];
}

/** Whether what was typed needs other inputs than those that it was typed into. @param before as the modal was made from it */
export function shouldRebuildInputs(before: BidDraft, typed: BidDraft): boolean {
  const now = countInputs(typed);
  return countInputs(before).some((count, place) => count !== now[place]);
}

const When = BidForm.shape.when;
const Chosen = z.string().regex(/^\d+$/u).transform(Number).pipe(SetupId);

/**
 * What stands in the modal, to the character. What it shows no input for stays as the draft has it.
 * @param draft as the modal was made from it
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
    ...(setup === undefined ? {} : { setup }),
    marketplaceJobId: text(bidFieldIds.marketplaceJobId),
    projectId: text(bidFieldIds.projectId),
    bidAmount: text(bidFieldIds.bidAmount),
    boostConnects: text(bidFieldIds.boostConnects),
    when: When.safeParse(value(bidFieldIds.when)?.option).data ?? form.when,
    inMinutes: typedMinutes || form.when === 'in-minutes' ? typedMinutes : form.inMinutes,
    ...(at === undefined ? {} : { at }),
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

/** Where a mistake can be shown: at its field, or at the nearest one that the modal has. */
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
 * By block id.
 * @param draft as the modal was made from it
 * @param beginning that the modal shows
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
