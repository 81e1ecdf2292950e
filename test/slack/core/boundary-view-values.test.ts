/** A view's submitted values, as its route gets them. */
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionCall, ViewValues } from '../../../src/slack/core/routes.ts';
import { BoundaryWorld, typed } from './boundary-world.ts';

let world: BoundaryWorld;
beforeEach(() => {
  world = new BoundaryWorld();
});

/** The route's version of these values. */
async function seenValues(values: unknown): Promise<ViewValues> {
  let seen: ViewValues = new Map();
  world.submit = async ({ view }) => {
    seen = view.values;
    return { kind: 'close' };
  };
  await world.submitView({ state: { values } });
  return seen;
}

describe('what was filled in', () => {
  it('reaches the route as it was typed and chosen, by the blocks that hold it', async () => {
    const values = await seenValues({
      amount: typed('  50\n\n '),
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

  it('is missing where it is empty', async () => {
    const values = await seenValues({
      amount: typed(null),
      letter: typed(''),
      menu: { x: { selected_option: null } },
      boxes: { x: { selected_options: [] } },
      people: { x: { selected_users: [] } },
      moment: { x: { selected_date_time: null } },
      nothing: {},
    });
    expect([...values]).toEqual([]);
  });

  it('holds any text to the character, and hostile names do no harm', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000 }),
        fc.constantFrom('__proto__', 'constructor', 'toString', 'amount'),
        async (text, blockId) => {
          const values: unknown = JSON.parse(
            JSON.stringify({ values: [[blockId, typed(text)]] }),
            (key, value: unknown) =>
              key === 'values' && Array.isArray(value) ? Object.fromEntries(value) : value,
          );
          const seen = await seenValues((values as { values: unknown }).values);
          expect(seen.get('hasOwnProperty')).toBeUndefined();
          if (blockId !== '__proto__') expect(seen.get(blockId)).toEqual({ text });
          expect(({} as Record<string, unknown>)['text']).toBeUndefined();
        },
      ),
      { numRuns: 50 },
    );
  });

  it('goes along with a press in the view, and the value is the chosen option', async () => {
    await world.press('press', {
      message: undefined,
      channel: undefined,
      response_url: undefined,
      view: {
        id: 'V1',
        hash: 'h7',
        callback_id: 'form',
        private_metadata: 'draft',
        state: { values: { amount: typed(' 50') } },
      },
      actions: [
        { action_id: 'press', type: 'static_select', value: null, selected_option: { value: 'chosen' } },
      ],
    });
    expect(world.calls[0]).toMatchObject({
      value: 'chosen',
      view: { id: 'V1', hash: 'h7', callbackId: 'form', privateMetadata: 'draft' },
    });
    expect((world.calls[0] as ActionCall).view?.values.get('amount')).toEqual({ text: ' 50' });
  });

  it.each([
    [{ root_view_id: 'VROOT' }, 'VROOT'],
    [{ root_view_id: 'V1' }, 'V1'],
    [{ root_view_id: null }, 'V1'],
    [{}, 'V1'],
  ])('tells which view is the lowest: with %j it is %s', async (root, rootId) => {
    const view = { id: 'V1', callback_id: 'form', private_metadata: 'draft', ...root };
    await world.press('press', { message: undefined, channel: undefined, response_url: undefined, view });
    expect(world.calls[0]).toMatchObject({ view: { id: 'V1', rootId } });
  });
});
