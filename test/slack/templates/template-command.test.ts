import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { TemplateId, UserId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import { failureMessage } from '../../../src/slack/core/failures.ts';
import { loadingView } from '../../../src/slack/kit/block-builders.ts';
import { inputErrorMessage } from '../../../src/slack/kit/command-text.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { templateCommand as command } from '../../../src/slack/templates/template-command.ts';
import { templateCopyNotesText } from '../../../src/slack/templates/template-details.ts';
import {
  noSuchTemplateMessage,
  templateDraftsMessage,
  tooManyDraftsMessage,
} from '../../../src/slack/templates/template-drafts.ts';
import {
  DASHBOARD_ONLY_FEATURES_TEXT,
  TEMPLATE_BUILDER_TITLE,
} from '../../../src/slack/templates/template-fields.ts';
import { MAX_OPEN_TEMPLATE_DRAFTS } from '../../../src/templates/drafts.ts';
import { template } from '../../templates/forms.ts';
import { valuesOf } from '../buttons.ts';
import { initialOf, viewWords } from '../kit/harmless-view.ts';
import { BEN, NOW } from '../samples.ts';
import { startTemplateDesk, type TemplateDesk } from './template-drafts-desk.ts';
import { placeOf } from './template-screen.ts';

/** The start of every corrected example. */
const [EXAMPLE_FOLLOWS = ''] = inputErrorMessage('', 'x').text.split('`');

let desk: TemplateDesk;
beforeEach(() => {
  desk = startTemplateDesk();
});

const NO_SUCH_TEMPLATE = noSuchTemplateMessage(TemplateId.parse(12));

async function fillUp(): Promise<void> {
  for (let each = 0; each < MAX_OPEN_TEMPLATE_DRAFTS; each++)
    await desk.draft((form) => ({ ...form, name: `Draft ${each}` }));
}

describe('/gig template', () => {
  it('alone tells what can be done, how many drafts there are, and what only the dashboard can', async () => {
    await desk.draft();
    const [shown] = await desk.type('');
    expect(shown?.to).toBe('person');
    for (const command of ['new', 'from &lt;id&gt;', 'show &lt;id&gt;', 'drafts'])
      expect(shown?.text).toContain(`\`/gig template ${command}\``);
    expect(shown?.text).toContain('1 draft');
    expect(shown?.text).toContain(DASHBOARD_ONLY_FEATURES_TEXT);
    expect(shown?.text).toMatchSnapshot();
    expect(desk.takeViews()).toEqual([]);
  });

  it.each([
    ['drafs', '`/gig template drafts`'],
    ['NEU', '`/gig template new`'],
    ['form 12', '`/gig template from 12`'],
    ['sandwiches', '`/gig template new`'],
    ['<!channel> `x`', '`/gig template new`'],
    ['new Night shift', '`/gig template new`'],
    ['drafts of mine', '`/gig template drafts`'],
    ['from', '`/gig template from 12`'],
    ['show', '`/gig template show 12`'],
    ['from Calm', '`/gig template from 12`'],
    ['from 0', '`/gig template from 12`'],
    ['from 12 13', '`/gig template from 12`'],
    ['from -1', '`/gig template from 12`'],
    ['from 1e3', '`/gig template from 12`'],
    ['from 99999999999999999999', '`/gig template from 12`'],
  ])('answers “%s” with what would be right, and opens nothing', async (args, right) => {
    const shown = await desk.type(args);
    expect(shown).toHaveLength(1);
    expect(shown[0]?.text).toContain(right);
    expect(shown[0]?.text).toMatchSnapshot();
    expect(desk.takeViews()).toEqual([]);
    expect(desk.calls).toEqual([]);
    expect(await desk.drafts()).toEqual([]);
  });

  it.each(['12', '#12', 'show 12', 'show calm', 'show "Calm"', 'show template 12'])(
    'shows a template in full, for the person alone and at no cost: “%s”',
    async (args) => {
      const { directory, store, clock } = desk.services;
      const learned = [{ kind: 'template', id: 12, name: 'Calm' }] as const;
      await store.transact((tx) => directory.recordNames(tx, learned, clock.now()));
      desk.state.template = template({
        hourlyRate: { mode: 'flexible', rate: 40, rulesCount: 3 },
        ai: { instructions: 'Be short.', clientQuestions: 'Answer kindly.' },
        answers: [{ question: 'When?', answer: 'Today.', matchType: 'contains' }],
        filters: [{ id: 101, name: 'React work' }],
        attachments: [{ uid: 'a1', name: 'cv.pdf' }],
      });
      const [shown] = await desk.type(args);
      expect(shown?.to).toBe('person');
      for (const fact of ['Calm', '#12', 'Ana', '3 budget rules', 'Be short.', 'Answer kindly.', 'Hello'])
        expect(shown?.text).toContain(fact);
      for (const fact of ['“When?” → “Today.”', 'React work (101)', 'cv.pdf'])
        expect(shown?.text).toContain(fact);
      expect(desk.takeViews()).toEqual([]);
    },
  );

  it('shows hostile and very long templates harmlessly', async () => {
    const long = '<!channel> `x` '.repeat(900);
    const answers = Array.from({ length: 50 }, () => ({ question: long, answer: long, matchType: long }));
    const named = Array.from({ length: 50 }, (_, id) => ({ id: id + 1, name: long }));
    desk.state.template = template({
      name: long,
      sender: { name: long, type: long, organization: long },
      ai: { model: long, instructions: long, clientQuestions: long, additionalContext: long },
      coverLetters: { variantA: long, variantB: long },
      filters: named,
      setups: named,
      answers,
    });
    expect(await desk.type('show 12')).toHaveLength(1);
  });

  it('says so if a name fits several templates, or if the marketplace has no such template', async () => {
    const { directory, store, clock } = desk.services;
    const learned = [1, 2].map((id) => ({ kind: 'template', id, name: `Calm ${id}` }) as const);
    await store.transact((tx) => directory.recordNames(tx, learned, clock.now()));
    const [several] = await desk.type('show calm');
    expect(several?.text).toContain('Calm 1 (1), Calm 2 (2)');
    const [missing] = await desk.type('show 77');
    expect(missing?.text).toContain('#77');
  });

  it('survives whatever is typed, without harm', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (typed) => {
        await desk.type(`from ${typed}`);
        await desk.type(`x${typed}`);
        await desk.type(`drafts ${typed}`);
      }),
      { numRuns: 60 },
    );
  });

  it('shows examples that work', async () => {
    desk.state.template = template();
    for (const example of command.examples) {
      const words = await desk.type(example.replace(/^template\s*/u, ''));
      expect(words.map((each) => each.text).join('')).not.toContain(EXAMPLE_FOLLOWS);
    }
  });
});

