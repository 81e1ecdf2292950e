/**
 * Lists of profiles, organizations and filters. They are named in docs/marketplace-api.md without their shapes, so likely
 * names are looked for at likely places, and what can't be recognised is nothing.
 */
import { FilterId, OrganizationId, ProfileId } from '../ids.ts';
import type { NamedEntity, NamedEntityKind } from './client.ts';
import {
  isObject,
  omitUndefined,
  parseId,
  parseListOrEmpty,
  parseSingleLine,
  toUnknownFields,
} from './wire-values.ts';

const IDS = { profile: ProfileId, organization: OrganizationId, filter: FilterId } as const;

/** `GET /profiles` and so on, and the name of the list in an answer. */
export const PLURAL_KIND_NAMES: Readonly<Record<NamedEntityKind, string>> = {
  profile: 'profiles',
  organization: 'organizations',
  filter: 'filters',
};

/** What can be recognised of the first list that there is; nothing of any other answer. */
export function parseNamedEntities(kind: NamedEntityKind, body: unknown): readonly NamedEntity[] {
  return parseListOrEmpty(listIn(kind, body), (item) => readRecord(kind, item));
}

/** At the top, or under a likely name, also one level down (`data: { profiles }`). */
function listIn(kind: NamedEntityKind, value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value;
  if (!isObject(value) || depth > 1) return undefined;
  for (const name of ['data', 'items', PLURAL_KIND_NAMES[kind]]) {
    const found = listIn(kind, value[name], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `id` and `name`, or `organization_id` beside `organization_name`. */
function readRecord(kind: NamedEntityKind, value: unknown): NamedEntity | undefined {
  const fields = toUnknownFields(value);
  const { name, label, title, type } = fields;
  const found = parseId(IDS[kind], fields['id'] ?? fields[`${kind}_id`] ?? fields[`${kind}Id`]);
  if (found === undefined) return undefined;
  const named = parseSingleLine(name) ?? parseSingleLine(label) ?? parseSingleLine(title);
  return omitUndefined({
    id: found,
    name: named ?? parseSingleLine(fields[`${kind}_name`] ?? fields[`${kind}Name`]),
    type: parseSingleLine(type),
  });
}
