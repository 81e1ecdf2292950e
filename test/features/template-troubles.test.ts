/** Templates that fail: a clear sentence, no template made twice, and nothing that was typed is lost. */
import { describe, expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Answer, Person } from '../kit/person.ts';
import { findField, findPressable } from '../kit/read-screen.ts';
import type { Desk } from '../kit/start-desk.ts';
import { addSenders, fillTemplate } from '../kit/template-play.ts';

const appTest = appTestWith({ empty: true });
const CREATE = { method: 'POST', path: '/proposal-templates' };

const templatesOf = ({ market }: Pick<Desk, 'market'>) => market.service.templates();
const requestsOf = ({ market }: Pick<Desk, 'market'>) => market.requests(CREATE.path);

async function reviewOf(desk: Desk, by: Person): Promise<Answer> {
  addSenders(desk);
  return fillTemplate(by);
}

/** The only draft, opened from the list. */
async function resume(by: Person): Promise<Answer> {
  await by.close();
  return (await by.type('/gig template drafts')).press('Continue');
}

describe('what the marketplace refuses', () => {
  appTest(
    'comes back at its step and field, and is gone once that changes',
    async ({ desk, market, ada }) => {
      const review = await reviewOf(desk, ada);
      const list = await review.press('5. Answers');
      const answer = { Question: 'Why?', 'How questions are matched': "The client's question contains" };
      await (await list.press('Add Answer')).send({ ...answer, Answer: 'Because.' });
      await list.send();
      const fields = {
        'answers.0.answer': 'too bold',
        'hourly_rate.rate': 'must be lower',
        'ai.model': 'unknown model',
        'moon.phase': 'must be full',
      };
      market.fail(CREATE, { kind: 'answer', status: 400, json: { error: 'Validation failed', fields } });
      const refused = await review.send();
      for (const said of Object.values(fields)) expect(refused.text).toContain(said);
      const rates = await refused.press('Open Again');
      expect(rates.text).toMatch(/Step 2 of 6[\s\S]*must be full[\s\S]*must be lower/u);
      const ai = await rates.send({ 'Hourly rate': '39' });
      expect(ai.text).toMatch(/Step 3 of 6[\s\S]*unknown model/u);
      await ai.send({ 'AI model': 'swift-1' });
      await ai.press('6. Review');
      expect(ai.text).not.toMatch(/must be lower|unknown model/u);
      expect(ai.text).toContain('too bold');
      await ai.press('5. Answers');
      const window = await ai.press('Edit');
      expect(window.text).toContain('too bold');
      await window.send({ Answer: 'Shyly.' });
      expect(list.text).not.toContain('too bold');
      await (await list.send()).send();
      expect(requestsOf(desk)).toHaveLength(2);
      expect(templatesOf(desk)).toMatchObject([{ hourly_rate: { rate: 39 }, ai: { model: 'swift-1' } }]);
    },
  );

  appTest('with a status is told for what it is, and kept', async ({ desk, market, ada }) => {
    let review = await reviewOf(desk, ada);
    for (const status of [401, 403, 404]) {
      market.fail(CREATE, presetFaults.status(status, `Not for you, ${status}`));
      const refused = await review.send();
      expect(refused.text).toContain("wasn't created");
      if (status !== 404) expect(refused.text).toContain(`Not for you, ${status}`);
      review = await refused.press('Open Again');
      expect(review.text).toContain('[Create Template]');
    }
    await review.send();
    expect(templatesOf(desk)).toHaveLength(1);
  });
});

