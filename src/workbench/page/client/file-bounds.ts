/** Which files a field takes. Pure. */

export interface FileInputLimits {
  readonly most: number;
  readonly bytes: number | undefined;
  /** Of names, without the dot; any where there are none. */
  readonly endings: readonly string[];
}

const MEBIBYTE = 1024 * 1024;

/** A sentence why it is not taken; undefined where it is. @param taken how many stand there already */
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
