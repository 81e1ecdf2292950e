/** Parses proposals and invitations. Source: docs/marketplace-api.md, Proposal and Invitation. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { OrganizationId, ProfileId, ProposalId } from '../ids.ts';
import type { Invitation, Proposal } from './schema.ts';
import {
  isObject,
  parseBoolean,
  parseCount,
  parseFiniteNumber,
  parseId,
  parseInstant,
  parseListOrEmpty,
  parseMultilineText,
  parseSingleLine,
  toUnknownFields,
  WIRE_TEXT_LENGTH_LIMITS,
} from './wire-values.ts';

export function parseProposal(value: unknown): Proposal | undefined {
  const fields = toUnknownFields(value);
  const proposalId = parseId(ProposalId, fields['id']);
  if (proposalId === undefined) return undefined;
  const { applicationUid, submittedAt, coverLetter, answers, connects, boost, submissionPosition } = fields;
  const { occupationUid, occupationTitle, coverLetterVariant, boostOutbid } = fields;
  const { title, postedAt } = toUnknownFields(fields['jobDetails']);
  return omitUndefined({
    id: proposalId,
    applicationUid: parseSingleLine(applicationUid),
    submittedAt: parseInstant(submittedAt),
    coverLetter: parseMultilineText(coverLetter) ?? '',
    answers: parseListOrEmpty(answers, readAnswer),
    jobTitle: parseSingleLine(title, WIRE_TEXT_LENGTH_LIMITS.title),
    jobPostedAt: parseInstant(postedAt),
    ...readParties(fields),
    connects: parseCount(connects),
    boost: parseCount(boost),
    terms: readTerms(fields['terms']),
    ...readOutcomes(fields),
    occupationUid: parseSingleLine(occupationUid),
    occupation: parseSingleLine(occupationTitle),
    position: parseCount(submissionPosition),
    boostOutbid: parseBoolean(boostOutbid) ?? false,
    variant: parseSingleLine(coverLetterVariant),
    template: parseNamedEntity(fields['biddingTemplate']),
  });
}

/** The uid is the invitation's own, or its numeric id where that is missing. */
export function parseInvitation(value: unknown): Invitation | undefined {
  const fields = toUnknownFields(value);
  const { invitationUid, title, jobPostingUid, invitationLetter, clientUid, contractorUid } = fields;
  const { invitedAt, createdAt, updatedAt, statusLabel } = fields;
  const uid = parseSingleLine(invitationUid) ?? parseSingleLine(fields['id']);
  if (uid === undefined) return undefined;
  const { profile, organization } = readPlaces(fields);
  return omitUndefined({
    uid,
    title: parseSingleLine(title, WIRE_TEXT_LENGTH_LIMITS.title) ?? '',
    jobPostingUid: parseSingleLine(jobPostingUid),
    letter: parseMultilineText(invitationLetter) ?? '',
    clientUid: parseSingleLine(clientUid),
    profile,
    organization,
    contractor: parseNamedEntity(fields['contractor']),
    contractorUid: parseSingleLine(contractorUid),
    invitedAt: parseInstant(invitedAt),
    createdAt: parseInstant(createdAt),
    updatedAt: parseInstant(updatedAt),
    status: parseSingleLine(statusLabel),
  });
}

function readAnswer(value: unknown): { question: string; answer: string } | undefined {
  if (!isObject(value)) return undefined;
  const { question, answer } = value;
  return {
    question: parseMultilineText(question, WIRE_TEXT_LENGTH_LIMITS.question) ?? '',
    answer: parseMultilineText(answer, WIRE_TEXT_LENGTH_LIMITS.answer) ?? '',
  };
}

/** Parses an object with an id and a name under one of two keys. */
export function parseNamedEntity(value: unknown): { id: number; name?: string } | undefined {
  const fields = toUnknownFields(value);
  const given = parseCount(fields['id']);
  if (given === undefined) return undefined;
  return omitUndefined({
    id: given,
    name: parseSingleLine(fields['name']) ?? parseSingleLine(fields['fullName']),
  });
}

function readParties(fields: Readonly<Record<string, unknown>>) {
  const { freelancer, businessManager } = fields;
  return {
    freelancer: parseNamedEntity(freelancer),
    businessManager: parseNamedEntity(businessManager),
    ...readPlaces(fields),
  };
}

function readPlaces({ marketplaceProfile, marketplaceOrganization }: Readonly<Record<string, unknown>>) {
  const profileId = parseId(ProfileId, toUnknownFields(marketplaceProfile)['id']);
  const organizationId = parseId(OrganizationId, toUnknownFields(marketplaceOrganization)['id']);
  return {
    profile: profileId === undefined ? undefined : { id: profileId, ...readLabel(marketplaceProfile) },
    organization:
      organizationId === undefined
        ? undefined
        : { id: organizationId, ...readLabel(marketplaceOrganization) },
  };
}

function readLabel(value: unknown) {
  const { label, type } = toUnknownFields(value);
  return omitUndefined({ label: parseSingleLine(label), type: parseSingleLine(type) });
}

function readTerms(value: unknown): Proposal['terms'] {
  const { fixedPrice, hourlyRate, increasePercent, increaseFrequency } = toUnknownFields(value);
  return omitUndefined({
    fixedPrice: parseFiniteNumber(fixedPrice),
    hourlyRate: parseFiniteNumber(hourlyRate),
    increasePercent: parseFiniteNumber(increasePercent),
    increaseFrequency: parseFiniteNumber(increaseFrequency),
  });
}

function readOutcomes(fields: Readonly<Record<string, unknown>>) {
  const { isViewed, isInterviewed, isHired, isWithdrawn, isInvitation, isArchived } = fields;
  return {
    viewed: parseBoolean(isViewed) ?? false,
    interviewed: parseBoolean(isInterviewed) ?? false,
    hired: parseBoolean(isHired) ?? false,
    withdrawn: parseBoolean(isWithdrawn) ?? false,
    fromInvitation: parseBoolean(isInvitation) ?? false,
    archived: parseBoolean(isArchived) ?? false,
  };
}
