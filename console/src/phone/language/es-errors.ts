import type { PageCode } from '../../generated/errors';
import type { Errors } from './en-errors';

const noResponse = 'El servicio no ha respondido. Comprueba tu conexión e inténtalo de nuevo.';
const appOnly =
  'Esta empresa solo acepta móviles con certificación del dispositivo, que una página web no puede ofrecer. Usa la aplicación de la empresa.';

/** The service's texts for the pages. The last two are about devices and appear only on the dashboard. */
const pages: Readonly<Record<PageCode, string>> = {
  attestation_malformed: 'No se ha podido leer la llave de acceso de este móvil. Inténtalo de nuevo.',
  attestation_refused: 'El servicio no ha aceptado la llave de acceso de este móvil.',
  attestation_key_taken:
    'Esta llave de acceso ya pertenece a una identidad. Inténtalo de nuevo con una nueva.',
  browser_signature_invalid:
    'Este navegador no ha podido demostrar que este inicio de sesión empezó en él. Vuelve a empezar.',
  new_browser_refused:
    'Tu empresa no permite este inicio de sesión en un navegador que es nuevo para ti. Inicia sesión en este móvil.',
  device_attestation_required: appOnly,
  device_attestation_insufficient: appOnly,
  verification_failed:
    'El servicio no ha aceptado la identidad de este móvil. Puede que se haya revocado o que tu usuario esté inactivo. Pregunta a tu administrador.',
  pin_rejected: 'El número o el PIN no son correctos.',
  pairing_nonce_mismatch: 'El ordenador muestra ahora un código nuevo. Escanea ese.',
  attendance_code_invalid: 'Este código ya no vale. Escanea el que muestra ahora el puesto.',
  attendance_remote_refused: 'Tu empresa solo te deja fichar en un puesto. Escanea el código que muestra.',
  attendance_network_refused: 'Usa la red de tu empresa, por ejemplo su wifi, y vuelve a escanear el código.',
  name_not_confirmed:
    'Nadie ha confirmado aún tu nombre. Pide que lo confirmen en recepción o en el departamento de personal.',
  correction_waits_for_member: 'Tu empresa tiene que responder primero.',
  pairing_session_not_found:
    'Este código ha caducado o ya se ha usado. Muestra uno nuevo en el ordenador y escanéalo.',
  pair_failed: 'Este código ha caducado o ya se ha usado. Pide uno nuevo en recepción.',
  enroll_failed:
    'Este registro ha caducado o se ha cancelado en recepción. No se ha registrado nada. Pide un código nuevo en recepción.',
  verify_failed:
    'El servicio no ha aceptado este registro. Ha caducado o la persona ya está registrada. No se ha guardado nada. Pide un código nuevo en recepción.',
  pairing_session_already_bound:
    'Este código ya se ha usado. Comprueba si hay una sesión iniciada en el ordenador. Si no has sido tú, avisa a tu administrador.',
  addition_not_found: 'Este código es incorrecto o ha caducado. Muestra uno nuevo en el otro móvil.',
  identity_limit_reached: 'Ya tienes todos los móviles que permite esta empresa. Elimina uno primero.',
  addition_rejected:
    'Los dígitos no coincidían. No se ha añadido ningún móvil. Vuelve a empezar en el móvil que funciona.',
  addition_closed: 'Otro móvil ya ha usado este código. Vuelve a empezar en el móvil que funciona.',
  invalid_console_token: 'Ya no tienes la sesión iniciada.',
  recovery_closed: 'Esta recuperación ya ha terminado.',
  approval_closed: 'Esta solicitud ya ha terminado.',
  identity_changed:
    'El servicio ha encontrado un problema con esta identidad y se ha detenido. Avisa a tu administrador.',
  pairing_match_required: 'Escribe el número que muestra la otra pantalla.',
  pairing_match_failed:
    'Ese no es el número de la pantalla que lo ha pedido. Nadie ha iniciado sesión. Si no has empezado ningún inicio de sesión, no vuelvas a escanear ese código.',
  pairing_session_closed:
    'Este inicio de sesión ha terminado. Si era tuyo, vuelve a empezar en la otra pantalla.',
  pairing_code_stale: 'El código ha cambiado desde que se escaneó. Escanea el que se muestra ahora.',
  pairing_session_expired: 'Este código ha caducado. Muestra uno nuevo en el ordenador y escanéalo.',
  pin_change_required: 'Elige primero un PIN propio.',
  desk_without_site: 'Este puesto todavía no está preparado para los números de personal.',
  pin_locked: 'Demasiados PIN incorrectos. Espera un cuarto de hora o pregunta a alguien de tu empresa.',
  invalid_transition:
    'Este cambio de estado no está permitido. El dispositivo se ha retirado o nunca se dio de alta. Comprueba su estado en la lista.',
  device_not_pending:
    'Este dispositivo ya no necesita un código. Ya se ha dado de alta, revocado o retirado. Comprueba su estado en la lista.',
};

