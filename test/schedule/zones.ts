/** Zones that differ in what their clocks do: by an hour, by half of one, never, and by odd minutes. */
export const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Nuuk',
  'UTC',
] as const;
