/** What `gigdesk import` and `gigdesk export` share: the database's parts, and what they print. */
import { done, notDone, type Report } from '../base/command-report.ts';
import { machineClock } from '../clock.ts';
import { runOnDatabase } from '../installations/run-on-database.ts';
import { Leases } from '../storage/postgres/leases.ts';
import type { WorkspaceSummary } from './copied-workspace.ts';
import type { MovingParts } from './database-place.ts';
import type { MoveResult } from './move.ts';

/** With a connection that holds the workspace meanwhile. Never throws: it reports what failed. */
export function runMove(run: (parts: MovingParts) => Promise<Report>): Promise<Report> {
  return runOnDatabase(async (database, { storage }) => {
    if (storage.engine !== 'postgres') throw new Error('run-on-database.ts has checked this');
    const leases = new Leases({ url: storage.url, clock: machineClock, onLost: () => undefined });
    try {
      return await run({ database, leases, clock: machineClock });
    } finally {
      await leases.close();
    }
  });
}

export interface MoveWords {
  /** For example `/data`. */
  readonly from: string;
  readonly to: string;
  /** What to do about a target that holds something else. */
  readonly ifOccupied: string;
}

function summaryLines({ counts, checksum }: WorkspaceSummary): string[] {
  return [...[...counts].map(([name, count]) => `  ${name}: ${count}`), `  checksum: ${checksum}`];
}

/** At the start of a sentence. A folder's name stays as it is. */
function atStart(place: string): string {
  return place.startsWith('the ') ? `T${place.slice(1)}` : place;
}

export function reportMove(result: MoveResult, { from, to, ifOccupied }: MoveWords): Report {
  switch (result.kind) {
    case 'moved':
      return done(
        `Copied ${result.team} from ${from} to ${to}. Both hold the same:`,
        ...summaryLines(result.summary),
        `${atStart(from)} was not changed. Start Gigdesk with one of the two only: ` +
          'with both, projects are posted and paid for twice.',
      );
    case 'there-already':
      return done(
        `${atStart(to)} already holds what ${from} has of ${result.team}. Nothing was changed:`,
        ...summaryLines(result.summary),
      );
    case 'no-workspace':
      return notDone(`${atStart(from)} has no Gigdesk data. Nothing was copied.`);
    case 'occupied':
      return notDone(
        `${atStart(to)} holds other data of ${result.team} (records: ${result.records}). ` +
          `Nothing was copied. ${ifOccupied}`,
      );
    case 'different':
      return notDone(
        `The copy of ${result.team} differs from its source. Don't use ${to}.`,
        `${atStart(from)}:`,
        ...summaryLines(result.source),
        `${atStart(to)}:`,
        ...summaryLines(result.target),
      );
  }
}
