/** Long texts in the bid form beside a Slack that keeps an input's text while its block stays. */
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { filledIn, inputIds } from '../kit/harmless-view.ts';
import { type BidDesk, CLEO, startBidDesk } from './bid-desk.ts';

/** By block id; an empty input has no text. */
type Screen = Map<string, ViewInputValue>;

let desk: BidDesk;
let screen: Screen;

/** The screen: a block that stays keeps its text; a new one shows the view's. */
function redraw(): void {
  const view = desk.screen();
  const brought = filledIn(view);
  screen = new Map(
    inputIds(view).flatMap((id) => {
      const value = screen.has(id) ? screen.get(id) : brought.get(id);
      return [[id, value ?? {}] as const];
    }),
  );
}

/** Slack's payload for it. */
function sent() {
  return new Map([...screen].filter(([, value]) => Object.keys(value).length > 0));
}

/** The inputs of the cover letter, in order. */
function letterInputs(): readonly string[] {
  return [...screen.keys()].filter((id) => id.startsWith('cover_letter'));
}

function letter(): string {
  return letterInputs()
    .map((id) => screen.get(id)?.text ?? '')
    .join('');
}

/** Types into the cover letter's inputs, from the first on. */
function type(...texts: readonly string[]): void {
  const ids = letterInputs();
  for (const [place, text] of texts.entries()) screen.set(ids[place] ?? '', text === '' ? {} : { text });
}

async function press(id: string): Promise<void> {
  await desk.pressIn(id, {}, { values: sent() });
  redraw();
}

async function stored(): Promise<string | undefined> {
  return (await desk.drafts())[0]?.form.coverLetter;
}

async function open(): Promise<void> {
  desk = startBidDesk();
  await desk.knowSetups();
  await desk.type('~0123456789', CLEO);
  screen = new Map();
  redraw();
}
beforeEach(open);

/** Words that can't be split where an input is full, so they need another input. */
const BRIM = `${'a'.repeat(2_990)}${' '.repeat(10)}`;
const BRIMS = [BRIM, BRIM, BRIM, BRIM];

describe('a cover letter that needs another number of inputs', () => {
  it('shows its end once where it fills its inputs to the brim', async () => {
    await press(actionIds.bidMoreSpace);
    type(...BRIMS);
    await press(actionIds.bidWhen);
    expect(letterInputs()).toHaveLength(5);
    expect(letter()).toBe(BRIMS.join(''));
    await press(actionIds.bidWhen);
    expect(await stored()).toBe(BRIMS.join(''));
  });

  it('loses no end where its beginning was made shorter', async () => {
    await press(actionIds.bidMoreSpace);
    type(...BRIMS);
    await press(actionIds.bidWhen);
    type('Short. ');
    const typed = letter();
    await press(actionIds.bidWhen);
    expect(letterInputs()).toHaveLength(4);
    expect(letter()).toBe(typed);
  });

  it('is the same after a submission that was refused, which leaves the screen as it is', async () => {
    await press(actionIds.bidMoreSpace);
    type(...BRIMS);
    const { answer } = await desk.submit({}, { values: sent() });
    expect(answer).toMatchObject({ kind: 'errors' });
    expect(Object.keys(answer.kind === 'errors' ? answer.errors : {})).toContain('cover_letter');
    await press(actionIds.bidWhen);
    expect(letter()).toBe(BRIMS.join(''));
  });
});

describe('the inputs of the form', () => {
  it('stay the same as long as their number does, so that what is typed meanwhile stays', async () => {
    const before = [...screen.keys()];
    type('Hello');
    await press(actionIds.bidWhen);
    expect([...screen.keys()]).toEqual(before);
    await press(actionIds.bidMoreSpace);
    expect([...screen.keys()]).toEqual(expect.arrayContaining(before));
    type('Hello', 'x'.repeat(2_000));
    await press(actionIds.bidWhen);
    expect([...screen.keys()]).toEqual(expect.arrayContaining(before));
  });

  it('show exactly what was typed, whatever is typed and pressed', async () => {
    const pieces = fc.constantFrom('a', '😀', '👨‍👩‍👧‍👦', ' ', 'word ');
    const part = fc
      .tuple(pieces, fc.constantFrom(0, 7, 2_999, 3_000, 3_000))
      .map(([piece, length]) => piece.repeat(length).slice(0, length));
    const turn = fc.record({
      texts: fc.array(part, { minLength: 1, maxLength: 4 }),
      id: fc.constantFrom(actionIds.bidWhen, actionIds.bidMoreSpace),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
        await open();
        for (const { texts, id } of turns) {
          type(...texts.slice(0, letterInputs().length));
          const typed = letter();
          await press(id);
          expect(letter()).toBe(typed);
          expect(await stored()).toBe(typed);
        }
      }),
      { numRuns: 60 },
    );
  });
});
