/** Makes up proposals, invitations, setups, templates and jobs; values from the seed take precedence. */
import { DAY, HOUR, type Instant, MINUTE, type RandomSource } from '../../clock.ts';
import {
  COVER_LETTERS,
  INVITATION_LETTERS,
  INVITATION_STATUSES,
  SCREENING_ANSWERS,
  SCREENING_QUESTIONS,
} from './content/letters.ts';
import { FIRST_NAMES, LAST_NAMES, PROPOSAL_OCCUPATION_TITLES } from './content/people.ts';
import { PROJECT_THEMES } from './content/project-themes.ts';
import { makeProjectUid } from './make-project.ts';
import {
  pickRandom,
  pickRandomSubset,
  randomBoolean,
  randomInteger,
  randomLogUniformAmount,
} from './random-draws.ts';
import type {
  SimulatedInvitation,
  SimulatedJob,
  SimulatedPerson,
  SimulatedProject,
  SimulatedProposal,
  SimulatedSetup,
  SimulatedTemplate,
} from './records.ts';

function madePerson(random: RandomSource): SimulatedPerson {
  return {
    id: randomInteger(random, 1_000, 9_999),
    fullName: `${pickRandom(random, FIRST_NAMES)} ${pickRandom(random, LAST_NAMES)}`,
  };
}

/** A proposal, with realistic rates of views, interviews and hires. */
export function makeProposal(
  random: RandomSource,
  id: number,
  now: Instant,
  seed: Partial<SimulatedProposal> & { readonly profileId: number },
): SimulatedProposal {
  const submittedAt = seed.submittedAt ?? now - randomInteger(random, 0, 60 * 24) * MINUTE;
  const isViewed = randomBoolean(random, 0.45);
  const isInterviewed = isViewed && randomBoolean(random, 0.35);
  const boost = randomBoolean(random, 0.3) ? randomInteger(random, 5, 60) : 0;
  const fixed = randomBoolean(random, 0.5);
  return {
    applicationUid: makeProjectUid(900_000_000 + id),
    coverLetter: pickRandom(random, COVER_LETTERS),
    answers: pickRandomSubset(random, SCREENING_QUESTIONS, randomInteger(random, 0, 3)).map((question) => ({
      question,
      answer: pickRandom(random, SCREENING_ANSWERS),
    })),
    jobTitle: pickRandom(random, pickRandom(random, PROJECT_THEMES).titles),
    jobPostedAt: submittedAt - randomInteger(random, 3, 600) * MINUTE,
    freelancer: madePerson(random),
    businessManager: madePerson(random),
    organizationId: seed.profileId,
    connects: randomInteger(random, 4, 24) + boost,
    boost,
    terms: {
      fixedPrice: fixed ? randomLogUniformAmount(random, 50, 9_000, 50) : 0,
      hourlyRate: fixed ? 0 : randomLogUniformAmount(random, 15, 120, 5),
      increasePercent: 0,
      increaseFrequency: 0,
    },
    isViewed,
    isInterviewed,
    isHired: isInterviewed && randomBoolean(random, 0.3),
    isWithdrawn: !isViewed && randomBoolean(random, 0.03),
    isInvitation: randomBoolean(random, 0.1),
    isArchived: randomBoolean(random, 0.1),
    occupationUid: makeProjectUid(800_000_000 + id),
    occupationTitle: pickRandom(random, PROPOSAL_OCCUPATION_TITLES),
    submissionPosition: randomInteger(random, 1, 50),
    boostOutbid: boost > 0 && randomBoolean(random, 0.4),
    coverLetterVariant: pickRandom(random, ['A', 'B']),
    biddingTemplate: { id: 1, name: 'Standard letter' },
    ...seed,
    submittedAt,
    id,
  };
}

export function makeInvitation(
  random: RandomSource,
  id: number,
  now: Instant,
  seed: Partial<SimulatedInvitation> & { readonly profileId: number },
): SimulatedInvitation {
  const invitedAt = seed.invitedAt ?? now;
  return {
    organizationId: seed.profileId,
    invitationUid: makeProjectUid(700_000_000 + id),
    title: pickRandom(random, pickRandom(random, PROJECT_THEMES).titles),
    jobPostingUid: makeProjectUid(600_000_000 + id),
    invitationLetter: pickRandom(random, INVITATION_LETTERS),
    clientUid: makeProjectUid(500_000_000 + id),
    contractor: madePerson(random),
    contractorUid: makeProjectUid(400_000_000 + id),
    createdAt: invitedAt,
    updatedAt: invitedAt,
    statusLabel: INVITATION_STATUSES[0],
    ...seed,
    invitedAt,
    id,
  };
}

/** An active setup with a daily limit of 20 that bids after ten minutes, without review. */
export function makeSetup(id: number, now: Instant, seed: Partial<SimulatedSetup> = {}): SimulatedSetup {
  return {
    name: `Setup ${id}`,
    status: 'active',
    filter: { id: 1, name: 'Filter 1' },
    biddingTemplate: { id: 1, name: 'Standard letter' },
    schedule: '* 8-20 * * 1-5',
    scheduleLabel: 'Weekdays, 8 AM to 8 PM',
    timezone: 'Europe/Berlin',
    biddingDelayMinutes: 10,
    dailyProposalsLimit: 20,
    totalProposalsSent: 0,
    proposalsSentToday: 0,
    businessManagerId: '5001',
    subscriptionId: 77,
    createdAt: now - 30 * DAY,
    updatedAt: now - DAY,
    reviewsJobs: false,
    ...seed,
    id,
  };
}

export function makeTemplate(
  id: number,
  now: Instant,
  seed: Partial<SimulatedTemplate> = {},
): SimulatedTemplate {
  const madeAt = new Date(now - DAY).toISOString();
  return {
    name: `Template ${id}`,
    visibility: 'shared_admins',
    sender: { name: null, type: 'manual', organization: null },
    hourly_rate: {
      mode: 'fixed',
      rate: 40,
      smart_rate_min: null,
      smart_rate_max: null,
      smart_rate_percent: null,
      rules_count: 0,
      increase_percent: null,
      increase_frequency: 'never',
    },
    fixed_price: { type: 'by-job-terms', price: null, min_price: null, client_budget_percent: 100 },
    ai: {
      model: null,
      instructions: 'Write four sentences and end with a question.',
      client_questions: null,
      additional_context: null,
      template_structure: true,
    },
    filters: [],
    auto_bidding_setups: [],
    ab_testing: false,
    answers: [],
    attachments: [],
    cover_letters: { variant_a: COVER_LETTERS[0], variant_b: null },
    created_at: madeAt,
    updated_at: madeAt,
    ...seed,
    id,
  };
}

/** A job for a project, scheduled in an hour. */
export function makeJob(
  id: number,
  now: Instant,
  project: SimulatedProject,
  seed: Partial<SimulatedJob> = {},
): SimulatedJob {
  return {
    setupId: 1,
    projectId: project.id,
    marketplaceJobId: project.ciphertext,
    status: 'scheduled',
    createdAt: now,
    scheduledAt: now + HOUR,
    coverLetter: COVER_LETTERS[0],
    answers: [],
    wasAiDisqualified: false,
    qualificationDecision: '',
    qualificationReason: '',
    approvedBy: '',
    reason: '',
    errorMessage: '',
    retryCount: 0,
    applicationUid: '',
    ...seed,
    id,
  };
}
