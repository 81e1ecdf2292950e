/** Reads the form with response times: untrusted values, all mistakes at once. Pure. */
import { z } from 'zod';
import { UserId } from '../../ids.ts';
import type { ResponsePlan, ResponseTarget } from '../../response/response.ts';
import { parseClockTime } from '../../schedule/local-time.ts';
import type { ViewValues } from '../core/routes.ts';
import { formatNumber } from '../kit/numbers.ts';
import { responseFields } from './response-form.ts';

export type ParsedResponseForm =
  | { readonly kind: 'filled'; readonly wanted: ResponsePlan }
  /** By field; plain text. */
  | { readonly kind: 'mistakes'; readonly errors: Readonly<Record<string, string>> }
  /** The form can't produce these values. */
  | { readonly kind: 'unreadable' };

type Errors = Map<string, string>;

/** A day: with longer times, nobody is in a hurry. */
const MOST_MINUTES = 24 * 60;
/** A warning needs time before the claim ends. */
const SHORTEST_EXPIRY = 5;
/** Minutes: with shorter hours, an hour of work would take weeks. */
const SHORTEST_DAY = 60;

const GroupId = z.string().regex(/^S[A-Z0-9]{1,30}$/u);
const PersonId = z
  .string()
  .regex(/^[UW][A-Z0-9]{1,30}$/u)
  .pipe(UserId);
const Days = z.array(z.enum(['1', '2', '3', '4', '5', '6', '7']));

function readMinutes(values: ViewValues, field: string, errors: Errors, least = 1): number {
  const typed = values.get(field)?.text?.trim() ?? '';
  const minutes = /^\d{1,9}$/u.test(typed) ? Number(typed) : Number.NaN;
  if (minutes >= least && minutes <= MOST_MINUTES) return minutes;
  errors.set(field, `Enter whole minutes from ${formatNumber(least)} to ${formatNumber(MOST_MINUTES)}.`);
  return 1;
}

function readExpiry(values: ViewValues, errors: Errors): number {
  const field = responseFields.claimExpiry;
  if (!values.get(field)?.text?.trim()) return 0;
  const minutes = readMinutes(values, field, errors, 0);
  if (minutes > 0 && minutes < SHORTEST_EXPIRY && !errors.has(field))
    errors.set(field, `Enter at least ${SHORTEST_EXPIRY} minutes, or 0 for never.`);
  return minutes;
}

function readHours(values: ViewValues, errors: Errors): ResponsePlan['hours'] {
  const from = parseClockTime(values.get(responseFields.hoursFrom)?.time);
  const to = parseClockTime(values.get(responseFields.hoursTo)?.time);
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined)
    errors.set(responseFields.hoursFrom, 'Choose when work starts, or clear both times.');
  if (to === undefined) errors.set(responseFields.hoursTo, 'Choose when work ends, or clear both times.');
  if (from === undefined || to === undefined) return undefined;
  if ((to - from + MOST_MINUTES) % MOST_MINUTES < SHORTEST_DAY)
    errors.set(responseFields.hoursTo, 'Choose working hours of at least 1 hour.');
  return { from, to };
}

function readTarget(values: ViewValues, of: 'duty' | 'lead', errors: Errors): ResponseTarget | undefined {
  const groupField = responseFields[`${of}Group`];
  const user = PersonId.safeParse(values.get(responseFields[`${of}User`])?.users?.[0]).data;
  const group = GroupId.safeParse(values.get(groupField)?.option).data;
  if (user !== undefined && group !== undefined)
    errors.set(groupField, 'Choose a person or a user group, not both.');
  if (user !== undefined) return { kind: 'person', user };
  return group === undefined ? undefined : { kind: 'group', group };
}

/** Returns all mistakes at once, each at its field. */
export function parseResponseForm(values: ViewValues): ParsedResponseForm {
  const errors: Errors = new Map();
  const chosen = Days.safeParse(values.get(responseFields.days)?.options ?? []);
  if (!chosen.success) return { kind: 'unreadable' };
  const days = [...new Set(chosen.data.map(Number))].sort((a, b) => a - b);
  if (days.length === 0) errors.set(responseFields.days, 'Choose at least one working day.');
  const claimTarget = readMinutes(values, responseFields.claimTarget, errors);
  const bidTarget = readMinutes(values, responseFields.bidTarget, errors);
  if (
    bidTarget < claimTarget &&
    !errors.has(responseFields.bidTarget) &&
    !errors.has(responseFields.claimTarget)
  )
    errors.set(responseFields.bidTarget, 'A bid comes after the claim. Enter at least the claim target.');
  const wanted: ResponsePlan = {
    isOn: values.get(responseFields.isOn)?.options?.includes('on') ?? false,
    claimTarget,
    bidTarget,
    nudgeAfter: readMinutes(values, responseFields.nudgeAfter, errors),
    leadAfter: readMinutes(values, responseFields.leadAfter, errors),
    claimExpiry: readExpiry(values, errors),
    days,
    hours: readHours(values, errors),
    duty: readTarget(values, 'duty', errors),
    lead: readTarget(values, 'lead', errors),
  };
  if (errors.size > 0) return { kind: 'mistakes', errors: Object.fromEntries(errors) };
  return { kind: 'filled', wanted };
}
