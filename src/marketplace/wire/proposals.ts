/**
 * Proposals, invitations and proposal templates. Keeps templates' texts exactly, since people create new ones
 * from old ones. Source: docs/marketplace-api.md, Proposal, Invitation, ProposalTemplate. Pure.
 */
import type { z } from 'zod';
import { OrganizationId, ProfileId, ProposalId, TemplateId } from '../../ids.ts';
import { count, exactText, flag, id, instant, line, list, number, record, section, text } from './shape.ts';
import { WIRE_TEXT_LENGTH_LIMITS as LIMITS } from './values.ts';

/** Something with an id, and a name under one of two keys. */
const namedEntity = record({ id: count.required(), name: line().from('name', 'fullName') });

const labelled = <S extends z.ZodType>(kind: S) =>
  record({ id: id(kind).required(), label: line(), type: line() });
const profile = labelled(ProfileId).from('marketplaceProfile');
const organization = labelled(OrganizationId).from('marketplaceOrganization');

const proposal = record({
  id: id(ProposalId).required(),
  applicationUid: line(),
  submittedAt: instant,
  coverLetter: text().or(''),
  answers: list(record({ question: text(LIMITS.question).or(''), answer: text(LIMITS.answer).or('') })),
  jobTitle: line(LIMITS.title).from('jobDetails.title'),
  jobPostedAt: instant.from('jobDetails.postedAt'),
  freelancer: namedEntity,
  businessManager: namedEntity,
  profile,
  organization,
  connects: count,
  boost: count,
  terms: section({
    fixedPrice: number,
    hourlyRate: number,
    increasePercent: number,
    increaseFrequency: number,
  }),
  viewed: flag.from('isViewed').or(false),
  interviewed: flag.from('isInterviewed').or(false),
  hired: flag.from('isHired').or(false),
  withdrawn: flag.from('isWithdrawn').or(false),
  fromInvitation: flag.from('isInvitation').or(false),
  archived: flag.from('isArchived').or(false),
  occupationUid: line(),
  occupation: line().from('occupationTitle'),
  position: count.from('submissionPosition'),
  boostOutbid: flag.or(false),
  variant: line().from('coverLetterVariant'),
  template: namedEntity.from('biddingTemplate'),
});
export const Proposal = proposal.schema;
export type Proposal = z.infer<typeof Proposal>;
export type ProposalTexts = Pick<Proposal, 'coverLetter' | 'answers'>;
export type ProposalWithoutTexts = Omit<Proposal, keyof ProposalTexts>;
export const parseProposal = proposal.parse;

const invitation = record({
  /** The invitation's own, or its numeric id where that is missing. */
  uid: line().from('invitationUid', 'id').required(),
  title: line(LIMITS.title).or(''),
  jobPostingUid: line(),
  letter: text().from('invitationLetter').or(''),
  clientUid: line(),
  profile,
  organization,
  contractor: namedEntity,
  contractorUid: line(),
  invitedAt: instant,
  createdAt: instant,
  updatedAt: instant,
  status: line().from('statusLabel'),
});
export const Invitation = invitation.schema;
export type Invitation = z.infer<typeof Invitation>;
export const parseInvitation = invitation.parse;

