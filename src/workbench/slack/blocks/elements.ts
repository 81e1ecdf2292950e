/** The interactive elements, one rule each. */
import { objectOf } from '../reading.ts';
import {
  anyText,
  confirm,
  id,
  initialsAmongOptions,
  option,
  optionGroups,
  optionsOrGroups,
  plainText,
  uniqueValues,
  url,
} from './composition.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import { richText } from './rich-text-rules.ts';
import {
  among,
  type Fields,
  flag,
  list,
  matching,
  may,
  need,
  type Rule,
  shape,
  text,
  whole,
} from './rules.ts';

const actionable = { action_id: may(id) };
const asking = { ...actionable, confirm: may(confirm), focus_on_load: may(flag) };
const placeholder = { placeholder: may(plainText(LIMIT.placeholder)) };
const dispatch = {
  dispatch_action_config: may(
    shape({ trigger_actions_on: may(list(among('on_enter_pressed', 'on_character_entered'), 2)) }),
  ),
};
const many = { max_selected_items: may(whole(1, 1000)) };
const name = text(LIMIT.id);

function element(type: string, fields: Fields, ...also: readonly Rule[]): Rule {
  return shape({ type: need(among(type)), ...fields }, ...also);
}

function select(type: string, fields: Fields, ...also: readonly Rule[]): Rule {
  return element(type, { ...asking, ...placeholder, ...fields }, ...also);
}

const options = {
  options: may(list(option(), LIMIT.selectOptions)),
  option_groups: may(optionGroups),
};
const conversations = {
  default_to_current_conversation: may(flag),
  filter: may(
    shape({
      include: may(list(among('im', 'mpim', 'private', 'public'), 4)),
      exclude_external_shared_channels: may(flag),
      exclude_bot_users: may(flag),
    }),
  ),
};
const boxes = (marked: Rule) => ({ ...asking, options: need(list(marked, LIMIT.checkOptions)) });
const input = (value: Rule) => ({
  ...actionable,
  ...placeholder,
  ...dispatch,
  initial_value: may(value),
  focus_on_load: may(flag),
});
const lengthsInOrder: Rule = (value, place) => {
  const { min_length: min, max_length: max } = objectOf(value);
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    place.report('min_length must not be greater than max_length');
};
const date = matching(/^\d{4}-\d{2}-\d{2}$/, 'a date as YYYY-MM-DD');
const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time as HH:mm');
const number = matching(/^-?\d+(\.\d+)?$/, 'a number in a string');
const marked = option({ marked: true });

export const image = shape(
  {
    type: need(among('image')),
    alt_text: need(text(LIMIT.altText)),
    image_url: may(url()),
    slack_file: may(shape({ id: may(text(LIMIT.id)), url: may(url()) })),
  },
  (value, place) => {
    const { image_url: address, slack_file: file } = objectOf(value);
    if ((address === undefined) === (file === undefined))
      place.report('must define either `image_url` or `slack_file`');
  },
);

const feedback = shape({
  text: need(plainText(LIMIT.buttonText)),
  value: need(text(LIMIT.buttonValue)),
  accessibility_label: may(text(LIMIT.accessibilityLabel)),
});

