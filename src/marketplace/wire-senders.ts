/**
 * Proposal senders. Their shape is not documented, so likely names are looked for at likely places, and what has no
 * organization id is left out: without one it cannot be sent. Source: docs/marketplace-api.md, ProposalTemplate input.
 */
import { OrganizationId } from '../ids.ts';
import type { ProposalSender } from './client.ts';
import { type Fields, fieldsOf, id, isObject, known, line, listed } from './wire-values.ts';

const LIST_NAMES = [
  'data',
  'senders',
  'proposal_senders',
  'organizations',
  'agencies',
  'freelancers',
  'people',
] as const;
const CONTRACTOR_LIST_NAMES = [
  'contractors',
  'freelancers',
  'members',
  'profiles',
  'people',
  'users',
] as const;
const ORGANIZATION_NAMES = ['organization', 'org', 'agency'] as const;

/** Every sender that can be recognised, those of one organization put together; undefined when there is no list. */
export function readSenders(body: unknown): readonly ProposalSender[] | undefined {
  const lists = listsIn(body);
  if (lists.length === 0) return undefined;
  const byOrganization = new Map<OrganizationId, ProposalSender>();
  for (const sender of lists.flatMap((items) => listed(items, readSender))) {
    const before = byOrganization.get(sender.organizationId);
    const contractors = [...(before?.contractors ?? []), ...sender.contractors];
    byOrganization.set(sender.organizationId, { ...sender, ...before, contractors });
  }
  return [...byOrganization.values()];
}

/** The lists of the answer, also one level down (`data: { agencies, freelancers }`). */
function listsIn(value: unknown, depth = 0): readonly unknown[] {
  if (Array.isArray(value)) return [value];
  if (!isObject(value) || depth > 1) return [];
  return LIST_NAMES.flatMap((name) => listsIn(value[name], depth + 1));
}

/** The organization that stands within a sender: an object, or no more than its name. */
function organizationIn(fields: Fields): Fields {
  const found = ORGANIZATION_NAMES.map((name) => fields[name]).find((value) => value !== undefined);
  return typeof found === 'string' ? { name: found } : fieldsOf(found);
}

/** A contractor written into the sender itself: flat, as an object, or as the person in whom the organization stands. */
function ownContractor(fields: Fields, organization: Fields) {
  const { contractor_uid, contractorUid, contractor_name, contractorName, contractor, uid } = fields;
  const isPerson = id(OrganizationId, organization['id']) !== undefined;
  const own = line(contractor_uid ?? contractorUid ?? (isPerson ? uid : undefined));
  if (own === undefined) return listed([contractor], readContractor);
  return [known({ uid: own, name: line(contractor_name ?? contractorName) ?? nameOf(fields) })];
}

function readSender(value: unknown): ProposalSender | undefined {
  const fields = fieldsOf(value);
  const organization = organizationIn(fields);
  const { organization_id, organizationId, organization_name, organizationName } = fields;
  const given = organization_id ?? organizationId ?? organization['id'] ?? fields['id'];
  const found = id(OrganizationId, given);
  if (found === undefined) return undefined;
  const inLists = CONTRACTOR_LIST_NAMES.flatMap((name) => listed(fields[name], readContractor));
  return known({
    organizationId: found,
    name: nameOf(organization) ?? line(organization_name ?? organizationName) ?? nameOf(fields),
    type: line(fields['type']) ?? line(organization['type']),
    contractors: [...ownContractor(fields, organization), ...inLists],
  });
}

function readContractor(value: unknown) {
  const fields = fieldsOf(value);
  const uid = line(fields['uid'] ?? fields['contractor_uid'] ?? fields['contractorUid'] ?? fields['id']);
  return uid === undefined ? undefined : known({ uid, name: nameOf(fields) });
}

function nameOf(fields: Fields): string | undefined {
  const { name, full_name, fullName, label, title } = fields;
  return line(name ?? full_name ?? fullName ?? label ?? title);
}
