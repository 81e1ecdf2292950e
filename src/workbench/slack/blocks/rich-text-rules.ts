/** Rich text: sections, lists, quotes, code. */
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import { among, byType, flag, list, may, need, type Rule, shape, text, whole } from './rules.ts';

const MANY = 1000;
const style = may(
  shape({
    bold: may(flag),
    italic: may(flag),
    strike: may(flag),
    code: may(flag),
    underline: may(flag),
    highlight: may(flag),
    client_highlight: may(flag),
    unlink: may(flag),
  }),
);
const name = need(text(LIMIT.id));
const words = need(text(LIMIT.messageText));

const inline = byType({
  text: shape({ type: need(among('text')), text: words, style }),
  link: shape({
    type: need(among('link')),
    url: need(text(LIMIT.url)),
    text: may(text(LIMIT.messageText, 0)),
    unsafe: may(flag),
    style,
  }),
  emoji: shape({
    type: need(among('emoji')),
    name,
    unicode: may(text(LIMIT.id)),
    url: may(text(LIMIT.url)),
    style,
  }),
  user: shape({ type: need(among('user')), user_id: name, style }),
  usergroup: shape({ type: need(among('usergroup')), usergroup_id: name, style }),
  channel: shape({ type: need(among('channel')), channel_id: name, style }),
  team: shape({ type: need(among('team')), team_id: name, style }),
  broadcast: shape({
    type: need(among('broadcast')),
    range: need(among('here', 'channel', 'everyone')),
    style,
  }),
  color: shape({ type: need(among('color')), value: name, style }),
  date: shape({
    type: need(among('date')),
    timestamp: need(whole(0, 9_999_999_999)),
    format: name,
    url: may(text(LIMIT.url)),
    fallback: may(text(LIMIT.id)),
    style,
  }),
});

const elements = need(list(inline, MANY, 0));
const border = may(whole(0, 1));
const section = shape({ type: need(among('rich_text_section')), elements });

const part = byType({
  rich_text_section: section,
  rich_text_quote: shape({ type: need(among('rich_text_quote')), elements, border }),
  rich_text_preformatted: shape({
    type: need(among('rich_text_preformatted')),
    elements,
    border,
    language: may(text(LIMIT.id)),
  }),
  rich_text_list: shape({
    type: need(among('rich_text_list')),
    elements: need(list(section, MANY)),
    style: need(among('bullet', 'ordered')),
    indent: may(whole(0, 8)),
    offset: may(whole(0, MANY)),
    border,
  }),
});

/** A `rich_text` block, also as the value of an input and the cell of a table. */
export const richText: Rule = shape({
  type: need(among('rich_text')),
  block_id: may(text(LIMIT.id)),
  elements: need(list(part, MANY)),
});