/** By `type`. */
export const ELEMENTS: Readonly<Record<string, Rule>> = {
  button: element('button', {
    ...actionable,
    confirm: may(confirm),
    text: need(plainText(LIMIT.buttonText)),
    value: may(text(LIMIT.buttonValue, 0)),
    url: may(url()),
    style: may(among('primary', 'danger')),
    accessibility_label: may(text(LIMIT.accessibilityLabel)),
  }),
  image,
  overflow: element(
    'overflow',
    {
      ...actionable,
      confirm: may(confirm),
      options: need(list(option({ linked: true }), LIMIT.overflowOptions)),
    },
    uniqueValues,
  ),
  checkboxes: element(
    'checkboxes',
    { ...boxes(marked), initial_options: may(list(marked, LIMIT.checkOptions)) },
    initialsAmongOptions,
    uniqueValues,
  ),
  radio_buttons: element(
    'radio_buttons',
    { ...boxes(marked), initial_option: may(marked) },
    initialsAmongOptions,
    uniqueValues,
  ),
  static_select: select(
    'static_select',
    { ...options, initial_option: may(option()) },
    optionsOrGroups,
    initialsAmongOptions,
  ),
  multi_static_select: select(
    'multi_static_select',
    { ...options, ...many, initial_options: may(list(option(), LIMIT.selectOptions)) },
    optionsOrGroups,
    initialsAmongOptions,
  ),
  external_select: select('external_select', {
    initial_option: may(option()),
    min_query_length: may(whole(0, 3000)),
  }),
  multi_external_select: select('multi_external_select', {
    ...many,
    initial_options: may(list(option(), LIMIT.selectOptions)),
    min_query_length: may(whole(0, 3000)),
  }),
  users_select: select('users_select', { initial_user: may(name) }),
  multi_users_select: select('multi_users_select', {
    ...many,
    initial_users: may(list(name, LIMIT.selectOptions)),
  }),
  conversations_select: select('conversations_select', {
    ...conversations,
    initial_conversation: may(name),
    response_url_enabled: may(flag),
  }),
  multi_conversations_select: select('multi_conversations_select', {
    ...conversations,
    ...many,
    initial_conversations: may(list(name, LIMIT.selectOptions)),
  }),
  channels_select: select('channels_select', {
    initial_channel: may(name),
    response_url_enabled: may(flag),
  }),
  multi_channels_select: select('multi_channels_select', {
    ...many,
    initial_channels: may(list(name, LIMIT.selectOptions)),
  }),
  datepicker: select('datepicker', { initial_date: may(date) }),
  timepicker: select('timepicker', { initial_time: may(time), timezone: may(text(LIMIT.id)) }),
  datetimepicker: element('datetimepicker', {
    ...asking,
    initial_date_time: may(whole(1_000_000_000, 9_999_999_999)),
  }),
  plain_text_input: element(
    'plain_text_input',
    {
      ...input(text(LIMIT.inputText, 0)),
      multiline: may(flag),
      min_length: may(whole(0, LIMIT.inputText)),
      max_length: may(whole(1, LIMIT.inputText)),
    },
    lengthsInOrder,
  ),
  number_input: element('number_input', {
    ...input(number),
    is_decimal_allowed: need(flag),
    min_value: may(number),
    max_value: may(number),
  }),
  email_text_input: element('email_text_input', input(text(LIMIT.inputText, 0))),
  url_text_input: element('url_text_input', input(text(LIMIT.inputText, 0))),
  rich_text_input: element('rich_text_input', input(richText)),
  file_input: element('file_input', {
    ...actionable,
    filetypes: may(list(text(LIMIT.id), 100)),
    max_files: may(whole(1, LIMIT.inputFiles)),
  }),
  feedback_buttons: element('feedback_buttons', {
    ...actionable,
    positive_button: need(feedback),
    negative_button: need(feedback),
  }),
  icon_button: element('icon_button', {
    ...actionable,
    confirm: may(confirm),
    icon: need(text(LIMIT.id)),
    text: need(plainText(LIMIT.buttonText)),
    value: may(text(LIMIT.buttonValue, 0)),
    accessibility_label: may(text(LIMIT.accessibilityLabel)),
    visible_to_user_ids: may(list(name, LIMIT.selectOptions)),
  }),
  plain_text: anyText(LIMIT.contextText),
  mrkdwn: anyText(LIMIT.contextText),
};

const PICKERS = Object.keys(ELEMENTS).filter((type) => /_select$|picker$/.test(type));
const BOXES = ['checkboxes', 'radio_buttons'];

/** Which elements each place takes. */
export const ALLOWED = {
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
