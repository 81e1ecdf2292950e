import { beforeEach, describe, expect, it } from 'vitest';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  TEMPLATE_ANSWER_NOT_SAVED,
  TEMPLATE_ANSWERS_CHANGED,
  TEMPLATE_ANSWERS_FULL,
  TEMPLATE_DRAFT_GONE,
} from '../../../src/slack/templates/template-outcome.ts';
import type { ScreeningAnswer } from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { changed, longest, SMALLEST } from '../../templates/forms.ts';
import { offers } from '../buttons.ts';
import { ANA } from '../samples.ts';
import { type BuilderDesk, startBuilderDesk } from './template-desk.ts';
import { filledIn, namesOf } from './template-screen.ts';

function answer(question: string): ScreeningAnswer {
  return { question, answer: 'Yes.', matchType: 'contains' };
}
const LIST = changed(SMALLEST, { answers: ['a', 'b', 'c'].map(answer) });
const TYPED = {
  'answers.question': { text: ' Why?\r\n' },
  'answers.answer': { text: 'Because.' },
  'answers.matchType': { option: 'exact' },
};

let desk: BuilderDesk;
let draft: TemplateDraft;
let list: string;
beforeEach(async () => {
  desk = startBuilderDesk();
  draft = await desk.open(LIST, 'answers');
  list = desk.lastId();
});

async function questions(): Promise<string[]> {
  return (await desk.draft(draft)).form.answers.map(({ question }) => question);
}
const choose = (value: string) => desk.press(actionIds.templateAnswerMenu, value, {}, { on: list });

describe('the list', () => {
  it('moves and removes what was chosen', async () => {
    await choose('down:0');
    expect(await questions()).toEqual(['b', 'a', 'c']);
    await choose('up:2');
    expect(await questions()).toEqual(['b', 'c', 'a']);
    await choose('remove:1');
    expect(await questions()).toEqual(['b', 'a']);
    expect(desk.words(list)).toMatch(/\b2 of 50\b/u);
  });

  it('does nothing for a press on a list that is not the newest', async () => {
    await desk.save(draft, (form) => changed(form, { answers: ['x', 'y', 'z'].map(answer) }));
    await choose('remove:0');
    expect(await questions()).toEqual(['x', 'y', 'z']);
    expect(desk.words(list)).toContain(TEMPLATE_ANSWERS_CHANGED);
    await choose('remove:7');
    expect(await questions()).toEqual(['x', 'y', 'z']);
  });

  it('takes fifty and no more', async () => {
    const full = Array.from({ length: 50 }, (_, n) => answer(`${n}`));
    await desk.save(draft, (form) => changed(form, { answers: full }));
    await desk.press(actionIds.templateAnswerAdd, 'add', {}, { on: list });
    expect(desk.words(list)).toContain(TEMPLATE_ANSWERS_FULL);
    expect(offers(desk.windowOf(list), actionIds.templateAnswerAdd)).toBe(false);
    expect(desk.desk.views.filter(({ how }) => how === 'push')).toEqual([]);
  });
});

