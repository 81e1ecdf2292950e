/** The interface for building proposal templates, used by commands and modals. Every call names a person. */
import type { Instant } from '../clock.ts';
import type { ChannelId, DraftId, TemplateId, UserId } from '../ids.ts';
import type { ProposalSender } from '../marketplace/client.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';
import type { TemplateInputError } from './check-result.ts';
import type { TemplateForm } from './form.ts';
import type { TemplateDraft, TextInputCounts } from './records.ts';

export {
  type CreatedTemplate,
  isCreationUncertain,
  MultiInputTextField,
  type TemplateDraft,
  type TemplateOrigin,
  type TemplateRejection,
  type TextInputCounts,
} from './records.ts';

/** A person's own draft: another person's draft ID finds nothing. */
export interface TemplateDraftReference {
  readonly user: UserId;
  readonly draft: DraftId;
}

export type CreateDraftResult =
  | { readonly kind: 'created'; readonly draft: TemplateDraft }
  /** Nothing was stored: the person has `most` unfinished drafts; `drafts` lists them, newest first. */
  | { readonly kind: 'too-many'; readonly most: number; readonly drafts: readonly TemplateDraft[] };

export interface SaveDraftRequest extends TemplateDraftReference {
  /**
   * Builds the new form from the stored one, so that a step keeps the other steps' values. Pure: it may run
   * twice. Missing: the form stays.
   */
  readonly change?: (form: TemplateForm) => TemplateForm;
  /** Merged into the stored input counts. */
  readonly room?: TextInputCounts;
  /** The revision on the screen, for changes that only fit it, such as removing the third answer. */
  readonly seen?: number;
}

export type SaveDraftResult =
  | { readonly kind: 'saved'; readonly draft: TemplateDraft }
  /** Nothing was stored: the draft is being sent, or was created. */
  | { readonly kind: 'closed'; readonly draft: TemplateDraft }
  /** Nothing was stored: the draft has another revision than `seen`. */
  | { readonly kind: 'stale'; readonly draft: TemplateDraft }
  /** Nothing was stored: the texts are far longer than any template allows. */
  | { readonly kind: 'too-large'; readonly draft: TemplateDraft }
  | { readonly kind: 'gone' };

export type DiscardDraftResult =
  | { readonly kind: 'discarded'; readonly draft: TemplateDraft }
  /** Not while it is being sent. */
  | { readonly kind: 'closed'; readonly draft: TemplateDraft }
  | { readonly kind: 'gone' };

export interface TemplateDrafts {
  /** A new draft, empty or from an existing template. */
  create(order: { readonly user: UserId; readonly from?: ProposalTemplate }): Promise<CreateDraftResult>;
  save(order: SaveDraftRequest): Promise<SaveDraftResult>;
  /** Also finds a created draft: its `template` is the result. */
  read(name: TemplateDraftReference): Promise<TemplateDraft | undefined>;
  /** Unfinished drafts, the last changed first; at most 20. */
  list(user: UserId): Promise<readonly TemplateDraft[]>;
  discard(name: TemplateDraftReference): Promise<DiscardDraftResult>;
}

export interface SubmitTemplateRequest extends TemplateDraftReference {
  /** The draft's `revision` on the screen with the pressed button. */
  readonly seen: number;
  /** The channel of the request, for the audit log. */
  readonly channel?: ChannelId;
}

export type SubmitTemplateResult =
  /** This call asked the marketplace; `draft.state` is the outcome: created, refused or unknown. */
  | { readonly kind: 'asked'; readonly draft: TemplateDraft }
  /** Nothing was sent: the draft is being sent, was created, or has changed since `seen`. */
  | { readonly kind: 'taken'; readonly draft: TemplateDraft }
  /** Nothing was sent: the form has mistakes. */
  | {
      readonly kind: 'mistakes';
      readonly draft: TemplateDraft;
      readonly mistakes: readonly TemplateInputError[];
    }
  | { readonly kind: 'gone' };

export type SendersResult =
  | { readonly kind: 'known'; readonly senders: readonly ProposalSender[]; readonly readAt: Instant }
  /** People can still type IDs. */
  | { readonly kind: 'unavailable'; readonly why: MarketplaceError };

export type TemplateFetchResult =
  | { readonly kind: 'found'; readonly template: ProposalTemplate }
  | { readonly kind: 'failed'; readonly why: MarketplaceError };

export interface TemplateService {
  readonly drafts: TemplateDrafts;

  /**
   * Marks a previous run's unanswered claims unknown. Call it at start, before any submission. @returns how
   * many
   */
  recoverUnansweredClaims(): Promise<number>;

  /**
   * Creates the template: stores the claim, sends one request, stores the answer. Sends at most one request
   * for each `seen` of a draft, and none after a template was created. Never resends automatically.
   * @throws StorageError when the claim could not be stored: nothing was sent then.
   */
  submitDraft(order: SubmitTemplateRequest): Promise<SubmitTemplateResult>;

  /** The possible senders, if readable; asked at most every five minutes, once for all waiting callers. */
  fetchSenders(): Promise<SendersResult>;

  /** A template to start from. Its path is documented by name only. */
  fetchTemplate(id: TemplateId): Promise<TemplateFetchResult>;
}
