/** Adds up a time range of one filter's results in a channel, card by card. Pure. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { SubscriptionStatus } from '../feed/feed.ts';
import type { Card } from '../feed/records.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { suggestSubscriptionRule } from './advise-rule.ts';
import type { FilterTuningFacts } from './facts.ts';

type FilterFacts = FilterTuningFacts['filters'][number];

/** The most projects used for advice: more add nothing. */
const MOST_JUDGED = 300;

function judge(into: ListedProject[], project: ListedProject | undefined): void {
  if (project && into.length < MOST_JUDGED) into.push(project);
}

export class WeeklyFilterStats {
  readonly #view: SubscriptionStatus;
  readonly #skipped: ListedProject[] = [];
  readonly #wanted: ListedProject[] = [];
  readonly #counts = { told: 0, claimed: 0, bid: 0, left: 0, muted: 0 };
  readonly #reasons: Record<string, number> = {};

  constructor(view: SubscriptionStatus) {
    this.#view = view;
  }

  addMuted(): void {
    this.#counts.muted += 1;
  }

  addPosted({ claim, skip }: Card, project: ListedProject | undefined, isBidOn: boolean): void {
    this.#counts.told += 1;
    if (claim) this.#counts.claimed += 1;
    if (isBidOn) this.#counts.bid += 1;
    if (claim || isBidOn) {
      judge(this.#wanted, project);
    } else if (skip) {
      this.#reasons[skip.reason] = (this.#reasons[skip.reason] ?? 0) + 1;
      judge(this.#skipped, project);
    } else {
      this.#counts.left += 1;
    }
  }

  toFacts(): FilterFacts {
    const { filter, subscription } = this.#view;
    const advice = suggestSubscriptionRule({ skipped: this.#skipped, wanted: this.#wanted });
    return {
      filter: filter.id,
      ...omitUndefined({ name: filter.name, advice }),
      rules: subscription.rules,
      ...this.#counts,
      skipped: this.#reasons,
    };
  }
}
