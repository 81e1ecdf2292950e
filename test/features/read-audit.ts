/** The audit log as a spreadsheet reads it. */
import type { Person } from '../kit/person.ts';
import type { Desk } from '../kit/start-desk.ts';

type Row = Readonly<Record<string, string>>;

/** Asks for the log as a file. @returns the answer, the newest file, and its rows by column, newest first */
export async function exportAudit({ slack }: Desk, by: Person, days = '') {
  const answer = await by.type(`/gig audit export ${days}`.trim());
  const file = slack.files().at(-1);
  const text = file?.bytes.toString('utf8') ?? '';
  return { answer, file, text, rows: rowsOf(text.slice(1)) };
}

function rowsOf(text: string): readonly Row[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/gu)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])));
}
