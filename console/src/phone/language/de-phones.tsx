import type { PhonesStrings } from './en-phones';

/** The German texts about a person's phones. */
export const phones: PhonesStrings = {
  title: 'Telefone und Schlüssel',
  add: 'Weiteres Telefon hinzufügen',
  addAbout: 'Mit beiden anmelden',
  lost: 'Ein Telefon ist verloren',
  lostAbout: 'Ihre Telefone ansehen und eines entfernen',
  changeKey: 'Schlüssel ändern',
  changeKeyAbout: 'Wenn vielleicht jemand eine Kopie hat',
  notActiveYet: {
    title: 'Noch nicht aktiv',
    text: (when) => (
      <>
        Dieses Telefon übernimmt am {when}. Bis dahin kann ein früheres Telefon, das noch funktioniert, das
        verhindern.
      </>
    ),
    added: (when) => <>Mit diesem Telefon können Sie sich ab {when} anmelden.</>,
    now: 'Dieses Telefon sollte jetzt funktionieren. Melden Sie sich einmal damit an.',
  },
  ifLost: 'Wenn Sie dieses Telefon verlieren',
  ifLostText:
    'Öffnen Sie auf einem anderen Telefon von Ihnen „Telefone und Schlüssel“ und entfernen Sie dieses. Wenn es Ihr einziges ist, gehen Sie zur Registrierungsstelle. Sie sperrt dieses Telefon und registriert ein neues. Das kann bis zum nächsten Tag dauern.',
  ifLostProtected: {
    'screen-lock':
      'Bis dahin kann es niemand ohne Ihren Fingerabdruck, Ihr Gesicht oder die Displaysperre verwenden.',
    browser: 'Bis dahin kann es jeder verwenden, der das Telefon entsperren kann.',
  },
  onlyPhoneLost: 'Telefon verloren?',
  onlyPhoneLostText:
    'Wenn Sie noch ein Telefon haben, das funktioniert, öffnen Sie dort diese Seite, dann „Telefone und Schlüssel“, und entfernen Sie das verlorene. Wenn es Ihr einziges war, gehen Sie zur Registrierungsstelle. Sie sperrt das verlorene Telefon und registriert das neue. Das kann bis zum nächsten Tag dauern.',

  steps: {
    unlocking: 'Entsperren Sie Ihr Telefon, wenn es fragt',
    loading: 'Programm für den Nachweis wird geladen',
    proving: 'Nachweis wird erstellt',
    sending: 'Der Dienst wird gefragt',
  },
  offline: 'Sie sind offline. Es geht weiter, sobald Sie wieder online sind.',

  list: {
    title: 'Ihre Telefone',
    text: (account) => <>Mit jedem davon können Sie sich bei {account} anmelden.</>,
    unnamed: 'Telefon',
    thisPhone: 'Dieses Telefon',
    added: (when) => <>Hinzugefügt {when}</>,
    used: (when) => <>verwendet {when}</>,
    unused: 'noch nicht verwendet',
    from: (when) => <>Funktioniert ab {when}</>,
    remove: 'Entfernen',
    removeNamed: (name) => `${name} entfernen`,
    noneInForce: 'Dieses Telefon wurde entfernt oder ersetzt. Es kann sich nicht mehr anmelden.',
    only: 'Das ist Ihr einziges Telefon. Fügen Sie ein weiteres hinzu, damit Sie nicht ausgesperrt sind, wenn Sie es verlieren.',
  },
  remove: {
    title: 'Dieses Telefon entfernen?',
    titleNamed: (name) => <>„{name}“ entfernen?</>,
    text: (account) => (
      <>
        Es kann sich bei {account} nicht mehr anmelden, und seine Sitzungen enden sofort. Das lässt sich nicht
        rückgängig machen, aber Sie können das Telefon wieder hinzufügen.
      </>
    ),
    own: (account) => (
      <>
        Dieses Telefon kann sich bei {account} nicht mehr anmelden, und seine Sitzungen enden sofort. Sein
        geheimer Schlüssel wird gelöscht. Wenn Sie kein anderes Telefon haben, kann Sie nur die
        Registrierungsstelle wieder registrieren.
      </>
    ),
    action: 'Entfernen',
    done: 'Telefon entfernt',
  },

  recovery: {
    title: 'Jemand ersetzt Ihre Telefone',
    text: (account, when) => (
      <>
        Die Registrierungsstelle von {account} hat ein neues Telefon für Sie registriert. Es übernimmt am{' '}
        {when}, und alle anderen funktionieren dann nicht mehr.
      </>
    ),
    held: (account) => <>Sie haben widersprochen. Es geschieht nur, wenn {account} es von Hand bestätigt.</>,
    notMe: 'Das bin ich nicht',
    isMe: 'Das bin ich',
    expected: 'Sie haben gesagt, dass Sie das sind. Es wurde nichts geändert.',
    cancelled: 'Verhindert',
    cancelledText: (account) => (
      <>
        Das neue Telefon wurde nicht registriert, und Ihre funktionieren weiter. Sagen Sie {account}, dass es
        jemand versucht hat.
      </>
    ),
    onHold: 'Angehalten',
    onHoldText: (account) => (
      <>
        Dieses Telefon wurde entfernt. Allein können Sie es deshalb nicht verhindern. {account} muss es jetzt
        von Hand bestätigen. Rufen Sie dort an.
      </>
    ),
    link: 'Wurde für Sie ein neues Telefon registriert?',
    linkText:
      'Jemand möchte Ihre Telefone durch ein neues ersetzen. Wenn Sie das nicht sind, können Sie es hier verhindern.',
    choose: 'Bei welchem Unternehmen?',
    noIdentity:
      'Dieses Telefon hat keine Identität, die das verhindern kann. Öffnen Sie den Link auf einem Telefon, das Sie registriert haben, oder rufen Sie das Unternehmen an.',
  },

  key: {
    title: 'Schlüssel ändern?',
    why: 'Tun Sie das, wenn vielleicht jemand Ihre Displaysperre gesehen oder den Speicher dieses Telefons kopiert hat. Ihr Telefon erzeugt einen neuen geheimen Schlüssel, und der alte funktioniert nicht mehr.',
    stays: 'Für das Unternehmen bleiben Sie dieselbe Person. Ihre anderen Telefone sind nicht betroffen.',
    sessions: 'Sie werden überall abgemeldet, wo Sie sich mit diesem Telefon angemeldet haben.',
    action: 'Schlüssel ändern',
    unknown:
      'Die letzte Antwort kam nicht an. Deshalb behält dieses Telefon beide Schlüssel. Drücken Sie „Schlüssel ändern“, um herauszufinden, welcher funktioniert.',
    tooOften:
      'Der Schlüssel dieses Telefons wurde heute schon dreimal geändert. Versuchen Sie es morgen wieder.',
    done: 'Schlüssel geändert',
    doneText: (account) => (
      <>Der alte Schlüssel funktioniert bei {account} nicht mehr. Überall sonst wurden Sie abgemeldet.</>
    ),
  },

  adding: {
    intro: {
      near: 'Legen Sie das andere Telefon bereit. Es braucht eine Kamera, oder Sie tippen einen Code ein.',
      own: 'Es bekommt einen eigenen geheimen Schlüssel. Dieses Telefon funktioniert weiter.',
      yours: 'Fügen Sie nur ein Telefon hinzu, das Ihnen gehört. Wer es hat, kann sich als Sie anmelden.',
    },
    show: 'Code anzeigen',
    scan: 'Mit dem anderen Telefon scannen',
    scanText: 'Richten Sie dessen Kamera auf den Code und öffnen Sie den Link.',
    qr: 'Code für das andere Telefon',
    orType: (address) => <>Keine Kamera? Öffnen Sie dort {address} und geben Sie diesen Code ein:</>,
    left: (time) => <>Noch {time} gültig</>,
    joined: 'Bestätigen Sie auf dem anderen Telefon',
    joinedText: 'Es hat den Code. Danach zeigt es Ziffern.',
    waitingFor: 'Warten auf das andere Telefon',
    digits: 'Welche Ziffern zeigt es?',
    digitsText:
      'Geben Sie die sechs Ziffern auf Ihrem anderen Telefon ein. Geben Sie nie Ziffern ein, die Ihnen jemand gesagt oder geschickt hat.',
    notMine: 'Nicht meines',
    action: 'Hinzufügen',
    done: 'Telefon hinzugefügt',
    doneText: (account) => <>Mit beiden Telefonen können Sie sich jetzt bei {account} anmelden.</>,
    doneLater: (account, when) => (
      <>
        Mit dem anderen Telefon können Sie sich bei {account} ab {when} anmelden.
      </>
    ),
    rejected: 'Niemand wurde hinzugefügt',
    rejectedText: 'Das waren nicht die Ziffern des anderen Telefons. Dieser Code ist beendet.',
    rejectedYours: 'Haben Sie sich vertippt? Beginnen Sie neu und legen Sie das andere Telefon daneben.',
    rejectedNotYours:
      'Hat Sie jemand darum gebeten oder Ihnen Ziffern gesagt? Beginnen Sie nicht neu, und informieren Sie Ihre Administration.',
    refusedText: 'Sie haben gesagt, dass es nicht Ihr Telefon ist. Dieser Code ist beendet.',
    expired: 'Der Code ist abgelaufen',
    expiredText:
      'Niemand wurde hinzugefügt. Lassen Sie einen neuen Code anzeigen, wenn Ihr anderes Telefon bereit ist.',
    again: 'Neu beginnen',
  },

  joining: {
    title: 'Auch dieses Telefon verwenden?',
    text: 'Machen Sie nur weiter, wenn ein anderes Telefon von Ihnen den Code zeigt und neben Ihnen liegt. Dieses Telefon erzeugt dann einen eigenen geheimen Schlüssel, den es nie preisgibt, und erfährt den Namen des Unternehmens.',
    confirm: 'Dieses Telefon hinzufügen?',
    company: 'Machen Sie nur weiter, wenn das Ihr Unternehmen ist. Name und Logo kann jeder wählen.',
    same: 'Sie können sich mit beiden Telefonen als dieselbe Person anmelden.',
    replaces:
      'Dieses Telefon hat schon eine Identität für dieses Unternehmen. Die neue ersetzt sie, und der alte geheime Schlüssel wird gelöscht.',
    action: 'Hinzufügen',
    steps: {
      meeting: 'Verbindung mit dem anderen Telefon',
      loading: 'Programm für den Nachweis wird geladen',
      proving: 'Nachweis, dass dieses Telefon den Schlüssel hat',
      sending: 'Nachweis wird gesendet',
    },
    digits: 'Geben Sie diese Ziffern auf dem anderen Telefon ein',
    digitsText: 'Sagen Sie sie niemandem.',
    waiting: 'Warten auf das andere Telefon',
    done: 'Dieses Telefon ist hinzugefügt',
    doneText: (account) => <>Sie können sich jetzt auch mit diesem Telefon bei {account} anmelden.</>,
    doneLater: (account, when) => (
      <>
        Mit diesem Telefon können Sie sich bei {account} ab {when} anmelden.
      </>
    ),
    notAdded: 'Dieses Telefon wurde nicht hinzugefügt',
    notAddedText:
      'Das andere Telefon hat es beendet. Die unbenutzte Identität wurde von diesem Telefon gelöscht.',
    expiredText: 'Der Code ist abgelaufen. Die unbenutzte Identität wurde von diesem Telefon gelöscht.',
    startAgain: 'Für einen neuen Versuch lassen Sie am anderen Telefon einen neuen Code anzeigen.',
    unconfirmed: 'Sehen Sie auf Ihr anderes Telefon',
    unconfirmedText:
      'Der Code ist abgelaufen, bevor eine Antwort kam. Zeigt das andere Telefon „Telefon hinzugefügt“, dann funktioniert dieses. Wenn nicht, entfernen Sie die Identität hier und beginnen Sie neu.',
    unfinished: (account) => <>Dieses Telefon ist bei {account} noch nicht fertig hinzugefügt.</>,
    resume: 'Weiter',
    discard: 'Verwerfen',
  },
  recoveryDone: {
    title: (when) => `Dieses Telefon übernimmt am ${when}`,
    text: (account) => (
      <>
        Bis dahin kann ein früheres Telefon, das bei {account} noch funktioniert, das verhindern. So kann es
        niemand in Ihrem Namen tun. Sie müssen nichts weiter tun.
      </>
    ),
  },
};
