/** Structured logs: a static English message plus fields. Secrets are redacted, never logged on purpose. */
import { pino } from 'pino';
import { findConnectionFailure } from './base/connection-failure.ts';
import { asError } from './errors.ts';

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Fields to redact at the top and one or two levels down. */
const SECRET_FIELDS = [
  'token',
  'botToken',
  'appToken',
  'signingSecret',
  'authorization',
  'Authorization',
  'x-api-token',
  'X-API-TOKEN',
  'response_url',
  'responseUrl',
  'trigger_id',
  'triggerId',
];

/** Takes finished log lines; process.stdout is one. */
export interface LogSink {
  write(line: string): void;
}

/** JSON shows no field of an Error, so the log picks them. Other fields may contain whole requests. */
function readableError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const code = 'code' in value && typeof value.code === 'string' ? value.code : undefined;
  const why = cause === undefined ? undefined : `${asError(cause)}`;
  const failure = cause === undefined ? undefined : findConnectionFailure(value);
  const innermost = failure && { causeCode: failure.code, help: failure.help };
  return { name, message, code, cause: why, ...innermost, stack };
}

export function createLog(level: LogLevel, sink: LogSink): Log {
  const paths = SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);
  const logger = pino(
    {
      level,
      base: null,
      serializers: { error: readableError },
      redact: { paths, censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    sink,
  );
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}

/** A log whose every line has these fields, such as the team it is about. */
export function logWith(log: Log, common: LogFields): Log {
  return {
    debug: (message, fields) => log.debug(message, { ...common, ...fields }),
    info: (message, fields) => log.info(message, { ...common, ...fields }),
    warn: (message, fields) => log.warn(message, { ...common, ...fields }),
    error: (message, fields) => log.error(message, { ...common, ...fields }),
  };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
