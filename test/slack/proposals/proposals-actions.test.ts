import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import type { MessageTs } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import { membershipRefusal } from '../../../src/slack/core/request-errors.ts';
import type { ActionCall, Message } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  noSuchProposalMessage,
  openProposalAction,
  PROPOSAL_PRESS_OUTDATED,
  proposalCommand,
} from '../../../src/slack/proposals/proposal-command.ts';
import { proposalsActions, proposalsCommand } from '../../../src/slack/proposals/proposals-command.ts';
import { proposalsPageValueCodec } from '../../../src/slack/proposals/proposals-found.ts';
import { shareProposalsAction } from '../../../src/slack/sharing/share-action.ts';
import {
  SHARE_OUTDATED_MESSAGE,
  SHARE_UNCERTAIN,
  SHARED_ALREADY,
  SHARED_DATA_DELETED,
  SHARED_NOTE,
  shownProposals,
} from '../../../src/slack/sharing/shown-proposals.ts';
import { seededRandom } from '../../seeded-random.ts';
import { offers, valuesOf } from '../buttons.ts';
import { complete, proposal, proposalId } from '../fake-proposals.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { viewWords } from '../kit/harmless-view.ts';
import { ANA, BEN, CHANNEL, NOW, TEAM } from '../samples.ts';

let desk: Desk;
beforeEach(() => {
  desk = startDesk();
  desk.proposals.progress = [complete()];
  desk.proposals.held = Array.from({ length: 22 }, (_, n) =>
    proposal({ id: proposalId(922 - n), jobTitle: `Job ${922 - n}` }),
  );
});

/** The value of the first button with this action in the last answer. */
function carriedBy(id: string, message: Message | undefined): string {
  return valuesOf(message, id)[0] ?? expect.fail(`no button does ${id}`);
}

function last() {
  return desk.shown.at(-1) ?? expect.fail('nothing was shown');
}

async function search(query: string): Promise<Message> {
  await proposalsCommand.run(desk.command(query));
  return last().message;
}

function press(id: string, value: string, more: Partial<ActionCall> = {}) {
  const route = proposalsActions.find((each) => each.id === id) ?? expect.fail(`no action ${id}`);
  return route.run({ ...desk.press(value, undefined as MessageTs | undefined), ...more });
}

describe('Previous and Next', () => {
  it('replace the answer by the page that they lead to', async () => {
    await press(actionIds.proposalsPage, carriedBy(actionIds.proposalsPage, await search('')));
    expect(last().to).toBe('replaced');
    expect(asText(last().message)).toMatch(/\b11\D+20\b/u);
    await press(actionIds.proposalsPage, carriedBy(actionIds.proposalsPage, last().message));
    expect(asText(last().message)).toMatch(/\b21\D+22\b/u);
    expect(offers(last().message, actionIds.proposalsPage)).toBe(false);
    await press(actionIds.proposalsBack, carriedBy(actionIds.proposalsBack, last().message));
    expect(asText(last().message)).toMatch(/\b11\D+20\b/u);
  });

  it('beyond the end lead to the last page', async () => {
    await press(actionIds.proposalsPage, proposalsPageValueCodec.write({ query: '', page: 99 }));
    expect(asText(last().message)).toMatch(/\b21\D+22\b/u);
  });

  it('carry a query that nobody could have typed in vain', async () => {
    await press(actionIds.proposalsPage, proposalsPageValueCodec.write({ query: 'boost:lots', page: 1 }));
    expect(last().message.text).toContain('boost:lots');
    expect(last().message.text).toContain('`/gig proposals ');
    await press(actionIds.proposalsPage, JSON.stringify({ query: 'x'.repeat(501), page: 1 }));
    expect(last().message).toEqual(PROPOSAL_PRESS_OUTDATED);
  });
});

