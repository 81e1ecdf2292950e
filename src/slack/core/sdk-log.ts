/**
 * Forwards the SDK's log lines to our log. Drops debug lines, which contain raw payloads, and removes tokens
 * and secret URLs from the others.
 */
import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../log.ts';

const TOKENS = /\bx(?:ox[a-z]|app)(?:\.[a-z]+)?-[\w-]+/giu;
const SECRET_URLS = /\b(?:https?|wss?):\/\/\S+/giu;
const LONGEST_LINE = 500;

function lineOf(words: readonly unknown[]): string {
  return words
    .map((word) => (typeof word === 'string' ? word : word instanceof Error ? word.message : typeof word))
    .join(' ')
    .replace(TOKENS, '[secret]')
    .replace(SECRET_URLS, '[address]')
    .slice(0, LONGEST_LINE);
}

export function createSdkLog(log: Log): Logger {
  return {
    debug: () => undefined,
    info: (...words) => log.info('slack sdk', { line: lineOf(words) }),
    warn: (...words) => log.warn('slack sdk', { line: lineOf(words) }),
    error: (...words) => log.error('slack sdk', { line: lineOf(words) }),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
