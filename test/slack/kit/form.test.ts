import { describe, expect, it } from 'vitest';
import { errorsByBlock, type FormField, fieldInputs, readText } from '../../../src/slack/kit/form.ts';

const line: FormField = { kind: 'line', label: 'Name', hint: 'Short.', placeholder: 'Shops' };
const menu = { kind: 'menu', label: 'Mode', choices: { fixed: 'Fixed', smart: 'Smart' } } as const;

describe('a field of a form', () => {
  it('gives its input, with the value that it starts with', () => {
    expect(fieldInputs(line, { id: 'name', value: 'Calm', optional: true })).toMatchObject([
      {
        block_id: 'name',
        optional: true,
        label: { text: 'Name' },
        hint: { text: 'Short.' },
        element: { type: 'plain_text_input', initial_value: 'Calm', placeholder: { text: 'Shops' } },
      },
    ]);
    expect(fieldInputs({ ...menu, dispatch: 'go' }, { id: 'mode', value: 'smart' })).toMatchObject([
      { dispatch_action: true, element: { action_id: 'go', initial_option: { value: 'smart' } } },
    ]);
    const on = { label: 'On', value: 'on' };
    expect(fieldInputs({ kind: 'switch', label: 'Tests', on }, { id: 'ab', value: true })).toMatchObject([
      { optional: true, element: { type: 'checkboxes', initial_options: [{ value: 'on' }] } },
    ]);
  });

  it('asks for a choice while none is made', () => {
    const [block] = fieldInputs(menu, { id: 'mode', value: '' });
    expect(block?.element).toMatchObject({ placeholder: { text: 'Choose' } });
    expect(JSON.stringify(block)).not.toContain('initial_option');
  });

  it('has several inputs for a long text, which are read as one', () => {
    const long: FormField = { kind: 'long', label: 'Letter' };
    const blocks = fieldInputs(long, { id: 'letter', value: 'Dear', parts: 2 });
    expect(blocks.map(({ block_id }) => block_id)).toEqual(['letter', 'letter~2']);
    const values = new Map([
      ['letter~2', { text: ' client' }],
      ['letter', { text: 'Dear' }],
    ]);
    expect(readText(long, values, 'letter', '')).toBe('Dear client');
  });

  it('reads what was entered, and of a menu only what it offers', () => {
    const values = new Map([
      ['name', { text: ' Calm ' }],
      ['mode', { option: 'smart' }],
      ['other', { option: 'constructor' }],
    ]);
    expect(readText(line, values, 'name', 'before')).toBe(' Calm ');
    expect(readText(line, values, 'empty', 'before')).toBe('');
    expect(readText(menu, values, 'mode', 'fixed')).toBe('smart');
    expect(readText(menu, values, 'other', 'fixed')).toBe('fixed');
    expect(readText(menu, values, 'empty', 'fixed')).toBe('fixed');
  });
});

it('errors at one block are joined', () => {
  const errors = [
    ['a', 'One.'],
    ['b', 'Two.'],
    ['a', 'Three.'],
  ] as const;
  expect(errorsByBlock(errors)).toEqual({ a: 'One. Three.', b: 'Two.' });
});
