/** The few kinds of blocks that our messages are made of. Texts must be harmless already (`blocks/mrkdwn.ts`). */
import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  ContextBlock,
  MrkdwnElement,
  PlainTextElement,
  PlainTextOption,
  SectionBlock,
} from '@slack/types';
import { cleanLine } from '../blocks/clean-text.ts';
import { limits } from '../blocks/limits.ts';
import { clip } from '../blocks/mrkdwn.ts';

/** `verbatim`: Slack makes no links or names of its own out of the words. */
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** `emoji: false`: a stranger's `:words:` stay words. */
export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}

export function section(text: string, accessory?: SectionBlock['accessory']): SectionBlock {
  return {
    type: 'section',
    text: mrkdwn(clip(text, limits.sectionText.max)),
    ...(accessory ? { accessory } : {}),
  };
}

/** Rows in as few texts as sections are needed to hold them; no row is cut in two. */
export function joinRows(rows: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const row of rows) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + row.length <= limits.sectionText.max)
      texts[texts.length - 1] = `${last}\n${row}`;
    else texts.push(row);
  }
  return texts;
}

/** Rows in as few sections as hold them; none is cut in two. */
export function sections(rows: readonly string[]): readonly SectionBlock[] {
  return joinRows(rows).map((text) => section(text));
}

/** Words of strangers, without any formatting. */
export function plainSection(text: string): SectionBlock {
  return { type: 'section', text: plain(clip(text, limits.sectionText.max)) };
}

/** Short facts in two columns. */
export function fields(texts: readonly string[]): SectionBlock {
  return { type: 'section', fields: texts.slice(0, limits.sectionFields.max).map(mrkdwn) };
}

export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwn(clip(text, limits.contextText.max))] };
}

export function actions(elements: readonly ActionsBlockElement[]): ActionsBlock {
  return { type: 'actions', elements: [...elements] };
}

export interface ButtonWords {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** What a screen reader says instead of the label: names the thing that the button acts on. */
  readonly spoken?: string;
  readonly confirm?: ConfirmationDialog;
}

export function button(words: ButtonWords): Button {
  return {
    type: 'button',
    action_id: words.id,
    text: plain(words.label),
    value: words.value,
    ...(words.spoken
      ? { accessibility_label: clip(cleanLine(words.spoken), limits.accessibilityLabel.max) }
      : {}),
    ...(words.confirm ? { confirm: words.confirm } : {}),
  };
}

/** @param value at most 75 characters. */
export function option(label: string, value: string): PlainTextOption {
  return { text: plain(clip(cleanLine(label), limits.optionText.max)), value };
}

/** The question before something is lost. */
export function confirm(title: string, question: string, yes: string): ConfirmationDialog {
  return {
    title: plain(clip(cleanLine(title), limits.confirmTitle.max)),
    text: plain(clip(cleanLine(question), limits.confirmText.max)),
    confirm: plain(yes),
    deny: plain('Keep'),
    style: 'danger',
  };
}

/** Facts of one line; those that are missing leave no gap. */
export function line(...facts: readonly (string | undefined)[]): string {
  return facts.filter((fact) => fact !== undefined && fact !== '').join(' · ');
}

/** Lines; those that are empty are left out. */
export function lines(...each: readonly (string | undefined)[]): string {
  return each.filter((it) => it !== undefined && it !== '').join('\n');
}

/** For the beginning of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `a`, `a or b`, `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
