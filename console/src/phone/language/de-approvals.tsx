import type { Strings } from './en';

/** The German texts about approvals. */
export const approvals: Strings['approvals'] = {
  inbox: {
    title: 'Anfragen',
    check: 'Nach Anfragen sehen',
    checkAbout: 'Was Sie bestätigen sollen',
    count: (count) => (count === 1 ? '1 Anfrage wartet auf Sie' : `${count} Anfragen warten auf Sie`),
    empty: 'Keine Anfrage wartet auf Sie.',
    unreadable:
      'Eine Anfrage wird nicht angezeigt, weil ihr Text nicht so ist, wie der Dienst ihn senden muss. Es wurde nichts bestätigt. Wenn das wieder passiert, informieren Sie Ihre Administration.',
    stale: 'Die Liste ist vielleicht nicht aktuell, denn der Dienst hat nicht geantwortet.',
  },

  link: {
    title: 'Diese Anfrage öffnen?',
    text: 'Entsperren Sie das Telefon, damit diese Seite den Dienst fragen kann, worum es geht. Sie sehen alles, bevor Sie entscheiden.',
    none: {
      title: 'Keine Anfrage für dieses Telefon',
      text: 'Vielleicht ist sie für jemand anderen, oder sie wurde schon entschieden oder zurückgezogen oder ist abgelaufen.',
    },
    noIdentity:
      'Dieses Telefon ist nicht registriert und kann deshalb nichts bestätigen. Öffnen Sie den Link auf dem Telefon, das Sie registriert haben.',
    unreadable: {
      title: 'Diese Anfrage kann nicht angezeigt werden',
      text: 'Ihr Text ist nicht so, wie der Dienst ihn senden muss. Es wurde nichts bestätigt. Informieren Sie Ihre Administration.',
    },
  },

  title: 'Das bestätigen?',
  writtenBy: (company) => <>Text von {company}</>,
  asks: {
    api_key: (name) => <>Gesendet mit dem API-Schlüssel „{name}“</>,
    member: (name) => <>Gesendet von {name} aus dem Team</>,
    client: (name) => <>Gesendet von der Anwendung „{name}“</>,
  },
  note: 'Anmerkung',
  documents: 'Dokumente',
  sha256: 'SHA-256',
  reference: (reference) => <>Referenz {reference}</>,
  needs: (required, all) =>
    required === all
      ? `Alle ${all} gefragten Personen müssen bestätigen.`
      : `${required} von ${all} gefragten Personen müssen bestätigen.`,
  expiresIn: (left) => <>Läuft ab in {left}</>,
  expiresAt: (at) => <>Läuft ab am {at}</>,
  onlyOnce: 'Sie entscheiden einmal und können es später nicht ändern.',

  approve: 'Bestätigen',
  readOn: 'Zum Bestätigen ganz lesen',
  canApprove: 'Sie haben bis zum Ende gelesen. Sie können jetzt bestätigen.',
  enterNumber: 'Zahl eingeben',
  decline: 'Ablehnen',
  notMe: 'Das war ich nicht',
  later: 'Später',

  number: {
    about:
      'Geben Sie die zwei Ziffern ein, die Ihnen gezeigt werden, wo die Anfrage herkommt. Geben Sie nie eine Zahl ein, die Ihnen jemand gesagt oder geschickt hat.',
  },
  reasons: {
    title: 'Warum lehnen Sie ab?',
    no: 'Ich bin nicht einverstanden',
    noAbout: 'Die Anfrage stimmt, aber meine Antwort ist nein',
    mistake: 'Es ist ein Fehler',
    mistakeAbout: 'Etwas darin ist falsch',
    not_me: 'Das war ich nicht',
    not_meAbout: 'Ich habe das nicht ausgelöst und weiß nicht, wer es war',
  },

  steps: {
    unlocking: 'Entsperren Sie Ihr Telefon, wenn es fragt',
    loading: 'Programm für den Nachweis wird geladen',
    proving: 'Nachweis wird erstellt',
    sending: 'Entscheidung wird gesendet',
  },
  waiting: 'Sie sind offline. Ihre Entscheidung wird gesendet, sobald Sie wieder online sind.',

  approved: {
    title: 'Bestätigt',
    text: (company) => <>{company} hat Ihren Nachweis und kann fortfahren.</>,
    others: 'Ihre Bestätigung zählt. Andere müssen noch bestätigen.',
  },
  declined: {
    title: 'Abgelehnt',
    text: (company) => <>{company} sieht, dass Sie abgelehnt haben.</>,
    notMe: (company) => <>{company} sieht, dass Sie es nicht waren.</>,
    next: 'Wenn Sie nicht wissen, woher die Anfrage kam, informieren Sie Ihre Administration.',
  },
  decided: {
    title: 'Sie haben schon entschieden',
    text: 'Dieses Telefon hat diese Anfrage schon beantwortet, und nur die erste Antwort zählt. Sie steht im Verlauf.',
  },
  closed: {
    title: 'Diese Anfrage ist beendet',
    text: 'Sie wurde entschieden oder zurückgezogen oder ist abgelaufen, bevor Ihre Antwort ankam. Ihre Antwort wurde nicht gezählt.',
  },
  expired: {
    title: 'Diese Anfrage ist abgelaufen',
    text: 'Es wurde nichts bestätigt. Wenn sie noch gebraucht wird, lassen Sie sich noch einmal fragen.',
  },
  wrongNumber: {
    title: 'Falsche Zahl',
    text: 'Es wurde nichts bestätigt, und die Anfrage wartet noch. Sehen Sie sich die Zahl noch einmal an.',
    locks:
      'Nach drei falschen Zahlen an einem Tag können Sie eine Stunde lang nicht mit einer Zahl bestätigen.',
    notYours:
      'Hat Ihnen jemand die Zahl gesagt oder geschickt? Dann lehnen Sie ab und informieren Sie Ihre Administration.',
    again: 'Noch einmal eingeben',
  },
  locked: {
    title: 'Für eine Stunde gesperrt',
    text: 'Sie haben dreimal eine falsche Zahl eingegeben und können deshalb eine Stunde lang nicht mit einer Zahl bestätigen. Ablehnen können Sie weiterhin.',
  },
  rejected: {
    title: 'Nicht angenommen',
    text: 'Der Dienst hat die Antwort dieses Telefons nicht angenommen. Es wurde nichts entschieden.',
    why: 'Vielleicht ist die Anfrage für jemand anderen, dieses Telefon wurde entfernt, oder Sie haben heute dreimal eine falsche Zahl eingegeben. Versuchen Sie es in einer Stunde noch einmal, oder fragen Sie Ihre Administration.',
  },
  unknown: {
    title: 'Ihre Antwort ist vielleicht angekommen',
    text: 'Sie wurde schon gesendet und lässt sich nicht zurücknehmen. Öffnen Sie die Anfrage noch einmal, um zu sehen, ob sie noch wartet.',
  },

  history: {
    results: {
      approved: 'Bestätigt',
      declined: 'Abgelehnt',
      wrongNumber: 'Falsche Zahl',
      failed: 'Nicht angenommen',
      unconfirmed: 'Vielleicht angekommen',
    },
    open: (title) => `„${title}“ anzeigen`,
    title: 'Worüber Sie entschieden haben',
    decidedAt: (at) => <>Entschieden am {at}</>,
    about: 'Nur auf diesem Telefon gespeichert. Den Beleg, den andere prüfen können, hat das Unternehmen.',
  },
};
