/** Changes a correct response as the active modes demand. */
import type { MarketplaceModes, ModeFieldSelection } from './faults.ts';

/** The fields that identify a record: `missingFields: true` and `nullFields: true` keep them. */
const NAMES = new Set([
  'id',
  'title',
  'url',
  'status',
  'applicationUid',
  'invitationUid',
  'marketplace_job_id',
  'organization_id',
]);
const ENVELOPE = new Set(['data', 'job', 'setups']);
/** Numbers that are 0 when there's no value. */
const ZERO_FOR_NONE = new Set([
  'fixedPrice',
  'hourlyRate',
  'fixedAmount',
  'hourlyMin',
  'hourlyMax',
  'amount',
]);

type Json = Readonly<Record<string, unknown>>;
/** The new value of an object's entry, or undefined to omit it. */
type Rewrite = (key: string, value: unknown) => { readonly value: unknown } | undefined;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rewrites every entry of every nested object, innermost first. */
function rewriteAll(value: unknown, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteAll(item, rewrite));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const kept = rewrite(key, rewriteAll(inner, rewrite));
    return kept ? [[key, kept.value] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Rewrites the records of a response (`data`, `job`, `setups`), at their top level only. */
function rewriteRecords(body: Json, rewrite: Rewrite): Json {
  const oneRecord = (record: unknown) =>
    isObject(record)
      ? Object.fromEntries(
          Object.entries(record).flatMap(([key, value]) => {
            const kept = rewrite(key, value);
            return kept ? [[key, kept.value]] : [];
          }),
        )
      : record;
  const entries = Object.entries(body).map(([key, value]) => {
    if (!ENVELOPE.has(key)) return [key, value];
    return [key, Array.isArray(value) ? value.map(oneRecord) : oneRecord(value)];
  });
  return Object.fromEntries(entries);
}

function choose(
  body: unknown,
  choice: ModeFieldSelection,
  replacement: { readonly value: unknown } | undefined,
): unknown {
  if (choice === false || !isObject(body)) return body;
  if (choice === true) {
    return rewriteRecords(body, (key, value) => (NAMES.has(key) ? { value } : replacement));
  }
  return rewriteAll(body, (key, value) => (choice.includes(key) ? replacement : { value }));
}

function withExtras(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtras);
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([key, each]) => [key, withExtras(each)]);
  return { ...Object.fromEntries(inner), _introducedLater: { version: 2, tags: ['new'] } };
}

function withNulls(body: unknown): unknown {
  return rewriteAll(body, (key, value) => {
    const empty = value === '' || (value === 0 && ZERO_FOR_NONE.has(key));
    return { value: empty ? null : value };
  });
}

/** Applies the modes to the body of a successful response. */
export function distortResponseBody(body: unknown, modes: MarketplaceModes): unknown {
  let bent = body;
  if (modes.nullsForEmpty) bent = withNulls(bent);
  bent = choose(bent, modes.missingFields, undefined);
  bent = choose(bent, modes.nullFields, { value: null });
  return modes.extraFields ? withExtras(bent) : bent;
}
