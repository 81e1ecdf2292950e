import { describe, expect, it } from 'vitest';
import { hasBrowser, setUpDesk } from './desk.ts';
import { button, choose, fill, modal, sees, type } from './drive.ts';

describe.skipIf(!hasBrowser)('a template in the page', () => {
  const desk = setUpDesk();

  it('is built step by step, to its end', async () => {
    const page = await desk().open();
    await type(page, '/gig template new');
    const form = modal(page);
    await sees(form, /Step 1 of 6/u);
    await fill(form, 'Name', 'My first');
    await choose(form, 'Sender', 'Northwind');
    await choose(form, 'Contractor', 'Mara');
    await button(form, 'Next').click();
    await sees(form, /Step 2 of 6/u);
    await fill(form, 'Hourly rate', '45');
    await button(form, 'Next').click();
    await sees(form, /Step 3 of 6/u);
    await fill(form, 'Instructions', 'Be kind.\nBe short.');
    await button(form, 'Next').click();
    await sees(form, /Step 4 of 6/u);
    await fill(form, 'Variant A', 'Hello');
    await button(form, 'Next').click();
    await sees(form, /Step 5 of 6/u);
    await button(form, 'Add answer').click();
    await fill(modal(page), 'Question', 'Why?');
    await choose(modal(page), 'How questions are compared', 'contains');
    await fill(modal(page), 'Answer', 'So.');
    await button(modal(page), 'Save').click();
    await sees(form, /Step 5 of 6/u);
    await sees(form, 'Why?');
    await button(form, 'Next').click();
    await sees(form, /Step 6 of 6/u);
    await button(form, 'Create template').click();
    await sees(form, /is created/u);
    expect(desk().marketplace.templates().at(-1)).toMatchObject({
      name: 'My first',
      ai: { instructions: 'Be kind.\nBe short.' },
      cover_letters: { variant_a: 'Hello' },
      answers: [{ question: 'Why?', answer: 'So.' }],
    });
  });
});