describe('/gig template new', () => {
  it.each(['new', ' NEW ', '“new”'])('%s opens an empty form on a draft of its own', async (args) => {
    expect(await desk.type(args)).toEqual([]);
    const [opened] = desk.takeViews();
    expect(opened?.how).toBe('open');
    expect(opened && placeOf(opened.view).step).toBe('sender');
    const [draft, ...more] = await desk.drafts();
    expect(more).toEqual([]);
    expect(opened?.view.private_metadata).toContain(draft?.id);
  });

  it('begins no twenty-first draft, and shows what can be discarded', async () => {
    await fillUp();
    const [shown] = await desk.type('new');
    expect(valuesOf(shown?.message, actionIds.templateDiscard)).toHaveLength(20);
    expect(shown?.message).toEqual(tooManyDraftsMessage(await desk.drafts()));
    expect(shown?.message.text).toMatch(/\b20\b/u);
    expect(shown?.message.text).toMatchSnapshot();
    expect(desk.takeViews()).toEqual([]);
    expect(await desk.type('new', BEN)).toEqual([]);
  });
});

describe('/gig template from', () => {
  it.each(['from 12', 'from #12', 'FROM “12”', 'from template 12', 'from # 12'])(
    '%s shows a view that waits, then the form with what the template has',
    async (args) => {
      desk.state.template = template({ hourlyRate: { mode: 'flexible', rate: 40, rulesCount: 2 } });
      let waiting: string | undefined;
      desk.state.meanwhile = async () => {
        waiting = desk.takeViews().at(-1)?.words;
        expect(await desk.drafts()).toEqual([]);
      };
      expect(await desk.type(args)).toEqual([]);
      expect(waiting).toBe(viewWords(loadingView(TEMPLATE_BUILDER_TITLE)));
      const shown = desk.takeViews().at(-1);
      expect([shown?.how, shown?.id]).toEqual(['update', 'V1']);
      expect(shown?.words).toContain('“Calm” (#12)');
      expect(shown?.words).toContain('2 budget rules');
      const name = shown?.view.blocks.find((block) => block.block_id?.startsWith('name'));
      expect(shown && initialOf(shown.view, name?.block_id ?? '')).toBe('Calm');
      const [draft] = await desk.drafts();
      expect(draft?.from).toMatchObject({ template: 12, name: 'Calm', senderType: 'agency' });
      expect(shown?.words).toContain(draft?.from && templateCopyNotesText(draft.from));
      expect(draft?.form.hourly).toMatchObject({ mode: '', rate: '40' });
    },
  );

  it.each([
    new MarketplaceError('not-found', 'none', 'x'),
    new MarketplaceError('server', 'unknown', 'secret'),
    new MarketplaceError('forbidden', 'none', 'secret'),
    new Error('secret'),
  ])('tells in the view why it could not be read (%s), and keeps nothing', async (failure) => {
    desk.state.failure = failure;
    expect(await desk.type('from 12')).toEqual([]);
    const shown = desk.takeViews().at(-1);
    const isNone = failure instanceof MarketplaceError && failure.code === 'not-found';
    const [why = ''] = failureMessage(failure, 'ref', NOW).text.split('\n');
    expect(shown?.words).toContain(isNone ? NO_SUCH_TEMPLATE.text : why);
    expect(shown?.words).toMatchSnapshot();
    expect(shown?.words).not.toContain('secret');
    expect(await desk.drafts()).toEqual([]);
  });

  it('tells as a message what the view can not, when it was closed meanwhile', async () => {
    desk.slack.updateFails = new SlackCallError('not_found', 'refused');
    const [failed] = await desk.type('from 12');
    expect(failed?.message).toEqual(NO_SUCH_TEMPLATE);
    desk.state.template = template();
    const [kept] = await desk.type('from 12');
    for (const fact of ['“Calm” (#12)', '`/gig template drafts`']) expect(kept?.text).toContain(fact);
    expect(kept?.text).toMatchSnapshot();
    expect(await desk.drafts()).toHaveLength(1);
  });

  it('asks for nothing when there is no room for the draft', async () => {
    await fillUp();
    const [shown] = await desk.type('from 12');
    expect(shown?.message).toEqual(tooManyDraftsMessage(await desk.drafts()));
    expect(desk.takeViews()).toEqual([]);
    expect(desk.calls).toEqual([]);
  });

  it('says so in the view when the room was taken meanwhile', async () => {
    desk.state.template = template();
    desk.state.meanwhile = fillUp;
    expect(await desk.type('from 12')).toEqual([]);
    const drafts = await desk.drafts();
    expect(desk.takeViews().at(-1)?.words).toContain(tooManyDraftsMessage(drafts).text);
    expect(await desk.drafts()).toHaveLength(MAX_OPEN_TEMPLATE_DRAFTS);
  });

  it('carries a template over however hostile it is', async () => {
    const words = '<!channel> <https://evil.example|x> \u202E `*_ '.repeat(20);
    desk.state.template = template({
      name: words,
      visibility: words,
      sender: { name: words, type: words, organization: words },
      hourlyRate: { mode: words, increaseFrequency: words },
      fixedPrice: { type: words },
      ai: { model: words, instructions: words, templateStructure: true },
      answers: Array.from({ length: 60 }, () => ({ question: words, answer: words, matchType: words })),
      attachments: [{ uid: words, name: words }],
    });
    await desk.type('from 12');
    expect(desk.takeViews().length).toBeGreaterThan(1);
    expect(await desk.drafts()).toHaveLength(1);
  });
});

describe('/gig template drafts', () => {
  it('lists the person’s own, the last changed first', async () => {
    await desk.draft((form) => ({ ...form, name: 'Older' }));
    await desk.services.clock.sleep(1_000);
    await desk.draft((form) => ({ ...form, name: 'Newer' }));
    await desk.draft((form) => ({ ...form, name: 'Not hers' }), UserId.parse('U0EVE'));
    const [shown] = await desk.type('drafts');
    expect(shown?.message).toEqual(templateDraftsMessage(await desk.drafts()));
    expect(shown?.text.match(/Older|Newer|Not hers/gu)).toEqual(['Newer', 'Older']);
  });

  it('says how to begin when there is none', async () => {
    expect((await desk.type('drafts'))[0]?.text).toContain('`/gig template new`');
  });

  it('shows all twenty', async () => {
    await fillUp();
    const [shown] = await desk.type('drafts');
    expect(valuesOf(shown?.message, actionIds.templateOpen)).toHaveLength(20);
  });
});
