import { scopeOf } from '../../access/access.ts';
import { mayAct } from '../../access/roles.ts';
import { SlackCallError } from '../errors.ts';
import { inputMistake } from '../messages/input-mistake.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { readUserGroups } from '../user-groups.ts';
import { type AccessFacts, accessModal } from '../views/access-modal.ts';

/** Only who is an admin everywhere may change that list; in a direct message there is no other. */
async function isAdminEverywhere({ services, channel, person }: CommandCall): Promise<boolean> {
  if (scopeOf(channel) === 'everywhere') return true;
  const everywhere = await services.whoIs(person.user);
  return mayAct(everywhere.role, 'admin');
}

/** The person may have closed the modal by now, which is no failure. */
async function completeView(call: CommandCall, viewId: string, facts: AccessFacts): Promise<void> {
  const { slack, log } = call.services;
  const groups = await readUserGroups(call.services);
  try {
    await slack.updateView(viewId, accessModal({ ...facts, groups }));
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    log.info('user groups were not shown', { error: thrown.code });
  }
}

async function run(call: CommandCall): Promise<void> {
  const { services, channel } = call;
  if (call.args !== '')
    return call.answer(inputMistake('This opens a window, and takes no words behind it.', 'access'));
  const [list, mayChoose] = await Promise.all([
    services.access.list(scopeOf(channel)),
    isAdminEverywhere(call),
  ]);
  const facts: AccessFacts = { list, channel, mayChoose, groups: { kind: 'loading' } };
  const viewId = await services.slack.openView(call.triggerId, accessModal(facts));
  await completeView(call, viewId, facts);
}

export const access: CommandRoute = {
  word: 'access',
  topic: 'about',
  needs: 'admin',
  usage: ['access'],
  summary: 'Who may bid and who is an admin, in this channel or everywhere: people and user groups.',
  details: [
    'Every full member may subscribe, claim, skip and look projects up. *Bidders* bid and approve, which spends connects. *Admins* also set budgets, pause the feed, read the audit log and change these lists.',
    'Admins and owners of the workspace, and whoever is named in `ADMIN_USER_IDS`, are admins in any case. Guests and people of other workspaces never rise above reading.',
    'An admin of one channel changes the list of that channel. Whoever lacks a role is offered *Request access*; an admin grants it with one button.',
  ].join('\n'),
  examples: ['access'],
  run,
};
