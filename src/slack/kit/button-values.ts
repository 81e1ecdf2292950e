/** Values of buttons and options, written here and parsed back as untrusted input. Pure. */
import { z } from 'zod';
import { SkipReason } from '../../feed/feed.ts';
import { FilterId, JobId, MessageTs, MonitoringResultId, TemplateId } from '../../ids.ts';
import { slackLimits } from './limits.ts';

export interface ValueCodec<T> {
  readonly write: (value: T) => string;
  /** undefined for anything that `write` doesn't produce: the text is untrusted input. */
  readonly read: (text: string) => T | undefined;
}

/** For a button's value or a view's metadata. Its length is checked with the message or view around it. */
export function jsonValueCodec<T>(schema: z.ZodType<T>): ValueCodec<T> {
  return {
    write: (value) => JSON.stringify(value),
    read: (text) => {
      try {
        return schema.safeParse(JSON.parse(text)).data;
      } catch {
        return undefined;
      }
    },
  };
}

/** Options of the card's own menu; the message identifies the card. */
export const cardMenuValues = {
  notAFit: 'skip:not-a-fit',
  skip: 'skip',
  mute: 'mute',
  link: 'link',
  bid: 'bid',
} as const;

const cardTs = MessageTs.regex(/^\d{1,12}\.\d{1,9}$/u);

/** A choice in the menu or in its follow-up question (`card`: the message of the card in question). */
export type CardMenuChoice =
  | { readonly kind: 'skip'; readonly reason: SkipReason; readonly card?: MessageTs }
  | { readonly kind: 'ask-skip' | 'ask-mute' | 'copy-link' | 'bid' }
  | { readonly kind: 'mute-country'; readonly card: MessageTs }
  | { readonly kind: 'mute-word'; readonly card: MessageTs; readonly word: string };

const MENU: Readonly<Record<string, CardMenuChoice>> = {
  [cardMenuValues.notAFit]: { kind: 'skip', reason: 'not-a-fit' },
  [cardMenuValues.skip]: { kind: 'ask-skip' },
  [cardMenuValues.mute]: { kind: 'ask-mute' },
  [cardMenuValues.link]: { kind: 'copy-link' },
  [cardMenuValues.bid]: { kind: 'bid' },
};

export function formatSkipValue(reason: SkipReason, card: MessageTs): string {
  return `skip@${card}:${reason}`;
}

export function formatMuteCountryValue(card: MessageTs): string {
  return `country@${card}:`;
}

export function formatMuteWordValue(card: MessageTs, word: string): string {
  return `word@${card}:${word}`;
}

/** The longest word that fits in an option next to its card. */
export const MAX_MUTED_WORD_LENGTH = slackLimits.optionValue.max - 'word@1234567890.123456:'.length;

export function parseCardMenuChoice(value: string): CardMenuChoice | undefined {
  if (Object.hasOwn(MENU, value)) return MENU[value];
  const found = /^(skip|country|word)@([^:]+):(.*)$/su.exec(value);
  const card = cardTs.safeParse(found?.[2]);
  if (!found || !card.success) return undefined;
  const rest = found[3] ?? '';
  if (found[1] === 'country') return { kind: 'mute-country', card: card.data };
  if (found[1] === 'word') return rest ? { kind: 'mute-word', card: card.data, word: rest } : undefined;
  const reason = SkipReason.safeParse(rest);
  return reason.success ? { kind: 'skip', reason: reason.data, card: card.data } : undefined;
}

/** Of a list with numbered pages. */
export const PageNumber = z.number().int().min(1).max(1_000_000);

export const resultsPageValueCodec = jsonValueCodec(z.object({ filter: FilterId, page: PageNumber }));
/** `turn`: the page replaces the message with the button. */
export const resultProjectsValueCodec = jsonValueCodec(
  z.object({ result: MonitoringResultId, page: PageNumber, turn: z.boolean() }),
);
export const muteValueCodec = jsonValueCodec(
  z.object({ kind: z.enum(['country', 'word']), value: z.string().min(1).max(500) }),
);
/**
 * `seen`: the approval attempt that the message showed, 0 for none. `own`: only this person sees the message,
 * and it shows the result.
 */
export const approveValueCodec = jsonValueCodec(
  z.object({ job: JobId, seen: z.number().int().min(0).max(1_000_000), own: z.boolean().optional() }),
);

/** Parses a job ID from a button's value or from a user (`12`, `#12`). */
export function parseJobId(text: string): JobId | undefined {
  const digits = /^#?\s*(\d{1,15})$/u.exec(text.trim())?.[1];
  return JobId.safeParse(Number(digits ?? 0)).data;
}

/** Parses a template ID the same way. */
export function parseTemplateId(text: string): TemplateId | undefined {
  return TemplateId.safeParse(parseJobId(text)).data;
}
