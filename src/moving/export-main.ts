/** `gigdesk export <team ID> <new folder>`: copies a team out of the database. Exit code 1 if it fails. */
import { endWithReport, notDone } from '../base/command-report.ts';
import { parseSlackTeam } from '../ids.ts';
import { exportFolder } from './move.ts';
import { reportMove, runMove } from './report-move.ts';

const [given, folder] = process.argv.slice(2);
const team = parseSlackTeam(given);
await endWithReport(
  runMove(async (parts) => {
    if (!team || !folder)
      return notDone('Which team, and where to? Run: npm run gigdesk -- export <team ID> <new folder>');
    return reportMove(await exportFolder(parts, team, folder), {
      from: 'the database',
      to: folder,
      ifOccupied: "Choose a folder that doesn't exist yet.",
    });
  }),
);
