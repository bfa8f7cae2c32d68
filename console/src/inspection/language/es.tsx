import type { ReactNode } from 'react';
import type { Texts } from './en';

/** The Spanish texts of an inspection. */
export const es: Texts = {
  shared: {
    cancel: 'Cancelar',
    close: 'Cerrar',
    tryAgain: 'Reintentar',
    tryAgainIn: (seconds) => `Reintentar en ${seconds}\u00a0s`,
    request: 'Solicitud',
    never: 'nunca',
    justNow: 'ahora mismo',
    expired: 'caducado',
  },
  title: 'Inspección del registro de jornada',
  language: 'Idioma',

  enter: {
    about:
      'Ha recibido un enlace y, por separado, un código de seis cifras. Introduzca el código para leer las horas.',
    code: 'Código',
    hint: 'Seis cifras',
    open: 'Abrir',
  },
  faults: {
    refused:
      'Este enlace y este código no abren nada. Compruebe el código. Tras cinco códigos erróneos, el enlace queda bloqueado 15 minutos. Si después sigue sin funcionar, la inspección ha terminado: pida un enlace nuevo a la empresa.',
    busy: 'Se ha intentado demasiadas veces desde aquí. Vuelva a intentarlo dentro de unos minutos.',
    offline: 'El servicio no responde. Compruebe su conexión y vuelva a intentarlo.',
    unexpected: 'No ha funcionado. Vuelva a intentarlo.',
  },
  noLink: {
    title: 'Abra el enlace que ha recibido',
    text: 'Esta dirección por sí sola no muestra nada. Abra el enlace completo, con todo lo que sigue a #. Si ya lo había abierto, ábralo otra vez.',
  },
  ended: {
    title: 'Esta inspección ha terminado',
    text: 'Su plazo ha vencido o la empresa la ha terminado. Si han pasado ocho horas desde que introdujo el código, abra el enlace otra vez. Si no, pida uno nuevo a la empresa.',
  },

  head: {
    site: 'Centro',
    period: 'Meses',
    zone: 'Zona horaria',
    until: 'Este enlace funciona hasta el',
    logged:
      'Queda registrado cada mes que abre y cada archivo que descarga, y las personas del centro ven que alguien lo ha consultado.',
  },
  months: { label: 'Mes', before: 'Mes anterior', after: 'Mes siguiente' },
  actions: {
    print: 'Imprimir',
    csv: 'CSV',
    xlsx: 'Excel (XLSX)',
    check: 'Archivo de comprobación',
    about: (program: ReactNode) => (
      <>
        El «archivo de comprobación» contiene los fichajes con sus pruebas. {program} lo comprueba sin el
        servicio.
      </>
    ),
  },
  loading: 'Cargando el mes …',
  empty: 'Nadie tiene una hoja en este mes.',

  summary: {
    title: 'Todas las personas',
    number: 'Número',
    name: 'Nombre',
    days: 'Días',
    breaks: 'Pausas',
    hours: 'Horas',
    asserted: 'Solo por la empresa',
    flags: 'Avisos',
    contested: 'Impugnados',
    total: 'Total',
    people: (count) => (count === 1 ? '1 persona' : `${count} personas`),
  },
  sheet: {
    label: (name) => `Hoja de ${name}`,
    number: (code) => `Número de personal ${code}`,
    noNumber: 'Sin número de personal',
    erased: 'Persona eliminada',
    day: 'Día',
    from: 'Desde',
    to: 'Hasta',
    breaks: 'Pausas',
    breakTime: 'Tiempo de pausa',
    hours: 'Horas',
    asserted: 'Solo por la empresa',
    notes: 'Avisos',
    noEnd: 'sin final',
    contested: 'impugnado',
    total: 'Total',
    days: (count) => (count === 1 ? '1 día' : `${count} días`),
    signs: {
      asserted: 'Anotado solo por una clave de API o un miembro de la empresa. No cuenta para las horas.',
      contested: 'La persona dice que esto es erróneo.',
    },
    rules: 'Un aviso es una pregunta. Los convenios y las excepciones pueden permitir lo que se señala.',
    events: (list) => `Fichajes: ${list}.`,
    proved: (count) => `${count} probados con el móvil de la persona`,
    declared: (count) => `${count} declarados con un PIN o junto a un miembro`,
    agreed: (count) => `${count} acordados por una corrección`,
    recorded: (count) => `${count} anotados solo por la empresa`,
    disputed: (count) => `${count} impugnados por la persona`,
    none: 'ninguno',
    counted:
      'Las horas se recortan al minuto que muestra la hoja y después se restan. Nada se redondea, y no se descuenta ninguna pausa que nadie haya hecho.',
  },
};
