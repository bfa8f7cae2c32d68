import type { BrowserTexts } from './en-browsers';

/** The Spanish texts about this phone's passkey, and the browsers that it signs in. */
export const browserTexts: BrowserTexts = {
  passkey: {
    part: 'Llave de acceso de este móvil',
    partAbout: 'Necesaria para iniciar sesión con un navegador nuevo',
    title: 'Activar la llave de acceso de este móvil',
    card: 'Un ordenador que esté junto a este móvil podrá entonces pedirla, y nadie podrá iniciar sesión solo con una copia de la clave secreta.',
    turnOn: 'Activar',
    why: 'Cuando inicias sesión con un navegador nuevo, el ordenador pide esta llave de acceso. Demuestra que tu móvil está a su lado.',
    unlocks: {
      new: 'Tu móvil te pedirá confirmación varias veces: para abrir la identidad, para crear la llave de acceso y para usarla una vez.',
      own: 'Tu móvil te pedirá confirmación una vez.',
    },
    keep: 'No borres esta llave de acceso en los ajustes del móvil. Protege tu identidad y, sin ella, la identidad se pierde.',
    steps: {
      unlocking: 'Desbloquea el móvil si te lo pide',
      creating: 'Creando la llave de acceso',
      signing: 'Usando la llave de acceso una vez',
      loading: 'Cargando lo necesario para la prueba',
      proving: 'Creando la prueba',
      sending: 'Enviando la prueba',
    },
    done: 'Llave de acceso activada',
    doneText: (account) => (
      <>En {account}, este móvil ya puede demostrar a un ordenador que está a su lado.</>
    ),
    signing: 'Confirma con la llave de acceso',
    required:
      'La empresa pide la llave de acceso de este móvil. Actívala primero: abre «Móviles y clave» en la identidad y, después, «Llave de acceso de este móvil».',
    notAccepted:
      'El servicio no lo ha aceptado. Si tu empresa ha revocado la llave de acceso de este móvil, abre «Móviles y clave» en la identidad y, después, «Tus móviles». Allí puedes activar una nueva.',
  },
  nearby: {
    title: 'Continúa en el ordenador',
    text: (browser) => <>Este navegador es nuevo para ti: {browser}.</>,
    unnamed: 'desconocido',
    steps: [
      'En el ordenador, pulsa «Confirmar con mi móvil».',
      'El navegador muestra una ventana. Elige este móvil o la llave de acceso de un móvil. Deja el Bluetooth activado en los dos.',
      'Confirma aquí cuando el móvil te lo pida.',
    ],
    waiting: 'Esperando al ordenador',
    left: (time) => <>Hasta entonces, nadie ha iniciado sesión. Quedan {time}</>,
    notMine: 'No he sido yo',
    done: 'Confirma en el ordenador',
    beside: (browser) => `${browser}, a tu lado`,
    aBrowser: 'Un navegador',
    doneText: (account) => (
      <>
        Tu móvil ha confirmado. El ordenador pregunta si es tuyo. Responde allí y se iniciará la sesión en{' '}
        {account}.
      </>
    ),
    over: {
      title: 'Nadie ha iniciado sesión',
      text: 'El ordenador no ha preguntado a este móvil a tiempo o el inicio de sesión se ha cancelado allí. Para volver a intentarlo, muestra un código nuevo y escanéalo.',
    },
    refused: {
      title: 'En un navegador nuevo no es posible',
      text: 'Tu empresa solo te permite iniciar sesión con un navegador nuevo si lo confirma la llave de acceso de un móvil que esté al lado.',
      turnOn: 'Activa la llave de acceso de este móvil y vuelve a escanear el código.',
      noLock:
        'La identidad de este móvil no tiene llave de acceso, porque no la protege ningún bloqueo de pantalla.',
      here: 'También puedes abrir la aplicación en este móvil e iniciar sesión en él, o usar otro móvil tuyo que tenga bloqueo de pantalla.',
    },
  },
  browsers: {
    title: 'Navegadores',
    partAbout: 'Dónde has iniciado sesión',
    text: (account) => (
      <>
        Con estos has iniciado sesión en {account}. Son conocidos, así que no piden que este móvil esté al
        lado.
      </>
    ),
    empty: 'No hay navegadores conocidos',
    emptyText:
      'Un navegador pasa a ser conocido cuando inicias sesión a su lado con la llave de acceso de este móvil, o en este mismo móvil.',
    unnamed: 'Navegador',
    how: { nearby: 'Junto a tu móvil', same_device: 'En tu móvil' },
    since: (how, when) => (
      <>
        {how}, {when}
      </>
    ),
    used: (when) => <>Último uso: {when}</>,
    forget: 'Olvidar',
    forgetNamed: (name) => `Olvidar ${name}`,
    forgetTitle: (name) => <>¿Olvidar «{name}»?</>,
    forgetText:
      'La próxima vez que inicies sesión con él, volverá a ser nuevo. Donde ahora tiene la sesión iniciada, la mantiene: para terminarla, cierra sesión allí.',
    expire: 'Si no usas un navegador durante 180 días, se olvida.',
  },
};
