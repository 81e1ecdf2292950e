/**
 * Reads and checks which projects people choose in the setup form; all of it is input from outside. Pure.
 */
import { parseRules } from '../../feed/decide-card.ts';
import type { FilterId } from '../../ids.ts';
import { joinRules, rulesByField, type SimpleRules, splitRules } from '../../query/simple-rules.ts';
import type { ViewValues } from '../core/routes.ts';
import { cleanLine, clipText } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { parseFilterId } from '../kit/words/filters.ts';
import type { FilterAnswers, SetupForm } from './setup-forms.ts';

/** The filter and its rules. */
export const filterFields = {
  filter: 'filter',
  filterId: 'filter-id',
  minBudget: 'min-budget',
  type: 'type',
  countries: 'countries',
  minRating: 'min-rating',
  verified: 'verified',
  without: 'without',
  more: 'more-rules',
} as const;

export const ANY_TYPE = 'any';

export type FieldErrors = Readonly<Record<string, string>>;

/** Exactly as typed; `before` for what the view doesn't have. */
export function readFilterAnswers(values: ViewValues, before: FilterAnswers): FilterAnswers {
  const text = (id: string) => values.get(id)?.text ?? '';
  const type = values.get(filterFields.type)?.option;
  return {
    chosen: values.get(filterFields.filter)?.option ?? before.chosen,
    typedId: text(filterFields.filterId),
    rules: {
      minBudget: text(filterFields.minBudget),
      type: type === 'fixed' || type === 'hourly' ? type : '',
      countries: text(filterFields.countries),
      minRating: text(filterFields.minRating),
      verified: values.get(filterFields.verified)?.options?.includes('yes') ?? false,
      without: text(filterFields.without),
      more: text(filterFields.more),
    },
  };
}

interface CheckedFilter {
  readonly kind: 'checked';
  /** Missing: the person skipped this step. */
  readonly filter?: FilterId;
  /** Normalized. */
  readonly rules: string;
}

type FilterCheck = CheckedFilter | { readonly kind: 'errors'; readonly errors: FieldErrors };

const LONGEST_SHOWN = 60;

/** With its place, as plain text. */
function ruleError(written: string): string | undefined {
  const read = parseRules(written);
  if (read.kind !== 'mistake') return undefined;
  const { at, length, message, example } = read;
  const there = clipText(cleanLine(written.slice(at, at + length)), LONGEST_SHOWN);
  const place = there ? ` The problem is at “${there}” (character ${formatNumber(at + 1)}).` : '';
  return `${clipText(message, 400)}${place} For example: ${clipText(example, 200)}`;
}

const FIELD_ERRORS: Readonly<Partial<Record<keyof SimpleRules, string>>> = {
  minBudget: 'Enter an amount of dollars, for example 500 or 2k.',
  minRating: 'Enter a rating from 0 to 5, for example 4.5.',
};

function findRuleErrors(rules: SimpleRules): FieldErrors {
  const errors: Record<string, string> = {};
  for (const [field, part] of rulesByField(rules)) {
    const error = ruleError(part);
    if (error) errors[filterFields[field]] = FIELD_ERRORS[field] ?? error;
  }
  if (Object.keys(errors).length > 0) return errors;
  const whole = ruleError(joinRules(rules));
  return whole ? { [filterFields.more]: whole } : {};
}

/** In the order in which the form writes them, which may differ from that of a command. */
function inFormOrder(rules: string): string {
  const read = parseRules(joinRules(splitRules(rules)));
  return read.kind === 'rules' ? read.printed : rules;
}

/** Whether a person changed an edited subscription's rules. @param rules normalized */
export function areRulesChanged(rules: string, { rules: shown }: NonNullable<SetupForm['edited']>): boolean {
  return rules !== shown && rules !== inFormOrder(shown);
}

/** All mistakes at once, each at its field. */
export function checkFilterAnswers(
  { typedId, chosen, rules }: FilterAnswers,
  edited: SetupForm['edited'],
): FilterCheck {
  const errors: Record<string, string> = { ...findRuleErrors(rules) };
  const named = typedId.trim() === '' ? chosen : typedId.trim();
  const filter = edited?.filter ?? parseFilterId(named);
  const written = joinRules(rules);
  if (filter === undefined && named !== '')
    errors[filterFields.filterId] = "That isn't a filter ID. Enter a whole number above 0, for example 123.";
  else if (filter === undefined && written !== '')
    errors[filterFields.filterId] = 'Choose the filter that these rules are for, or clear the rules.';
  if (Object.keys(errors).length > 0) return { kind: 'errors', errors };
  const read = parseRules(written);
  const printed = read.kind === 'rules' ? read.printed : '';
  return { kind: 'checked', rules: printed, filter };
}
