import type { CheckTexts } from './en';

const several = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`;

/** The German texts of a check. */
export const de: CheckTexts = {
  title: 'Monat nachprüfen',
  about:
    'Ihr Browser ruft die Datei dieses Monats ab und prüft sie nach: jede Buchung anhand des Audit-Logs, jeden Nachweis eines Telefons und jeden Stundenzettel.',
  recorded: 'Der Abruf wird festgehalten, und die Beschäftigten des Standorts sehen es auf ihrem Telefon.',
  start: 'Monat nachprüfen',
  again: 'Noch einmal nachprüfen',
  stop: 'Anhalten',
  download: 'Datei herunterladen',
  compare: 'Mit einer Datei vergleichen …',
  notKept:
    'Das ist keine Datei eines Monats. Wählen Sie eine Datei, die hier oder bei einer Prüfung heruntergeladen wurde, zum Beispiel hours-2026-05.jsonl.',
  ofAnother:
    'Die gewählte Datei gehört zu einem anderen Konto oder einer anderen Umgebung. Es gibt kein Ergebnis.',
  progress: 'Geprüfte Einträge des Audit-Logs',
  starting: 'Der Dienst bereitet die Datei vor …',
  read: (read, of, size) => (
    <>
      {read} von {of} Einträgen geprüft, {size}
    </>
  ),
  stopped: 'Die Prüfung wurde angehalten. Es gibt kein Ergebnis.',
  cut: (incomplete) => <>{incomplete} Die Datei endete vor ihrer letzten Zeile. Es gibt kein Ergebnis.</>,
  incomplete: 'Die Prüfung ist unvollständig.',
  unexpected:
    'Die Prüfung ging in diesem Browser nicht. Versuchen Sie es erneut oder nehmen Sie die Kommandozeile.',
  tooLarge:
    'Dieser Monat hat mehr Buchungen, als ein Browser fassen kann. Die Kommandozeile prüft beliebig viele.',
  tryAgain: 'Erneut versuchen',

  holds: 'Dieser Monat stimmt.',
  holdsUntil: (when, isClosed) => (
    <>
      Niemand hat eine Buchung geändert, hinzugefügt oder entfernt, die bis {when} erfasst war
      {isClosed ? ', als der Monat abgeschlossen wurde' : ''}.
    </>
  ),
  nothing: 'Es gibt nichts zu prüfen: Das Audit-Log hat keinen Eintrag zu diesem Monat.',
  newer: 'Alles in diesem Monat ist neuer als das, was diese Seite vorher gesehen hat.',
  forgeable:
    'Der Dienst läuft mit Schlüsseln für die Entwicklung. Wer sie erzeugt hat, kann Nachweise fälschen. Deshalb zeigen die Nachweise hier nichts.',
  wrong: (count) => `Dieser Monat stimmt nicht: ${several(count, 'Fehler', 'Fehler')} gefunden.`,
  wrongAbout:
    'Er wurde außerhalb des Dienstes geändert. Laden Sie die Datei jetzt herunter, bewahren Sie sie auf und senden Sie sie an den Betreiber des Dienstes.',
  ended: 'Dieser Monat stimmt nicht.',
  notJudged: 'Dieser Monat ließ sich nicht prüfen.',
  findings: 'Was nicht stimmt',
  more: (count) => `${count} weitere stehen hier nicht. Die Kommandozeile nennt sie.`,
  line: (line) => `Zeile ${line}`,
  nobody: 'Unbekannte Person',
  event: 'Buchung',
  site: 'Der ganze Standort',

  checked: 'Was geprüft wurde',
  apart: 'Was davon abgesehen stimmt',
  people: (people, hours, more) =>
    `${several(people, 'Person', 'Personen')}, ${hours} Stunden nach ihren eigenen Buchungen${more === undefined ? '' : ` und ${more} weitere, die nur ein Schlüssel oder ein Mitglied eingetragen hat`}.`,
  events: (list) => `Buchungen: ${list}.`,
  evidence: {
    proved: (count) => `${count} mit dem Telefon nachgewiesen`,
    declared: (count) => `${count} mit einer PIN oder neben einem Mitglied angegeben`,
    agreed: (count) => `${count} durch eine Korrektur vereinbart`,
    asserted: (count) => `${count} nur von einem Schlüssel oder einem Mitglied eingetragen`,
    contested: (count) => `${count} von der Person bestritten`,
  },
  proofs: (count) => `${several(count, 'Nachweis', 'Nachweise')} von Telefonen geprüft.`,
  corrections: (list) => `Korrekturen: ${list}.`,
  states: {
    agreed: (count) => `${count} vereinbart`,
    contested: (count) => `${count} bestritten`,
    unanswered: (count) => `${count} unbeantwortet`,
    withdrawn: (count) => `${count} zurückgezogen`,
    proposed: (count) => `${count} offen`,
  },
  complete: (count) =>
    count === '1'
      ? 'Der eine Eintrag zu diesem Monat ist der erste, davor fehlt also keiner.'
      : `Die ${count} Einträge zu diesem Monat sind lückenlos nummeriert. Vor dem letzten fehlt also keiner.`,
  closed: (when) => <>Der Monat wurde am {when} mit diesen Stundenzetteln abgeschlossen.</>,
  sheets: 'Jeder Stundenzettel ist das, was die Buchungen ergeben, auf die Minute.',
  sameHistory: (count) =>
    count === '1'
      ? 'Das Audit-Log enthält weiterhin den Eintrag, den diese Seite schon gesehen hatte: Nichts davon wurde umgeschrieben.'
      : `Das Audit-Log enthält weiterhin die ${count} Einträge, die diese Seite schon gesehen hatte: Nichts davon wurde umgeschrieben.`,
  sameAsFile: (count) =>
    count === '1'
      ? 'Das Audit-Log enthält weiterhin den Eintrag der aufbewahrten Datei: Nichts davon wurde umgeschrieben.'
      : `Das Audit-Log enthält weiterhin die ${count} Einträge der aufbewahrten Datei: Nichts davon wurde umgeschrieben.`,

  notChecked: 'Was nicht geprüft wurde',
  names: 'Namen und Personalnummern. Dafür gibt es nur das Wort des Dienstes.',
  phones:
    'Wer ein Telefon in der Hand hatte und wo. Ein Telefon, das mit seiner PIN verliehen wurde, fällt nicht auf.',
  after: (when, isOpen) => (
    <>
      Ob Einträge nach dem {when} weggelassen wurden.{isOpen ? ' Der Monat wurde nicht abgeschlossen.' : ''}
    </>
  ),
  unproved: (count) =>
    `${several(count, 'Buchung oder Korrektur', 'Buchungen und Korrekturen')} mit PIN oder neben einem Mitglied. Dafür gibt es nur das Wort des Dienstes.`,
  displaced: (count) =>
    `${several(count, 'Buchung', 'Buchungen')} an den Rändern des Monats, aus der Zeit, in der der Standort eine andere Zeitzone hatte.`,
  erased: (count) =>
    `${several(count, 'Nachweis', 'Nachweise')} gelöschter Personen, von denen nichts zum Vergleichen übrig ist.`,
  rules: 'Der Abschluss, dessen Regeln diese Seite nicht kennt.',
  firstCheck:
    'Was vor dieser Prüfung geschah. Sie ist die erste auf dieser Seite und beruht auf der Unterschrift des Dienstes. Die nächste zeigt auch, ob seitdem etwas umgeschrieben wurde.',
  trust: (line) => (
    <>
      Diese Seite kommt von dem Dienst, den sie prüft. {line} prüft dieselbe Datei auf einem Rechner, dem Sie
      vertrauen, und vergleicht sie mit einer Datei, die Sie aufbewahrt haben.
    </>
  ),
  commandLine: 'Die Kommandozeile',
  endings: {
    malformed: 'Die Datei ist nicht so geschrieben, wie der Dienst sie schreibt.',
    altered: 'Die Datei ist nicht die, die der Dienst unterschrieben hat.',
    chain_broken: 'Einträge des Audit-Logs wurden geändert, entfernt oder verschoben.',
    tree_wrong: 'Die Einträge führen nicht zu dem Stand des Audit-Logs, den der Dienst unterschrieben hat.',
    kept_head_differs:
      'Das Audit-Log ist nicht das, das diese Seite vorher gesehen hat: Es wurde umgeschrieben. Laden Sie diese Seite nicht neu, laden Sie die Datei dieses Monats herunter und senden Sie sie an den Betreiber des Dienstes.',
    key_unknown:
      'Die Datei ist mit einem anderen Schlüssel unterschrieben als dem, den diese Seite vorher gesehen hat. Fragen Sie den Betreiber des Dienstes, ob er ihn gewechselt hat.',
    signature_wrong: 'Die Unterschrift des Dienstes ist falsch.',
    signature_unsupported: 'Dieser Browser kann die Unterschriften nicht prüfen. Neuere Browser können es.',
    setup_unknown:
      'Die Nachweise gehören zu einem Schlüssel, den diese Seite nicht kennt. Laden Sie die Seite neu und prüfen Sie noch einmal.',
  },
  endingsOfFile: {
    kept_head_differs:
      'Das Audit-Log ist nicht das der aufbewahrten Datei: Es wurde umgeschrieben. Bewahren Sie beide Dateien auf und senden Sie sie an den Betreiber des Dienstes.',
    key_unknown:
      'Der Dienst unterschreibt mit einem anderen Schlüssel als in der aufbewahrten Datei. Fragen Sie den Betreiber des Dienstes, ob er ihn gewechselt hat.',
  },
  findingTexts: {
    record_changed: 'Diese Buchung sagt etwas anderes als bei ihrer Erfassung.',
    record_missing: 'Eine Buchung wurde erfasst und ist nicht mehr da.',
    record_unknown: 'Diese Buchung ist da, und nichts im Audit-Log hat sie erfasst.',
    record_resealed: 'Diese Buchung wurde zweimal erfasst.',
    salt_missing: 'Diese Buchung lässt sich nicht prüfen, weil das Salz ihres Siegels fehlt.',
    entry_missing: 'Einträge zu diesem Monat wurden weggelassen.',
    punch_wrong:
      'Der Nachweis dieser Buchung fehlt oder gehört zu einer anderen Handlung, Zeit, Person oder Firma.',
    punch_reused: 'Diese Buchung hat den Nachweis einer anderen.',
    proof_invalid: 'Ein Nachweis des Telefons ist ungültig.',
    enrolment_wrong: 'Die Anmeldung eines Telefons wurde geändert.',
    enrolment_missing: 'Nichts zeigt, dass das Telefon das dieser Person ist.',
    correction_wrong: 'Eine Korrektur wurde geändert, oder es haben ihr nicht beide Seiten zugestimmt.',
    correction_missing: 'Die Korrektur, die diese Änderung gemacht haben soll, fehlt.',
    sheet_wrong: 'Der Stundenzettel ist nicht das, was die Buchungen ergeben.',
    closing_wrong: 'Die Buchungen ergeben nicht die Stundenzettel, die abgeschlossen wurden.',
  },
};
