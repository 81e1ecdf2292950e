/** What people approve is what is sent: its project, every ID and time, and each character of its texts. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { FAST_SETUP, PATHS, SHOP, sendBid, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const KNOWN_CLIENT = { totalHires: 20, totalSpent: 50_000 };

describe('a project whose link has no ID', () => {
  const BID = { 'Bidding setup': 'Fast setup', 'Fixed-price bid': '100', 'Cover letter': 'Dear client' };

  appTest('is approved by the ID that is sent, whose client is unknown', async ({ market, ada, ben }) => {
    await setRules(ada, { 'Second approval options': ['For clients without history'] });
    market.service.setModes({ redirectUrls: true });
    const card = await market.publish({ ...SHOP, client: KNOWN_CLIENT }).cardIn('web');
    const other = market.publish({ ...SHOP, title: 'Paint our app' }, []).project;
    const form = await ben.press(card, 'Bid');
    await form.send({ ...BID, 'Project link or ~ID': other.ciphertext, 'Project ID': '4711' });
    expect(market.jobs).toEqual([]);
    const request = offering(card, 'Approve');
    for (const fact of [other.ciphertext, '4711', "can't confirm"]) expect(request.text).toContain(fact);
    await ada.press(request, 'Approve');
    const [sent] = market.requests(PATHS.bid);
    expect(sent?.body).toMatchObject({ marketplace_job_id: other.ciphertext, project_id: 4711 });
  });

  appTest('takes no ID that is known to be another project’s', async ({ market, ben }) => {
    market.service.setModes({ redirectUrls: true });
    const card = await market.publish(SHOP).cardIn('web');
    const other = market.publish({ ...SHOP, title: 'Paint our app' }, []).project;
    const form = await ben.press(card, 'Bid');
    const named = await form.press('Add More Space', { 'Project link or ~ID': other.ciphertext });
    const looked = await named.press('Look Up');
    expect(looked.text).toContain('Paint our app');
    const refused = await looked.send(BID);
    expect(refused.text).toContain("another project's ID");
    expect(market.requests(PATHS.bid)).toEqual([]);
  });

  appTest.for([
    ['is another by now', 'Rebuild our shop'],
    ['is empty', null],
  ] as const)('takes its own ID though its title %s', async ([, title], { market, ada, ben }) => {
    await setRules(ada, { 'Second approval above this amount': '50' });
    market.service.setModes({ redirectUrls: true });
    const shop = market.publish(SHOP);
    const card = await shop.cardIn('web');
    const form = await ben.press(card, 'Bid');
    const named = await form.press('Add More Space', { 'Project link or ~ID': shop.project.ciphertext });
    market.fail(PATHS.lookup, {
      kind: 'answer',
      status: 200,
      json: { data: { title, url: shop.project.url } },
    });
    const looked = await named.press('Look Up');
    expect(looked.text).not.toContain("another project's");
    await looked.send(BID);
    const request = offering(card, 'Approve');
    expect(request.text).toContain("can't confirm");
    await ada.press(request, 'Approve');
    expect(market.requests(PATHS.bid)).toHaveLength(1);
  });

  reviewed('shows the approver of its job that a typed project ID is unproven', async ({ market, ben }) => {
    market.service.setModes({ redirectUrls: true });
    const shop = market.publish({ ...SHOP, client: KNOWN_CLIENT });
    const card = await shop.cardIn('web');
    const { ciphertext, id } = shop.project;
    const form = await ben.press(card, 'Bid');
    const ids = { 'Project link or ~ID': ciphertext, 'Project ID': String(id) };
    const looked = await (await form.press('Add More Space', ids)).press('Look Up');
    await looked.send(BID);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
    expect(offering(card, 'Approve').text).toContain("can't confirm");
  });

  appTest('forgets price and questions of an earlier ID', async ({ market, ada, ben }) => {
    await setRules(ada, { 'Second approval above this many connects': '10' });
    market.service.setModes({ redirectUrls: true });
    const cheap = market.publish({ ...SHOP, connectsPrice: 4 });
    const card = await cheap.cardIn('web');
    const dear = market.publish({ ...SHOP, connectsPrice: 60 }, []).project;
    const form = await ben.press(card, 'Bid');
    const ids = { 'Project link or ~ID': cheap.project.ciphertext };
    const looked = await (await form.press('Add More Space', ids)).press('Look Up');
    expect(looked.text).toContain('4 connects');
    const answered = { 'Which shops have you built?': 'Three' };
    const back = await looked.send({ ...BID, ...answered, 'Project link or ~ID': dear.ciphertext });
    expect(back.text).toContain('you changed the ~ID');
    expect(back.text).not.toContain('4 connects');
    expect(back.fields()).not.toContain('Which shops have you built?');
    await back.send();
    expect(market.requests(PATHS.bid)).toEqual([]);
    expect(offering(card, 'Approve').text).toContain("price in connects isn't known");
    await ada.press(offering(card, 'Cancel'), 'Cancel');
    await ben.close();
    const again = await ben.press(card, 'Try Again');
    const right = await again.press('Look Up', ids);
    expect(right.text).toContain('[Three]');
  });
});

describe('a letter', () => {
  const END = 'We start on Monday.';
  const LONG = `${'Our team has built many shops. '.repeat(60)}${END}`;
  const LONGER = `${'Our team has built many shops. '.repeat(120)}${END}`;
  const rules = { 'Second approval above this amount': '100' };

  const send = (card: Message, by: Person, letter: string) =>
    sendBid(by, card, { 'Fixed-price bid': '600', 'Cover letter': letter });

  appTest('that the request shortens is approved below all of it', async ({ market, ada, ben }) => {
    await setRules(ada, rules);
    const card = await market.publish(SHOP).cardIn('web');
    await send(card, ben, LONG);
    const request = offering(card, 'Review');
    expect(request.text).not.toContain(END);
    expect(request.offers('Approve')).toBe(false);
    const window = await ada.press(request, 'Review');
    expect(window.text).toContain(END);
    const done = await window.send();
    expect(done.text).toContain('Your approval counts');
    expect(market.requests(PATHS.bid).map((it) => it.body)).toMatchObject([{ cover_letter: LONG }]);
  });

  reviewed('of a waiting job is approved below all of it, in each place', async ({ market, ada, ben }) => {
    const card = await market.publish(SHOP).cardIn('web');
    await send(card, ben, LONG);
    const details = await ada.type(`/gig job ${market.jobs[0]?.id}`);
    const request = offering(card, 'Reject');
    for (const place of [details, request]) {
      expect(place.text).not.toContain(END);
      expect(place.offers('Approve')).toBe(false);
    }
    const window = await ada.press(request, 'Review');
    expect(window.text).toContain(END);
    await window.send();
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  });

  reviewed('of the setup’s template is approved below all of it', async ({ market, ada, ben, pass }) => {
    const template = { id: 61, name: 'Shops' };
    market.service.addTemplate({ ...template, cover_letters: { variant_a: LONGER, variant_b: null } });
    market.service.updateSetup(FAST_SETUP.id, { biddingTemplate: template });
    await pass(6 * MINUTE);
    const card = await market.publish(SHOP).cardIn('web');
    const form = await ben.press(card, 'Bid');
    expect(form.text).not.toContain(END);
    await form.send({ 'Bidding setup': FAST_SETUP.name });
    await ben.close();
    const request = offering(card, 'Review');
    expect(request.offers('Approve')).toBe(false);
    const window = await ada.press(request, 'Review');
    expect(window.text).toContain(END);
    await window.send();
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  });

  appTest('shows its hidden characters, and is sent as shown', async ({ market, ada, ben }) => {
    await setRules(ada, rules);
    const card = await market.publish(SHOP).cardIn('web');
    const letter = 'Pay \u202E001$\u202C in ad\u200Bvance 👩\u200D💻\n\n\nBen';
    await send(card, ben, letter);
    const request = offering(card, 'Approve');
    expect(request.text).toContain('Pay [U+202E]001$[U+202C] in ad[U+200B]vance 👩\u200D💻');
    expect(request.text).toContain('3 of them hidden');
    await ada.press(request, 'Approve');
    expect(market.requests(PATHS.bid).map((it) => it.body)).toMatchObject([{ cover_letter: letter }]);
  });
});
