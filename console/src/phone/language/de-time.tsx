import type { ReactNode } from 'react';
import type { TimeTexts } from './en-time';

/** The German texts of working time. */
export const deTime: TimeTexts = {
  title: 'Meine Zeit',
  about: 'Kommen und gehen, und sehen, was erfasst ist',
  acts: { come: 'Kommen', go: 'Gehen', beginBreak: 'Pause beginnen', endBreak: 'Pause beenden' },
  done: {
    come: 'Sie sind gekommen',
    go: 'Sie sind gegangen',
    beginBreak: 'Ihre Pause hat begonnen',
    endBreak: 'Ihre Pause ist vorbei',
  },
  rows: { come: 'Gekommen', go: 'Gegangen', beginBreak: 'Pause begonnen', endBreak: 'Pause beendet' },
  months: { before: 'Voriger Monat', after: 'Nächster Monat' },

  attend: {
    title: 'Kommen oder gehen?',
    reading: 'Der Dienst wird nach Ort und Uhrzeit gefragt.',
    noIdentity:
      'Dieser Browser hat keine Identität, vielleicht weil er wochenlang nicht benutzt wurde. Tippen Sie am Terminal auf „Ohne mein Telefon“ und kommen oder gehen Sie mit Personalnummer und PIN. Lassen Sie sich danach einen Code für die Registrierung geben.',
    offline: 'Sie sind offline. Es zählt die Uhrzeit des Dienstes, gehen Sie also erst online.',
    at: (place: ReactNode) => <>Am Ort {place}</>,
    remote: 'An Ihrem eigenen Ort, ohne Terminal',
    time: 'Uhrzeit',
    byService: 'Es zählt die Uhr des Dienstes, auch wenn der Nachweis etwas dauert.',
    clock: (seconds: number) =>
      `Die Uhr dieses Telefons geht um ${seconds} Sekunden anders als die des Dienstes. Erfasst wird die Uhrzeit des Dienstes.`,
    tooLate: 'Es sind zwei Minuten vergangen. Scannen Sie den Code noch einmal.',
    tooLateHere: 'Es sind zwei Minuten vergangen, die Uhrzeit stimmt also nicht mehr.',
    newTime: 'Jetzige Uhrzeit nehmen',
    lost: (act: string, time: string) =>
      `Auf „${act}“ um ${time} kam keine Antwort an. Fragen Sie noch einmal: Es bleibt derselbe Eintrag und wird nie ein zweiter.`,
    askAgain: 'Noch einmal fragen',
    steps: {
      unlocking: 'Entsperren Sie Ihr Telefon, falls es fragt',
      loading: 'Was der Nachweis braucht, wird geladen',
      proving: 'Der Nachweis wird erstellt',
      sending: 'Der Nachweis wird gesendet',
    },
    checked: 'Ihr Telefon hat nachgerechnet, was der Dienst erfasst hat, und bewahrt die Quittung auf.',
    takeBack: 'Fünf Minuten lang können Sie es unter „Meine Zeit“ zurücknehmen.',
    unsigned: {
      title: 'Erfasst, nicht ganz geprüft',
      text: 'Dieser Browser kann die Signatur des Dienstes nicht prüfen. Alles andere hat Ihr Telefon geprüft, und es bewahrt die Quittung auf.',
    },
  },

  forgotten: {
    title: 'Sie sind nicht gegangen: wann?',
    text: (act: string, when: ReactNode) => (
      <>
        Davor hat dieses Telefon zuletzt „{act}“ erfasst, {when}. Wann sind Sie gegangen? Ihre Firma stimmt zu
        oder widerspricht.
      </>
    ),
    when: 'Gegangen bin ich um',
    hint: 'In der Zeitzone dieses Telefons.',
    impossible: 'Wählen Sie eine Uhrzeit, nachdem Sie gekommen sind und vor jetzt.',
    send: 'Vorschlagen',
    skip: 'Nicht jetzt',
    sent: 'Vorgeschlagen',
    sentText: 'Ihre Firma kann zustimmen oder widersprechen. Bis dahin ändert sich nichts.',
  },

  month: {
    total: 'Gearbeitet',
    breaks: 'Pausen',
    asserted: (hours: string) => `${hours} mehr nach dem, was Ihre Firma eingetragen hat`,
    flagged: (days: number) => `Tage, an denen etwas fehlt oder nicht passt: ${days}`,
    zone: (zone: string) =>
      `Uhrzeiten von ${zone}. Eine Schicht über das Ende des Monats steht nur auf dem Blatt der Firma ganz.`,
    empty: 'In diesem Monat ist nichts erfasst.',
    here: 'Hier kommen oder gehen',
  },

  row: {
    by: {
      proved: 'Dieses Telefon oder ein anderes von Ihnen',
      declared: 'Sie, ohne Telefon',
      agreed: 'Eine Korrektur, der beide Seiten zugestimmt haben',
      asserted: 'Ihre Firma',
    },
    contested: 'Sie haben gesagt, dass das falsch ist',
    replaced: 'Ersetzt oder zurückgenommen, zählt nicht',
    rejected: 'Wurde abgelehnt, zählt nicht',
    tooNew: 'Zu neu für die signierte Liste',
    unsealed: 'Aus der Zeit, bevor Einträge versiegelt wurden',
    unchecked: 'Nicht geprüft: Dieser Browser kann keine Signaturen prüfen',
    wrong: 'Das wurde so nicht erfasst',
    isWrong: 'Falsch?',
    isWrongNamed: (row: string) => `${row}: falsch?`,
    takeBack: 'Zurücknehmen',
    change: 'Änderung vorschlagen',
    changeNamed: (row: string) => `${row}: Änderung vorschlagen`,
  },

  contest: {
    title: 'Ist das falsch?',
    text: (row: string) =>
      `„${row}“ bleibt stehen, und alle, die es lesen, sehen, dass Sie es falsch nennen. Das lässt sich nicht rückgängig machen.`,
    action: 'Als falsch melden',
  },
  takeBack: {
    title: 'Zurücknehmen?',
    text: (row: string) => `„${row}“ bleibt sichtbar und zählt nicht mehr.`,
    action: 'Nicht mehr zählen',
  },

  propose: {
    title: 'Änderung vorschlagen',
    missing: 'Es fehlt etwas',
    text: 'Ihre Firma stimmt zu oder widerspricht. Bis dahin ändert sich nichts.',
    what: 'Was ist richtig?',
    nothing: 'Das gab es nicht',
    when: 'Wann?',
    zone: (zone: string) => `Nach der Uhr von ${zone}.`,
    why: 'Warum?',
    note: 'Notiz für Ihre Firma (freiwillig)',
    future: 'Wählen Sie eine Uhrzeit vor jetzt.',
    send: 'Vorschlagen',
  },

  pin: {
    title: 'Ohne dieses Telefon',
    about:
      'Mit Ihrer Personalnummer und einer PIN kommen und gehen Sie am Terminal, wenn Sie dieses Telefon nicht dabeihaben.',
    none: 'Sie haben keine PIN.',
    by: {
      phone: (when: ReactNode) => <>Sie haben die PIN auf Ihrem Telefon festgelegt, {when}.</>,
      pin: (when: ReactNode) => <>Sie haben die PIN an einem Terminal geändert, {when}.</>,
      desk: (when: ReactNode) => <>Ein Terminal hat eine PIN für Sie gedruckt, {when}.</>,
      reset: (when: ReactNode) => <>Ihre Firma hat Ihre PIN entfernt, {when}.</>,
    },
    set: 'PIN festlegen',
    change: 'Neue PIN festlegen',
    field: 'Neue PIN',
    again: 'Noch einmal dieselbe',
    digits: 'Sechs Ziffern',
    guessable: 'Nicht sechsmal dieselbe Ziffer und keine sechs Ziffern in Folge.',
    different: 'Die beiden sind verschieden.',
    done: 'Die PIN ist festgelegt',
    doneText:
      'Niemand kann sie lesen, auch Ihre Firma nicht. Haben Sie sie vergessen, legen Sie hier eine neue fest.',
  },

  corrections: {
    title: 'Korrekturen',
    proposed: 'Ihre Firma möchte das ändern',
    yours: 'Das haben Sie vorgeschlagen. Ihre Firma hat noch nicht geantwortet.',
    old: 'Erfasst',
    new: 'Stattdessen',
    nothing: 'nichts',
    note: 'Notiz',
    causes: {
      forgotten: 'Vergessen',
      wrong_time: 'Falsche Uhrzeit',
      wrong_type: 'Falsche Art',
      double: 'Doppelt erfasst',
      not_present: 'Nicht anwesend',
      device_failed: 'Ein Gerät ist ausgefallen',
      other: 'Ein anderer Grund',
    },
    agree: 'Ich stimme zu',
    contest: 'Ich widerspreche',
    unreadable: (count: number) =>
      `${count} Korrekturen lassen sich nicht zeigen, weil kein ehrlicher Dienst sie sendet. Stimmen Sie nichts zu und sagen Sie es jemandem, dem Sie vertrauen.`,
  },

  member: {
    title: 'Ist das Ihre Anmeldung?',
    logIn: 'Anmeldung',
    text: 'Wenn Sie bestätigen, weiß Ihre Firma, welches Mitglied ihres Teams Sie sind. Über Ihre eigene Arbeitszeit entscheiden Sie dort dann nicht mehr.',
    warning: 'Bestätigen Sie nie die Anmeldung von jemand anderem.',
    yes: 'Ja, das ist meine',
    no: 'Nein, nicht meine',
    done: 'Bestätigt',
    doneText: 'Ihre Firma weiß, dass diese Anmeldung Ihnen gehört.',
  },

  missing: {
    title: 'Es fehlt etwas',
    text: (count: number) =>
      `Der Dienst zeigt ${count} Ihrer Einträge nicht mehr so, wie er sie signiert hat. Ihr Telefon hat die Quittungen. Exportieren Sie sie für den, der Sie vertritt.`,
    export: 'Quittungen exportieren',
  },

  readings: {
    title: 'Wer diesen Monat angesehen hat',
    none: 'Niemand hat ihn angesehen.',
    program: 'Ein Programm Ihrer Firma',
    former: 'Ein früheres Mitglied',
    inspector: 'Jemand mit einem Link für eine Prüfung',
    ofSite: 'mit dem ganzen Standort',
  },

  errors: {
    attendance_not_found: 'Der Dienst hat keinen solchen Eintrag von Ihnen.',
    correction_closed: 'Diese Korrektur ist schon beendet.',
    correction_outdated:
      'Was diese Korrektur ändert, hat sich vorher geändert. Öffnen Sie den Monat noch einmal.',
    foreign_code: 'Dieser Code gehört einer anderen Firma. Dieses Telefon ist dort nicht registriert.',
    receipt_wrong:
      'Die Antwort des Dienstes beweist nicht, was erfasst wurde. Verlassen Sie sich nicht darauf: Öffnen Sie später „Meine Zeit“, und sagen Sie es dem, der Sie vertritt.',
  },
};
