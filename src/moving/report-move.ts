/** What `npm run import` and `npm run export` print. Pure. */
import type { Report } from '../installations/run-on-database.ts';
import type { WorkspaceSummary } from './copied-workspace.ts';
import type { MoveResult } from './move.ts';

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
      return {
        code: 0,
        words: [
          `Copied ${result.team} from ${from} to ${to}. Both hold the same:`,
          ...summaryLines(result.summary),
          `${atStart(from)} was not changed. Start Gigdesk with one of the two only: ` +
            'with both, projects are posted and paid for twice.',
        ].join('\n'),
      };
    case 'there-already':
      return {
        code: 0,
        words: [
          `${atStart(to)} already holds what ${from} has of ${result.team}. Nothing was changed:`,
          ...summaryLines(result.summary),
        ].join('\n'),
      };
    case 'no-workspace':
      return {
        code: 1,
        words:
          result.teams.length > 1
            ? `${atStart(from)} has several teams: ${result.teams.join(', ')}. Nothing was copied.`
            : `${atStart(from)} has no Gigdesk data. Nothing was copied.`,
      };
    case 'occupied':
      return {
        code: 1,
        words:
          `${atStart(to)} holds other data of ${result.team} (records: ${result.records}). ` +
          'Nothing was copied. ' +
          ifOccupied,
      };
    case 'different':
      return {
        code: 1,
        words: [
          `The copy of ${result.team} differs from its source. Don't use ${to}.`,
          `${atStart(from)}:`,
          ...summaryLines(result.source),
          `${atStart(to)}:`,
          ...summaryLines(result.target),
        ].join('\n'),
      };
  }
}
