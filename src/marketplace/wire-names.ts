/**
 * Parses lists of profiles, organizations and filters. docs/marketplace-api.md names them without shapes, so
 * the parser tries likely names in likely places and skips what it doesn't recognize.
 */

import { omitUndefined } from '../base/omit-undefined.ts';
import { FilterId, OrganizationId, ProfileId } from '../ids.ts';
import type { NamedEntity, NamedEntityKind } from './client.ts';
import { isObject, parseId, parseListOrEmpty, parseSingleLine, toUnknownFields } from './wire-values.ts';

const IDS = { profile: ProfileId, organization: OrganizationId, filter: FilterId } as const;

/** The path (`GET /profiles` and so on) and the list's name in a response. */
export const NAMED_ENTITY_LIST_NAMES: Readonly<Record<NamedEntityKind, string>> = {
  profile: 'profiles',
  organization: 'organizations',
  filter: 'filters',
};

/** The recognizable entities of the first list found; empty for any other response. */
export function parseNamedEntities(kind: NamedEntityKind, body: unknown): readonly NamedEntity[] {
  return parseListOrEmpty(listIn(kind, body), (item) => readRecord(kind, item));
}

/** At the top level or under a likely name, also one level down (`data: { profiles }`). */
function listIn(kind: NamedEntityKind, value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value;
  if (!isObject(value) || depth > 1) return undefined;
  for (const name of ['data', 'items', NAMED_ENTITY_LIST_NAMES[kind]]) {
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
