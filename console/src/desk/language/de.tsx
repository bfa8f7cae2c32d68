import type { Strings } from './en';

export const de: Strings = {
  shared: {
    cancel: 'Abbrechen',
    close: 'Schließen',
    tryAgain: 'Erneut versuchen',
    tryAgainIn: (seconds) => `Erneut versuchen in ${seconds} s`,
    request: 'Anfrage',
    never: 'nie',
    justNow: 'gerade eben',
    expired: 'abgelaufen',
  },
  name: 'Deutsch',
  tab: 'Empfang',
  test: 'Testumgebung',
  back: 'Zurück',
  cancel: 'Abbrechen',
  toStart: 'Fertig',
  openHere: 'In diesem Browser öffnen',
  tryAgain: 'Erneut versuchen',
  backIn: (seconds) => `Zurück zum Anfang in ${seconds}`,
  stillThere: 'Sind Sie noch da?',
  stillHere: 'Ich bin noch da',
  expiresIn: (left) => <>Läuft ab in {left}</>,
  goesOnIn: (seconds) => `In ${seconds}\u00a0s geht es von selbst weiter.`,

  start: {
    title: 'Willkommen',
    titleAt: (company) => <>Willkommen bei {company}</>,
    register: 'Registrieren',
    registerAbout: 'Neu hier? Richten Sie Ihr Telefon ein.',
    signIn: 'Anmelden',
    signInAbout: 'Ihr Telefon ist registriert.',
    clock: 'Kommen und Gehen',
    clockAbout: 'Mit Telefon oder PIN stempeln.',
  },
  problems: {
    offline: ['Keine Verbindung', 'Es geht weiter, sobald sie wieder da ist.'],
    revoked: [
      'Dieser Empfang ist abgeschaltet',
      'Er wurde im Dashboard gesperrt oder angehalten. Wenn er nur angehalten wurde, geht es von selbst weiter.',
    ],
    busy: ['Einen Moment bitte', 'Gerade ist hier viel los.'],
    full: [
      'Der Empfang ist gerade nicht verfügbar',
      'Die Firma hat ihr Kontingent für diesen Monat verbraucht. Bitte fragen Sie am Empfang.',
    ],
    closed: [
      'Der Empfang ist gerade nicht verfügbar',
      'Das Konto der Firma ist nicht aktiv. Bitte fragen Sie am Empfang.',
    ],
    policy: [
      'Nicht an diesem Gerät',
      'Die Regeln der Firma erlauben das hier nicht. Bitte fragen Sie am Empfang.',
    ],
    unexpected: [
      'Etwas ist schiefgegangen',
      'Versuchen Sie es noch einmal. Wenn das nicht hilft, fragen Sie bitte am Empfang.',
    ],
  },
  menu: 'Menü des Empfangs',
};
