/** `npm run export -- <team ID> <new folder>`: copies a team out of the database. Exit code 1 if it fails. */
import { keepProcessAlive } from '../clock.ts';
import { parseSlackTeam } from '../ids.ts';
import { exportFolder } from './move.ts';
import { reportMove } from './report-move.ts';
import { runMove } from './run-move.ts';

keepProcessAlive();
const [given, folder] = process.argv.slice(2);
const team = parseSlackTeam(given);
const { code, words } = await runMove(async (parts) => {
  if (!team || !folder)
    return {
      code: 1,
      words: 'Which team, and where to? Run: npm run export -- <team ID> <new folder>',
    };
  const result = await exportFolder(parts, team, folder);
  return reportMove(result, {
    from: 'the database',
    to: folder,
    ifOccupied: "Choose a folder that doesn't exist yet.",
  });
});
(code === 0 ? console.log : console.error)(words);
process.exit(code);
