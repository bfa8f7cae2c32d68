import type { Strings } from './en';

/** The Spanish texts about approvals. */
export const approvals: Strings['approvals'] = {
  inbox: {
    title: 'Solicitudes',
    check: 'Consultar solicitudes',
    checkAbout: 'Lo que alguien te pide que apruebes',
    count: (count) =>
      count === 1 ? 'Tienes 1 solicitud pendiente' : `Tienes ${count} solicitudes pendientes`,
    empty: 'No tienes ninguna solicitud pendiente.',
    unreadable:
      'Hay una solicitud que no se muestra porque su texto no es como el servicio debe enviarlo. No se ha aprobado nada. Si vuelve a ocurrir, avisa a tu administrador.',
    stale: 'Puede que la lista no esté al día, porque el servicio no ha respondido.',
  },

  link: {
    title: '¿Abrir esta solicitud?',
    text: 'Desbloquea el móvil para que esta página pueda preguntar al servicio de qué se trata. Lo verás todo antes de decidir.',
    none: {
      title: 'No es una solicitud para este móvil',
      text: 'Puede que sea para otra persona, o que ya se haya decidido, se haya cancelado o haya caducado.',
    },
    noIdentity:
      'Este móvil no está registrado, así que no puede aprobar nada. Abre el enlace en el móvil que registraste.',
    unreadable: {
      title: 'No se puede mostrar esta solicitud',
      text: 'Su texto no es como el servicio debe enviarlo. No se ha aprobado nada. Avisa a tu administrador.',
    },
  },

  title: '¿Aprobar esto?',
  writtenBy: (company) => <>Texto de {company}</>,
  asks: {
    api_key: (name) => <>Enviado con la clave de API «{name}»</>,
    member: (name) => <>Enviado por {name}, del equipo</>,
    client: (name) => <>Enviado por la aplicación «{name}»</>,
  },
  note: 'Nota',
  documents: 'Documentos',
  sha256: 'SHA-256',
  reference: (reference) => <>Referencia {reference}</>,
  needs: (required, all) =>
    required === all
      ? `Se necesita la aprobación de las ${all} personas consultadas.`
      : `Se necesita la aprobación de ${required} de las ${all} personas consultadas.`,
  expiresIn: (left) => <>Caduca en {left}</>,
  expiresAt: (at) => <>Caduca el {at}</>,
  onlyOnce: 'Solo decides una vez. Después no podrás cambiarlo.',

  approve: 'Aprobar',
  readOn: 'Baja hasta el final para aprobar',
  canApprove: 'Has leído hasta el final. Ya puedes aprobar.',
  enterNumber: 'Escribir el número',
  decline: 'Rechazar',
  notMe: 'No he sido yo',
  later: 'Más tarde',

  number: {
    about:
      'Escribe los dos dígitos que te muestra quien lo pide. No escribas nunca un número que alguien te haya dicho o enviado.',
  },
  reasons: {
    title: '¿Por qué lo rechazas?',
    no: 'No estoy de acuerdo',
    noAbout: 'La solicitud es correcta, pero mi respuesta es no',
    mistake: 'Es un error',
    mistakeAbout: 'Hay algo incorrecto en ella',
    not_me: 'No he sido yo',
    not_meAbout: 'No lo he iniciado yo y no sé quién lo ha hecho',
  },

  steps: {
    unlocking: 'Desbloquea el móvil si te lo pide',
    loading: 'Cargando lo necesario para la prueba',
    proving: 'Creando la prueba',
    sending: 'Enviando tu decisión',
  },
  waiting: 'No tienes conexión. Tu decisión se enviará cuando vuelvas a tenerla.',

  approved: {
    title: 'Aprobado',
    text: (company) => <>{company} tiene tu prueba y puede continuar.</>,
    others: 'Tu aprobación cuenta. Aún falta la de otras personas.',
  },
  declined: {
    title: 'Rechazado',
    text: (company) => <>{company} puede ver que lo has rechazado.</>,
    notMe: (company) => <>{company} puede ver que no has sido tú.</>,
    next: 'Si no sabes de dónde venía la solicitud, avisa a tu administrador.',
  },
  decided: {
    title: 'Ya habías decidido',
    text: 'Este móvil ya había respondido a esta solicitud, y solo cuenta la primera respuesta. Puedes verla en el historial.',
  },
  closed: {
    title: 'Esta solicitud ha terminado',
    text: 'Se decidió, se canceló o caducó antes de que llegara tu respuesta. Tu respuesta no ha contado.',
  },
  expired: {
    title: 'Esta solicitud ha caducado',
    text: 'No se ha aprobado nada. Si todavía hace falta, pide que te la vuelvan a enviar.',
  },
  wrongNumber: {
    title: 'Número incorrecto',
    text: 'No se ha aprobado nada y la solicitud sigue pendiente. Vuelve a mirar el número.',
    locks: 'Tras tres números incorrectos en un día, no puedes aprobar con un número durante una hora.',
    notYours:
      '¿Alguien te ha dicho o enviado el número? Entonces rechaza la solicitud y avisa a tu administrador.',
    again: 'Volver a escribirlo',
  },
  locked: {
    title: 'Bloqueado durante una hora',
    text: 'Has escrito un número incorrecto tres veces, así que no puedes aprobar con un número durante una hora. Rechazar sí puedes.',
  },
  rejected: {
    title: 'No aceptado',
    text: 'El servicio no ha aceptado la respuesta de este móvil, así que no se ha decidido nada.',
    why: 'Puede que la solicitud sea para otra persona, que este móvil se haya eliminado o que hoy hayas escrito tres veces un número incorrecto. Inténtalo de nuevo dentro de una hora o pregunta a tu administrador.',
  },
  unknown: {
    title: 'Puede que tu respuesta haya llegado',
    text: 'Ya se ha enviado y no se puede retirar. Vuelve a abrir la solicitud para ver si sigue pendiente.',
  },

  history: {
    results: {
      approved: 'Aprobado',
      declined: 'Rechazado',
      wrongNumber: 'Número incorrecto',
      failed: 'No aceptado',
      unconfirmed: 'Puede que haya llegado',
    },
    open: (title) => `Mostrar «${title}»`,
    title: 'Sobre qué decidiste',
    decidedAt: (at) => <>Decidido el {at}</>,
    about:
      'Se guarda solo en este móvil. El comprobante que otras personas pueden verificar lo tiene la empresa.',
  },
};
