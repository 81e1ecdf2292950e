/** What a bid pays: its own amount, the job's, or that of its setup's template, as far as known. Pure. */
import type { ListedProject, ProposalTemplate } from '../marketplace/schema.ts';
import { budgetType, largestAmount, largestBudget } from '../query/project-rules.ts';

type Budget = ListedProject['budget'];
type Rates = Pick<ProposalTemplate, 'hourlyRate' | 'fixedPrice'>;

function takePercent(percent: number | undefined, budget: Budget): number | undefined {
  const whole = largestBudget(budget);
  return percent === undefined || whole === undefined ? undefined : (whole * percent) / 100;
}

function findHourlyRate({ hourlyRate }: Rates, budget: Budget): number | undefined {
  const { mode, rate, smartRatePercent, smartRateMin = 0, smartRateMax = Infinity } = hourlyRate;
  if (mode === 'fixed') return rate;
  const share = mode === 'smart' ? takePercent(smartRatePercent, budget) : undefined;
  return share && Math.max(smartRateMin, Math.min(share, smartRateMax));
}

function findFixedPrice({ fixedPrice }: Rates, budget: Budget): number | undefined {
  const { type, price, minPrice = 0, clientBudgetPercent } = fixedPrice;
  if (type === 'by-project') return price;
  const share = type === 'by-job-terms' ? takePercent(clientBudgetPercent, budget) : undefined;
  return share && Math.max(share, minPrice);
}

/** Of a range, the client's higher amount counts. @returns undefined if it depends on something unknown */
export function findTemplateAmount(template: Rates, budget: Budget): number | undefined {
  const type = budgetType(budget);
  if (type === undefined) return undefined;
  return (type === 'hourly' ? findHourlyRate : findFixedPrice)(template, budget) || undefined;
}

interface NamedAmounts {
  /** The bid's own. */
  readonly ours?: number | undefined;
  /** The job's label at the marketplace; it may be a part of the client's budget: `80%`. */
  readonly theirs?: string | undefined;
  readonly template?: Rates | undefined;
}

/** The higher amount, if ours and the marketplace's differ; the template's if neither names one. */
export function findBidAmount({ ours, theirs, template }: NamedAmounts, budget: Budget): number | undefined {
  const label = theirs?.trim() ?? '';
  const percent = /^(\d+(?:\.\d+)?) ?%/u.exec(label)?.[1];
  const job = percent === undefined ? largestAmount(label) : takePercent(Number(percent), budget);
  const known = [ours, job].filter((each) => each !== undefined);
  if (known.length > 0) return Math.max(...known);
  return template && label === '' ? findTemplateAmount(template, budget) : undefined;
}
