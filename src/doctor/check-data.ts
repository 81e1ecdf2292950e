/** Checks that the data folder's files can be read, and that they are the team's whose bot token is set. */
import { asError } from '../errors.ts';
import { CURRENT_DATA_VERSION } from '../storage/commit-log.ts';
import { fileSystemDisk } from '../storage/disk.ts';
import { readFolderRecords } from '../storage/journal/read-records.ts';
import { type DoctorFinding, failed, passed, warned } from './finding.ts';

/**
 * Reads all files and changes none. Reports nothing on a folder without data. Never throws.
 * @param team of the bot token; undefined when that isn't known
 */
export async function checkData(folder: string, team: string | undefined): Promise<readonly DoctorFinding[]> {
  try {
    const read = await readFolderRecords({ disk: fileSystemDisk, folder, version: CURRENT_DATA_VERSION });
    if (read.kind === 'nothing-there') return [];
    if (read.damage.length > 0) return [warned('data', read.damage.join(' '), DAMAGE_REMEDY)];
    return read.team === undefined ? [] : [judgeTeam(read.team, team)];
  } catch (thrown) {
    return [{ check: 'data', ok: false, detail: asError(thrown).message }];
  }
}

const DAMAGE_REMEDY = 'restore a backup if it has more; otherwise, a start keeps copies of damaged files';

function judgeTeam(found: string, team: string | undefined): DoctorFinding {
  if (team === undefined || team === found) return passed('data', `readable; Slack team ${found}`);
  return failed(
    'data',
    `the folder has the data of Slack team ${found}, but SLACK_BOT_TOKEN is for team ${team}`,
    `set DATA_DIR to another folder, or use the bot token of team ${found}`,
  );
}