describe('an outcome that is unknown', () => {
  appTest.for([
    ['the connection broke after it was made', { kind: 'drop', when: 'after' }, 1],
    ['the connection broke before', { kind: 'drop', when: 'before' }, 0],
    ['an error came', presetFaults.status(500), 0],
    ['an answer without a template came', presetFaults.wrongJson({ data: { id: 'twelve' } }), 0],
    ['half an answer came', { kind: 'break-body' }, 1],
  ] as const)(
    'because %s is never repeated by itself',
    async ([, effect, made], { desk, slack, market, ada }) => {
      const review = await reviewOf(desk, ada);
      market.fail(CREATE, effect);
      const told = await review.send();
      expect(told.text).toContain("don't know if");
      expect(templatesOf(desk)).toHaveLength(made);
      await desk.pass(HOUR);
      const again = await resume(ada);
      expect(requestsOf(desk)).toHaveLength(1);
      expect(again.text).not.toContain('[Create Template]');
      const { shown } = again;
      const button = shown && findPressable(shown, 'Create Again');
      if (!button) throw new Error('no button');
      const denied = { user: 'ada', ...shown, ...button, confirm: 'deny' } as const;
      expect((await slack.press(denied)).sent).toBe(false);
      const end = await again.press('Create Again');
      expect(end.text).toContain('/gig template from');
      const [first, second, ...more] = requestsOf(desk);
      expect(second?.body).toEqual(first?.body);
      expect(more).toEqual([]);
    },
  );

  appTest('stays so though the next attempt is refused', async ({ desk, market, ada }) => {
    const review = await reviewOf(desk, ada);
    market.fail(CREATE, { kind: 'drop', when: 'after' });
    const told = await review.send();
    const again = await told.press('Open Again');
    market.fail(CREATE, presetFaults.status(403, 'Not on your plan'));
    const refused = await again.press('Create Again');
    expect(refused.text).toMatch(/Not on your plan[\s\S]*earlier attempt has an unknown outcome/u);
    const drafts = await ada.type('/gig template drafts');
    expect(drafts.text).toContain('earlier attempt has an unknown outcome');
    const third = await resume(ada);
    expect(third.text).not.toContain('[Create Template]');
    expect((await third.press('Create Again')).text).toContain('/gig template from');
    expect(requestsOf(desk)).toHaveLength(3);
  });

  appTest('follows a crash amid the request, and loses nothing typed', async ({ desk, app, market, ada }) => {
    const review = await reviewOf(desk, ada);
    await review.press('2. Rates');
    await app.kill();
    await app.start();
    await review.send({ 'Hourly rate': '41' });
    await review.press('6. Review');
    const held = market.fail(CREATE, { kind: 'hold-headers' });
    await review.send();
    await app.kill();
    held.release();
    await app.start();
    await desk.pass(MINUTE);
    expect(requestsOf(desk)).toHaveLength(1);
    const again = await resume(ada);
    expect(again.text).toMatch(/\$41/u);
    expect(again.text).not.toContain('[Create Template]');
    expect(again.offers('Create Again')).toBe(true);
  });
});

describe('one template', () => {
  appTest('comes of two clicks and of two windows', async ({ desk, slack, market, ada }) => {
    await reviewOf(desk, ada);
    const view = slack.view('ada');
    if (!view) throw new Error('no review');
    const again = await resume(ada);
    await again.press('2. Rates');
    const rates = slack.view('ada') ?? expect.fail('no form');
    await again.press('6. Review');
    const held = market.fail(CREATE, { kind: 'hold-headers' });
    const press = () => slack.submitView({ user: 'ada', view, asItWas: true });
    const sent = desk.settleAfter(Promise.all([again.send(), press(), press()]));
    await desk.app.settle();
    await slack.submitView({ user: 'ada', view: rates, asItWas: true });
    expect(ada.form().text).toContain('is being sent');
    held.release();
    await sent;
    await desk.settleAfter(press());
    expect(requestsOf(desk)).toHaveLength(1);
    expect((await ada.type('/gig template drafts')).text).toContain('no template drafts');
  });

  appTest('comes of what its review shows, not of a later change', async ({ desk, slack, ada }) => {
    const review = await reviewOf(desk, ada);
    const old = slack.view('ada');
    await review.press('2. Rates');
    await review.send({ 'Hourly rate': '77' });
    if (old) await desk.settleAfter(slack.submitView({ user: 'ada', view: old, asItWas: true }));
    expect(requestsOf(desk)).toEqual([]);
    const told = ada.form();
    expect(told.text).toContain('has changed since you reviewed it');
    const newest = await told.press('Open Again');
    expect(newest.text).toContain('$77');
    await newest.send();
    expect(templatesOf(desk)).toMatchObject([{ hourly_rate: { rate: 77 } }]);
  });

  appTest(
    'is told to whoever has closed the form, and not discarded before',
    async ({ desk, market, ada }) => {
      await reviewOf(desk, ada);
      await ada.close();
      const list = await ada.type('/gig template drafts');
      const review = await list.press('Continue');
      const held = market.fail(CREATE, { kind: 'hold-headers' });
      const sent = review.send();
      await desk.app.settle();
      const discarding = list.press('Discard');
      expect((await sent).text).toContain('Creating the template');
      const closing = ada.close();
      await desk.app.settle();
      held.release();
      await Promise.all([discarding, closing]);
      expect(list.text).toContain("is being sent, so it wasn't discarded");
      expect(list.offers('Discard')).toBe(false);
      expect(ada.notes('web').at(-1)?.text).toContain('/gig template from');
    },
  );
});

