/** Extracts names from marketplace responses. Pure. */
import type { BiddingSetup, Invitation, Proposal } from '../marketplace/schema.ts';
import type { DirectoryEntryKind, LearnedName } from './directory.ts';

type Told = { readonly id: number } & Partial<Record<'name' | 'label' | 'type', string | undefined>>;

function learned(kind: DirectoryEntryKind, told: Told | undefined): readonly LearnedName[] {
  if (!told) return [];
  const { id, name, label, type } = told;
  return [{ kind, id, name: name ?? label, type }];
}

export function namesInSetup({ filter, template }: BiddingSetup): readonly LearnedName[] {
  return [...learned('filter', filter), ...learned('template', template)];
}

export function namesInProposal({ profile, organization, template }: Proposal): readonly LearnedName[] {
  return [
    ...learned('profile', profile),
    ...learned('organization', organization),
    ...learned('template', template),
  ];
}

export function namesInInvitation({ profile, organization }: Invitation): readonly LearnedName[] {
  return [...learned('profile', profile), ...learned('organization', organization)];
}
