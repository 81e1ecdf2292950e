/** What a channel does with a project that one of its filters found. Pure. */
import type { Instant } from '../clock.ts';
import type { FilterId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { countryNames } from '../query/countries.ts';
import { fold } from '../query/fold.ts';
import { matchQuery } from '../query/match-query.ts';
import { ruleSubject } from '../query/project-rules.ts';
import type { Card, Mute } from './records.ts';

interface CardQuestion {
  readonly project: ListedProject;
  /** When it was published, or as near to it as is known. */
  readonly publishedAt: Instant;
  readonly filter: FilterId;
  readonly card?: Pick<Card, 'state' | 'because' | 'filters'>;
  /** Whether the subscription's rules hold for it. */
  readonly matches: boolean;
  /** Published before this it is the past. */
  readonly startsAt: Instant;
  /** This channel asked for the past, and wants more of it. */
  readonly wantsPast: boolean;
  readonly mutes: readonly Mute[];
  /** The channel took part in paying and is not paused. */
  readonly mayTell: boolean;
  /** Fields of a project that was known have changed. */
  readonly changed: boolean;
}

interface CardDecision {
  readonly state: Card['state'];
  readonly because?: Card['because'];
  readonly filters: readonly FilterId[];
  /** Counts as one of the past projects that were asked for. */
  readonly past: boolean;
}

/** Words are whole words, and a country counts by its name and by its code. */
export function isMuted(project: ListedProject, mutes: readonly Mute[]): boolean {
  if (mutes.length === 0) return false;
  const subject = ruleSubject(project);
  const countries = countryNames(project.client.country ?? '').map(fold);
  return mutes.some(({ kind, value }) => {
    if (fold(value) === '') return false;
    if (kind === 'country') return countries.includes(fold(value));
    return matchQuery({ terms: [{ kind: 'phrase', text: value, negated: false }] }, subject);
  });
}

/** Whether an earlier decision stands: nothing speaks for another one. */
function stands(question: CardQuestion): boolean {
  const { card } = question;
  if (!card) return false;
  if (card.state !== 'withheld') return true;
  if (question.wantsPast && card.because === 'past') return false;
  if (!card.filters.includes(question.filter)) return false;
  return !(question.changed && card.because === 'no-match');
}

/** The card as it should be; the same as `card` when nothing changes. */
export function decideCard(question: CardQuestion): CardDecision {
  const { card, filter } = question;
  const filters = card?.filters.includes(filter) ? card.filters : [...(card?.filters ?? []), filter];
  if (card && stands(question)) {
    return {
      state: card.state,
      filters,
      past: false,
      ...(card.because === undefined ? {} : { because: card.because }),
    };
  }
  const isPast = question.publishedAt < question.startsAt;
  const withheld = (because: Card['because']): CardDecision => ({
    state: 'withheld',
    because,
    filters,
    past: false,
  });
  if (isPast && !question.wantsPast) return withheld('past');
  if (!question.matches) return withheld('no-match');
  if (isMuted(question.project, question.mutes)) return withheld('muted');
  return { state: question.mayTell ? 'told' : 'owed', filters, past: isPast };
}