describe('the window of an answer', () => {
  it('adds one to the character, once for a double click, and the list below shows it', async () => {
    await desk.press(actionIds.templateAnswerAdd, 'add', {}, { on: list });
    const view = desk.pressed(desk.lastId(), TYPED);
    const { answer: acked, behind } = await desk.submit({}, { view });
    expect(acked).toMatchObject({ kind: 'close' });
    await desk.submit({}, { view });
    await behind();
    expect((await desk.draft(draft)).form.answers.slice(3)).toEqual([
      { question: ' Why?\r\n', answer: 'Because.', matchType: 'exact' },
    ]);
    expect(desk.words(list)).toMatch(/\b4 of 50\b/u);
  });

  it('keeps a faulty answer, shows its mistakes, and changes that same one when corrected', async () => {
    await desk.press(actionIds.templateAnswerAdd, 'add', {}, { on: list });
    const window = desk.lastId();
    const wrong = { ...TYPED, 'answers.question': { text: 'q'.repeat(501) } };
    const { answer: acked, behind } = await desk.submit(wrong);
    expect(acked).toMatchObject({ kind: 'update' });
    await behind();
    expect(desk.words(window)).toMatch(/\b501\b.*\b500\b/u);
    expect(desk.words(list)).toMatch(/\b501\b/u);
    expect(desk.words(window)).toMatchSnapshot();
    await desk.submit({ 'answers.question': { text: 'Short' } }, { on: window });
    expect(await questions()).toEqual(['a', 'b', 'c', 'Short']);
  });

  it('adds nothing while nothing is in it', async () => {
    await desk.press(actionIds.templateAnswerAdd, 'add', {}, { on: list });
    const { answer: acked } = await desk.submit({
      ...TYPED,
      'answers.question': { text: ' ' },
      'answers.answer': { text: ' ' },
    });
    expect(acked).toMatchObject({ kind: 'errors' });
    expect(await questions()).toEqual(['a', 'b', 'c']);
  });

  it('never overwrites what was changed in another window', async () => {
    await choose('edit:2');
    const window = desk.lastId();
    await desk.save(draft, (form) => changed(form, { answers: [answer('a'), answer('c')] }));
    await desk.submit(TYPED, { on: window });
    expect(await questions()).toEqual(['a', 'c', ' Why?\r\n']);
  });

  it('says so where another window has taken the last place', async () => {
    await desk.press(actionIds.templateAnswerAdd, 'add', {}, { on: list });
    const window = desk.lastId();
    const full = Array.from({ length: 50 }, (_, n) => answer(`${n}`));
    await desk.save(draft, (form) => changed(form, { answers: full }));
    const { answer: acked } = await desk.submit(TYPED, { on: window });
    expect(JSON.stringify(acked)).toContain(TEMPLATE_ANSWER_NOT_SAVED);
    await desk.press(actionIds.templateMoreSpace, 'answers.answer', TYPED, { on: window });
    expect(desk.told()).toEqual([{ text: TEMPLATE_ANSWER_NOT_SAVED }]);
    expect(await questions()).toHaveLength(50);
  });

  it('gives a long answer more room, with what was typed by then on the list', async () => {
    await choose('edit:1');
    const window = desk.lastId();
    await desk.press(actionIds.templateMoreSpace, 'answers.answer', TYPED, { on: window });
    expect(namesOf(desk.windowOf(window))).toContain('answers.answer~2');
    expect(await questions()).toEqual(['a', ' Why?\r\n', 'c']);
    expect(desk.words(list)).toContain('Why?');
    const text = longest(2_000);
    await desk.submit(
      { 'answers.answer': { text: text.slice(0, 2_999) }, 'answers.answer~2': { text: text.slice(2_999) } },
      { on: window },
    );
    expect((await desk.draft(draft)).form.answers[1]?.answer).toBe(text);
  });

  it('can begin anew an answer that no window holds', async () => {
    const huge = { ...answer('b'), answer: '字'.repeat(90_000) };
    await desk.save(draft, (form) => changed(form, { answers: [huge] }));
    await desk.press(actionIds.templateStep, 'answers', {}, { on: list });
    await choose('edit:0');
    const window = desk.lastId();
    expect(namesOf(desk.windowOf(window))).not.toContain('answers.answer');
    await desk.press(actionIds.templateMoreSpace, 'empty:answers.answer', {}, { on: window });
    expect(namesOf(desk.windowOf(window))).toContain('answers.answer');
    expect((await desk.draft(draft)).form.answers).toEqual([{ ...huge, answer: '' }]);
  });

  it('closed, keeps what Slack tells of it, and empties nothing where it tells nothing', async () => {
    await choose('edit:0');
    const window = desk.lastId();
    const typed = filledIn(desk.windowOf(window), TYPED);
    await desk.close(new Map(), window);
    expect(await questions()).toEqual(['a', 'b', 'c']);
    await desk.close(typed, window);
    expect(await questions()).toEqual([' Why?\r\n', 'b', 'c']);
    expect(desk.words(list)).toContain('Why?');
  });

  it('shows the list in the view that Slack has below it, whatever else the window names', async () => {
    await choose('edit:0');
    const window = desk.lastId();
    const view = desk.pressed(window, TYPED);
    const carried: object = JSON.parse(view.privateMetadata);
    const forged = { ...view, privateMetadata: JSON.stringify({ ...carried, root: 'VOTHER' }) };
    const { behind } = await desk.submit({}, { view: forged });
    await behind();
    expect(desk.words(list)).toContain('Why?');
    expect(desk.desk.views.map(({ id }) => id)).not.toContain('VOTHER');
  });

  it('of somebody else, or of nobody, changes nothing', async () => {
    await choose('edit:0');
    const window = desk.lastId();
    const view = desk.pressed(window, TYPED);
    for (const [by, privateMetadata] of [
      [ANA, view.privateMetadata],
      [undefined, ''],
      [undefined, view.privateMetadata.replace(/"draft":"./u, '"draft":"0')],
    ] as const) {
      const forged = { ...view, privateMetadata };
      const { answer: acked } = await desk.submit({}, { view: forged, ...(by ? { by } : {}) });
      expect(JSON.stringify(acked)).toContain(TEMPLATE_DRAFT_GONE.text);
    }
    expect(await questions()).toEqual(['a', 'b', 'c']);
  });
});
