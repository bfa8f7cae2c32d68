import type { Strings } from './en';

/** The German texts. */
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
  test: 'Testumgebung',
  cancel: 'Abbrechen',
  continue: 'Weiter',
  tryAgain: 'Erneut versuchen',
  close: 'Sie können diese Seite schließen.',

  signIn: {
    tab: (client) => `Bei ${client} anmelden`,
    title: (client) => <>Bei {client} anmelden</>,
    loading: 'Anmelden',
    returnsTo: (host) => <>Danach geht es zurück zu {host}</>,
    otherDevice: 'Sie melden sich auf dem Gerät an, das Ihren Code anzeigt',
    scan: 'Scannen Sie den Code mit dem Telefon und tippen Sie dort diese Zahl ein.',
    scanOther: 'Scannen Sie den Code mit dem anderen Telefon und tippen Sie dort diese Zahl ein.',
    nearbyIfNew: 'Lassen Sie es in der Nähe, mit Bluetooth, falls dieser Browser für Sie neu ist.',
    expiresIn: (left) => <>Läuft ab in {left}</>,
    opening: 'Ihr Code wird vorbereitet',
    waiting: 'Warten auf Ihr Telefon',
    approving: 'Warten auf Ihre Bestätigung',
    lost: 'Keine Verbindung. Wird neu verbunden …',
    refused: 'Ein Telefon wurde nicht angenommen. Es zeigt, was zu tun ist. Der Code gilt noch.',
    approveHere: 'Auf diesem Telefon bestätigen',
    approveInBrowser: 'In diesem Browser bestätigen',
    otherPhone: 'oder mit einem anderen Telefon',
    sameDeviceOnly:
      'Diese Anwendung akzeptiert eine Bestätigung nur auf dem Gerät, auf dem Sie sich anmelden.',
    moving: 'Ihre Telefonseite wird geöffnet',
    remember: {
      title: 'Merken Sie sich diese Zahl',
      text: 'Ihre Telefonseite fragt gleich danach.',
    },
  },
  consent: {
    title: (client) => <>Weiter zu {client}?</>,
    text: (client) => <>Sie sind angemeldet. {client} erhält:</>,
    known: 'Wer Sie sind',
    claims: { name: 'Ihren Namen', email: 'Ihre E-Mail-Adresse', groups: 'Ihre Gruppen' },
    staysSignedIn: 'Zugriff für bis zu 14 Tage, ohne noch einmal zu fragen',
  },
  approved: {
    title: 'Bestätigt',
    going: 'Es geht weiter …',
    goingTo: (host) => <>Zurück zu {host} …</>,
  },
  cancelled: 'Abgebrochen',
  stage: {
    code: 'Anmeldecode',
    number: 'Ihre Zahl',
    connected: 'Telefon verbunden',
    type: 'Tippen Sie diese Zahl auf Ihrem Telefon ein',
    goOn: 'Machen Sie auf dem Telefon weiter',
    showCode: 'Nicht Ihr Telefon? Code zeigen',
  },
  nearby: {
    title: 'Ist Ihr Telefon bei Ihnen?',
    text: 'Dieser Browser ist neu für Sie. Drücken Sie die Taste, wählen Sie im Fenster Ihr Telefon und bestätigen Sie dort. Es muss mit eingeschaltetem Bluetooth in der Nähe dieses Computers sein.',
    refused:
      'Das Telefon hat nicht bestätigt. Halten Sie es mit eingeschaltetem Bluetooth in die Nähe dieses Computers und versuchen Sie es erneut.',
    action: 'Mit meinem Telefon bestätigen',
    computer: {
      title: 'Ist das Ihr Computer?',
      text: 'Wenn ja, muss Ihr Telefon bei der nächsten Anmeldung hier nicht daneben liegen. Wählen Sie Nein, wenn auch andere den Computer benutzen.',
      yes: 'Ja, merken',
      no: 'Nein, einmal anmelden',
    },
  },
  ended: {
    again: 'Neuen Code anzeigen',
    declined: {
      title: 'Auf dem Telefon abgelehnt',
      text: 'Niemand wurde angemeldet. Wenn Sie sich doch anmelden möchten, zeigen Sie einen neuen Code an.',
    },
    rejected: {
      title: 'Falsche Zahl',
      text: 'Auf dem Telefon wurde eine andere Zahl eingetippt. Niemand wurde angemeldet. Zeigen Sie einen neuen Code an und tippen Sie die Zahl daneben ein.',
    },
    expired: {
      title: 'Der Code ist abgelaufen',
      text: 'Niemand hat ihn rechtzeitig gescannt. Zeigen Sie einen neuen an, wenn Sie Ihr Telefon zur Hand haben.',
    },
  },
  failures: {
    unreachable: {
      title: 'Keine Verbindung',
      text: 'Der Dienst hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    },
    not_approved: {
      title: 'Noch nicht bestätigt',
      text: 'Die Bestätigung kam nicht an oder dauerte zu lange. Versuchen Sie es mit einem neuen Code.',
    },
    other_tab: {
      title: 'Fast geschafft',
      text: 'Ihr Telefon hat eine Anmeldung bestätigt, die in einem anderen Tab oder einer anderen App begonnen wurde. Gehen Sie dorthin zurück oder melden Sie sich hier noch einmal an.',
    },
    too_many: {
      title: 'Zu viele Versuche',
      text: 'Warten Sie eine Minute und versuchen Sie es dann erneut. Wenn das nicht hilft, beginnen Sie in der Anwendung von vorn.',
    },
    new_browser: {
      title: 'Nicht in diesem Browser',
      text: 'Ihr Unternehmen verlangt mehr in einem Browser, der neu für Sie ist, und dieser kann nicht speichern, was es dafür braucht. Melden Sie sich auf Ihrem Telefon an oder in einem Fenster, das nicht privat ist.',
    },
    not_signed: {
      title: 'Beginnen Sie noch einmal',
      text: 'Dieser Browser konnte nicht zeigen, dass er diese Anmeldung begonnen hat. Versuchen Sie es mit einem neuen Code.',
    },
    not_nearby: {
      title: 'Nicht bestätigt',
      text: 'Das Telefon neben diesem Computer wurde nicht angenommen. Versuchen Sie es mit einem neuen Code und dem Telefon, das Ihr Unternehmen registriert hat.',
    },
    unexpected: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Dienst hat diesen Schritt nicht angenommen. Versuchen Sie es erneut. Wenn das nicht hilft, beginnen Sie in der Anwendung von vorn.',
    },
  },
  closed: {
    title: 'Diese Anmeldung ist beendet',
    text: 'Sie hat zu lange gedauert, ist schon abgeschlossen oder wurde in einem anderen Browser begonnen. Gehen Sie zurück zur Anwendung und melden Sie sich noch einmal an.',
  },

  about: {
    title: 'Was ist das?',
    points: [
      [
        'Kein Passwort',
        'Ihr Telefon hat einen eigenen Schlüssel und weist nach, dass es ihn hat. Sie müssen sich nichts merken.',
      ],
      [
        'Nichts Biometrisches verlässt Ihr Telefon',
        'Fingerabdruck oder Gesicht entsperren nur diesen Schlüssel, auf dem Telefon selbst.',
      ],
      [
        'Eine Zahl gegen Betrug',
        'Tippen Sie nur die Zahl ein, die Sie hier sehen, nie eine, die Ihnen jemand geschickt hat.',
      ],
    ],
    phone: (address) => <>Scannen Sie mit {address} auf dem Telefon, das Ihre Firma registriert hat.</>,
  },

  error: {
    title: 'Diese Anmeldung kann nicht fortgesetzt werden',
    text: 'Die Anwendung hat eine Anfrage gesendet, die dieser Dienst nicht annimmt. Gehen Sie zurück und versuchen Sie es noch einmal.',
    expired:
      'Sie hat zu lange gedauert, oder ihr Cookie fehlt. Gehen Sie zurück zur Anwendung und melden Sie sich noch einmal an.',
    signOut: {
      title: 'Diese Abmeldung kann nicht fortgesetzt werden',
      text: 'Die Anwendung hat eine Anfrage gesendet, die dieser Dienst nicht annimmt. Niemand wurde abgemeldet.',
      expired:
        'Sie hat zu lange gedauert, oder ihr Cookie fehlt. Gehen Sie zurück zur Anwendung und melden Sie sich noch einmal ab.',
    },
    forDevelopers: 'Für die Entwickler der Anwendung',
  },
  signOut: {
    tab: 'Abmelden',
    title: 'Abmelden?',
    text: (company) => <>Damit sind Sie in diesem Browser nicht mehr bei {company} angemeldet.</>,
    plain: 'Damit sind Sie in diesem Browser nicht mehr angemeldet.',
    asked: (client) => <>{client} möchte Sie abmelden.</>,
    action: 'Abmelden',
    forget: 'Abmelden und diesen Browser vergessen',
    notForgotten:
      'Dieser Browser konnte nicht vergessen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    stay: 'Angemeldet bleiben',
  },
  signedOut: {
    title: 'Sie sind abgemeldet',
    text: (client) => <>Sie sind in diesem Browser nicht mehr bei {client} angemeldet.</>,
  },
  device: {
    title: 'Gerät verbinden',
    text: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
    code: 'Code',
    action: 'Weiter',
    incomplete: 'Der Code hat acht Buchstaben oder Ziffern.',
    problems: {
      unknown: 'Dieser Code ist nicht bekannt. Vergleichen Sie ihn mit dem auf Ihrem Gerät.',
      missing: 'Geben Sie zuerst den Code ein.',
      expired: 'Dieser Code ist abgelaufen. Lassen Sie Ihr Gerät einen neuen anzeigen.',
      used: 'Dieser Code wurde schon verwendet. Lassen Sie Ihr Gerät einen neuen anzeigen.',
      aborted:
        'Sie haben diese Anmeldung abgebrochen. Lassen Sie Ihr Gerät einen neuen Code anzeigen, um neu zu beginnen.',
    },
  },
  deviceConfirm: {
    tab: 'Ist das Ihr Code?',
    title: 'Ist das Ihr Code?',
    text: (client) => <>{client} möchte Sie auf einem anderen Gerät anmelden.</>,
    onlyYours: 'Fahren Sie nur fort, wenn dieser Code auf Ihrem eigenen Gerät steht.',
    code: 'Code auf Ihrem Gerät',
    action: 'Weiter',
    stop: 'Das ist nicht mein Gerät',
  },
  deviceDone: {
    title: 'Ihr Gerät ist verbunden',
    text: (client) => <>{client} macht auf Ihrem Gerät weiter.</>,
  },
};
