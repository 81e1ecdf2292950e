/** Time zones with different clock changes: by an hour, by half an hour, never, and by odd minutes. */
export const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Nuuk',
  'UTC',
] as const;
