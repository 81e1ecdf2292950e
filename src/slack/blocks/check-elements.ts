/** Checks Block Kit's interactive elements and images. */
import {
  checkConfirm,
  checkOption,
  checkOptions,
  checkPlain,
  checkStyle,
  checkText,
} from './check-composition.ts';
import { asFields, type Fields, type Problems } from './problems.ts';

type Check = (problems: Problems, place: string, element: Fields) => void;

const checkButton: Check = (problems, place, element) => {
  checkText(problems, `${place}.text`, element.text, 'buttonText', 'plain_text');
  problems.optionalString(`${place}.value`, element.value, 'buttonValue');
  problems.optionalString(`${place}.url`, element.url, 'buttonUrl');
  problems.optionalString(`${place}.accessibility_label`, element.accessibility_label, 'accessibilityLabel');
  checkStyle(problems, place, element.style);
};

export const checkImage: Check = (problems, place, element) => {
  problems.string(`${place}.alt_text`, element.alt_text, 'imageAltText');
  if (element.slack_file === undefined) problems.string(`${place}.image_url`, element.image_url, 'imageUrl');
};

const checkOverflow: Check = (problems, place, element) =>
  checkOptions(problems, `${place}.options`, element.options, 'overflowOptions', 'plain_text');

const checkChoices: Check = (problems, place, element) =>
  checkOptions(problems, `${place}.options`, element.options, 'choices', undefined);

const checkStaticSelect: Check = (problems, place, element) => {
  if (element.option_groups === undefined)
    checkOptions(problems, `${place}.options`, element.options, 'selectOptions', 'plain_text');
  else checkGroups(problems, place, element);
  if (element.initial_option !== undefined)
    checkOption(problems, `${place}.initial_option`, element.initial_option, 'plain_text');
};

function checkGroups(problems: Problems, place: string, element: Fields): void {
  if (element.options !== undefined) problems.add(place, 'options and option_groups exclude each other');
  const groups = problems.list(`${place}.option_groups`, element.option_groups, 'selectOptions');
  for (const [index, group] of groups.entries()) {
    const at = `${place}.option_groups[${index}]`;
    checkText(problems, `${at}.label`, asFields(group)?.label, 'optionText', 'plain_text');
    checkOptions(problems, `${at}.options`, asFields(group)?.options, 'selectOptions', 'plain_text');
  }
}

const checkTextInput: Check = (problems, place, element) => {
  const initial = element.initial_value;
  if (initial !== undefined) problems.string(`${place}.initial_value`, initial, 'plainTextInput', 0);
  for (const bound of ['min_length', 'max_length'] as const) {
    const length = element[bound];
    if (typeof length === 'number') problems.within(`${place}.${bound}`, length, 'plainTextInput');
  }
};

const nothingMore: Check = () => undefined;

/** What our messages and views are made of; anything else is refused, so that no element goes out unchecked. */
const CHECKS: Readonly<Record<string, Check>> = {
  button: checkButton,
  overflow: checkOverflow,
  checkboxes: checkChoices,
  radio_buttons: checkChoices,
  static_select: checkStaticSelect,
  multi_static_select: checkStaticSelect,
  external_select: nothingMore,
  multi_external_select: nothingMore,
  users_select: nothingMore,
  multi_users_select: nothingMore,
  conversations_select: nothingMore,
  multi_conversations_select: nothingMore,
  channels_select: nothingMore,
  datepicker: nothingMore,
  timepicker: nothingMore,
  datetimepicker: nothingMore,
  plain_text_input: checkTextInput,
  number_input: nothingMore,
  email_text_input: nothingMore,
  url_text_input: nothingMore,
  image: checkImage,
};

const INPUT_ONLY = /_input$/u;
const NO_INPUT = new Set(['button', 'overflow', 'image']);

/** @param holder the block that the element stands in; not every element may stand in each. */
export function checkElement(
  problems: Problems,
  place: string,
  value: unknown,
  holder: 'section' | 'actions' | 'input',
): void {
  const element = asFields(value);
  const type = element?.type;
  const check = typeof type === 'string' ? CHECKS[type] : undefined;
  if (!element || typeof type !== 'string' || !check) {
    problems.add(place, `no such element: ${String(type)}`);
    return;
  }
  if (holder === 'input' ? NO_INPUT.has(type) : INPUT_ONLY.test(type))
    problems.add(place, `${type} can't stand in a block of type ${holder}`);
  if (holder === 'actions' && type === 'image') problems.add(place, "image can't stand in an actions block");
  problems.optionalString(`${place}.action_id`, element.action_id, 'actionId');
  // Slack asks for unique action ids within a block only: a list repeats its button row by row.
  problems.once(place, 'action_id', element.action_id, place.split('.', 1)[0]);
  checkPlain(problems, `${place}.placeholder`, element.placeholder, 'placeholder');
  checkConfirm(problems, `${place}.confirm`, element.confirm);
  check(problems, place, element);
}
