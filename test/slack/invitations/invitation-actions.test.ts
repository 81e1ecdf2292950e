import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bidDrafts } from '../../../src/bidding/draft-records.ts';
import { MessageTs } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import type { ActionRoute } from '../../../src/slack/core/routes.ts';
import {
  INVITATION_GONE,
  INVITATION_UNCLAIMED,
  INVITATION_WITHOUT_PROJECT,
  invitationActions,
  invitationAlreadyClaimedMessage,
} from '../../../src/slack/invitations/invitation-actions.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { insufficientCreditsText } from '../../../src/slack/kit/words/credits-text.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, NOW, TEAM } from '../samples.ts';
import { CARD, startInvitationDesk, UID } from './invitation-desk.ts';

function route(id: string): ActionRoute {
  const found = invitationActions.find((each) => each.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
}

const claim = route(actionIds.invitationClaim);
const release = route(actionIds.invitationRelease);
const details = route(actionIds.invitationDetails);
const bid = route(actionIds.invitationBid);
const lookUp = route(actionIds.invitationLookUp);

describe('Claim and Release of an invitation', () => {
  it('show on the card, and say nothing besides', async () => {
    const desk = await startInvitationDesk();
    await claim.run(desk.press(UID, CARD, ANA));
    expect(await desk.invitationCard()).toMatchObject({ claim: { by: ANA } });
    expect(await desk.invitationPost()).toMatchObject({ revision: 1 });
    await release.run(desk.press(UID, CARD, ANA));
    expect((await desk.invitationCard())?.claim).toBeUndefined();
    expect(desk.shown).toEqual([]);
  });

  it('tell whoever comes second who holds it; an admin may release it', async () => {
    const desk = await startInvitationDesk();
    await claim.run(desk.press(UID, CARD, ANA));
    await claim.run(desk.press(UID, CARD, BEN));
    await release.run(desk.press(UID, CARD, BEN));
    expect(desk.shown.map(({ to }) => to)).toEqual(['person', 'person']);
    const held = invitationAlreadyClaimedMessage(ANA, NOW);
    expect(desk.shown.map(({ message }) => message)).toEqual([held, held]);
    await release.run(desk.press(UID, CARD, BEN, 'admin'));
    await release.run(desk.press(UID, CARD, BEN));
    expect(desk.shown.at(-1)?.message).toEqual(INVITATION_UNCLAIMED);
  });
});

describe('Details of an invitation', () => {
  const shown = (desk: { readonly views: readonly { readonly view: unknown }[] }) =>
    JSON.stringify(desk.views.at(-1)?.view);

  it('open in a window, free of charge; a lookup is a press there', async () => {
    const desk = await startInvitationDesk({ letter: 'Dear Ana' });
    await details.run(desk.press(UID, CARD, ANA));
    expect(desk.state.lookups).toEqual([]);
    expect(desk.views.map(({ how }) => how)).toEqual(['open']);
    expect(shown(desk)).toContain('Dear Ana');
    await lookUp.run(desk.pressIn(ANA));
    expect(desk.state.lookups).toEqual([{ uid: '1900000000000000600' }]);
    expect(desk.shown).toEqual([]);
  });

  it('ask by ciphertext where the invitation bears one', async () => {
    const desk = await startInvitationDesk({ jobPostingUid: '~0123' });
    await details.run(desk.press(UID, CARD));
    await lookUp.run(desk.pressIn(ANA));
    expect(desk.state.lookups).toEqual([{ ciphertext: '~0123' }]);
  });

  it('say in the window why nothing was bought; the next press tries again', async () => {
    const desk = await startInvitationDesk();
    await details.run(desk.press(UID, CARD));
    const noBudget = { kind: 'no-budget', left: 0, needs: 1, resetsAt: NOW } as const;
    desk.state.lookup = noBudget;
    await lookUp.run(desk.pressIn(ANA));
    expect(shown(desk)).toContain(JSON.stringify(insufficientCreditsText(noBudget)).slice(1, -1));
    desk.state.lookup = {
      kind: 'failed',
      error: new MarketplaceError('not-found', 'none', 'no such project'),
    };
    await lookUp.run(desk.pressIn(ANA));
    expect(shown(desk)).toContain('1900000000000000600');
    desk.state.lookup = { kind: 'failed', error: new MarketplaceError('server', 'unknown', 'broken') };
    await expect(lookUp.run(desk.pressIn(ANA))).rejects.toThrow('broken');
  });

  it('belong to the person who opened them, and to their channel', async () => {
    const desk = await startInvitationDesk();
    await details.run(desk.press(UID, CARD, ANA));
    await claim.run(desk.pressIn(BEN));
    expect((await desk.invitationCard())?.claim).toBeUndefined();
    expect(desk.shown).toHaveLength(1);
    await claim.run(desk.pressIn(ANA));
    expect(await desk.invitationCard()).toMatchObject({ claim: { by: ANA } });
  });
});

describe('Bid on an invitation', () => {
  it('needs a bidder, and opens the form for its project', async () => {
    const desk = await startInvitationDesk();
    expect(bid.needs).toBe('bidder');
    await bid.run(desk.press(UID, CARD, ANA, 'bidder'));
    expect(desk.views[0]?.how).toBe('open');
    const [draft] = await desk.services.store.read((tx) => tx.list(bidDrafts, { prefix: [TEAM], limit: 5 }));
    expect(draft?.value).toMatchObject({
      user: ANA,
      project: 'uid:1900000000000000600',
      title: 'Rebuild our checkout',
      form: { marketplaceJobId: '1900000000000000600' },
    });
  });

  it('says so where the marketplace names no project', async () => {
    const desk = await startInvitationDesk({ jobPostingUid: '<!channel>' });
    for (const each of [bid, lookUp]) await each.run(desk.press(UID, CARD, ANA, 'bidder'));
    expect(desk.views).toEqual([]);
    expect(desk.state.lookups).toEqual([]);
    const refused = { to: 'person', message: INVITATION_WITHOUT_PROJECT };
    expect(desk.shown).toEqual([refused, refused]);
  });
});

describe('a press', () => {
  it('on another message, or with any value, changes nothing of the invitation', async () => {
    const other = MessageTs.parse('1795165020.000901');
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(other, undefined),
        fc.constantFrom(...invitationActions),
        async (value, on, action) => {
          const desk = await startInvitationDesk();
          await action.run(desk.press(value, on, ANA, 'bidder'));
          expect((await desk.invitationCard())?.claim).toBeUndefined();
          expect(desk.views).toEqual([]);
          expect(desk.shown).toHaveLength(1);
          for (const { message } of desk.shown) expectHarmless(message);
          expect(desk.shown[0]?.message).toEqual(INVITATION_GONE);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('believes the message, whatever its value says', async () => {
    const desk = await startInvitationDesk();
    await claim.run(desk.press('another', CARD, ANA));
    expect(await desk.invitationCard()).toMatchObject({ claim: { by: ANA } });
  });
});
