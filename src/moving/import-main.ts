/** `npm run import -- <data folder>`: copies a data folder into the database. Exit code 1 if it fails. */
import { keepProcessAlive } from '../clock.ts';
import { importFolder } from './move.ts';
import { reportMove } from './report-move.ts';
import { runMove } from './run-move.ts';

keepProcessAlive();
const [folder] = process.argv.slice(2);
const { code, words } = await runMove(async (parts) => {
  if (!folder) return { code: 1, words: 'Which data folder? Run: npm run import -- <data folder>' };
  const result = await importFolder(parts, folder);
  return reportMove(result, {
    from: folder,
    to: 'the database',
    ifOccupied: 'To replace it, delete it first: npm run forget -- <team ID>',
  });
});
(code === 0 ? console.log : console.error)(words);
process.exit(code);
