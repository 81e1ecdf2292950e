/** Rich text, tables and Markdown as HTML: the library renders it, then only a few tags stay. Pure. */
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type Block, Message, type MessageProps } from 'slack-blocks-to-jsx';
import { type RichTextPart, type RichTextStyle, safeLinkUrl } from './mrkdwn.ts';

/** Names of mentioned IDs; undefined if unknown. */
export interface MentionNames {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
  group(id: string): string | undefined;
}

function styled(
  inside: ReactNode,
  style: { [K in keyof RichTextStyle]?: boolean | undefined } = {},
): ReactNode {
  const tags = (['strike', 'italic', 'bold'] as const).filter((each) => style[each] === true);
  const names = { strike: 's', italic: 'em', bold: 'strong' };
  return tags.reduce<ReactNode>((node, tag) => createElement(names[tag], null, node), inside);
}

function mention(words: string, style?: { [K in keyof RichTextStyle]?: boolean | undefined }): ReactNode {
  return styled(createElement('span', { className: 'mention' }, words), style);
}

/** The library shows a link's style only in its classes. */
function styleOf(classes = ''): RichTextStyle {
  const has = (name: string) => classes.split(' ').includes(name);
  return {
    ...(has('font-semibold') ? { bold: true } : {}),
    ...(has('italic') ? { italic: true } : {}),
    ...(has('line-through') ? { strike: true } : {}),
  };
}

function hooksOf(names: MentionNames): NonNullable<MessageProps['hooks']> {
  return {
    user: ({ id, style }) => mention(`@${names.user(id) ?? id}`, style),
    channel: ({ id, style }) => mention(`#${names.channel(id) ?? id}`, style),
    usergroup: ({ id, style }) => mention(`@${names.group(id) ?? id}`, style),
    atChannel: () => mention('@channel'),
    atEveryone: () => mention('@everyone'),
    atHere: () => mention('@here'),
    emoji: (emoji, parse) => {
      const sign = parse(emoji);
      // For an unknown emoji, the library returns the name; Slack shows it as typed.
      if (sign === emoji.name) return `:${emoji.name}:`;
      return createElement('span', { className: 'emoji', title: `:${emoji.name}:` }, sign);
    },
    link: ({ href, children, className }) => {
      const url = href === undefined ? undefined : safeLinkUrl(href);
      if (url === undefined) return createElement('span', null, children);
      return styled(createElement('a', { href: url }, children), styleOf(className));
    },
  };
}

/** Which attributes each tag keeps. Other tags are removed, but their content stays. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  p: [],
  br: [],
  strong: [],
  em: [],
  s: [],
  del: [],
  code: [],
  pre: [],
  blockquote: [],
  ul: [],
  ol: [],
  li: [],
  hr: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: [],
  td: [],
  span: ['class', 'title'],
};
const CLASSES = ['mention', 'emoji'];

/** React escapes every `<` and `"` in texts and attributes, so every match is a real tag. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?)*) ?\/?>/gu;

/** Opens a new tab without access to this one. */
function linkTag(attributes: string): string {
  const href = /href="((?:https?:|mailto:)[^"]*)"/iu.exec(attributes)?.[1];
  return href === undefined
    ? '<a>'
    : `<a class="link" href="${href}" target="_blank" rel="noopener noreferrer">`;
}

function keepTag(all: string, slash: string, name: string, attributes: string): string {
  if (name === 'a') return slash === '' ? linkTag(attributes) : all;
  const kept = Object.hasOwn(KEPT, name) ? KEPT[name] : undefined;
  if (!kept) return '';
  if (slash !== '') return all;
  const stay = (attributes.match(/[a-z-]+="[^"]*"/gu) ?? []).filter((each) => {
    const [attribute = '', value = ''] = each.split(/="|"$/u);
    return kept.includes(attribute) && (attribute !== 'class' || CLASSES.includes(value));
  });
  return `<${[name, ...stay].join(' ')}>`;
}

const STYLES = [
  ['slack_inline_code', 'code'],
  ['line-through', 's'],
  ['italic', 'em'],
  ['font-semibold', 'strong'],
] as const;

/** The library marks bold with a class; screen readers also need a tag. */
function tagStyles(html: string): string {
  return html.replaceAll(
    /<span class="slack_blocks_to_jsx__rich_text_section_element_text([^"]*)">([^<]*)<\/span>/gu,
    (_all, classes: string, words: string) => {
      const lines = words.replaceAll('\n', '<br>');
      return STYLES.filter(([name]) => classes.split(' ').includes(name)).reduce(
        (inside, [, tag]) => `<${tag}>${inside}</${tag}>`,
        lines,
      );
    },
  );
}

function tidy(html: string): string {
  const styled = tagStyles(
    html
      // Removes a `code` around a `pre`, and hand-drawn list bullets.
      .replaceAll(
        /<code class="[^"]*preformatted_element"><pre[^>]*>(.*?)<\/pre><\/code>/gsu,
        '<pre>$1</pre>',
      )
      .replaceAll(/<li([^>]*)><span class="w-\[22px\][^>]*>(?:<span[^>]*><\/span>|[^<]*)<\/span>/gu, '<li>'),
  );
  return styled
    .replaceAll(TAG, keepTag)
    .replaceAll(/<span>([^<]*|<span [^>]*>[^<]*<\/span>)<\/span>/gu, '$1')
    .replaceAll(
      /<pre>(.*?)<\/pre>/gsu,
      (_all, code: string) => `<pre>${code.replaceAll('<br>', '\n')}</pre>`,
    );
}

function draw(blocks: readonly Block[], names: MentionNames): string {
  const props = { blocks: [...blocks], logo: '', name: '', withoutWrapper: true, unstyled: true };
  return tidy(
    renderToStaticMarkup(createElement(Message, { ...props, theme: 'light', hooks: hooksOf(names) })),
  );
}

/** The HTML of a rich text block's parts. */
export function richTextHtml(
  parts: readonly RichTextPart[] | readonly unknown[],
  names: MentionNames,
): string {
  return draw([{ type: 'rich_text', elements: parts } as unknown as Block], names);
}

export function tableHtml(
  rows: readonly unknown[],
  columns: readonly unknown[],
  names: MentionNames,
): string {
  return draw([{ type: 'table', rows, column_settings: columns } as unknown as Block], names);
}

export function markdownHtml(text: string, names: MentionNames): string {
  return draw([{ type: 'markdown', text } as unknown as Block], names);
}
