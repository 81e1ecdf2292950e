/** Counts files and lines of source code. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface SourceFile {
  readonly file: string;
  readonly lines: number;
  readonly text: string;
}

/** TypeScript files below a folder, by path. @param isCounted leaves files out */
export function readSourceFiles(folder: string, isCounted: (file: string) => boolean): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => file.endsWith('.ts') && isCounted(file))
    .toSorted()
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      return { file, text, lines: text.split('\n').length - 1 };
    });
}

export interface LineStatistics {
  readonly files: number;
  readonly lines: number;
  readonly median: number;
  readonly longest: SourceFile | undefined;
  readonly short: number;
}

/** A file with fewer lines is hardly a thought of its own. */
const SHORT_FILE = 30;

export function summarizeLines(files: readonly SourceFile[]): LineStatistics {
  const sorted = files.toSorted((a, b) => a.lines - b.lines);
  return {
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    median: sorted[Math.floor(sorted.length / 2)]?.lines ?? 0,
    longest: sorted.at(-1),
    short: files.filter(({ lines }) => lines < SHORT_FILE).length,
  };
}
