/** Drawing a digest's pictures and bringing them to Slack, where nobody sees them yet. */
import { asError } from '../errors.ts';
import { describePicture } from '../pictures/describe-picture.ts';
import { type DrawnPicture, type Picture, PictureError } from '../pictures/pictures.ts';
import type { DigestsContext } from './context.ts';
import type { SharedFile } from './decide-sharing.ts';
import type { DigestFacts } from './facts.ts';
import { gatherPictures } from './gather-pictures.ts';

/** Slack takes no longer one. */
const LONGEST_ALT = 1_000;

/** Slack shows the title beside the picture, whose headline tells the rest. */
const FILES: Readonly<Record<Picture['kind'], { readonly name: string; readonly title: string }>> = {
  burn: { name: 'credits.png', title: 'Credits' },
  funnel: { name: 'proposals.png', title: 'Proposals' },
  hours: { name: 'hours.png', title: 'Busiest hours' },
};

/** undefined: this one can't be drawn; the others can. @throws PictureError that may be over the next time */
async function draw({ pictures, log }: DigestsContext, picture: Picture): Promise<DrawnPicture | undefined> {
  try {
    return await pictures.draw(picture);
  } catch (thrown) {
    if (!(thrown instanceof PictureError) || thrown.code !== 'refused') throw thrown;
    log.error("Couldn't draw a chart", { picture: picture.kind, error: asError(thrown) });
    return undefined;
  }
}

/**
 * @returns none where there is nothing to show
 * @throws PictureError, what the port throws, and the signal's reason
 */
export async function uploadPictures(
  context: DigestsContext,
  facts: DigestFacts,
  signal: AbortSignal,
): Promise<readonly SharedFile[]> {
  const files: SharedFile[] = [];
  for (const picture of await gatherPictures(context, facts)) {
    const drawn = await draw(context, picture);
    signal.throwIfAborted();
    if (!drawn) continue;
    const { name, title } = FILES[picture.kind];
    const alt = describePicture(picture).alt.slice(0, LONGEST_ALT);
    const id = await context.port.upload({ png: drawn.png, name, alt });
    files.push({ id, title });
  }
  return files;
}
