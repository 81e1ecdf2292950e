/**
 * Builds the block types that our messages use, and views that only show something. Texts must already be
 * safe (`mrkdwn.ts`). Pure.
 */
import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  KnownBlock,
  ModalView,
  MrkdwnElement,
  PlainTextElement,
  PlainTextOption,
  SectionBlock,
} from '@slack/types';
import type { Message } from '../core/routes.ts';
import type { MessageBlock } from './chart-block.ts';
import { viewIds } from './ids.ts';
import { slackLimits } from './limits.ts';
import { cleanLine, clipText } from './mrkdwn.ts';

/** `verbatim`: Slack must not turn words into links or names. */
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** `emoji: false`: a stranger's `:words:` stay text. */
export function plainTextObject(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}

export function sectionBlock(text: string, accessory?: SectionBlock['accessory']): SectionBlock {
  return { type: 'section', text: mrkdwn(clipText(text, slackLimits.sectionText.max)), accessory };
}

/** Joins rows into as few section texts as possible, without splitting a row. */
export function joinRows(rows: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const row of rows) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + row.length <= slackLimits.sectionText.max)
      texts[texts.length - 1] = `${last}\n${row}`;
    else texts.push(row);
  }
  return texts;
}

/** Joins rows into as few sections as possible, without splitting a row. */
export function sectionBlocks(rows: readonly string[]): readonly SectionBlock[] {
  return joinRows(rows).map((text) => sectionBlock(text));
}

/** A section for each text; none for missing ones. */
export function textSections(...texts: readonly (string | undefined)[]): readonly SectionBlock[] {
  return texts.flatMap((text) => (text ? [sectionBlock(text)] : []));
}

/** Strangers' text, without any formatting. */
export function plainTextSection(text: string): SectionBlock {
  return { type: 'section', text: plainTextObject(clipText(text, slackLimits.sectionText.max)) };
}

/** A title, without formatting. */
export function headerBlock(text: string): HeaderBlock {
  return { type: 'header', text: plainTextObject(clipText(cleanLine(text), slackLimits.headerText.max)) };
}

export const DIVIDER: DividerBlock = { type: 'divider' };

/** Short facts in two columns. */
export function fieldsSection(texts: readonly string[]): SectionBlock {
  return { type: 'section', fields: texts.slice(0, slackLimits.sectionFields.max).map(mrkdwn) };
}

export function contextBlock(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwn(clipText(text, slackLimits.contextText.max))] };
}

export function actionsBlock(elements: readonly ActionsBlockElement[]): ActionsBlock {
  return { type: 'actions', elements: [...elements] };
}

/** No block without buttons. */
export function actionsBlocks(buttons: readonly Button[]): ActionsBlock[] {
  return buttons.length > 0 ? [actionsBlock(buttons)] : [];
}

export interface ButtonFacts {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** For screen readers instead of the label: names what the button acts on. */
  readonly accessibilityLabel?: string;
  readonly confirm?: ConfirmationDialog;
  /** The most likely next step; at most one in a message. */
  readonly isPrimary?: boolean;
}

export function buttonElement(words: ButtonFacts): Button {
  return {
    type: 'button',
    action_id: words.id,
    text: plainTextObject(words.label),
    value: words.value,
    accessibility_label: words.accessibilityLabel
      ? clipText(cleanLine(words.accessibilityLabel), slackLimits.accessibilityLabel.max)
      : undefined,
    confirm: words.confirm,
    style: words.isPrimary ? ('primary' as const) : undefined,
  };
}

/** @param value at most 75 characters. */
export function menuOption(label: string, value: string): PlainTextOption {
  return { text: plainTextObject(clipText(cleanLine(label), slackLimits.optionText.max)), value };
}

export function confirmDialog(title: string, question: string, yes: string): ConfirmationDialog {
  return {
    title: plainTextObject(clipText(cleanLine(title), slackLimits.confirmTitle.max)),
    text: plainTextObject(clipText(cleanLine(question), slackLimits.confirmText.max)),
    confirm: plainTextObject(yes),
    deny: plainTextObject('Keep'),
    style: 'danger',
  };
}

/** One line; skips missing facts. */
export function joinFacts(...facts: readonly (string | undefined)[]): string {
  return facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
}

/** Skips empty lines. */
export function joinLines(...each: readonly (string | undefined)[]): string {
  return each.filter((it) => it !== undefined && it !== '').join('\n');
}

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `a`, `a or b`, `a, b or c`. */
export function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A modal without a submit button. @param what safe mrkdwn, or blocks. */
export function noticeView(title: string, what: string | readonly MessageBlock[]): ModalView {
  return {
    type: 'modal',
    callback_id: viewIds.notice,
    title: plainTextObject(clipText(title, slackLimits.viewTitle.max)),
    close: plainTextObject('Close'),
    blocks: typeof what === 'string' ? [sectionBlock(what)] : [...what],
  };
}

interface FormFrame {
  readonly id: string;
  /** What comes back with the form; it isn't trusted. */
  readonly carries?: string;
  readonly title: string;
  readonly submit: string;
  readonly close?: string;
}

export function formView(
  { id, carries, title, submit, close = 'Cancel' }: FormFrame,
  blocks: readonly KnownBlock[],
): ModalView {
  return {
    type: 'modal',
    callback_id: id,
    private_metadata: carries,
    title: plainTextObject(title),
    submit: plainTextObject(submit),
    close: plainTextObject(close),
    blocks: [...blocks],
  };
}

/** Opens at once, while its content loads. */
export function loadingView(title: string): ModalView {
  return noticeView(title, ':hourglass_flowing_sand: Loading…');
}

/** A message of one text, with its buttons. @param text mrkdwn */
export function textMessage(text: string, buttons?: ActionsBlock): Message {
  return { text, blocks: [sectionBlock(text), ...(buttons ? [buttons] : [])] };
}
