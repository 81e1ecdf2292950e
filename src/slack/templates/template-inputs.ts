/** The template builder's short inputs, each with its errors below. Pure. */

import type { InputBlock, KnownBlock } from '@slack/types';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { TemplateField } from '../../templates/form.ts';
import type { TemplateDraft } from '../../templates/records.ts';
import type { SendersResult } from '../../templates/template-service.ts';
import { actionIds } from '../kit/ids.ts';
import { checkboxesInput, selectInput, textInput } from '../kit/inputs.ts';
import { slackLimits } from '../kit/limits.ts';
import { type BuilderFieldErrors, fieldErrorBlocks } from './template-field-errors.ts';
import { FIELD_HINTS, FIELD_LABELS, SWITCH_LABELS } from './template-labels.ts';
import { type BuilderMetadata, templateInputBlockId } from './template-metadata.ts';
import { CHECKED_VALUE } from './template-values.ts';

/** `unasked`: the step doesn't need the list. */
export type SendersState = SendersResult | { readonly kind: 'loading' } | { readonly kind: 'unasked' };

/** Everything a step needs to render. */
export interface StepFacts {
  readonly draft: TemplateDraft;
  readonly place: Omit<BuilderMetadata, 'inputs'>;
  readonly marks: BuilderFieldErrors;
  readonly senders: SendersState;
}

interface More {
  readonly optional?: boolean;
  readonly placeholder?: string;
  readonly multiline?: boolean;
}

/** The part that every input needs. */
type InputFacts = Pick<StepFacts, 'place' | 'marks'>;

function words(field: TemplateField) {
  const hint = FIELD_HINTS[field];
  return { label: FIELD_LABELS[field], ...omitUndefined({ hint }) };
}

/** A line of text. Numbers use it, too, and we check them. @param typed as stored */
export function templateTextInput(
  { place, marks }: InputFacts,
  field: TemplateField,
  typed: string,
  more: More = {},
): KnownBlock[] {
  const input = textInput({
    id: templateInputBlockId(field, place),
    ...words(field),
    ...more,
    initial: typed.slice(0, slackLimits.plainTextInput.max),
  });
  return [input, ...fieldErrorBlocks(marks, field)];
}

/** @param labels by value, in display order. @param dispatch whether the choice changes which fields show */
export function templateMenuInput(
  { place, marks }: InputFacts,
  field: TemplateField,
  {
    labels,
    chosen,
    dispatch = false,
  }: { labels: Readonly<Record<string, string>>; chosen: string; dispatch?: boolean },
): KnownBlock[] {
  const input = selectInput({
    id: templateInputBlockId(field, place),
    ...words(field),
    choices: Object.entries(labels).map(([value, label]) => ({ value, label })),
    ...(chosen === '' ? { placeholder: 'Choose' } : { initial: chosen }),
    ...(dispatch ? { dispatch: actionIds.templateChoice } : {}),
  });
  return [input, ...fieldErrorBlocks(marks, field)];
}

export function templateSwitchInput(
  { place, marks }: InputFacts,
  field: TemplateField,
  isOn: boolean,
): KnownBlock[] {
  const input: InputBlock = checkboxesInput({
    id: templateInputBlockId(field, place),
    ...words(field),
    choices: [{ label: SWITCH_LABELS.on, value: CHECKED_VALUE }],
    initial: isOn ? [CHECKED_VALUE] : [],
    optional: true,
  });
  return [input, ...fieldErrorBlocks(marks, field)];
}
