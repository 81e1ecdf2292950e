/** The process of one part: measures, and sends its rows to the parent process. */
import { once } from 'node:events';
import { keepProcessAlive } from '../src/clock.ts';
import { asError } from '../src/errors.ts';
import type { Measure } from './part.ts';
import type { FromPart } from './run-part.ts';

const [name = '', speed] = process.argv.slice(2);

async function send(message: FromPart): Promise<void> {
  await new Promise<void>((resolve) => {
    process.send?.(message, undefined, {}, () => resolve());
  });
}

// Ctrl+C in the terminal leaves no files behind.
void once(process, 'disconnect').then(() => process.exit(1));
keepProcessAlive();
try {
  const { measure } = (await import(new URL(`./parts/${name}.js`, import.meta.url).href)) as {
    readonly measure: Measure;
  };
  const rows = await measure({
    quick: speed === 'quick',
    say: (line) => void send({ kind: 'said', line }),
  });
  await send({ kind: 'rows', rows });
} catch (thrown) {
  const error = asError(thrown);
  await send({ kind: 'failed', why: error.stack ?? error.message });
}
process.exit();
