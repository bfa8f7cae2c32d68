import type { BrowserTexts } from './en-browsers';

/** The German texts about this phone's passkey, and the browsers that it signs in. */
export const browserTexts: BrowserTexts = {
  passkey: {
    part: 'Passkey dieses Telefons',
    partAbout: 'Nötig für die Anmeldung in einem neuen Browser',
    title: 'Passkey dieses Telefons einschalten',
    card: 'Ein Computer neben diesem Telefon kann dann danach fragen, und eine Kopie des Geheimnisses allein meldet niemanden an.',
    turnOn: 'Einschalten',
    why: 'Wenn Sie sich in einem neuen Browser anmelden, fragt der Computer nach diesem Passkey. Er zeigt, dass Ihr Telefon daneben liegt.',
    unlocks: {
      new: 'Ihr Telefon fragt Sie mehrmals: um die Identität zu öffnen, um den Passkey zu erstellen und um ihn einmal zu verwenden.',
      own: 'Ihr Telefon fragt Sie einmal.',
    },
    keep: 'Löschen Sie diesen Passkey nicht in den Einstellungen des Telefons. Er schützt Ihre Identität, und ohne ihn ist sie verloren.',
    steps: {
      unlocking: 'Entsperren Sie Ihr Telefon, wenn es fragt',
      creating: 'Passkey wird erstellt',
      signing: 'Passkey wird einmal verwendet',
      loading: 'Programm für den Nachweis wird geladen',
      proving: 'Nachweis wird erstellt',
      sending: 'Nachweis wird gesendet',
    },
    done: 'Passkey eingeschaltet',
    doneText: (account) => (
      <>Bei {account} kann dieses Telefon einem Computer jetzt zeigen, dass es daneben liegt.</>
    ),
    signing: 'Mit dem Passkey bestätigen',
    required:
      'Das Unternehmen verlangt den Passkey dieses Telefons. Schalten Sie ihn zuerst ein: Öffnen Sie bei der Identität „Telefone und Schlüssel“, dann „Passkey dieses Telefons“.',
    notAccepted:
      'Der Dienst hat das nicht angenommen. Falls Ihr Unternehmen den Passkey dieses Telefons widerrufen hat, öffnen Sie bei der Identität „Telefone und Schlüssel“, dann „Ihre Telefone“. Dort können Sie einen neuen einschalten.',
  },
  nearby: {
    title: 'Am Computer geht es weiter',
    text: (browser) => <>Dieser Browser ist neu für Sie: {browser}.</>,
    unnamed: 'unbekannt',
    steps: [
      'Klicken Sie am Computer auf „Mit meinem Telefon bestätigen“.',
      'Der Browser zeigt ein Fenster. Wählen Sie dieses Telefon oder den Passkey eines Telefons. Bluetooth muss auf beiden Geräten eingeschaltet sein.',
      'Bestätigen Sie hier, wenn Ihr Telefon fragt.',
    ],
    waiting: 'Warten auf den Computer',
    left: (time) => <>Bis dahin ist niemand angemeldet. Noch {time}</>,
    notMine: 'Das war ich nicht',
    done: 'Bestätigen Sie am Computer',
    beside: (browser) => `${browser}, neben Ihnen`,
    aBrowser: 'Ein Browser',
    doneText: (account) => (
      <>
        Ihr Telefon hat bestätigt. Der Computer fragt, ob er Ihrer ist. Antworten Sie dort, dann ist er bei{' '}
        {account} angemeldet.
      </>
    ),
    over: {
      title: 'Niemand wurde angemeldet',
      text: 'Der Computer hat dieses Telefon nicht rechtzeitig gefragt, oder die Anmeldung wurde dort abgebrochen. Lassen Sie sich einen neuen Code zeigen und scannen Sie ihn.',
    },
    refused: {
      title: 'Nicht in einem neuen Browser',
      text: 'Ihr Unternehmen meldet Sie in einem neuen Browser nur an, wenn der Passkey eines Telefons daneben das bestätigt.',
      turnOn: 'Schalten Sie den Passkey dieses Telefons ein und scannen Sie den Code danach noch einmal.',
      noLock: 'Die Identität dieses Telefons hat keinen Passkey, weil keine Displaysperre sie schützt.',
      here: 'Sie können die Anwendung auch auf diesem Telefon öffnen und sich dort anmelden, oder ein anderes Telefon von Ihnen mit Displaysperre verwenden.',
    },
  },
  browsers: {
    title: 'Bekannte Browser',
    partAbout: 'Wo Sie sich angemeldet haben',
    text: (account) => (
      <>
        Mit diesen haben Sie sich bei {account} angemeldet. Sie sind bekannt und verlangen deshalb kein
        Telefon daneben.
      </>
    ),
    empty: 'Keine bekannten Browser',
    emptyText:
      'Ein Browser wird bekannt, wenn Sie sich neben ihm mit dem Passkey dieses Telefons anmelden, oder auf diesem Telefon selbst.',
    unnamed: 'Unbekannter Browser',
    how: { nearby: 'Neben Ihrem Telefon', same_device: 'Auf Ihrem Telefon' },
    since: (how, when) => (
      <>
        {how}, {when}
      </>
    ),
    used: (when) => <>Zuletzt verwendet {when}</>,
    forget: 'Vergessen',
    forgetNamed: (name) => `${name} vergessen`,
    forgetTitle: (name) => <>„{name}“ vergessen?</>,
    forgetText:
      'Bei der nächsten Anmeldung ist er wieder neu. Wo er angemeldet ist, bleibt er es: Melden Sie sich dort ab, um das zu beenden.',
    expire: 'Einen Browser, den Sie 180 Tage nicht verwenden, vergisst der Dienst.',
  },
};
