import type { TimeTexts } from './en';
import type { ErrorTexts } from './error-texts';

const people = (count: number) => (count === 1 ? '1 Person' : `${count} Personen`);

/** The German texts of the room. */
export const de: TimeTexts = {
  shared: {
    cancel: 'Abbrechen',
    close: 'Schließen',
    tryAgain: 'Erneut versuchen',
    tryAgainIn: (seconds) => `Erneut versuchen in ${seconds} s`,
    request: 'Anfrage',
    never: 'nie',
    justNow: 'gerade eben',
    expired: 'abgelaufen',
    lists: {
      loading: (name) => `Wird geladen: ${name}`,
      shownAll: (count) => `${count} von ${count} angezeigt`,
      shownFirst: (count) => `Die ersten ${count} angezeigt`,
      shown: (count, total, isExact) => `${count} von ${isExact ? '' : 'mehr als '}${total} angezeigt`,
      shownSoFar: (count) => `Bisher ${count} gefunden. Es ist noch nicht alles durchsucht.`,
      more: 'Mehr anzeigen',
      further: 'Weiter suchen',
      noResults: 'Nichts gefunden',
      noMatch: 'Zu diesen Filtern gibt es nichts.',
      clear: 'Filter aufheben',
      all: 'Alle',
      filters: 'Filter',
      set: 'gesetzt',
      results: 'Ergebnisse anzeigen',
    },
    copied: 'Kopiert',
    copyYourself: 'Bitte markieren und selbst kopieren',
  },

  print: 'Drucken',
  done: 'Fertig',
  save: 'Speichern',
  close: 'Schließen',
  erased: 'Gelöschte Person',
  member: 'einem Mitglied',
  formerMember: 'einem früheren Mitglied',
  none: 'keine Angabe',

  acts: { come: 'Kommen', go: 'Gehen', beginBreak: 'Pausenbeginn', endBreak: 'Pausenende' },
  causes: {
    forgotten: 'Vergessen',
    wrong_time: 'Falsche Uhrzeit',
    wrong_type: 'Falsche Art der Buchung',
    double: 'Doppelt erfasst',
    not_present: 'War nicht da',
    device_failed: 'Telefon oder Terminal ausgefallen',
    other: 'Anderer Grund',
  },
  evidence: {
    proved: 'per Telefon nachgewiesen',
    declared: 'selbst angegeben',
    agreed: 'gemeinsam korrigiert',
    asserted: 'von einem API-Schlüssel oder Mitglied eingetragen',
  },
  changes: { label: 'Änderungen', nothing: 'nichts', becomes: 'wird zu' },
  months: { label: 'Monat', before: 'Monat davor', after: 'Monat danach', choice: 'Standort und Monat' },

  site: {
    label: 'Standort',
    many: 'die Standorte',
    otherEnvironment: 'Ihre Rechte gelten für Standorte der anderen Umgebung.',
  },
  off: {
    title: 'Die Zeiterfassung ist ausgeschaltet',
    text: 'Der erste Standort schaltet sie für diese Umgebung ein. Dann kommen und gehen die Beschäftigten mit ihrem Telefon, und niemand kann ihre Zeiten bearbeiten: Eine Korrektur braucht ein Ja der Person und eines der Firma. Die Zeiten anderer sehen hier nur noch Mitglieder mit einem Recht auf Stunden. API-Schlüssel, die Anwesenheit lesen, lesen sie weiter. Sie werden aufgelistet, sobald der Standort angelegt ist.',
    create: 'Ersten Standort anlegen',
  },
  noRight: {
    text: (hours, representative) => (
      <>
        Die Stunden anderer sehen nur Mitglieder mit dem Recht {hours} oder {representative}.
      </>
    ),
    owner: (team) => <>Sie können diese Rechte auf der Seite {team} vergeben, auch an sich selbst.</>,
    ask: 'Ein Inhaber des Kontos kann Ihnen eines davon geben.',
  },

  here: {
    title: 'Anwesend',
    about: (site, time) => `${site}, Liste von ${time}. Sie wird alle fünf Minuten neu gelesen.`,
    again: 'Neu lesen',
    what: 'wer da ist',
    howMany: 'Wie viele',
    count: 'anwesend',
    countOnBreak: 'davon in Pause',
    countAbsent: 'heute abwesend',
    nobody: 'Niemand ist am Standort.',
    list: 'Anwesende',
    name: 'Name',
    since: 'Seit',
    desk: 'Terminal',
    state: 'Status',
    absent: 'Heute abwesend',
    atWork: 'Bei der Arbeit',
    onBreak: 'In Pause',
    stale: 'Über 16 Stunden',
    staleWhy: 'Ist vor mehr als 16 Stunden gekommen und hat das Gehen vielleicht vergessen.',
    old: (time, age) => `Diese Liste ist von ${time} (${age}).`,
    offline:
      'Es gibt keine Verbindung. Wer seitdem gekommen oder gegangen ist, fehlt. Sie können die Liste drucken. Sie wird neu gelesen, sobald es wieder geht.',
    unanswered:
      'Der Dienst antwortet nicht. Wer seitdem gekommen oder gegangen ist, fehlt. Sie können die Liste drucken. Sie wird neu gelesen, sobald es wieder geht.',
    kept: 'Es gibt keine Verbindung. Dieser Browser hat die Liste für den Notfall aufbewahrt. Wer seitdem gekommen oder gegangen ist, fehlt. Er löscht die Liste beim Abmelden und nach 36 Stunden.',
    nothingKept: 'Es gibt keine Verbindung, und dieser Browser hat keine Liste dieses Standorts.',
    tryAgain: 'Erneut versuchen',
  },
  evacuation: {
    label: 'Evakuierungsliste',
    title: (site) => `Wer am Standort ist: ${site}`,
    about: (when, zone, count) => (
      <>
        Liste von {when} ({zone}), {people(count)}
      </>
    ),
    onBreak: 'in Pause',
    stale: 'über 16 Stunden',
    missing: 'Nicht auf dieser Liste: Besucher und wer nicht an einem Terminal gekommen ist.',
    found: 'Alle gefunden um',
    signature: 'Name und Unterschrift',
  },

  month: {
    title: 'Monat',
    about:
      'Es zählen die Minuten, die der Stundenzettel zeigt. Nichts wird gerundet. Was nicht passt, bekommt einen Hinweis.',
    what: 'die Stundenzettel',
    empty: 'Hier arbeitet noch niemand',
    emptyText:
      'Hier stehen alle, deren Standort das ist, und alle, die an einem seiner Terminals kommen und gehen.',
    more: 'Mehr Personen anzeigen',
    hours: 'Stunden nach Person und Tag',
    person: 'Person',
    flags: 'Hinweise',
    total: 'Summe',
    people,
    contested: (count) => `${count} bestritten`,
    legend: 'Was die Zeichen bedeuten',
    flag: 'Bitte ansehen',
    plus: 'Nur von einem API-Schlüssel oder Mitglied eingetragen, zählt nicht',
    mark: 'Ein Vermerk, zum Beispiel Urlaub',
  },
  closing: {
    title: 'Abschluss',
    what: 'die Abschlüsse',
    close: 'Monat abschließen …',
    again: 'Erneut abschließen …',
    notClosed: 'Dieser Monat ist nicht abgeschlossen.',
    notOver: 'Dieser Monat kann abgeschlossen werden, wenn er vorbei ist.',
    flags: (count) =>
      count === 0
        ? 'Kein Hinweis ist offen.'
        : count === 1
          ? '1 Hinweis ist offen.'
          : `${count} Hinweise sind offen.`,
    versions: 'Fassungen',
    version: (version) => `Fassung ${version}`,
    closedBy: (when, who) => (
      <>
        , abgeschlossen am {when} von {who}
      </>
    ),
    closedWithKey: (when) => <>, abgeschlossen am {when} mit einem API-Schlüssel</>,
    unchanged: 'Seit der Fassung davor hat sich kein Stundenzettel geändert.',
    changed: (names) => <>Seit der Fassung davor geändert: {names}.</>,
    others: (count) => `${count} weitere`,
    sheets: (count) => (count === 1 ? '1 Stundenzettel, Prüfsumme ' : `${count} Stundenzettel, Prüfsumme `),
    copyRoot: 'Prüfsumme kopieren',
    dialog: (month) => `${month} abschließen`,
    openFlags: 'Offene Hinweise',
    about:
      'Das Audit-Log bekommt ein Siegel über alle Stundenzettel dieses Monats. Zeiten können weiter korrigiert und der Monat erneut abgeschlossen werden: Das ergibt die nächste Fassung, und sie nennt, wessen Stundenzettel sich geändert haben.',
    action: 'Monat abschließen',
    actionWith: (count) =>
      count === 1 ? 'Mit 1 offenen Hinweis abschließen' : `Mit ${count} offenen Hinweisen abschließen`,
    closed: (month) => `${month} ist abgeschlossen`,
  },
  files: {
    csv: 'CSV',
    excel: 'Excel',
    payroll: 'Lohn …',
    title: (month) => `Lohndatei für ${month}`,
    looking: 'Personen ohne Personalnummer werden gesucht …',
    numbered: 'Alle mit Stunden haben eine Personalnummer.',
    unnumbered: (count) =>
      count === 1 ? '1 Person hat keine Personalnummer.' : `${count} Personen haben keine Personalnummer.`,
    last: 'Ihre Zeilen stehen am Ende der Datei, ohne Nummer. Tragen Sie sie auf der Seite der Person ein.',
    about: (type) => (
      <>
        Die Datei hat eine Zeile je Person und Tag, mit der Lohnart {type}. Was nur ein API-Schlüssel oder
        Mitglied eingetragen hat, fehlt darin.
      </>
    ),
    download: 'Lohndatei herunterladen',
  },

  pin: {
    take: 'PIN entziehen …',
    title: (name) => `${name} die PIN entziehen?`,
    text: 'Die Person kann am Terminal nicht mehr mit Nummer und PIN stempeln und sieht das auf ihrem Telefon. Ein Mitglied am Terminal kann ihr eine neue geben.',
    action: 'PIN entziehen',
    done: 'Die PIN ist entzogen',
  },
  sheet: {
    label: 'Stundenzettel',
    what: 'der Monat',
    person: 'Zur Person',
    everybody: 'Der Monat aller',
    missing: 'Diese Person hat an diesem Standort in diesem Monat keinen Stundenzettel.',
    day: 'Tag',
    shifts: 'Kommen – Gehen',
    breaks: 'Pausen',
    breakTime: 'Pausenzeit',
    hours: 'Stunden',
    notes: 'Hinweise',
    actions: 'Aktionen',
    correct: (day) => `${day} korrigieren`,
    mark: (day) => `Vermerk für ${day}`,
    number: (code) => `Personalnummer ${code}`,
    noNumber: 'Keine Personalnummer',
    rules: (country) => `Regeln für ${country}`,
    total: 'Summe',
    days: (count) => (count === 1 ? '1 Tag' : `${count} Tage`),
    events: (list) => `Buchungen: ${list}.`,
    proved: (count) => `${count} vom Telefon der Person nachgewiesen`,
    declared: (count) => `${count} mit PIN oder neben einem Mitglied angegeben`,
    agreed: (count) => `${count} durch eine Korrektur vereinbart`,
    asserted: (count) => `${count} nur von einem API-Schlüssel oder Mitglied eingetragen (zählen nicht)`,
    contested: (count) => `${count} von der Person bestritten`,
    counted:
      'Es zählen die Minuten, die dieser Stundenzettel zeigt. Nichts wird gerundet, und keine Pause wird abgezogen, die niemand gemacht hat.',
    signed: (name) => <>Datum, {name}</>,
    signedForCompany: 'Datum, für die Firma',
  },
  propose: {
    title: (day) => `${day} korrigieren`,
    what: 'die Buchungen des Tages',
    events: 'Buchungen',
    empty: 'Keine Buchungen an diesem Tag.',
    fate: (event) => `Was mit „${event}“ geschieht`,
    keep: 'Behalten',
    change: 'Ändern',
    remove: 'Entfernen',
    added: 'Neue Buchung',
    leaveOut: 'Neue Buchung weglassen',
    event: 'Buchung',
    time: 'Uhrzeit am Standort',
    add: 'Buchung hinzufügen',
    cause: 'Grund',
    note: 'Notiz',
    noteHint: 'Freiwillig. Die Person liest sie.',
    about:
      'Ihr Vorschlag ist das Ja der Firma. Die Zeiten ändern sich, sobald auch die Person zugestimmt hat.',
    action: 'Korrektur vorschlagen',
    done: 'Vorgeschlagen. Die Person entscheidet am Telefon oder mit ihrer PIN.',
  },
  mark: {
    title: (day) => `Vermerk für ${day}`,
    about:
      'Ein Vermerk sagt, warum ein Tag so ist, zum Beispiel Urlaub. Der Stundenzettel zeigt ihn und zählt ihn nie. Andere sehen nur, dass die Person abwesend ist.',
    marks: 'Vermerke des Tages',
    remove: (mark) => `„${mark}“ entfernen`,
    removed: 'Vermerk entfernt',
    code: 'Vermerk',
    codeHint:
      'Buchstaben ohne Umlaute, Ziffern, Punkte und Bindestriche. Nicht mehr als nötig: „abwesend“ reicht oft.',
    suggestions: ['abwesend', 'Urlaub', 'Feiertag', 'Fortbildung'],
    source: 'Wer das sagt',
    sourceDefault: 'Personalabteilung',
    action: 'Vermerk eintragen',
    added: 'Vermerk eingetragen',
  },

  corrections: {
    title: 'Korrekturen',
    about:
      'Eine Korrektur zählt, sobald die Person und die Firma zugestimmt haben. Bis dahin, und wenn jemand widerspricht, ändert sich nichts.',
    company: 'Warten auf die Firma',
    person: 'Warten auf die Person',
    counted: (title, count) => `${title} (${count})`,
    nothing: 'Nichts wartet auf die Firma.',
    choose: 'Diese Korrektur auswählen',
    chooseAll: 'Alle auswählen',
    chooseNone: 'Keine auswählen',
    chosen: (count) => `${count} ausgewählt`,
    agree: 'Zustimmen',
    contest: 'Widersprechen',
    agreeAll: 'Allen ausgewählten zustimmen',
    contestAll: 'Allen ausgewählten widersprechen',
    agreed: (count) => (count === 1 ? '1 Korrektur zugestimmt' : `${count} Korrekturen zugestimmt`),
    contested: (count) => (count === 1 ? '1 Korrektur widersprochen' : `${count} Korrekturen widersprochen`),
    failed: (count) =>
      count === 1
        ? 'Über 1 Korrektur wurde nicht entschieden.'
        : `Über ${count} Korrekturen wurde nicht entschieden.`,
    byPhone: 'Von der Person am Telefon vorgeschlagen',
    byPin: 'Von der Person mit ihrer PIN vorgeschlagen',
    byMember: (name) => <>Von {name} vorgeschlagen</>,
    quoted: (cause, note) => (
      <>
        {cause}: „{note}“
      </>
    ),
    withdraw: 'Zurückziehen',
    withdrawTitle: 'Diese Korrektur zurückziehen?',
    withdrawText:
      'Sie verschwindet vom Telefon der Person. Die Zeiten bleiben, wie sie sind. Sie können eine andere vorschlagen.',
    withdrawn: 'Korrektur zurückgezogen',
    record: 'Eintragen',
    recordTitle: 'Ohne Zustimmung der Person eintragen?',
    recordText:
      'Die neuen Buchungen werden als Angabe der Firma eingetragen. Was die Person selbst gebucht hat, bleibt und zählt. Stundenzettel zeigen beides, und das Telefon der Person meldet es. Das lässt sich nicht rückgängig machen.',
    recorded: 'Eingetragen',
    all: 'Alle Korrekturen',
    columns: {
      person: 'Person',
      changes: 'Änderungen',
      cause: 'Grund',
      state: 'Status',
      actions: 'Aktionen',
    },
    states: {
      proposed: 'Wartet',
      agreed: 'Zugestimmt',
      contested: 'Widersprochen',
      unanswered: 'Ohne Antwort',
      withdrawn: 'Zurückgezogen',
    },
    empty: 'Keine Korrekturen',
    emptyText:
      'Die Beschäftigten schlagen sie an ihrem Telefon vor, und Sie auf der Seite mit dem Monat der Person.',
  },

  sites: {
    title: 'Standorte',
    add: 'Standort hinzufügen',
    columns: {
      name: 'Name',
      country: 'Land',
      zone: 'Zeitzone',
      from: 'Kommen und Gehen',
      kept: 'Aufbewahrung',
      actions: 'Aktionen',
    },
    months: (count) => (count === 1 ? '1 Monat' : `${count} Monate`),
    edit: (name) => `${name} bearbeiten`,
    editTitle: (name) => <>„{name}“ bearbeiten</>,
    closedMonths: 'Abgeschlossene Monate behalten die Zeitzone, die sie hatten.',
    saved: 'Standort gespeichert',
    first: 'Ersten Standort anlegen',
    turnOn: 'Zeiterfassung einschalten',
    addThe: 'Standort hinzufügen',
    created: 'Standort angelegt',
    on: 'Die Zeiterfassung ist eingeschaltet',
    give: (hours, representative, team) => (
      <>
        Geben Sie auf der Seite {team} allen, die mit den Stunden arbeiten, das Recht {hours}, und allen, die
        sie für andere lesen, das Recht {representative}.
      </>
    ),
    place: (site, desks, of) => (
      <>
        Wählen Sie {site} als Ort der {desks} und als Standort der {of}.
      </>
    ),
    desks: 'Terminals',
    people: 'Personen',
    clockIn: 'Die Beschäftigten kommen und gehen mit ihrem Telefon.',
    noKeys: 'Kein API-Schlüssel liest Anwesenheit.',
    keys: (count, page) => (
      <>
        {count === 1 ? '1 API-Schlüssel liest' : `${count} API-Schlüssel lesen`} weiter die Anwesenheit aller.
        Widerrufen Sie auf der Seite {page} die, die das nicht sollen.
      </>
    ),
    keysLabel: 'Schlüssel, die Anwesenheit lesen',
  },
  siteFields: {
    name: 'Name',
    nameHint: 'Ein Arbeitsort, zum Beispiel Werk Nord.',
    country: 'Land',
    countryHint:
      'Für Deutschland und Spanien geben die Stundenzettel Hinweise zu Pausen, Ruhezeiten und langen Tagen.',
    zone: 'Zeitzone',
    zoneHint: 'Zum Suchen eine Stadt eintippen. Tage und Monate des Standorts beginnen um Mitternacht dort.',
    from: 'Wo Beschäftigte kommen und gehen',
    desk: 'Am Terminal',
    deskAbout: 'Sie scannen den Code eines Terminals am Standort.',
    anywhere: 'Überall',
    anywhereAbout: 'Auch am eigenen Telefon ohne Terminal. Solche Buchungen gelten nicht als am Standort.',
    breaks: 'Telefone bieten Pausen an',
    breaksHint:
      'Die Beschäftigten beginnen und beenden Pausen selbst. Keine wird abgezogen, die niemand gemacht hat.',
    kept: 'Monate, für die Stunden aufbewahrt werden',
    keptHint: 'Ganze Monate, auch nachdem eine Person gelöscht wurde. Oft sagt das Gesetz, wie lange.',
    payroll: 'Lohndatei',
    type: 'Lohnart',
    typeHint: 'Wie Ihre Lohnabrechnung diese Stunden nennt, zum Beispiel eine Nummer. Leer: work.',
    separator: 'Spalten werden getrennt durch',
    semicolons: 'Semikolons',
    commas: 'Kommas',
    tabs: 'Tabulatoren',
    decimal: 'Dezimalzeichen',
    comma: 'Komma',
    point: 'Punkt',
    encoding: 'Zeichensatz',
    withMark: 'UTF-8 mit Kennung (BOM)',
    hours: 'Stunden werden geschrieben als',
    inMinutes: '450 Minuten',
  },
};

