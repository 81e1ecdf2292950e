/** From an invitation to the first card, pressing only what is on the screen: no docs, no IDs. */
import { describe, expect, it } from 'vitest';
import { hasBrowser, setUpDesk } from './desk.ts';
import {
  actAs,
  answer,
  button,
  choose,
  field,
  goTo,
  message,
  modal,
  passUntil,
  passUntilThere,
  sees,
  type,
} from './drive.ts';

describe.skipIf(!hasBrowser)('a new member whose channel just got Gigdesk', () => {
  const desk = setUpDesk();

  it.each([
    ['ben', 1280, 800],
    ['ada', 390, 780],
  ])('reaches the first card: %s at %d x %d', async (person, width, height) => {
    const { open, slack, marketplace } = desk();
    const channel = `new-${person}`;
    slack.addChannel({ name: channel, withBot: false });
    const page = await open({ viewport: { width, height }, colorScheme: width < 900 ? 'dark' : 'light' });
    if (person !== 'ada') await actAs(page, person);
    if (width < 900)
      await page
        .getByRole('button', { name: /Channels|Menu/u })
        .first()
        .click();
    await goTo(page, channel);
    const before = marketplace.consumedCredits().total;
    await type(page, '/invite @gigdesk');
    await passUntilThere(desk(), () => slack.messages(channel).at(0));
    await button(page, 'Set Up This Channel').waitFor();
    await button(page, 'Set Up This Channel').click();
    await field(modal(page), 'Filter').waitFor();
    await choose(modal(page), 'Filter', /\(101\)/u);
    await button(modal(page), 'Preview Rules').click();
    await sees(modal(page), /would be posted|up to 10 credits/u);
    expect(marketplace.consumedCredits().total).toBe(before);
    await button(modal(page), 'Next').click();
    await field(modal(page), 'Daily digest').waitFor();
    await button(modal(page), 'Save').click();
    await sees(modal(page), /Saved/u);
    await button(modal(page), 'Close').click();
    // A known project, or else an example that says it's made up.
    await message(page, /Client:/u).waitFor();
    marketplace.publishProject(101, { title: `Found for ${person}` });
    await passUntil(desk(), button(message(page, `Found for ${person}`), 'Claim'));
  });

  it('is answered when it mentions Gigdesk, with buttons that work', async () => {
    const page = await desk().open();
    await goTo(page, 'new-projects');
    await type(page, '@gigdesk what now?');
    await button(answer(page), 'Set Up Channel').click();
    await field(modal(page), 'Filter').waitFor();
  });
});
