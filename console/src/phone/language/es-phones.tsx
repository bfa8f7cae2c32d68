import type { PhonesStrings } from './en-phones';

/** The Spanish texts about a person's phones. */
export const phones: PhonesStrings = {
  title: 'Móviles y clave',
  add: 'Añadir otro móvil',
  addAbout: 'Inicia sesión con cualquiera de los dos',
  lost: 'He perdido un móvil',
  lostAbout: 'Mira tus móviles y elimina uno',
  changeKey: 'Cambiar mi clave',
  changeKeyAbout: 'Por si alguien tiene una copia',
  notActiveYet: {
    title: 'Aún no está activo',
    text: (when) => (
      <>
        Este móvil tomará el relevo el {when}. Hasta entonces, un móvil anterior que siga funcionando puede
        impedirlo.
      </>
    ),
    added: (when) => <>Puedes iniciar sesión con este móvil a partir del {when}.</>,
    now: 'Este móvil ya debería funcionar. Inicia sesión una vez para confirmarlo.',
  },
  ifLost: 'Si pierdes este móvil',
  ifLostText:
    'En otro móvil tuyo, abre «Móviles y clave» y elimina este. Si es tu único móvil, ve a recepción. Allí bloquean este móvil y registran uno nuevo, lo que puede tardar hasta el día siguiente.',
  ifLostProtected: {
    'screen-lock': 'Hasta entonces, nadie puede usarlo sin tu huella, tu cara o el bloqueo de pantalla.',
    browser: 'Hasta entonces, cualquiera que pueda desbloquear el móvil puede usarlo.',
  },
  onlyPhoneLost: '¿Has perdido el móvil?',
  onlyPhoneLostText:
    'Si tienes otro móvil que funciona, abre en él esta página, después «Móviles y clave», y elimina el que has perdido. Si era tu único móvil, ve a recepción. Allí bloquean el móvil perdido y registran el nuevo, lo que puede tardar hasta el día siguiente.',

  steps: {
    unlocking: 'Desbloquea el móvil si te lo pide',
    loading: 'Cargando lo necesario para la prueba',
    proving: 'Creando la prueba',
    sending: 'Enviando la prueba',
  },
  offline: 'No tienes conexión. Continuará cuando vuelvas a tenerla.',

  list: {
    title: 'Tus móviles',
    text: (account) => <>Con cada uno de ellos se puede iniciar sesión en {account} en tu nombre.</>,
    unnamed: 'Móvil',
    thisPhone: 'Este móvil',
    added: (when) => <>Añadido: {when}</>,
    used: (when) => <>último uso: {when}</>,
    unused: 'aún sin usar',
    from: (when) => <>Funciona a partir del {when}</>,
    remove: 'Eliminar',
    removeNamed: (name) => `Eliminar ${name}`,
    noneInForce: 'Este móvil se ha eliminado o sustituido. Ya no puede iniciar sesión.',
    only: 'Este es tu único móvil. Añade otro para no quedarte sin acceso si lo pierdes.',
  },
  remove: {
    title: '¿Eliminar este móvil?',
    titleNamed: (name) => <>¿Eliminar «{name}»?</>,
    text: (account) => (
      <>
        Ya no podrá iniciar sesión en {account} y sus sesiones terminan ahora. No se puede deshacer, pero
        puedes volver a añadir el móvil.
      </>
    ),
    own: (account) => (
      <>
        Este móvil ya no podrá iniciar sesión en {account} y sus sesiones terminan ahora. Su clave secreta se
        borra. Si no tienes otro móvil, solo en recepción podrán volver a registrarte.
      </>
    ),
    action: 'Eliminar',
    done: 'Móvil eliminado',
  },

  recovery: {
    title: 'Alguien está sustituyendo tus móviles',
    text: (account, when) => (
      <>
        En la recepción de {account} han registrado un móvil nuevo para ti. Tomará el relevo el {when} y todos
        los demás dejarán de funcionar.
      </>
    ),
    held: (account) => <>Te has opuesto. El móvil nuevo solo tomará el relevo si {account} lo confirma.</>,
    notMe: 'No soy yo',
    isMe: 'Soy yo',
    expected: 'Has dicho que eres tú. No se ha cambiado nada.',
    cancelled: 'Detenido',
    cancelledText: (account) => (
      <>
        El móvil nuevo no se ha registrado y los tuyos siguen funcionando. Avisa a {account} de que alguien lo
        ha intentado.
      </>
    ),
    onHold: 'En espera',
    onHoldText: (account) => (
      <>
        Este móvil se ha eliminado, así que no puedes impedirlo por tu cuenta. Ahora el móvil nuevo solo
        tomará el relevo si {account} lo confirma. Llama a la empresa.
      </>
    ),
    link: '¿Se ha registrado un móvil nuevo para ti?',
    linkText: 'Alguien quiere sustituir tus móviles por uno nuevo. Si no eres tú, puedes impedirlo aquí.',
    choose: '¿En qué empresa?',
    noIdentity:
      'Este móvil no tiene ninguna identidad que pueda impedirlo. Abre el enlace en un móvil que hayas registrado o llama a la empresa.',
  },

  key: {
    title: '¿Cambiar mi clave?',
    why: 'Hazlo si alguien puede haber visto tu bloqueo de pantalla o copiado el almacenamiento de este móvil. Tu móvil crea una clave secreta nueva y la anterior deja de funcionar.',
    stays: 'Para la empresa sigues siendo la misma persona. A tus otros móviles no les afecta.',
    sessions: 'Se cierran todas las sesiones que iniciaste con este móvil.',
    action: 'Cambiar la clave',
    unknown:
      'La última respuesta no llegó, así que este móvil conserva las dos claves. Pulsa «Cambiar la clave» para averiguar cuál funciona.',
    tooOften: 'La clave de este móvil se ha cambiado hoy tres veces. Inténtalo de nuevo mañana.',
    done: 'Clave cambiada',
    doneText: (account) => (
      <>La clave anterior ya no funciona en {account}. En todos los demás sitios se ha cerrado tu sesión.</>
    ),
  },

  adding: {
    intro: {
      near: 'Ten el otro móvil a tu lado. Necesita una cámara; si no la tiene, escribirás un código.',
      own: 'Tendrá su propia clave secreta. Este móvil sigue funcionando.',
      yours: 'Añade solo un móvil que sea tuyo. Quien lo tenga podrá iniciar sesión en tu nombre.',
    },
    show: 'Mostrar el código',
    scan: 'Escanea con tu otro móvil',
    scanText: 'Apunta con su cámara al código y abre el enlace.',
    qr: 'Código para el otro móvil',
    orType: (address) => <>¿No tiene cámara? Abre en él {address} y escribe este código:</>,
    left: (time) => <>Válido durante {time}</>,
    joined: 'Confirma en tu otro móvil',
    joinedText: 'Ha escaneado el código y mostrará seis dígitos.',
    waitingFor: 'Esperando al otro móvil',
    digits: '¿Qué dígitos muestra?',
    digitsText:
      'Escribe los seis dígitos de tu otro móvil. No escribas nunca dígitos que alguien te haya dicho o enviado.',
    notMine: 'No es mi móvil',
    action: 'Añadir',
    done: 'Móvil añadido',
    doneText: (account) => <>Ya puedes iniciar sesión en {account} con los dos móviles.</>,
    doneLater: (account, when) => (
      <>
        Tu otro móvil podrá iniciar sesión en {account} a partir del {when}.
      </>
    ),
    rejected: 'No se ha añadido ningún móvil',
    rejectedText: 'Los dígitos no coinciden con los del otro móvil. Este código ya no funciona.',
    rejectedYours: '¿Te has equivocado al escribir? Vuelve a empezar, con el otro móvil a tu lado.',
    rejectedNotYours:
      '¿Alguien te ha pedido que hagas esto o te ha dicho los dígitos? No vuelvas a empezar y avisa a tu administrador.',
    refusedText: 'Has dicho que no es tu móvil. Este código ya no funciona.',
    expired: 'El código ha caducado',
    expiredText: 'No se ha añadido ningún móvil. Muestra un código nuevo cuando tengas listo el otro móvil.',
    again: 'Volver a empezar',
  },

  joining: {
    title: '¿Usar también este móvil?',
    text: 'Continúa solo si el código está en otro móvil tuyo, a tu lado. Este móvil crea entonces su propia clave secreta, que nunca sale de él, y recibe el nombre de la empresa.',
    confirm: '¿Añadir este móvil?',
    company: 'Continúa solo si esta es tu empresa. Cualquiera puede elegir un nombre y un logotipo.',
    same: 'Puedes iniciar sesión con cualquiera de los dos móviles como la misma persona.',
    replaces:
      'Este móvil ya tiene una identidad para esta empresa. La nueva la sustituye y la clave secreta anterior se borra.',
    action: 'Añadir este móvil',
    steps: {
      meeting: 'Conectando con el otro móvil',
      loading: 'Cargando lo necesario para la prueba',
      proving: 'Demostrando que este móvil conoce la clave secreta',
      sending: 'Enviando la prueba',
    },
    digits: 'Escribe estos dígitos en tu otro móvil',
    digitsText: 'No se los digas a nadie.',
    waiting: 'Esperando al otro móvil',
    done: 'Este móvil se ha añadido',
    doneText: (account) => <>Ahora también puedes iniciar sesión en {account} con este móvil.</>,
    doneLater: (account, when) => (
      <>
        Puedes iniciar sesión en {account} con este móvil a partir del {when}.
      </>
    ),
    notAdded: 'Este móvil no se ha añadido',
    notAddedText: 'Se ha detenido desde el otro móvil. La identidad sin usar se ha borrado de este móvil.',
    expiredText: 'El código ha caducado. La identidad sin usar se ha borrado de este móvil.',
    startAgain: 'Para volver a intentarlo, muestra un código nuevo en el otro móvil.',
    unconfirmed: 'Mira tu otro móvil',
    unconfirmedText:
      'El código ha caducado antes de que llegara una respuesta. Si tu otro móvil muestra «Móvil añadido», este funciona. Si no, elimina la identidad aquí y vuelve a empezar.',
    unfinished: (account) => <>Aún no has terminado de añadir este móvil en {account}.</>,
    resume: 'Continuar',
    discard: 'Descartar',
  },
  recoveryDone: {
    title: (when) => `Este móvil tomará el relevo el ${when}`,
    text: (account) => (
      <>
        Hasta entonces, un móvil anterior que siga funcionando en {account} puede impedirlo, para que nadie
        más pueda hacer esto en tu nombre. No tienes que hacer nada.
      </>
    ),
  },
};
