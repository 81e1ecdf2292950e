/** Extracts names from marketplace responses. Pure. */
import type { BiddingSetup, Invitation, Proposal } from '../marketplace/schema.ts';
import type { DirectoryEntryKind, LearnedEntityName } from './directory.ts';

type NamedRecord = { readonly id: number } & Partial<Record<'name' | 'label' | 'type', string | undefined>>;

function learned(kind: DirectoryEntryKind, record: NamedRecord | undefined): readonly LearnedEntityName[] {
  if (!record) return [];
  const { id, name, label, type } = record;
  return [{ kind, id, name: name ?? label, type }];
}

export function namesInSetup({ filter, template }: BiddingSetup): readonly LearnedEntityName[] {
  return [...learned('filter', filter), ...learned('template', template)];
}

export function namesInProposal({ profile, organization, template }: Proposal): readonly LearnedEntityName[] {
  return [
    ...learned('profile', profile),
    ...learned('organization', organization),
    ...learned('template', template),
  ];
}

export function namesInInvitation({ profile, organization }: Invitation): readonly LearnedEntityName[] {
  return [...learned('profile', profile), ...learned('organization', organization)];
}
