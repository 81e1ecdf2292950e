/** `gigdesk import` and `gigdesk export`: copy a workspace, and print the result. Exit code 1 if it fails. */
import { done, endWithReport, notDone, type Report } from '../base/command-report.ts';
import { machineClock } from '../clock.ts';
import { parseSlackTeam } from '../ids.ts';
import { runOnDatabase } from '../installations/commands.ts';
import { Leases } from '../storage/postgres/leases.ts';
import type { WorkspaceSummary } from './copied-workspace.ts';
import { exportFolder, importFolder, type MoveResult } from './move.ts';
import type { MovingParts } from './places.ts';

/** With a connection that holds the workspace meanwhile. Never throws: it reports what failed. */
function runMove(run: (parts: MovingParts) => Promise<Report>): Promise<Report> {
  return runOnDatabase(async (database, { storage }) => {
    if (storage.engine !== 'postgres') throw new Error('runOnDatabase has checked this');
    const leases = new Leases({ url: storage.url, clock: machineClock, onLost: () => undefined });
    try {
      return await run({ database, leases, clock: machineClock });
    } finally {
      await leases.close();
    }
  });
}

/** Copies a data folder into the database. */
export function importCommand(): Promise<void> {
  const [folder] = process.argv.slice(2);
  const report = runMove(async (parts) => {
    if (!folder) return notDone('Which data folder? Run: npm run gigdesk -- import <data folder>');
    const ifOccupied = 'To replace it, delete it first: npm run gigdesk -- forget <team ID>';
    return reportMove(await importFolder(parts, folder), { from: folder, to: 'the database', ifOccupied });
  });
  return endWithReport(report);
}

/** Copies a team out of the database into a new folder. */
export function exportCommand(): Promise<void> {
  const [given, folder] = process.argv.slice(2);
  const team = parseSlackTeam(given);
  const report = runMove(async (parts) => {
    if (!team || !folder)
      return notDone('Which team, and where to? Run: npm run gigdesk -- export <team ID> <new folder>');
    const ifOccupied = "Choose a folder that doesn't exist yet.";
    return reportMove(await exportFolder(parts, team, folder), {
      from: 'the database',
      to: folder,
      ifOccupied,
    });
  });
  return endWithReport(report);
}

interface MoveWords {
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
