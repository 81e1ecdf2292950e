/** The request gate: never above the limit, and little of it wasted. */
import { backgroundSlotLimit } from '../../src/marketplace/gate/gate.ts';
import { mostInAWindow } from '../../test/marketplace/gate/world.ts';
import { playGate } from '../gate/play-gate.ts';
import type { Measure, Row } from '../part.ts';

const LIMITS = [5, 30, 100];
const PERSONAL = ['person', 'bid'] as const;
const BACKGROUND = ['feed', 'tracking', 'sync'] as const;
const CRASHES = 3;

export const measure: Measure = async ({ quick, say }) => {
  const minutes = quick ? 15 : 60;
  const rows: Row[] = [];
  for (const limit of LIMITS) {
    say(`${minutes} minutes at ${limit} requests per minute`);
    const steady = await playGate({ limit, lanes: [...PERSONAL, ...BACKGROUND], minutes, crashes: 0 });
    const crashed = await playGate({ limit, lanes: [...PERSONAL, ...BACKGROUND], minutes, crashes: CRASHES });
    const quiet = await playGate({ limit, lanes: BACKGROUND, minutes, crashes: 0 });
    const most = Math.max(...[steady, crashed, quiet].map(({ sent }) => mostInAWindow(sent)));
    const sent = steady.sent.length + crashed.sent.length + quiet.sent.length;
    rows.push(
      {
        what: `Most requests over the limit of ${limit} in any 60 s`,
        measured: Math.max(0, most - limit),
        unit: '',
        baseline: 'none',
        bar: { atMost: 0 },
        note:
          `${most} in the busiest 60 s of ${sent.toLocaleString('en')} requests, with ${CRASHES} kills. ` +
          'Holds no matter when the server counts a request between its start and end.',
      },
      {
        what: `Share of ${limit} requests per minute used while people's requests wait`,
        measured: steady.used * 100,
        unit: '%',
        baseline: 'the limit',
        bar: { atLeast: 95 },
        note:
          'Requests take 0.1 to 0.9 s, and each counts for 60.05 s after it ends. ' +
          `Background work alone can use ${backgroundSlotLimit(limit)} of the ${limit}, ` +
          `and used ${(quiet.used * limit).toFixed(1)}.`,
      },
    );
  }
  return rows;
};
