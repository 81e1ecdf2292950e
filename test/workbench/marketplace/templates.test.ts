import { expect } from 'vitest';
import { TEMPLATE_RULE_COVERAGE } from '../../../src/workbench/marketplace/coverage-rules.ts';
import { bodyOf, covers, type Drive } from './drive.ts';
import { SHAPES } from './shapes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A freelancer's template with changes. Returns the server's error, or nothing. */
function tryTemplate({ market, post }: Drive) {
  const organization_id = market.addOrganization({ type: 'freelancer' }).id;
  const right: Record<string, Fields> = {
    top: { name: 'Calm' },
    sender: { organization_id },
    hourly_rate: { rate: 40 },
    ai: { instructions: 'Short.' },
    fixed_price: {},
    cover_letters: {},
  };
  return async (change: Record<string, unknown>): Promise<Record<string, string>> => {
    const body: Record<string, unknown> = { ...right['top'] };
    for (const part of ['sender', 'hourly_rate', 'ai', 'fixed_price', 'cover_letters'])
      body[part] = { ...right[part] };
    for (const [path, value] of Object.entries(change)) {
      const [head = '', field] = path.split('.');
      if (field === undefined) body[head] = value;
      else body[head] = { ...(body[head] as Fields), [field]: value };
    }
    const reply = await post('/proposal-templates', body);
    return reply.status === 201 ? {} : bodyOf(reply, 400, SHAPES.validation).fields;
  };
}

const RANGES: readonly [path: string, least: number, most: number, nullable: boolean][] = [
  ['hourly_rate.rate', 3, 999, false],
  ['hourly_rate.smart_rate_min', 3, 999, false],
  ['hourly_rate.smart_rate_max', 3, 999, false],
  ['hourly_rate.smart_rate_percent', 1, 100, false],
  ['fixed_price.price', 5, 1_000_000, true],
  ['fixed_price.min_price', 5, 1_000_000, true],
  ['fixed_price.client_budget_percent', 1, 1_000, true],
];

const LENGTHS: readonly [path: string, most: number, nullable: boolean][] = [
  ['name', 255, false],
  ['ai.instructions', 10_000, false],
  ['ai.client_questions', 10_000, true],
  ['ai.additional_context', 10_000, true],
  ['cover_letters.variant_a', 5_000, true],
  ['cover_letters.variant_b', 5_000, true],
];

const WRONG: readonly [path: string, value: unknown][] = [
  ['name', ''],
  ['ai.instructions', ''],
  ['hourly_rate.mode', 'flexible'],
  ['hourly_rate.increase_percent', -1],
  ['hourly_rate.increase_frequency', 'weekly'],
  ['hourly_rate.smart_rate_percent', 50.5],
  ['fixed_price.type', 'by-hour'],
  ['fixed_price.client_budget_percent', 10.5],
  ['visibility', 'private'],
  ['ab_testing', 'yes'],
  ['ai.template_structure', null],
  ['answers', null],
  ['cover_letters', null],
  ['hourly_rate', 40],
];