describe('a draft', () => {
  appTest('keeps what Slack tells of a form that is closed, and all else', async ({ desk, slack, ada }) => {
    const rates = await (await reviewOf(desk, ada)).press('2. Rates');
    const view = slack.view('ada') ?? expect.fail('no form');
    await ada.close();
    const closing = slack.sentRequests().at(-1) ?? expect.fail('not told');
    /** Closes the form with this input, which Slack seldom tells. */
    const close = async (label: string, given: object) => {
      const { blockId, element } = findField(view, label);
      const state = { values: { [blockId]: { [String(element['action_id'])]: given } } };
      const told = { ...(closing.payload['view'] as object), state };
      await slack.resendRequest({ ...closing, payload: { ...closing.payload, view: told } });
      await (await resume(ada)).press('2. Rates');
    };
    await close('Fixed-price bids', { type: 'static_select', selected_option: { value: 'by-project' } });
    expect(ada.form().text).toContain('[40]');
    await close('Hourly rate', { type: 'plain_text_input', value: '55' });
    expect(ada.form().text).toContain('[55]');
    expect(rates.text).toContain('Step 2 of 6');
  });

  appTest('that is discarded elsewhere is told to whoever types on', async ({ desk, ada }) => {
    const review = await reviewOf(desk, ada);
    const rates = await review.press('2. Rates');
    await (await ada.type('/gig template drafts')).press('Discard');
    const gone = await rates.send({ 'Hourly rate': '50' });
    expect(gone.text).toContain("Couldn't find this draft");
    expect(gone.text).toContain('Hourly rate');
  });

  appTest('isn’t sent while the disk is full or the clock is off', async ({ desk, app, ada }) => {
    const review = await reviewOf(desk, ada);
    app.room.full = true;
    const full = await review.send();
    expect(full.text).toContain('Nothing was sent, and what you entered is saved');
    app.room.full = false;
    const again = await full.press('Open Again');
    app.skew.ms = 2 * DAY;
    const off = await again.send();
    expect(off.text).toContain('clock');
    expect(requestsOf(desk)).toEqual([]);
    app.skew.ms = 0;
    await desk.pass(5 * MINUTE);
    await (await off.press('Open Again')).send();
    expect(templatesOf(desk)).toHaveLength(1);
  });
});

describe('windows that Slack refuses', () => {
  appTest('to change: the result comes as a message', async ({ desk, slack, ada }) => {
    const review = await reviewOf(desk, ada);
    const fault = slack.injectFault('views.update', { kind: 'error', error: 'internal_error' }, 99);
    await review.send();
    fault.cancel();
    expect(requestsOf(desk)).toHaveLength(1);
    expect(ada.notes('web').at(-1)?.text).toContain('/gig template from');
  });

  appTest('to open: the person reads how to come back', async ({ desk, slack, market, ada }) => {
    addSenders(desk);
    slack.injectFault('views.open', { kind: 'error', error: 'expired_trigger_id' });
    const refused = await ada.type('/gig template new');
    expect(refused.text).toContain('/gig template drafts');
    const form = await resume(ada);
    await form.press('5. Answers', { Name: 'Typed' });
    slack.injectFault('views.push', { kind: 'error', error: 'internal_error' });
    await form.press('Add Answer');
    expect(ada.notes('web').at(-1)?.text).toContain('/gig template drafts');
    const source = market.service.addTemplate({ name: 'Calm' });
    slack.injectFault('views.open', { kind: 'error', error: 'internal_error' });
    await ada.type(`/gig template from ${source.id}`);
    expect((await ada.type('/gig template drafts')).text).toContain('Your template draft');
  });
});

appTest('a template that can’t be read starts no draft', async ({ desk, market, ada }) => {
  market.service.addTemplate({ id: 12 });
  for (const effect of [
    presetFaults.html(502),
    presetFaults.wrongJson(null),
    presetFaults.status(403, 'No'),
  ]) {
    const fault = market.fail('/proposal-templates/*', effect, 9);
    const told = await ada.type('/gig template from 12');
    expect(told.fields()).toEqual([]);
    expect(told.text).toMatch(/:warning:.*(?:marketplace|permission)/u);
    fault.cancel();
    await ada.close();
  }
  const held = market.fail('/proposal-templates/*', { kind: 'hold-headers' });
  const form = ada.type('/gig template from 12');
  await desk.app.settle();
  await desk.slack.closeView({ user: 'ada' });
  held.release();
  await form;
  expect(ada.notes('web').at(-1)?.text).toContain('You closed the form before');
  await (await ada.type('/gig template drafts')).press('Discard');
  const missing = await ada.type('/gig template from 13');
  expect(missing.text).toContain("Couldn't find template #13");
  expect((await ada.type('/gig template drafts')).text).toContain('no template drafts');
});
