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
    title: 'Dieser Empfang',
    device: (name) => <>Dieser Bildschirm ist {name}.</>,
    about:
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
};
