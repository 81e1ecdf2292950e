/** Replaces a folder with a finished one, so that nobody ever finds it half written. */
import { access, rename, rm } from 'node:fs/promises';

/** What a rename fails with when another process was faster. */
const BUSY = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM']);
const MOST_ATTEMPTS = 100;

/** @param {() => Promise<void>} step @returns {Promise<boolean>} false if another process was faster */
async function tryStep(step) {
  try {
    await step();
    return true;
  } catch (error) {
    if (BUSY.has(error.code)) return false;
    throw error;
  }
}

/**
 * Puts `fresh` in the place of `target`, whose former content is deleted. Of several processes at once, the
 * last one wins.
 * @param {string} fresh complete; gone afterwards
 * @param {string} target may not exist yet
 */
export async function swapFolder(fresh, target) {
  await access(fresh);
  const former = `${fresh}.former`;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    await tryStep(() => rename(target, former));
    const isDone = await tryStep(() => rename(fresh, target));
    await rm(former, { recursive: true, force: true });
    if (isDone) return;
  }
  throw new Error(`${target} could not be replaced: other processes kept replacing it`);
}
