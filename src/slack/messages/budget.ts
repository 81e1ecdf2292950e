/** What a channel may spend, what it has spent, and where that leads. */
import { type AccountState, type BudgetState, heldOf, SMALLEST_PAGE } from '../../credits/book.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { channelLink, date, mention } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { trialAdvice, trialFact } from './credits-advice.ts';
import { meter } from './meter.ts';
import { context, line, lines, section } from './parts.ts';

/** Why new projects of a channel wait that has `isShort`. */
export const BUDGET_SHORT = `less than ${SMALLEST_PAGE} credits of the budget are left`;

/** Whether new projects wait for the reset or for a raise, though some of it may be left. */
export function isShort(budget: BudgetState): boolean {
  return budget.limit !== 'unlimited' && budget.available + heldOf(budget) < SMALLEST_PAGE;
}

/** What a channel shares until an admin confirms it; undefined where its budget is its own. mrkdwn. */
export function poolText({ pool, limit }: Pick<BudgetState, 'pool' | 'limit'>): string | undefined {
  if (!pool || limit === 'unlimited') return undefined;
  return `No admin has confirmed this channel, so it shares ${count(limit, 'credit')} a period with all unconfirmed channels. An admin confirms it with \`/gig budget <credits>\`.`;
}

function reserved(budget: BudgetState): string | undefined {
  const held = heldOf(budget);
  return held > 0 ? `${number(held)} held for requests under way` : undefined;
}

function forecast(budget: BudgetState): string {
  const { runsOutAt, isEarly } = budget;
  if (isShort(budget))
    return 'New projects wait for the reset, or for an admin who raises it: a page of them takes at least 10.';
  if (isEarly) return 'It is too early to say for how long it lasts.';
  if (runsOutAt === undefined) return 'At this pace it lasts until the reset.';
  return `At this pace it is used up ${date(runsOutAt, 'date')}, before the reset.`;
}

function resetText({ period }: BudgetState): string {
  if (period.isOver)
    return `The reset was due ${date(period.resetsAt)}. Gigdesk checks with the marketplace before it spends a new budget.`;
  return `Resets ${date(period.resetsAt)}${period.confirmed ? '' : ' (assumed; the marketplace has not told yet)'}.`;
}

function budgetText(budget: BudgetState): string {
  if (budget.limit === 'unlimited')
    return lines(
      '*This channel has no limit of its own: only the account bounds it.*',
      line(`${count(budget.settled, 'credit')} spent in this period`, reserved(budget)),
    );
  const { settled, pool } = budget;
  const used = (pool?.settled ?? settled) + heldOf(budget);
  const spent = pool
    ? `*${number(pool.settled)} of ${count(budget.limit, 'shared credit')} spent by all unconfirmed channels, ${number(settled)} of them in this channel*`
    : `*${number(settled)} of ${count(budget.limit, 'credit')} spent in this channel*`;
  return lines(
    spent,
    line(meter(used, budget.limit), `${number(Math.max(0, budget.available))} left`, reserved(budget)),
    forecast(budget),
  );
}

function accountCredits(account: AccountState): readonly (string | undefined)[] {
  const left = account.remaining === undefined ? undefined : `${count(account.remaining, 'credit')} left`;
  const outside = account.outside > 0 ? `, ${number(account.outside)} outside Gigdesk` : '';
  const spent = `${number(account.byChannels)} spent by channels${outside}`;
  const ends =
    account.runsOutAt === undefined ? undefined : `used up ${date(account.runsOutAt, 'date')} at this pace`;
  return [left, spent, ends];
}

/** When the account's credits renew if its plan is a paid one. */
export function renewalText({ resetsAt, confirmed }: AccountState): string {
  return `${date(resetsAt, 'date')}${confirmed ? '' : ' (assumed)'}`;
}

export function accountText(account: AccountState): string {
  const renews = renewalText(account);
  return line(...accountCredits(account), account.looksLikeTrial ? trialFact(renews) : `reset ${renews}`);
}

export function budgetMessage(budget: BudgetState, account: AccountState): Message {
  const limit = budget.limit === 'unlimited' ? 'no limit' : count(budget.limit, 'credit');
  return {
    text: `Budget of this channel: ${number(budget.settled)} spent, ${limit}`,
    blocks: [
      section(budgetText(budget)),
      context(
        lines(
          resetText(budget),
          `Account: ${line(...accountCredits(account))}`,
          account.looksLikeTrial && trialAdvice(renewalText(account)),
        ),
      ),
      context(
        budget.pool
          ? (poolText(budget) ?? '')
          : budget.limit === 'unlimited'
            ? 'An admin sets one with `/gig budget 500`.'
            : 'An admin sets it with `/gig budget 500`; `/gig budget off` leaves only the account as the bound.',
      ),
    ],
  };
}

/** For the person: it was just that before. */
export function budgetSameMessage({ limit }: BudgetState): Message {
  const what =
    limit === 'unlimited' ? 'has no limit of its own' : `has a budget of ${count(limit, 'credit')} a period`;
  return { text: `This channel ${what} already; nothing was changed.` };
}

/** For the person: somebody was faster. */
export function budgetConfirmedAlreadyMessage(channel: ChannelId): Message {
  return {
    text: `${channelLink(channel)} has a budget of its own already. Change it with \`/gig budget <credits>\` there.`,
  };
}

/** For the channel: who set it, and to what. */
export function budgetSetMessage(budget: BudgetState, by: UserId): Message {
  const { limit, settled } = budget;
  if (limit === 'unlimited')
    return { text: `${mention(by)} took this channel's limit off: only the account bounds what it spends.` };
  const spent =
    settled > 0 && settled >= limit
      ? `Already ${number(settled)} spent, so nothing more is bought until the reset.`
      : `${number(settled)} spent so far.`;
  return {
    text: `${mention(by)} set this channel's budget to ${count(limit, 'credit')} a period. ${spent}`,
  };
}

/** What the channels that no admin has confirmed spend together, for `/gig status`; undefined where there is none. */
export function poolLine(budgets: readonly BudgetState[]): string | undefined {
  const { pool, limit } = budgets.find((budget) => budget.pool) ?? {};
  if (!pool || limit === undefined || limit === 'unlimited') return undefined;
  return `Unconfirmed channels share ${count(limit, 'credit')}: ${number(pool.settled)} spent. An admin confirms a channel with \`/gig budget <credits>\` there.`;
}

/** Every channel's budget on a line, for `/gig status`. */
export function budgetLine(budget: BudgetState): string {
  const of = budget.limit === 'unlimited' ? 'no limit' : `of ${number(budget.limit)}`;
  return `${channelLink(budget.channel)}: ${number(budget.settled)} ${budget.pool ? '(shared)' : of}`;
}
