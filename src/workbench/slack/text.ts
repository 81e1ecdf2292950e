/** Renders messages and views as text, for tests to read. */

import { objectsInList, stringOrUndefined } from './json-reading.ts';
import type { JsonObject, SlackMessage, SlackView, UploadedFile } from './objects.ts';
import { renderBlockLines, renderPlainLines, type TextRenderContext } from './text/blocks.ts';
import type { NameResolver } from './text/mrkdwn.ts';
import { replaceControlCharacters, truncateText, wrapText } from './text/wrap.ts';

export interface TextRenderOptions {
  /** Characters per line; 80 when absent, at least 20. */
  readonly width?: number;
  /** Names by ID; IDs appear unchanged when absent. */
  readonly nameOf?: NameResolver;
  /** Files by ID; only their number appears when absent. */
  readonly fileOf?: (id: string) => UploadedFile | undefined;
}

const INDENT = 2;

function paperOf(options: TextRenderOptions): TextRenderContext {
  return { width: Math.max(20, options.width ?? 80), nameOf: options.nameOf ?? (() => undefined) };
}

function attachment(value: JsonObject, paper: TextRenderContext): readonly string[] {
  const narrow = { ...paper, width: paper.width - INDENT };
  const blocks = objectsInList(value['blocks']);
  const words = stringOrUndefined(value['text']) ?? stringOrUndefined(value['fallback']) ?? '';
  const lines =
    blocks.length > 0
      ? blocks.flatMap((block) => renderBlockLines(block, narrow))
      : renderPlainLines(words, narrow);
  return lines.map((line) => `│ ${line}`);
}

/** Uploaded files with their alt texts. */
function files(
  { fileIds }: SlackMessage,
  { fileOf }: TextRenderOptions,
  paper: TextRenderContext,
): readonly string[] {
  if (fileIds.length === 0) return [];
  if (!fileOf) return [`(${fileIds.length} file${fileIds.length > 1 ? 's' : ''})`];
  return fileIds.flatMap((id) => {
    const { title = id, altText } = fileOf(id) ?? {};
    return wrapText(
      `(file: ${replaceControlCharacters(altText ? `${title}: ${altText}` : title)})`,
      paper.width,
    );
  });
}

/** A message without its author: its blocks, else its text; then attachments, unfurls and reactions. */
export function renderMessageText(message: SlackMessage, options: TextRenderOptions = {}): string {
  const paper = paperOf(options);
  const said =
    message.blocks.length > 0
      ? message.blocks.flatMap((block) => renderBlockLines(block, paper))
      : renderPlainLines(message.text, paper);
  const below = [...message.attachments, ...Object.values(message.unfurls)];
  const reactions = message.reactions.map(({ name, users }) => `:${name}: ${users.length}`).join('  ');
  return [
    ...said,
    ...below.flatMap((each) => attachment(each, paper)),
    ...files(message, options, paper),
    ...(reactions === '' ? [] : [reactions]),
  ].join('\n');
}

/** A modal in a frame with its buttons below; a Home without a frame. */
export function renderViewText(view: SlackView, options: TextRenderOptions = {}): string {
  const paper = paperOf(options);
  const inner = { ...paper, width: paper.width - 2 * INDENT };
  if (view.type === 'home') return view.blocks.flatMap((block) => renderBlockLines(block, paper)).join('\n');
  const buttons = [view.close ?? 'Cancel', ...(view.submit === undefined ? [] : [view.submit])];
  const title = truncateText(replaceControlCharacters(view.title), inner.width);
  return [
    `┌ ${title} `.padEnd(paper.width, '─'),
    ...view.blocks.flatMap((block) => renderBlockLines(block, inner)).map((line) => `│ ${line}`.trimEnd()),
    `└ ${buttons.map((each) => `[${each}]`).join(' ')} `.padEnd(paper.width, '─'),
  ].join('\n');
}
