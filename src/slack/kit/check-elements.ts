/** Checks Block Kit's composition objects and interactive elements, and collects the problems. */
import type {
  ActionsBlockElement,
  ConfirmationDialog,
  InputBlock,
  MrkdwnElement,
  PlainTextElement,
  PlainTextOption,
} from '@slack/types';
import type { ChartBlock, MessageBlock } from './chart-block.ts';
import { type SlackLimitName, slackLimits } from './limits.ts';
import type { TableCell } from './rich-blocks.ts';

type Chart = ChartBlock['chart'];
type Series = Chart['series'][number];
type Part =
  | MessageBlock
  | TableCell
  | (Chart | Chart['axis_config'] | Series | Series['data'][number])
  | ActionsBlockElement
  | InputBlock['element']
  | (PlainTextOption | ConfirmationDialog | PlainTextElement | MrkdwnElement);
type FieldName = Part extends infer P ? (P extends P ? keyof P : never) : never;

/** A JSON object with the Block Kit fields that the checks read, with values of any type. */
export type BlockFields = { readonly [name in FieldName]?: unknown };

export function asBlockFields(value: unknown): BlockFields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as BlockFields)
    : undefined;
}

/**
 * What Slack would refuse, in the shape of the errors of its `blocks.validate`. `pointer` is the JSON pointer
 * of the place. `failed_constraint` is the only code that Slack documents.
 */
export interface BlockError {
  readonly pointer: string;
  readonly code: 'failed_constraint';
  /** Names sizes and types, and never contains a text of the message. */
  readonly message: string;
}

/** For logs and errors: `/blocks/0/text: 3,001 characters, …` */
export function blockErrorText({ pointer, message }: BlockError): string {
  return `${pointer}: ${message}`;
}

export class ProblemCollector {
  readonly found: BlockError[] = [];
  readonly #seen = new Map<string, Set<string>>();
  /** Total length of all checked texts. */
  textLength = 0;
  /** Total length of the cells of all tables. */
  cellsLength = 0;

  add(place: string, problem: string): void {
    // `blocks[0].fields[1]` becomes `/blocks/0/fields/1`.
    const pointer = `/${place.replaceAll(/\[(\d+)\]/gu, '/$1').replaceAll('.', '/')}`;
    this.found.push({ pointer, code: 'failed_constraint', message: problem });
  }

  checkSize(place: string, size: number, name: SlackLimitName): void {
    const { max, unit } = slackLimits[name];
    if (size > max) this.add(place, `${size} ${unit}, at most ${max} (${name})`);
  }

  /** Checks a string against a limit; `min` 1 rejects an empty one. */
  checkString(place: string, value: unknown, name: SlackLimitName, min = 1): void {
    if (typeof value !== 'string') return this.add(place, 'must be a string');
    if (value.length < min) this.add(place, 'must not be empty');
    this.checkSize(place, value.length, name);
  }

  checkOptionalString(place: string, value: unknown, name: SlackLimitName): void {
    if (value !== undefined) this.checkString(place, value, name);
  }

