/**
 * The inputs that our modals are made of. A block's id is the field's name, so that what was typed and what is wrong with
 * it go by one name. Labels may be words of strangers. Pure.
 */
import type { InputBlock, PlainTextOption } from '@slack/types';
import { type Instant, SECOND } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { type SlackLimitName, slackLimits } from '../blocks/limits.ts';
import { clipText } from '../blocks/mrkdwn.ts';
import { menuOption, plainTextObject } from '../messages/block-builders.ts';

interface Field {
  /** The block's id, and the name under which `ViewValues` has the value. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** Without it Slack itself refuses to submit an empty input. */
  readonly optional?: boolean;
  /** The action that is told of each change; without it nothing is told before submitting. */
  readonly dispatch?: string;
}

export interface InputChoice {
  readonly label: string;
  /** At most 75 characters; each once. */
  readonly value: string;
}

export interface TextField extends Field {
  readonly initial?: string;
  readonly placeholder?: string;
  readonly multiline?: boolean;
  /** In UTF-16 units; 3,000 at most, which is also what is allowed without it. */
  readonly maxLength?: number;
}

export interface NumberField extends Field {
  /** As typed; what is no number is left out, since Slack would refuse the whole view. */
  readonly initial?: string;
  readonly placeholder?: string;
  readonly decimals?: boolean;
  /** Slack's own check; missing: ours alone. */
  readonly min?: number;
  readonly max?: number;
}

export interface ChoiceField extends Field {
  /** 1 to 100; of checkboxes and radio buttons 1 to 10. */
  readonly choices: readonly InputChoice[];
  readonly placeholder?: string;
}

/** `action_id` of an element whose changes are told to nobody. */
const SILENT = 'value';
/** Slack refuses an empty label. */
const NAMELESS = '–';

function words(text: string, name: SlackLimitName) {
  return plainTextObject(clipText(cleanLine(text), slackLimits[name].max) || NAMELESS);
}

function input(field: Field, element: InputBlock['element']): InputBlock {
  return {
    type: 'input',
    block_id: field.id,
    label: words(field.label, 'inputLabel'),
    ...(field.hint ? { hint: words(field.hint, 'inputHint') } : {}),
    optional: field.optional ?? false,
    ...(field.dispatch === undefined ? {} : { dispatch_action: true }),
    element,
  };
}

function named(field: Field & { readonly placeholder?: string }) {
  return {
    action_id: field.dispatch ?? SILENT,
    ...(field.placeholder ? { placeholder: words(field.placeholder, 'placeholder') } : {}),
  };
}

/** @param field `initial` is at most `maxLength` long. */
export function textInput(field: TextField): InputBlock {
  return input(field, {
    type: 'plain_text_input',
    ...named(field),
    multiline: field.multiline ?? false,
    max_length: field.maxLength ?? slackLimits.plainTextInput.max,
    ...(field.initial ? { initial_value: field.initial } : {}),
  });
}

function isNumber(text: string | undefined, decimals: boolean): text is string {
  return text !== undefined && (decimals ? /^-?\d+(?:\.\d+)?$/u : /^-?\d+$/u).test(text);
}

export function numberInput(field: NumberField): InputBlock {
  const { initial, decimals = false, min, max } = field;
  return input(field, {
    type: 'number_input',
    ...named(field),
    is_decimal_allowed: decimals,
    ...(min === undefined ? {} : { min_value: String(min) }),
    ...(max === undefined ? {} : { max_value: String(max) }),
    ...(isNumber(initial, decimals) ? { initial_value: initial } : {}),
  });
}

function asOption({ label, value }: InputChoice): PlainTextOption {
  return menuOption(cleanLine(label) || NAMELESS, value);
}

function chosenOf(choices: readonly InputChoice[], values: readonly string[]): PlainTextOption[] {
  return choices.filter((choice) => values.includes(choice.value)).map(asOption);
}

/** A menu. @param field `initial`: a choice's value; one that is not among them is left out. */
export function selectInput(field: ChoiceField & { readonly initial?: string }): InputBlock {
  const [chosen] = field.initial === undefined ? [] : chosenOf(field.choices, [field.initial]);
  return input(field, {
    type: 'static_select',
    ...named(field),
    options: field.choices.map(asOption),
    ...(chosen ? { initial_option: chosen } : {}),
  });
}

/** A menu from which several may be chosen. @param field `initial`: values; those that are not among the choices are left out. */
export function multiSelectInput(field: ChoiceField & { readonly initial?: readonly string[] }): InputBlock {
  const chosen = chosenOf(field.choices, field.initial ?? []);
  return input(field, {
    type: 'multi_static_select',
    ...named(field),
    options: field.choices.map(asOption),
    ...(chosen.length > 0 ? { initial_options: chosen } : {}),
  });
}

export function radioInput(
  field: Omit<ChoiceField, 'placeholder'> & { readonly initial?: string },
): InputBlock {
  const [chosen] = field.initial === undefined ? [] : chosenOf(field.choices, [field.initial]);
  return input(field, {
    type: 'radio_buttons',
    ...named(field),
    options: field.choices.map(asOption),
    ...(chosen ? { initial_option: chosen } : {}),
  });
}

export function checkboxesInput(
  field: Omit<ChoiceField, 'placeholder'> & { readonly initial?: readonly string[] },
): InputBlock {
  const chosen = chosenOf(field.choices, field.initial ?? []);
  return input(field, {
    type: 'checkboxes',
    ...named(field),
    options: field.choices.map(asOption),
    ...(chosen.length > 0 ? { initial_options: chosen } : {}),
  });
}

/** People of the workspace, several. */
export function usersInput(
  field: Field & { readonly initial?: readonly UserId[]; readonly placeholder?: string },
): InputBlock {
  return input(field, {
    type: 'multi_users_select',
    ...named(field),
    ...(field.initial && field.initial.length > 0 ? { initial_users: [...field.initial] } : {}),
  });
}

/** A time of the day, in no time zone. @param field `initial`: `09:30` */
export function timeInput(field: Field & { readonly initial?: string }): InputBlock {
  return input(field, {
    type: 'timepicker',
    ...named(field),
    ...(field.initial === undefined ? {} : { initial_time: field.initial }),
  });
}

/** A date and a time, shown in the person's own time zone. */
export function dateTimeInput(field: Field & { readonly initial?: Instant }): InputBlock {
  return input(field, {
    type: 'datetimepicker',
    ...named(field),
    ...(field.initial === undefined ? {} : { initial_date_time: Math.floor(field.initial / SECOND) }),
  });
}
