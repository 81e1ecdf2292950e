/** One rule per interactive element. */
import { objectOrEmpty } from '../json-reading.ts';
import {
  anyTextRule,
  confirmRule,
  idRule,
  initialOptionsRule,
  optionGroupsRule,
  optionRule,
  optionsOrGroupsRule,
  plainTextRule,
  uniqueOptionValuesRule,
  urlRule,
} from './composition.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import { richTextRule } from './rich-text-rules.ts';
import {
  booleanRule,
  type FieldRules,
  integerRule,
  type JsonRule,
  listRule,
  objectRule,
  oneOfRule,
  optionalField,
  patternRule,
  requiredField,
  textRule,
} from './rules.ts';

const actionable = { action_id: optionalField(idRule) };
const asking = {
  ...actionable,
  confirm: optionalField(confirmRule),
  focus_on_load: optionalField(booleanRule),
};
const placeholder = { placeholder: optionalField(plainTextRule(LIMIT.placeholder)) };
const dispatch = {
  dispatch_action_config: optionalField(
    objectRule({
      trigger_actions_on: optionalField(listRule(oneOfRule('on_enter_pressed', 'on_character_entered'), 2)),
    }),
  ),
};
const many = { max_selected_items: optionalField(integerRule(1, 1000)) };
const name = textRule(LIMIT.id);

function element(type: string, fields: FieldRules, ...also: readonly JsonRule[]): JsonRule {
  return objectRule({ type: requiredField(oneOfRule(type)), ...fields }, ...also);
}

function select(type: string, fields: FieldRules, ...also: readonly JsonRule[]): JsonRule {
  return element(type, { ...asking, ...placeholder, ...fields }, ...also);
}

