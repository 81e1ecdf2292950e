import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectBidsAndJobs } from '../../../src/bidding/project-bidding.ts';
import { ProjectKey } from '../../../src/ids.ts';
import { MAX_LETTER_LENGTH } from '../../../src/invitations/decide-invitation.ts';
import type { InvitationCardData } from '../../../src/invitations/invitations.ts';
import { findInvitedProject, type InvitationRecord } from '../../../src/invitations/records.ts';
import { externalJobLine } from '../../../src/slack/bids/bid-lines.ts';
import type { Message } from '../../../src/slack/core/routes.ts';
import { invitationAlreadyClaimedMessage } from '../../../src/slack/invitations/invitation-actions.ts';
import {
  invitationLetterMessage,
  invitationMessage,
  invitationStatusMessage,
} from '../../../src/slack/invitations/invitations.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  anyBidding,
  bidding,
  foreignJob,
  job,
  NO_BIDDING,
  WAITING,
  withoutAna,
} from '../bids/bidding-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, presses, textOf } from '../kit/as-text.ts';
import { ANA, BEN, listed, NOW } from '../samples.ts';
import { anyText, invitation, invitationView } from './invitation-samples.ts';

const cardOf = (view: InvitationCardData, of: ProjectBidsAndJobs = NO_BIDDING) => invitationMessage(view, of);
const shown = (view: InvitationCardData, of: ProjectBidsAndJobs = NO_BIDDING) => asText(cardOf(view, of));

