import { toAccessScope } from '../../access/access.ts';
import { hasRoleAtLeast } from '../../access/roles.ts';
import { SlackCallError } from '../core/errors.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { readUserGroups } from '../core/user-groups.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { codeText } from '../kit/query-error.ts';
import { type AccessModalFacts, accessModal } from './access-modal.ts';

/** Only admins everywhere may change that list; a direct message has no other list. */
async function isAdminEverywhere({ services, channel, person }: CommandCall): Promise<boolean> {
  if (toAccessScope(channel) === 'everywhere') return true;
  const everywhere = await services.resolvePerson(person.user);
  return hasRoleAtLeast(everywhere.role, 'admin');
}

/** The person may have closed the modal by now, which is no failure. */
async function completeView(call: CommandCall, viewId: string, facts: AccessModalFacts): Promise<void> {
  const { slack, log } = call.services;
  const groups = await readUserGroups(call.services);
  try {
    await slack.updateView(viewId, accessModal({ ...facts, groups }));
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    log.info('could not show user groups', { error: thrown.code });
  }
}

async function run(call: CommandCall): Promise<void> {
  const { services, channel } = call;
  if (call.args !== '')
    return call.answer(
      inputErrorMessage(`Leave out ${codeText(call.args, 60)}: this command has no options.`, 'access'),
    );
  const [list, mayChoose] = await Promise.all([
    services.access.readAccessList(toAccessScope(channel)),
    isAdminEverywhere(call),
  ]);
  const facts: AccessModalFacts = { list, channel, canSwitchScope: mayChoose, groups: { kind: 'loading' } };
  const viewId = await services.slack.openView(call.triggerId, accessModal(facts));
  await completeView(call, viewId, facts);
}

export const accessCommand: CommandRoute = {
  word: 'access',
  topic: 'about',
  needs: 'admin',
  usage: ['access'],
  summary: 'Choose who can bid and who is an admin, in this channel or everywhere: people and user groups.',
  details: [
    'Full members can subscribe, claim, skip and look up projects. ' +
      "*Bidders* can also bid and approve jobs: this spends connects, the marketplace's bid currency. " +
      '*Admins* can also set budgets, pause the feed, read the audit log and change these lists.',
    "Workspace admins and owners, and people in Gigdesk's setting `ADMIN_USER_IDS`, are always admins. " +
      'Guests and external members can only read.',
    "Channel admins change their own channel's list. " +
      'People without a role see *Request Access*, and an admin grants it with one button.',
  ].join('\n'),
  examples: ['access'],
  run,
};
