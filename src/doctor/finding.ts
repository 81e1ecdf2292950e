/** What one check found, and how findings are printed. Pure. */

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** What was found, in a few words. */
  readonly says: string;
  /** What to do about it; only where `ok` is false. */
  readonly remedy?: string;
}

/** One line a finding, its remedy below, and how many failed at the end. `findings` has at least one. */
export function printFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map((finding) => finding.check.length));
  const lines = findings.flatMap(({ check, ok, says, remedy }) => [
    `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(width)}  ${says}`,
    ...(remedy ? [`      ${''.padEnd(width)}  -> ${remedy}`] : []),
  ]);
  const failed = findings.filter((finding) => !finding.ok).length;
  return [
    ...lines,
    '',
    failed === 0
      ? 'All is well.'
      : `${failed} of ${findings.length} ${findings.length === 1 ? 'check' : 'checks'} failed.`,
  ].join('\n');
}
