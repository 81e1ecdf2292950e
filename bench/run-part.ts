import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MINUTE, machineClock } from '../src/clock.ts';
import type { PartOptions, Row } from './part.ts';

/** Messages from a part's process. */
export type FromPart =
  | { readonly kind: 'said'; readonly line: string }
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'failed'; readonly why: string };

/** A part that hangs would block the whole table. */
const LONGEST = { quick: 5 * MINUTE, full: 30 * MINUTE };

/** @throws Error with the part's own error, or how its process ended, when it returns no rows */
export function runPart(name: string, { quick, say }: PartOptions): Promise<readonly Row[]> {
  const speed = quick ? 'quick' : 'full';
  const child = fork(fileURLToPath(new URL('part-process.js', import.meta.url)), [name, speed], {
    execArgv: ['--expose-gc'],
    // Rows may contain Infinity or NaN, which JSON can't represent.
    serialization: 'advanced',
  });
  return new Promise((resolve, reject) => {
    const cancel = machineClock.runAfter(LONGEST[speed], () => {
      reject(new Error(`no rows after ${LONGEST[speed] / MINUTE} minutes`));
      child.kill('SIGKILL');
    });
    child.on('message', (message: FromPart) => {
      if (message.kind === 'said') say(message.line);
      else if (message.kind === 'rows') resolve(message.rows);
      else reject(new Error(message.why));
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      cancel();
      reject(new Error(`the process ended with ${signal ?? `code ${code}`}`));
    });
  });
}
