/** The bid form's inputs hold what was typed, beside a Slack that keeps a text while its block stays. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeDraft,
  formatDraftRevision,
  openBidDraft,
  readBidDraft,
  recreateDraftInputs,
  splitLongTextInputs,
  withProjectInfo,
} from '../../../src/bidding/bid-drafts.ts';
import type { BidDraft } from '../../../src/bidding/draft-records.ts';
import { bidFormErrors, parseBidForm, shouldRebuildInputs } from '../../../src/slack/bids/bid-fields.ts';
import { bidFormView } from '../../../src/slack/bids/bid-form.ts';
import { bidView } from '../../../src/slack/bids/bid-submit.ts';
import type { PressedView, Services } from '../../../src/slack/core/routes.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';
import { filledIn, inputIds } from '../kit/harmless-view.ts';
import { ANA, NOW, TEAM } from '../samples.ts';
import { draft, FULL, facts } from './bid-form-facts.ts';

const viewOf = (of: BidDraft) => bidFormView(facts({ draft: of }));

describe('the inputs', () => {
  it.each([
    ['of a filled form', draft({}, FULL)],
    ['of a form with an inserted letter', draft({ insertedLetter: { revision: 2, letter: 'x' } }, FULL)],
  ])('%s give back every sign that was typed', (_, filled) => {
    expect(parseBidForm(filledIn(viewOf(filled)), filled)).toEqual(filled.form);
  });

  it('ask for minutes or a moment where that is chosen, and keep what stands in the other', () => {
    const minutes = draft({}, { when: 'in-minutes', inMinutes: '30', at: NOW + 60_000 });
    const view = viewOf(minutes);
    expect(inputIds(view)).toContain('in_minutes');
    expect(inputIds(view)).not.toContain('at');
    const switched = new Map(filledIn(view)).set('when', { option: 'at' });
    expect(parseBidForm(switched, minutes)).toMatchObject({ when: 'at', inMinutes: '30', at: NOW + 60_000 });
  });

  it('ask for the ID first where nothing names the project', () => {
    for (const marketplaceJobId of ['', 'the react one'])
      expect(inputIds(viewOf(draft({}, { marketplaceJobId }))).slice(0, 2)).toEqual(['job_id', 'project_id']);
    expect(inputIds(viewOf(draft()))).not.toContain('job_id');
  });

  it('of a letter that was inserted into a form begun afresh are read, too', () => {
    const again = draft({ afresh: 1, insertedLetter: { revision: 2, letter: 'x' } }, { coverLetter: 'x' });
    expect(parseBidForm(filledIn(viewOf(again)), again).coverLetter).toBe('x');
  });

  it('begun afresh are others, in which nothing of before can stand', () => {
    const before = inputIds(viewOf(draft({ parts: 2 }, FULL)));
    const anew = inputIds(viewOf(draft({ afresh: 1, parts: 2 }, { ...FULL, when: 'at' })));
    expect(anew).toHaveLength(before.length);
    expect(anew.filter((id) => before.includes(id))).toEqual([]);
  });

  it('are read as they stand on the screen, also on one from before', () => {
    const anew = draft({ afresh: 2 }, { when: 'at', at: NOW });
    const values = filledIn(viewOf(anew), {
      'bid_amount@2': { text: '20' },
      'cover_letter@2': { text: 'a' },
      'cover_letter@2~2': { text: 'b' },
    });
    expect(parseBidForm(values, anew)).toMatchObject({ bidAmount: '20', coverLetter: 'ab', when: 'at' });
    const [where] = Object.keys(bidFormErrors([{ field: 'answer:1', message: 'B.' }], anew, values));
    expect(inputIds(viewOf(anew))).toContain(where);
    const old = filledIn(viewOf(draft({}, FULL)));
    expect(parseBidForm(old, anew)).toMatchObject({
      bidAmount: FULL.bidAmount,
      coverLetter: FULL.coverLetter,
    });
    expect(bidFormErrors([{ field: 'setup', message: 'A.' }], anew, old)).toEqual({ setup: 'A.' });
  });
});

it('mistakes stand at their fields; at the nearest where their own is not shown', () => {
  const mistakes = [
    { field: 'setup', message: 'A.' },
    { field: 'answer:1', message: 'B.' },
    { field: 'when', message: 'C.' },
    { field: 'at', message: 'D.' },
  ] as const;
  expect(bidFormErrors(mistakes, draft())).toEqual({ setup: 'A.', answer_1: 'B.', when: 'C. D.' });
  expect(bidFormErrors(mistakes, draft({}, { when: 'at' }))).toMatchObject({ when: 'C.', at: 'D.' });
});

/** A screen and the draft behind it. Slack keeps an input's text while its block stays. */
class Screen {
  draft = draft({ questions: [] });
  readonly #texts = new Map<string, string>();

  constructor() {
    this.#redraw();
  }