  /** Checks for `min` to the limit's number of items. @returns an empty list where the value is no list. */
  checkList(place: string, value: unknown, name: SlackLimitName, min = 1): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.add(place, 'must be a list');
      return [];
    }
    if (value.length < min) this.add(place, `at least ${min}`);
    this.checkSize(place, value.length, name);
    return value;
  }

  /** Checks a list, and each item at its own place. */
  checkEach(
    place: string,
    value: unknown,
    name: SlackLimitName,
    check: (at: string, item: unknown, index: number) => void,
    min = 1,
  ): void {
    for (const [index, item] of this.checkList(place, value, name, min).entries())
      check(`${place}[${index}]`, item, index);
  }

  /** Reports a repeated ID of a `kind`, within `holder` where one is given. */
  checkUnique(place: string, kind: string, id: unknown, holder = ''): void {
    if (typeof id !== 'string') return;
    const scope = `${kind} ${holder}`;
    const seen = this.#seen.get(scope) ?? new Set<string>();
    this.#seen.set(scope, seen);
    if (seen.has(id)) this.add(place, `${kind} "${id}" appears twice`);
    seen.add(id);
  }

  /** @param kind set where Slack allows only one of the two text types */
  checkText(place: string, value: unknown, name: SlackLimitName, kind?: 'plain_text' | 'mrkdwn'): void {
    const text = asBlockFields(value);
    if (!text) return this.add(place, 'must be a text object');
    const { type } = text;
    if (type !== 'plain_text' && type !== 'mrkdwn') this.add(place, `unknown text type: ${String(type)}`);
    else if (kind && type !== kind) this.add(place, `must be ${kind}`);
    if (type === 'plain_text' && text.verbatim !== undefined) this.add(place, 'verbatim is only for mrkdwn');
    if (type === 'mrkdwn' && text.emoji !== undefined) this.add(place, 'emoji is only for plain_text');
    this.checkString(`${place}.text`, text.text, name);
    if (typeof text.text === 'string') this.textLength += text.text.length;
  }

  checkOptionalPlainText(place: string, value: unknown, name: SlackLimitName): void {
    if (value !== undefined) this.checkText(place, value, name, 'plain_text');
  }

  checkOptions(place: string, value: unknown, name: SlackLimitName, kind: 'plain_text' | undefined): void {
    const values = new Set<unknown>();
    this.checkEach(place, value, name, (at, item) => {
      this.#checkOption(at, item, kind);
      const own = asBlockFields(item)?.value;
      if (values.has(own)) this.add(at, `value "${String(own)}" appears twice`);
      values.add(own);
    });
  }

  #checkOption(place: string, value: unknown, kind: 'plain_text' | undefined): void {
    const option = asBlockFields(value);
    if (!option) return this.add(place, 'must be an option');
    this.checkText(`${place}.text`, option.text, 'optionText', kind);
    this.checkString(`${place}.value`, option.value, 'optionValue');
    if (option.description !== undefined)
      this.checkText(`${place}.description`, option.description, 'optionDescription', kind);
    this.checkOptionalString(`${place}.url`, option.url, 'optionUrl');
  }
}

function checkConfirm(problems: ProblemCollector, place: string, value: unknown): void {
  if (value === undefined) return;
  const confirm = asBlockFields(value);
  if (!confirm) return problems.add(place, 'must be a confirmation');
  problems.checkText(`${place}.title`, confirm.title, 'confirmTitle', 'plain_text');
  problems.checkText(`${place}.text`, confirm.text, 'confirmText');
  problems.checkText(`${place}.confirm`, confirm.confirm, 'confirmButton', 'plain_text');
  problems.checkText(`${place}.deny`, confirm.deny, 'confirmButton', 'plain_text');
  checkStyle(problems, place, confirm.style);
}

function checkStyle(problems: ProblemCollector, place: string, style: unknown): void {
  if (style !== undefined && style !== 'primary' && style !== 'danger')
    problems.add(`${place}.style`, 'must be primary or danger');
}

export type Check = (problems: ProblemCollector, place: string, part: BlockFields) => void;

const checkButton: Check = (problems, place, element) => {
  problems.checkText(`${place}.text`, element.text, 'buttonText', 'plain_text');
  problems.checkOptionalString(`${place}.value`, element.value, 'buttonValue');
  problems.checkOptionalString(`${place}.url`, element.url, 'buttonUrl');
  const { accessibility_label: label } = element;
  problems.checkOptionalString(`${place}.accessibility_label`, label, 'accessibilityLabel');
  checkStyle(problems, place, element.style);
};

const checkOverflow: Check = (problems, place, element) =>
  problems.checkOptions(`${place}.options`, element.options, 'overflowOptions', 'plain_text');

const checkChoices: Check = (problems, place, element) => {
  problems.checkOptions(`${place}.options`, element.options, 'choices', undefined);
  checkInitial(problems, place, element);
};

const checkStaticSelect: Check = (problems, place, element) => {
  if (element.option_groups === undefined)
    problems.checkOptions(`${place}.options`, element.options, 'selectOptions', 'plain_text');
  else checkGroups(problems, place, element);
  checkInitial(problems, place, element);
};

/** An initial option must match an offered option exactly, or Slack rejects the whole view. */
function checkInitial(problems: ProblemCollector, place: string, element: BlockFields): void {
  const groups = Array.isArray(element.option_groups) ? element.option_groups : [];
  const options = [element, ...groups].flatMap((holder: unknown) => asBlockFields(holder)?.options ?? []);
  const offered = new Set(options.map(textOfOption));
  const { initial_option: one, initial_options: several } = element;
  if (one !== undefined && !offered.has(textOfOption(one)))
    problems.add(`${place}.initial_option`, "isn't one of the options");
  if (several === undefined) return;
  problems.checkEach(`${place}.initial_options`, several, 'selectOptions', (at, each) => {
    if (!offered.has(textOfOption(each))) problems.add(at, "isn't one of the options");
  });
}

