import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { actAs, answer, button, fill, message, modal, passUntil, sees, thread } from './drive.ts';

describe.skipIf(!hasBrowser)('a bid in the page', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, pass }) => {
      await gig('new-projects', 'subscribe filter 101');
      await pass(30 * SECOND);
    },
  });
  const publish = (title: string) =>
    desk().marketplace.publish(101, {
      title,
      clientQuestions: ['Which shops have you built?'],
      usOnly: false,
      ukOnly: false,
    });

  it('leads from a card that arrives by itself to a proposal on it', async () => {
    const page = await desk().open();
    publish('Rebuild our checkout');
    const card = message(page, 'Rebuild our checkout');
    await passUntil(desk(), card);

    await button(card, 'Bid').click();
    await fill(modal(page), /, in \$/u, '3');
    await fill(modal(page), 'Which shops have you built?', 'Two that you know.');
    await button(modal(page), 'Send bid').click();
    await sees(modal(page), 'One field needs another look.');
    await sees(modal(page), /A bid is 5 to 1,000,000/u);
    expect(await modal(page).getByLabel('Which shops have you built?').inputValue()).toBe(
      'Two that you know.',
    );
    expect(await modal(page).locator(':focus').getAttribute('aria-invalid')).toBe('true');

    await fill(modal(page), /, in \$/u, '500');
    await button(modal(page), 'Send bid').click();
    await sees(modal(page), /Your bid is created: job #\d+/u);
    await button(modal(page), 'Close').click();
    await modal(page).waitFor({ state: 'detached' });

    await passUntil(desk(), button(card, '1 reply'));
    await button(card, '1 reply').click();
    await sees(thread(page), /job #\d+/iu);
    await thread(page).getByLabel('Close the thread').click();

    await button(page, 'Run waiting jobs').click();
    await passUntil(desk(), card.getByText(/proposal sent/iu));
  });

  it('is refused to guests, and to people of another company, who read the card all the same', async () => {
    const page = await desk().open();
    publish('Photos for a bakery');
    await passUntil(desk(), message(page, 'Photos for a bakery'));
    for (const person of ['gus', 'sam']) {
      await actAs(page, person);
      await button(message(page, 'Photos for a bakery'), 'Bid').click();
      await sees(answer(page), /Guests and people of other workspaces can read the cards/u);
    }
    expect(desk().marketplace.jobs()).toHaveLength(1);
    await actAs(page, 'ada');
    await message(page, 'Photos for a bakery').waitFor();
    expect(await answer(page, 'Guests').count()).toBe(0);
  });
});
