/** A realistic invitation, to be adapted by tests. */
import * as fc from 'fast-check';
import { InvitationUid, ProfileId } from '../../../src/ids.ts';
import type { InvitationCardData } from '../../../src/invitations/invitations.ts';
import type { InvitationCard, InvitationRecord } from '../../../src/invitations/records.ts';
import { HOSTILE } from '../bids/bidding-samples.ts';
import { CHANNEL, NOW, TEAM } from '../samples.ts';

const UID = InvitationUid.parse('1900000000000000007');

export function invitation(change: Partial<InvitationRecord> = {}): InvitationRecord {
  return {
    team: TEAM,
    uid: UID,
    title: 'Rebuild our checkout',
    letter: 'Dear team,\n\nwe like your work. Would you help us?',
    letterLength: 49,
    jobPostingUid: '1900000000000000600',
    clientUid: '1900000000000000500',
    profile: { id: ProfileId.parse(1), label: 'Acme Agency' },
    contractor: { id: 3, name: 'Ana Silva' },
    invitedAt: NOW - 180_000,
    updatedAt: NOW - 180_000,
    status: 'Pending',
    foundAt: NOW,
    statusChanges: 0,
    ...change,
  };
}

export function invitationView(
  change: Partial<InvitationRecord> = {},
  card: Partial<InvitationCard> = {},
): InvitationCardData {
  return {
    card: { team: TEAM, channel: CHANNEL, uid: UID, state: 'posted', foundAt: NOW, ...card },
    invitation: invitation(change),
    profileName: 'Acme Agency',
    organizationName: 'Acme Org',
  };
}

/** Hostile, up to huge sizes. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom(...HOSTILE, '`', '*', '\n\n', '&lt;'), { maxLength: 8 })
    .map((parts) => parts.join('')),
);
