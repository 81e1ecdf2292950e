import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectBidding } from '../../../src/bidding/project-bidding.ts';
import { ProjectKey } from '../../../src/ids.ts';
import type { InvitationView } from '../../../src/invitations/invitations.ts';
import { LONGEST_LETTER } from '../../../src/invitations/letters.ts';
import { invitedProject } from '../../../src/invitations/project.ts';
import type { InvitationRecord } from '../../../src/invitations/records.ts';
import { actionIds } from '../../../src/slack/blocks/ids.ts';
import { invitationHeld } from '../../../src/slack/messages/invitation-answers.ts';
import { invitationMessage } from '../../../src/slack/messages/invitation-card.ts';
import { letterMessage } from '../../../src/slack/messages/invitation-letter.ts';
import { invitationStatusMessage } from '../../../src/slack/messages/invitation-status.ts';
import type { Message } from '../../../src/slack/routes.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, listed, NOW } from '../samples.ts';
import { asText } from './as-text.ts';
import { anyBidding, bidding, foreignJob, job, NO_BIDDING, WAITING, withoutAna } from './bidding-samples.ts';
import { anyText, invitation, invitationView } from './invitation-samples.ts';

const cardOf = (view: InvitationView, of: ProjectBidding = NO_BIDDING) => invitationMessage(view, of);
const shown = (view: InvitationView, of: ProjectBidding = NO_BIDDING) => asText(cardOf(view, of));

function pressable(message: Message): string[] {
  return (message.blocks ?? []).flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((each) => ('action_id' in each && each.action_id ? [each.action_id] : []))
      : [],
  );
}

describe('the card of an invitation', () => {
  it('leads with what decides', () => {
    const ago = `<!date^${(NOW - 180_000) / 1_000}^{ago}|20 Nov 2026, 08:57 UTC>`;
    expect(shown(invitationView())).toBe(
      [
        'text: Invitation: Rebuild our checkout · Pending',
        '-- section',
        ':envelope_with_arrow: *Invitation: Rebuild our checkout*',
        `Acme Agency · Acme Org · Ana Silva · invited ${ago}`,
        'Status: *Pending*',
        '-- section',
        'Dear team, we like your work. Would you help us?',
        '-- actions',
        '[Bid]',
        '[Details]',
        '[Claim]',
        '',
      ].join('\n'),
    );
  });

  it('shows an excerpt of a long letter, and says so', () => {
    const letter = 'word '.repeat(100).trim();
    const text = shown(invitationView({ letter, letterLength: letter.length }));
    expect(text).toContain('… [300 of 499 characters; more of it in the thread]');
    const huge = 'x'.repeat(LONGEST_LETTER);
    expect(shown(invitationView({ letter: huge, letterLength: 50_000 }))).toContain(
      '[300 of 50,000 characters',
    );
  });

  it('tells who has claimed it, and lets them release it', () => {
    const claimed = cardOf(invitationView({}, { claim: { by: ANA, at: NOW } }));
    expect(asText(claimed)).toContain(':raised_hand: Claimed by <@U0ANA>');
    expect(pressable(claimed)).toEqual([
      actionIds.invitationBid,
      actionIds.invitationDetails,
      actionIds.invitationRelease,
    ]);
  });

  it('names nobody twice: a freelancer is profile, organization and contractor at once', () => {
    const view = invitationView({ contractor: { id: 3, name: 'Ana Silva' } });
    const text = shown({ ...view, profileName: 'Ana Silva', organizationName: 'Ana Silva' });
    expect(text.match(/Ana Silva/gu)).toHaveLength(1);
  });

  it('shows what was bid, and offers what can be done about it instead of another bid', () => {
    const waiting = cardOf(invitationView(), bidding({}, job(WAITING)));
    expect(asText(waiting)).toContain('Bid by <@U0ANA>');
    expect(pressable(waiting)).not.toContain(actionIds.invitationBid);
    const other = cardOf(invitationView(), { bids: [], others: [foreignJob(WAITING)] });
    expect(asText(other)).toContain('not bid from here');
    expect(pressable(other)).toContain(actionIds.invitationBid);
  });

  it('says of the client and the price what a filter’s list told, and never a bare number', () => {
    const text = asText(invitationMessage(invitationView(), NO_BIDDING, listed()));
    expect(text).toContain('Status: *Pending*\n*$1,500 fixed*\nClient: Norway · ★ 4.9 (32 reviews)');
    expect(text).not.toContain(String(invitation().clientUid));
  });

  it('tells when it was changed', () => {
    expect(shown(invitationView({ updatedAt: NOW, status: 'Accepted' }))).toContain(
      `Changed <!date^${NOW / 1_000}^`,
    );
  });

  it('without a project that can be named offers neither Bid nor Details', () => {
    for (const jobPostingUid of ['', 'two words', '<!channel>', 'x'.repeat(101)])
      expect(pressable(cardOf(invitationView({ jobPostingUid })))).toEqual([actionIds.invitationClaim]);
  });

  it('with almost nothing known stays whole', () => {
    const { team, uid, foundAt, statusChanges } = invitation();
    const bare = { team, uid, title: '', letter: '', letterLength: 0, foundAt, statusChanges };
    const { card } = invitationView();
    expect(shown({ card, invitation: bare })).toBe(
      [
        'text: Invitation: a project without a title',
        '-- section',
        ':envelope_with_arrow: *Invitation: a project without a title*',
        '-- actions',
        '[Claim]',
        '',
      ].join('\n'),
    );
  });
});

