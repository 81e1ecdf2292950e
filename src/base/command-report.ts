/** How a command, such as `npm run gigdesk -- backup`, ends: with a sentence and an exit code. */
import { keepProcessAlive } from '../clock.ts';

/** What a command prints, and its exit code. */
export interface Report {
  readonly code: 0 | 1;
  readonly words: string;
}

export function done(...lines: readonly string[]): Report {
  return { code: 0, words: lines.join('\n') };
}

export function notDone(...lines: readonly string[]): Report {
  return { code: 1, words: lines.join('\n') };
}

/** Prints what the command reports, and ends the process. */
export async function endWithReport(command: Promise<Report>): Promise<void> {
  keepProcessAlive();
  const { code, words } = await command;
  (code === 0 ? console.log : console.error)(words);
  process.exit(code);
}
