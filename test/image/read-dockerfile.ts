/** Parses the syntax our Dockerfile uses into stages; rejects everything else, so that nothing is skipped. */

export type Step =
  | { readonly kind: 'workdir'; readonly path: string }
  | { readonly kind: 'env'; readonly values: Readonly<Record<string, string>> }
  | {
      readonly kind: 'copy';
      /** A stage's name; undefined: the build context. */
      readonly from: string | undefined;
      readonly sources: readonly string[];
      readonly to: string;
    }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'volume'; readonly paths: readonly string[] }
  | { readonly kind: 'expose'; readonly port: number }
  | { readonly kind: 'stop-signal'; readonly signal: string }
  | { readonly kind: 'healthcheck'; readonly flags: Flags; readonly command: readonly string[] }
  | { readonly kind: 'command'; readonly command: readonly string[] };

type Flags = Readonly<Record<string, string>>;

export interface Stage {
  readonly name: string | undefined;
  /** An image, or an earlier stage. */
  readonly base: string;
  readonly steps: readonly Step[];
}

/** Exec form only: with the shell form, a shell would sit between a signal and the process. */
function readWords(json: string): readonly string[] {
  const words: unknown = JSON.parse(json);
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`no list of words: ${json}`);
}

function takeFlags(args: string): { readonly flags: Flags; readonly rest: string } {
  const [head = ''] = /^(?:--\S+\s+)*/.exec(args) ?? [];
  const flags = [...head.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
  return { flags: Object.fromEntries(flags), rest: args.slice(head.length) };
}

function readCopy(args: string): Step {
  const { flags, rest } = takeFlags(args);
  const paths = rest.split(/\s+/);
  return { kind: 'copy', from: flags['from'], sources: paths.slice(0, -1), to: paths.at(-1) ?? '' };
}

function readHealthcheck(args: string): Step {
  const { flags, rest } = takeFlags(args);
  return { kind: 'healthcheck', flags, command: readWords(rest.replace(/^CMD\s+/, '')) };
}

function readUser(args: string): Step {
  const [uid = Number.NaN, gid = uid] = args.split(':').map(Number);
  return { kind: 'user', uid, gid };
}

function readEnv(args: string): Step {
  const pairs = args.split(/\s+/).map((pair) => pair.split('=', 2) as [string, string]);
  return { kind: 'env', values: Object.fromEntries(pairs) };
}

const readers: Readonly<Record<string, (args: string) => Step>> = {
  WORKDIR: (path) => ({ kind: 'workdir', path }),
  ENV: readEnv,
  COPY: readCopy,
  RUN: (command) => ({ kind: 'run', command }),
  USER: readUser,
  VOLUME: (paths) => ({ kind: 'volume', paths: readWords(paths) }),
  EXPOSE: (port) => ({ kind: 'expose', port: Number(port) }),
  STOPSIGNAL: (signal) => ({ kind: 'stop-signal', signal }),
  HEALTHCHECK: readHealthcheck,
  CMD: (command) => ({ kind: 'command', command: readWords(command) }),
};

export function readDockerfile(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: (Stage & { readonly steps: Step[] })[] = [];
  for (const line of lines) {
    const [, word = '', args = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (word === 'FROM') {
      const [base = '', , name] = args.split(/\s+/);
      stages.push({ name, base, steps: [] });
      continue;
    }
    const read = readers[word];
    if (!read) throw new Error(`an instruction that is not understood: ${line}`);
    stages.at(-1)?.steps.push(read(args));
  }
  return stages;
}

/** The only step of a kind. @throws Error when there is none, or more than one */
export function theStep<K extends Step['kind']>(
  stage: Stage | undefined,
  kind: K,
): Extract<Step, { kind: K }> {
  const found = (stage?.steps ?? []).filter((step): step is Extract<Step, { kind: K }> => step.kind === kind);
  const [step, ...more] = found;
  if (!step || more.length > 0) throw new Error(`not one ${kind}`);
  return step;
}

/** Whether `.dockerignore` lets a path into the build context: the last matching line decides. */
export function passesIgnore(ignore: string, path: string): boolean {
  const rules = ignore.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  let passes = true;
  for (const rule of rules) {
    const wanted = rule.startsWith('!');
    const pattern = wanted ? rule.slice(1) : rule;
    if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)) passes = wanted;
  }
  return passes;
}
