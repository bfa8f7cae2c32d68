import type { Strings } from './en';
import { approvals } from './es-approvals';
import { browserTexts } from './es-browsers';
import { errors } from './es-errors';
import { phones } from './es-phones';

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
  errors,
  phones,
  approvals,
  ...browserTexts,

  back: 'Volver',
  cancel: 'Cancelar',
  close: 'Cerrar',
  continue: 'Continuar',
  done: 'Listo',
  scan: 'Escanear un código',
  scanAgain: 'Volver a escanear',
  scanAnother: 'Escanear otro código',
  tryAgain: 'Reintentar',
  progress: 'Progreso',
  steps: {
    creating: 'Crear la clave',
    unlocking: 'Abrir la clave',
    proving: 'Crear la prueba',
    done: 'Listo',
  },
  test: 'pruebas',
  environment: { live: 'producción', test: 'pruebas' },
  service: 'Servicio',
  accountId: 'ID de la cuenta',
  unnamedAccount: (id) => <>Cuenta {id}</>,

  cannotUse: 'Este código no se puede usar',
  insecure: {
    title: 'Tu móvil',
    text: 'Esta página se ha abierto sin cifrado, así que el navegador no puede guardar claves secretas. Ábrela con https.',
  },
  noStorage:
    'No se han podido leer los datos de esta página. Si vuelve a ocurrir, recarga la página o ábrela en una ventana que no sea privada.',

  protectedBy: {
    'screen-lock': 'tu huella, tu cara o el bloqueo de pantalla',
    browser: 'una clave que guarda este navegador, sin bloqueo de pantalla',
  },

  home: {
    title: 'Tus identidades',
    offline:
      'No tienes conexión. Aun así, puedes escanear códigos. Las pruebas se enviarán cuando vuelvas a tenerla.',
    empty: 'Aún no tienes ninguna identidad',
    emptyText:
      'Escanea el código que te muestren en recepción. Tu móvil crea entonces una clave secreta que nunca sale de él y demuestra quién eres sin contraseña.',
    unused: 'Aún sin usar',
    used: (when) => <>Último uso: {when}</>,
    details: 'Detalles',
    identity: 'Identidad',
    created: 'Creada',
    protectedBy: 'Protegida por',
    unconfirmed:
      'Se ha perdido la última respuesta de este registro. Pregunta en recepción si se completó. Si no se completó, elimina esta identidad.',
    olderKept: 'Hasta entonces se conserva la identidad anterior.',
    remove: 'Eliminar',
  },

  remove: {
    title: '¿Eliminar esta identidad?',
    text: (account) => (
      <>
        Se borrará su clave secreta, que solo existe en este móvil. No podrás iniciar sesión en {account}{' '}
        hasta que en recepción vuelvan a registrar este móvil. La identidad seguirá en la lista de la empresa,
        así que pide a su administrador que la revoque también.
      </>
    ),
    action: 'Eliminar',
  },

  scanner: {
    about: 'Apunta con la cámara al código de recepción o al del ordenador.',
    camera: 'Lo que ve la cámara',
    paste: 'O pega el código',
    pasteHint: 'El texto o el enlace que aparece junto al código QR.',
    use: 'Usar el código',
  },

  register: {
    title: '¿Registrar este móvil?',
    code: 'Código',
    text: '¿Es este el servicio que usa tu recepción? Tu móvil envía el código y un número aleatorio, y recibe el nombre de la empresa. Se te volverá a preguntar antes de crear una identidad.',
    forPerson: (name) => <>Para {name}</>,
    textKnown:
      '¿Es esta la recepción de tu empresa y es este tu nombre? Se te volverá a preguntar antes de crear una identidad.',
    inSafari:
      'En un iPhone, Safari y una aplicación de la pantalla de inicio pueden guardar los datos por separado. Regístrate donde vayas a escanear códigos más adelante.',
    inApp:
      'En un iPhone, esta aplicación y Safari pueden guardar los datos por separado. Más adelante, escanea los códigos en esta aplicación, no solo con la cámara.',
    offline:
      'No tienes conexión. Pulsa «Continuar» y deja esta página abierta. El código se enviará cuando vuelvas a tener conexión.',
    waiting: 'Esperando a que haya conexión para enviar el código.',

    confirmTitle: '¿Registrarte en esta empresa?',
    chosenName:
      'Regístrate solo en la recepción de esta empresa. Cualquiera puede elegir un nombre y un logotipo.',
    about: {
      'screen-lock':
        'Tu huella, tu cara o el bloqueo de pantalla protegen la identidad. Esta página no puede leerlos.',
      browser:
        'Este navegador no ofrece un bloqueo de pantalla a esta página. Cualquiera que pueda desbloquear este móvil puede usar la identidad.',
    },
    sends: 'Solo se envían una prueba y un número calculado a partir de la clave secreta.',
    maybeRegistered:
      'La última respuesta no llegó, así que puede que este móvil ya esté registrado. Pulsa «Registrarme» para volver a preguntar al servicio.',
    replaces:
      'Este móvil ya tiene una identidad para esta empresa. La nueva la sustituye y la clave secreta anterior se borra.',
    steps: {
      unlocking: 'Desbloquea el móvil si te lo pide',
      sending: 'Enviando la parte pública de tu clave',
      enrolling: 'Desbloquea el móvil una vez más',
      loading: 'Cargando lo necesario para la prueba',
      proving: 'Demostrando que este móvil conoce la clave secreta',
      completing: 'Enviando la prueba',
    },
    pausedOffline:
      'No tienes conexión. El registro continuará cuando vuelvas a tenerla. Tu progreso está guardado.',
    lostResponse:
      'Se ha perdido la última respuesta y el código no se puede volver a usar. La identidad se conserva, además de cualquier otra anterior para esta empresa. Pregunta en recepción si el registro se completó.',
    withoutLock: 'Guardarla sin bloqueo de pantalla',
    withoutLockText:
      'Si este móvil no tiene un bloqueo de pantalla que esta página pueda usar, puedes guardar la identidad sin él. Cualquiera que pueda desbloquear este móvil podrá usarla.',
    later: 'Terminar más tarde',
    discard: 'Descartar este registro',
    action: 'Registrarme',
    done: 'Registro completado',
    doneText: (account, person) => (
      <>
        Se ha registrado {person ? <>a {person}</> : 'este móvil'} en {account}. En recepción, el registro
        aparece como completado.
      </>
    ),
    doneProtected: {
      'screen-lock':
        'Tu huella, tu cara o el bloqueo de pantalla protegen la identidad con una llave de acceso. No borres esa llave de acceso en los ajustes del móvil: sin ella, la identidad se pierde.',
      browser: 'La identidad la protege una clave que guarda este navegador, sin bloqueo de pantalla.',
    },
    doneLost: 'Si pierdes este móvil, pide en recepción que la revoquen.',
  },
  unfinished: {
    text: (account, started) => (
      <>
        Tu registro en {account}, iniciado el {started}, está sin terminar.
      </>
    ),
    maybeRegistered:
      'La última respuesta no llegó, así que puede que este móvil ya esté registrado. Continúa el registro o pregunta en recepción.',
    resume: 'Continuar el registro',
  },
  discard: {
    title: '¿Descartar este registro?',
    text: 'Aún no se ha registrado nada. El código de recepción solo funciona una vez, así que necesitas uno nuevo para registrar este móvil.',
    maybeRegistered:
      'Puede que ya se haya completado, porque la última respuesta no llegó. La clave secreta de la identidad nueva se borra, así que nadie puede usarla. Pregunta primero en recepción. Si está registrada, pide que la revoquen allí.',
    action: 'Descartar',
  },

  pair: {
    title: '¿Aprobar este inicio de sesión?',
    browserOn: (browser, system) => `${browser} en ${system}`,
    claimed: 'Según el navegador, sin verificar',
    networkUnknown: 'Red de la página: desconocida',
    device: {
      signsIn: (client, userCode) => (
        <>
          Inicia sesión en otro dispositivo: {client}, código {userCode}
        </>
      ),
      compare: 'Continúa solo si tienes ese dispositivo delante y muestra este código.',
      networkUnknown: 'Red del dispositivo: desconocida',
    },
    opened: (ago) => <>Se abrió {ago}</>,
    onlyYours: 'Solo si lo has empezado tú. Quien lo haya empezado iniciará sesión en tu nombre.',
    expires: (left) => <>Caduca en {left}</>,
    warnings: {
      title: 'Compruébalo, por favor',
      otherNetwork: 'Se ha pedido desde otra red. Con datos móviles, es normal.',
      firstTime: 'Primer inicio de sesión en esta página con este móvil.',
      openedLongAgo: 'Se abrió hace más de dos minutos.',
    },
    reading: 'Preguntando al servicio quién quiere iniciar sesión.',
    offline: 'No tienes conexión. Cuando vuelvas a tenerla, verás aquí quién pide este inicio de sesión.',
    number: {
      title: '¿Qué número ves?',
      about:
        'Para aprobar, escribe los dos dígitos de la pantalla en la que inicias sesión. No escribas nunca un número que alguien te haya dicho o enviado.',
      entered: (digits) => (digits === '' ? 'Aún no has escrito ningún dígito' : `Has escrito: ${digits}`),
      pad: 'Dígitos',
      remove: 'Borrar el último dígito',
    },
    steps: {
      unlocking: 'Desbloquea el móvil si te lo pide',
      loading: 'Cargando lo necesario para la prueba',
      proving: 'Creando la prueba',
      waiting: 'Esperando a que haya conexión',
      sending: 'Enviando la prueba',
    },
    waiting: 'La prueba está lista y se enviará cuando vuelvas a tener conexión.',
    approve: 'Aprobar',
    notMe: 'No he sido yo',
    cannot: 'Este código no se puede aprobar',
    notRegisteredHere: {
      title: 'Este navegador no está registrado',
      text: 'Usa el móvil que registraste. Vuelve atrás y escanea con él el código, o abre la aplicación en ese móvil.',
      back: 'Volver a la página de inicio de sesión',
    },
    done: 'Sesión iniciada',
    doneText: (account) => <>La pantalla que lo pidió ya tiene la sesión iniciada en {account}.</>,
    returning: (host) => `Volviendo a ${host}.`,
    noWayBack:
      'Has iniciado sesión, pero la página a la que hay que volver no tiene una dirección segura. Ábrela tú directamente.',
    wrongNumber: {
      title: 'Número incorrecto',
      over: 'Nadie ha iniciado sesión, y este inicio de sesión ha terminado.',
      yours: '¿Te has equivocado al escribir? Vuelve a empezar en esa pantalla y escanea su código nuevo.',
      notYours:
        '¿Alguien te ha enviado el código o te ha dicho un número? No vuelvas a escanear y avisa a tu administrador.',
    },
    declining:
      'Desbloquea el móvil si te lo pide, para confirmar que has sido tú quien lo ha rechazado. Nadie iniciará sesión.',
    declined: {
      declined: {
        title: 'Nadie ha iniciado sesión',
        text: (account) => <>Este inicio de sesión ha terminado. {account} puede ver que no has sido tú.</>,
      },
      over: {
        title: 'No has dado acceso a nadie',
        text: () => (
          <>
            Este inicio de sesión ya había terminado, así que no se ha podido informar al servicio de que no
            has sido tú.
          </>
        ),
      },
      signedIn: {
        title: 'Alguien ha iniciado sesión',
        text: (account) => (
          <>
            Este código ya se había aprobado. Si no has sido tú, pide a {account} que cierre la sesión de
            inmediato.
          </>
        ),
      },
      next: 'Dile a tu administrador de dónde salió el código: un mensaje, un cartel, otra página.',
    },
    changed: {
      title: 'El código ha cambiado',
      text: 'Escanea el que se muestra ahora.',
      picture:
        'Si solo tienes una imagen del código, no la uses. Inicia sesión solo en una pantalla que tengas delante.',
    },
    check: 'Comprueba la otra pantalla',
    checkText:
      'La prueba ya se ha enviado y no se puede retirar, así que puede que la otra pantalla tenga la sesión iniciada. Si no quieres que sea así, cierra la sesión en ella.',
  },

  history: {
    title: 'Historial',
    recent: 'Aprobaciones recientes',
    about: 'Se guarda solo en este móvil. Se conservan las 100 más recientes.',
    empty: 'Aún no hay aprobaciones',
    emptyText:
      'Cuando apruebas o rechazas un inicio de sesión o una solicitud, aparece aquí. La lista no sale de este móvil.',
    results: {
      approved: 'Sesión iniciada',
      declined: 'No he sido yo',
      wrongNumber: 'Número incorrecto',
      failed: 'Fallido',
      unconfirmed: 'Sesión quizá iniciada',
    },
    clear: 'Borrar el historial',
    clearTitle: '¿Borrar el historial?',
    clearText:
      'Se borra la lista de este móvil. Tus identidades se conservan y las sesiones en los ordenadores continúan.',
  },

  install: {
    title: 'Añádela a tu pantalla de inicio',
    action: 'Instalar',
    notNow: 'Ahora no',
    ios: 'Toca Compartir y después «Añadir a pantalla de inicio», para que Safari conserve tu identidad.',
  },
};
