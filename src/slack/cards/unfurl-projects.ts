/** Previews of project links that people post in channels. */
import type { KnownBlock } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import { SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { readSeenProject } from '../../feed/find-project.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { parseProjectKey, parseProjectReference } from '../../marketplace/project-key.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { findRecentProjectLookup } from '../bids/bids.ts';
import type { LinkSharedCall } from '../core/routes.ts';
import { joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { formatTimeAgo } from '../kit/mrkdwn.ts';
import { clientLine } from '../kit/project/client.ts';
import { projectBudgetText, projectLink, skillsLine } from '../kit/project/project-lines.ts';

const MOST_LINKS = 5;

/** After this, the message is too old for another lookup. */
const BEGIN_WITHIN_MS = 15 * SECOND;

type Found = Map<string, ListedProject>;

/**
 * Shows public facts of linked projects under the message. Shows nothing for guests and external members, who
 * could learn what the team has found. Nobody requested it, so failures are only logged.
 */
export async function unfurlProjects(call: LinkSharedCall): Promise<void> {
  const { services, channel, messageTs, person } = call;
  if (!hasRoleAtLeast(person.role, 'viewer')) return;
  const found: Found = new Map();
  try {
    const urls = [...new Set(call.links.map((link) => link.url))].slice(0, MOST_LINKS);
    for (const url of urls) {
      const known = await findKnown(call, url);
      if (known) found.set(url, known);
    }
    const missing = urls.filter((url) => !found.has(url) && parseProjectReference(url) !== undefined);
    if (missing.length > 0 && (await maySpend(call))) await lookUpMissing(call, missing, found);
    if (found.size === 0) return;
    const unfurls: Record<string, readonly KnownBlock[]> = {};
    for (const [url, project] of found) unfurls[url] = [sectionBlock(unfurlText(project, url))];
    await services.slack.unfurl(channel, messageTs, unfurls);
  } catch (thrown) {
    services.log.warn("couldn't unfurl a shared link", { channel, error: asError(thrown) });
  }
}

/** A project that a filter found or that was just looked up costs neither a credit nor a request. */
async function findKnown({ services }: LinkSharedCall, url: string): Promise<ListedProject | undefined> {
  const key = parseProjectKey(url);
  if (!key) return undefined;
  const { store, clock } = services;
  return store.read(async (tx) => {
    const seen = await readSeenProject(tx, key);
    return seen?.project ?? findRecentProjectLookup(tx, parseProjectReference(url), clock.now());
  });
}

/** Unfurls spend credits only where someone chose to: in channels with a filter or an own budget. */
async function maySpend({ services, channel }: LinkSharedCall): Promise<boolean> {
  const { store, credits, clock } = services;
  const at = clock.now();
  const { available, isOwn } = await store.read((tx) => credits.readBudgetState(tx, channel, at));
  if (available < 1) return false;
  return isOwn === true || (await services.feed.listSubscriptions(channel)).length > 0;
}

async function lookUp(call: LinkSharedCall, reference: ProjectReference): Promise<ListedProject | undefined> {
  if (!(await maySpend(call))) return undefined;
  const { services, channel, person } = call;
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference, 'unfurl');
  if (outcome.kind === 'found') return outcome.project;
  const why = outcome.kind === 'failed' ? outcome.error.code : outcome.kind;
  services.log.info('shared link not looked up', { channel, why });
  return undefined;
}

/** Looks up one project at a time, while the message is the newest of its channel and not too old. */
async function lookUpMissing(call: LinkSharedCall, missing: readonly string[], found: Found): Promise<void> {
  const { clock, unfurlQueue } = call.services;
  const until = clock.monotonicNow() + BEGIN_WITHIN_MS;
  const turn = await unfurlQueue.waitForTurn(call.channel);
  if (!turn) return;
  try {
    for (const url of missing) {
      const reference = parseProjectReference(url);
      if (turn.isOvertaken() || clock.monotonicNow() >= until) return;
      const project = reference && (await lookUp(call, reference));
      if (project) found.set(url, project);
    }
  } finally {
    turn.end();
  }
}

/**
 * The preview of a shared link: only public marketplace data, since guests and other companies read it, too.
 * Leaves out the verdict, warnings, filters, claims and bids, which belong to the team.
 * @param url as posted: the URL from a filter's list may name the filter. mrkdwn.
 */
function unfurlText(project: ListedProject, url: string): string {
  const { title, budget, client, skills, publishedAt } = project;
  return joinLines(
    joinFacts(`*${projectLink({ title, url })}*`, projectBudgetText(budget)),
    joinFacts(clientLine(client), publishedAt === undefined ? undefined : formatTimeAgo(publishedAt)),
    skillsLine(skills),
  );
}
