/** The sandbox's agency: who can send proposals, what they have sent in the last months, who has invited them. */
import { type Clock, DAY, HOUR, MINUTE, type Random } from '../clock.ts';
import { between, chance, pick } from './marketplace/chance.ts';
import type { OrganizationRecord, Person, ProposalRecord } from './marketplace/records.ts';
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';

const MARA: Person = { id: 5_001, fullName: 'Mara Lind' };
const JONAS: Person = { id: 5_002, fullName: 'Jonas Weiss' };
const KEIKO: Person = { id: 5_003, fullName: 'Keiko Tanaka' };

/** Senders of templates: an agency with two contractors, and a freelancer. */
export const SENDERS = [
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
] as const satisfies readonly OrganizationRecord[];

/** Whose proposals and invitations can be followed. */
export const PROFILES = [
  { id: 301, label: 'Northwind Agency', type: 'agency', sends: 401, people: [MARA, JONAS], proposals: 90 },
  { id: 302, label: 'Keiko Tanaka', type: 'freelancer', sends: 402, people: [KEIKO], proposals: 30 },
] as const;

export const LETTERS = [
  { id: 1, name: 'Standard letter' },
  { id: 2, name: 'Short pitch' },
] as const;

const MONTHS = 4;

/** What has become of a proposal by now: older ones have come farther, and a boost is looked at more often. */
export function fateOf(
  random: Random,
  ageMs: number,
  boost: number,
): Pick<ProposalRecord, 'isViewed' | 'isInterviewed' | 'isHired' | 'isWithdrawn' | 'boostOutbid'> {
  const ripe = Math.min(1, ageMs / (5 * DAY));
  const isViewed = chance(random, ripe * (boost > 0 ? 0.6 : 0.4));
  const isInterviewed = isViewed && chance(random, ripe * 0.4);
  const isHired = isInterviewed && chance(random, ripe * 0.35);
  return {
    isViewed,
    isInterviewed,
    isHired,
    isWithdrawn: !isViewed && chance(random, 0.03),
    boostOutbid: boost > 0 && !isViewed && chance(random, 0.4),
  };
}

function addProposals(marketplace: SimulatedMarketplace, clock: Clock, random: Random): void {
  for (const { id: profileId, sends: organizationId, people, proposals } of PROFILES) {
    const apartMs = (MONTHS * 30 * DAY) / proposals;
    for (let n = 0; n < proposals; n++) {
      const ageMs = (n + random()) * apartMs;
      const boost = chance(random, 0.3) ? between(random, 5, 40) : 0;
      marketplace.addProposal({
        profileId,
        organizationId,
        submittedAt: clock.now() - ageMs,
        freelancer: pick(random, people),
        businessManager: MARA,
        boost,
        connects: between(random, 4, 20) + boost,
        biddingTemplate: pick(random, LETTERS),
        isArchived: ageMs > 90 * DAY,
        ...fateOf(random, ageMs, boost),
      });
    }
  }
}

/** An invitation to a project that is there, so that it can be looked up and bid on; to any profile when none is named. */
export function invite(
  marketplace: SimulatedMarketplace,
  random: Random,
  invitedAt: number,
  profile: (typeof PROFILES)[number] = pick(random, PROFILES),
): void {
  const { id: profileId, sends: organizationId, people } = profile;
  const project = pick(random, marketplace.projects());
  marketplace.addInvitation({
    profileId,
    organizationId,
    contractor: pick(random, people),
    title: project.title,
    jobPostingUid: project.uid,
    invitedAt,
  });
}

/** Needs projects that invitations can be to. */
export function seedAgency(marketplace: SimulatedMarketplace, clock: Clock, random: Random): void {
  for (const sender of SENDERS) marketplace.addOrganization(sender);
  for (const { id, label, type } of PROFILES) marketplace.addProfile({ id, label, type });
  // So that people are found by their names, as in a dashboard.
  marketplace.setModes({ lists: 'data' });
  const [agency] = PROFILES;
  for (const letter of LETTERS)
    marketplace.addTemplate({
      ...letter,
      sender: { name: MARA.fullName, type: 'agency', organization: agency.label },
    });
  addProposals(marketplace, clock, random);
  for (const minutesAgo of [20 * MINUTE, 5 * HOUR, 3 * DAY])
    invite(marketplace, random, clock.now() - minutesAgo);
}
