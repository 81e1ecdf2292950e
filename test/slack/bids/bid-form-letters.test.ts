/** What the form shows beside its fields: the template's letter, letters that worked, an interview's cost. */
import { beforeEach, describe, expect, it } from 'vitest';
import { parseBidForm } from '../../../src/slack/bids/bid-fields.ts';
import { bidFormView } from '../../../src/slack/bids/bid-form.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { plainTemplate } from '../../plain-template.ts';
import { proposal, proposalId } from '../fake-proposals.ts';
import { expectHarmlessView, filledIn, initialOf, viewWords } from '../kit/harmless-view.ts';
import { listed } from '../samples.ts';
import { type BidDesk, startBidDesk } from './bid-desk.ts';
import { draft, facts } from './bid-form-facts.ts';

function wordsWith(change: Parameters<typeof facts>[0]): string {
  const view = bidFormView(facts(change));
  expectHarmlessView(view);
  return viewWords(view);
}

describe('what the template sends', () => {
  const HOURLY = { rate: 45, mode: 'fixed' };
  const read = (known: Parameters<typeof plainTemplate>[1]) =>
    ({ kind: 'read', template: plainTemplate(3, known) }) as const;

  it('shows its letter and the rate of the project’s kind', () => {
    const template = read({
      hourlyRate: HOURLY,
      fixedPrice: { price: 900 },
      coverLetters: { variantA: 'Dear client,\n\nI build shops.' },
    });
    const hourly = wordsWith({ template, budget: { type: 'Hourly' } });
    expect(hourly).toContain('I build shops.');
    expect(hourly).toContain('$45');
    expect(hourly).not.toContain('$900');
    const fixed = wordsWith({ template, budget: { type: 'Fixed' } });
    expect(fixed).toContain('$900');
    expect(fixed).not.toContain('$45');
    const unknown = wordsWith({ template });
    expect(unknown).toContain('$45');
    expect(unknown).toContain('$900');
  });

  it('shows both letters of a test, each cut with a notice', () => {
    const letters = { variantA: 'a'.repeat(5_000), variantB: 'Short B' };
    const words = wordsWith({ template: read({ coverLetters: letters, abTesting: true }) });
    expect(words).toContain('Short B');
    expect(words).toMatch(/1,400.*5,000 characters/u);
  });

  it('says what is not shown, and shows the instructions instead', () => {
    const hidden = wordsWith({ template: read({ ai: { instructions: 'Be brief and kind.' } }) });
    expect(hidden).toContain("doesn't show this template's letter");
    expect(hidden).toContain('Be brief and kind.');
    const away = wordsWith({ template: { kind: 'unreadable' } });
    expect(away).toMatch(/Shops.*aren't shown/u);
    expect(wordsWith({})).toMatch(/^:hourglass_flowing_sand: .*Shops/mu);
  });
});

describe('the top of the form', () => {
  it('has the client, the flags and the verdict as the card has them', () => {
    const project = listed({
      client: { country: 'Norway', verified: false, rating: 4.9, reviews: 32 },
      verdict: { decision: 'qualified', reason: 'Fits our shops', other: {} },
      description: 'Short',
    });
    const top = wordsWith({ project }).split('Bidding setup')[0] ?? '';
    for (const fact of ['Norway', '4.9', 'payment not verified', 'qualified', 'Fits our shops'])
      expect(top).toContain(fact);
    expect(top).toMatch(/^:triangular_flag_on_post: /mu);
    // A list without the description is no reason for a flag.
    const { description: _none, ...bare } = project;
    expect(wordsWith({ project: bare })).not.toContain(':triangular_flag_on_post:');
  });

  it('says what an interview costs, with its interval, only where that is known', () => {
    const cost = { connects: 191.6, low: 120, high: 330, proposals: 163, days: 30 };
    expect(wordsWith({ answerCost: cost })).toMatch(/192 connects.*120.*330.*163.*30 days/u);
    expect(wordsWith({})).not.toMatch(/interview/iu);
  });
});

const ANSWERED = proposal({ id: proposalId(901), interviewed: true, coverLetter: 'The letter that worked' });
const OTHER = proposal({ id: proposalId(902), hired: true, coverLetter: 'Another one' });

describe('Use Letter', () => {
  let desk: BidDesk;
  const typed = { bid_amount: { text: '1500' }, answer_1: { text: 'Three' } };
  const use = (id: number, values: Parameters<BidDesk['pressIn']>[1] = {}) =>
    desk.pressIn(actionIds.bidUseLetter, values, { value: String(id) });
  const letterId = () => /"block_id":"(cover_letter[^"~]*)"/u.exec(JSON.stringify(desk.screen()))?.[1] ?? '';
  const form = async () => (await desk.drafts())[0]?.form;

  beforeEach(async () => {
    desk = startBidDesk();
    const card = await desk.desk.addCard();
    await desk.knowSetups();
    desk.desk.proposals.held = [
      ANSWERED,
      OTHER,
      proposal({ id: proposalId(903), coverLetter: 'Unanswered' }),
    ];
    desk.desk.proposals.letters = [
      { proposal: ANSWERED, shared: ['react'] },
      { proposal: OTHER, shared: ['checkout'] },
    ];
    await desk.press(actionIds.bid, listed().key, card);
  });

  it('is offered with the outcome and the first words', () => {
    expect(desk.words()).toMatch(/Interviewed.*react/u);
    expect(desk.words()).toContain('The letter that worked');
  });

  it('inserts the letter, gives only that field new inputs, and keeps everything typed', async () => {
    await use(901, typed);
    expect(letterId()).not.toBe('cover_letter');
    expect(initialOf(desk.screen(), letterId())).toBe('The letter that worked');
    expect(initialOf(desk.screen(), 'bid_amount')).toBe('1500');
    expect(initialOf(desk.screen(), 'answer_1')).toBe('Three');
    const [before] = await desk.drafts();
    expect(before && parseBidForm(filledIn(desk.screen()), before)).toEqual(before?.form);
    expect(await form()).toMatchObject({ bidAmount: '1500', coverLetter: 'The letter that worked' });
  });

  it('keeps the own letter, however many are tried, and swaps it back', async () => {
    await use(901, { ...typed, cover_letter: { text: 'My own words' } });
    await use(902);
    expect(await form()).toMatchObject({ coverLetter: 'Another one' });
    await desk.pressIn(actionIds.bidSwapLetter);
    expect(await form()).toMatchObject({ coverLetter: 'My own words', bidAmount: '1500' });
    await desk.pressIn(actionIds.bidSwapLetter);
    expect(await form()).toMatchObject({ coverLetter: 'Another one' });
  });

  it('keeps changes of an inserted letter, too', async () => {
    await use(901);
    await use(902, { [letterId()]: { text: 'The letter that worked, for you' } });
    await desk.pressIn(actionIds.bidSwapLetter);
    expect(await form()).toMatchObject({ coverLetter: 'The letter that worked, for you' });
  });

  it('of no known answered proposal inserts nothing, and keeps what was typed', async () => {
    for (const id of [903, 904, Number.NaN]) {
      await use(id, { cover_letter: { text: 'Mine' } });
      expect(await form()).toMatchObject({ coverLetter: 'Mine' });
      expect(desk.words()).toContain("wasn't inserted");
    }
  });

  it('sends what the field shows, and says a mistake there', async () => {
    await use(901);
    const { answer } = await desk.submit({ [letterId()]: { text: '   ' } });
    expect(answer.kind === 'errors' && Object.keys(answer.errors)).toEqual([letterId()]);
    const { behind } = await desk.submit({ [letterId()]: { text: 'Worked before, and now' } });
    await behind();
    expect(desk.state.created.map(({ coverLetter }) => coverLetter)).toEqual(['Worked before, and now']);
  });

  it('emptied is empty: the template writes it', async () => {
    await use(901);
    const { behind } = await desk.submit({ [letterId()]: {} });
    await behind();
    expect(desk.state.created.map(({ coverLetter }) => coverLetter)).toEqual([undefined]);
  });
});

it('the letter of a form that was laid out anew is read from its own inputs', () => {
  const again = draft({ afresh: 1, insertedLetter: { revision: 2, letter: 'x' } }, { coverLetter: 'x' });
  const view = bidFormView(facts({ draft: again }));
  expect(parseBidForm(filledIn(view), again).coverLetter).toBe('x');
});