/** The parts of an option that Slack compares. */
function textOfOption(value: unknown): string {
  const option = asBlockFields(value);
  return JSON.stringify([option?.value, asBlockFields(option?.text)?.text]);
}

function checkGroups(problems: ProblemCollector, place: string, element: BlockFields): void {
  if (element.options !== undefined) problems.add(place, 'options and option_groups are mutually exclusive');
  problems.checkEach(`${place}.option_groups`, element.option_groups, 'selectOptions', (at, group) => {
    problems.checkText(`${at}.label`, asBlockFields(group)?.label, 'optionText', 'plain_text');
    problems.checkOptions(`${at}.options`, asBlockFields(group)?.options, 'selectOptions', 'plain_text');
  });
}

const checkTextInput: Check = (problems, place, element) => {
  const initial = element.initial_value;
  if (initial !== undefined) problems.checkString(`${place}.initial_value`, initial, 'plainTextInput', 0);
  const { max_length: max } = element;
  if (typeof initial === 'string' && typeof max === 'number' && initial.length > max)
    problems.add(`${place}.initial_value`, `${initial.length} characters, at most ${max} (max_length)`);
  for (const bound of ['min_length', 'max_length'] as const) {
    const length = element[bound];
    if (typeof length === 'number') problems.checkSize(`${place}.${bound}`, length, 'plainTextInput');
  }
};

/** Slack takes numbers as strings. */
const checkNumberInput: Check = (problems, place, element) => {
  if (typeof element.is_decimal_allowed !== 'boolean')
    problems.add(`${place}.is_decimal_allowed`, 'must be true or false');
  for (const name of ['initial_value', 'min_value', 'max_value'] as const) {
    const value = element[name];
    if (value !== undefined && !(typeof value === 'string' && /^-?\d+(?:\.\d+)?$/u.test(value)))
      problems.add(`${place}.${name}`, 'must be a number as a string');
  }
};

const checkUsers: Check = (problems, place, element) => {
  if (element.initial_users !== undefined && !Array.isArray(element.initial_users))
    problems.add(`${place}.initial_users`, 'must be a list');
};

const checkDateTime: Check = (problems, place, element) => {
  const at = element.initial_date_time;
  if (at !== undefined && !(typeof at === 'number' && /^\d{10}$/u.test(String(at))))
    problems.add(`${place}.initial_date_time`, 'must be whole seconds of 10 digits');
};

const nothingMore: Check = () => undefined;

/** The elements that we use. Anything else is rejected, so no element goes out unchecked. */
const CHECKS: Readonly<Record<string, Check>> = {
  button: checkButton,
  overflow: checkOverflow,
  checkboxes: checkChoices,
  radio_buttons: checkChoices,
  static_select: checkStaticSelect,
  multi_static_select: checkStaticSelect,
  users_select: nothingMore,
  multi_users_select: checkUsers,
  conversations_select: nothingMore,
  timepicker: nothingMore,
  datetimepicker: checkDateTime,
  plain_text_input: checkTextInput,
  number_input: checkNumberInput,
};

/** @param holder the block around the element; it decides which elements are allowed */
export function checkElement(
  problems: ProblemCollector,
  place: string,
  value: unknown,
  holder: 'section' | 'actions' | 'input',
): void {
  const element = asBlockFields(value);
  const type = element?.type;
  const check = typeof type === 'string' ? CHECKS[type] : undefined;
  if (!element || typeof type !== 'string' || !check)
    return problems.add(place, `unknown element: ${String(type)}`);
  if (holder === 'input' ? type === 'button' || type === 'overflow' : type.endsWith('_input'))
    problems.add(place, `${type} isn't allowed in a block of type ${holder}`);
  problems.checkOptionalString(`${place}.action_id`, element.action_id, 'actionId');
  // Slack requires unique action IDs only within a block: a list repeats its button in every row.
  problems.checkUnique(place, 'action_id', element.action_id, place.split('.', 1)[0]);
  problems.checkOptionalPlainText(`${place}.placeholder`, element.placeholder, 'placeholder');
  checkConfirm(problems, `${place}.confirm`, element.confirm);
  check(problems, place, element);
}
