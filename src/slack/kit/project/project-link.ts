/** A project's title, linked to it. Pure. */
import type { ListedProject } from '../../../marketplace/schema.ts';
import { formatLink, safeLine, safeUrl } from '../mrkdwn.ts';

/** A longer URL would crowd out the message; real project URLs are far shorter. */
const LONGEST_URL = 600;

/** The title as a mrkdwn link, or without one if the URL can't be linked. */
export function projectLink({ title, url }: Pick<ListedProject, 'title' | 'url'>, max = 150): string {
  const label = safeLine(title, max) === '' ? 'Untitled project' : title;
  return (safeUrl(url)?.length ?? Number.POSITIVE_INFINITY) <= LONGEST_URL
    ? formatLink(url, label, max)
    : safeLine(label, max);
}
