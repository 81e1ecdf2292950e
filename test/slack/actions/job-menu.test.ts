import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/access/roles.ts';
import { more } from '../../../src/slack/actions/more.ts';
import { menuValues } from '../../../src/slack/messages/values.ts';
import { startDesk } from '../fakes.ts';
import { ANA } from '../samples.ts';
import { startJobDesk } from './job-desk.ts';

async function chooseAnotherBid(role: Role) {
  const desk = startDesk();
  const ts = await desk.addCard();
  const { setups } = startJobDesk().services;
  const call = desk.press(menuValues.bid, ts, ANA, role);
  await more.run({ ...call, services: { ...desk.services, setups } });
  return desk;
}

describe('“Bid with another setup…” in a card’s menu', () => {
  it('is for bidders, although the menu is for all', async () => {
    const desk = await chooseAnotherBid('viewer');
    expect(desk.shown.map(({ to }) => to)).toEqual(['person']);
    expect(desk.words()).toContain('This is for bidders');
  });

  it('opens the form of that project', async () => {
    const { shown, words } = await chooseAnotherBid('bidder');
    expect(shown.some(({ to }) => to === 'person')).toBe(false);
    expect(words()).not.toContain('This is for bidders');
  });
});
