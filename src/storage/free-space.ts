import { statfs } from 'node:fs/promises';

/** How many bytes this user may still write on the folder's disk. @throws Error with Node's code */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
