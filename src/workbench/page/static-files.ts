/** The page's own files: only those that exist in its folders at the start. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** Bundled fonts, so that the page looks the same on every machine. */
const FONTS = [
  ['/assets/inter-400.ttf', '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'],
  ['/assets/inter-600.ttf', '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'],
] as const;

/**
 * For machines without an emoji font. Its stylesheet lists files that cover some emoji each, so that a
 * browser loads only the needed ones.
 */
const EMOJI = '@fontsource/noto-emoji/400.css';

export interface StaticFile {
  readonly type: string;
  read(): Promise<Buffer>;
}

export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Only files of types that a browser knows. */
async function filesIn(folder: string, prefix: string): Promise<[string, StaticFile][]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.flatMap((name): [string, StaticFile][] => {
    const type = TYPES[path.extname(name)];
    if (type === undefined) return [];
    const file = { type, read: () => readFile(path.join(folder, name)) };
    return [[`${prefix}${name.replaceAll(path.sep, '/')}`, file]];
  });
}

function fontFiles(): [string, StaticFile][] {
  const { resolve } = createRequire(import.meta.url);
  return FONTS.map(([address, name]) => {
    const file = resolve(name);
    return [address, { type: 'font/ttf', read: () => readFile(file) }];
  });
}

async function emojiFiles(): Promise<[string, StaticFile][]> {
  const sheet = createRequire(import.meta.url).resolve(EMOJI);
  const css = { type: 'text/css; charset=utf-8', read: () => readFile(sheet) };
  return [
    ['/assets/emoji/emoji.css', css],
    ...(await filesIn(path.join(path.dirname(sheet), 'files'), '/assets/emoji/files/')),
  ];
}

/** By path: `/assets/…` and `/client/…`; `/` is the page. @param root the folder that contains both */
export async function loadStaticFiles(root: string): Promise<StaticFiles> {
  const files = new Map([
    ...fontFiles(),
    ...(await emojiFiles()),
    ...(await filesIn(path.join(root, 'assets'), '/assets/')),
    ...(await filesIn(path.join(root, 'client'), '/client/')),
  ]);
  const page = files.get('/assets/index.html');
  if (page) files.set('/', page);
  return files;
}

const PICTURES = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
] as const;

/** Detects the type by the first bytes, whatever the file's name. undefined if browsers can't show it. */
export function detectImageType(bytes: Buffer): string | undefined {
  return PICTURES.find(([, signs]) => signs.every((sign, at) => bytes[at] === sign))?.[0];
}