describe('Open', () => {
  it('shows a proposal in a modal at once, without asking the marketplace', async () => {
    await openProposalAction.run(desk.press('905', undefined));
    expect(desk.views.map(({ how }) => how)).toEqual(['open']);
    expect(viewWords(desk.views[0]?.view ?? expect.fail('no view'))).toContain('Job 905');
    expect(desk.proposals.asked).toEqual([]);
  });

  it('waits with an open modal for one that is not kept', async () => {
    desk.proposals.elsewhere = [proposal({ id: proposalId(7), jobTitle: 'Elsewhere' })];
    await openProposalAction.run(desk.press('7', undefined));
    expect(desk.views.map(({ how }) => how)).toEqual(['open', 'update']);
    expect(viewWords(desk.views[1]?.view ?? expect.fail('no view'))).toContain('Elsewhere');
  });

  it('says in the modal that there is none, or why it can’t be read', async () => {
    await openProposalAction.run(desk.press('7', undefined));
    expect(viewWords(desk.views[1]?.view ?? expect.fail('no view'))).toContain(
      noSuchProposalMessage('7').text,
    );
    const gone = new MarketplaceError('network', 'unknown', 'gone');
    desk.proposals.findFails = gone;
    await openProposalAction.run(desk.press('7', undefined));
    expect(viewWords(desk.views[3]?.view ?? expect.fail('no view'))).toContain(
      failureMessage(gone, 'ref', NOW).text.split('\n')[0],
    );
  });

  it.each(['', '0', '-1', 'x', '9'.repeat(20)])('with the value “%s” is out of date', async (value) => {
    await openProposalAction.run(desk.press(value, undefined));
    expect(last().message).toEqual(PROPOSAL_PRESS_OUTDATED);
  });
});

