import type { PageCode } from '../../generated/errors';
import type { Errors } from './en-errors';

const noResponse = 'Der Dienst antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.';
const appOnly =
  'Dieses Unternehmen lässt nur Telefone mit Geräteprüfung zu, und die bietet eine Webseite nicht. Verwenden Sie die App des Unternehmens.';

/** The service's texts for the pages. The last two are about devices and appear only on the dashboard. */
const pages: Readonly<Record<PageCode, string>> = {
  attestation_malformed: 'Der Passkey dieses Telefons ist nicht lesbar. Versuchen Sie es noch einmal.',
  attestation_refused: 'Der Dienst hat den Passkey dieses Telefons nicht akzeptiert.',
  attestation_key_taken:
    'Dieser Passkey gehört schon zu einer Identität. Versuchen Sie es mit einem neuen noch einmal.',
  browser_signature_invalid:
    'Dieser Browser konnte nicht zeigen, dass er diese Anmeldung begonnen hat. Beginnen Sie neu.',
  new_browser_refused:
    'Ihr Unternehmen erlaubt diese Anmeldung nicht in einem Browser, der für Sie neu ist. Melden Sie sich stattdessen auf diesem Telefon an.',
  device_attestation_required: appOnly,
  device_attestation_insufficient: appOnly,
  verification_failed:
    'Der Dienst hat die Identität dieses Telefons nicht akzeptiert. Vielleicht wurde sie widerrufen oder Ihr Zugang deaktiviert. Wenden Sie sich an Ihre Administration.',
  pin_rejected: 'Die Nummer oder die PIN ist falsch.',
  pairing_nonce_mismatch: 'Der Computer zeigt inzwischen einen anderen Code. Scannen Sie diesen.',
  attendance_code_invalid:
    'Dieser Code ist zu alt, oder kein Terminal zeigt ihn. Scannen Sie den Code, den das Terminal jetzt zeigt.',
  attendance_remote_refused: 'Sie dürfen nur an einem Terminal kommen und gehen. Scannen Sie dort den Code.',
  attendance_network_refused:
    'Dieses Terminal nimmt nur Buchungen aus seinem eigenen Netz an. Verbinden Sie sich damit, oder fragen Sie am Empfang.',
  name_not_confirmed:
    'Ihren Namen hat noch niemand bestätigt. Fragen Sie am Empfang, und scannen Sie dann erneut.',
  correction_waits_for_member: 'Auf diese muss Ihre Firma antworten.',
  pairing_session_not_found:
    'Dieser Code ist abgelaufen oder wurde schon verwendet. Lassen Sie am Computer einen neuen anzeigen und scannen Sie ihn.',
  pair_failed:
    'Dieser Code ist abgelaufen oder wurde schon verwendet. Bitten Sie die Registrierungsstelle um einen neuen.',
  enroll_failed:
    'Diese Registrierung ist abgelaufen oder wurde von der Registrierungsstelle beendet. Es wurde nichts registriert. Bitten Sie dort um einen neuen Code.',
  verify_failed:
    'Der Dienst hat diese Registrierung nicht akzeptiert. Sie ist abgelaufen, oder Sie sind bereits registriert. Es wurde nichts gespeichert. Bitten Sie die Registrierungsstelle um einen neuen Code.',
  pairing_session_already_bound:
    'Dieser Code wurde schon verwendet. Prüfen Sie, ob der Computer angemeldet ist. Wenn Sie das nicht waren, informieren Sie Ihre Administration.',
  addition_not_found:
    'Dieser Code ist falsch oder abgelaufen. Lassen Sie am anderen Telefon einen neuen anzeigen.',
  identity_limit_reached:
    'Sie haben schon so viele Telefone, wie dieses Unternehmen erlaubt. Entfernen Sie zuerst eines.',
  addition_rejected:
    'Die Ziffern stimmten nicht überein. Es wurde kein Telefon hinzugefügt. Beginnen Sie auf dem Telefon, das funktioniert, neu.',
  addition_closed:
    'Ein anderes Telefon hat diesen Code schon verwendet. Beginnen Sie auf dem Telefon, das funktioniert, neu.',
  invalid_console_token: 'Ihre Anmeldung ist beendet. Melden Sie sich noch einmal an.',
  recovery_closed: 'Diese Wiederherstellung ist schon beendet.',
  approval_closed: 'Diese Anfrage ist schon beendet.',
  identity_changed:
    'Der Dienst hat ein Problem mit dieser Identität gefunden und abgebrochen. Informieren Sie Ihre Administration.',
  pairing_match_required: 'Geben Sie die Zahl ein, die der andere Bildschirm zeigt.',
  pairing_match_failed:
    'Das ist nicht die Zahl auf dem Bildschirm, der gefragt hat. Niemand wurde angemeldet. Wenn Sie keine Anmeldung begonnen haben, scannen Sie diesen Code nicht noch einmal.',
  pairing_session_closed:
    'Diese Anmeldung wurde beendet. Beginnen Sie auf dem anderen Bildschirm neu, wenn Sie es waren.',
  pairing_code_stale:
    'Der Code hat sich seit dem Scannen geändert. Scannen Sie den, der jetzt angezeigt wird.',
  pairing_session_expired:
    'Dieser Code ist abgelaufen. Lassen Sie am Computer einen neuen anzeigen und scannen Sie ihn.',
  pin_change_required: 'Wählen Sie zuerst eine eigene PIN.',
  desk_without_site: 'Dieses Terminal ist für Personalnummern noch nicht eingerichtet.',
  pin_locked:
    'Zu viele falsche PINs. Warten Sie eine Viertelstunde, oder fragen Sie jemanden aus Ihrem Unternehmen.',
  invalid_transition: 'Dieser Schritt ist für das Gerät nicht möglich.',
  device_not_pending: 'Dieses Gerät wartet nicht mehr auf einen Code.',
};

