/** The marketplace's rates and prices, one line each. Pure. */
import type { CreatedTemplate } from '../../templates/records.ts';
import { joinFacts } from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatMoney } from '../kit/numbers.ts';

/** `2.5%`, from a percentage, not from a ratio. */
export function formatWholePercent(percent: number): string {
  return `${percent}%`;
}

function rangeText(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `${formatMoney(min)} to ${formatMoney(max)}`;
  if (min !== undefined) return `from ${formatMoney(min)}`;
  return max === undefined ? undefined : `up to ${formatMoney(max)}`;
}

/** `$40 an hour · smart · $30 to $60 · 80% of the client's budget · 5% more every 6 months`. mrkdwn. */
export function hourlyRateText(hourly: CreatedTemplate['hourlyRate']): string {
  const { mode, rate, smartRateMin, smartRateMax, smartRatePercent } = hourly;
  const { increasePercent, increaseFrequency } = hourly;
  const often = safeLine((increaseFrequency ?? 'never').replaceAll('-', ' '), 40);
  return joinFacts(
    rate === undefined ? undefined : `${formatMoney(rate)} an hour`,
    mode === undefined ? undefined : safeLine(mode, 40),
    rangeText(smartRateMin, smartRateMax),
    smartRatePercent === undefined
      ? undefined
      : `${formatWholePercent(smartRatePercent)} of the client's budget`,
    increaseFrequency === undefined || increaseFrequency === 'never'
      ? undefined
      : `${increasePercent === undefined ? 'more' : `${formatWholePercent(increasePercent)} more`} ${often}`,
  );
}

/** `by the job's terms · at least $100 · 95% of the client's budget`. mrkdwn. */
export function fixedPriceText(fixed: CreatedTemplate['fixedPrice']): string {
  const { type, price, minPrice, clientBudgetPercent } = fixed;
  return joinFacts(
    typeText(type),
    price === undefined ? undefined : formatMoney(price),
    minPrice === undefined ? undefined : `at least ${formatMoney(minPrice)}`,
    clientBudgetPercent === undefined
      ? undefined
      : `${formatWholePercent(clientBudgetPercent)} of the client's budget`,
  );
}

function typeText(type: string | undefined): string | undefined {
  if (type === 'by-job-terms') return "by the job's terms";
  if (type === 'by-project') return 'the same on every job';
  return type === undefined ? undefined : safeLine(type, 40);
}
