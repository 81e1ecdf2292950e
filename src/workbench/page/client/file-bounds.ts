/** Which files a field accepts. Pure. */

export interface FileInputLimits {
  readonly most: number;
  readonly bytes: number | undefined;
  /** File extensions, without the dot; empty: any file. */
  readonly endings: readonly string[];
}

const MEBIBYTE = 1024 * 1024;

/** Why the file isn't accepted; undefined if it is. @param taken number of files already chosen */
export function findFileProblem(
  file: { readonly name: string; readonly size: number },
  taken: number,
  { most, bytes, endings }: FileInputLimits,
): string | undefined {
  const ending = /\.([^.]+)$/u.exec(file.name)?.[1]?.toLowerCase() ?? '';
  if (taken >= most) return `You can choose up to ${most} ${most === 1 ? 'file' : 'files'}.`;
  if (endings.length > 0 && !endings.some((each) => each.toLowerCase() === ending))
    return `“${file.name}” isn't one of these types: ${endings.join(', ')}.`;
  if (file.size === 0) return `“${file.name}” is empty.`;
  if (bytes !== undefined && file.size > bytes)
    return `“${file.name}” is larger than the limit of ${bytes / MEBIBYTE} MB here.`;
  return undefined;
}