/** The Spanish messages of errors that can occur on a phone. */
export const errors: Errors = {
  codes: {
    ...pages,
    unreachable: noResponse,
    timed_out: noResponse,
    connection_cut: noResponse,
    gateway_failed: noResponse,
    not_stored:
      'Este móvil no puede guardar nada para esta página, así que se ha detenido aquí. Libera espacio o sal de la ventana privada e inténtalo de nuevo.',
    not_registered:
      'Este navegador no tiene ninguna identidad. Si te registraste en otro navegador o en la aplicación de la pantalla de inicio, abre ese navegador o esa aplicación y pulsa «Escanear un código». Si no, pide un código de registro en recepción.',
    registration_over: 'Este registro ya ha terminado. Comprueba las identidades de este móvil.',
    not_this_service: 'Ha respondido otro programa en lugar del servicio. Comprueba qué red estás usando.',
    circuit_not_pinned:
      'El servicio ha enviado archivos para la prueba que esta página no conoce. No se han usado y no se ha enviado ninguna prueba. Recarga la página e inténtalo de nuevo. Si vuelve a ocurrir, ponte en contacto con el operador del servicio.',
    malformed_payload:
      'Este código no es para este móvil. Escanea el código de recepción o el del ordenador.',
    invalid_request:
      'El servicio no entiende lo que ha enviado este móvil. Recarga la página e inténtalo de nuevo.',
    tenant_inactive: 'La cuenta de la empresa está suspendida. Pregunta a tu administrador.',
    rate_limit_exceeded: 'Demasiados intentos. Espera un momento e inténtalo de nuevo.',
    monthly_quota_exceeded: 'La empresa ha agotado su plan de este mes. Pregunta a tu administrador.',
    chain_unavailable: 'El servicio no puede comprobar pruebas en este momento. Inténtalo más tarde.',
    service_unavailable: 'El servicio no está disponible temporalmente. Inténtalo de nuevo en un momento.',
    internal_error: 'Algo ha salido mal en el servicio. Inténtalo de nuevo en un momento.',
  },
  unknown: (code) => `El servicio ha devuelto un error (${code}). Inténtalo más tarde.`,
  unexpected: (message) =>
    `No ha funcionado en este móvil. Recarga la página e inténtalo de nuevo. (${message})`,

  notUnlocked:
    'El móvil no se ha desbloqueado, así que no se ha hecho nada. Inténtalo de nuevo y confirma con el bloqueo de pantalla.',
  notUnlockedOrDeleted:
    'El móvil no se ha desbloqueado, así que no se ha hecho nada. Inténtalo de nuevo y confirma con el bloqueo de pantalla. Si el móvil ya no tiene ninguna llave de acceso para esta página, es que se borró en los ajustes del móvil. En ese caso, esta identidad se ha perdido: elimínala aquí y pide que vuelvan a registrar el móvil.',
  noScreenLock:
    'El bloqueo de pantalla de este móvil no puede proteger una clave secreta para una página web, así que no se ha hecho nada.',
  notInForce: (when) =>
    `Este móvil se puede usar a partir del ${when}. Hasta entonces, usa un móvil anterior si alguno sigue funcionando.`,
  noProvingFiles:
    'No se han podido cargar los archivos para crear la prueba. Conéctate a internet e inténtalo de nuevo.',
  noProver:
    'El programa que crea la prueba no se ha iniciado. Conéctate a internet, recarga la página e inténtalo de nuevo.',

  enrollsDevice: 'Este código da de alta un dispositivo, no a una persona. Escanéalo en el dispositivo.',
  laterCode:
    'Este es un código posterior de un registro, que esta página no necesita. Escanea el primer código.',
  addressWithoutCode: 'Esta dirección no contiene ningún código para un móvil. Escanea otro.',
  foreignAddress: (host, own) =>
    `Este código lleva a ${host}. Este móvil solo funciona con ${own}. No se ha enviado nada. No lo abras.`,
  anotherService: 'otro servicio',
  unknownCode:
    'Este código es demasiado antiguo o de una empresa en la que este móvil no está registrado. Pide que se muestre un código nuevo y escanéalo. Si vuelve a pasar lo mismo, no apruebes nada: pide en recepción que registren este móvil.',
  foreignService: (origin, own) =>
    `Este código pertenece a otro servicio (${origin}). Este móvil está registrado en ${own}. No lo apruebes.`,
  foreignAccount:
    'Este código pertenece a otra empresa. Este móvil no está registrado en ella. No lo apruebes.',
  foreignEnvironment: {
    live: 'Este código es de pruebas, pero este móvil está registrado para el uso real. No lo apruebes.',
    test: 'Este código es para el uso real, pero este móvil está registrado para pruebas. No lo apruebes.',
  },

  camera: {
    notAllowed:
      'Esta página no tiene permiso para usar la cámara. Dáselo en los ajustes del navegador para este sitio y vuelve a abrir esta pantalla, o pega el código abajo.',
    none: 'Este dispositivo no tiene cámara. Pega el código abajo.',
    unsuitable: 'Este dispositivo no tiene una cámara adecuada. Pega el código abajo.',
    busy: 'Otro programa está usando la cámara. Ciérralo y vuelve a abrir esta pantalla, o pega el código abajo.',
    unavailable:
      'La cámara no está disponible en esta página. Puede que haga falta https u otro navegador. Pega el código abajo.',
  },
};
