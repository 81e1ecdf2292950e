/** The contract of building proposal templates: what a command and a modal ask of it. A named person stands behind every call. */
import type { Instant } from '../clock.ts';
import type { ChannelId, DraftId, TemplateId, UserId } from '../ids.ts';
import type { ProposalSender } from '../marketplace/client.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';
import type { TemplateInputError } from './check-result.ts';
import type { TemplateForm } from './form.ts';
import type { TemplateDraft, TextInputCounts } from './records.ts';

/** A draft as its person names it: an id of somebody else's finds nothing. */
export interface TemplateDraftReference {
  readonly user: UserId;
  readonly draft: DraftId;
}

export type CreateDraftResult =
  | { readonly kind: 'created'; readonly draft: TemplateDraft }
  /** Nothing was stored: the person has `most` drafts that are not done; `drafts` are these, newest first. */
  | { readonly kind: 'too-many'; readonly most: number; readonly drafts: readonly TemplateDraft[] };

export interface SaveDraftRequest extends TemplateDraftReference {
  /**
   * Makes the form anew out of the stored one, so that a step keeps what other steps hold. Pure: it may run twice. Missing: the
   * form stays.
   */
  readonly change?: (form: TemplateForm) => TemplateForm;
  /** Put over the room that is stored. */
  readonly room?: TextInputCounts;
  /** The revision on the screen, for changes that only fit this one, like removing the third answer. */
  readonly seen?: number;
}

export type SaveDraftResult =
  | { readonly kind: 'saved'; readonly draft: TemplateDraft }
  /** Nothing was stored: it is being sent, or was created. */
  | { readonly kind: 'closed'; readonly draft: TemplateDraft }
  /** Nothing was stored: it has another revision than `seen`. */
  | { readonly kind: 'stale'; readonly draft: TemplateDraft }
  /** Nothing was stored: the texts are far beyond what any template may hold. */
  | { readonly kind: 'too-large'; readonly draft: TemplateDraft }
  | { readonly kind: 'gone' };

export type DiscardDraftResult =
  | { readonly kind: 'discarded'; readonly draft: TemplateDraft }
  /** Not while it is being sent. */
  | { readonly kind: 'closed'; readonly draft: TemplateDraft }
  | { readonly kind: 'gone' };

export interface TemplateDrafts {
  /** A new draft, empty or from a template that exists. */
  create(order: { readonly user: UserId; readonly from?: ProposalTemplate }): Promise<CreateDraftResult>;
  save(order: SaveDraftRequest): Promise<SaveDraftResult>;
  /** Also one that is done: its `template` says what it became. */
  read(name: TemplateDraftReference): Promise<TemplateDraft | undefined>;
  /** Those that are not done, the last changed first; at most 20. */
  list(user: UserId): Promise<readonly TemplateDraft[]>;
  discard(name: TemplateDraftReference): Promise<DiscardDraftResult>;
}

export interface SubmitTemplateRequest extends TemplateDraftReference {
  /** The draft's `revision` on the screen where it was pressed. */
  readonly seen: number;
  /** Where it was asked for, for the audit log. */
  readonly channel?: ChannelId;
}

export type SubmitTemplateResult =
  /** This call asked the marketplace; `draft.state` says what came of it: created, refused or unknown. */
  | { readonly kind: 'asked'; readonly draft: TemplateDraft }
  /** Nothing was sent: it is being sent, was created, or is not any more what `seen` showed. */
  | { readonly kind: 'taken'; readonly draft: TemplateDraft }
  /** Nothing was sent: it is not complete. */
  | {
      readonly kind: 'mistakes';
      readonly draft: TemplateDraft;
      readonly mistakes: readonly TemplateInputError[];
    }
  | { readonly kind: 'gone' };

export type SendersResult =
  | { readonly kind: 'known'; readonly senders: readonly ProposalSender[]; readonly readAt: Instant }
  /** Ids can be typed all the same. */
  | { readonly kind: 'unavailable'; readonly why: MarketplaceError };

export type TemplateFetchResult =
  | { readonly kind: 'found'; readonly template: ProposalTemplate }
  | { readonly kind: 'failed'; readonly why: MarketplaceError };

export interface TemplateService {
  readonly drafts: TemplateDrafts;

  /** What a former run left without an answer is unknown from now on. At start, before anything is submitted. @returns how many */
  recoverUnansweredClaims(): Promise<number>;

  /**
   * Creates the template: stores the claim, asks once, records the answer. Whatever happens, at most one request is sent for one
   * `seen` of one draft, and none after one that was answered with a template. Nothing is ever sent again by itself.
   * @throws StorageError when the claim could not be stored: nothing was sent then.
   */
  submitDraft(order: SubmitTemplateRequest): Promise<SubmitTemplateResult>;

  /** Who can send, as far as it can be read; asked at most every five minutes, once for all who wait for it. */
  fetchSenders(): Promise<SendersResult>;

  /** A template to start from. Its path is documented by name only. */
  fetchTemplate(id: TemplateId): Promise<TemplateFetchResult>;
}
