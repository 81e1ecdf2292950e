import { expect, it } from 'vitest';
import { MemoryDisk } from './memory-disk.ts';

it('does what is asked before it tells so: a crash may come between', async () => {
  const disk = new MemoryDisk();
  await disk.makeFolder('/data');
  const file = await disk.openForAppend('/data/journal');
  const telling = file.write(Buffer.from('one\n'));
  disk.copyFolder('/data', '/copy', () => false);
  await telling;
  await file.write(Buffer.from('two\n'));

  const pieces: Uint8Array[] = [];
  for await (const piece of disk.read('/copy/journal')) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe('one\n');
});
