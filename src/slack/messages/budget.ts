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
export const BUDGET_SHORT = `fewer than ${SMALLEST_PAGE} credits left in the channel budget`;

/** Whether new projects wait for the reset or for a raise, though some of it may be left. */
export function isShort(budget: BudgetState): boolean {
  return budget.limit !== 'unlimited' && budget.available + heldOf(budget) < SMALLEST_PAGE;
}

/** What a channel shares until an admin confirms it; undefined where its budget is its own. mrkdwn. */
export function poolText({ pool, limit }: Pick<BudgetState, 'pool' | 'limit'>): string | undefined {
  if (!pool || limit === 'unlimited') return undefined;
  return `No admin has confirmed this channel, so it shares ${count(limit, 'credit')} per period with all unconfirmed channels. An admin can confirm it with \`/gig budget <credits>\`.`;
}

function reserved(budget: BudgetState): string | undefined {
  const held = heldOf(budget);
  return held > 0 ? `${count(held, 'credit')} reserved for requests in progress` : undefined;
}

function forecast(budget: BudgetState): string {
  const { runsOutAt, isEarly } = budget;
  if (isShort(budget))
    return `New projects wait until the budget resets or an admin raises it: a page of projects costs at least ${SMALLEST_PAGE} credits.`;
  if (isEarly) return 'Not enough data to forecast yet.';
  if (runsOutAt === undefined) return 'At this pace, it lasts until the reset.';
  return `At this pace, it runs out ${date(runsOutAt, 'date')}, before the reset.`;
}

function resetText({ period }: BudgetState): string {
  if (period.isOver)
    return `The reset was due ${date(period.resetsAt)}. Gigdesk checks with the marketplace before it starts a new budget.`;
  return `Resets ${date(period.resetsAt)}${period.confirmed ? '' : " (estimated: the marketplace hasn't confirmed it yet)"}.`;
}

function budgetText(budget: BudgetState): string {
  if (budget.limit === 'unlimited')
    return lines(
      '*This channel has no budget: only the account credits limit it.*',
      line(`${count(budget.settled, 'credit')} spent in this period`, reserved(budget)),
    );
  const { settled, pool } = budget;
  const used = (pool?.settled ?? settled) + heldOf(budget);
  const spent = pool
    ? `*${number(pool.settled)} of ${count(budget.limit, 'shared credit')} spent by all unconfirmed channels, ${number(settled)} of them in this channel*`
    : `*${number(settled)} of ${count(budget.limit, 'credit')} spent in this channel*`;
  return lines(
    spent,
    line(
      meter(used, budget.limit),
      `${count(Math.max(0, budget.available), 'credit')} left`,
      reserved(budget),
    ),
    forecast(budget),
  );
}

function accountCredits(account: AccountState): readonly (string | undefined)[] {
  const left = account.remaining === undefined ? undefined : `${count(account.remaining, 'credit')} left`;
  const outside = account.outside > 0 ? `, ${number(account.outside)} outside Gigdesk` : '';
  const spent = `${number(account.byChannels)} spent by channels${outside}`;
  const ends =
    account.runsOutAt === undefined ? undefined : `run out ${date(account.runsOutAt, 'date')} at this pace`;
  return [left, spent, ends];
}

/** When the account's credits renew if its plan is a paid one. */
export function renewalText({ resetsAt, confirmed }: AccountState): string {
  return `${date(resetsAt, 'date')}${confirmed ? '' : ' (estimated)'}`;
}

export function accountText(account: AccountState): string {
  const renews = renewalText(account);
  return line(...accountCredits(account), account.looksLikeTrial ? trialFact(renews) : `renew ${renews}`);
}

export function budgetMessage(budget: BudgetState, account: AccountState): Message {
  const spent =
    budget.limit === 'unlimited'
      ? `${count(budget.settled, 'credit')} spent, no limit`
      : `${number(budget.settled)} of ${count(budget.limit, 'credit')} spent`;
  return {
    text: `Channel budget: ${spent}`,
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
            ? 'An admin can set one with `/gig budget 500`.'
            : 'An admin can change it with `/gig budget 500`. `/gig budget off` removes the channel limit.',
      ),
    ],
  };
}

/** For the person: it was just that before. */
export function budgetSameMessage({ limit }: BudgetState): Message {
  const what =
    limit === 'unlimited' ? 'has no budget' : `has a budget of ${count(limit, 'credit')} per period`;
  return { text: `This channel already ${what}. Nothing changed.` };
}

/** For the person: somebody was faster. */
export function budgetConfirmedAlreadyMessage(channel: ChannelId): Message {
  return {
    text: `${channelLink(channel)} already has its own budget. Change it there with \`/gig budget <credits>\`.`,
  };
}

/** For the channel: who set it, and to what. */
export function budgetSetMessage(budget: BudgetState, by: UserId): Message {
  const { limit, settled } = budget;
  if (limit === 'unlimited')
    return { text: `${mention(by)} removed this channel's budget. Only the account credits limit it now.` };
  const spent =
    settled > 0 && settled >= limit
      ? `It has already spent ${count(settled, 'credit')}, so it can't spend more until the reset.`
      : `${count(settled, 'credit')} spent so far.`;
  return {
    text: `${mention(by)} set this channel's budget to ${count(limit, 'credit')} per period. ${spent}`,
  };
}

/** What the channels that no admin has confirmed spend together, for `/gig status`; undefined where there is none. */
export function poolLine(budgets: readonly BudgetState[]): string | undefined {
  const { pool, limit } = budgets.find((budget) => budget.pool) ?? {};
  if (!pool || limit === undefined || limit === 'unlimited') return undefined;
  return `Unconfirmed channels share ${count(limit, 'credit')}: ${number(pool.settled)} spent. An admin can confirm a channel there with \`/gig budget <credits>\`.`;
}

/** Every channel's budget on a line, for `/gig status`. */
export function budgetLine(budget: BudgetState): string {
  const of = budget.limit === 'unlimited' ? '(no limit)' : `of ${number(budget.limit)}`;
  return `${channelLink(budget.channel)}: ${number(budget.settled)} ${budget.pool ? '(shared)' : of}`;
}
