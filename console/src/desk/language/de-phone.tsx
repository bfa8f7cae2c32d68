import type { PhoneStrings } from './en-phone';

export const de: PhoneStrings = {
  person: {
    title: 'Wer sind Sie?',
    fullName: 'Vor- und Nachname',
    contact: 'E-Mail oder Telefonnummer',
    optional: 'Freiwillig. Nur, um Sie zu erreichen.',
    wrongContact: 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer ein.',
    missingName: 'Geben Sie den Namen ein.',
    action: 'Weiter',
  },
  stage: {
    code: 'Code für Ihr Telefon',
    number: 'Ihre Zahl',
    connected: 'Telefon verbunden',
    type: 'Tippen Sie diese Zahl auf Ihrem Telefon ein',
    goOn: 'Machen Sie auf dem Telefon weiter. Es dauert nur Sekunden.',
    showCode: 'Nicht Ihr Telefon? Code zeigen',
  },
  registering: {
    title: 'Scannen Sie mit Ihrem Telefon',
    titleConnected: 'Bestätigen Sie auf dem Telefon',
    steps: ['Code scannen', 'Am Telefon bestätigen', 'Fertig'],
    label: 'Schritte',
    spoken: { done: 'erledigt', current: 'jetzt', ahead: 'später' },
    opening: 'Ihr Code wird vorbereitet',
    waiting: 'Warten auf Ihr Telefon',
    confirming: 'Warten auf Ihre Bestätigung',
    proving: 'Ihr Telefon weist seinen Schlüssel nach',
    lost: 'Keine Verbindung. Neuer Versuch …',
    newCode: 'Nicht Ihr Telefon? Neuen Code zeigen',
  },
  signingIn: {
    title: 'Scannen, dann die Zahl eintippen',
    titleConnected: 'Zahl eintippen',
    waiting: 'Warten auf Ihr Telefon',
    refused: 'Ein Telefon wurde nicht angenommen. Es zeigt, was zu tun ist. Der Code gilt weiter.',
  },
  done: {
    registered: (name) => <>Sie sind registriert, {name}</>,
    signedIn: (name) => <>Willkommen, {name}</>,
    signedInAnybody: 'Sie sind angemeldet',
    registeredAbout: 'Ab jetzt können Sie sich mit diesem Telefon anmelden.',
    signedInAbout: 'Ihre Anmeldung ist bestätigt.',
    registerAnother: 'Noch jemanden registrieren',
    signInAnother: 'Noch jemanden anmelden',
  },
  ended: {
    again: 'Neuen Code anzeigen',
    expired: [
      'Der Code ist abgelaufen',
      'Niemand war rechtzeitig fertig. Zeigen Sie einen neuen an, wenn Sie Ihr Telefon zur Hand haben.',
    ],
    declined: ['Auf dem Telefon abgelehnt', 'Niemand wurde angemeldet.'],
    rejected: [
      'Falsche Zahl',
      'Auf dem Telefon wurde eine andere Zahl eingetippt. Niemand wurde angemeldet. Zeigen Sie einen neuen Code an und tippen Sie die Zahl daneben ein.',
    ],
    abandoned: [
      'Nicht registriert',
      'Die Registrierung wurde beendet, bevor das Telefon fertig war. Zeigen Sie einen neuen Code an und versuchen Sie es noch einmal.',
    ],
  },
};
