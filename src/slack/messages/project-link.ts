/** A project's title that leads to it. */
import type { ListedProject } from '../../marketplace/schema.ts';
import { formatLink, safeLine, safeUrl } from '../blocks/mrkdwn.ts';

/** An address that is longer would crowd out the message; no project's real address comes near. */
const LONGEST_URL = 600;

/** The title as mrkdwn link; the title alone where the address is none that can be linked. */
export function projectLink({ title, url }: Pick<ListedProject, 'title' | 'url'>, max = 150): string {
  const label = safeLine(title, max) === '' ? 'Untitled project' : title;
  return (safeUrl(url)?.length ?? Number.POSITIVE_INFINITY) <= LONGEST_URL
    ? formatLink(url, label, max)
    : safeLine(label, max);
}
