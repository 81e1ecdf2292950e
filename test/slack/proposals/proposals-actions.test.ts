import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageTs } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import type { ActionCall, Message } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { proposalsActions, proposalsCommand } from '../../../src/slack/proposals/proposals-command.ts';
import { proposalsPageValueCodec } from '../../../src/slack/proposals/proposals-found.ts';
import {
  noSuchProposalMessage,
  openProposalAction,
  PROPOSAL_PRESS_OUTDATED,
} from '../../../src/slack/proposals/show-proposal.ts';
import { offers, valuesOf } from '../buttons.ts';
import { complete, proposal, proposalId } from '../fake-proposals.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { asText } from '../kit/as-text.ts';
import { viewWords } from '../kit/harmless-view.ts';
import { NOW } from '../samples.ts';

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