const options = {
  options: optionalField(listRule(optionRule(), LIMIT.selectOptions)),
  option_groups: optionalField(optionGroupsRule),
};
const conversations = {
  default_to_current_conversation: optionalField(booleanRule),
  filter: optionalField(
    objectRule({
      include: optionalField(listRule(oneOfRule('im', 'mpim', 'private', 'public'), 4)),
      exclude_external_shared_channels: optionalField(booleanRule),
      exclude_bot_users: optionalField(booleanRule),
    }),
  ),
};
const boxes = (marked: JsonRule) => ({
  ...asking,
  options: requiredField(listRule(marked, LIMIT.checkOptions)),
});
const input = (value: JsonRule) => ({
  ...actionable,
  ...placeholder,
  ...dispatch,
  initial_value: optionalField(value),
  focus_on_load: optionalField(booleanRule),
});
const lengthsInOrder: JsonRule = (value, place) => {
  const { min_length: min, max_length: max } = objectOrEmpty(value);
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    place.reportProblem('min_length must not be greater than max_length');
};
const date = patternRule(/^\d{4}-\d{2}-\d{2}$/, 'a date as YYYY-MM-DD');
const time = patternRule(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time as HH:mm');
const number = patternRule(/^-?\d+(\.\d+)?$/, 'a number in a string');
const marked = optionRule({ marked: true });

export const imageRule = objectRule(
  {
    type: requiredField(oneOfRule('image')),
    alt_text: requiredField(textRule(LIMIT.altText)),
    image_url: optionalField(urlRule()),
    slack_file: optionalField(
      objectRule({ id: optionalField(textRule(LIMIT.id)), url: optionalField(urlRule()) }),
    ),
  },
  (value, place) => {
    const { image_url: address, slack_file: file } = objectOrEmpty(value);
    if ((address === undefined) === (file === undefined))
      place.reportProblem('must define either `image_url` or `slack_file`');
  },
);

const feedback = objectRule({
  text: requiredField(plainTextRule(LIMIT.buttonText)),
  value: requiredField(textRule(LIMIT.buttonValue)),
  accessibility_label: optionalField(textRule(LIMIT.accessibilityLabel)),
});

/** By `type`. */
export const ELEMENT_RULES: Readonly<Record<string, JsonRule>> = {
  button: element('button', {
    ...actionable,
    confirm: optionalField(confirmRule),
    text: requiredField(plainTextRule(LIMIT.buttonText)),
    value: optionalField(textRule(LIMIT.buttonValue, 0)),
    url: optionalField(urlRule()),
    style: optionalField(oneOfRule('primary', 'danger')),
    accessibility_label: optionalField(textRule(LIMIT.accessibilityLabel)),
  }),
  image: imageRule,
  overflow: element(
    'overflow',
    {
      ...actionable,
      confirm: optionalField(confirmRule),
      options: requiredField(listRule(optionRule({ linked: true }), LIMIT.overflowOptions)),
    },
    uniqueOptionValuesRule,
  ),
  checkboxes: element(
    'checkboxes',
    { ...boxes(marked), initial_options: optionalField(listRule(marked, LIMIT.checkOptions)) },
    initialOptionsRule,
    uniqueOptionValuesRule,
  ),
  radio_buttons: element(
    'radio_buttons',
    { ...boxes(marked), initial_option: optionalField(marked) },
    initialOptionsRule,
    uniqueOptionValuesRule,
  ),
  static_select: select(
    'static_select',
    { ...options, initial_option: optionalField(optionRule()) },
    optionsOrGroupsRule,
    initialOptionsRule,
  ),
  multi_static_select: select(
    'multi_static_select',
    { ...options, ...many, initial_options: optionalField(listRule(optionRule(), LIMIT.selectOptions)) },
    optionsOrGroupsRule,
    initialOptionsRule,
  ),
  external_select: select('external_select', {
    initial_option: optionalField(optionRule()),
    min_query_length: optionalField(integerRule(0, 3000)),
  }),
  multi_external_select: select('multi_external_select', {
    ...many,
    initial_options: optionalField(listRule(optionRule(), LIMIT.selectOptions)),
    min_query_length: optionalField(integerRule(0, 3000)),
  }),
  users_select: select('users_select', { initial_user: optionalField(name) }),
  multi_users_select: select('multi_users_select', {
    ...many,
    initial_users: optionalField(listRule(name, LIMIT.selectOptions)),
  }),
  conversations_select: select('conversations_select', {
    ...conversations,
    initial_conversation: optionalField(name),
    response_url_enabled: optionalField(booleanRule),
  }),
  multi_conversations_select: select('multi_conversations_select', {
    ...conversations,
    ...many,
    initial_conversations: optionalField(listRule(name, LIMIT.selectOptions)),
  }),
  channels_select: select('channels_select', {
    initial_channel: optionalField(name),
    response_url_enabled: optionalField(booleanRule),
  }),
  multi_channels_select: select('multi_channels_select', {
    ...many,
    initial_channels: optionalField(listRule(name, LIMIT.selectOptions)),
  }),
  datepicker: select('datepicker', { initial_date: optionalField(date) }),
  timepicker: select('timepicker', {
    initial_time: optionalField(time),
    timezone: optionalField(textRule(LIMIT.id)),
  }),
  datetimepicker: element('datetimepicker', {
    ...asking,
    initial_date_time: optionalField(integerRule(1_000_000_000, 9_999_999_999)),
  }),
  plain_text_input: element(
    'plain_text_input',
    {
      ...input(textRule(LIMIT.inputText, 0)),
      multiline: optionalField(booleanRule),
      min_length: optionalField(integerRule(0, LIMIT.inputText)),
      max_length: optionalField(integerRule(1, LIMIT.inputText)),
    },
    lengthsInOrder,
  ),
  number_input: element('number_input', {
    ...input(number),
    is_decimal_allowed: requiredField(booleanRule),
    min_value: optionalField(number),
    max_value: optionalField(number),
  }),
  email_text_input: element('email_text_input', input(textRule(LIMIT.inputText, 0))),
  url_text_input: element('url_text_input', input(textRule(LIMIT.inputText, 0))),
  rich_text_input: element('rich_text_input', input(richTextRule)),
  file_input: element('file_input', {
    ...actionable,
    filetypes: optionalField(listRule(textRule(LIMIT.id), 100)),
    max_files: optionalField(integerRule(1, LIMIT.inputFiles)),
  }),
  feedback_buttons: element('feedback_buttons', {
    ...actionable,
    positive_button: requiredField(feedback),
    negative_button: requiredField(feedback),
  }),
  icon_button: element('icon_button', {
    ...actionable,
    confirm: optionalField(confirmRule),
    icon: requiredField(textRule(LIMIT.id)),
    text: requiredField(plainTextRule(LIMIT.buttonText)),
    value: optionalField(textRule(LIMIT.buttonValue, 0)),
    accessibility_label: optionalField(textRule(LIMIT.accessibilityLabel)),
    visible_to_user_ids: optionalField(listRule(name, LIMIT.selectOptions)),
  }),
  plain_text: anyTextRule(LIMIT.contextText),
  mrkdwn: anyTextRule(LIMIT.contextText),
};

const PICKERS = Object.keys(ELEMENT_RULES).filter((type) => /_select$|picker$/.test(type));
const BOXES = ['checkboxes', 'radio_buttons'];

/** Which elements each kind of block allows. */
export const ALLOWED_ELEMENTS = {
  accessory: [
    'button',
    'image',
    'overflow',
    ...BOXES,
    ...PICKERS.filter((type) => type !== 'datetimepicker'),
  ],
  actions: ['button', 'overflow', 'rich_text_input', ...BOXES, ...PICKERS],
  context: ['image', 'plain_text', 'mrkdwn'],
  contextActions: ['feedback_buttons', 'icon_button'],
  input: [
    'plain_text_input',
    'number_input',
    'email_text_input',
    'url_text_input',
    'rich_text_input',
    'file_input',
    ...BOXES,
    ...PICKERS,
  ],
} as const;
