/** The second step: hourly rates and fixed prices. Pure. */
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import { optionalNumber, requiredNumber } from './check-values.ts';
import { type Checked, NOT_SENT, ok, together, wrong } from './checked.ts';
import { isAsked, type TemplateForm } from './form.ts';

/** `$60`, `$60.50` */
function money(dollars: number): string {
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(dollars) ? 0 : 2 })}`;
}

type HourlyPart = ProposalTemplateInput['hourlyRate'];
type FixedPart = NonNullable<ProposalTemplateInput['fixedPrice']>;

export function checkRates(form: TemplateForm): Checked<{ hourlyRate: HourlyPart; fixedPrice: FixedPart }> {
  return together({ hourlyRate: checkHourly(form), fixedPrice: checkFixedPrice(form) });
}

function checkHourly(form: TemplateForm): Checked<HourlyPart> {
  const { mode, rate, increaseFrequency } = form.hourly;
  const max = askedNumber(form, 'smartMax', 'The smart maximum');
  return together({
    mode:
      mode === ''
        ? wrong('hourly.mode', 'Choose fixed or smart. You can only set flexible rates in the dashboard.')
        : ok(mode),
    rate: requiredNumber('hourly.rate', rate, 'The hourly rate'),
    smartRateMin: notAbove(askedNumber(form, 'smartMin', 'The smart minimum'), max),
    smartRateMax: max,
    smartRatePercent: askedNumber(form, 'smartPercent', 'The smart percentage'),
    increaseFrequency: ok(increaseFrequency),
    increasePercent: askedNumber(form, 'increasePercent', 'The rate increase'),
  });
}

type HourlyNumber = 'smartMin' | 'smartMax' | 'smartPercent' | 'increasePercent';

function askedNumber(form: TemplateForm, name: HourlyNumber, what: string): Checked<number | undefined> {
  const field = `hourly.${name}` as const;
  return isAsked(form, field) ? optionalNumber(field, form.hourly[name], what) : NOT_SENT;
}

/**
 * “Effective min must not exceed effective max.” What is effective where one is missing is not written down. We take the end of
 * its range, 3 or 999, beyond which the other cannot lie: a missing one stands in the way of nothing that the marketplace may
 * accept. Should it know better, its own error comes back to the field.
 */
function notAbove(min: Checked<number | undefined>, max: Checked<number | undefined>) {
  if (min.kind !== 'ok' || min.value === undefined) return min;
  if (max.kind !== 'ok' || max.value === undefined || min.value <= max.value) return min;
  return wrong(
    'hourly.smartMin',
    `The smart minimum (${money(min.value)}) is above the maximum (${money(max.value)}). Lower the minimum or raise the maximum.`,
  );
}

function checkFixedPrice(form: TemplateForm): Checked<FixedPart> {
  return together({
    type: ok(form.fixedPrice.type),
    price: askedPrice(form, 'price', 'The price'),
    minPrice: askedPrice(form, 'minPrice', 'The minimum price'),
    clientBudgetPercent: askedPrice(form, 'clientBudgetPercent', "The percentage of the client's budget"),
  });
}

type PriceNumber = 'price' | 'minPrice' | 'clientBudgetPercent';

function askedPrice(form: TemplateForm, name: PriceNumber, what: string): Checked<number | undefined> {
  const field = `fixedPrice.${name}` as const;
  return isAsked(form, field) ? optionalNumber(field, form.fixedPrice[name], what) : NOT_SENT;
}