describe('Share to Channel', () => {
  function inChannel() {
    return desk.shown.filter(({ to }) => to === 'channel').map(({ message }) => message);
  }

  it('posts what stands there, with who shared it and the query, and without buttons', async () => {
    const value = carriedBy(actionIds.proposalsShare, await search('job is:viewed'));
    await shareProposalsAction.run(desk.press(value, undefined));
    const [posted] = inChannel();
    for (const fact of ['<@U0ANA>', '22 proposals', '`job is:viewed`'])
      expect(posted && asText(posted)).toContain(fact);
    for (const id of [922, 921, 920, 914, 913]) expect(posted && asText(posted)).toContain(`Job ${id}`);
    expect(JSON.stringify(posted)).not.toContain('"button"');
    expect(last().to).toBe('replaced');
    expect(asText(last().message)).toContain(SHARED_NOTE);
    expect(offers(last().message, actionIds.proposalsShare)).toBe(false);
    expect(posted && asText(posted)).toMatchSnapshot();
  });

  it('posts the page that was shown, although newer proposals have come since', async () => {
    const value = carriedBy(actionIds.proposalsShare, await search(''));
    desk.proposals.held = [proposal({ id: proposalId(999), jobTitle: 'Newer' }), ...desk.proposals.held];
    await shareProposalsAction.run(desk.press(value, undefined));
    expect(asText(inChannel()[0] ?? expect.fail('nothing'))).not.toContain('Newer');
  });

  it('pressed twice at once posts once', async () => {
    const value = carriedBy(actionIds.proposalsShare, await search('job'));
    await Promise.all([1, 2, 3].map(() => shareProposalsAction.run(desk.press(value, undefined))));
    expect(inChannel()).toHaveLength(1);
    await shareProposalsAction.run(desk.press(value, undefined));
    expect(inChannel()).toHaveLength(1);
    expect(last().message).toEqual(SHARED_ALREADY);
  });

  it('is nobody else’s', async () => {
    const value = carriedBy(actionIds.proposalsShare, await search('job'));
    await shareProposalsAction.run(desk.press(value, undefined, BEN));
    expect(inChannel()).toEqual([]);
    expect(last().message).toEqual(SHARE_OUTDATED_MESSAGE);
  });

  it('that Slack refused can be pressed again; one without an answer is not repeated', async () => {
    const value = carriedBy(actionIds.proposalsShare, await search('job'));
    const sharing = (end: 'refused' | 'unknown') => {
      const call = desk.press(value, undefined);
      const answer: ActionCall['answer'] = async (message, to) => {
        if (to === 'channel') throw new SlackCallError('not_in_channel', end);
        await call.answer(message);
      };
      return shareProposalsAction.run({ ...call, answer });
    };
    await expect(sharing('refused')).rejects.toThrow(SlackCallError);
    await sharing('unknown');
    expect(last().message).toEqual(SHARE_UNCERTAIN);
    await shareProposalsAction.run(desk.press(value, undefined));
    expect(last().message).toEqual(SHARED_ALREADY);
    expect(inChannel()).toEqual([]);
  });

  it('in a modal belongs to the channel in which it was opened, read from our own record', async () => {
    await openProposalAction.run(desk.press('905', undefined));
    const view = desk.views[0]?.view ?? expect.fail('no view');
    const pressed = { id: 'V1', rootId: 'V1', hash: 'h', callbackId: '', values: new Map() };
    const share = view.private_metadata ?? expect.fail('no metadata');
    const place = (user: typeof ANA, privateMetadata: string) =>
      shareProposalsAction.findChannel?.({
        user,
        services: desk.services,
        value: '',
        view: { ...pressed, privateMetadata },
      });
    expect(await place(ANA, share)).toBe(CHANNEL);
    expect(await place(BEN, share)).toBeUndefined();
    expect(await place(ANA, JSON.stringify({ channel: 'C0OTHER' }))).toBeUndefined();
    const call = desk.press(share, undefined);
    await shareProposalsAction.run({ ...call, view: { ...pressed, privateMetadata: share } });
    expect(last().message.text).toBe(membershipRefusal('out'));
    expect(inChannel()).toEqual([]);
    desk.state.channels = [{ id: CHANNEL, name: 'web', isPrivate: false }];
    desk.clock.moveBy(MINUTE);
    await shareProposalsAction.run({ ...call, view: { ...pressed, privateMetadata: share } });
    expect(asText(inChannel()[0] ?? expect.fail('nothing'))).toContain('<@U0ANA>');
    expect(asText(inChannel()[0] ?? expect.fail('nothing'))).toContain('Job 905');
    expect(viewWords(desk.views[1]?.view ?? expect.fail('no view'))).toContain(SHARED_NOTE);
  });

  it('of what is no longer known says so', async () => {
    const value = carriedBy(actionIds.proposalsShare, await search('job'));
    desk.proposals.held = [];
    await shareProposalsAction.run(desk.press(value, undefined));
    expect(last().message).toEqual(SHARED_DATA_DELETED);
    expect(inChannel()).toEqual([]);
  });

  it('shares a proposal in full that no followed profile has', async () => {
    desk.proposals.elsewhere = [proposal({ id: proposalId(7), jobTitle: 'Elsewhere' })];
    await proposalCommand.run(desk.command('7'));
    await shareProposalsAction.run(
      desk.press(carriedBy(actionIds.proposalsShare, last().message), undefined),
    );
    expect(asText(inChannel()[0] ?? expect.fail('nothing'))).toContain('Elsewhere');
  });

  it('is not offered where there is no channel', async () => {
    await proposalsCommand.run({ ...desk.command(''), channel: 'D0ANA' as typeof CHANNEL });
    expect(offers(last().message, actionIds.proposalsShare)).toBe(false);
  });

  it.each(['', '{}', 'a'.repeat(26), '<!channel>'])('with the value “%s” shares nothing', async (value) => {
    await shareProposalsAction.run(desk.press(value, undefined));
    expect(inChannel()).toEqual([]);
    expectHarmless(last().message);
  });

  it('keeps what was shown for a day, and no longer', async () => {
    const random = seededRandom(1);
    const searchAnew = () => {
      const call = desk.command('');
      return proposalsCommand.run({ ...call, services: { ...call.services, random } });
    };
    for (let n = 0; n < 20; n++) await searchAnew();
    desk.clock.moveBy(25 * 3_600_000);
    for (let n = 0; n < 6; n++) await searchAnew();
    const kept = await desk.services.store.read((tx) =>
      tx.list(shownProposals, { prefix: [TEAM], limit: 100 }),
    );
    expect(kept).toHaveLength(6);
  });
});
