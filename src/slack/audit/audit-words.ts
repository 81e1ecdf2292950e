/** Audit log entries as text. Titles, rules and names are strangers' text. Pure. */
import {
  ACTIONS_IN_WORDS,
  type AuditEntry,
  type AuditedAction,
  type AuditResult,
} from '../../audit/audit.ts';
import { normalizeJobStatus } from '../../bidding/job-status-text.ts';
import type { FilterId } from '../../ids.ts';
import { formatTimeOfDay } from '../../schedule/local-time.ts';
import { joinFacts } from '../kit/block-builders.ts';
import { channelLink, codeText, formatDate, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatMoney, formatNumber } from '../kit/numbers.ts';
import { filterName } from '../kit/words/filters.ts';
import { jobLabel } from '../kit/words/job-text.ts';
import { granteesText, ROLE_PLURAL, ROLE_WITH_ARTICLE, type UserGroupNames } from '../kit/words/labels.ts';
import { heldReasonText, refusalVerb, unclearResponseText } from '../kit/words/marketplace-failure.ts';
import { feedKindText, profileWithOrganizationText } from '../kit/words/profiles.ts';

type Act<K extends AuditedAction['kind']> = Extract<AuditedAction, { kind: K }>;

/** What was done; the second part follows the place. */
type AuditText = string | readonly [did: string, more: string];

const TITLE = 80;

function quoted(words: string): string {
  return `“${safeLine(words, TITLE)}”`;
}

function again(attempt: number): string {
  return attempt > 1 ? `, attempt ${formatNumber(attempt)}` : '';
}

function bidText({ title, setup, setupName, attempt, bidAmount, boostConnects }: Act<'bid'>): AuditText {
  const terms = joinFacts(
    bidAmount === undefined ? undefined : formatMoney(bidAmount),
    boostConnects === undefined ? undefined : `${formatCount(boostConnects, 'connect')} boost`,
  );
  const by = setupName ? quoted(setupName) : `setup ${setup}`;
  return [`bid on ${quoted(title)} with ${by}${terms ? ` (${terms})` : ''}`, again(attempt)];
}

function namedJob({ job, title }: Act<'approve' | 'approval-rejected'>): string {
  return `${jobLabel(job)}${title ? ` for ${quoted(title)}` : ''}`;
}

const HELD_DECISIONS: Readonly<Record<'bid-canceled' | 'second-approval' | 'second-rejected', string>> = {
  'bid-canceled': 'canceled',
  'second-approval': 'gave a second approval to',
  'second-rejected': 'refused a second approval to',
};

function heldText({ kind, title, job, attempt }: Act<keyof typeof HELD_DECISIONS>): AuditText {
  const what = job === undefined ? `the bid on ${quoted(title ?? '')}` : `the approval of ${jobLabel(job)}`;
  return [`${HELD_DECISIONS[kind]} ${what}`, again(attempt)];
}

function accessText({ role, added, removed }: Act<'access-changed'>, names: UserGroupNames): string {
  const gained = granteesText(added, names);
  const lost = granteesText(removed, names);
  const isOne = added.users.length === 1 && added.groups.length === 0;
  const parts = [
    ...(gained ? [`made ${gained} ${isOne ? ROLE_WITH_ARTICLE[role] : ROLE_PLURAL[role]}`] : []),
    ...(lost ? [`removed the ${role} role from ${lost}`] : []),
  ];
  return parts.join(' and ');
}

function limitText(limit: number | 'unlimited'): string {
  return limit === 'unlimited' ? 'no limit' : formatCount(limit, 'credit');
}

function budgetText({ from, to }: Act<'budget'>): string {
  const before = from === undefined ? '' : ` from ${limitText(from)}`;
  return `changed the channel budget${before} to ${limitText(to)}`;
}

/** Names of filters, as far as known. */
export type FilterNames = ReadonlyMap<number, string>;

function namedFilter(id: FilterId, filters: FilterNames): string {
  return filterName({ id, name: filters.get(id) });
}

function subscribedText({ filter, rules, backfill }: Act<'subscribed'>, filters: FilterNames): string {
  const past = backfill > 0 ? ` (with ${formatCount(backfill, 'past project')})` : '';
  const which = rules ? ` with the rules ${codeText(rules, 120)}` : '';
  return `subscribed to ${namedFilter(filter, filters)}${which}${past}`;
}

function followedText(act: Act<'followed' | 'unfollowed'>): string {
  const { kind, feed, profile, profileName: name, organization } = act;
  const did = kind === 'followed' ? 'subscribed to' : 'unsubscribed from';
  const place = profileWithOrganizationText({
    profile: { id: profile, name },
    organization: organization === undefined ? undefined : { id: organization },
  });
  return `${did} ${feedKindText(feed)} for ${place}`;
}

function digestText({ at, days, timezone }: Act<'digest'>): string {
  if (at === undefined) return 'turned off the digest';
  const [, hour, minute] = /^(\d\d):(\d\d)$/u.exec(at) ?? [];
  const time = hour === undefined ? at : formatTimeOfDay(Number(hour) * 60 + Number(minute));
  const zone = timezone === undefined ? '' : ` (${timezone})`;
  const when = days === 'weekdays' ? 'Monday to Friday at ' : days === 'daily' ? 'daily at ' : '';
  return `set the digest to ${safeLine(`${when}${time}${zone}`, 100)}`;
}

