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
  name: 'Español',
  tab: 'Recepción',
  test: 'Entorno de pruebas',
  back: 'Volver',
  cancel: 'Cancelar',
  toStart: 'Listo',
  openHere: 'Abrir en este navegador',
  tryAgain: 'Reintentar',
  backIn: (seconds) => `Vuelta al inicio en ${seconds}`,
  stillThere: '¿Sigues ahí?',
  stillHere: 'Sigo aquí',
  expiresIn: (left) => <>Caduca en {left}</>,
  goesOnIn: (seconds) => `Continuará automáticamente en ${seconds}\u00a0s.`,

  start: {
    title: 'Te damos la bienvenida',
    titleAt: (company) => <>Te damos la bienvenida a {company}</>,
    register: 'Registrarme',
    registerAbout: '¿Primera vez? Configura tu móvil.',
    signIn: 'Iniciar sesión',
    signInAbout: 'Tu móvil ya está registrado.',
    clock: 'Fichar',
    clockAbout: 'Con el móvil o con un PIN.',
  },
  problems: {
    offline: ['Sin conexión', 'El puesto continuará en cuanto vuelva la conexión.'],
    revoked: [
      'Este puesto está desactivado',
      'Alguien lo ha revocado o pausado en el panel de control. Si está en pausa, volverá a funcionar por sí solo.',
    ],
    busy: ['Un momento, por favor', 'Hay muchas personas usando este puesto ahora mismo.'],
    full: [
      'Ahora no se puede usar este puesto',
      'La empresa ha agotado su límite mensual. Por favor, pregunta en recepción.',
    ],
    closed: [
      'Ahora no se puede usar este puesto',
      'La cuenta de la empresa no está activa. Por favor, pregunta en recepción.',
    ],
    policy: [
      'En este puesto no es posible',
      'Las normas de la empresa no lo permiten aquí. Por favor, pregunta en recepción.',
    ],
    unexpected: [
      'Algo ha salido mal',
      'Inténtalo de nuevo. Si no funciona, pregunta en recepción, por favor.',
    ],
  },
  menu: 'Menú del puesto',
};
