/** A view's submitted values, as its route gets them. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPressedView, SubmissionPayload } from '../../../src/slack/core/payloads.ts';

const textOf = (value: unknown) => ({ value: { type: 'plain_text_input', value } });

function readView(more: object) {
  const view = { id: 'V1', callback_id: 'form', private_metadata: 'draft', blocks: [], ...more };
  const by = { team: { id: 'T1' }, user: { id: 'U1', team_id: 'T1' }, trigger_id: 't' };
  return readPressedView(SubmissionPayload.parse({ type: 'view_submission', ...by, view }).view);
}

const valuesIn = (values: unknown) => readView({ state: { values } }).values;

describe('what was filled in', () => {
  it('is read as it was typed and chosen, by the blocks that hold it', () => {
    const values = valuesIn({
      amount: textOf('  50\n\n '),
      menu: { x: { type: 'static_select', selected_option: { text: {}, value: 'seven' } } },
      boxes: { x: { type: 'checkboxes', selected_options: [{ value: 'a' }, { value: 'b' }] } },
      people: { x: { type: 'multi_users_select', selected_users: ['U1', 'W2'] } },
      person: { x: { type: 'users_select', selected_user: 'U1' } },
      moment: { x: { type: 'datetimepicker', selected_date_time: 1_795_165_000 } },
    });
    expect(Object.fromEntries(values)).toEqual({
      amount: { text: '  50\n\n ' },
      menu: { option: 'seven' },
      boxes: { options: ['a', 'b'] },
      people: { users: ['U1', 'W2'] },
      person: { users: ['U1'] },
      moment: { at: 1_795_165_000_000 },
    });
  });

  it('is missing where it is empty', () => {
    const values = valuesIn({
      amount: textOf(null),
      letter: textOf(''),
      menu: { x: { selected_option: null } },
      boxes: { x: { selected_options: [] } },
      people: { x: { selected_users: [] } },
      moment: { x: { selected_date_time: null } },
      nothing: {},
    });
    expect([...values]).toEqual([]);
  });

  it('holds any text to the character, and hostile names do no harm', () => {
    const names = fc.constantFrom('constructor', 'toString', 'amount');
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 });
    fc.assert(
      fc.property(text, names, (typed, name) => {
        const hostile = JSON.parse(`{ "__proto__": ${JSON.stringify(textOf('x'))} }`) as object;
        const values = valuesIn({ ...hostile, [name]: textOf(typed) });
        expect(values.get(name)).toEqual({ text: typed });
        expect(values.get('hasOwnProperty')).toBeUndefined();
        expect(({} as Record<string, unknown>)['value']).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});

it.each([
  [{ root_view_id: 'VROOT' }, 'VROOT'],
  [{ root_view_id: 'V1' }, 'V1'],
  [{ root_view_id: null }, 'V1'],
  [{}, 'V1'],
])('which view is the lowest: with %j it is %s', (root, rootId) => {
  expect(readView(root)).toMatchObject({ id: 'V1', rootId });
});
