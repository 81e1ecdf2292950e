/** The second step: hourly rates and fixed prices; what is asked for follows from mode, frequency and type. Pure. */
import type { KnownBlock } from '@slack/types';
import { isAsked, type TemplateField } from '../../templates/form.ts';
import { context, section } from '../messages/parts.ts';
import { noteText } from '../messages/template-notes.ts';
import { FREQUENCY_LABELS, MODE_LABELS, PRICE_TYPE_LABELS } from '../messages/template-words.ts';
import { menuInput, type StepFacts, typedInput } from './template-inputs.ts';

/** A number that the choices may ask for; empty, it is not sent. */
function askedInput(facts: StepFacts, field: TemplateField, typed: string): KnownBlock[] {
  return isAsked(facts.draft.form, field) ? typedInput(facts, field, typed, { optional: true }) : [];
}

/** Why a mode has to be chosen, where that follows from the template that somebody started from. */
function modeNotes({ draft }: StepFacts): KnownBlock[] {
  if (draft.form.hourly.mode !== '') return [];
  const notes = (draft.from?.notes ?? []).filter(
    (note) => note.kind === 'flexible-rate' || (note.kind === 'choice' && note.field === 'hourly.mode'),
  );
  return notes.map((note) => context(noteText(note)));
}

export function ratesStep(facts: StepFacts): KnownBlock[] {
  const { hourly, fixedPrice } = facts.draft.form;
  return [
    section('*Hourly jobs*'),
    ...modeNotes(facts),
    ...menuInput(facts, 'hourly.mode', { labels: MODE_LABELS, chosen: hourly.mode, dispatch: true }),
    ...typedInput(facts, 'hourly.rate', hourly.rate),
    ...askedInput(facts, 'hourly.smartMin', hourly.smartMin),
    ...askedInput(facts, 'hourly.smartMax', hourly.smartMax),
    ...askedInput(facts, 'hourly.smartPercent', hourly.smartPercent),
    ...menuInput(facts, 'hourly.increaseFrequency', {
      labels: FREQUENCY_LABELS,
      chosen: hourly.increaseFrequency,
      dispatch: true,
    }),
    ...askedInput(facts, 'hourly.increasePercent', hourly.increasePercent),
    section('*Fixed-price jobs*'),
    ...menuInput(facts, 'fixedPrice.type', {
      labels: PRICE_TYPE_LABELS,
      chosen: fixedPrice.type,
      dispatch: true,
    }),
    ...askedInput(facts, 'fixedPrice.price', fixedPrice.price),
    ...askedInput(facts, 'fixedPrice.minPrice', fixedPrice.minPrice),
    ...askedInput(facts, 'fixedPrice.clientBudgetPercent', fixedPrice.clientBudgetPercent),
  ];
}