/** The German messages of errors that can occur on a phone. */
export const errors: Errors = {
  codes: {
    ...pages,
    unreachable: noResponse,
    timed_out: noResponse,
    connection_cut: noResponse,
    gateway_failed: noResponse,
    not_stored:
      'Dieses Telefon kann für diese Seite nichts speichern, deshalb ging es hier nicht weiter. Schaffen Sie Platz oder verlassen Sie das private Fenster, und versuchen Sie es erneut.',
    not_registered:
      'Dieser Browser hat keine Identität. Wenn Sie sich in einem anderen Browser oder in der App auf dem Startbildschirm registriert haben, öffnen Sie diese und tippen Sie dort auf „Code scannen“. Sonst lassen Sie sich von der Registrierungsstelle einen Code geben.',
    registration_over:
      'Diese Registrierung ist schon beendet. Prüfen Sie die Identitäten auf diesem Telefon.',
    not_this_service:
      'Statt des Dienstes hat ein anderes Programm geantwortet. Prüfen Sie, mit welchem Netz Sie verbunden sind.',
    circuit_not_pinned:
      'Der Dienst hat Dateien geschickt, die diese Seite nicht kennt. Sie wurden nicht verwendet, und es wurde kein Nachweis gesendet. Laden Sie die Seite neu und versuchen Sie es erneut. Wenn das wieder passiert, wenden Sie sich an den Betreiber des Dienstes.',
    malformed_payload:
      'Das ist kein Code für dieses Telefon. Scannen Sie den Code der Registrierungsstelle oder des Computers.',
    invalid_request:
      'Der Dienst versteht nicht, was dieses Telefon gesendet hat. Laden Sie die Seite neu und versuchen Sie es erneut.',
    tenant_inactive: 'Das Konto des Unternehmens ist gesperrt. Wenden Sie sich an Ihre Administration.',
    rate_limit_exceeded: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',
    monthly_quota_exceeded:
      'Das Unternehmen hat sein Kontingent für diesen Monat aufgebraucht. Wenden Sie sich an Ihre Administration.',
    chain_unavailable: 'Der Dienst kann gerade keine Nachweise prüfen. Versuchen Sie es später erneut.',
    service_unavailable: 'Der Dienst ist vorübergehend nicht verfügbar. Versuchen Sie es gleich noch einmal.',
    internal_error: 'Beim Dienst ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
  },
  unknown: (code) => `Der Dienst meldet einen Fehler (${code}). Versuchen Sie es später erneut.`,
  unexpected: (message) =>
    `Das hat auf diesem Telefon nicht funktioniert. Laden Sie die Seite neu und versuchen Sie es erneut. (${message})`,

  notUnlocked:
    'Das Telefon wurde nicht entsperrt, deshalb ist nichts passiert. Versuchen Sie es erneut und bestätigen Sie mit der Displaysperre.',
  notUnlockedOrDeleted:
    'Das Telefon wurde nicht entsperrt, deshalb ist nichts passiert. Versuchen Sie es erneut und bestätigen Sie mit der Displaysperre. Wenn das Telefon für diese Seite keinen Passkey mehr hat, wurde er in den Einstellungen gelöscht. Dann ist diese Identität verloren: Entfernen Sie sie hier und lassen Sie das Telefon neu registrieren.',
  noScreenLock:
    'Die Displaysperre dieses Telefons kann keinen geheimen Schlüssel für eine Webseite schützen. Es ist nichts passiert.',
  notInForce: (when) =>
    `Dieses Telefon kann ab ${when} verwendet werden. Verwenden Sie bis dahin ein früheres Telefon, falls eines noch funktioniert.`,
  noProvingFiles:
    'Die Dateien für den Nachweis konnten nicht geladen werden. Stellen Sie eine Internetverbindung her und versuchen Sie es erneut.',
  noProver:
    'Der Nachweis konnte nicht gestartet werden. Stellen Sie eine Internetverbindung her, laden Sie die Seite neu und versuchen Sie es erneut.',

  enrollsDevice: 'Dieser Code meldet ein Gerät an, keine Person. Scannen Sie ihn auf dem Gerät.',
  laterCode:
    'Das ist ein späterer Code einer Registrierung, den diese Seite nicht braucht. Scannen Sie den ersten.',
  addressWithoutCode: 'Diese Adresse enthält keinen Code für ein Telefon. Scannen Sie einen anderen.',
  foreignAddress: (host, own) =>
    `Dieser Code führt zu ${host}. Dieses Telefon arbeitet nur mit ${own}. Nichts wurde gesendet. Öffnen Sie ihn nicht.`,
  anotherService: 'einem anderen Dienst',
  unknownCode:
    'Dieser Code ist zu alt oder von einer Firma, bei der dieses Telefon nicht registriert ist. Lassen Sie einen neuen Code anzeigen und scannen Sie ihn. Kommt dieselbe Meldung wieder, bestätigen Sie nichts, und lassen Sie dieses Telefon am Empfang registrieren.',
  foreignService: (origin, own) =>
    `Dieser Code gehört zu einem anderen Dienst (${origin}). Dieses Telefon ist bei ${own} registriert. Bestätigen Sie ihn nicht.`,
  foreignAccount:
    'Dieser Code gehört zu einem anderen Unternehmen. Dieses Telefon ist dort nicht registriert. Bestätigen Sie ihn nicht.',
  foreignEnvironment: {
    live: 'Dieser Code ist nur zum Testen, dieses Telefon ist aber für den echten Betrieb registriert. Bestätigen Sie ihn nicht.',
    test: 'Dieser Code ist für den echten Betrieb, dieses Telefon ist aber nur zum Testen registriert. Bestätigen Sie ihn nicht.',
  },

  camera: {
    notAllowed:
      'Diese Seite darf die Kamera nicht verwenden. Erlauben Sie es in den Browser-Einstellungen für diese Website und öffnen Sie diese Ansicht erneut, oder fügen Sie den Code unten ein.',
    none: 'Dieses Gerät hat keine Kamera. Fügen Sie den Code unten ein.',
    unsuitable: 'Dieses Gerät hat keine geeignete Kamera. Fügen Sie den Code unten ein.',
    busy: 'Ein anderes Programm verwendet die Kamera. Schließen Sie es und öffnen Sie diese Ansicht erneut, oder fügen Sie den Code unten ein.',
    unavailable:
      'Die Kamera ist auf dieser Seite nicht verfügbar. Vielleicht ist https oder ein anderer Browser nötig. Fügen Sie den Code unten ein.',
  },
};
