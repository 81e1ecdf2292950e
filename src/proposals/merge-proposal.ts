/**
 * Merges a proposal that was read again: facts that never change after sending survive when they are missing.
 * Pure.
 */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { Proposal } from '../marketplace/schema.ts';

/** Everything else may disappear for good: a position, a boost, an outcome. */
function lastingFacts(proposal: Proposal) {
  const { applicationUid, submittedAt, jobTitle, jobPostedAt, profile, organization } = proposal;
  const { freelancer, businessManager, occupationUid, occupation, variant, template } = proposal;
  return omitUndefined({
    applicationUid,
    submittedAt,
    jobTitle,
    jobPostedAt,
    profile,
    organization,
    freelancer,
    businessManager,
    occupationUid,
    occupation,
    variant,
    template,
  });
}

export function mergeProposal(before: Proposal, now: Proposal): Proposal {
  return {
    ...lastingFacts(before),
    ...now,
    coverLetter: now.coverLetter || before.coverLetter,
    answers: now.answers.length > 0 ? now.answers : before.answers,
  };
}
