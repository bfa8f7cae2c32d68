import type { ReactNode } from 'react';
import type { Texts } from './en';

/** The German texts of an inspection. */
export const de: Texts = {
  shared: {
    cancel: 'Abbrechen',
    close: 'Schließen',
    tryAgain: 'Erneut versuchen',
    tryAgainIn: (seconds) => `Erneut versuchen in ${seconds}\u00a0s`,
    request: 'Anfrage',
    never: 'nie',
    justNow: 'gerade eben',
    expired: 'abgelaufen',
  },
  title: 'Prüfung der Arbeitszeit',
  language: 'Sprache',

  enter: {
    about:
      'Sie haben einen Link und getrennt davon einen Code mit sechs Ziffern bekommen. Geben Sie den Code ein, um die Stunden zu lesen.',
    code: 'Code',
    hint: 'Sechs Ziffern',
    open: 'Öffnen',
  },
  faults: {
    refused:
      'Mit diesem Link und diesem Code lässt sich nichts öffnen. Prüfen Sie den Code. Nach fünf falschen Codes ist der Link 15 Minuten lang gesperrt. Geht es auch dann nicht, ist die Prüfung beendet: Bitten Sie die Firma um einen neuen Link.',
    busy: 'Von hier kamen zu viele Versuche. Versuchen Sie es in einigen Minuten erneut.',
    offline: 'Der Dienst antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    unexpected: 'Das hat nicht geklappt. Versuchen Sie es erneut.',
  },
  noLink: {
    title: 'Öffnen Sie den Link, den Sie bekommen haben',
    text: 'Diese Adresse allein zeigt nichts. Öffnen Sie den ganzen Link, mit allem, was nach dem # steht. Wenn Sie ihn schon geöffnet hatten, öffnen Sie ihn noch einmal.',
  },
  ended: {
    title: 'Diese Prüfung ist beendet',
    text: 'Ihre Zeit ist abgelaufen, oder die Firma hat sie beendet. Wenn Sie den Code vor mehr als acht Stunden eingegeben haben, öffnen Sie den Link noch einmal. Sonst bitten Sie die Firma um einen neuen.',
  },

  head: {
    site: 'Standort',
    period: 'Monate',
    zone: 'Zeitzone',
    until: 'Dieser Link gilt bis',
    logged:
      'Jeder Monat, den Sie öffnen, und jede Datei, die Sie abrufen, wird festgehalten, und die Beschäftigten des Standorts sehen, dass jemand Einsicht genommen hat.',
  },
  months: { label: 'Monat', before: 'Voriger Monat', after: 'Nächster Monat' },
  actions: {
    print: 'Drucken',
    csv: 'CSV',
    xlsx: 'Excel (XLSX)',
    check: 'Datei zum Nachprüfen',
    about: (program: ReactNode) => (
      <>
        Die „Datei zum Nachprüfen“ enthält die Buchungen mit ihren Nachweisen. {program} prüft sie ohne den
        Dienst.
      </>
    ),
  },
  loading: 'Der Monat wird geladen …',
  empty: 'In diesem Monat hat niemand ein Blatt.',

  summary: {
    title: 'Alle',
    number: 'Nummer',
    name: 'Name',
    days: 'Tage',
    breaks: 'Pausen',
    hours: 'Stunden',
    asserted: 'Nur von der Firma',
    flags: 'Hinweise',
    contested: 'Bestritten',
    total: 'Summe',
    people: (count) => (count === 1 ? '1 Person' : `${count} Personen`),
  },
  sheet: {
    label: (name) => `Blatt von ${name}`,
    number: (code) => `Personalnummer ${code}`,
    noNumber: 'Ohne Personalnummer',
    erased: 'Gelöschte Person',
    day: 'Tag',
    from: 'Von',
    to: 'Bis',
    breaks: 'Pausen',
    breakTime: 'Pausenzeit',
    hours: 'Stunden',
    asserted: 'Nur von der Firma',
    notes: 'Hinweise',
    noEnd: 'ohne Ende',
    contested: 'bestritten',
    total: 'Summe',
    days: (count) => (count === 1 ? '1 Tag' : `${count} Tage`),
    signs: {
      asserted:
        'Nur von einem API-Schlüssel oder einem Mitglied der Firma eingetragen. Es zählt nicht zu den Stunden.',
      contested: 'Die Person sagt, dass das falsch ist.',
    },
    rules:
      'Ein Hinweis ist eine Frage. Tarifverträge, Vereinbarungen und Ausnahmen können erlauben, was hier steht.',
    events: (list) => `Buchungen: ${list}.`,
    proved: (count) => `${count} mit dem Telefon der Person nachgewiesen`,
    declared: (count) => `${count} mit einer PIN oder neben einem Mitglied angegeben`,
    agreed: (count) => `${count} durch eine Korrektur vereinbart`,
    recorded: (count) => `${count} nur von der Firma eingetragen`,
    disputed: (count) => `${count} von der Person bestritten`,
    none: 'keine',
    counted:
      'Zeiten werden auf die Minute gekürzt, die das Blatt zeigt, und dann abgezogen. Nichts ist gerundet, und keine Pause ist abgezogen, die niemand gemacht hat.',
  },
};
