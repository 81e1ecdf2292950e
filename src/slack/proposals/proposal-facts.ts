/** A proposal's facts in short lines. Names are strangers' text; all results are mrkdwn. Pure. */
import type { Instant } from '../../clock.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import { listReachedOutcomes } from '../../proposals/outcomes.ts';
import { capitalize, joinFacts } from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatMoney, formatNumber } from '../kit/numbers.ts';
import { OUTCOMES_BY_IMPORTANCE, outcomeEmoji, outcomeLabel, outcomeLabels } from '../kit/words/labels.ts';
import { organizationName, profileName } from '../kit/words/profiles.ts';

const LONGEST_TITLE = 150;
const LONGEST_NAME = 80;

/** The job's title, or `Proposal 900` if unknown. */
export function proposalTitle({ id, jobTitle }: Proposal): string {
  return safeLine(jobTitle ?? '', LONGEST_TITLE) || `Proposal ${id}`;
}

/** undefined for a moment that Slack can't show. @param write the format for this place */
export function formatTimeIfShowable<T>(at: Instant | undefined, write: (at: Instant) => T): T | undefined {
  return at === undefined || at < 0 ? undefined : write(at);
}

/** `:tada: Hired · :eyes: viewed · from an invitation`, or `Not viewed yet`. */
export function outcomeBadgesText(proposal: Proposal): string {
  const reached = listReachedOutcomes(proposal);
  const outcomes = OUTCOMES_BY_IMPORTANCE.filter((outcome) => reached.includes(outcome)).map(
    (each, place) =>
      `${outcomeEmoji([each])} ${place === 0 ? capitalize(outcomeLabel(each)) : outcomeLabel(each)}`,
  );
  return joinFacts(
    ...(outcomes.length > 0 ? outcomes : ['Not viewed yet']),
    proposal.fromInvitation ? ':envelope: from an invitation' : undefined,
    proposal.archived ? ':file_cabinet: archived' : undefined,
  );
}

/** Its outcomes as plain text, for notifications. */
export function proposalOutcomeText(proposal: Proposal): string {
  return outcomeLabels(listReachedOutcomes(proposal)) || 'not viewed yet';
}

function nameText(name: string | undefined): string | undefined {
  return safeLine(name ?? '', LONGEST_NAME) || undefined;
}

export function proposalFreelancerText({ freelancer }: Proposal): string | undefined {
  return freelancer && (nameText(freelancer.name) ?? `freelancer ${freelancer.id}`);
}

export function managerText({ businessManager }: Proposal): string | undefined {
  return businessManager && (nameText(businessManager.name) ?? `manager ${businessManager.id}`);
}

export function proposalProfileText({ profile }: Proposal): string | undefined {
  return profile && profileName({ id: profile.id, name: profile.label });
}

export function organizationText({ organization }: Proposal): string | undefined {
  return organization && organizationName({ id: organization.id, name: organization.label });
}

/** `“Short pitch” (12), letter A` */
export function proposalTemplateName({ template, variant }: Proposal): string | undefined {
  const name = template && nameText(template.name);
  const called = name ? `“${name}” (${template.id})` : template && String(template.id);
  const letter = safeLine(variant ?? '', 40);
  const drawn = letter ? `letter ${letter}` : undefined;
  return [called, drawn].filter((each) => each !== undefined).join(', ') || undefined;
}

/** `$1,500 fixed`, `$45 an hour, raised by 10% (frequency 6)`: the frequency's unit is not documented. */
export function proposalTermsText({ terms }: Proposal): string | undefined {
  const { fixedPrice, hourlyRate, increasePercent, increaseFrequency } = terms;
  const often = increaseFrequency === undefined ? '' : ` (frequency ${formatNumber(increaseFrequency)})`;
  const raise = increasePercent ? `${formatNumber(increasePercent)}% increase${often}` : undefined;
  const parts = [
    // 0 means none: no bid is below 3 dollars.
    fixedPrice ? `${formatMoney(fixedPrice)} fixed` : undefined,
    hourlyRate ? `${formatMoney(hourlyRate)} an hour` : undefined,
    raise,
  ];
  return parts.filter((each) => each !== undefined).join(', ') || undefined;
}