  #redraw(): void {
    const view = viewOf(this.draft);
    const shown = filledIn(view);
    const ids = inputIds(view).filter((id) => id.startsWith('cover_letter'));
    const texts = ids.map((id) => [id, this.#texts.get(id) ?? shown.get(id)?.text ?? ''] as const);
    this.#texts.clear();
    for (const [id, text] of texts) this.#texts.set(id, text);
  }

  /** Types into the letter's inputs, from the first on. */
  type(...texts: readonly string[]): void {
    const ids = [...this.#texts.keys()];
    for (const [place, text] of texts.slice(0, ids.length).entries()) this.#texts.set(ids[place] ?? '', text);
  }

  /** A press: saves what stands there, changes the draft, and shows the form again. */
  press(change: (draft: BidDraft) => BidDraft = (it) => it): void {
    const values = new Map(filledIn(viewOf(this.draft)));
    for (const [id, text] of this.#texts) {
      if (text === '') values.delete(id);
      else values.set(id, { text });
    }
    const form = parseBidForm(values, this.draft);
    const saved = { ...this.draft, form };
    this.draft = change(shouldRebuildInputs(this.draft, saved) ? recreateDraftInputs(saved) : saved);
    this.#redraw();
  }

  get inputs(): readonly string[] {
    return [...this.#texts.keys()];
  }

  get letter(): string {
    return [...this.#texts.values()].join('');
  }
}

describe('a long letter', () => {
  /** Words that can't be split where an input is full, so they need another input. */
  const BRIM = `${'a'.repeat(2_990)}${' '.repeat(10)}`;

  it('is shown once where it fills its inputs to the brim, and when it is shortened', () => {
    const screen = new Screen();
    screen.press(splitLongTextInputs);
    screen.type(BRIM, BRIM, BRIM, BRIM);
    screen.press();
    expect(screen.inputs).toHaveLength(5);
    expect(screen.letter).toBe(BRIM.repeat(4));
    screen.type('Short. ');
    const typed = screen.letter;
    screen.press();
    expect(screen.inputs).toHaveLength(4);
    expect([screen.letter, screen.draft.form.coverLetter]).toEqual([typed, typed]);
  });

  it('keeps its inputs as long as their number stays, so that what is typed meanwhile stays', () => {
    const screen = new Screen();
    const { inputs } = screen;
    screen.type('Hello');
    screen.press();
    screen.press(splitLongTextInputs);
    screen.type('Hello', 'x'.repeat(2_000));
    screen.press();
    expect(screen.inputs).toEqual(expect.arrayContaining([...inputs]));
  });

  it('is shown and stored exactly as typed, whatever is typed and pressed', () => {
    const pieces = fc.constantFrom('a', '😀', '👨‍👩‍👧‍👦', ' ', 'word ');
    const part = fc
      .tuple(pieces, fc.constantFrom(0, 7, 2_999, 3_000, 3_000))
      .map(([piece, length]) => piece.repeat(length).slice(0, length));
    const turn = fc.record({ texts: fc.array(part, { minLength: 1, maxLength: 4 }), more: fc.boolean() });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), (turns) => {
        const screen = new Screen();
        for (const { texts, more } of turns) {
          screen.type(...texts);
          const typed = screen.letter;
          screen.press(more ? splitLongTextInputs : undefined);
          expect([screen.letter, screen.draft.form.coverLetter]).toEqual([typed, typed]);
        }
      }),
    );
  });
});

describe('a form that is closed', () => {
  const owner = { team: TEAM, user: ANA };

  /** Closes a form with a letter and an answer, after `change`. @returns what is kept */
  async function close(change = (it: BidDraft) => it, values?: PressedView['values']) {
    const [store, clock] = [createMemoryStore(), new ManualClock(NOW)];
    const { channel, project, title, questions } = draft();
    const subject = { channel, project, title, questions: questions ?? [] };
    const moment = { at: NOW, random: () => 0.5 };
    const opened = await store.transact((tx) => openBidDraft(tx, owner, subject, moment));
    const typed = { cover_letter: { text: 'Half a letter' }, answer_0: { text: 'Three' } };
    const view = {
      privateMetadata: formatDraftRevision(opened),
      values: values ?? filledIn(viewOf(opened), typed),
    };
    await store.transact((tx) => changeDraft(tx, owner, opened.id, change));
    const services = { team: TEAM, store, clock } as Partial<Services> as Services;
    await bidView.closed?.({ user: ANA, view: view as PressedView, services });
    return (await store.read((tx) => readBidDraft(tx, owner, opened.id)))?.form;
  }

  it('keeps what was typed, where Slack tells it', async () => {
    expect(await close()).toMatchObject({ coverLetter: 'Half a letter', answers: ['Three', ''] });
    const before = (it: BidDraft) => ({ ...it, form: { ...it.form, coverLetter: 'Kept before' } });
    expect(await close(before, new Map())).toMatchObject({ coverLetter: 'Kept before' });
  });

  it('moves no answer to another question', async () => {
    const change = (it: BidDraft) =>
      withProjectInfo(it, { title: '', questions: ['Why?', ...(it.questions ?? [])] });
    expect(await close(change)).toMatchObject({ coverLetter: 'Half a letter', answers: [] });
  });
});
