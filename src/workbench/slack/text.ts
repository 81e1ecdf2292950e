/** Messages and views as a person could read them in a terminal. */
import type { Json, Message, UploadedFile, View } from './objects.ts';
import { objectsOf, textOf } from './reading.ts';
import { type Paper, renderBlock, renderPlain } from './text/blocks.ts';
import type { NameOf } from './text/mrkdwn.ts';
import { type SignOf, signsIn, withSigns } from './text/signs.ts';
import { clip, harmless, wrap } from './text/wrap.ts';

export interface TextOptions {
  /** Characters in a line; 80 when absent, never under 20. */
  readonly width?: number;
  /** The names behind ids; ids are shown as they are when absent. */
  readonly nameOf?: NameOf;
  /** The file behind an id; files are only counted when absent. */
  readonly fileOf?: (id: string) => UploadedFile | undefined;
  /** The signs behind names of emoji; names are shown as they are when absent. */
  readonly signOf?: SignOf;
}

const INDENT = 2;

function paperOf(options: TextOptions): Paper {
  return { width: Math.max(20, options.width ?? 80), nameOf: options.nameOf ?? (() => undefined) };
}

function attachment(value: Json, paper: Paper): readonly string[] {
  const narrow = { ...paper, width: paper.width - INDENT };
  const blocks = objectsOf(value['blocks']);
  const words = textOf(value['text']) ?? textOf(value['fallback']) ?? '';
  const lines =
    blocks.length > 0 ? blocks.flatMap((block) => renderBlock(block, narrow)) : renderPlain(words, narrow);
  return lines.map((line) => `│ ${line}`);
}

/** What a picture says to somebody who does not see it. */
function files({ fileIds }: Message, { fileOf }: TextOptions, paper: Paper): readonly string[] {
  if (fileIds.length === 0) return [];
  if (!fileOf) return [`(${fileIds.length} file${fileIds.length > 1 ? 's' : ''})`];
  return fileIds.flatMap((id) => {
    const { title = id, altText } = fileOf(id) ?? {};
    return wrap(`(file: ${harmless(altText ? `${title}: ${altText}` : title)})`, paper.width);
  });
}

function signed<T extends Message | View>(on: T, { signOf }: TextOptions): T {
  if (!signOf) return on;
  const shown = { ...on, blocks: withSigns(on.blocks, signOf) };
  if (!('text' in shown)) return shown;
  const { text, attachments, unfurls } = shown;
  return {
    ...shown,
    text: signsIn(text, signOf),
    attachments: withSigns(attachments, signOf),
    unfurls: withSigns(unfurls, signOf),
  };
}

/** A message without its author: blocks where it has some, else its text; then attachments, unfurls and reactions. */
export function renderText(given: Message, options: TextOptions = {}): string {
  const message = signed(given, options);
  const paper = paperOf(options);
  const said =
    message.blocks.length > 0
      ? message.blocks.flatMap((block) => renderBlock(block, paper))
      : renderPlain(message.text, paper);
  const below = [...message.attachments, ...Object.values(message.unfurls)];
  const reactions = message.reactions
    .map(({ name, users }) => `${options.signOf?.(name) ?? `:${name}:`} ${users.length}`)
    .join('  ');
  return [
    ...said,
    ...below.flatMap((each) => attachment(each, paper)),
    ...files(message, options, paper),
    ...(reactions === '' ? [] : [reactions]),
  ].join('\n');
}

/** A modal in a frame with its buttons below; a Home without. */
export function renderView(given: View, options: TextOptions = {}): string {
  const view = signed(given, options);
  const paper = paperOf(options);
  const inner = { ...paper, width: paper.width - 2 * INDENT };
  if (view.type === 'home') return view.blocks.flatMap((block) => renderBlock(block, paper)).join('\n');
  const buttons = [view.close ?? 'Cancel', ...(view.submit === undefined ? [] : [view.submit])];
  const title = clip(harmless(view.title), inner.width);
  return [
    `┌ ${title} `.padEnd(paper.width, '─'),
    ...view.blocks.flatMap((block) => renderBlock(block, inner)).map((line) => `│ ${line}`.trimEnd()),
    `└ ${buttons.map((each) => `[${each}]`).join(' ')} `.padEnd(paper.width, '─'),
  ].join('\n');
}
