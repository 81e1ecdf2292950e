/**
 * Takes Slack's place as the receiver of answers: replies ok at once and keeps the first answer of each kind.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { machineClock } from '../../src/clock.ts';
import { type Kind, kindAnswered } from './interactions.ts';

const LOOK_MS = 20;

export interface AnswerSink {
  readonly url: string;
  /** Answers received so far. */
  readonly arrived: number;
  readonly first: ReadonlyMap<Kind, unknown>;
  /** Whether `count` answers arrived within `withinMs`. */
  reaches(count: number, withinMs: number): Promise<boolean>;
  close(): void;
}

export async function openAnswerSink(): Promise<AnswerSink> {
  const first = new Map<Kind, unknown>();
  let arrived = 0;
  const server = createServer((incoming, response) => {
    const kind = kindAnswered(incoming.url ?? '');
    const parts: Buffer[] = [];
    const isNew = kind !== undefined && !first.has(kind);
    incoming.on('data', (part: Buffer) => isNew && parts.push(part));
    incoming.on('end', () => {
      if (isNew) first.set(kind, JSON.parse(Buffer.concat(parts).toString()));
      arrived += 1;
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get arrived() {
      return arrived;
    },
    first,
    reaches: async (count, withinMs) => {
      const ends = machineClock.now() + withinMs;
      while (arrived < count && machineClock.now() < ends) await machineClock.sleep(LOOK_MS);
      return arrived >= count;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
