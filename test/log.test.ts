import { expect, it } from 'vitest';
import { createLog, logWith } from '../src/log.ts';

function written(fields: Readonly<Record<string, unknown>>): {
  readonly error: unknown;
  readonly text: string;
} {
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }).error('a fault', fields);
  const text = lines.join('');
  return { error: (JSON.parse(text) as { readonly error: unknown }).error, text };
}

it('an error can be read: name, message, code, cause and where it came from', () => {
  const error = Object.assign(new Error('no room', { cause: new Error('ENOSPC') }), { code: 'full' });
  expect(written({ error }).error).toEqual({
    name: 'Error',
    message: 'no room',
    code: 'full',
    cause: 'Error: ENOSPC',
    stack: error.stack,
  });
});

it('whatever else an error carries stays out of the log', () => {
  const error = Object.assign(new Error('refused'), { request: { headers: { cookie: 'secret-thing' } } });
  expect(written({ error }).text).not.toContain('secret-thing');
});

it('a sentence stays a sentence', () => {
  expect(written({ error: 'no room' }).error).toBe('no room');
});

it('a log with common fields adds them to every line, and a line may say more', () => {
  const lines: string[] = [];
  const log = logWith(createLog('info', { write: (line) => lines.push(line) }), { team: 'T1' });
  log.info('a fact');
  log.warn('a warning', { channel: 'C1' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { team: 'T1', msg: 'a fact' },
    { team: 'T1', channel: 'C1', msg: 'a warning' },
  ]);
});
