/** Rich text: sections, lists, quotes, code. */
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import {
  booleanRule,
  byTypeRule,
  integerRule,
  type JsonRule,
  listRule,
  objectRule,
  oneOfRule,
  optionalField,
  requiredField,
  textRule,
} from './rules.ts';

const MANY = 1000;
const style = optionalField(
  objectRule({
    bold: optionalField(booleanRule),
    italic: optionalField(booleanRule),
    strike: optionalField(booleanRule),
    code: optionalField(booleanRule),
    underline: optionalField(booleanRule),
    highlight: optionalField(booleanRule),
    client_highlight: optionalField(booleanRule),
    unlink: optionalField(booleanRule),
  }),
);
const name = requiredField(textRule(LIMIT.id));
const words = requiredField(textRule(LIMIT.messageText));

const inline = byTypeRule({
  text: objectRule({ type: requiredField(oneOfRule('text')), text: words, style }),
  link: objectRule({
    type: requiredField(oneOfRule('link')),
    url: requiredField(textRule(LIMIT.url)),
    text: optionalField(textRule(LIMIT.messageText, 0)),
    unsafe: optionalField(booleanRule),
    style,
  }),
  emoji: objectRule({
    type: requiredField(oneOfRule('emoji')),
    name,
    unicode: optionalField(textRule(LIMIT.id)),
    url: optionalField(textRule(LIMIT.url)),
    style,
  }),
  user: objectRule({ type: requiredField(oneOfRule('user')), user_id: name, style }),
  usergroup: objectRule({ type: requiredField(oneOfRule('usergroup')), usergroup_id: name, style }),
  channel: objectRule({ type: requiredField(oneOfRule('channel')), channel_id: name, style }),
  team: objectRule({ type: requiredField(oneOfRule('team')), team_id: name, style }),
  broadcast: objectRule({
    type: requiredField(oneOfRule('broadcast')),
    range: requiredField(oneOfRule('here', 'channel', 'everyone')),
    style,
  }),
  color: objectRule({ type: requiredField(oneOfRule('color')), value: name, style }),
  date: objectRule({
    type: requiredField(oneOfRule('date')),
    timestamp: requiredField(integerRule(0, 9_999_999_999)),
    format: name,
    url: optionalField(textRule(LIMIT.url)),
    fallback: optionalField(textRule(LIMIT.id)),
    style,
  }),
});

const elements = requiredField(listRule(inline, MANY, 0));
const border = optionalField(integerRule(0, 1));
const section = objectRule({ type: requiredField(oneOfRule('rich_text_section')), elements });

const part = byTypeRule({
  rich_text_section: section,
  rich_text_quote: objectRule({ type: requiredField(oneOfRule('rich_text_quote')), elements, border }),
  rich_text_preformatted: objectRule({
    type: requiredField(oneOfRule('rich_text_preformatted')),
    elements,
    border,
    language: optionalField(textRule(LIMIT.id)),
  }),
  rich_text_list: objectRule({
    type: requiredField(oneOfRule('rich_text_list')),
    elements: requiredField(listRule(section, MANY)),
    style: requiredField(oneOfRule('bullet', 'ordered')),
    indent: optionalField(integerRule(0, 8)),
    offset: optionalField(integerRule(0, MANY)),
    border,
  }),
});

/** A `rich_text` block; also the value of an input, or a table cell. */
export const richTextRule: JsonRule = objectRule({
  type: requiredField(oneOfRule('rich_text')),
  block_id: optionalField(textRule(LIMIT.id)),
  elements: requiredField(listRule(part, MANY)),
});
