/** Whether Gigdesk does what it is there for, in words for whoever asks `/readyz`. Pure. */

export interface Vital {
  readonly isStopping: boolean;
  readonly isStoreOpen: boolean;
  readonly isSlackConnected: boolean;
  readonly doesFeedRun: boolean;
}

export interface Readiness {
  readonly isReady: boolean;
  /** One line. */
  readonly says: string;
}

/** What is missing is named, all of it at once. */
export function judgeReadiness(vital: Vital): Readiness {
  const missing = [
    ...(vital.isStopping ? ['Gigdesk is stopping'] : []),
    ...(vital.isStoreOpen ? [] : ['the store is not open']),
    ...(vital.isSlackConnected ? [] : ['Slack is not connected']),
    ...(vital.doesFeedRun ? [] : ['the feed does not run']),
  ];
  return missing.length === 0
    ? { isReady: true, says: 'ready' }
    : { isReady: false, says: `not ready: ${missing.join('; ')}` };
}
