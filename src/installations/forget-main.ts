/** `gigdesk forget <team>`: deletes everything of a team from the database. Exit code 1 if it fails. */
import { done, endWithReport, notDone, type Report } from '../base/command-report.ts';
import { parseSlackTeam, type TeamId } from '../ids.ts';
import { type ForgottenTeam, forgetTeam } from './forget-team.ts';
import { runOnDatabase } from './run-on-database.ts';

function reportForgotten(team: TeamId, { records, cachedItems, wasInstalled }: ForgottenTeam): Report {
  if (records === 0 && cachedItems === 0 && !wasInstalled)
    return notDone(`The database has nothing of ${team}. Nothing was deleted.`);
  const installation = wasInstalled ? 'the installation with its tokens' : 'no installation';
  return done(
    `Deleted everything of ${team}: records: ${records}, copies of proposals: ${cachedItems}, ` +
      `${installation}. If the app is still in that Slack workspace, remove it there, too.`,
  );
}

const team = parseSlackTeam(process.argv[2]);
await endWithReport(
  runOnDatabase(async (database) =>
    team
      ? reportForgotten(team, await forgetTeam(database, team))
      : notDone('Which team? Run: npm run gigdesk -- forget <team ID>, for example T0123ABCD'),
  ),
);
