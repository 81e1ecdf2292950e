import type { KnownBlock } from '@slack/types';
import { mayAct } from '../../access/roles.ts';
import { asError } from '../../errors.ts';
import { projectRecordKey, type SeenProject, seenProjects } from '../../feed/records.ts';
import { projectKey, readProjectReference } from '../../marketplace/project-key.ts';
import { section } from '../messages/parts.ts';
import { unfurlText } from '../messages/unfurl.ts';
import type { LinkSharedCall } from '../routes.ts';

const MOST_LINKS = 5;

type Shown = Pick<SeenProject, 'project'>;

/** A project that some filter found already costs nothing. */
async function findSeen({ services }: LinkSharedCall, url: string): Promise<Shown | undefined> {
  const key = projectKey(url);
  if (!key) return undefined;
  return services.store.read((tx) => tx.get(seenProjects, projectRecordKey(services.team, key)));
}

/** A channel spends on unfurls only where someone chose to spend: it follows a filter or has a budget of its own. */
async function maySpend({ services, channel }: LinkSharedCall): Promise<boolean> {
  const at = services.clock.now();
  const { available, isOwn } = await services.store.read((tx) => services.credits.budget(tx, channel, at));
  if (available < 1) return false;
  return isOwn === true || (await services.feed.subscriptions(channel)).length > 0;
}

async function lookUp(call: LinkSharedCall, url: string): Promise<Shown | undefined> {
  const reference = readProjectReference(url);
  if (!(reference && (await maySpend(call)))) return undefined;
  const { services, channel, person } = call;
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found') return { project: outcome.project };
  const why = outcome.kind === 'failed' ? outcome.error.code : outcome.kind;
  services.log.info('a shared link was not looked up', { channel, why });
  return undefined;
}

async function blocksFor(call: LinkSharedCall, url: string): Promise<KnownBlock[] | undefined> {
  const shown = (await findSeen(call, url)) ?? (await lookUp(call, url));
  return shown && [section(unfurlText(shown.project, url))];
}

/**
 * Shows the public facts of linked projects under the message; nothing for guests and people of other companies, who could learn
 * from it what the team has found. Nobody asked for it, so trouble goes into the log alone.
 */
export async function unfurlProjects(call: LinkSharedCall): Promise<void> {
  if (!mayAct(call.person.role, 'viewer')) return;
  const { services, channel, messageTs } = call;
  const unfurls: Record<string, readonly KnownBlock[]> = {};
  try {
    for (const url of [...new Set(call.links.map((link) => link.url))].slice(0, MOST_LINKS)) {
      const blocks = await blocksFor(call, url);
      if (blocks) unfurls[url] = blocks;
    }
    if (Object.keys(unfurls).length > 0) await services.slack.unfurl(channel, messageTs, unfurls);
  } catch (thrown) {
    services.log.warn('could not unfurl a shared link', { channel, error: asError(thrown) });
  }
}
