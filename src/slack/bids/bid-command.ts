import { findSeenProject, readSeenProject } from '../../feed/find-project.ts';
import { ProjectKey, type TeamId } from '../../ids.ts';
import { parseProjectKey, parseProjectReference } from '../../marketplace/project-key.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { invalidProjectReferenceMessage } from '../kit/project/no-such-project.ts';
import { openBidModal, toCallOrigin } from './bid-open.ts';
import { type KnownProjectDetails, readBidProjectInfo } from './bid-subject.ts';

const EXAMPLE = 'bid ~012345678901234567 Night shift';
const LINK = /https?:\/\/[^\s<>|"'`“”‘’]+/iu;

/** Splits the project (Slack may put a link in angle brackets) from the setup. */
function readArgs(args: string): { readonly project: string; readonly setup: string } {
  const [, project = '', setup = ''] = /^(<[^>]*>|\S+)\s*([\s\S]*)$/u.exec(args) ?? [];
  return { project, setup: setup.trim() };
}

interface Asked extends KnownProjectDetails {
  /** Whether the reference contains a marketplace ID; if not, our records must know the project. */
  readonly bearsId: boolean;
}

function readProject(words: string): Asked | undefined {
  const link = LINK.exec(words)?.[0];
  const reference = parseProjectReference(words);
  const id = reference && ('ciphertext' in reference ? reference.ciphertext : reference.uid);
  if (link !== undefined) {
    const project = parseProjectKey(link);
    return project && { project, url: link, marketplaceJobId: id, bearsId: id !== undefined };
  }
  if (!reference || id === undefined) return undefined;
  const project = ProjectKey.parse('uid' in reference ? `uid:${id}` : id);
  return { project, marketplaceJobId: id, bearsId: true };
}

/** Uses the feed's key of the project: people may type its uid, or only the digits of its `~id`. */
async function asKnown(tx: ReadTransaction, team: TeamId, asked: Asked): Promise<Asked> {
  const known = asked.url === undefined && (await findSeenProject(tx, team, asked));
  if (!known) return asked;
  const { key } = known.project;
  return key.startsWith('~') ? { ...asked, project: key, marketplaceJobId: key } : { ...asked, project: key };
}

async function run(call: CommandCall): Promise<void> {
  const { project: words, setup } = readArgs(call.args);
  if (words === '')
    return call.answer(
      inputErrorMessage(
        'Which project? Paste its link, or the part of the link that starts with `~`.',
        EXAMPLE,
      ),
    );
  const asked = readProject(words);
  const isOpen =
    asked &&
    (await openBidModal(
      call,
      async (tx) => {
        const { team } = call.services;
        const isKnown = asked.bearsId || (await readSeenProject(tx, team, asked.project));
        return isKnown
          ? readBidProjectInfo(tx, toCallOrigin(call), await asKnown(tx, team, asked))
          : undefined;
      },
      setup,
    ));
  if (isOpen) return;
  await call.answer(invalidProjectReferenceMessage(words, EXAMPLE));
}

export const bidCommand: CommandRoute = {
  word: 'bid',
  topic: 'bidding',
  needs: 'bidder',
  usage: ['bid <link | ~id | uid> [<setup id | name>]'],
  summary: 'Open a form to bid on a project with one of your auto bidding setups.',
  details:
    "The form shows the project's screening questions and which of your setups have bid. " +
    'Nothing is sent until you press *Send Bid*. If you close the form, your draft is saved. ' +
    "Enter a setup by its ID or by words from its name. The form's menu lists up to 100 setups. " +
    'For others, enter the ID. Looking up missing project details costs this channel at most 1 credit.',
  examples: [
    'bid https://www.marketplace.example/jobs/~012345678901234567',
    'bid ~012345678901234567 Night shift',
    'bid ~012345678901234567 7',
  ],
  run,
};
