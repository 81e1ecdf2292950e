/** What is wrong at a step, shown under the fields: by our own checks, and in the marketplace's words. Pure. */
import type { KnownBlock } from '@slack/types';
import { checkStep } from '../../templates/check-template.ts';
import type { Mistake } from '../../templates/checked.ts';
import type { TemplateField, TemplatePlace, TemplateStep } from '../../templates/form.ts';
import type { PlacedError } from '../../templates/place-errors.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { context, lines } from '../messages/parts.ts';
import { refusedFieldsText, refusedPlaces } from '../messages/template-places.ts';

const LONGEST_WORDS = 300;
/** Of the marketplace about one field. */
const MOST_WORDS = 3;

export interface Marks {
  /** Of the step; those of empty fields too. */
  readonly mistakes: readonly Mistake[];
  readonly said: readonly PlacedError[];
  /** Whether the mistakes are shown at every field, or only where nobody would see them otherwise. */
  readonly all: boolean;
}

export function marksOf(draft: TemplateDraft, step: TemplateStep, all: boolean): Marks {
  return { mistakes: checkStep(draft.form, step), said: refusedPlaces(draft).placed, all };
}

type Spot = Pick<TemplatePlace, 'field' | 'index'>;

function isAt({ field, index }: Spot): (place: TemplatePlace) => boolean {
  return (place) => place.field === field && place.index === index;
}

/** What the marketplace said of a field. mrkdwn lines. */
function saidAt({ said }: Marks, at: Spot): string[] {
  const words = said.filter(isAt(at)).slice(0, MOST_WORDS);
  return words.map(
    ({ words: theirs }) =>
      `:no_entry_sign: The marketplace says: “${safeLine(theirs, LONGEST_WORDS) || 'not accepted'}”`,
  );
}

function mistakesAt({ mistakes }: Marks, at: Spot): string[] {
  return mistakes.filter(isAt(at)).map(({ sentence }) => `:warning: ${sentence}`);
}

/** All that is wrong with one field. @param always also where mistakes are not asked for. mrkdwn, empty where nothing is */
export function markText(marks: Marks, at: Spot, always = false): string {
  return lines(...saidAt(marks, at), ...(marks.all || always ? mistakesAt(marks, at) : []));
}

export function markBlocks(marks: Marks, field: TemplateField, always = false): KnownBlock[] {
  const words = markText(marks, { field }, always);
  return words ? [context(words)] : [];
}

/** What the marketplace said of things that have no field here. */
export function otherWordsBlocks(draft: TemplateDraft): KnownBlock[] {
  const { others } = refusedPlaces(draft);
  if (others.length === 0) return [];
  return [
    context(
      lines(
        ":no_entry_sign: The marketplace also rejected fields that aren't shown here:",
        refusedFieldsText({ placed: [], others }, 5),
      ),
    ),
  ];
}
