/** A project as lists and the lookup return it; the two differ. Source: docs/marketplace-api.md, Project. */
import { type Instant, MINUTE, SECOND } from '../../clock.ts';
import { redirectUrlProjectId } from './make-project.ts';
import { type MarketplaceState, verdictKey } from './marketplace-state.ts';
import type { SimulatedBudget, SimulatedClient, SimulatedProject } from './records.ts';

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const shortDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});

export function toIso(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** Seconds since 1970; milliseconds in the mode `milliseconds`. */
export function instantToApiTimestamp(world: MarketplaceState, instant: Instant): number {
  return world.modes.milliseconds ? instant : Math.floor(instant / SECOND);
}

function labelled(budget: SimulatedBudget) {
  return budget.type === 'fixed'
    ? { type: 'Fixed-price', amount: budget.label ?? dollars.format(budget.fixedAmount) }
    : {
        type: 'Hourly',
        amount: budget.label ?? `${dollars.format(budget.hourlyMin)} - ${dollars.format(budget.hourlyMax)}`,
      };
}

/** The usual URL, or a redirect with its own number (`pid`) that differs between filters. */
function urlOf(world: MarketplaceState, project: SimulatedProject, source: string): string {
  if (!world.modes.redirectUrls) return project.url;
  return `https://www.marketplace.example/redirect?pid=${redirectUrlProjectId(project)}&source=${source}`;
}

function qualificationOf(world: MarketplaceState, filterId: number, projectId: number) {
  const verdict = world.verdicts.get(verdictKey(filterId, projectId));
  if (!verdict || !world.filters.get(filterId)?.qualifier) return null;
  const { decision, reason } = verdict;
  const processedAt = verdict.processedAt === null ? null : toIso(verdict.processedAt);
  if (!world.modes.verdictFlags) return { decision, reason, processedAt };
  const status = decision === null ? 'queued' : 'processed';
  return { status, isQualified: decision === 'qualified', reason, processedAt };
}

/** For `GET /filters/{id}/projects` and `GET /results/{id}/projects`; the verdict is the filter's. */
export function listedProjectJson(world: MarketplaceState, project: SimulatedProject, filterId: number) {
  const { client } = project;
  return {
    title: project.title,
    description: project.description,
    skills: world.modes.skillsAsArray ? project.skills : project.skills.join(', '),
    url: urlOf(world, project, `filter-${filterId}`),
    publishedAt: project.shownDate ?? toIso(project.publishedAt),
    clientQuestions: project.clientQuestions,
    categories: project.categories,
    site: project.site,
    budget: labelled(project.budget),
    clientDetails: {
      paymentMethodVerified: client.paymentMethodVerified,
      country: client.country,
      totalSpent: client.totalSpent,
      totalHires: client.totalHires,
      hireRate: client.hireRate,
      rating: client.rating,
      reviews: client.reviews,
    },
    qualification: qualificationOf(world, filterId, project.id),
  };
}

/** `HH:MM` in the client's time zone. */
function timeAtClient(now: Instant, client: SimulatedClient): string {
  return toIso(now + client.utcOffsetMinutes * MINUTE).slice(11, 16);
}

function clientInFull(world: MarketplaceState, project: SimulatedProject) {
  const { utcOffsetMinutes: _offset, timezone, registeredAt, totalSpent, ...client } = project.client;
  return {
    ...client,
    totalSpent: shortDollars.format(totalSpent),
    countryTimezone: timezone,
    countryTimezoneTime: timeAtClient(world.clock.now(), project.client),
    registeredAt: toIso(registeredAt),
    workHistory: project.workHistory,
  };
}

/** For `GET /projects/lookup`. */
export function lookedUpProjectJson(world: MarketplaceState, project: SimulatedProject) {
  const { budget, client } = project;
  const { label: _, ...budgetRaw } = budget;
  return {
    title: project.title,
    description: project.description,
    skills: project.skills,
    url: urlOf(world, project, 'lookup'),
    publishedAt: project.shownDate ?? toIso(project.publishedAt),
    publishedTimestamp: instantToApiTimestamp(world, project.publishedAt),
    usOnly: project.usOnly,
    ukOnly: project.ukOnly,
    durationLabel: project.durationLabel,
    engagementLabel: project.engagementLabel,
    experienceLevel: project.experienceLevel,
    jobType: labelled(budget).type,
    jobAttachmentsCount: project.jobAttachmentsCount,
    connectsPrice: project.connectsPrice,
    isFeatured: project.isFeatured,
    isMarketplaceEnterpriseClient: project.isMarketplaceEnterpriseClient,
    preferredQualifications: project.preferredQualifications,
    clientQuestions: project.clientQuestions,
    categories: project.categories,
    site: project.site,
    budget: labelled(budget),
    budgetRaw,
    clientHireRate: client.hireRate,
    clientDetails: clientInFull(world, project),
    clientWorkHistory: project.workHistory,
  };
}
