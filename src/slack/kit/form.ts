/** Forms as tables: a field's row gives its input and how its value reads. Pure. */
import type { InputBlock } from '@slack/types';
import type { ViewValues } from '../core/routes.ts';
import { checkboxesInput, type InputChoice, selectInput, textInput } from './inputs.ts';
import { joinLongText, longTextInputs } from './long-text.ts';

interface Look {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
}

export type FormField = Look &
  (
    | { readonly kind: 'line'; readonly multiline?: true }
    /** A text of any length, over several inputs. */
    | { readonly kind: 'long' }
    | {
        readonly kind: 'menu';
        /** Labels by value, in display order. */
        readonly choices: Readonly<Record<string, string>>;
        /** The action sent for each choice; missing: none. */
        readonly dispatch?: string;
      }
    /** One checkbox. */
    | { readonly kind: 'switch'; readonly on: InputChoice }
  );

/** A text, a menu's choice (`''`: none yet), or whether a switch is on. */
export type FieldValue = string | boolean;

export interface FieldInputFacts {
  /** The block's ID; the first one's for a long text. */
  readonly id: string;
  /** A line fits in one input. */
  readonly value: FieldValue;
  readonly optional?: boolean;
  /** Of a long text; missing: as many as it needs. */
  readonly parts?: number;
}

/** A field's input; several for a long text. */
export function fieldInputs(field: FormField, { id, value, optional, parts }: FieldInputFacts): InputBlock[] {
  const { label, hint, placeholder } = field;
  const look = { id, label, hint, placeholder, optional };
  const text = String(value);
  switch (field.kind) {
    case 'line':
      return [textInput({ ...look, multiline: field.multiline ?? false, initial: text })];
    case 'long':
      return longTextInputs({ ...look, text, parts: parts ?? 1 });
    case 'menu': {
      const choices = Object.entries(field.choices).map(([it, words]) => ({ value: it, label: words }));
      const start = text === '' ? { placeholder: 'Choose' } : { initial: text };
      const { dispatch } = field;
      return [selectInput({ ...look, choices, ...start, dispatch })];
    }
    case 'switch': {
      const initial = value === true ? [field.on.value] : [];
      return [checkboxesInput({ ...look, choices: [field.on], initial, optional: true })];
    }
  }
}

/** What any field's input holds. */
export function readField(field: FormField, values: ViewValues, id: string, before: FieldValue): FieldValue {
  if (field.kind === 'switch') return values.get(id)?.options?.includes(field.on.value) ?? false;
  return readText(field, values, id, String(before));
}

/** What a view's input holds, exactly as typed or chosen. @param before for a menu without a known choice */
export function readText(
  field: Exclude<FormField, { kind: 'switch' }>,
  values: ViewValues,
  id: string,
  before: string,
): string {
  switch (field.kind) {
    case 'line':
      return values.get(id)?.text ?? '';
    case 'long':
      return joinLongText(values, id);
    case 'menu': {
      const chosen = values.get(id)?.option;
      return chosen !== undefined && Object.hasOwn(field.choices, chosen) ? chosen : before;
    }
  }
}

/** Errors by the block that shows them; several at one block are joined. */
export function errorsByBlock(errors: readonly (readonly [id: string, sentence: string])[]) {
  const all = new Map<string, string>();
  for (const [id, sentence] of errors) all.set(id, all.has(id) ? `${all.get(id)} ${sentence}` : sentence);
  return Object.fromEntries(all);
}
