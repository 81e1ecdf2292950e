/**
 * The second step: hourly rates and fixed prices. Mode, frequency and type decide which fields show. Pure.
 */
import type { KnownBlock } from '@slack/types';
import { isFieldApplicable, type TemplateField } from '../../templates/form.ts';
import { contextBlock, sectionBlock } from '../kit/block-builders.ts';
import { templateCopyNoteText } from './template-copy-notes.ts';
import { type StepFacts, templateMenuInput, templateTextInput } from './template-inputs.ts';
import { HOURLY_MODE_LABELS, INCREASE_FREQUENCY_LABELS, PRICE_TYPE_LABELS } from './template-labels.ts';

/** A number that only some choices need; an empty one is not sent. */
function askedInput(facts: StepFacts, field: TemplateField, typed: string): KnownBlock[] {
  return isFieldApplicable(facts.draft.form, field)
    ? templateTextInput(facts, field, typed, { optional: true })
    : [];
}

/** Why the user must choose a mode, if the source template is the reason. */
function modeNotes({ draft }: StepFacts): KnownBlock[] {
  if (draft.form.hourly.mode !== '') return [];
  const notes = (draft.from?.notes ?? []).filter(
    (note) => note.kind === 'flexible-rate' || (note.kind === 'choice' && note.field === 'hourly.mode'),
  );
  return notes.map((note) => contextBlock(templateCopyNoteText(note)));
}

export function ratesStepBlocks(facts: StepFacts): KnownBlock[] {
  const { hourly, fixedPrice } = facts.draft.form;
  return [
    sectionBlock('*Hourly jobs*'),
    ...modeNotes(facts),
    ...templateMenuInput(facts, 'hourly.mode', {
      labels: HOURLY_MODE_LABELS,
      chosen: hourly.mode,
      dispatch: true,
    }),
    ...templateTextInput(facts, 'hourly.rate', hourly.rate),
    ...askedInput(facts, 'hourly.smartMin', hourly.smartMin),
    ...askedInput(facts, 'hourly.smartMax', hourly.smartMax),
    ...askedInput(facts, 'hourly.smartPercent', hourly.smartPercent),
    ...templateMenuInput(facts, 'hourly.increaseFrequency', {
      labels: INCREASE_FREQUENCY_LABELS,
      chosen: hourly.increaseFrequency,
      dispatch: true,
    }),
    ...askedInput(facts, 'hourly.increasePercent', hourly.increasePercent),
    sectionBlock('*Fixed-price jobs*'),
    ...templateMenuInput(facts, 'fixedPrice.type', {
      labels: PRICE_TYPE_LABELS,
      chosen: fixedPrice.type,
      dispatch: true,
    }),
    ...askedInput(facts, 'fixedPrice.price', fixedPrice.price),
    ...askedInput(facts, 'fixedPrice.minPrice', fixedPrice.minPrice),
    ...askedInput(facts, 'fixedPrice.clientBudgetPercent', fixedPrice.clientBudgetPercent),
  ];
}
