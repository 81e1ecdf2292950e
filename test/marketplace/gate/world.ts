/** A world around the gate: a manual clock, a journal that survives crashes, and a log of sent requests. */
import type { Clock } from '../../../src/clock.ts';
import { silentLog } from '../../../src/log.ts';
import type {
  ClosableRequestGate,
  GateJournal,
  GateMemory,
  Lane,
  RequestGate,
  RequestPermit,
  PermittedRequestResult as RequestResult,
} from '../../../src/marketplace/gate/gate.ts';
import { createRequestGate } from '../../../src/marketplace/gate/request-gate.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';

/** The end of a successful request. */
export const done = { kind: 'done' } as const;

export interface Sent {
  readonly lane: Lane;
  readonly limit: number;
  /** By the steady clock, which clock changes don't affect. */
  readonly from: number;
  to: number;
  ended: boolean;
}

export class MemoryJournal implements GateJournal {
  saved: GateMemory | undefined;
  saves = 0;
  /** What happens to the next saves. */
  mood: 'works' | 'fails' | 'hangs' = 'works';

  async load(): Promise<GateMemory | undefined> {
    if (this.mood === 'fails') throw new Error('the disk is gone');
    return this.saved;
  }

  async save(memory: GateMemory): Promise<void> {
    if (this.mood === 'fails') throw new Error('the disk is full');
    if (this.mood === 'hangs') await new Promise(() => {});
    this.saves++;
    this.saved = structuredClone(memory);
  }

  /** The next process's journal: this one saves nothing more. */
  crash(): MemoryJournal {
    this.mood = 'hangs';
    return Object.assign(new MemoryJournal(), { saved: this.saved });
  }
}

/** Opens a gate as the app does. */
export function openGate(
  limit: 'auto' | number,
  journal: GateJournal,
  clock: Clock,
  random: () => number = () => 0,
): Promise<ClosableRequestGate> {
  return createRequestGate({ limit, clock, random, journal, log: silentLog });
}

/** A gate with its own clock. */
export async function worldWith(limit: 'auto' | number, journal = new MemoryJournal()) {
  const clock = new ManualClock();
  return { clock, journal, gate: await openGate(limit, journal, clock) };
}

export function takeAll(gate: RequestGate, count: number, lane: Lane = 'person'): Promise<RequestPermit[]> {
  return Promise.all(Array.from({ length: count }, () => gate.acquirePermit(lane)));
}

/** The order of admission when all wait at once. */
export function order(gate: RequestGate, lanes: readonly Lane[]): Lane[] {
  const entered: Lane[] = [];
  for (const lane of lanes)
    void gate.acquirePermit(lane).then((permit) => {
      entered.push(lane);
      permit.finish(done);
    });
  return entered;
}

/** Enters the gate, sends for `tookMs`, and ends as `end` says. */
export async function goThrough(
  gate: RequestGate,
  clock: Clock,
  request: Pick<Sent, 'lane'> & { readonly tookMs: number; readonly end?: (sent: Sent) => RequestResult },
  sent: Sent[],
): Promise<void> {
  const permit = await gate.acquirePermit(request.lane);
  const from = clock.monotonicNow();
  const limit = gate.status().limitPerMinute;
  const entry: Sent = { lane: request.lane, limit, from, to: from, ended: false };
  sent.push(entry);
  await clock.sleep(request.tookMs);
  entry.to = clock.monotonicNow();
  entry.ended = true;
  permit.finish(request.end?.(entry) ?? done);
}

/** The most requests that any 60 s may have counted, whatever each one's travel time to the server. */
export function mostInAWindow(sent: readonly Sent[], windowMs = 60_000): number {
  const inWindow = (end: number) => sent.filter(({ from, to }) => from <= end && to >= end - windowMs);
  return Math.max(0, ...sent.map(({ from }) => inWindow(from).length));
}
