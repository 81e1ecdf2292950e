/** Stored drafts of bids: what people typed into a bid's form. */

import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, DraftId, FilterId, ProjectKey, SetupId, UserId } from '../ids.ts';
import { collection } from '../storage/store.ts';

const instant = z.number();

/** The bid modal's values, as typed. */
export const BidForm = z.object({
  setup: SetupId.optional(),
  marketplaceJobId: z.string(),
  projectId: z.string(),
  bidAmount: z.string(),
  boostConnects: z.string(),
  when: z.enum(['as-set-up', 'in-minutes', 'at']),
  inMinutes: z.string(),
  at: instant.optional(),
  coverLetter: z.string(),
  /** One for each of the draft's questions. */
  answers: z.array(z.string()),
});
export type BidForm = z.infer<typeof BidForm>;

export const EMPTY_BID_FORM: BidForm = {
  marketplaceJobId: '',
  projectId: '',
  bidAmount: '',
  boostConnects: '',
  when: 'as-set-up',
  inMinutes: '',
  coverLetter: '',
  answers: [],
};

/** The setup that a form started with, and why. */
export const SetupSuggestion = z.object({
  setup: SetupId,
  /**
   * last-used: for this filter in this channel · filter: its filter found the project · most-left: so did
   * those of others, which have fewer bids left today · words: its names share words with the project ·
   * only-one: the only active one with bids left.
   */
  reason: z.enum(['last-used', 'filter', 'most-left', 'words', 'only-one']),
  filter: FilterId.optional(),
  /** The shared words, folded. */
  words: z.array(z.string()).optional(),
});
export type SetupSuggestion = z.infer<typeof SetupSuggestion>;

/** A person's bid draft, so that typed text is never lost. */
export const BidDraft = z.object({
  user: UserId,
  id: DraftId,
  channel: ChannelId,
  project: ProjectKey,
  title: z.string(),
  url: z.string().optional(),
  /** Screening questions; missing: unknown, because nobody looked the project up. */
  questions: z.array(z.string()).optional(),
  connectsPrice: z.number().optional(),
  /** Country limits of the client, from a lookup. */
  usOnly: z.boolean().optional(),
  ukOnly: z.boolean().optional(),
  form: BidForm,
  suggested: SetupSuggestion.optional(),
  /**
   * The letter that a press put into the form last, and the one it replaced. `revision` counts these presses:
   * each gives the letter new inputs.
   */
  insertedLetter: z
    .object({ revision: z.number().int(), letter: z.string(), replaced: z.string().optional() })
    .optional(),
  /** Answers to questions of an earlier job ID, by question: they return with it. */
  earlierAnswers: z.record(z.string(), z.string()).optional(),
  /** Number of 3,000-character inputs for each long text. */
  parts: z.number().int().min(1).max(2),
  /** By bid: the ended attempt that the form shows; sending makes the next one. Missing: none. */
  seen: z.record(z.string(), z.number()),
  /** By bid on the project: the attempt that the form shows, in any state. Missing: shows none. */
  shownBids: z.record(z.string(), z.number()),
  /** Counts changes of `seen`, `shownBids` and the questions. A view with an older number is outdated. */
  shown: z.number().int(),
  /** The `shown` count at which the current questions appeared. */
  asks: z.number().int(),
  /** When it was last sent. A form must not cover the result of that. */
  sentAt: instant.optional(),
  /** When it was reopened with the values from that time. */
  resumedFrom: instant.optional(),
  /** Counts restarts and new layouts of the long texts. */
  afresh: z.number().int().optional(),
  at: instant,
});
export type BidDraft = z.infer<typeof BidDraft>;

export const BID_DRAFT_RETENTION_MS = 30 * DAY;

export const bidDrafts = collection({
  name: 'bid-drafts',
  schema: BidDraft,
  key: (it) => [it.user, it.id],
  indexes: {
    /** [user, channel, project] of unfinished drafts. */
    byPlace: (it) => [it.user, it.channel, it.project],
    byUser: (it) => [it.user, it.at],
    byAge: (it) => [it.at],
  },
  keepFor: { ms: BID_DRAFT_RETENTION_MS },
});
