/** Saves a channel's response settings: only what a person changed, with an entry in the audit log. */
import { recordAuditEntry } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import { watchChannel } from '../sources/card-changes.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { ResponsePlan, type ResponseSettings, responseSettings, responseSettingsKey } from './records.ts';
import { DEFAULT_RESPONSE_PLAN, RESPONSE_FIELDS, type ResponseField } from './response.ts';

const FIELDS = Object.keys(RESPONSE_FIELDS) as ResponseField[];

interface ChangeResponseOutcome {
  readonly changed: readonly ResponseField[];
  /** Changed fields that another person had also changed while the form was open. */
  readonly overwritten: readonly ResponseField[];
  readonly plan: ResponsePlan;
  readonly wasOn: boolean;
}

function listChangedFields(one: ResponsePlan, other: ResponsePlan): readonly ResponseField[] {
  return FIELDS.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
}

/** The same fields in the same order, so that plans can be compared. */
export function toPlan(settings: ResponsePlan | undefined): ResponsePlan {
  return settings ? ResponsePlan.parse(settings) : DEFAULT_RESPONSE_PLAN;
}

function applyFields(
  plan: ResponsePlan,
  wanted: ResponsePlan,
  fields: readonly ResponseField[],
): ResponsePlan {
  const chosen = FIELDS.map((field) => [field, (fields.includes(field) ? wanted : plan)[field]] as const);
  return ResponsePlan.parse(Object.fromEntries(chosen));
}

export function readResponseSettings(
  tx: ReadTransaction,
  channel: ChannelId,
): Promise<ResponseSettings | undefined> {
  return tx.get(responseSettings, responseSettingsKey(channel));
}

export async function changePlan(
  tx: Transaction,
  { channel, by, at }: { channel: ChannelId; by: UserId; at: Instant },
  { shown, wanted }: { readonly shown: ResponsePlan; readonly wanted: ResponsePlan },
): Promise<ChangeResponseOutcome> {
  const before = toPlan(await readResponseSettings(tx, channel));
  const asked = listChangedFields(toPlan(shown), toPlan(wanted));
  const meanwhile = listChangedFields(toPlan(shown), before);
  const changed = listChangedFields(before, toPlan(wanted)).filter((field) => asked.includes(field));
  const plan = applyFields(before, wanted, changed);
  const outcome = {
    changed,
    overwritten: changed.filter((field) => meanwhile.includes(field)),
    plan,
    wasOn: before.isOn,
  };
  if (changed.length === 0) return outcome;
  // People who couldn't be mentioned are checked again.
  await tx.put(responseSettings, responseSettingsKey(channel), { ...plan, channel });
  await watchChannel(tx, { channel }, plan.isOn);
  const names = changed.map((field) => RESPONSE_FIELDS[field]);
  await recordAuditEntry(tx, { at, by, channel, act: { kind: 'settings', changed: names } });
  return outcome;
}