covers(TEMPLATE_RULE_COVERAGE, {
  'template-errors-together': async (open) => {
    const { post } = await open();
    const nothing = bodyOf(await post('/proposal-templates', {}), 400, SHAPES.validation);
    expect(nothing.fields).toEqual({
      name: 'is required',
      sender: 'is required',
      'hourly_rate.rate': 'is required',
      'ai.instructions': 'is required',
    });
    const answer = { question: '', answer: 'x'.repeat(5_001), match_type: 'maybe' };
    const many = await post('/proposal-templates', {
      name: null,
      sender: { organization_id: 9 },
      hourly_rate: { rate: 2, smart_rate_min: 50, smart_rate_max: 40 },
      ai: { instructions: null, model: 'oracle' },
      answers: [answer],
    });
    expect(bodyOf(many, 400, SHAPES.validation).fields).toEqual({
      name: 'must be a string',
      'sender.organization_id': 'unknown organization',
      'hourly_rate.rate': 'must be between 3 and 999',
      'hourly_rate.smart_rate_min': 'must not exceed smart_rate_max',
      'ai.instructions': 'must be a string',
      'ai.model': 'unknown model',
      'answers.0.question': 'must not be empty',
      'answers.0.answer': 'must be at most 5000 characters long',
      'answers.0.match_type': 'must be one of exact, contains, startsWith',
    });
    const noObject = await post('/proposal-templates', 'text');
    expect(Object.keys(bodyOf(noObject, 400, SHAPES.validation).fields)).toEqual(['body']);
  },

  'template-bounds': async (open) => {
    const drive = await open();
    const fieldsOf = tryTemplate(drive);
    for (const [path, least, most, nullable] of RANGES) {
      for (const value of [least, most])
        expect([path, value, await fieldsOf({ [path]: value })]).toEqual([path, value, {}]);
      for (const value of [least - 1, most + 1]) {
        expect(await fieldsOf({ [path]: value })).toEqual({ [path]: `must be between ${least} and ${most}` });
      }
      expect(Object.keys(await fieldsOf({ [path]: null }))).toEqual(nullable ? [] : [path]);
      expect(Object.keys(await fieldsOf({ [path]: '40' }))).toEqual([path]);
    }
    for (const [path, most, nullable] of LENGTHS) {
      expect(await fieldsOf({ [path]: '👋'.repeat(most) })).toEqual({});
      expect(Object.keys(await fieldsOf({ [path]: 'x'.repeat(most + 1) }))).toEqual([path]);
      expect(Object.keys(await fieldsOf({ [path]: null }))).toEqual(nullable ? [] : [path]);
    }
    for (const [path, value] of WRONG) {
      const [failed, ...others] = Object.keys(await fieldsOf({ [path]: value }));
      expect([path, failed, others]).toEqual([path, path, []]);
    }
    const answer = { question: 'q'.repeat(500), answer: 'a'.repeat(5_000), match_type: 'contains' };
    expect(await fieldsOf({ answers: Array.from({ length: 50 }, () => answer) })).toEqual({});
    expect(Object.keys(await fieldsOf({ answers: Array.from({ length: 51 }, () => answer) }))).toEqual([
      'answers',
    ]);
    expect(await fieldsOf({ 'hourly_rate.increase_percent': null })).toEqual({});
    expect(
      await fieldsOf({ hourly_rate: { rate: 40, mode: 'smart', smart_rate_min: 40, smart_rate_max: 40 } }),
    ).toEqual({});
  },

  'template-model': async (open) => {
    const fieldsOf = tryTemplate(await open());
    expect(await fieldsOf({ 'ai.model': 'oracle' })).toEqual({ 'ai.model': 'unknown model' });
    expect(await fieldsOf({ 'ai.model': null })).toEqual({});
    expect(await fieldsOf({ 'ai.model': 'balanced-2' })).toEqual({});
  },

  'template-sender': async (open) => {
    const drive = await open();
    const fieldsOf = tryTemplate(drive);
    const agency = drive.market.addOrganization({ type: 'agency' });
    const freelancer = drive.market.addOrganization({ type: 'freelancer' });
    const sender = (organization_id: number, contractor_uid?: string) => ({
      sender: { organization_id, ...(contractor_uid === undefined ? {} : { contractor_uid }) },
    });
    expect(await fieldsOf(sender(agency.id, agency.contractors[0]?.uid))).toEqual({});
    expect(await fieldsOf(sender(freelancer.id))).toEqual({});
    expect(await fieldsOf(sender(agency.id))).toEqual({ 'sender.contractor_uid': 'is required' });
    expect(await fieldsOf(sender(agency.id, 'nobody'))).toEqual({
      'sender.contractor_uid': 'unknown contractor',
    });
    expect(await fieldsOf(sender(freelancer.id, 'x'))).toEqual({
      'sender.contractor_uid': 'not allowed for freelancer profiles',
    });
    expect(await fieldsOf(sender(1))).toEqual({ 'sender.organization_id': 'unknown organization' });
    expect(await fieldsOf({ sender: {} })).toEqual({ 'sender.organization_id': 'is required' });
  },
});
