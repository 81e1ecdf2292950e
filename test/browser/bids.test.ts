import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { JobId } from '../../src/ids.ts';
import { jobStateText } from '../../src/slack/kit/words/job-text.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import {
  actAs,
  answer,
  button,
  fill,
  message,
  modal,
  passUntil,
  sees,
  thread,
  wrongFields,
} from './drive.ts';

const SENT = jobStateText({ id: JobId.parse(1), status: 'completed', statusTitle: '', applicationUid: '1' });
const FOR_MEMBERS = /ask a team member/iu;

describe.skipIf(!hasBrowser)('a bid in the page', () => {
  const desk = setUpDesk({
    prepare: async ({ gig, advanceTime }) => {
      await gig('new-projects', 'subscribe filter 101');
      await advanceTime(30 * SECOND);
    },
  });
  const publish = (title: string) =>
    desk().marketplace.publishProject(101, {
      title,
      clientQuestions: ['Which shops have you built?'],
      usOnly: false,
      ukOnly: false,
      budget: { type: 'fixed', fixedAmount: 500 },
    });

  it('leads from a card that arrives by itself to a proposal on it', async () => {
    const page = await desk().open();
    publish('Rebuild our checkout');
    const card = message(page, 'Rebuild our checkout');
    await passUntil(desk(), card);

    await button(card, 'Bid').click();
    await fill(modal(page), /\(\$/u, '3');
    await fill(modal(page), 'Which shops have you built?', 'Two that you know.');
    await button(modal(page), 'Send Bid').click();
    await wrongFields(modal(page)).waitFor();
    await sees(modal(page), /\b5\b.*\b1,000,000\b/u);
    expect(await modal(page).getByLabel('Which shops have you built?').inputValue()).toBe(
      'Two that you know.',
    );
    expect(await modal(page).locator(':focus').getAttribute('aria-invalid')).toBe('true');

    await fill(modal(page), /\(\$/u, '5000');
    await button(modal(page), 'Add More Space').click();
    await sees(modal(page), /\$5,000\b.*\$500\b/u);
    await fill(modal(page), /\(\$/u, '500');
    await button(modal(page), 'Send Bid').click();
    await sees(modal(page), /#\d{5}/u);
    await button(modal(page), 'Close').click();
    await modal(page).waitFor({ state: 'detached' });

    await passUntil(desk(), card.getByText('1 reply'));
    await card.getByText('1 reply').click();
    await sees(thread(page), `#${desk().marketplace.jobs().at(-1)?.id}`);
    await thread(page).getByLabel('Close the thread').click();

    await button(page, 'Run Waiting Bids').click();
    await passUntil(desk(), card.getByText(SENT).last());
  });

  it('is refused to guests, and to people of another company, who read the card all the same', async () => {
    const page = await desk().open();
    publish('Photos for a bakery');
    await passUntil(desk(), message(page, 'Photos for a bakery'));
    for (const person of ['gus', 'sam']) {
      await actAs(page, person);
      await button(message(page, 'Photos for a bakery'), 'Bid').click();
      await sees(answer(page), FOR_MEMBERS);
    }
    expect(desk().marketplace.jobs()).toHaveLength(1);
    await actAs(page, 'ada');
    await message(page, 'Photos for a bakery').waitFor();
    expect(await answer(page, FOR_MEMBERS).count()).toBe(0);
  });
});
