import type { ReactNode } from 'react';
import type { TimeTexts } from './en-time';

/** The Spanish texts of working time. */
export const esTime: TimeTexts = {
  title: 'Mis horas',
  about: 'Ficha la entrada y la salida, y mira lo que está registrado',
  acts: {
    come: 'Fichar la entrada',
    go: 'Fichar la salida',
    beginBreak: 'Empezar una pausa',
    endBreak: 'Terminar la pausa',
  },
  done: {
    come: 'Has fichado la entrada',
    go: 'Has fichado la salida',
    beginBreak: 'Tu pausa ha empezado',
    endBreak: 'Tu pausa ha terminado',
  },
  rows: { come: 'Entrada', go: 'Salida', beginBreak: 'Inicio de la pausa', endBreak: 'Fin de la pausa' },
  months: { before: 'Mes anterior', after: 'Mes siguiente' },

  attend: {
    title: '¿Entras o sales?',
    reading: 'Preguntando al servicio el lugar y la hora.',
    noIdentity:
      'Este navegador no tiene ninguna identidad, quizá porque no se ha usado en semanas. Pulsa «Sin mi móvil» en el terminal y ficha con tu número de personal y tu PIN. Después pide un código de registro.',
    offline: 'No tienes conexión. La hora que cuenta es la del servicio, así que conéctate primero.',
    at: (place: ReactNode) => <>En {place}</>,
    remote: 'Desde donde estés, sin el código de un puesto',
    time: 'Hora',
    byService: 'Cuenta el reloj del servicio, aunque la prueba tarde un poco.',
    clock: (seconds: number) =>
      `El reloj de este móvil y el del servicio se diferencian en ${seconds} segundos. Se registra la hora del servicio.`,
    tooLate: 'Han pasado dos minutos. Vuelve a escanear el código.',
    tooLateHere: 'Han pasado dos minutos, así que la hora ya no es correcta.',
    newTime: 'Usar la hora de ahora',
    lost: (act: string, time: string) =>
      `La respuesta a «${act}» (${time}) no ha llegado. Vuelve a preguntar: será el mismo fichaje, nunca uno más.`,
    askAgain: 'Volver a preguntar',
    steps: {
      unlocking: 'Desbloquea el móvil si te lo pide',
      loading: 'Cargando lo necesario para la prueba',
      proving: 'Creando la prueba',
      sending: 'Enviando la prueba',
    },
    checked: 'Tu móvil ha vuelto a calcular lo que ha registrado el servicio y guarda el comprobante.',
    takeBack: 'Durante cinco minutos, puedes anularlo en «Mis horas».',
    unsigned: {
      title: 'Registrado, pero no comprobado del todo',
      text: 'Este navegador no puede comprobar la firma del servicio. Tu móvil ha comprobado todo lo demás y guarda el comprobante.',
    },
  },

  forgotten: {
    title: 'No fichaste la salida: ¿cuándo fue?',
    text: (act: string, when: ReactNode) => (
      <>
        Lo último que registró antes este móvil es «{act}», {when}. ¿Cuándo saliste? Tu empresa lo aceptará o
        se opondrá.
      </>
    ),
    when: 'Salí a esta hora',
    hint: 'En la zona horaria de este móvil.',
    impossible: 'Elige una hora posterior a tu entrada y anterior a la de ahora.',
    send: 'Proponer',
    skip: 'Ahora no',
    sent: 'Propuesto',
    sentText: 'Tu empresa puede aceptarlo u oponerse. Hasta entonces no cambia nada.',
  },

  month: {
    total: 'Trabajado',
    breaks: 'Pausas',
    asserted: (hours: string) => `${hours} más según lo que ha anotado tu empresa`,
    flagged: (days: number) => `Días en los que falta algo o algo no encaja: ${days}`,
    zone: (zone: string) =>
      `Horas de ${zone}. Un turno que pasa de un mes al siguiente solo aparece entero en la hoja de la empresa.`,
    empty: 'No hay nada registrado en este mes.',
    here: 'Fichar aquí',
  },

  row: {
    by: {
      proved: 'Este móvil u otro tuyo',
      declared: 'Tú, sin móvil',
      agreed: 'Una corrección que aceptaron las dos partes',
      asserted: 'Tu empresa',
    },
    contested: 'Has dicho que esto es incorrecto',
    replaced: 'Sustituido o anulado, no cuenta',
    rejected: 'Rechazado, no cuenta',
    tooNew: 'Demasiado reciente para estar en la lista firmada',
    unsealed: 'De antes de que los fichajes se sellaran',
    unchecked: 'Sin comprobar: este navegador no puede comprobar firmas',
    wrong: 'Esto no es lo que se registró',
    isWrong: '¿Es incorrecto?',
    isWrongNamed: (row: string) => `${row}: ¿es incorrecto?`,
    takeBack: 'Anular',
    change: 'Proponer un cambio',
    changeNamed: (row: string) => `${row}: proponer un cambio`,
  },

  contest: {
    title: '¿Es incorrecto?',
    text: (row: string) =>
      `«${row}» se conserva, y quien lo lea verá que dices que es incorrecto. No se puede deshacer.`,
    action: 'Decir que es incorrecto',
  },
  takeBack: {
    title: '¿Anularlo?',
    text: (row: string) => `«${row}» sigue visible, pero deja de contar.`,
    action: 'Anular',
  },

  propose: {
    title: 'Proponer un cambio',
    missing: 'Falta algo',
    text: 'Tu empresa lo acepta o se opone. Hasta entonces no cambia nada.',
    what: '¿Qué es lo correcto?',
    nothing: 'No ocurrió',
    when: '¿Cuándo?',
    zone: (zone: string) => `Según la hora de ${zone}.`,
    why: '¿Por qué?',
    note: 'Nota para tu empresa (opcional)',
    future: 'Elige una hora anterior a la de ahora.',
    send: 'Proponer',
  },

  pin: {
    title: 'Sin este móvil',
    about: 'Con tu número de personal y un PIN puedes fichar en un terminal cuando no llevas este móvil.',
    none: 'No tienes PIN.',
    by: {
      phone: (when: ReactNode) => <>Pusiste el PIN en tu móvil, {when}.</>,
      pin: (when: ReactNode) => <>Cambiaste el PIN en un terminal, {when}.</>,
      desk: (when: ReactNode) => <>Un terminal imprimió un PIN para ti, {when}.</>,
      reset: (when: ReactNode) => <>Tu empresa quitó tu PIN, {when}.</>,
    },
    set: 'Poner un PIN',
    change: 'Poner otro PIN',
    field: 'PIN nuevo',
    again: 'El mismo otra vez',
    digits: 'Seis cifras',
    guessable: 'Ni seis veces la misma cifra ni seis cifras seguidas.',
    different: 'No coinciden.',
    done: 'PIN guardado',
    doneText: 'Nadie puede leerlo, tampoco tu empresa. Si lo olvidas, pon otro aquí.',
  },

  corrections: {
    title: 'Correcciones',
    proposed: 'Tu empresa quiere cambiar esto',
    yours: 'Lo has propuesto tú. Tu empresa aún no ha respondido.',
    old: 'Registrado',
    new: 'En su lugar',
    nothing: 'nada',
    note: 'Nota',
    causes: {
      forgotten: 'Se olvidó',
      wrong_time: 'Hora equivocada',
      wrong_type: 'Tipo equivocado',
      double: 'Registrado dos veces',
      not_present: 'No estaba',
      device_failed: 'Un dispositivo falló',
      other: 'Otro motivo',
    },
    agree: 'Acepto',
    contest: 'Me opongo',
    unreadable: (count: number) =>
      `No se pueden mostrar todas las correcciones (faltan ${count}), porque ningún servicio honesto las envía así. No aceptes nada y avisa a alguien de confianza.`,
  },

  member: {
    title: '¿Es tu cuenta?',
    logIn: 'Cuenta',
    text: 'Si lo confirmas, tu empresa sabrá qué miembro de su equipo eres. A partir de entonces ya no decides allí sobre tus propias horas.',
    warning: 'No confirmes nunca la cuenta de otra persona.',
    yes: 'Sí, es mía',
    no: 'No es mía',
    done: 'Confirmado',
    doneText: 'Tu empresa sabe que esta cuenta es tuya.',
  },

  missing: {
    title: 'Falta algo',
    text: (count: number) =>
      `El servicio ya no muestra ${count} de tus fichajes tal como los firmó. Tu móvil tiene los comprobantes. Expórtalos para quien te represente.`,
    export: 'Exportar los comprobantes',
  },

  readings: {
    title: 'Quién ha mirado este mes',
    none: 'Nadie lo ha mirado.',
    program: 'Un programa de tu empresa',
    former: 'Alguien que ya no es miembro',
    inspector: 'Alguien con un enlace para una inspección',
    ofSite: 'con todo el centro',
  },

  errors: {
    attendance_not_found: 'El servicio no tiene ningún fichaje tuyo como este.',
    correction_closed: 'Esta corrección ya ha terminado.',
    correction_outdated: 'Lo que cambia esta corrección ya se había cambiado antes. Vuelve a abrir el mes.',
    foreign_code: 'Este código es de otra empresa. Este móvil no está registrado en ella.',
    receipt_wrong:
      'La respuesta del servicio no demuestra lo que se ha registrado. No te fíes de ella: abre «Mis horas» más tarde y avisa a quien te represente.',
  },
};
