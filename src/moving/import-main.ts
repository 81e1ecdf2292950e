/** `gigdesk import <data folder>`: copies a data folder into the database. Exit code 1 if it fails. */
import { endWithReport, notDone } from '../base/command-report.ts';
import { importFolder } from './move.ts';
import { reportMove, runMove } from './report-move.ts';

const [folder] = process.argv.slice(2);
await endWithReport(
  runMove(async (parts) => {
    if (!folder) return notDone('Which data folder? Run: npm run gigdesk -- import <data folder>');
    return reportMove(await importFolder(parts, folder), {
      from: folder,
      to: 'the database',
      ifOccupied: 'To replace it, delete it first: npm run gigdesk -- forget <team ID>',
    });
  }),
);
