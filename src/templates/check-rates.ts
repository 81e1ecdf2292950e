/** The second step: hourly rates and fixed prices. Pure. */
import type { ProposalTemplateInput } from '../marketplace/schema.ts';
import {
  combineChecks,
  type FormCheckResult,
  invalidField,
  OMITTED_FIELD_RESULT,
  validResult,
} from './check-result.ts';
import { checkOptionalNumber, checkRequiredNumber } from './check-values.ts';
import { isFieldApplicable, type TemplateForm } from './form.ts';

/** `$60`, `$60.50` */
function money(dollars: number): string {
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(dollars) ? 0 : 2 })}`;
}

type HourlyPart = ProposalTemplateInput['hourlyRate'];
type FixedPart = NonNullable<ProposalTemplateInput['fixedPrice']>;

export function checkRates(
  form: TemplateForm,
): FormCheckResult<{ hourlyRate: HourlyPart; fixedPrice: FixedPart }> {
  return combineChecks({ hourlyRate: checkHourly(form), fixedPrice: checkFixedPrice(form) });
}

function checkHourly(form: TemplateForm): FormCheckResult<HourlyPart> {
  const { mode, rate, increaseFrequency } = form.hourly;
  const max = askedNumber(form, 'smartMax', 'The smart maximum');
  return combineChecks({
    mode:
      mode === ''
        ? invalidField(
            'hourly.mode',
            'Choose fixed or smart. You can only set flexible rates in the dashboard.',
          )
        : validResult(mode),
    rate: checkRequiredNumber('hourly.rate', rate, 'The hourly rate'),
    smartRateMin: notAbove(askedNumber(form, 'smartMin', 'The smart minimum'), max),
    smartRateMax: max,
    smartRatePercent: askedNumber(form, 'smartPercent', 'The smart percentage'),
    increaseFrequency: validResult(increaseFrequency),
    increasePercent: askedNumber(form, 'increasePercent', 'The rate increase'),
  });
}

type HourlyNumber = 'smartMin' | 'smartMax' | 'smartPercent' | 'increasePercent';

function askedNumber(
  form: TemplateForm,
  name: HourlyNumber,
  what: string,
): FormCheckResult<number | undefined> {
  const field = `hourly.${name}` as const;
  return isFieldApplicable(form, field)
    ? checkOptionalNumber(field, form.hourly[name], what)
    : OMITTED_FIELD_RESULT;
}

/**
 * Source: “Effective min must not exceed effective max.” The effective value of a missing one is not
 * documented. We assume the end of its range, 3 or 999: so a missing one never blocks what the marketplace
 * may accept. If the marketplace disagrees, its own error appears at the field.
 */
function notAbove(min: FormCheckResult<number | undefined>, max: FormCheckResult<number | undefined>) {
  if (min.kind !== 'ok' || min.value === undefined) return min;
  if (max.kind !== 'ok' || max.value === undefined || min.value <= max.value) return min;
  return invalidField(
    'hourly.smartMin',
    `The smart minimum (${money(min.value)}) is above the maximum (${money(max.value)}). ` +
      'Lower the minimum or raise the maximum.',
  );
}

function checkFixedPrice(form: TemplateForm): FormCheckResult<FixedPart> {
  return combineChecks({
    type: validResult(form.fixedPrice.type),
    price: askedPrice(form, 'price', 'The price'),
    minPrice: askedPrice(form, 'minPrice', 'The minimum price'),
    clientBudgetPercent: askedPrice(form, 'clientBudgetPercent', "The percentage of the client's budget"),
  });
}

type PriceNumber = 'price' | 'minPrice' | 'clientBudgetPercent';

function askedPrice(
  form: TemplateForm,
  name: PriceNumber,
  what: string,
): FormCheckResult<number | undefined> {
  const field = `fixedPrice.${name}` as const;
  return isFieldApplicable(form, field)
    ? checkOptionalNumber(field, form.fixedPrice[name], what)
    : OMITTED_FIELD_RESULT;
}
