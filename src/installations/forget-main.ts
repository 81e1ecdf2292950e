/** `npm run forget -- <team>`: deletes everything of a team from the database. Exit code 1 if it fails. */
import { keepProcessAlive } from '../clock.ts';
import { parseSlackTeam, type TeamId } from '../ids.ts';
import { type ForgottenTeam, forgetTeam } from './forget-team.ts';
import { type Report, runOnDatabase } from './run-on-database.ts';

function reportForgotten(team: TeamId, { records, cachedItems, wasInstalled }: ForgottenTeam): Report {
  if (records === 0 && cachedItems === 0 && !wasInstalled)
    return { code: 1, words: `The database has nothing of ${team}. Nothing was deleted.` };
  const installation = wasInstalled ? 'the installation with its tokens' : 'no installation';
  return {
    code: 0,
    words:
      `Deleted everything of ${team}: records: ${records}, copies of proposals: ${cachedItems}, ` +
      `${installation}. If the app is still in that Slack workspace, remove it there, too.`,
  };
}

keepProcessAlive();
const team = parseSlackTeam(process.argv[2]);
const { code, words } = await runOnDatabase(async (database) => {
  if (!team) return { code: 1, words: 'Which team? Run: npm run forget -- <team ID>, for example T0123ABCD' };
  return reportForgotten(team, await forgetTeam(database, team));
});
(code === 0 ? console.log : console.error)(words);
process.exit(code);
