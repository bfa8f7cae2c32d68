/** What people read who clock in and out. */
export const en = {
  title: 'Scan to clock in or out',
  code: 'Code to clock in or out',
  nextIn: (seconds: number) => `Next code in ${seconds}\u00a0s`,
  lost: ['No connection', 'The code comes back by itself.'],
  done: {
    came: (time: string) => `Came ${time}`,
    went: (time: string) => `Went ${time}`,
    break: (time: string) => `Break ${time}`,
    back: (time: string) => `Back ${time}`,
  },
};

export type ClockStrings = typeof en;
