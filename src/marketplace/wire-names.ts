/**
 * Lists of profiles, organizations and filters. They are named in docs/marketplace-api.md without their shapes, so likely
 * names are looked for at likely places, and what can't be recognised is nothing.
 */
import { FilterId, OrganizationId, ProfileId } from '../ids.ts';
import type { NamedKind, NamedRecord } from './client.ts';
import { fieldsOf, id, isObject, known, line, listed } from './wire-values.ts';

const IDS = { profile: ProfileId, organization: OrganizationId, filter: FilterId } as const;

/** `GET /profiles` and so on, and the name of the list in an answer. */
export const PLURALS: Readonly<Record<NamedKind, string>> = {
  profile: 'profiles',
  organization: 'organizations',
  filter: 'filters',
};

/** What can be recognised of the first list that there is; nothing of any other answer. */
export function readNames(kind: NamedKind, body: unknown): readonly NamedRecord[] {
  return listed(listIn(kind, body), (item) => readRecord(kind, item));
}

/** At the top, or under a likely name, also one level down (`data: { profiles }`). */
function listIn(kind: NamedKind, value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value;
  if (!isObject(value) || depth > 1) return undefined;
  for (const name of ['data', 'items', PLURALS[kind]]) {
    const found = listIn(kind, value[name], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `id` and `name`, or `organization_id` beside `organization_name`. */
function readRecord(kind: NamedKind, value: unknown): NamedRecord | undefined {
  const fields = fieldsOf(value);
  const { name, label, title, type } = fields;
  const found = id(IDS[kind], fields['id'] ?? fields[`${kind}_id`] ?? fields[`${kind}Id`]);
  if (found === undefined) return undefined;
  const named = line(name) ?? line(label) ?? line(title);
  return known({
    id: found,
    name: named ?? line(fields[`${kind}_name`] ?? fields[`${kind}Name`]),
    type: line(type),
  });
}
