import { describe, expect, it } from 'vitest';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { STEP_TITLES } from '../../src/slack/templates/template-fields.ts';
import { hasBrowser, setUpDesk } from './desk.ts';
import { acting, button, choose, fill, modal, sees, type } from './drive.ts';

describe.skipIf(!hasBrowser)('a template in the page', () => {
  const desk = setUpDesk();

  it('is built step by step, to its end', async () => {
    const page = await desk().open();
    await type(page, '/gig template new');
    const form = modal(page);
    await sees(form, STEP_TITLES.sender);
    await fill(form, 'Name', 'My first');
    await choose(form, 'Sender', 'Northwind');
    await choose(form, 'Contractor', 'Mara');
    await button(form, 'Next').click();
    await sees(form, STEP_TITLES.rates);
    await fill(form, 'Hourly rate', '45');
    await button(form, 'Next').click();
    await sees(form, STEP_TITLES.ai);
    await fill(form, 'Instructions', 'Be kind.\nBe short.');
    await button(form, 'Next').click();
    await sees(form, STEP_TITLES.letters);
    await fill(form, 'Letter A', 'Hello');
    await button(form, 'Next').click();
    await sees(form, STEP_TITLES.answers);
    await acting(form, actionIds.templateAnswerAdd).click();
    await fill(modal(page), 'Question', 'Why?');
    await choose(modal(page), 'How questions are matched', 'contains');
    await fill(modal(page), 'Answer', 'So.');
    await button(modal(page), 'Save').click();
    await sees(form, STEP_TITLES.answers);
    await sees(form, 'Why?');
    await button(form, 'Next').click();
    await sees(form, STEP_TITLES.review);
    await button(form, 'Create Template').click();
    await sees(form, /\/gig template from/u);
    expect(desk().marketplace.templates().at(-1)).toMatchObject({
      name: 'My first',
      ai: { instructions: 'Be kind.\nBe short.' },
      cover_letters: { variant_a: 'Hello' },
      answers: [{ question: 'Why?', answer: 'So.' }],
    });
  });
});
