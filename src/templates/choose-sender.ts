/** What a form learns of its sender from the list of senders. Pure. */
import type { ProposalSender } from '../marketplace/client.ts';
import type { SenderType, TemplateForm } from './form.ts';

/** The documented types; whatever else the marketplace says (`manual` too) tells nothing of contractors. */
export function parseSenderType(word: string | undefined): SenderType {
  const type = word?.trim().toLowerCase();
  return type === 'agency' || type === 'freelancer' ? type : 'unknown';
}

/** The sender of an id that was chosen or typed, where the marketplace lists it. */
export function findSender(
  senders: readonly ProposalSender[],
  organizationId: string,
): ProposalSender | undefined {
  const digits = organizationId.trim().replace(/^#/u, '');
  return senders.find((sender) => `${sender.organizationId}` === digits);
}

/**
 * The sender as chosen or typed, with the type that the list of senders tells (`unknown` without it). Where another
 * organization than before is chosen, a contractor of the old one is not kept, and an only contractor is taken.
 */
export function applySenderChoice(
  before: TemplateForm['sender'],
  typed: { readonly organizationId: string; readonly contractorUid: string },
  senders: readonly ProposalSender[],
): TemplateForm['sender'] {
  const found = findSender(senders, typed.organizationId);
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
 * Whether an agency's template is about to be sent by a freelancer, which makes it ineligible for auto bidding.
 * @param fromType the type of the template that one starts from, in the marketplace's word
 */
export function senderWarning(
  fromType: string | undefined,
  chosenType: SenderType,
): 'not-eligible-for-auto-bidding' | undefined {
  const loses = parseSenderType(fromType) === 'agency' && chosenType === 'freelancer';
  return loses ? 'not-eligible-for-auto-bidding' : undefined;
}
