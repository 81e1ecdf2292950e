/** What a proposal is and what has become of it, in short lines. All names are strangers' words; all results are mrkdwn. */
import type { Instant } from '../../clock.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import type { Outcome } from '../../outbox/outcome-news.ts';
import { date, safeLine } from '../blocks/mrkdwn.ts';
import { money, number } from '../blocks/numbers.ts';
import { outcomeSign, outcomeWord } from './outcome-words.ts';
import { capital, line } from './parts.ts';
import { organizationName, profileName } from './profile-name.ts';

const LONGEST_TITLE = 150;
const LONGEST_NAME = 80;

/** The job's title; `Proposal 900` where none is known. */
export function proposalTitle({ id, jobTitle }: Proposal): string {
  return safeLine(jobTitle ?? '', LONGEST_TITLE) || `Proposal ${id}`;
}

/** Undefined for what is no moment that Slack could show. @param write as the place wants it */
export function momentText(
  at: Instant | undefined,
  write: (at: Instant) => string = date,
): string | undefined {
  return at === undefined || at < 0 ? undefined : write(at);
}

/** The weightiest first. */
function outcomesOf(proposal: Proposal): readonly Outcome[] {
  const { hired, interviewed, withdrawn, boostOutbid, viewed } = proposal;
  const came: Readonly<Record<Outcome, boolean>> = {
    hired,
    interviewed,
    withdrawn,
    outbid: boostOutbid,
    viewed,
  };
  const order = ['hired', 'interviewed', 'withdrawn', 'outbid', 'viewed'] as const;
  return order.filter((outcome) => came[outcome]);
}

/** `:tada: Hired · :eyes: viewed · from an invitation`, or `Not viewed yet`. */
export function outcomeMarks(proposal: Proposal): string {
  const outcomes = outcomesOf(proposal).map(
    (each, place) => `${outcomeSign([each])} ${place === 0 ? capital(outcomeWord(each)) : outcomeWord(each)}`,
  );
  return line(
    ...(outcomes.length > 0 ? outcomes : ['Not viewed yet']),
    proposal.fromInvitation ? ':envelope: from an invitation' : undefined,
    proposal.archived ? ':file_cabinet: archived' : undefined,
  );
}

/** What has become of it, in plain words: for notifications. */
export function outcomeText(proposal: Proposal): string {
  const outcomes = outcomesOf(proposal).map(outcomeWord);
  return outcomes.length > 0 ? outcomes.join(', ') : 'not viewed yet';
}

function nameText(name: string | undefined): string | undefined {
  return safeLine(name ?? '', LONGEST_NAME) || undefined;
}

export function freelancerText({ freelancer }: Proposal): string | undefined {
  return freelancer && (nameText(freelancer.name) ?? `freelancer ${freelancer.id}`);
}

export function managerText({ businessManager }: Proposal): string | undefined {
  return businessManager && (nameText(businessManager.name) ?? `manager ${businessManager.id}`);
}

export function profileText({ profile }: Proposal): string | undefined {
  return profile && profileName({ id: profile.id, name: profile.label });
}

export function organizationText({ organization }: Proposal): string | undefined {
  return organization && organizationName({ id: organization.id, name: organization.label });
}

/** `“Short pitch” (12), variant A` */
export function templateName({ template, variant }: Proposal): string | undefined {
  const name = template && nameText(template.name);
  const called = name ? `“${name}” (${template.id})` : template && String(template.id);
  const letter = safeLine(variant ?? '', 40);
  const drawn = letter ? `variant ${letter}` : undefined;
  return [called, drawn].filter((each) => each !== undefined).join(', ') || undefined;
}

/** The same with what it is: `template “Short pitch” (12), variant A`. */
export function templateText(proposal: Proposal): string | undefined {
  const name = templateName(proposal);
  return proposal.template ? `template ${name}` : name;
}

/** `$1,500 fixed`, `$45 an hour, raised by 10% (frequency 6)`: the frequency's unit is not documented. */
export function termsText({ terms }: Proposal): string | undefined {
  const { fixedPrice, hourlyRate, increasePercent, increaseFrequency } = terms;
  const often = increaseFrequency === undefined ? '' : ` (frequency ${number(increaseFrequency)})`;
  const raise = increasePercent ? `${number(increasePercent)}% increase${often}` : undefined;
  const parts = [
    // 0 stands for none: no bid is below 3 dollars.
    fixedPrice ? `${money(fixedPrice)} fixed` : undefined,
    hourlyRate ? `${money(hourlyRate)} an hour` : undefined,
    raise,
  ];
  return parts.filter((each) => each !== undefined).join(', ') || undefined;
}