describe('the card of an invitation', () => {
  it('leads with what decides', () => {
    const message = cardOf(invitationView());
    expect(asText(message)).toMatchSnapshot();
    expect(message.text).toContain('Rebuild our checkout');
    const [head = '', letter] = (message.blocks ?? []).map(textOf);
    const invited = `<!date^${(NOW - 180_000) / 1_000}^{ago}|Nov 20, 2026, 8:57 AM UTC>`;
    for (const fact of ['Rebuild our checkout', 'Acme Agency', 'Acme Org', 'Ana Silva', invited, '*Pending*'])
      expect(head).toContain(fact);
    expect(letter).toBe('Dear team, we like your work. Would you help us?');
    expect(presses(message)).toEqual([
      actionIds.invitationBid,
      actionIds.invitationDetails,
      actionIds.invitationClaim,
    ]);
  });

  it('shows an excerpt of a long letter, and says so', () => {
    const letter = 'word '.repeat(100).trim();
    const text = shown(invitationView({ letter, letterLength: letter.length }));
    expect(text).toMatch(/… \[300 .*499/u);
    expect(text).toMatchSnapshot();
    const huge = 'x'.repeat(MAX_LETTER_LENGTH);
    expect(shown(invitationView({ letter: huge, letterLength: 50_000 }))).toMatch(/… \[300 .*50,000/u);
  });

  it('shows its deadline after a refused bid, not after one that was created', () => {
    const due = (of: ProjectBidsAndJobs) =>
      asText(invitationMessage(invitationView(), of, undefined, { bidBy: NOW })).includes(':alarm_clock:');
    expect(due(NO_BIDDING)).toBe(true);
    expect(due(bidding({ state: 'refused' }))).toBe(true);
    expect(due(bidding({ state: 'created' }))).toBe(false);
  });

  it('tells who has claimed it, and lets them release it', () => {
    const claimed = cardOf(invitationView({}, { claim: { by: ANA, at: NOW } }));
    expect(asText(claimed)).toContain('<@U0ANA>');
    expect(asText(claimed)).toMatchSnapshot();
    expect(presses(claimed)).toEqual([
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
    expect(asText(waiting)).toContain('<@U0ANA>');
    expect(asText(waiting)).toMatchSnapshot();
    expect(presses(waiting)).not.toContain(actionIds.invitationBid);
    const other = cardOf(invitationView(), { bids: [], otherJobs: [foreignJob(WAITING)] });
    expect(asText(other)).toContain(externalJobLine(foreignJob(WAITING)));
    expect(presses(other)).toContain(actionIds.invitationBid);
  });

  it('says of the client and the price what a filter’s list told, and never a bare number', () => {
    const text = asText(invitationMessage(invitationView(), NO_BIDDING, listed()));
    expect(text).toMatchSnapshot();
    for (const fact of ['$1,500', 'Norway', '★ 4.9', '32']) expect(text).toContain(fact);
    expect(text).not.toContain(String(invitation().clientUid));
  });

  it('tells when it was changed', () => {
    const text = shown(invitationView({ updatedAt: NOW, status: 'Accepted' }));
    expect(text).toContain(`<!date^${NOW / 1_000}^`);
    expect(text).toMatchSnapshot();
  });

  it('without a project that can be named offers neither Bid nor Details', () => {
    for (const jobPostingUid of ['', 'two words', '<!channel>', 'x'.repeat(101)])
      expect(presses(cardOf(invitationView({ jobPostingUid })))).toEqual([actionIds.invitationClaim]);
  });

  it('with almost nothing known stays whole', () => {
    const { team, uid, foundAt, statusChanges } = invitation();
    const bare = { team, uid, title: '', letter: '', letterLength: 0, foundAt, statusChanges };
    const { card } = invitationView();
    expect(shown({ card, invitation: bare })).toMatchSnapshot();
    expect(presses(cardOf({ card, invitation: bare }))).toEqual([actionIds.invitationClaim]);
  });
});

describe('the project of an invitation', () => {
  it('is the same as that of /gig bid with its id', () => {
    expect(findInvitedProject({ jobPostingUid: ' ~0123 ' })).toEqual({
      reference: { ciphertext: '~0123' },
      project: ProjectKey.parse('~0123'),
      marketplaceJobId: '~0123',
    });
    expect(findInvitedProject({ jobPostingUid: '1900' })).toEqual({
      reference: { uid: '1900' },
      project: ProjectKey.parse('uid:1900'),
      marketplaceJobId: '1900',
    });
  });
});

describe('the letter in the thread', () => {
  it('is whole, in pieces that keep its lines', () => {
    const letter = Array.from({ length: 200 }, (_, place) => `Line ${place} of what we need.`).join('\n');
    const message = invitationLetterMessage(invitation({ letter, letterLength: letter.length }));
    const sections = (message.blocks ?? []).flatMap((block) =>
      block.type === 'section' && block.text ? [block.text.text] : [],
    );
    expect(sections.length).toBeGreaterThan(1);
    expect(sections.join('\n')).toBe(letter);
    expectHarmless(message);
  });

  it('says when it is longer than a message', () => {
    const letter = 'wörd '.repeat(4_000).slice(0, MAX_LETTER_LENGTH);
    const ofLength = (letterLength: number) => invitationLetterMessage(invitation({ letter, letterLength }));
    const endOf = ({ text, blocks = [] }: Message) => asText({ text, blocks: blocks.slice(-1) });
    expect(endOf(ofLength(20_000))).toMatch(/11,500.*20,000/u);
    expect(asText(ofLength(letter.length))).not.toContain('11,500');
    expectHarmless(ofLength(20_000));
  });
});

describe('a changed status', () => {
  it('is one line that names the invitation', () => {
    const kind = 'invitation-status';
    const changed = { kind, title: 'A job', before: 'Pending', status: 'Accepted' } as const;
    const { text } = invitationStatusMessage(changed);
    for (const fact of ['“A job”', 'Accepted', 'Pending']) expect(text).toContain(fact);
    expect(text).not.toContain('\n');
    expect(text).toMatchSnapshot();
    const untitled = invitationStatusMessage({ kind, title: '', status: 'Expired' }).text;
    expect(untitled).toContain('Expired');
    expect(untitled).toMatchSnapshot();
  });
});

describe('whatever strangers write', () => {
  it('cards, letters and lines stay harmless and within the limits', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, anyBidding, (a, b, c, d, bids) => {
        const change: Partial<InvitationRecord> = {
          title: a,
          letter: b.slice(0, MAX_LETTER_LENGTH),
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
        expectHarmless(invitationLetterMessage(view.invitation));
        const kind = 'invitation-status';
        expectHarmless(invitationStatusMessage({ kind, title: a, before: b, status: c }));
        expectHarmless(invitationAlreadyClaimedMessage(BEN, NOW));
      }),
      { numRuns: 100 },
    );
  });
});
