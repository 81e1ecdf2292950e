/** Runs one part in a process of its own. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { MINUTE, machineClock } from '../src/clock.ts';
import type { PartOptions, Row } from './part.ts';

/** What the process of a part tells. */
export type FromPart =
  | { readonly kind: 'said'; readonly line: string }
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'failed'; readonly why: string };

/** A part that hangs would hang the whole table. */
const LONGEST = { quick: 5 * MINUTE, full: 30 * MINUTE };

/** @throws Error with what the part threw, or how its process ended, when it gives no rows. */
export function runPart(name: string, { quick, say }: PartOptions): Promise<readonly Row[]> {
  const speed = quick ? 'quick' : 'full';
  const child = fork(fileURLToPath(new URL('part-process.js', import.meta.url)), [name, speed], {
    execArgv: ['--expose-gc'],
    // Rows may hold Infinity or NaN, which JSON has no word for.
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
