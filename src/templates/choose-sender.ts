/** Completes a form's sender from the marketplace's list of senders. Pure. */
import type { ProposalSender } from '../marketplace/client.ts';
import type { SenderType, TemplateForm } from './form.ts';

/** The documented types; other values (such as `manual`) say nothing about contractors. */
export function parseSenderType(word: string | undefined): SenderType {
  const type = word?.trim().toLowerCase();
  return type === 'agency' || type === 'freelancer' ? type : 'unknown';
}

/** The listed sender with a chosen or typed ID. */
export function findSenderByOrganizationId(
  senders: readonly ProposalSender[],
  organizationId: string,
): ProposalSender | undefined {
  const digits = organizationId.trim().replace(/^#/u, '');
  return senders.find((sender) => `${sender.organizationId}` === digits);
}

/**
 * The sender as chosen or typed, with its type from the list of senders (`unknown` without it). Choosing
 * another organization drops the old one's contractor and selects a sole contractor.
 */
export function applySenderChoice(
  before: TemplateForm['sender'],
  typed: { readonly organizationId: string; readonly contractorUid: string },
  senders: readonly ProposalSender[],
): TemplateForm['sender'] {
  const found = findSenderByOrganizationId(senders, typed.organizationId);
  const type = parseSenderType(found?.type);
  const isOther = before.organizationId.trim() !== typed.organizationId.trim();
  const isOld = isOther && typed.contractorUid === before.contractorUid;
  if (!isOld || !found) return { ...typed, type };
  return { ...typed, contractorUid: contractorOf(found, type, typed.contractorUid), type };
}

function contractorOf({ contractors }: ProposalSender, type: SenderType, uid: string): string {
  if (type === 'freelancer') return '';
  if (contractors.some((contractor) => contractor.uid === uid.trim())) return uid;
  const [only, ...more] = contractors;
  return only && more.length === 0 ? only.uid : '';
}

/**
 * A warning when a freelancer is about to send an agency's template: it becomes ineligible for auto bidding.
 * @param fromType the original template's sender type, in the marketplace's word
 */
export function senderWarning(
  fromType: string | undefined,
  chosenType: SenderType,
): 'not-eligible-for-auto-bidding' | undefined {
  const loses = parseSenderType(fromType) === 'agency' && chosenType === 'freelancer';
  return loses ? 'not-eligible-for-auto-bidding' : undefined;
}
