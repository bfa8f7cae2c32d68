import { approvals } from './de-approvals';
import { browserTexts } from './de-browsers';
import { errors } from './de-errors';
import { phones } from './de-phones';
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
  errors,
  phones,
  approvals,
  ...browserTexts,

  back: 'Zurück',
  cancel: 'Abbrechen',
  close: 'Schließen',
  continue: 'Weiter',
  done: 'Fertig',
  scan: 'Code scannen',
  scanAgain: 'Erneut scannen',
  scanAnother: 'Anderen Code scannen',
  tryAgain: 'Erneut versuchen',
  progress: 'Fortschritt',
  steps: {
    creating: 'Schlüssel erstellen',
    unlocking: 'Schlüssel öffnen',
    proving: 'Nachweisen',
    done: 'Fertig',
  },
  test: 'Test',
  environment: { live: 'Live', test: 'Test' },
  service: 'Dienst',
  accountId: 'Konto-ID',
  unnamedAccount: (id) => <>Konto {id}</>,

  cannotUse: 'Dieser Code kann nicht verwendet werden',
  insecure: {
    title: 'Ihr Telefon',
    text: 'Diese Seite wurde ohne Verschlüsselung geöffnet. Der Browser kann deshalb keine geheimen Schlüssel speichern. Öffnen Sie sie mit https.',
  },
  noStorage:
    'Die Daten dieser Seite konnten nicht gelesen werden. Wenn das wieder passiert, laden Sie die Seite neu oder öffnen Sie sie in einem Fenster, das nicht privat ist.',

  protectedBy: {
    'screen-lock': 'Ihren Fingerabdruck, Ihr Gesicht oder die Displaysperre',
    browser: 'einen Schlüssel, den dieser Browser ohne Displaysperre speichert',
  },

  home: {
    title: 'Ihre Identitäten',
    offline:
      'Sie sind offline. Sie können trotzdem Codes scannen. Nachweise werden gesendet, sobald Sie wieder online sind.',
    empty: 'Noch keine Identität',
    emptyText:
      'Scannen Sie den Code, den Ihnen die Registrierungsstelle zeigt. Ihr Telefon erzeugt dann einen geheimen Schlüssel, den es nie preisgibt, und weist damit ohne Passwort nach, wer Sie sind.',
    unused: 'Noch nicht verwendet',
    used: (when) => <>Verwendet {when}</>,
    details: 'Details',
    identity: 'Identität',
    created: 'Erstellt',
    protectedBy: 'Geschützt durch',
    unconfirmed:
      'Die letzte Antwort dieser Registrierung ging verloren. Fragen Sie die Registrierungsstelle, ob sie abgeschlossen wurde. Wenn nicht, entfernen Sie diese Identität.',
    olderKept: 'Die ältere Identität bleibt bis dahin erhalten.',
    remove: 'Entfernen',
  },

  remove: {
    title: 'Diese Identität entfernen?',
    text: (account) => (
      <>
        Ihr geheimer Schlüssel wird gelöscht. Er existiert nur auf diesem Telefon. Sie können sich bei{' '}
        {account} erst wieder anmelden, wenn die Registrierungsstelle dieses Telefon neu registriert. Beim
        Unternehmen ist die Identität weiterhin eingetragen. Bitten Sie die Administration, sie auch dort zu
        widerrufen.
      </>
    ),
    action: 'Entfernen',
  },

  scanner: {
    about: 'Richten Sie die Kamera auf den Code der Registrierungsstelle oder auf den Code am Computer.',
    camera: 'Das Bild der Kamera',
    paste: 'Oder fügen Sie den Code ein',
    pasteHint: 'Der Text oder Link neben dem QR-Code.',
    use: 'Code verwenden',
  },

  register: {
    title: 'Dieses Telefon registrieren?',
    code: 'Code',
    text: 'Ist das der Dienst Ihrer Registrierungsstelle? Ihr Telefon sendet den Code und eine Zufallszahl und erfährt den Namen des Unternehmens. Bevor eine Identität entsteht, werden Sie noch einmal gefragt.',
    forPerson: (name) => <>Für {name}</>,
    textKnown:
      'Ist das die Registrierungsstelle Ihres Unternehmens, und ist das Ihr Name? Bevor eine Identität entsteht, werden Sie noch einmal gefragt.',
    inSafari:
      'Auf einem iPhone speichern Safari und eine App auf dem Home-Bildschirm ihre Daten womöglich getrennt. Registrieren Sie sich dort, wo Sie später Codes scannen.',
    inApp:
      'Auf einem iPhone speichern diese App und Safari ihre Daten womöglich getrennt. Scannen Sie Codes später in dieser App, nicht nur mit der Kamera.',
    offline:
      'Sie sind offline. Tippen Sie auf „Weiter“ und lassen Sie diese Seite geöffnet. Der Code wird gesendet, sobald Sie wieder online sind.',
    waiting: 'Der Code wird gesendet, sobald eine Verbindung besteht.',

    confirmTitle: 'Bei diesem Unternehmen registrieren?',
    chosenName: 'Registrieren Sie sich nur vor Ort bei diesem Unternehmen. Name und Logo kann jeder wählen.',
    about: {
      'screen-lock':
        'Ihr Fingerabdruck, Ihr Gesicht oder die Displaysperre schützt die Identität. Diese Seite kann sie nicht lesen.',
      browser:
        'Dieser Browser bietet der Seite keine Displaysperre an. Jeder, der dieses Telefon entsperren kann, kann die Identität verwenden.',
    },
    sends: 'Gesendet werden nur ein Nachweis und eine Zahl, die aus dem geheimen Schlüssel berechnet ist.',
    maybeRegistered:
      'Die letzte Antwort kam nie an. Vielleicht ist dieses Telefon schon registriert. Tippen Sie auf „Registrieren“, um den Dienst noch einmal zu fragen.',
    replaces:
      'Dieses Telefon hat für dieses Unternehmen schon eine Identität. Die neue ersetzt sie, und der alte geheime Schlüssel wird gelöscht.',
    steps: {
      unlocking: 'Entsperren Sie Ihr Telefon, wenn es fragt',
      sending: 'Der öffentliche Teil Ihres Schlüssels wird gesendet',
      enrolling: 'Entsperren Sie Ihr Telefon noch einmal',
      loading: 'Programm für den Nachweis wird geladen',
      proving: 'Nachweis, dass dieses Telefon den Schlüssel kennt',
      completing: 'Nachweis wird gesendet',
    },
    pausedOffline:
      'Sie sind offline. Die Registrierung geht weiter, sobald Sie wieder online sind. Der Stand ist gespeichert.',
    lostResponse:
      'Die letzte Antwort ging verloren, und der Code kann nicht noch einmal verwendet werden. Die Identität bleibt erhalten, zusätzlich zu einer älteren für dieses Unternehmen. Fragen Sie die Registrierungsstelle, ob die Registrierung abgeschlossen wurde.',
    withoutLock: 'Ohne Displaysperre speichern',
    withoutLockText:
      'Wenn dieses Telefon keine Displaysperre hat, die diese Seite verwenden kann, können Sie die Identität ohne sie speichern. Jeder, der dieses Telefon entsperren kann, kann sie dann verwenden.',
    later: 'Später abschließen',
    discard: 'Registrierung verwerfen',
    action: 'Registrieren',
    done: 'Registriert',
    doneText: (account, person) => (
      <>
        {person ?? 'Dieses Telefon'} ist bei {account} registriert. Die Registrierungsstelle sieht, dass es
        geklappt hat.
      </>
    ),
    doneProtected: {
      'screen-lock':
        'Ihr Fingerabdruck, Ihr Gesicht oder die Displaysperre schützt die Identität mit einem Passkey. Löschen Sie diesen Passkey nicht in den Einstellungen des Telefons: Ohne ihn ist die Identität verloren.',
      browser: 'Ein Schlüssel, den dieser Browser ohne Displaysperre speichert, schützt die Identität.',
    },
    doneLost: 'Wenn Sie dieses Telefon verlieren, bitten Sie die Registrierungsstelle, sie zu widerrufen.',
  },
  unfinished: {
    text: (account, started) => (
      <>
        Ihre Registrierung bei {account} vom {started} ist nicht abgeschlossen.
      </>
    ),
    maybeRegistered:
      'Die letzte Antwort kam nie an. Vielleicht ist dieses Telefon schon registriert. Setzen Sie sie fort oder fragen Sie die Registrierungsstelle.',
    resume: 'Registrierung fortsetzen',
  },
  discard: {
    title: 'Diese Registrierung verwerfen?',
    text: 'Es ist noch nichts registriert. Der Code gilt nur einmal. Um dieses Telefon zu registrieren, brauchen Sie einen neuen.',
    maybeRegistered:
      'Vielleicht ist sie schon abgeschlossen, denn die letzte Antwort kam nie an. Der geheime Schlüssel der neuen Identität wird gelöscht, sodass sie niemand verwenden kann. Fragen Sie zuerst die Registrierungsstelle und lassen Sie die Identität dort widerrufen, falls sie registriert ist.',
    action: 'Verwerfen',
  },

  pair: {
    title: 'Diese Anmeldung bestätigen?',
    browserOn: (browser, system) => `${browser} auf ${system}`,
    claimed: 'Angabe des Browsers, nicht geprüft',
    networkUnknown: 'Netz der Seite: unbekannt',
    device: {
      signsIn: (client, userCode) => (
        <>
          Meldet ein anderes Gerät an: {client}, Code {userCode}
        </>
      ),
      compare: 'Nur fortfahren, wenn dieses Gerät vor Ihnen steht und diesen Code zeigt.',
      networkUnknown: 'Netz des Geräts: unbekannt',
    },
    opened: (ago) => <>Geöffnet {ago}</>,
    onlyYours:
      'Nur, wenn Sie sie selbst begonnen haben. Wer sie begonnen hat, wird in Ihrem Namen angemeldet.',
    expires: (left) => <>Läuft ab in {left}</>,
    warnings: {
      title: 'Bitte prüfen',
      otherNetwork: 'Die Anfrage kommt aus einem anderen Netz. Mit mobilen Daten ist das normal.',
      firstTime: 'Erste Anmeldung auf dieser Seite mit diesem Telefon.',
      openedLongAgo: 'Vor mehr als zwei Minuten geöffnet.',
    },
    reading: 'Der Dienst wird gefragt, wer sich anmelden will.',
    offline: 'Sie sind offline. Sobald Sie wieder online sind, sehen Sie hier, wer sich anmelden will.',
    number: {
      title: 'Welche Zahl sehen Sie?',
      about:
        'Geben Sie zum Bestätigen die zwei Ziffern auf dem Bildschirm ein, an dem Sie sich anmelden. Geben Sie nie eine Zahl ein, die Ihnen jemand gesagt oder geschickt hat.',
      entered: (digits) => (digits === '' ? 'Noch keine Ziffer eingegeben' : `Eingegeben: ${digits}`),
      pad: 'Ziffern',
      remove: 'Letzte Ziffer löschen',
    },
    steps: {
      unlocking: 'Entsperren Sie Ihr Telefon, wenn es fragt',
      loading: 'Programm für den Nachweis wird geladen',
      proving: 'Nachweis wird erstellt',
      waiting: 'Es wird auf eine Verbindung gewartet',
      sending: 'Nachweis wird gesendet',
    },
    waiting: 'Der Nachweis ist fertig und wird gesendet, sobald Sie wieder online sind.',
    approve: 'Bestätigen',
    notMe: 'Das war ich nicht',
    cannot: 'Dieser Code kann nicht bestätigt werden',
    notRegisteredHere: {
      title: 'Dieser Browser ist nicht registriert',
      text: 'Nehmen Sie das Telefon, das Sie registriert haben. Gehen Sie zurück und scannen Sie damit den Code, oder öffnen Sie die Anwendung auf diesem Telefon.',
      back: 'Zurück zur Anmeldeseite',
    },
    done: 'Angemeldet',
    doneText: (account) => <>Der Bildschirm, der gefragt hat, ist bei {account} angemeldet.</>,
    returning: (host) => `Zurück zu ${host}.`,
    noWayBack:
      'Sie sind angemeldet, aber die Adresse der Seite, zu der es zurückgeht, ist nicht sicher. Öffnen Sie die Seite selbst.',
    wrongNumber: {
      title: 'Falsche Zahl',
      over: 'Niemand wurde angemeldet, und diese Anmeldung ist beendet.',
      yours: 'Haben Sie sich vertippt? Beginnen Sie an dem Bildschirm neu und scannen Sie seinen neuen Code.',
      notYours:
        'Hat Ihnen jemand den Code geschickt oder eine Zahl gesagt? Scannen Sie nicht noch einmal, und informieren Sie Ihre Administration.',
    },
    declining:
      'Entsperren Sie das Telefon, wenn es fragt. Dann weiß die Firma, dass Sie abgelehnt haben. Niemand wird dadurch angemeldet.',
    declined: {
      declined: {
        title: 'Niemand wurde angemeldet',
        text: (account) => <>Diese Anmeldung ist beendet. {account} sieht, dass Sie es nicht waren.</>,
      },
      over: {
        title: 'Sie haben niemanden angemeldet',
        text: () => (
          <>
            Diese Anmeldung war schon beendet. Der Dienst konnte nicht mehr erfahren, dass Sie es nicht waren.
          </>
        ),
      },
      signedIn: {
        title: 'Jemand ist angemeldet',
        text: (account) => (
          <>
            Dieser Code wurde schon bestätigt. Wenn Sie das nicht waren, bitten Sie {account} sofort, die
            Sitzung zu beenden.
          </>
        ),
      },
      next: 'Sagen Sie Ihrer Administration, woher der Code kam: aus einer Nachricht, von einem Plakat, von einer anderen Seite.',
    },
    changed: {
      title: 'Der Code hat sich geändert',
      text: 'Scannen Sie den, der jetzt angezeigt wird.',
      picture:
        'Wenn Sie nur ein Bild des Codes haben, verwenden Sie es nicht. Melden Sie sich nur an einem Bildschirm an, der vor Ihnen steht.',
    },
    check: 'Prüfen Sie den anderen Bildschirm',
    checkText:
      'Der Nachweis wurde schon gesendet und lässt sich nicht zurücknehmen. Der andere Bildschirm ist vielleicht angemeldet. Wenn Sie das nicht möchten, melden Sie sich dort ab.',
  },

  history: {
    title: 'Verlauf',
    recent: 'Letzte Entscheidungen',
    about: 'Nur auf diesem Telefon gespeichert. Die neuesten 100 bleiben erhalten.',
    empty: 'Noch keine Entscheidungen',
    emptyText:
      'Hier steht jede Anmeldung und jede Anfrage, die Sie bestätigen oder ablehnen. Die Liste bleibt auf diesem Telefon.',
    results: {
      approved: 'Angemeldet',
      declined: 'Nicht ich',
      wrongNumber: 'Falsche Zahl',
      failed: 'Fehlgeschlagen',
      unconfirmed: 'Vielleicht angemeldet',
    },
    clear: 'Verlauf löschen',
    clearTitle: 'Verlauf löschen?',
    clearText:
      'Damit wird die Liste auf diesem Telefon gelöscht. Ihre Identitäten bleiben erhalten, und Sitzungen an Computern laufen weiter.',
  },

  install: {
    title: 'Zum Startbildschirm hinzufügen',
    action: 'Installieren',
    notNow: 'Nicht jetzt',
    ios: 'Tippen Sie auf „Teilen“, dann auf „Zum Home-Bildschirm“, damit Safari Ihre Identität behält.',
  },
};
