/** Finds project links in messages. Pure. */
import type { ProjectReference } from '../../marketplace/client.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';

/** Deep enough for any block, and a bound for anything else. */
const DEEPEST = 12;
const MOST_TEXTS = 2_000;

function collectTexts(value: unknown, depth: number, into: string[]): void {
  if (depth > DEEPEST || into.length >= MOST_TEXTS) return;
  if (typeof value === 'string') into.push(value);
  else if (Array.isArray(value)) for (const each of value) collectTexts(each, depth + 1, into);
  else if (typeof value === 'object' && value !== null) collectTexts(Object.values(value), depth + 1, into);
}

/** URLs, and bare IDs with their tilde. */
const CANDIDATE = /https?:\/\/[^\s<>|"']+|(?<![\w/])~\d{10,30}\b/giu;

/** The distinct projects in a message's text and blocks, in order of first mention. */
export function findProjectReferences(text: string, blocks: unknown): readonly ProjectReference[] {
  const texts = [text];
  collectTexts(blocks, 0, texts);
  const found = new Map<string, ProjectReference>();
  for (const candidate of texts.flatMap((each) => each.replace(/&amp;/gu, '&').match(CANDIDATE) ?? [])) {
    const reference = parseProjectReference(candidate);
    if (reference) found.set(JSON.stringify(reference), reference);
  }
  return [...found.values()];
}
