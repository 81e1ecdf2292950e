/** Rich text, tables and Markdown as HTML: drawn by the library, then cut down to the few tags that the page promises. Pure. */
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type Block, Message, type MessageProps } from 'slack-blocks-to-jsx';
import { type RichTextPart, type RichTextStyle, safeLinkUrl } from './mrkdwn.ts';

/** Names of what is mentioned by its id; undefined where nobody knows it. */
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

/** The library tells a link's style by its classes alone. */
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
      // The library answers the name where it knows no such emoji; Slack shows it as it was typed.
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

/** Which attributes each tag keeps. A tag that is not here goes, and what stands in it stays. */
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

/** React has escaped every `<` and `"` of texts and attributes, so what looks like a tag is one. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?)*) ?\/?>/gu;

/** Opens another tab, which learns nothing of this one. */
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

/** The library says bold with a class; tags are heard by screen readers, too. */
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
      // A `code` around a `pre`, and list signs drawn by hand.
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

/** A rich text block's parts. */
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
