/** Credits: what `/gig budget` says, against what the marketplace charged. */
import { expect } from 'vitest';
import type { Play } from './play.ts';
import { CHANNELS } from './scene.ts';

interface Budget {
  readonly spent: number;
  readonly uncertain: number;
  readonly limit: number;
  readonly text: string;
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.slice(1).find(Boolean);
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

/** Undefined if a fault took the answer away. */
async function readBudget(play: Play, channel: string): Promise<Budget | undefined> {
  const { text } = await play.person('ada').type('/gig budget', channel);
  const spent = numberIn(
    text,
    /([\d,]+) of them in this channel|([\d,]+)(?: of [\d,]+)? credits? spent in this/u,
  );
  if (spent === undefined) return undefined;
  const limit = numberIn(text, /of ([\d,]+) (?:shared )?credits? spent/u) ?? Number.POSITIVE_INFINITY;
  return { spent, uncertain: numberIn(text, /up to ([\d,]+) uncertain/u) ?? 0, limit, text };
}

async function readBudgets(play: Play): Promise<readonly Budget[] | undefined> {
  const all: Budget[] = [];
  for (const channel of CHANNELS) {
    const budget = await readBudget(play, channel);
    if (budget) all.push(budget);
  }
  return all.length === CHANNELS.length ? all : undefined;
}

const sum = (all: readonly Budget[], of: (it: Budget) => number) => all.reduce((so, it) => so + of(it), 0);

const periodsOf = ({ desk }: Play) => desk.market.service.consumedCredits().periods;
const chargedIn = (play: Play) => periodsOf(play).at(-1)?.charged ?? 0;
/** Near its end, a credit may count for either period. */
const hasRolledOver = (play: Play) => periodsOf(play).length > 1;

/** At any moment, no channel spends more than its budget, and each charged credit is on one. */
export async function expectWithinBudgets(play: Play): Promise<void> {
  const charged = chargedIn(play);
  const budgets = await readBudgets(play);
  if (!budgets) return;
  play.looks++;
  for (const [place, { spent, uncertain, limit }] of budgets.entries()) {
    const channel = CHANNELS[place] ?? '';
    const used = spent + uncertain;
    const cap = Math.max(limit, Math.min(play.caps.get(channel) ?? limit, used));
    play.caps.set(channel, cap);
    expect(used, `${channel} within its budget`).toBeLessThanOrEqual(cap);
  }
  // What a request under way may cost is reserved, which nobody is shown.
  const isQuiet = play.desk.market.service.requests().every(({ answered, lost }) => answered || lost);
  const covered = sum(budgets, (it) => it.spent + it.uncertain);
  if (isQuiet && !hasRolledOver(play)) expect(charged, 'charged, on budgets').toBeLessThanOrEqual(covered);
}

/** In the end, every credit is accounted for. */
export async function expectCreditsRight(play: Play): Promise<void> {
  const { options, looks, dice } = play;
  const budgets = (await readBudgets(play)) ?? expect.fail('no budgets');
  const settled = sum(budgets, (it) => it.spent);
  const unproven = sum(budgets, (it) => it.uncertain);
  const text = budgets[0]?.text ?? '';
  const outside = numberIn(text, /([\d,]+) outside Gigdesk/u) ?? 0;
  const charged = chargedIn(play);
  expect(numberIn(text, /([\d,]+) spent by channels/u) ?? 0).toBe(settled);
  expect(charged, 'charged, on budgets').toBeLessThanOrEqual(settled + unproven);
  expect(outside, 'spent outside').toBeLessThanOrEqual(play.spentOutside);
  // The app can't tell other spending during a lost answer from the lost request's cost.
  if (!options.outside) expect(settled, 'spent, as charged').toBeLessThanOrEqual(charged);
  expect(looks, 'budgets that were seen').toBeGreaterThan(dice.steps.length / 100);
  if (options.poor || hasRolledOver(play)) return;
  expect(unproven, 'uncertain').toBe(0);
  expect(settled + outside).toBe(charged + play.spentOutside);
}
