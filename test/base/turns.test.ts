/** A few do at once what many want. */
import { expect, it } from 'vitest';
import { Turns } from '../../src/base/turns.ts';

function deferred() {
  let end: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

it('lets a few work at once, and the next in the order they came', async () => {
  const turns = new Turns(2);
  const works = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...deferred() }));
  const begun: string[] = [];
  const all = works.map(({ name, promise }) =>
    turns.take(async () => {
      begun.push(name);
      await promise;
      return name;
    }),
  );
  expect(begun).toEqual(['a', 'b']);
  works[1]?.end();
  expect(await all[1]).toBe('b');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  for (const { end } of works) end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('goes on after a failure, and leaves out who has given up', async () => {
  const turns = new Turns(1);
  const ending = new AbortController();
  const first = turns.take(() => Promise.reject(new Error('no such table')));
  const second = turns.take(async () => 'done', ending.signal);
  const third = turns.take(async () => 'done');
  ending.abort(new Error('given up'));
  const ends = await Promise.allSettled([first, second, third]);
  expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : end.value))).toEqual([
    'Error: no such table',
    'Error: given up',
    'done',
  ]);
});
