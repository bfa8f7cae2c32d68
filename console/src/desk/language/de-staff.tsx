import type { StaffStrings } from './en-staff';

export const de: StaffStrings = {
  setUp: {
    title: 'Diesen Empfang einrichten',
    about:
      'Fügen Sie im Dashboard ein Gerät vom Typ Kiosk hinzu und geben Sie hier den Code ein, den es anzeigt. Danach registrieren sich Menschen an diesem Bildschirm und melden sich an, ohne dass hier jemand angemeldet ist.',
    code: 'Code des Geräts',
    hint: 'Zum Beispiel SV-7K2M-Q9RT. Er gilt 15 Minuten.',
    action: 'Diesen Bildschirm einrichten',
    incomplete: 'Der Code hat acht Buchstaben oder Ziffern nach SV.',
    failed:
      'Dieser Code ist falsch, schon benutzt oder abgelaufen. Erzeugen Sie im Dashboard auf der Seite des Geräts einen neuen.',
    offline: 'Der Dienst hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    busy: 'Zu viele Codes wurden versucht. Warten Sie eine Minute und versuchen Sie es erneut.',
    noStorage:
      'Dieser Browser kann keinen Schlüssel behalten. Öffnen Sie die Seite in einem Fenster, das nicht privat ist.',
    unexpected: 'Der Dienst hat das nicht angenommen. Laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  menu: {
    title: 'Für das Personal',
    device: (name) => <>Dieser Bildschirm heißt {name}.</>,
    about:
      'Melden Sie sich an, um Menschen zu registrieren oder jemandem zu helfen, der sein Telefon verloren hat. Das endet nach zehn Minuten, und Sie bleiben nicht angemeldet.',
    start: 'Beginnen',
    startWithPasskey: 'Mit Passkey beginnen',
    notAllowed: 'Mitglieder mit Ihrer Rolle können hier nicht arbeiten.',
    leave: 'Empfang verlassen',
    leaveAbout:
      'Zum Verlassen melden Sie sich als Mitglied der Firma an. Dann wird der Schlüssel dieses Bildschirms gelöscht. Sie bleiben nicht angemeldet.',
    email: 'E-Mail',
    password: 'Passwort',
    action: 'Empfang verlassen',
    wrongAccount: 'Das ist ein Mitglied einer anderen Firma. Der Empfang bleibt.',
    withPasskey: 'Mit Passkey verlassen',
    wrongLogIn: 'Die E-Mail oder das Passwort ist falsch.',
    wrongPasskey: 'Dieser Passkey funktioniert hier nicht mehr.',
    noPasskey: 'Es wurde kein Passkey benutzt. Der Vorgang wurde abgebrochen oder hat zu lange gedauert.',
    busy: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es erneut.',
    offline: 'Der Dienst hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    unexpected: 'Der Dienst hat diese Anmeldung nicht angenommen.',
  },
  work: {
    here: (name) => <>{name} arbeitet hier.</>,
    leftover: (left) => <>noch {left}</>,
    timeOver: 'Die Zeit ist um',
    over: 'Ihre Zeit an diesem Empfang ist abgelaufen. Melden Sie sich neu an, um weiterzumachen.',
    end: 'Beenden',
    home: {
      title: 'Was möchten Sie tun?',
      register: 'Jemanden registrieren',
      registerAbout: 'Bestätigen Sie, wer es ist, und zeigen Sie einen Code.',
      lost: 'Ein Telefon ist verloren',
      lostAbout: 'Sperren Sie es und registrieren Sie das neue.',
      presence: 'Wer da ist',
      presenceAbout: 'Alle, die gekommen und noch nicht gegangen sind.',
      clock: 'Jemanden kommen oder gehen lassen',
      clockAbout: 'Ohne Telefon. Sie stehen daneben.',
      pin: 'Eine PIN geben',
      pinAbout: 'Für jemanden, der ohne Telefon stempelt.',
      onlyClock: 'Nur die Stempeluhr zeigen',
      onlyClockAbout: 'Der Bildschirm bleibt bei Kommen und Gehen, etwa an einem Tor.',
      everything: 'Wieder den Anfang zeigen',
      everythingAbout: 'Registrieren, Anmelden und Stempeln.',
    },
    find: {
      register: 'Wer möchte sich registrieren?',
      lost: 'Wer hat ein Telefon verloren?',
      clock: 'Wer kommt oder geht?',
      pin: 'Wer bekommt eine PIN?',
      name: 'Vor- oder Nachname',
      hint: 'Vorname, Nachname oder der ganze Name, ausgeschrieben, mit mindestens drei Buchstaben.',
      action: 'Suchen',
      short: 'Geben Sie einen Namen mit mindestens drei Buchstaben ein.',
      none: 'Niemand wurde gefunden.',
      more: 'Es kann weitere geben. Geben Sie mehr vom Namen ein.',
      found: 'Gefundene Personen',
      unconfirmed: 'Name nicht bestätigt',
      phones: (count) => (count === 0 ? 'Kein Telefon' : count === 1 ? 'Ein Telefon' : `${count} Telefone`),
      someoneNew: 'Jemand Neues',
    },
    newPerson: 'Wer ist es?',
    how: {
      title: (name) => <>Woher wissen Sie, dass das {name} ist?</>,
      about: 'Ihre Antwort wird beim Namen gespeichert.',
      replaces:
        'Die Person hat ein Telefon. Das neue ersetzt es, sobald ein Inhaber des Kontos es bestätigt hat.',
      known: 'Ich kenne die Person',
      document_seen: 'Ich habe einen Ausweis gesehen',
      list: 'Die Person steht auf einer Liste, der ich vertraue',
    },
    phones: {
      title: (name) => <>Welches Telefon hat {name} verloren?</>,
      none: (name) => <>{name} hat kein gültiges Telefon.</>,
      noneAbout: 'Es gibt nichts zu sperren. Sie können das neue Telefon registrieren.',
      list: 'Telefone',
      phone: 'Telefon',
      since: (at) => <>Registriert am {at}</>,
      lock: 'Sperren',
      sure: 'Jetzt sperren?',
      yes: 'Ja, sperren',
    },
    locked: {
      title: 'Das Telefon ist gesperrt',
      about:
        'Niemand kann sich mehr damit anmelden. Registrieren Sie jetzt das neue Telefon, wenn es zur Hand ist.',
      register: 'Neues Telefon registrieren',
      later: 'Jetzt nicht',
    },
    registered: {
      title: (name) => <>{name} ist registriert</>,
      about: 'Das Telefon funktioniert ab sofort.',
      waits: (name) => <>Das neue Telefon von {name} funktioniert noch nicht</>,
      worksFrom: (time) => (
        <>
          Die Anmeldung geht ab {time}, wenn ein Inhaber des Kontos das neue Telefon im Dashboard bestätigt
          hat.
        </>
      ),
      worksOnceConfirmed:
        'Die Anmeldung geht, sobald ein Inhaber des Kontos das neue Telefon im Dashboard bestätigt hat.',
    },
    presence: {
      title: (count) =>
        count === 0 ? 'Niemand ist da' : count === 1 ? 'Eine Person ist da' : `${count} Personen sind da`,
      since: (at) => <>seit {at}</>,
      unnamed: 'Ohne Namen',
      more: (count) => `Die ${count}, die zuletzt kamen, werden gezeigt.`,
    },
    clock: { title: (name) => <>Was macht {name}?</> },
    pin: {
      title: (name) => <>{name} eine neue PIN geben?</>,
      about: 'Sie wird einmal gezeigt. Eine bisherige gilt dann nicht mehr.',
      action: 'PIN erzeugen',
      of: (name) => <>PIN von {name}</>,
      once: 'Sie gilt mit Ihrer Personalnummer an der Stempeluhr. Beim ersten Mal wählen Sie eine eigene.',
      print: 'Drucken',
    },
    faults: {
      busy: 'Zu viele Anfragen an diesem Empfang. Warten Sie ein paar Minuten.',
      full: 'Die Firma hat ihr Kontingent für diesen Monat verbraucht.',
      notAllowed: 'Das Konto der Firma oder Ihre Rolle erlaubt das nicht mehr.',
      ended:
        'Der Code ist abgelaufen, oder das Telefon wurde nicht fertig. Wählen Sie erneut, um einen neuen Code zu zeigen.',
      limit: 'Diese Person hat so viele Telefone, wie sie haben darf. Sperren Sie zuerst eines.',
      gone: 'Diese Person oder dieses Telefon gibt es nicht mehr. Suchen Sie noch einmal.',
      offline: 'Der Dienst hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
      unexpected: 'Der Dienst hat das nicht angenommen. Versuchen Sie es erneut.',
    },
  },
};
