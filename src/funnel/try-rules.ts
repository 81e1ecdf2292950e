/** What changed rules would have shown and hidden of the projects that a filter found. Pure. */
import { comparePreviews, type PreviewedChoices, previewRules } from '../feed/decide-card.ts';
import type { ListedProject } from '../marketplace/schema.ts';

/** What the team did with a project; the furthest counts. In the order of their worth. */
export const TEAM_OUTCOMES = ['hired', 'interviewed', 'viewed', 'bid', 'claimed'] as const;
export type TeamOutcome = (typeof TEAM_OUTCOMES)[number];

export interface TriedProject {
  /** Untrusted text. */
  readonly title: string;
  readonly url: string;
  /** undefined: nothing. */
  readonly outcome?: TeamOutcome;
}

/** A project as the filter listed it, with its verdict for that filter. */
export interface KnownProject {
  readonly project: ListedProject;
  /** Another filter of the channel shows it, whatever this one's rules are. */
  readonly isShownByOthers: boolean;
  readonly outcome?: TeamOutcome;
}

export interface TriedCounts {
  /** How many projects were tried. */
  readonly known: number;
  /** With the tried rules. */
  readonly shown: number;
  /** With today's rules; undefined: the channel has none for the filter. */
  readonly shownToday: number | undefined;
  /** Shown today, and hidden by the tried rules. */
  readonly hidden: number;
  /** Hidden today, and shown by the tried rules. */
  readonly added: number;
  /** Hidden by the tried rules; another filter of the channel still shows them. */
  readonly shownByOthers: number;
  /** Led to an interview or a hire, and would be shown. */
  readonly wonAndShown: number;
}

export interface TriedLists {
  /** Hidden ones that the team claimed, bid on or won, the best outcome first. */
  readonly missed: readonly TriedProject[];
  /** Not listed. */
  readonly moreMissed: number;
  /** Newly shown ones, the best outcome first, then the newest. */
  readonly examples: readonly TriedProject[];
  /** Would be shown, and led to an interview or a hire: hires first. */
  readonly won: readonly TriedProject[];
}

const NONE = { known: 0, shown: 0, hidden: 0, added: 0, shownByOthers: 0, wonAndShown: 0 };

function isWon({ outcome }: KnownProject): boolean {
  return outcome === 'hired' || outcome === 'interviewed';
}

function rankOf({ outcome }: KnownProject): number {
  return outcome === undefined ? TEAM_OUTCOMES.length : TEAM_OUTCOMES.indexOf(outcome);
}

/** Collects pages of projects, newest first. */
export class RulesTrial {
  readonly #wanted: PreviewedChoices;
  readonly #today: PreviewedChoices | undefined;
  #counts: TriedCounts;
  readonly #missed: KnownProject[] = [];
  readonly #added: KnownProject[] = [];
  readonly #won: KnownProject[] = [];

  /**
   * @param wanted the tried rules, and the channel's mutes
   * @param today the same with the rules of today; undefined: the channel doesn't follow the filter
   */
  constructor(wanted: PreviewedChoices, today: PreviewedChoices | undefined) {
    this.#wanted = wanted;
    this.#today = today;
    this.#counts = { ...NONE, shownToday: today && 0 };
  }

  add(page: readonly KnownProject[]): void {
    const byProject = new Map(page.map((each) => [each.project, each]));
    const find = (projects: readonly ListedProject[]) =>
      projects.flatMap((project) => byProject.get(project) ?? []);
    const projects = page.map(({ project }) => project);
    const changed = this.#today && comparePreviews(projects, this.#today, this.#wanted);
    const hidden = find(changed?.hidden ?? []);
    const added = find(changed?.added ?? []);
    const kept = find(changed?.kept ?? previewRules(projects, this.#wanted).posted);
    const shown = [...kept, ...added];
    const counts = this.#counts;
    this.#counts = {
      known: counts.known + page.length,
      shown: counts.shown + shown.length,
      shownToday: this.#today && (counts.shownToday ?? 0) + kept.length + hidden.length,
      hidden: counts.hidden + hidden.length,
      added: counts.added + added.length,
      shownByOthers: counts.shownByOthers + hidden.filter(({ isShownByOthers }) => isShownByOthers).length,
      wonAndShown: counts.wonAndShown + shown.filter(isWon).length,
    };
    this.#missed.push(...hidden.filter((each) => each.outcome !== undefined && !each.isShownByOthers));
    this.#added.push(...added);
    this.#won.push(...shown.filter(isWon));
  }

  get counts(): TriedCounts {
    return this.#counts;
  }

  /** @param most of each list */
  list(most: { readonly missed: number; readonly examples: number }): TriedLists {
    const best = (all: readonly KnownProject[], limit: number): readonly TriedProject[] =>
      all
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .slice(0, limit)
        .map(({ project: { title, url }, outcome }) => ({ title, url, outcome }));
    return {
      missed: best(this.#missed, most.missed),
      moreMissed: Math.max(0, this.#missed.length - most.missed),
      examples: best(this.#added, most.examples),
      won: best(this.#won, most.examples),
    };
  }
}
