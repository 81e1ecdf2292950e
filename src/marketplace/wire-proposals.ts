/** Proposals and invitations. Source: docs/marketplace-api.md, Proposal and Invitation. */
import { OrganizationId, ProfileId, ProposalId } from '../ids.ts';
import type { Invitation, Proposal } from './schema.ts';
import {
  count,
  fieldsOf,
  flag,
  id,
  instant,
  isObject,
  known,
  line,
  listed,
  MOST,
  number,
  text,
} from './wire-values.ts';

export function readProposal(value: unknown): Proposal | undefined {
  const fields = fieldsOf(value);
  const proposalId = id(ProposalId, fields['id']);
  if (proposalId === undefined) return undefined;
  const { applicationUid, submittedAt, coverLetter, answers, connects, boost, submissionPosition } = fields;
  const { occupationUid, occupationTitle, coverLetterVariant, boostOutbid } = fields;
  const { title, postedAt } = fieldsOf(fields['jobDetails']);
  return known({
    id: proposalId,
    applicationUid: line(applicationUid),
    submittedAt: instant(submittedAt),
    coverLetter: text(coverLetter) ?? '',
    answers: listed(answers, readAnswer),
    jobTitle: line(title, MOST.title),
    jobPostedAt: instant(postedAt),
    ...readParties(fields),
    connects: count(connects),
    boost: count(boost),
    terms: readTerms(fields['terms']),
    ...readOutcomes(fields),
    occupationUid: line(occupationUid),
    occupation: line(occupationTitle),
    position: count(submissionPosition),
    boostOutbid: flag(boostOutbid) ?? false,
    variant: line(coverLetterVariant),
    template: readNamed(fields['biddingTemplate']),
  });
}

/** Its uid is the invitation's own, or its numeric id where that is missing. */
export function readInvitation(value: unknown): Invitation | undefined {
  const fields = fieldsOf(value);
  const { invitationUid, title, jobPostingUid, invitationLetter, clientUid, contractorUid } = fields;
  const { invitedAt, createdAt, updatedAt, statusLabel } = fields;
  const uid = line(invitationUid) ?? line(fields['id']);
  if (uid === undefined) return undefined;
  const { profile, organization } = readPlaces(fields);
  return known({
    uid,
    title: line(title, MOST.title) ?? '',
    jobPostingUid: line(jobPostingUid),
    letter: text(invitationLetter) ?? '',
    clientUid: line(clientUid),
    profile,
    organization,
    contractor: readNamed(fields['contractor']),
    contractorUid: line(contractorUid),
    invitedAt: instant(invitedAt),
    createdAt: instant(createdAt),
    updatedAt: instant(updatedAt),
    status: line(statusLabel),
  });
}

function readAnswer(value: unknown): { question: string; answer: string } | undefined {
  if (!isObject(value)) return undefined;
  const { question, answer } = value;
  return { question: text(question, MOST.question) ?? '', answer: text(answer, MOST.answer) ?? '' };
}

/** Something with an id and, under one of two names, a name. */
export function readNamed(value: unknown): { id: number; name?: string } | undefined {
  const fields = fieldsOf(value);
  const given = count(fields['id']);
  if (given === undefined) return undefined;
  return known({ id: given, name: line(fields['name']) ?? line(fields['fullName']) });
}

function readParties(fields: Readonly<Record<string, unknown>>) {
  const { freelancer, businessManager } = fields;
  return {
    freelancer: readNamed(freelancer),
    businessManager: readNamed(businessManager),
    ...readPlaces(fields),
  };
}

function readPlaces({ marketplaceProfile, marketplaceOrganization }: Readonly<Record<string, unknown>>) {
  const profileId = id(ProfileId, fieldsOf(marketplaceProfile)['id']);
  const organizationId = id(OrganizationId, fieldsOf(marketplaceOrganization)['id']);
  return {
    profile: profileId === undefined ? undefined : { id: profileId, ...readLabel(marketplaceProfile) },
    organization:
      organizationId === undefined
        ? undefined
        : { id: organizationId, ...readLabel(marketplaceOrganization) },
  };
}

function readLabel(value: unknown) {
  const { label, type } = fieldsOf(value);
  return known({ label: line(label), type: line(type) });
}

function readTerms(value: unknown): Proposal['terms'] {
  const { fixedPrice, hourlyRate, increasePercent, increaseFrequency } = fieldsOf(value);
  return known({
    fixedPrice: number(fixedPrice),
    hourlyRate: number(hourlyRate),
    increasePercent: number(increasePercent),
    increaseFrequency: number(increaseFrequency),
  });
}

function readOutcomes(fields: Readonly<Record<string, unknown>>) {
  const { isViewed, isInterviewed, isHired, isWithdrawn, isInvitation, isArchived } = fields;
  return {
    viewed: flag(isViewed) ?? false,
    interviewed: flag(isInterviewed) ?? false,
    hired: flag(isHired) ?? false,
    withdrawn: flag(isWithdrawn) ?? false,
    fromInvitation: flag(isInvitation) ?? false,
    archived: flag(isArchived) ?? false,
  };
}
