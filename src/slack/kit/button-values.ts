/** Values of buttons and options, written here and parsed back as untrusted input. Pure. */
import { z } from 'zod';
import { BidId, ChannelId, FilterId, JobId, MonitoringResultId, TemplateId } from '../../ids.ts';
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

const matching = (pattern: RegExp) => z.string().regex(pattern);

/** A channel named by a button; what the person may do there is checked. */
export const ChannelValue = matching(/^[CG][A-Z0-9]{1,30}$/u).pipe(ChannelId);

/** A channel, or a direct message with Gigdesk. */
export const ConversationValue = matching(/^[CDG][A-Z0-9]{1,30}$/u).pipe(ChannelId);

/** Options of the card's own menu; the message identifies the card. */
export const cardMenuValues = { skip: 'skip', mute: 'mute', assign: 'assign', bid: 'bid' } as const;

export type CardMenuChoice = (typeof cardMenuValues)[keyof typeof cardMenuValues];

export function parseCardMenuChoice(value: string): CardMenuChoice | undefined {
  return Object.values(cardMenuValues).find((known) => known === value);
}

/** What a person mutes in a window: the client's country, or a word. */
export const MUTED_COUNTRY = 'country';
const MUTED_WORD = 'word:';
/** The longest word that fits in an option. */
export const MAX_MUTED_WORD_LENGTH = slackLimits.optionValue.max - MUTED_WORD.length;

export function formatMutedWord(word: string): string {
  return `${MUTED_WORD}${word}`;
}

/** @returns undefined for anything that isn't a word's option. */
export function parseMutedWord(value: string): string | undefined {
  return value.startsWith(MUTED_WORD) ? value.slice(MUTED_WORD.length).trim() || undefined : undefined;
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
const approvalRound = z.number().int().min(1).max(1_000_000);
const shownHash = matching(/^[a-f\d]{16}$/u);

/**
 * `seen`: the approval attempt that the message showed, 0 for none. `shown`: the hash of what it showed of
 * the bid. `own`: only this person sees the message, and it shows the result.
 */
export const approveValueCodec = jsonValueCodec(
  z.object({
    job: JobId,
    seen: z.number().int().min(0).max(1_000_000),
    shown: shownHash,
    own: z.boolean().optional(),
  }),
);
/** A job's request for approval. */
export const approvalRequestValueCodec = jsonValueCodec(z.object({ job: JobId, round: approvalRound }));

/**
 * A bid or a job whose approval waits before it is sent. `attempt`: the one that the message showed; `shown`:
 * the hash of what it showed.
 */
export const heldOrderValueCodec = jsonValueCodec(
  z.object({
    bid: BidId.optional(),
    job: JobId.optional(),
    attempt: z.number().int().min(1).max(1_000_000),
    shown: shownHash,
  }),
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
