import type { Strings } from './en';

/** The Spanish texts, for Spain. They say “tú”, as products for employees do there. */
export const es: Strings = {
  shared: {
    cancel: 'Cancelar',
    close: 'Cerrar',
    tryAgain: 'Reintentar',
    tryAgainIn: (seconds) => `Reintentar en ${seconds} s`,
    request: 'Solicitud',
    never: 'nunca',
    justNow: 'ahora mismo',
    expired: 'caducado',
  },
  test: 'Entorno de pruebas',
  cancel: 'Cancelar',
  continue: 'Continuar',
  tryAgain: 'Reintentar',
  close: 'Puedes cerrar esta página.',

  signIn: {
    tab: (client) => `Iniciar sesión en ${client}`,
    title: (client) => <>Iniciar sesión en {client}</>,
    loading: 'Iniciar sesión',
    returnsTo: (host) => <>Después volverás a {host}</>,
    otherDevice: 'Inicias sesión en el dispositivo que muestra tu código',
    scan: 'Escanea el código con tu móvil y escribe en él este número.',
    scanOther: 'Escanea el código con el otro móvil y escribe en él este número.',
    nearbyIfNew: 'Tenlo cerca, con el Bluetooth activado, por si este navegador es nuevo para ti.',
    expiresIn: (left) => <>Caduca en {left}</>,
    opening: 'Preparando tu código',
    waiting: 'Esperando a tu móvil',
    approving: 'Esperando tu aprobación',
    lost: 'Sin conexión. Reconectando…',
    refused: 'No se ha aceptado un móvil. En su pantalla se indica qué hacer. El código sigue siendo válido.',
    approveHere: 'Aprobar en este móvil',
    approveInBrowser: 'Aprobar en este navegador',
    otherPhone: 'o con otro móvil',
    sameDeviceOnly:
      'Esta aplicación solo acepta la aprobación en el mismo dispositivo en el que inicias sesión.',
    moving: 'Abriendo la página de tu móvil',
    remember: {
      title: 'Recuerda este número',
      text: 'La página de tu móvil te lo pedirá a continuación.',
    },
  },
  stage: {
    code: 'Código de inicio de sesión',
    number: 'Tu número',
    connected: 'Móvil conectado',
    type: 'Escribe este número en tu móvil',
    goOn: 'Continúa en tu móvil',
    showCode: '¿No es tu móvil? Mostrar el código',
  },
  nearby: {
    title: '¿Tienes el móvil al lado?',
    text: 'Este navegador es nuevo para ti. Pulsa el botón, elige tu móvil en la ventana que se abre y confirma en el móvil. Tiene que estar cerca de este ordenador, con el Bluetooth activado.',
    refused:
      'El móvil no ha confirmado. Mantenlo cerca de este ordenador, con el Bluetooth activado, e inténtalo de nuevo.',
    action: 'Confirmar con mi móvil',
    computer: {
      title: '¿Este ordenador es tuyo?',
      text: 'Si lo es, la próxima vez que inicies sesión aquí no hará falta tener el móvil al lado. Si es un ordenador que usan otras personas, elige No.',
      yes: 'Sí, recordarlo',
      no: 'No, solo esta vez',
    },
  },
  consent: {
    title: (client) => <>¿Continuar en {client}?</>,
    text: (client) => <>Has iniciado sesión. {client} recibirá:</>,
    known: 'Quién eres',
    claims: { name: 'Tu nombre', email: 'Tu dirección de correo electrónico', groups: 'Tus grupos' },
    staysSignedIn: 'Acceso durante un máximo de 14 días sin volver a preguntar',
  },
  approved: {
    title: 'Aprobado',
    going: 'Continuando…',
    goingTo: (host) => <>Volviendo a {host}…</>,
  },
  cancelled: 'Cancelado',
  ended: {
    again: 'Mostrar un código nuevo',
    declined: {
      title: 'Rechazado en el móvil',
      text: 'Nadie ha iniciado sesión. Si al final quieres iniciar sesión, muestra un código nuevo.',
    },
    rejected: {
      title: 'Número incorrecto',
      text: 'En el móvil se ha escrito otro número, así que nadie ha iniciado sesión. Muestra un código nuevo y escribe el número que aparece al lado.',
    },
    expired: {
      title: 'El código ha caducado',
      text: 'Nadie lo ha escaneado a tiempo. Muestra un código nuevo cuando tengas el móvil a mano.',
    },
  },
  failures: {
    unreachable: {
      title: 'Sin conexión',
      text: 'El servicio no ha respondido. Comprueba tu conexión e inténtalo de nuevo.',
    },
    not_approved: {
      title: 'Aún sin aprobar',
      text: 'La aprobación no ha llegado o ha tardado demasiado. Inténtalo de nuevo con otro código.',
    },
    other_tab: {
      title: 'Casi listo',
      text: 'Tu móvil ha aprobado un inicio de sesión que empezó en otra pestaña o aplicación. Vuelve a ella o inicia sesión de nuevo aquí.',
    },
    too_many: {
      title: 'Demasiados intentos',
      text: 'Espera un minuto e inténtalo de nuevo. Si no funciona, vuelve a empezar en la aplicación.',
    },
    new_browser: {
      title: 'En este navegador no es posible',
      text: 'Tu empresa pide algo más en un navegador que es nuevo para ti, y este no puede guardar lo que hace falta. Inicia sesión en tu móvil o en una ventana que no sea privada.',
    },
    not_signed: {
      title: 'Vuelve a empezar',
      text: 'Este navegador no ha podido demostrar que este inicio de sesión empezó en él. Inténtalo de nuevo con otro código.',
    },
    not_nearby: {
      title: 'Sin confirmar',
      text: 'No se ha aceptado el móvil que está junto a este ordenador. Inténtalo de nuevo con otro código y usa el móvil que registró tu empresa.',
    },
    unexpected: {
      title: 'Algo ha salido mal',
      text: 'El servicio no ha aceptado este paso. Inténtalo de nuevo. Si no funciona, vuelve a empezar en la aplicación.',
    },
  },
  closed: {
    title: 'Este inicio de sesión ha terminado',
    text: 'Ha tardado demasiado, ya se completó o se empezó en otro navegador. Vuelve a la aplicación e inicia sesión de nuevo.',
  },

  about: {
    title: '¿Qué es esto?',
    points: [
      [
        'Sin contraseña',
        'Tu móvil tiene su propia clave y demuestra que la tiene. No hay nada que recordar.',
      ],
      [
        'Ningún dato biométrico sale de tu móvil',
        'Tu huella o tu cara solo desbloquean esa clave, en el propio móvil.',
      ],
      [
        'Un número contra el fraude',
        'Escribe solo el número que ves aquí, nunca uno que te haya enviado alguien.',
      ],
    ],
    phone: (address) => <>Escanea con {address} en el móvil que registró tu empresa.</>,
  },

  error: {
    title: 'No se puede continuar con este inicio de sesión',
    text: 'La aplicación ha enviado una solicitud que este servicio no acepta. Vuelve a ella e inténtalo de nuevo.',
    expired: 'Ha tardado demasiado o su cookie ya no está. Vuelve a la aplicación e inicia sesión de nuevo.',
    signOut: {
      title: 'No se puede continuar con este cierre de sesión',
      text: 'La aplicación ha enviado una solicitud que este servicio no acepta, así que no se ha cerrado ninguna sesión.',
      expired:
        'Ha tardado demasiado o su cookie ya no está. Vuelve a la aplicación y cierra sesión de nuevo.',
    },
    forDevelopers: 'Para quienes desarrollan la aplicación',
  },
  signOut: {
    tab: 'Cerrar sesión',
    title: '¿Cerrar sesión?',
    text: (company) => <>Se cerrará tu sesión de {company} en este navegador.</>,
    plain: 'Se cerrará tu sesión en este navegador.',
    asked: (client) => <>{client} te pide que cierres sesión.</>,
    action: 'Cerrar sesión',
    forget: 'Cerrar sesión y olvidar este navegador',
    notForgotten: 'No se ha podido olvidar este navegador. Comprueba tu conexión e inténtalo de nuevo.',
    stay: 'Mantener la sesión abierta',
  },
  signedOut: {
    title: 'Se ha cerrado tu sesión',
    text: (client) => <>Ya no tienes la sesión iniciada en {client} en este navegador.</>,
  },
  device: {
    title: 'Conectar un dispositivo',
    text: 'Escribe el código que muestra tu dispositivo.',
    code: 'Código',
    action: 'Continuar',
    incomplete: 'El código tiene ocho letras o dígitos.',
    problems: {
      unknown: 'Este código no existe. Compáralo con el de tu dispositivo.',
      missing: 'Escribe primero el código.',
      expired: 'Este código ha caducado. Haz que tu dispositivo muestre uno nuevo.',
      used: 'Este código ya se ha usado. Haz que tu dispositivo muestre uno nuevo.',
      aborted:
        'Has detenido este inicio de sesión. Para volver a empezar, haz que tu dispositivo muestre un código nuevo.',
    },
  },
  deviceConfirm: {
    tab: '¿Es este tu código?',
    title: '¿Es este tu código?',
    text: (client) => <>{client} quiere iniciar tu sesión en otro dispositivo.</>,
    onlyYours: 'Continúa solo si este código aparece en tu propio dispositivo.',
    code: 'Código en tu dispositivo',
    action: 'Continuar',
    stop: 'No es mi dispositivo',
  },
  deviceDone: {
    title: 'Tu dispositivo está conectado',
    text: (client) => <>{client} continúa en tu dispositivo.</>,
  },
};
