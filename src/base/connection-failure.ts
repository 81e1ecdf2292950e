/** Why a connection failed, as the innermost error says, and what helps. Pure. */

export interface ConnectionFailure {
  /** Of the system, OpenSSL or undici, such as ECONNREFUSED. */
  readonly code: string;
  /** What to do about it, without a full stop. */
  readonly help?: string;
}

const UNKNOWN_ISSUER =
  'nobody known here signed the certificate. If a company proxy inspects TLS, set NODE_EXTRA_CA_CERTS to ' +
  'the file with its certificate (PEM), and restart';
const WRONG_TIME = "the certificate isn't valid now: check this machine's clock, or renew the certificate";
const NO_NAME = 'check the host in the URL, and the name server of this machine';
const NO_WAY =
  'check host and port in the URL, and the firewalls in between. Behind a proxy, set HTTPS_PROXY';

const CERTIFICATES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  CERT_HAS_EXPIRED: WRONG_TIME,
  CERT_NOT_YET_VALID: WRONG_TIME,
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host: check the host in the URL',
};

const OTHERS: Readonly<Record<string, string>> = {
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
  ECONNREFUSED: 'nothing accepts connections there: check host and port in the URL',
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  ETIMEDOUT: NO_WAY,
  CONNECT_TIMEOUT: NO_WAY,
  UND_ERR_CONNECT_TIMEOUT: NO_WAY,
  EPROTO: "that port doesn't speak TLS: check the port in the URL",
  ERR_SSL_WRONG_VERSION_NUMBER: "that port doesn't speak TLS: check the port in the URL",
  PROXY_407:
    'the proxy wants a user and a password: put them into HTTPS_PROXY, http://user:password@host:port',
};

const PROXY = "the proxy didn't connect: check HTTPS_PROXY, and that the proxy allows this host";
const CODE = /^[A-Z][A-Z0-9_]{2,60}$/u;
const DEEPEST = 8;

/** Undefined if nothing inside has such a code. */
export function findConnectionFailure(thrown: unknown): ConnectionFailure | undefined {
  let code: string | undefined;
  let at: unknown = thrown;
  for (let depth = 0; depth < DEEPEST && typeof at === 'object' && at !== null; depth++) {
    const { code: own, cause, original, errors } = at as Readonly<Record<string, unknown>>;
    if (typeof own === 'string' && CODE.test(own)) code = own;
    // What is inside would be about the proxy's own address.
    if (code?.startsWith('PROXY_')) break;
    at = cause ?? original ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  if (code === undefined) return undefined;
  const help = CERTIFICATES[code] ?? OTHERS[code] ?? (code.startsWith('PROXY_') ? PROXY : undefined);
  return help === undefined ? { code } : { code, help };
}

/** Whether the connection was refused for its certificate. */
export function isAboutCertificate({ code }: ConnectionFailure): boolean {
  return Object.hasOwn(CERTIFICATES, code);
}
