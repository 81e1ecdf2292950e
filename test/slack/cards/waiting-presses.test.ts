/** A press gets a notice while the marketplace hangs, on every surface. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { actionRoutes } from '../../../src/slack/all-routes.ts';
import { LOOKING_UP_PROJECT_TEXT } from '../../../src/slack/bids/bid-form-actions.ts';
import { slowReplyMessage } from '../../../src/slack/core/slow-reply.ts';
import { createHomeAction } from '../../../src/slack/home/create-home-action.ts';
import { actionIds, viewIds } from '../../../src/slack/kit/ids.ts';
import { chargedCreditsText } from '../../../src/slack/kit/words/credits-text.ts';
import { lookUpWaits, startBidDesk } from '../bids/bid-desk.ts';
import { turn } from '../delivery/delivery-world.ts';
import { startDesk } from '../fakes.ts';
import { ANA } from '../samples.ts';

describe('a press', () => {
  it('says that it waits, where the marketplace is asked before anything is shown', () => {
    expect(
      actionRoutes.flatMap(({ id, pendingLabel }) => (pendingLabel === undefined ? [] : [id])).toSorted(),
    ).toEqual(
      [
        actionIds.backfillConfirm,
        actionIds.detailsLookUp,
        actionIds.invitationLookUp,
        actionIds.jobApprove,
        actionIds.jobPrice,
        actionIds.jobRefresh,
        actionIds.proposalShow,
        actionIds.bidCheck,
        actionIds.resultProjects,
        actionIds.resultProjectsBack,
        actionIds.resultsPage,
        actionIds.resultsBack,
        actionIds.resultDetails,
        actionIds.setupsPage,
        actionIds.setupsBack,
        actionIds.setupPreviewBuy,
        actionIds.runJob,
        actionIds.runLookup,
        actionIds.runProposals,
        actionIds.runSetups,
        actionIds.runTemplate,
      ].toSorted(),
    );
  });

  it('on a Home says so there after two seconds, and then what came of it', async () => {
    const desk = startDesk();
    let answer: () => void = () => undefined;
    const route = createHomeAction({
      id: 'wait',
      needs: 'viewer',
      pendingLabel: '“Approve”',
      parseValue: (value) => value,
      async run(call) {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        await call.answer({ text: 'Approved.' });
        return 'drawn';
      },
    });
    const view = {
      id: 'V1',
      rootId: 'V1',
      hash: 'h',
      callbackId: viewIds.home,
      privateMetadata: '',
      values: new Map(),
    };
    const words = () => JSON.stringify(desk.homes.get(ANA)?.blocks[0] ?? '');
    const pressed = route.run({ ...desk.press('job', undefined, ANA, 'viewer'), view });
    await turn();
    desk.clock.moveBy(2 * SECOND - 1);
    await turn();
    const waiting = slowReplyMessage('“Approve”', true).text;
    expect(words()).not.toContain(waiting);
    desk.clock.moveBy(1);
    await turn();
    expect(words()).toContain(waiting);
    expect(waiting).toContain('“Approve”');
    answer();
    await pressed;
    expect(words()).toContain('Approved.');
  });

  it('in the form of a bid says so there, and then shows what was found', async () => {
    const desk = startBidDesk();
    await desk.knowSetups();
    await desk.type('~4711');
    const found = lookUpWaits(desk);
    const pressed = desk.pressIn(actionIds.bidLookUp, { cover_letter: { text: 'Hi' } });
    await turn();
    expect(desk.words()).not.toContain(LOOKING_UP_PROJECT_TEXT);
    desk.clock.moveBy(2 * SECOND);
    await turn();
    expect(desk.words()).toContain(LOOKING_UP_PROJECT_TEXT);
    found();
    await pressed;
    expect(desk.words()).toContain(chargedCreditsText({ charged: 1 }));
    expect(desk.words()).not.toContain(LOOKING_UP_PROJECT_TEXT);
  });
});
