/** The fields of the bid modal: under which ids they stand, and what people filled in. Pure. */
import { z } from 'zod';
import type { FormField, FormMistake } from '../../bidding/check-form.ts';
import { type BidDraft, BidForm } from '../../bidding/records.ts';
import { SetupId } from '../../ids.ts';
import type { ViewValues } from '../routes.ts';
import { partsFor, readLongText } from './long-text.ts';
import { weightOf } from './weight.ts';

/** So many inputs for answers fit beside the rest, two for each. Source: docs/slack-limits.md, `viewBlocks`. */
export const MOST_QUESTIONS = 30;

/**
 * Bytes of JSON that a modal gives to letter and answers; the rest of Slack's 250,000 is for menus and questions. A letter and
 * 30 answers of 5,000 plain characters fit.
 */
const BYTES_FOR_TEXTS = 156_000;
/** Inputs beyond those that the draft gives each answer: for texts that are over the limit anyway. */
const EXTRA_INPUTS = 6;

export const fieldIds = {
  setup: 'setup',
  marketplaceJobId: 'job_id',
  projectId: 'project_id',
  bidAmount: 'bid_amount',
  boostConnects: 'boost',
  when: 'when',
  inMinutes: 'in_minutes',
  at: 'at',
  coverLetter: 'cover_letter',
} as const satisfies Record<Exclude<FormField, `answer:${number}`>, string>;

export function answerId(place: number): string {
  return `answer_${place}`;
}

/** The questions that the modal shows inputs for. */
export function shownQuestions({ questions = [] }: BidDraft): readonly string[] {
  return questions.slice(0, MOST_QUESTIONS);
}

/** Answers that are too much for one modal beside those before them: they are kept, and sent, without an input. */
export function keptAnswers({ form, parts }: BidDraft): ReadonlySet<number> {
  const kept = new Set<number>();
  let left = BYTES_FOR_TEXTS - weightOf(form.coverLetter);
  let extraLeft = EXTRA_INPUTS;
  for (const [place, answer] of form.answers.entries()) {
    if (answer === '') continue;
    const size = weightOf(answer);
    const extra = Math.max(0, partsFor(answer) - parts);
    if (size > left || extra > extraLeft) {
      kept.add(place);
    } else {
      left -= size;
      extraLeft -= extra;
    }
  }
  return kept;
}

const When = BidForm.shape.when;
const Chosen = z.string().regex(/^\d+$/u).transform(Number).pipe(SetupId);

/**
 * What stands in the modal, to the character. What it shows no input for stays as the draft has it.
 * @param draft as the modal was made from it
 */
export function readBidForm(values: ViewValues, draft: BidDraft): BidForm {
  const { form } = draft;
  const text = (id: string): string => values.get(id)?.text ?? '';
  const setup = Chosen.safeParse(values.get(fieldIds.setup)?.option).data;
  const typedMinutes = text(fieldIds.inMinutes);
  const at = values.get(fieldIds.at)?.at ?? (form.when === 'at' ? undefined : form.at);
  return {
    ...(setup === undefined ? {} : { setup }),
    marketplaceJobId: text(fieldIds.marketplaceJobId),
    projectId: text(fieldIds.projectId),
    bidAmount: text(fieldIds.bidAmount),
    boostConnects: text(fieldIds.boostConnects),
    when: When.safeParse(values.get(fieldIds.when)?.option).data ?? form.when,
    inMinutes: typedMinutes || form.when === 'in-minutes' ? typedMinutes : form.inMinutes,
    ...(at === undefined ? {} : { at }),
    coverLetter: readLongText(values, fieldIds.coverLetter),
    answers: readAnswers(values, draft),
  };
}

function readAnswers(values: ViewValues, draft: BidDraft): string[] {
  const { answers } = draft.form;
  const kept = keptAnswers(draft);
  const shown = shownQuestions(draft).map((_, place) => {
    const typed = readLongText(values, answerId(place));
    return typed === '' && kept.has(place) ? (answers[place] ?? '') : typed;
  });
  return [...shown, ...answers.slice(shown.length)];
}

/** Where a mistake can be shown: at its field, or at the nearest one that the modal has. */
function placeOf(field: FormField, draft: BidDraft): string {
  const answer = /^answer:(\d+)$/u.exec(field)?.[1];
  if (answer !== undefined)
    return keptAnswers(draft).has(Number(answer)) ? fieldIds.coverLetter : answerId(Number(answer));
  if (field === 'inMinutes' && draft.form.when !== 'in-minutes') return fieldIds.when;
  if (field === 'at' && draft.form.when !== 'at') return fieldIds.when;
  return fieldIds[field as keyof typeof fieldIds];
}

/** By block id. @param draft as the modal was made from it */
export function errorsOf(mistakes: readonly FormMistake[], draft: BidDraft): Record<string, string> {
  const errors = new Map<string, string>();
  for (const { field, sentence } of mistakes) {
    const place = placeOf(field, draft);
    const before = errors.get(place);
    errors.set(place, before === undefined ? sentence : `${before} ${sentence}`);
  }
  return Object.fromEntries(errors);
}
