/** A channel's budget, its spending and its forecast; asks admins to confirm a new channel. Pure. */

import {
  type AccountState,
  type BudgetRecord,
  type BudgetState,
  getReservedFromBudget,
  MIN_PROJECTS_PAGE_SIZE,
} from '../../credits/credits.ts';
import type { UserId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { setBudgetButton } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, formatDate, formatMention } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber, usageBarText } from '../kit/numbers.ts';
import { trialAdvice, trialStatusText } from '../kit/words/credits-text.ts';

/** Why new projects wait in a channel whose budget `isBudgetTooLow`. */
export const BUDGET_TOO_LOW = `fewer than ${MIN_PROJECTS_PAGE_SIZE} credits left in the channel budget`;

/** Too little is left for a page of projects, so that new ones wait for the reset or a higher budget. */
export function isBudgetTooLow(budget: BudgetState): boolean {
  return (
    budget.limit !== 'unlimited' && budget.available + getReservedFromBudget(budget) < MIN_PROJECTS_PAGE_SIZE
  );
}

/** How an unconfirmed channel shares the budget; undefined if it has its own. mrkdwn. */
export function sharedBudgetText({ pool, limit }: Pick<BudgetState, 'pool' | 'limit'>): string | undefined {
  if (!pool || limit === 'unlimited') return undefined;
  return (
    'Until an admin confirms this channel with a budget of its own, ' +
    `it shares ${formatCount(limit, 'credit')} per billing period with all other unconfirmed channels.`
  );
}

function uncertainText({ uncertain = 0 }: BudgetState): string | undefined {
  return uncertain > 0 ? `up to ${formatNumber(uncertain)} uncertain, usually returned` : undefined;
}

function forecast(budget: BudgetState): string {
  const { runsOutAt, isEarly } = budget;
  if (isBudgetTooLow(budget))
    return (
      'New projects wait until the budget resets or an admin raises it: ' +
      `a page of projects costs at least ${MIN_PROJECTS_PAGE_SIZE} credits.`
    );
  if (runsOutAt === undefined)
    return isEarly ? 'Not enough data to forecast yet.' : 'At this pace, it lasts until the reset.';
  // So early, only an end within hours is forecast.
  const when = isEarly ? formatDate(runsOutAt) : formatDate(runsOutAt, 'date');
  return `At this pace, it runs out ${when}, before the reset.`;
}

function resetText({ period }: BudgetState): string {
  if (period.isOver)
    return (
      `The reset was due ${formatDate(period.resetsAt)}. ` +
      'Gigdesk checks with the marketplace before it starts a new budget.'
    );
  return (
    `Resets ${formatDate(period.resetsAt)}` +
    `${period.confirmed ? '' : " (estimated: the marketplace hasn't confirmed it yet)"}.`
  );
}

const CONFIRM_HINT = 'an admin can confirm this channel with Set Budget';

/** `▓▓▓▓░░░░░░ 40% · 200 of 500 credits · lasts until the reset`. */
export function budgetUsageText(budget: BudgetState): string {
  const { limit, settled, pool, runsOutAt } = budget;
  const uncertain = uncertainText(budget);
  if (limit === 'unlimited')
    return joinFacts(`${formatCount(settled, 'credit')} spent, no channel limit`, uncertain);
  const used = pool?.settled ?? settled;
  const end =
    runsOutAt === undefined
      ? undefined
      : `at this rate, runs out ${formatDate(runsOutAt, 'date')}, before the reset`;
  const of = pool ? 'credit shared by unconfirmed channels' : 'credit';
  const ofMany = pool ? 'credits shared by unconfirmed channels' : 'credits';
  return joinFacts(
    usageBarText(used, limit),
    `${formatNumber(used)} of ${formatCount(limit, of, ofMany)}`,
    uncertain,
    end,
    pool && CONFIRM_HINT,
  );
}

function budgetText(budget: BudgetState): string {
  if (budget.limit === 'unlimited')
    return joinLines(
      '*This channel has no budget: only the account credits limit it.*',
      joinFacts(`${formatCount(budget.settled, 'credit')} spent in this period`, uncertainText(budget)),
    );
  const { settled, pool } = budget;
  const used = pool?.settled ?? settled;
  const spent = pool
    ? `*${formatNumber(pool.settled)} of ${formatCount(budget.limit, 'shared credit')} spent by all ` +
      `unconfirmed channels, ${formatNumber(settled)} of them in this channel*`
    : `*${formatNumber(settled)} of ${formatCount(budget.limit, 'credit')} spent in this channel*`;
  return joinLines(
    spent,
    joinFacts(
      usageBarText(used, budget.limit),
      `${formatCount(Math.max(0, budget.limit - used), 'credit')} left`,
      uncertainText(budget),
    ),
    forecast(budget),
  );
}

function accountCredits(account: AccountState): readonly (string | undefined)[] {
  const left =
    account.remaining === undefined ? undefined : `${formatCount(account.remaining, 'credit')} left`;
  const { byChannels, outside } = account.before ?? account;
  const others = outside > 0 ? `, ${formatNumber(outside)} outside Gigdesk` : '';
  const spent = `${formatNumber(byChannels)} spent by channels${others}`;
  const ends =
    account.runsOutAt === undefined
      ? undefined
      : `run out ${formatDate(account.runsOutAt, 'date')} at this pace`;
  return [left, spent, ends];
}

