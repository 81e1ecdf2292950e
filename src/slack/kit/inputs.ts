/**
 * The inputs of our modals. A block's ID is the field's name, so values and errors share one name. Labels may
 * contain strangers' text. Pure.
 */
import type { InputBlock, PlainTextOption } from '@slack/types';
import { type Instant, SECOND } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import { menuOption, plainTextObject } from './block-builders.ts';
import { type SlackLimitName, slackLimits } from './limits.ts';
import { cleanLine, clipText } from './mrkdwn.ts';

interface Field {
  /** The block's ID, and the key of its value in `ViewValues`. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** Without it, Slack itself rejects an empty input. */
  readonly optional?: boolean;
  /** The action sent on each change; without it, nothing is sent before the submission. */
  readonly dispatch?: string;
}

export interface InputChoice {
  readonly label: string;
  /** At most 75 characters; unique. */
  readonly value: string;
  /** Shown below the label. */
  readonly description?: string;
}

interface PlaceholderField extends Field {
  readonly placeholder?: string;
}

export interface TextField extends PlaceholderField {
  readonly initial?: string;
  readonly multiline?: boolean;
  /** In UTF-16 units; 3,000 at most, which is also the default. */
  readonly maxLength?: number;
}

export interface ChoiceField extends PlaceholderField {
  /** 1 to 1,000 for menus; 1 to 10 for checkboxes and radio buttons. */
  readonly choices: readonly InputChoice[];
}

/** Slack rejects an empty label. */
const NAMELESS = '–';

function words(text: string, name: SlackLimitName) {
  return plainTextObject(clipText(cleanLine(text), slackLimits[name].max) || NAMELESS);
}

function input(field: Field, element: InputBlock['element']): InputBlock {
  return {
    type: 'input',
    block_id: field.id,
    label: words(field.label, 'inputLabel'),
    hint: field.hint ? words(field.hint, 'inputHint') : undefined,
    optional: field.optional ?? false,
    dispatch_action: field.dispatch === undefined ? undefined : true,
    element,
  };
}

function named(field: PlaceholderField) {
  return {
    action_id: field.dispatch ?? 'value',
    placeholder: field.placeholder ? words(field.placeholder, 'placeholder') : undefined,
  };
}

/** @param field `initial` is at most `maxLength` long. */
export function textInput(field: TextField): InputBlock {
  return input(field, {
    type: 'plain_text_input',
    ...named(field),
    multiline: field.multiline ?? false,
    // Slack refuses a view whose initial value is longer than the field allows.
    max_length: Math.max(field.maxLength ?? slackLimits.plainTextInput.max, field.initial?.length ?? 0),
    initial_value: field.initial || undefined,
  });
}

/** @param field an invalid `initial` number is left out, since Slack would reject the whole view */
export function numberInput(field: Field & { readonly initial: string }): InputBlock {
  return input(field, {
    type: 'number_input',
    ...named(field),
    is_decimal_allowed: false,
    initial_value: /^-?\d+$/u.test(field.initial) ? field.initial : undefined,
  });
}

function asOption({ label, value, description }: InputChoice): PlainTextOption {
  const option = menuOption(cleanLine(label) || NAMELESS, value);
  return description ? { ...option, description: words(description, 'optionDescription') } : option;
}

function chosenOf(choices: readonly InputChoice[], values: readonly (string | undefined)[]) {
  return choices.filter((choice) => values.includes(choice.value)).map(asOption);
}

/** A single-choice menu. @param field `initial`: a choice's value; ignored if it is not among them. */
export function selectInput(field: ChoiceField & { readonly initial?: string }): InputBlock {
  return input(field, {
    type: 'static_select',
    ...named(field),
    ...groupedOptions(field.choices),
    initial_option: chosenOf(field.choices, [field.initial])[0],
  });
}

/** Above 100, in groups named after their first and last. A view takes about 1,000. */
function groupedOptions(choices: readonly InputChoice[]) {
  const { max } = slackLimits.selectOptions;
  if (choices.length <= max) return { options: choices.map(asOption) };
  const groups: InputChoice[][] = [];
  for (let from = 0; from < Math.min(choices.length, 1_000); from += max)
    groups.push(choices.slice(from, from + max));
  return {
    option_groups: groups.map((group) => ({
      label: words(`${startOf(group.at(0))} to ${startOf(group.at(-1))}`, 'optionText'),
      options: group.map(asOption),
    })),
  };
}

function startOf(choice: InputChoice | undefined): string {
  return clipText(cleanLine(choice?.label ?? ''), 20) || NAMELESS;
}

/** A multiple-choice menu. @param field `initial`: values; those not among the choices are ignored. */
export function multiSelectInput(field: ChoiceField & { readonly initial?: readonly string[] }): InputBlock {
  const chosen = chosenOf(field.choices, field.initial ?? []);
  return input(field, {
    type: 'multi_static_select',
    ...named(field),
    ...groupedOptions(field.choices),
    initial_options: chosen.length > 0 ? chosen : undefined,
  });
}

export function radioInput(field: Omit<ChoiceField, 'placeholder'> & { readonly initial?: string }) {
  return input(field, {
    type: 'radio_buttons',
    ...named(field),
    options: field.choices.map(asOption),
    initial_option: chosenOf(field.choices, [field.initial])[0],
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
    initial_options: chosen.length > 0 ? chosen : undefined,
  });
}

/** One person of the workspace. */
export function userInput(field: PlaceholderField & { readonly initial?: UserId }): InputBlock {
  return input(field, { type: 'users_select', ...named(field), initial_user: field.initial });
}

/** One channel, public or private; Slack offers those that the person can see. */
export function channelInput(field: PlaceholderField): InputBlock {
  return input(field, {
    type: 'conversations_select',
    ...named(field),
    filter: { include: ['public', 'private'], exclude_bot_users: true },
  });
}

/** Several people of the workspace. */
export function usersInput(field: PlaceholderField & { readonly initial?: readonly UserId[] }): InputBlock {
  return input(field, {
    type: 'multi_users_select',
    ...named(field),
    initial_users: field.initial && field.initial.length > 0 ? [...field.initial] : undefined,
  });
}

/** A time of day, without a time zone. @param field `initial`: `09:30` */
export function timeInput(field: Field & { readonly initial?: string }): InputBlock {
  return input(field, { type: 'timepicker', ...named(field), initial_time: field.initial });
}

/** A date and time, shown in the user's own time zone. */
export function dateTimeInput(field: Field & { readonly initial?: Instant }): InputBlock {
  return input(field, {
    type: 'datetimepicker',
    ...named(field),
    initial_date_time: field.initial === undefined ? undefined : Math.floor(field.initial / SECOND),
  });
}