export const errors: ErrorTexts = {
  codes: {
    unreachable:
      'Der Dienst hat nicht geantwortet. Prüfen Sie Ihre Verbindung, und versuchen Sie es gleich noch einmal.',
    rate_limit_exceeded: 'Zu viele Anfragen. Versuchen Sie es etwas später noch einmal.',
    service_unavailable: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es etwas später noch einmal.',
    role_insufficient: 'Dafür haben Sie nicht das Recht.',
    tenant_inactive: 'Dieses Konto ist gesperrt oder geschlossen.',
    site_not_found: 'Diesen Standort gibt es nicht.',
    site_limit_reached: 'Mehr als 500 Standorte sind nicht möglich.',
    user_not_found: 'Diese Person gibt es nicht, oder Ihre Rechte gelten nicht für ihren Standort.',
    user_erased: 'Diese Person wurde gelöscht.',
    month_flags_open: 'Es sind jetzt andere Hinweise offen als eben. Sehen Sie sie noch einmal an.',
    month_not_over: 'Der Monat ist noch nicht vorbei.',
    month_changed: 'Der Monat hat sich beim Abschließen geändert. Versuchen Sie es noch einmal.',
    attendance_mark_not_found: 'Diesen Vermerk gibt es nicht mehr.',
    correction_not_found: 'Diese Korrektur gibt es nicht.',
    correction_closed: 'Diese Korrektur ist schon beendet.',
    correction_open: 'Diese Korrektur wartet noch auf eine Antwort.',
    correction_outdated: 'Was diese Korrektur ändert, hat inzwischen eine andere geändert.',
    correction_waits_for_person: 'Diese Korrektur wartet auf die Person.',
    correction_waits_for_member: 'Diese Korrektur wartet auf die Firma.',
    correction_of_oneself:
      'Niemand entscheidet für die Firma über die eigenen Stunden. Das muss ein anderes Mitglied tun.',
  },
  unknown: (code) => `Der Dienst meldet einen Fehler (${code}). Versuchen Sie es später noch einmal.`,
  unexpected: 'Etwas ist schiefgegangen. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
  fields: {
    timeZone: 'ist nicht bekannt. Wählen Sie eine aus der Liste, zum Beispiel Europe/Berlin',
    workType: 'darf nur aus Buchstaben, Ziffern, Leerzeichen, Punkten und Binde- oder Unterstrichen bestehen',
    code: 'darf nur aus Buchstaben ohne Umlaute, Ziffern, Punkten und Binde- oder Unterstrichen bestehen',
    other: 'ist so nicht möglich',
  },
  invalid: 'Eine Angabe ist so nicht möglich. Prüfen Sie die Uhrzeiten und Felder.',
};
