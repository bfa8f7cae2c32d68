import type { ClockStrings } from './en-clock';

export const de: ClockStrings = {
  title: 'Scannen, um zu stempeln',
  code: 'Code zum Kommen und Gehen',
  nextIn: (seconds) => `Nächster Code in ${seconds}\u00a0s`,
  lost: ['Keine Verbindung', 'Der Code kommt von selbst zurück.'],
  done: {
    came: (time) => `Gekommen ${time}`,
    went: (time) => `Gegangen ${time}`,
    break: (time) => `Pause ${time}`,
    back: (time) => `Zurück ${time}`,
  },
};