describe('the project of an invitation', () => {
  it('is the same as that of /gig bid with its id', () => {
    expect(invitedProject({ jobPostingUid: ' ~0123 ' })).toEqual({
      reference: { ciphertext: '~0123' },
      project: ProjectKey.parse('~0123'),
      marketplaceJobId: '~0123',
    });
    expect(invitedProject({ jobPostingUid: '1900' })).toEqual({
      reference: { uid: '1900' },
      project: ProjectKey.parse('uid:1900'),
      marketplaceJobId: '1900',
    });
  });
});

describe('the letter in the thread', () => {
  it('is whole, in pieces that keep its lines', () => {
    const letter = Array.from({ length: 200 }, (_, place) => `Line ${place} of what we need.`).join('\n');
    const message = letterMessage(invitation({ letter, letterLength: letter.length }));
    const sections = (message.blocks ?? []).flatMap((block) =>
      block.type === 'section' && block.text ? [block.text.text] : [],
    );
    expect(sections.length).toBeGreaterThan(1);
    expect(sections.join('\n')).toBe(letter);
    expectHarmless(message);
  });

  it('says when it is longer than a message', () => {
    const letter = 'wörd '.repeat(4_000).slice(0, LONGEST_LETTER);
    const message = letterMessage(invitation({ letter, letterLength: 20_000 }));
    expect(asText(message)).toContain('11,500 of 20,000 characters');
    expectHarmless(message);
  });
});

describe('a changed status', () => {
  it('is one line that names the invitation', () => {
    const kind = 'invitation-status';
    expect(
      invitationStatusMessage({ kind, title: 'A job', before: 'Pending', status: 'Accepted' }).text,
    ).toBe(':arrows_counterclockwise: *The invitation to “A job”: Accepted*; it was Pending.');
    expect(invitationStatusMessage({ kind, title: '', status: 'Expired' }).text).toBe(
      ':arrows_counterclockwise: *The invitation to “a project without a title”: Expired*.',
    );
  });
});

describe('whatever strangers write', () => {
  it('cards, letters and lines stay harmless and within the limits', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, anyBidding, (a, b, c, d, bids) => {
        const change: Partial<InvitationRecord> = {
          title: a,
          letter: b.slice(0, LONGEST_LETTER),
          letterLength: b.length,
          status: c,
          clientUid: d,
          jobPostingUid: d,
          contractor: { id: 1, name: c },
        };
        const view = {
          ...invitationView(change, bids.bids.length > 0 ? { claim: { by: BEN, at: NOW } } : {}),
          profileName: a,
          organizationName: b,
        };
        expectHarmless(cardOf(view, withoutAna(bids)));
        expectHarmless(letterMessage(view.invitation));
        const kind = 'invitation-status';
        expectHarmless(invitationStatusMessage({ kind, title: a, before: b, status: c }));
        expectHarmless(invitationHeld(BEN, NOW));
      }),
      { numRuns: 300 },
    );
  });
});
