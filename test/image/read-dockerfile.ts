/** Reads the Dockerfile as stages; rejects what it doesn't know, so that nothing is skipped. */

const KNOWN = 'WORKDIR ENV COPY RUN USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK CMD'.split(' ');

interface Step {
  readonly word: string;
  readonly args: string;
}

export interface Stage {
  readonly name: string | undefined;
  /** An image, or an earlier stage. */
  readonly base: string;
  readonly steps: readonly Step[];
}

export function readDockerfile(text: string): readonly Stage[] {
  const lines = text
    .replaceAll(/^#.*\n/gmu, '')
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n')
    .filter(Boolean);
  const stages: (Stage & { readonly steps: Step[] })[] = [];
  for (const line of lines) {
    const [, word = '', args = ''] = /^(\w+)\s+(.*)$/u.exec(line) ?? [];
    const [base = '', , name] = args.split(/\s+/u);
    if (word === 'FROM') stages.push({ name, base, steps: [] });
    else if (KNOWN.includes(word)) stages.at(-1)?.steps.push({ word, args });
    else throw new Error(`an instruction that is not understood: ${line}`);
  }
  return stages;
}

/** What the only step of a kind says. @throws Error when there is none, or more than one */
export function theStep(stage: Stage | undefined, word: string): string {
  const [step, ...more] = (stage?.steps ?? []).filter((it) => it.word === word);
  if (!step || more.length > 0) throw new Error(`not one ${word}`);
  return step.args;
}

/** A step's list of words. The other form would have a shell between a signal and the process. */
export function theWords(stage: Stage | undefined, word: string): readonly string[] {
  const args = theStep(stage, word);
  return JSON.parse(args.slice(args.indexOf('['))) as string[];
}

export function theEnvironment(stage: Stage | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    theStep(stage, 'ENV')
      .split(' ')
      .map((pair) => pair.split('=', 2)),
  );
}

/** Whether `.dockerignore` lets a path into the build context: the last matching line decides. */
export function passesIgnore(ignore: string, path: string): boolean {
  const rules = ignore.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const isOf = (pattern: string) => pattern === '*' || `${path}/`.startsWith(`${pattern}/`);
  const last = rules.findLast((rule) => isOf(rule.replace('!', '')));
  return last === undefined || last.startsWith('!');
}
