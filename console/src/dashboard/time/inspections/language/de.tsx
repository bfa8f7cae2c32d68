import type { InspectionTexts } from './en';

/** The German texts of inspections. */
export const de: InspectionTexts = {
  title: 'Prüfungen',
  what: 'die Prüfungen',
  about:
    'Eine Behörde oder ein Betriebsrat liest die Stunden dieses Standorts ohne eigenes Konto, mit einem Link und einem Code. Die Beschäftigten sehen auf ihren Telefonen, dass jemand Einsicht genommen hat.',
  add: 'Jemanden prüfen lassen …',
  none: 'Es gibt noch keine Prüfungen.',
  more: 'Mehr anzeigen',
  madeBy: (who, when) => (
    <>
      Erstellt {when} von {who}.
    </>
  ),
  madeWithKey: (when) => <>Erstellt {when} mit einem API-Schlüssel.</>,
  until: (when) => <>Offen bis {when}.</>,
  over: (when) => <>Abgelaufen {when}.</>,
  ended: (when) => <>Beendet {when}.</>,
  looks: (looks) => (looks === 0 ? 'Keine Einsicht.' : looks === 1 ? '1 Einsicht.' : `${looks} Einsichten.`),
  end: 'Beenden',
  endOf: (period) => `Die Prüfung von ${period} beenden`,
  ending: {
    title: (period) => `Die Prüfung von ${period} beenden?`,
    text: 'Der Link gilt dann nicht mehr. Eine offene Seite endet mit ihrer nächsten Anfrage.',
    action: 'Prüfung beenden',
    done: 'Prüfung beendet',
  },
  adding: {
    title: 'Jemanden prüfen lassen',
    from: 'Erster Monat',
    to: 'Letzter Monat',
    works: 'Der Link gilt',
    hours: { 24: '1 Tag', 72: '3 Tage', 168: '7 Tage', 336: '14 Tage', 720: '30 Tage' },
    order: 'Der letzte Monat kann nicht vor dem ersten liegen.',
    action: 'Link und Code erstellen',
  },
  made: {
    title: 'Der Link und der Code',
    text: 'Geben Sie beides auf zwei Wegen weiter, zum Beispiel den Link per E-Mail und den Code am Telefon. Wer beides hat, liest die Stunden.',
    link: 'Link',
    copyLink: 'Link kopieren',
    code: 'Code',
    copyCode: 'Code kopieren',
    once: 'Beides wird nur jetzt gezeigt. Geht etwas verloren, beenden Sie diese Prüfung und erstellen Sie eine neue.',
    done: 'Fertig',
  },
};
