/** Processes measured side by side: one question at a time, so none works while another is measured. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { keepProcessAlive } from '../src/clock.ts';
import { asError } from '../src/errors.ts';

type Reply = { readonly value: unknown } | { readonly failed: string };

/** A process's questions: the argument and answer of each are plain data. */
export type Protocol = Readonly<Record<string, (argument: never) => unknown>>;

type ArgumentOf<F> = F extends (argument: infer A) => unknown ? A : never;
type AnswerOf<F> = F extends (argument: never) => infer R ? Awaited<R> : never;

export interface Contender<P extends Protocol> {
  /** Asks one question at a time. @throws Error when the process fails at it, or has ended. */
  ask<Q extends keyof P & string>(question: Q, argument: ArgumentOf<P[Q]>): Promise<AnswerOf<P[Q]>>;
  /** @param signal SIGTERM if missing */
  end(signal?: NodeJS.Signals): Promise<void>;
}

function nextReply(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const forget = () => {
      child.off('message', take);
      child.off('exit', lose);
    };
    const take = (reply: Reply) => {
      forget();
      resolve(reply);
    };
    const lose = () => {
      forget();
      reject(new Error('a child process of the benchmark ended'));
    };
    child.once('message', take);
    child.once('exit', lose);
  });
}

/** Node's flags of `npm start`; the baselines get them, too. */
function readStartFlags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, flags] = /\bexec node (.*) dist\/main\.js$/.exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error("package.json doesn't say how to start Node");
  return flags.split(' ');
}

/** @param script a module that calls `answerQuestions`. @param flags of Node, besides those of `npm start` */
export function startContender<P extends Protocol>(
  script: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Contender<P> {
  const execArgv = ['--expose-gc', ...readStartFlags(), ...flags];
  const child = fork(script, args, { execArgv, serialization: 'advanced' });
  return {
    ask: async (question, argument) => {
      const reply = nextReply(child);
      child.send({ question, argument });
      const answer = await reply;
      if ('failed' in answer) throw new Error(answer.failed);
      return answer.value as AnswerOf<P[typeof question]>;
    },
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

/** Answers until the parent process is gone. */
export function answerQuestions<P extends Protocol>(answers: P): void {
  keepProcessAlive();
  process.on('disconnect', () => process.exit());
  process.on('message', ({ question, argument }: { question: keyof P & string; argument: never }) => {
    const answer = async () => answers[question]?.(argument);
    answer().then(
      (value) => process.send?.({ value }),
      (thrown: unknown) => process.send?.({ failed: asError(thrown).stack ?? 'unknown' }),
    );
  });
}
