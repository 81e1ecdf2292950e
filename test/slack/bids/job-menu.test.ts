import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/access/access.ts';
import { SetupId } from '../../../src/ids.ts';
import { cardMenuAction } from '../../../src/slack/cards/card-actions.ts';
import { cardMenuValues } from '../../../src/slack/kit/button-values.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { valuesOf } from '../buttons.ts';
import { startDesk } from '../fakes.ts';
import { ANA, NOW } from '../samples.ts';
import { startJobDesk } from './job-desk.ts';

async function chooseAnotherBid(role: Role) {
  const desk = startDesk();
  const ts = await desk.addCard();
  const { services, state } = startJobDesk();
  const { setups } = services;
  state.known = { setups: [{ id: SetupId.parse(7), name: 'Night shift', status: 'active' }], readAt: NOW };
  const call = desk.press(cardMenuValues.bid, ts, ANA, role);
  await cardMenuAction.run({ ...call, services: { ...desk.services, setups } });
  return desk;
}

describe('“Bid with another setup…” in a card’s menu', () => {
  it('is for bidders, although the menu is for all', async () => {
    const desk = await chooseAnotherBid('viewer');
    expect(desk.shown.map(({ to }) => to)).toEqual(['person']);
    expect(desk.views).toEqual([]);
    expect(valuesOf(desk.shown[0]?.message, actionIds.accessAsk)).toEqual(['bidder']);
  });

  it('opens the form of that project', async () => {
    const { shown, views } = await chooseAnotherBid('bidder');
    expect(shown).toEqual([]);
    expect(views[0]?.how).toBe('open');
    expect(JSON.stringify(views.at(-1)?.view)).toContain('Rebuild our checkout in React');
  });
});
