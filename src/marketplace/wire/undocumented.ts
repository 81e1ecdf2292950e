/**
 * Lists of proposal senders, profiles, organizations and filters. docs/marketplace-api.md names them without
 * shapes, so these try likely names in likely places and skip what they don't recognize. Pure.
 */
import { keepKnown } from '../../base/keep-known.ts';
import { FilterId, OrganizationId, ProfileId } from '../../ids.ts';
import type { NamedEntity, NamedEntityKind, ProposalSender } from '../client.ts';
import {
  isObject,
  parseId,
  parseListOrEmpty,
  parseSingleLine,
  toUnknownFields,
  type UnknownFields,
} from './values.ts';

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
  return {
    id: found,
    name: named ?? parseSingleLine(fields[`${kind}_name`] ?? fields[`${kind}Name`]),
    type: parseSingleLine(type),
  };
}

const LIST_NAMES = 'data senders proposal_senders organizations agencies freelancers people'.split(' ');
const CONTRACTOR_LIST_NAMES = ['contractors', 'freelancers', 'members', 'profiles', 'people', 'users'];

/** Every recognizable sender, merged by organization; undefined when there is no list. */
export function parseProposalSenders(body: unknown): readonly ProposalSender[] | undefined {
  const lists = listsIn(body);
  if (lists.length === 0) return undefined;
  const byOrganization = new Map<OrganizationId, ProposalSender>();
  for (const sender of lists.flatMap((items) => parseListOrEmpty(items, readSender))) {
    const before = byOrganization.get(sender.organizationId);
    const contractors = [...(before?.contractors ?? []), ...sender.contractors];
    byOrganization.set(sender.organizationId, { ...keepKnown(sender, before ?? {}), contractors });
  }
  return [...byOrganization.values()];
}

/** The response's lists, also one level down (`data: { agencies, freelancers }`). */
function listsIn(value: unknown, depth = 0): readonly unknown[] {
  if (Array.isArray(value)) return [value];
  if (!isObject(value) || depth > 1) return [];
  return LIST_NAMES.flatMap((name) => listsIn(value[name], depth + 1));
}

/** The organization inside a sender: an object, or only its name. */
function organizationIn(fields: UnknownFields): UnknownFields {
  const found = ['organization', 'org', 'agency']
    .map((name) => fields[name])
    .find((value) => value !== undefined);
  return typeof found === 'string' ? { name: found } : toUnknownFields(found);
}

/** A contractor inside the sender: flat, as an object, or as the person that contains the organization. */
function ownContractor(fields: UnknownFields, organization: UnknownFields) {
  const { contractor_uid, contractorUid, contractor_name, contractorName, contractor, uid } = fields;
  const isPerson = parseId(OrganizationId, organization['id']) !== undefined;
  const own = parseSingleLine(contractor_uid ?? contractorUid ?? (isPerson ? uid : undefined));
  if (own === undefined) return parseListOrEmpty([contractor], readContractor);
  return [{ uid: own, name: parseSingleLine(contractor_name ?? contractorName) ?? nameOf(fields) }];
}

function readSender(value: unknown): ProposalSender | undefined {
  const fields = toUnknownFields(value);
  const organization = organizationIn(fields);
  const { organization_id, organizationId, organization_name, organizationName } = fields;
  const given = organization_id ?? organizationId ?? organization['id'] ?? fields['id'];
  const found = parseId(OrganizationId, given);
  if (found === undefined) return undefined;
  const inLists = CONTRACTOR_LIST_NAMES.flatMap((name) => parseListOrEmpty(fields[name], readContractor));
  return {
    organizationId: found,
    name: nameOf(organization) ?? parseSingleLine(organization_name ?? organizationName) ?? nameOf(fields),
    type: parseSingleLine(fields['type']) ?? parseSingleLine(organization['type']),
    contractors: [...ownContractor(fields, organization), ...inLists],
  };
}

function readContractor(value: unknown) {
  const fields = toUnknownFields(value);
  const { uid, contractor_uid, contractorUid, id } = fields;
  const found = parseSingleLine(uid ?? contractor_uid ?? contractorUid ?? id);
  return found === undefined ? undefined : { uid: found, name: nameOf(fields) };
}

function nameOf(fields: UnknownFields): string | undefined {
  const { name, full_name, fullName, label, title } = fields;
  return parseSingleLine(name ?? full_name ?? fullName ?? label ?? title);
}
