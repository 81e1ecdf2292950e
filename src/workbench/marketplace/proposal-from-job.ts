/** The proposal that a job becomes: the project's questions and price, and the bid's texts. */

import { SCREENING_ANSWERS } from './content/letters.ts';
import { coverLetterForJob } from './job-views.ts';
import type { MarketplaceState } from './marketplace-state.ts';
import { pickRandom } from './random-draws.ts';
import type {
  SimulatedJob,
  SimulatedPerson,
  SimulatedProject,
  SimulatedProposal,
  SimulatedTemplate,
} from './records.ts';

type Terms = SimulatedProposal['terms'];

/** The job's terms, else the template's, else the project's. */
function termsOf(
  { bidAmount }: SimulatedJob,
  { budget }: SimulatedProject,
  template?: SimulatedTemplate,
): Terms {
  const none = { fixedPrice: 0, hourlyRate: 0, increasePercent: 0, increaseFrequency: 0 };
  if (budget.type === 'hourly')
    return { ...none, hourlyRate: bidAmount ?? template?.hourly_rate.rate ?? budget.hourlyMax };
  const { price, min_price, client_budget_percent } = template?.fixed_price ?? {};
  const share = Math.round((budget.fixedAmount * (client_budget_percent ?? 100)) / 100);
  return { ...none, fixedPrice: bidAmount ?? price ?? Math.max(share, min_price ?? 0) };
}

/** The service answers questions that the bid left empty. */
function answersOf(world: MarketplaceState, job: SimulatedJob, { clientQuestions }: SimulatedProject) {
  const given = new Map(job.answers.map(({ question, answer }) => [question, answer]));
  return clientQuestions.map((question) => ({
    question,
    answer: given.get(question) || pickRandom(world.random, SCREENING_ANSWERS),
  }));
}

function findPerson(
  world: MarketplaceState,
  isMeant: (person: SimulatedPerson) => boolean,
): SimulatedPerson | undefined {
  return world.proposals
    .all()
    .flatMap(({ freelancer, businessManager }) => [freelancer, businessManager])
    .find(isMeant);
}

/** The template's sender, as far as it is known. */
function senderOf(
  world: MarketplaceState,
  template: SimulatedTemplate | undefined,
  managerId: string | undefined,
) {
  const { name, organization: label } = template?.sender ?? {};
  const organization = world.organizations.all().find((each) => each.label === label);
  const profile = world.profiles.all().find((each) => each.label === label);
  const freelancer = findPerson(world, ({ fullName }) => fullName === name);
  const businessManager = findPerson(world, ({ id }) => String(id) === managerId);
  return {
    ...(profile ? { profileId: profile.id } : {}),
    ...(organization ? { organizationId: organization.id } : {}),
    ...(freelancer ? { freelancer } : {}),
    ...(businessManager ? { businessManager } : {}),
  };
}

/** Every field that the job decides, with no outcome yet; the rest is made up. */
export function proposalFieldsFromJob(
  world: MarketplaceState,
  job: SimulatedJob,
): Partial<SimulatedProposal> {
  const project = world.projects.getOrThrow(job.projectId);
  const setup = world.setups.get(job.setupId);
  const template = world.templates.get(setup?.biddingTemplate.id ?? 0);
  const boost = job.boostBidAmount ?? 0;
  const coverLetter = coverLetterForJob(world, job);
  const occupation = project.categories.at(-1);
  return {
    ...senderOf(world, template, setup?.businessManagerId),
    submittedAt: world.clock.now(),
    jobTitle: project.title,
    jobPostedAt: project.publishedAt,
    terms: termsOf(job, project, template),
    connects: project.connectsPrice + boost,
    boost,
    answers: answersOf(world, job, project),
    ...(coverLetter === '' ? {} : { coverLetter, coverLetterVariant: 'A' }),
    ...(setup ? { biddingTemplate: setup.biddingTemplate } : {}),
    ...(occupation === undefined ? {} : { occupationTitle: occupation }),
    isViewed: false,
    isInterviewed: false,
    isHired: false,
    isWithdrawn: false,
    isInvitation: false,
    isArchived: false,
    boostOutbid: false,
  };
}
