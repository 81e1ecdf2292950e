/** Values without a text form, or too deeply nested: each fails alone, never the whole answer. */
import { describe, expect, test } from 'vitest';
import { parseSafeJson } from '../../src/marketplace/wire/envelope.ts';
import { failure, json, serveFile } from './wire-server.ts';

const { server, client } = serveFile();
const options = { lane: 'person' } as const;
const DEEP = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

describe.each([
  ['an object that hides how to become a text', '{"toString":null}'],
  ['a list as deep as lists can be', DEEP],
])('%s', (_, value) => {
  test('as a message about a field: the other messages are told, and the next call is answered', async () => {
    const { market, gate } = await client();
    server.answer(
      json(`{"error":"Validation failed","fields":{"ai.model":[${value},"unknown model"]}}`, 400),
    );
    const error = await failure(market.fetchProposalTemplate(9 as never, options));
    expect(error).toMatchObject({
      code: 'bad-request',
      details: { fields: { 'ai.model': 'unknown model' } },
    });
    server.answer(json({ data: { id: 9 } }));
    await expect(market.fetchProposalTemplate(9 as never, options)).resolves.toMatchObject({ id: 9 });
    expect(gate.status().waiting).toBe(0);
  });

  test('as a part of a job that is text: it counts as not told', async () => {
    const { market } = await client();
    server.answer(json(`{"success":true,"job":{"id":9,"status":"scheduled","processed_at":${value}}}`));
    expect(await market.fetchJobStatus(9 as never, options)).toEqual({ id: 9, status: 'scheduled' });
  });
});

test('a name that could reach the prototype is left out however deep the rest is', () => {
  const source = `{"a":${DEEP},"b":[{"__proto__":{"polluted":true},"c":1}],"constructor":2}`;
  const value = parseSafeJson(source) as { b: object[] };
  expect(Object.keys(value)).toEqual(['a', 'b']);
  expect(value.b).toEqual([{ c: 1 }]);
  expect(Object.getPrototypeOf(value.b[0])).toBe(Object.prototype);
});
