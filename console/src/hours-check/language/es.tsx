import type { CheckTexts } from './en';

const several = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`;

/** The Spanish texts of a check. */
export const es: CheckTexts = {
  title: 'Comprobar este mes',
  about:
    'Su navegador descarga el archivo de este mes y lo comprueba: cada fichaje con el registro de auditoría, cada prueba de un móvil y cada hoja de horas.',
  recorded: 'La descarga queda registrada, y las personas del centro lo ven en su móvil.',
  start: 'Comprobar este mes',
  again: 'Volver a comprobar',
  stop: 'Detener',
  download: 'Descargar el archivo',
  compare: 'Comparar con un archivo…',
  notKept:
    'Este no es el archivo de un mes. Elija un archivo descargado aquí o en una inspección, por ejemplo hours-2026-05.jsonl.',
  ofAnother: 'El archivo elegido es de otra cuenta o de otro entorno. No hay resultado.',
  progress: 'Entradas del registro de auditoría comprobadas',
  starting: 'El servicio está preparando el archivo…',
  read: (read, of, size) => (
    <>
      {read} de {of} entradas comprobadas, {size}
    </>
  ),
  stopped: 'La comprobación se ha detenido. No hay resultado.',
  cut: (incomplete) => <>{incomplete} El archivo terminó antes de su última línea. No hay resultado.</>,
  incomplete: 'La comprobación está incompleta.',
  unexpected:
    'La comprobación no ha funcionado en este navegador. Inténtelo de nuevo o use la línea de comandos.',
  tooLarge:
    'Este mes tiene más fichajes de los que caben en un navegador. La línea de comandos comprueba cualquier número.',
  tryAgain: 'Reintentar',

  holds: 'Este mes es correcto.',
  holdsUntil: (when, isClosed) => (
    <>
      Nadie ha cambiado, añadido ni quitado un fichaje registrado hasta el {when}
      {isClosed ? ', cuando se cerró el mes' : ''}.
    </>
  ),
  nothing: 'No hay nada que comprobar: el registro de auditoría no tiene entradas de este mes.',
  newer: 'Todo lo de este mes es posterior a lo que esta página había visto.',
  forgeable:
    'El servicio funciona con claves de desarrollo. Quien las creó puede falsificar pruebas, así que aquí las pruebas no demuestran nada.',
  wrong: (count) => `Este mes no es correcto: ${several(count, 'error encontrado', 'errores encontrados')}.`,
  wrongAbout:
    'Se ha modificado fuera del servicio. Descargue el archivo ahora, guárdelo y envíelo al operador del servicio.',
  ended: 'Este mes no es correcto.',
  notJudged: 'Este mes no se ha podido comprobar.',
  findings: 'Lo que no es correcto',
  more: (count) => `Hay ${count} más que no figuran aquí. La línea de comandos los muestra.`,
  line: (line) => `línea ${line}`,
  nobody: 'Persona desconocida',
  event: 'fichaje',
  site: 'Todo el centro',

  checked: 'Lo que se ha comprobado',
  apart: 'Lo que es correcto aparte de eso',
  people: (people, hours, more) =>
    `${several(people, 'persona', 'personas')}, ${hours} horas según sus propios fichajes${more === undefined ? '' : ` y ${more} más que solo anotó una clave o un miembro`}.`,
  events: (list) => `Fichajes: ${list}.`,
  evidence: {
    proved: (count) => `${several(count, 'probado', 'probados')} con el móvil`,
    declared: (count) => `${several(count, 'declarado', 'declarados')} con un PIN o junto a un miembro`,
    agreed: (count) => `${several(count, 'acordado', 'acordados')} en una corrección`,
    asserted: (count) => `${several(count, 'anotado', 'anotados')} solo por una clave o un miembro`,
    contested: (count) => `${several(count, 'impugnado', 'impugnados')} por la persona`,
  },
  proofs: (count) => `${several(count, 'prueba de móvil comprobada', 'pruebas de móviles comprobadas')}.`,
  corrections: (list) => `Correcciones: ${list}.`,
  states: {
    agreed: (count) => several(count, 'acordada', 'acordadas'),
    contested: (count) => several(count, 'impugnada', 'impugnadas'),
    unanswered: (count) => `${count} sin respuesta`,
    withdrawn: (count) => several(count, 'retirada', 'retiradas'),
    proposed: (count) => several(count, 'pendiente', 'pendientes'),
  },
  complete: (count) =>
    count === '1'
      ? 'La única entrada de este mes es la primera, así que no falta ninguna anterior.'
      : `Las ${count} entradas de este mes están numeradas sin huecos, así que antes de la última no falta ninguna.`,
  closed: (when) => <>El mes se cerró el {when} con estas hojas.</>,
  sheets: 'Cada hoja es lo que dicen los fichajes, minuto a minuto.',
  sameHistory: (count) =>
    count === '1'
      ? 'El registro de auditoría conserva la entrada que esta página ya había visto: nada se ha reescrito.'
      : `El registro de auditoría conserva las ${count} entradas que esta página ya había visto: nada se ha reescrito.`,
  sameAsFile: (count) =>
    count === '1'
      ? 'El registro de auditoría conserva la entrada del archivo guardado: nada se ha reescrito.'
      : `El registro de auditoría conserva las ${count} entradas del archivo guardado: nada se ha reescrito.`,

  notChecked: 'Lo que no se ha comprobado',
  names: 'Los nombres y los números de personal, que solo dice el servicio.',
  phones: 'Quién tenía un móvil en la mano, y dónde. Un móvil que se presta con su PIN no se detecta.',
  after: (when, isOpen) => (
    <>
      Si se han omitido entradas posteriores al {when}.{isOpen ? ' El mes no se ha cerrado.' : ''}
    </>
  ),
  unproved: (count) =>
    `${several(count, 'fichaje o corrección', 'fichajes y correcciones')} con PIN o junto a un miembro, que solo dice el servicio.`,
  displaced: (count) =>
    `${several(count, 'fichaje', 'fichajes')} en los extremos del mes, de cuando el centro tenía otra zona horaria.`,
  erased: (count) =>
    `${several(count, 'prueba', 'pruebas')} de personas suprimidas, de las que no queda nada con que comparar.`,
  rules: 'El cierre, cuyas reglas esta página no conoce.',
  firstCheck:
    'Lo que pasó antes de esta comprobación. Es la primera en esta página y se basa en la firma del servicio. La próxima también dirá si algo se ha reescrito desde entonces.',
  trust: (line) => (
    <>
      Esta página viene del servicio que comprueba. {line} comprueba el mismo archivo en un ordenador de su
      confianza y lo compara con un archivo que usted haya guardado.
    </>
  ),
  commandLine: 'La línea de comandos',
  endings: {
    malformed: 'El archivo no está escrito como lo escribe el servicio.',
    altered: 'El archivo no es el que firmó el servicio.',
    chain_broken: 'Se han cambiado, quitado o movido entradas del registro de auditoría.',
    tree_wrong: 'Las entradas no llevan al estado firmado del registro de auditoría.',
    kept_head_differs:
      'El registro de auditoría no es el que esta página había visto: se ha reescrito. No recargue esta página, descargue el archivo de este mes y envíelo al operador del servicio.',
    key_unknown:
      'El archivo está firmado con una clave distinta de la que esta página había visto. Pregunte al operador del servicio si la ha cambiado.',
    signature_wrong: 'La firma del servicio es falsa.',
    signature_unsupported: 'Este navegador no puede comprobar las firmas. Los más recientes sí pueden.',
    setup_unknown:
      'Las pruebas son de una clave que esta página no conoce. Recargue la página y vuelva a comprobar.',
  },
  endingsOfFile: {
    kept_head_differs:
      'El registro de auditoría no es el del archivo guardado: se ha reescrito. Guarde ambos archivos y envíelos al operador del servicio.',
    key_unknown:
      'El servicio firma con una clave distinta de la del archivo guardado. Pregunte al operador del servicio si la ha cambiado.',
  },
  findingTexts: {
    record_changed: 'Este fichaje dice algo distinto de lo que decía cuando se registró.',
    record_missing: 'Se registró un fichaje que ya no está.',
    record_unknown: 'Este fichaje está, y nada en el registro de auditoría lo ha registrado.',
    record_resealed: 'Este fichaje se registró dos veces.',
    salt_missing: 'Este fichaje no se puede comprobar, porque falta la sal de su sello.',
    entry_missing: 'Se han omitido entradas de este mes.',
    punch_wrong: 'La prueba de este fichaje falta, o es de otro acto, momento, persona o empresa.',
    punch_reused: 'Este fichaje tiene la prueba de otro.',
    proof_invalid: 'Una prueba del móvil no es válida.',
    enrolment_wrong: 'El alta de un móvil se ha cambiado.',
    enrolment_missing: 'Nada muestra que el móvil sea el de esta persona.',
    correction_wrong: 'Una corrección se ha cambiado, o no la acordaron ambas partes.',
    correction_missing: 'Falta la corrección que debería haber hecho este cambio.',
    sheet_wrong: 'La hoja no es lo que dicen los fichajes.',
    closing_wrong: 'Los fichajes no dan las hojas que se cerraron.',
  },
};
