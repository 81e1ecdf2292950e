/** Decides what a channel does with a project that one of its filters found. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { FilterId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { matchesQuery } from '../query/match-query.ts';
import { listNamesOfCountry, projectRuleSubject } from '../query/project-rules.ts';
import { foldText } from '../query/words.ts';
import type { Card, Mute } from './records.ts';

interface CardDecisionInput {
  readonly project: ListedProject;
  /** When it was published, or the closest known time. */
  readonly publishedAt: Instant;
  readonly filter: FilterId;
  readonly card?: Pick<Card, 'state' | 'because' | 'filters'>;
  readonly matches: boolean;
  /** Projects published before this are in the past. */
  readonly startsAt: Instant;
  /** The channel requested a backfill and wants more projects of it. */
  readonly wantsPast: boolean;
  readonly mutes: readonly Mute[];
  /** The channel shared the cost and is not paused. */
  readonly canPostNow: boolean;
  /** Fields of a known project have changed. */
  readonly changed: boolean;
}

interface CardDecision {
  readonly state: Card['state'];
  readonly because?: Card['because'];
  readonly filters: readonly FilterId[];
  /** Counts as one of the requested past projects. */
  readonly past: boolean;
}

/** A muted word matches whole words; a muted country matches its name and its code. */
export function isProjectMuted(project: ListedProject, mutes: readonly Mute[]): boolean {
  if (mutes.length === 0) return false;
  const subject = projectRuleSubject(project);
  const countries = listNamesOfCountry(project.client.country ?? '').map(foldText);
  return mutes.some(({ kind, value }) => {
    if (foldText(value) === '') return false;
    if (kind === 'country') return countries.includes(foldText(value));
    return matchesQuery({ terms: [{ kind: 'phrase', text: value, negated: false }] }, subject);
  });
}

/** Whether an earlier decision stays, because nothing relevant has changed. */
function isDecisionFinal(question: CardDecisionInput): boolean {
  const { card } = question;
  if (!card) return false;
  if (card.state !== 'suppressed') return true;
  if (question.wantsPast && card.because === 'past') return false;
  if (!card.filters.includes(question.filter)) return false;
  return !(question.changed && card.because === 'no-match');
}

/** The card as it should be; equal to `card` if nothing changes. */
export function decideCard(question: CardDecisionInput): CardDecision {
  const { card, filter } = question;
  const filters = card?.filters.includes(filter) ? card.filters : [...(card?.filters ?? []), filter];
  if (card && isDecisionFinal(question)) {
    return {
      state: card.state,
      filters,
      past: false,
      ...omitUndefined({ because: card.because }),
    };
  }
  const isPast = question.publishedAt < question.startsAt;
  const withheld = (because: Card['because']): CardDecision => ({
    state: 'suppressed',
    because,
    filters,
    past: false,
  });
  if (isPast && !question.wantsPast) return withheld('past');
  if (!question.matches) return withheld('no-match');
  if (isProjectMuted(question.project, question.mutes)) return withheld('muted');
  return { state: question.canPostNow ? 'posted' : 'deferred', filters, past: isPast };
}
