/** The classic cluster that a server is given which never had one. */
export const classicSample = {
  name: 'classic-eu-1',
  /** What it is installed with. */
  version: '4.19.12',
  /** What it is upgraded to. */
  next: '4.19.15',
  channel: 'stable-4.19',
  /** How long after it was made, in milliseconds of a real cluster: two minutes at the usual speed. */
  upgradeAfter: 40 * 60_000,
} as const