const ACCOUNT_CHANGES: Readonly<Record<Act<'account'>['change'], string>> = {
  connect: 'requested to connect a marketplace account',
  replace: "requested to replace the marketplace account's token",
  remove: 'requested to remove the marketplace account',
};

function actText(act: AuditedAction, names: UserGroupNames, filters: FilterNames): AuditText {
  switch (act.kind) {
    case 'bid':
      return bidText(act);
    case 'approve':
      return `approved ${namedJob(act)}${act.overrides ? ', overriding the AI' : ''}`;
    case 'approval-rejected':
      return `rejected ${namedJob(act)}: ${quoted(act.reason)}`;
    case 'bid-canceled':
    case 'second-approval':
    case 'second-rejected':
      return heldText(act);
    case 'template':
      return [
        `requested a new template ${quoted(act.name)} with organization ${act.organization} as the sender`,
        again(act.attempt),
      ];
    case 'access-changed':
      return accessText(act, names);
    case 'access-asked':
      return `requested to be ${ROLE_WITH_ARTICLE[act.role]}`;
    case 'access-decided':
      return act.granted
        ? `granted ${formatMention(act.user)}'s request to be ${ROLE_WITH_ARTICLE[act.role]}`
        : `declined ${formatMention(act.user)}'s request to be ${ROLE_WITH_ARTICLE[act.role]}`;
    case 'budget':
      return budgetText(act);
    case 'budget-confirmed':
      return `gave the channel a budget of ${formatCount(act.limit, 'credit')}`;
    case 'subscribed':
      return subscribedText(act, filters);
    case 'unsubscribed':
      return `unsubscribed from ${namedFilter(act.filter, filters)}`;
    case 'followed':
    case 'unfollowed':
      return followedText(act);
    case 'paused':
      return ['paused the feeds', act.until === undefined ? '' : ` until ${formatDate(act.until)}`];
    case 'resumed':
      return 'resumed the feeds';
    case 'muted':
    case 'unmuted':
      return `${act.kind} the ${act.what} ${quoted(act.value)}`;
    case 'settings':
      return ['changed settings', `: ${safeLine(act.changed.join(', '), 200)}`];
    case 'digest':
      return digestText(act);
    case 'installed':
      return act.isAgain ? 'installed Gigdesk again' : 'installed Gigdesk';
    case 'account':
      return ACCOUNT_CHANGES[act.change];
    case 'hint-secret':
      return act.change === 'make' ? 'created the address for hints' : 'rotated the secret for hints';
  }
}

/** Only role changes say “everywhere”. Actions in a direct message show no place. mrkdwn. */
export function auditPlaceText({ channel, act }: AuditEntry): string {
  if (channel && /^[CG]/u.test(channel)) return channelLink(channel);
  return act.kind.startsWith('access-') ? 'everywhere' : '';
}

const ANSWERS: Readonly<Record<AuditResult['kind'], string>> = {
  created: 'created',
  skipped: 'skipped',
  refused: 'rejected',
  unknown: 'no response from the marketplace',
  approved: 'approved',
  done: 'done',
  stopped: 'stopped',
};

function whyText({ kind, words = '', code }: AuditResult): string {
  // A program's status such as `pending_review`, not a sentence.
  const isStatus = /^[a-z\d]+(?:[_-][a-z\d]+)*$/iu.test(words);
  const reason = safeLine(isStatus ? normalizeJobStatus(words) : words, 120);
  if (reason) return reason === ANSWERS[kind] ? '' : `: ${reason}`;
  const held = heldReasonText(code ?? '');
  if (held) return `: ${held}`;
  return code ? ` (${safeLine(code, 40)})` : '';
}

function howText(answer: AuditResult): string {
  if (answer.kind === 'refused' && answer.code !== undefined && refusalVerb(answer.code) === 'not sent')
    return 'not sent';
  return (answer.kind === 'unknown' && unclearResponseText(answer)) || ANSWERS[answer.kind];
}

function answerText({ act, answer }: AuditEntry): string {
  if (!answer) {
    const wasAsked = act.kind === 'bid' || act.kind === 'approve' || act.kind === 'template';
    return wasAsked ? ' → no result yet' : '';
  }
  // The approval text already names the job.
  const job = answer.job === undefined || act.kind === 'approve' ? '' : `, ${jobLabel(answer.job)}`;
  const template = answer.template === undefined ? '' : `, template ${answer.template}`;
  return ` → ${howText(answer)}${job}${template}${whyText(answer)}`;
}

/** What was done in a channel that the reader may not see: without its subject. mrkdwn. */
export function redactedAuditText({ act, answer }: AuditEntry): string {
  return `${ACTIONS_IN_WORDS[act.kind]}${answer ? ` → ${ANSWERS[answer.kind]}` : ''}`;
}

/** `set the budget from 500 to 300 credits`. mrkdwn. */
export function auditText(entry: AuditEntry, names: UserGroupNames, filters: FilterNames): string {
  const [what, more = ''] = [actText(entry.act, names, filters)].flat();
  return `${what}${more}${answerText(entry)}`;
}