/** When the account's credits renew, if it is on a paid plan. */
export function creditsRenewalText({ resetsAt, confirmed }: AccountState): string {
  return `${formatDate(resetsAt, 'date')}${confirmed ? '' : ' (estimated)'}`;
}

export function accountCreditsText(account: AccountState): string {
  const renews = creditsRenewalText(account);
  return joinFacts(
    ...accountCredits(account),
    account.looksLikeTrial ? trialStatusText(renews) : `credits renew ${renews}`,
  );
}

export function budgetMessage(budget: BudgetState, account: AccountState): Message {
  const showCharges = buttonElement({
    id: actionIds.ledgerShow,
    label: 'Show Charges',
    value: budget.channel,
    accessibilityLabel: 'Show what this channel spent credits on',
  });
  const spent =
    budget.limit === 'unlimited'
      ? `${formatCount(budget.settled, 'credit')} spent, no limit`
      : `${formatNumber(budget.settled)} of ${formatCount(budget.limit, 'credit')} spent`;
  return {
    text: `Channel budget: ${spent}`,
    blocks: [
      sectionBlock(budgetText(budget)),
      contextBlock(
        joinLines(
          resetText(budget),
          `Account: ${joinFacts(...accountCredits(account))}`,
          account.looksLikeTrial && trialAdvice(creditsRenewalText(account)),
        ),
      ),
      ...(budget.pool ? [contextBlock(sharedBudgetText(budget) ?? '')] : []),
      actionsBlock([setBudgetButton(), showCharges]),
    ],
  };
}

export function budgetSameMessage({ limit }: BudgetState): Message {
  const what =
    limit === 'unlimited'
      ? 'has no credit limit'
      : `has a budget of ${formatCount(limit, 'credit')} per billing period`;
  return { text: `This channel already ${what}. Nothing changed.` };
}

const ONLY_ACCOUNT = "Only the account's credits limit it now.";

/** For the channel: who set the budget, and to what. */
export function budgetSetMessage(budget: BudgetState, by: UserId): Message {
  const { limit, settled } = budget;
  if (limit === 'unlimited')
    return { text: `${formatMention(by)} removed this channel's budget. ${ONLY_ACCOUNT}` };
  const spent =
    settled > 0 && settled >= limit
      ? `It has already spent ${formatCount(settled, 'credit')}, so it can't spend more until the reset.`
      : `${formatCount(settled, 'credit')} spent so far.`;
  return {
    text:
      `${formatMention(by)} set this channel's budget to ${formatCount(limit, 'credit')} per billing ` +
      `period. ${spent}`,
  };
}

/** The total spending of unconfirmed channels, for `/gig status`; undefined if there are none. */
export function sharedBudgetLine(budgets: readonly BudgetState[]): string | undefined {
  const { pool, limit } = budgets.find((budget) => budget.pool) ?? {};
  if (!pool || limit === undefined || limit === 'unlimited') return undefined;
  return (
    `Unconfirmed channels share ${formatCount(limit, 'credit')}: ${formatNumber(pool.settled)} spent. ` +
    'An admin confirms a channel by setting its budget.'
  );
}

/** One line per channel, for `/gig status`. */
export function channelBudgetLine(budget: BudgetState): string {
  const of = budget.limit === 'unlimited' ? '(no limit)' : `of ${formatNumber(budget.limit)}`;
  return `${channelLink(budget.channel)}: ${formatNumber(budget.settled)} ${budget.pool ? '(shared)' : of}`;
}

function whoText({ announced }: BudgetRecord): string {
  if (!announced) return '';
  const { by, subscribed } = announced;
  if (by === undefined) return '';
  return `${formatMention(by)} ${subscribed ? 'subscribed there' : 'looked up a project there'}. `;
}

/** @param limit the channel's credits once it is confirmed */
export function budgetConfirmationMessage(record: BudgetRecord, limit: number): Message {
  const { channel, confirmed, limit: own, by } = record;
  const place = channelLink(channel);
  if (own !== undefined && by !== undefined) {
    if (own === 'unlimited') return { text: `✅ ${formatMention(by)} removed the credit limit of ${place}.` };
    return {
      text:
        `✅ ${formatMention(by)} set the budget of ${place} to ${formatCount(own, 'credit')} per billing ` +
        'period.',
    };
  }
  if (confirmed) {
    const has = `It now has its own budget of ${formatCount(limit, 'credit')} per billing period`;
    const text = `✅ ${formatMention(confirmed.by)} confirmed ${place}. ${has}.`;
    return { text, blocks: [sectionBlock(text), contextBlock(formatDate(confirmed.at))] };
  }
  const text = `${place} has started to spend project credits.`;
  return {
    text,
    blocks: [
      sectionBlock(
        joinLines(
          `*${text}*`,
          `${whoText(record)}Until an admin confirms it, ` +
            `it shares ${formatCount(limit, 'credit')} per billing period with all unconfirmed channels. ` +
            `Once confirmed, it gets its own ${formatCount(limit, 'credit')}.`,
        ),
      ),
      actionsBlock([
        {
          ...buttonElement({ id: actionIds.budgetConfirm, label: 'Confirm Budget', value: channel }),
          style: 'primary',
        },
        setBudgetButton(channel),
      ]),
    ],
  };
}
