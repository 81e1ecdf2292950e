/** The sandbox's agency: its senders, its proposals of the last months, and its invitations. */
import { type Clock, DAY, HOUR, MINUTE, type RandomSource } from '../clock.ts';
import { DESIGN_BRIEFS } from './lifelike/briefs/design-briefs.ts';
import { createPostingDeck, DEVELOPMENT_BRIEFS } from './lifelike/lifelike-projects.ts';
import { makeLifelikeProposal } from './lifelike/lifelike-proposal.ts';
import { writeInvitation } from './lifelike/lifelike-texts.ts';
import { pickRandom, randomBoolean, randomInteger } from './marketplace/random-draws.ts';
import type { SimulatedOrganization, SimulatedPerson, SimulatedProposal } from './marketplace/records.ts';
import type { ProjectWithFilterIds, SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';

const MARA: SimulatedPerson = { id: 5_001, fullName: 'Mara Lind' };
const JONAS: SimulatedPerson = { id: 5_002, fullName: 'Jonas Weiss' };
const KEIKO: SimulatedPerson = { id: 5_003, fullName: 'Keiko Tanaka' };

/** Template senders: an agency with two contractors, and a freelancer. */
const SANDBOX_SENDERS = [
  {
    id: 401,
    label: 'Northwind Agency',
    type: 'agency',
    contractors: [
      { uid: 'mara-lind', name: MARA.fullName },
      { uid: 'jonas-weiss', name: JONAS.fullName },
    ],
  },
  { id: 402, label: 'Keiko Tanaka', type: 'freelancer', contractors: [] },
] as const satisfies readonly SimulatedOrganization[];

/** Profiles whose proposals and invitations channels can follow: developers, and a designer. */
export const SANDBOX_PROFILES = [
  {
    id: 301,
    label: 'Northwind Agency',
    type: 'agency',
    sends: 401,
    people: [MARA, JONAS],
    proposals: 90,
    briefs: DEVELOPMENT_BRIEFS,
  },
  {
    id: 302,
    label: 'Keiko Tanaka',
    type: 'freelancer',
    sends: 402,
    people: [KEIKO],
    proposals: 30,
    briefs: DESIGN_BRIEFS,
  },
] as const;

export const SANDBOX_TEMPLATES = [
  {
    id: 1,
    name: 'Standard letter',
    letter:
      'Hello!\n\nI read your description twice and have two questions before I quote. My team of two has ' +
      'finished 40 projects here. You would have one point of contact, a plan by Friday, and something to ' +
      'try every week.\n\nCould we talk for 15 minutes?',
    rate: 65,
  },
  {
    id: 2,
    name: 'Short pitch',
    letter: 'Hi! I have done this before and can show you how. When could we talk?',
    rate: 55,
  },
] as const;

const TEMPLATE_NAMES = SANDBOX_TEMPLATES.map(({ id, name }) => ({ id, name }));

const FIXED_RATE = {
  mode: 'fixed',
  smart_rate_min: null,
  smart_rate_max: null,
  smart_rate_percent: null,
  rules_count: 0,
  increase_percent: null,
  increase_frequency: 'never',
} as const;

const MONTHS = 4;
/** Clients invite to their newer projects. */
const INVITED_FROM = 40;

/** A proposal's progress: older ones are further along, and boosted ones get more views. */
export function randomProposalProgress(
  random: RandomSource,
  ageMs: number,
  boost: number,
): Pick<SimulatedProposal, 'isViewed' | 'isInterviewed' | 'isHired' | 'isWithdrawn' | 'boostOutbid'> {
  const ripe = Math.min(1, ageMs / (5 * DAY));
  const isViewed = randomBoolean(random, ripe * (boost > 0 ? 0.6 : 0.4));
  const isInterviewed = isViewed && randomBoolean(random, ripe * 0.4);
  const isHired = isInterviewed && randomBoolean(random, ripe * 0.35);
  return {
    isViewed,
    isInterviewed,
    isHired,
    isWithdrawn: !isViewed && randomBoolean(random, 0.03),
    boostOutbid: boost > 0 && !isViewed && randomBoolean(random, 0.4),
  };
}

function addProposals(marketplace: SimulatedMarketplace, clock: Clock, random: RandomSource): void {
  for (const { id: profileId, sends: organizationId, people, proposals, briefs } of SANDBOX_PROFILES) {
    const draw = createPostingDeck(random, briefs);
    const apartMs = (MONTHS * 30 * DAY) / proposals;
    for (let n = 0; n < proposals; n++) {
      const ageMs = (n + random()) * apartMs;
      const boost = randomBoolean(random, 0.3) ? randomInteger(random, 5, 40) : 0;
      marketplace.addProposal({
        profileId,
        organizationId,
        submittedAt: clock.now() - ageMs,
        freelancer: pickRandom(random, people),
        businessManager: MARA,
        boost,
        connects: randomInteger(random, 4, 20) + boost,
        biddingTemplate: pickRandom(random, TEMPLATE_NAMES),
        isArchived: ageMs > 90 * DAY,
        ...makeLifelikeProposal(random, draw()),
        ...randomProposalProgress(random, ageMs, boost),
      });
    }
  }
}

/** Newer projects that fit the profile; any project when none does. */
function projectsFor(
  marketplace: SimulatedMarketplace,
  { briefs }: Pick<(typeof SANDBOX_PROFILES)[number], 'briefs'>,
): readonly ProjectWithFilterIds[] {
  const categories = new Set<string>(briefs.flatMap((brief) => brief.categories));
  const recent = marketplace.projects().slice(-INVITED_FROM);
  const fitting = recent.filter((project) => project.categories.some((category) => categories.has(category)));
  return fitting.length > 0 ? fitting : recent;
}

/** Adds an invitation to an existing project, so that lookups and bids work. To any profile by default. */
export function addRandomInvitation(
  marketplace: SimulatedMarketplace,
  random: RandomSource,
  invitedAt: number,
  profile: (typeof SANDBOX_PROFILES)[number] = pickRandom(random, SANDBOX_PROFILES),
): void {
  const { id: profileId, sends: organizationId, people } = profile;
  const project = pickRandom(random, projectsFor(marketplace, profile));
  marketplace.addInvitation({
    profileId,
    organizationId,
    contractor: pickRandom(random, people),
    title: project.title,
    jobPostingUid: project.uid,
    invitationLetter: writeInvitation(random),
    invitedAt,
  });
}

/** Requires existing projects for the invitations. */
export function seedAgency(marketplace: SimulatedMarketplace, clock: Clock, random: RandomSource): void {
  for (const sender of SANDBOX_SENDERS) marketplace.addOrganization(sender);
  for (const { id, label, type } of SANDBOX_PROFILES) marketplace.addProfile({ id, label, type });
  // Enables the lists: people can find profiles and senders by name, as in a dashboard.
  marketplace.setModes({ lists: 'data' });
  const [agency] = SANDBOX_PROFILES;
  for (const { id, name, letter, rate } of SANDBOX_TEMPLATES)
    marketplace.addTemplate({
      id,
      name,
      cover_letters: { variant_a: letter, variant_b: null },
      hourly_rate: { ...FIXED_RATE, rate },
      sender: { name: MARA.fullName, type: 'agency', organization: agency.label },
    });
  addProposals(marketplace, clock, random);
  for (const minutesAgo of [20 * MINUTE, 5 * HOUR, 3 * DAY])
    addRandomInvitation(marketplace, random, clock.now() - minutesAgo);
}
