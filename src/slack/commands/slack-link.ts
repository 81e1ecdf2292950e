/** Slack hands links over as `<https://…|label>`. Pure. */

/** The address of such a link; any other text as it is, trimmed. */
export function readSlackLink(text: string): string {
  const trimmed = text.trim();
  return /^<([^|>\s]+)(?:\|[^>]*)?>$/u.exec(trimmed)?.[1] ?? trimmed;
}
