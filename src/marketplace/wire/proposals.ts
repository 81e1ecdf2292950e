/** Proposals and invitations. Source: docs/marketplace-api.md, Proposal and Invitation. Pure. */
import type { z } from 'zod';
import { OrganizationId, ProfileId, ProposalId } from '../../ids.ts';
import { count, flag, id, instant, line, list, number, record, section, text } from './shape.ts';
import { WIRE_TEXT_LENGTH_LIMITS as LIMITS } from './values.ts';

/** Something with an id, and a name under one of two keys. */
export const namedEntity = record({ id: count.required(), name: line().from('name', 'fullName') });

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