const proposalTemplate = record({
  id: id(TemplateId).required(),
  name: exactText(LIMITS.title),
  visibility: line(),
  sender: section({ name: line(), type: line(), organization: line() }),
  hourlyRate: section({
    mode: line(),
    rate: number,
    smartRateMin: number.from('smart_rate_min'),
    smartRateMax: number.from('smart_rate_max'),
    smartRatePercent: number.from('smart_rate_percent'),
    rulesCount: count.from('rules_count'),
    increasePercent: number.from('increase_percent'),
    increaseFrequency: line().from('increase_frequency'),
  }).from('hourly_rate'),
  fixedPrice: section({
    type: line(),
    price: number,
    minPrice: number.from('min_price'),
    clientBudgetPercent: number.from('client_budget_percent'),
  }).from('fixed_price'),
  ai: section({
    model: line(),
    instructions: exactText(),
    clientQuestions: exactText().from('client_questions'),
    additionalContext: exactText().from('additional_context'),
    templateStructure: flag.from('template_structure'),
  }),
  filters: list(namedEntity),
  setups: list(namedEntity).from('auto_bidding_setups'),
  abTesting: flag.from('ab_testing'),
  answers: list(
    record({
      question: exactText(LIMITS.question).or(''),
      answer: exactText(LIMITS.answer).or(''),
      matchType: line().from('match_type').or('unknown'),
    }),
  ),
  attachments: list(record({ uid: line().required(), name: line() })),
  coverLetters: record({
    variantA: exactText(LIMITS.answer).from('variant_a'),
    variantB: exactText(LIMITS.answer).from('variant_b'),
  }).from('cover_letters'),
  createdAt: instant.from('created_at'),
  updatedAt: instant.from('updated_at'),
});
export const ProposalTemplate = proposalTemplate.schema;
export type ProposalTemplate = z.infer<typeof ProposalTemplate>;
export const parseProposalTemplate = proposalTemplate.parse;

/** The input of create. `undefined` keeps the server's default; `null` disables where the table allows it. */
export interface ProposalTemplateInput {
  readonly name: string;
  readonly sender: { readonly organizationId: OrganizationId; readonly contractorUid?: string };
  readonly hourlyRate: {
    readonly mode?: 'fixed' | 'smart';
    readonly rate: number;
    readonly smartRateMin?: number;
    readonly smartRateMax?: number;
    readonly smartRatePercent?: number;
    readonly increasePercent?: number | null;
    readonly increaseFrequency?: 'never' | 'every-3-months' | 'every-6-months' | 'every-12-months';
  };
  readonly fixedPrice?: {
    readonly type?: 'by-job-terms' | 'by-project';
    readonly price?: number | null;
    readonly minPrice?: number | null;
    readonly clientBudgetPercent?: number | null;
  };
  readonly ai: {
    readonly model?: string | null;
    readonly instructions: string;
    readonly clientQuestions?: string | null;
    readonly additionalContext?: string | null;
    readonly templateStructure?: boolean;
  };
  readonly abTesting?: boolean;
  readonly answers?: readonly {
    readonly question: string;
    readonly answer: string;
    readonly matchType: 'exact' | 'contains' | 'startsWith';
  }[];
  readonly coverLetters?: { readonly variantA?: string | null; readonly variantB?: string | null };
  readonly visibility?: 'shared_view' | 'shared_edit' | 'shared_admins';
}

/** The body of `POST /proposal-templates`: omits undefined and sends null. */
export function buildTemplateRequestBody(input: ProposalTemplateInput): unknown {
  const { name, sender, hourlyRate, fixedPrice, ai, abTesting, answers, coverLetters, visibility } = input;
  return {
    name,
    visibility,
    sender: { organization_id: sender.organizationId, contractor_uid: sender.contractorUid },
    hourly_rate: {
      mode: hourlyRate.mode,
      rate: hourlyRate.rate,
      smart_rate_min: hourlyRate.smartRateMin,
      smart_rate_max: hourlyRate.smartRateMax,
      smart_rate_percent: hourlyRate.smartRatePercent,
      increase_percent: hourlyRate.increasePercent,
      increase_frequency: hourlyRate.increaseFrequency,
    },
    fixed_price: fixedPrice && {
      type: fixedPrice.type,
      price: fixedPrice.price,
      min_price: fixedPrice.minPrice,
      client_budget_percent: fixedPrice.clientBudgetPercent,
    },
    ai: {
      model: ai.model,
      instructions: ai.instructions,
      client_questions: ai.clientQuestions,
      additional_context: ai.additionalContext,
      template_structure: ai.templateStructure,
    },
    ab_testing: abTesting,
    answers: answers?.map(({ question, answer, matchType }) => ({ question, answer, match_type: matchType })),
    cover_letters: coverLetters && { variant_a: coverLetters.variantA, variant_b: coverLetters.variantB },
  };
}
