/** Reads `.env`, and finds what in it doesn't arrive as the person meant it. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export interface EnvFile {
  readonly values: Readonly<Record<string, string>>;
  /** One sentence each, by the variable it's about; the file's own name if it is about all of them. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The two bytes that begin it are no UTF-8; or each second byte is 0. */
const UTF16 = /^\uFFFD\uFFFD|\0/u;

/** A value without quotes that goes on behind a #, which starts a comment there. */
const CUT_OFF = /^\s*(?:export\s+)?(\w+)\s*=\s*[^\s"'`#][^#]*(?<!\s)#/u;

function describeReadError(file: string, thrown: unknown): string | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error';
  if (code === 'ENOENT') return undefined;
  if (code === 'EISDIR')
    return (
      `${file} is a folder, but must be a file: delete it, and copy .env.example to ${file}. ` +
      'Docker creates such a folder when it mounts a missing file'
    );
  return `${file} can't be read (${code}): make it readable for this user`;
}

/** Never throws. A missing file has no values. Accepts the byte order mark that Windows writes. */
export function readEnvFile(file: string): EnvFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    const problem = describeReadError(file, thrown);
    return { values: {}, problems: new Map(problem === undefined ? [] : [[file, problem]]) };
  }
  if (UTF16.test(text)) {
    const problem = `${file} is saved as UTF-16: save it as UTF-8 (in Notepad: Save As, Encoding, UTF-8)`;
    return { values: {}, problems: new Map([[file, problem]]) };
  }
  const plain = text.replace(/^\uFEFF/u, '');
  const cutOff = plain.split(/\r?\n/u).flatMap((line) => CUT_OFF.exec(line)?.[1] ?? []);
  const problems = new Map(
    cutOff.map((name): [string, string] => [
      name,
      `${name} ends at its # in ${file}, which starts a comment: put quotes around the value`,
    ]),
  );
  const values = parseEnv(plain) as Readonly<Record<string, string>>;
  if (values['NODE_EXTRA_CA_CERTS'])
    problems.set(
      'NODE_EXTRA_CA_CERTS',
      `NODE_EXTRA_CA_CERTS has no effect in ${file}, as Node.js reads it earlier: set it in the environment`,
    );
  return { values, problems };
}
